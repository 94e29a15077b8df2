"""What is in a store before anything is computed: all of it follows from the study."""

import json
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from chorda.results.provenance import versions
from chorda.safe_text import keys
from chorda.sweeps.computing import Computer
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.points import Points

FORMAT = 2
ZARR = 3  # its format; the older one may hold pickles, which run code when they are read
POINT, STATUS, MESSAGE = "point", "status", "message"
VALUES_PER_FILE = 65_536  # of a coordinate
ATTRIBUTE = "chorda_sweep"


def lay_out(group: Any, made: Computer, points: Points, found: Any, chunk: int) -> dict[str, Any]:
    """Fill an empty group; returns what it keeps about itself.

    found: a result, for the shapes; chunk: points in a piece.
    """
    zarr = needs("zarr")
    study, n = made.study, len(points)
    key = keys(x.column for x in study.vary)
    checked = [zarr.codecs.ZstdCodec(level=3), zarr.codecs.Crc32cCodec()]

    def array(name: str, kind: Any, dims: Any, shape: Any, chunks: Any, **about: Any) -> Any:
        return group.create_array(
            name,
            shape=shape,
            chunks=tuple(max(1, m) for m in chunks),
            dtype=kind,
            fill_value="" if kind is str else np.nan,
            dimension_names=dims,
            compressors=checked,
            attributes=about,
        )

    def axis(name: str, labels: Sequence[Any], unit: str) -> None:
        kind = str if isinstance(labels[0], str) else float
        about = {"units": unit} if unit else {}
        made = array(name, kind, (name,), (len(labels),), (len(labels),), **about)
        made[:] = np.array(labels, dtype=object if kind is str else float)

    size = min(n, VALUES_PER_FILE)
    columns = [
        array(key[x.column], float, (POINT,), (n,), (size,), long_name=x.name, units=quantity.unit)
        for x, quantity in zip(study.vary, made.quantities, strict=True)
    ]
    for start in range(0, n, size):
        rows = points.rows(start, min(start + size, n))
        for column, values in zip(columns, rows.T, strict=True):
            column[start : start + len(values)] = values
    for output in made.kept:
        labels = [list(d.of(found)) for d in output.dimensions]
        shape = tuple(len(x) for x in labels)
        dims = (POINT, *(d.name for d in output.dimensions))
        about = {"units": output.unit, "long_name": output.meaning}
        array(output.name, float, dims, (n, *shape), (chunk, *shape), **about)
        for dimension, names in zip(output.dimensions, labels, strict=True):
            if names and dimension.name not in group:
                axis(dimension.name, names, dimension.unit)
    array(MESSAGE, str, (POINT,), (n,), (chunk,), long_name="why there is no result")
    array(STATUS, str, (POINT,), (n,), (chunk,), long_name="how it ended; empty: not yet computed")
    known = {
        "format": FORMAT,
        "study": study.plain(),
        "outputs": [x.name for x in made.kept],
        "axes": points.axes,
        "keys": key,
        "versions": versions(),
        "checksums": True,
    }
    coordinates = " ".join(key.values())
    about = {ATTRIBUTE: json.dumps(known), "title": study.name, "coordinates": coordinates}
    group.attrs.update(about)
    with warnings.catch_warnings():  # that other programs may not know of consolidated metadata
        warnings.simplefilter("ignore")
        zarr.consolidate_metadata(group.store)
    return known
