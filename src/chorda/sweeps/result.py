"""Sweep: what came out of a study."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.checks import check_names
from chorda.errors import InputError
from chorda.plurals import many
from chorda.results import Code, Status
from chorda.results.table import Table
from chorda.safe_text import in_figure
from chorda.sweeps.points import SAMPLE
from chorda.sweeps.store import Store
from chorda.sweeps.store_layout import MESSAGE, POINT, STATUS, ZARR
from chorda.sweeps.study import Study

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

MAX_NUMBERS = 12  # of one output that a table shows
STATISTICS: dict[str, Callable[..., Any]] = {"smallest": np.min, "mean": np.mean, "largest": np.max}


@dataclass(frozen=True)
class Failure:
    """A point of a study without a result.

    Attributes
    ----------
    point : int
        Its number.
    values : dict
        What varies there, by name, in SI units.
    code : str
        Why, in a word, such as "diverged".
    message : str
        Why, in a sentence, with a remedy.

    See Also
    --------
    Sweep.failures : lists them.
    """

    point: int
    values: dict[str, float]
    code: str
    message: str


@dataclass(frozen=True, eq=False)
class Sweep:
    """Results of a study.

    Attributes
    ----------
    study : Study
        What was computed.
    data : xarray.Dataset
        Over the dimension `point`, with every quantity that varies as a coordinate, `status` and
        `message`; read when it is used.
    axes : tuple of (str, int)
        Names and counts of the study's own dimensions.
    outputs : tuple of str
        Names of the results in `data`.
    status : Status
        Whether all points are computed, and how many have a result.
    path : Path or None
        The store, unless the results are in memory.

    See Also
    --------
    chorda.sweep : computes it.
    chorda.open_sweep : opens one that was kept.
    """

    study: Study
    data: "xarray.Dataset"
    axes: tuple[tuple[str, int], ...]
    outputs: tuple[str, ...]
    status: Status
    path: Path | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many points ended how; "" stands for those that are not computed."""
        return dict(Counter(_codes(self.data)))

    def failures(self) -> list[Failure]:
        """List the points that were computed and have no result.

        Returns
        -------
        list of Failure
            In the order of the points.
        """
        columns = {x.column: self.data[x.column].values for x in self.study.vary}
        messages = self.data[MESSAGE].values
        return [
            Failure(i, {k: float(x[i]) for k, x in columns.items()}, code, str(messages[i]))
            for i, code in enumerate(_codes(self.data))
            if code and not _ok(code)
        ]

    def grid(self) -> "xarray.Dataset":
        """Put the results on the study's axes.

        Returns
        -------
        xarray.Dataset
            The same as `data`, with the axes as dimensions in place of `point`.
        """
        import xarray

        names = [name for name, _ in self.axes]
        shape = [count for _, count in self.axes]
        own = {x.column for x in self.study.vary}
        variables: dict[str, Any] = {}
        coords: dict[str, Any] = {}
        for name, x in self.data.variables.items():
            if POINT not in x.dims:
                coords[str(name)] = x
                continue
            values = x.values.reshape(*shape, *x.shape[1:])
            if name in own:  # it varies along its own axis alone, or along the samples
                axis = str(name) if name in names else SAMPLE
                line = np.moveaxis(values, names.index(axis), 0).reshape(dict(self.axes)[axis], -1)
                coords[str(name)] = (axis, line[:, 0], x.attrs)
            else:
                variables[str(name)] = ((*names, *x.dims[1:]), values, x.attrs)
        return xarray.Dataset(variables, coords=coords, attrs=self.data.attrs)

    def table(self) -> Table:
        """Make a table of the smallest, mean and largest of every number that is kept.

        Returns
        -------
        Table
            Over the points with a result. Its note names what has no row: series, and outputs of
            many numbers a point.
        """
        rows = [
            (name, x["unit"], *(f"{x[word]:.4g}" for word in STATISTICS), str(x["points"]))
            for name, x in self._statistics().items()
        ]
        header = ("output", "unit", *STATISTICS, "points")
        return Table(f"{self.study.name}: {self.status.code}", header, tuple(rows), self._note())

    def summary(self) -> dict[str, Any]:
        """Give the table and the failures as plain data.

        Returns
        -------
        dict
            Text and numbers, fit for JSON.
        """
        return {
            "name": self.study.name,
            "store": None if self.path is None else str(self.path),
            "status": {**vars(self.status), "ok": self.status.ok},
            "points": self.data.sizes[POINT],
            "counts": {word or "not computed": n for word, n in self.counts.items()},
            "outputs": self._statistics(),
            "left_out": self._left_out(),
            "failures": [vars(x) for x in self.failures()],
        }

    def plot(
        self, x: str, y: str, colour: str | None = None, *, path: str | Path | None = None
    ) -> "Figure":
        """Draw one dot a point.

        Parameters
        ----------
        x, y, colour : str
            A quantity that varies, or an output with one number a point; of an array one label is
            chosen by a colon, such as final_position:x1.
        path : path, optional
            A file for the figure (.png, .svg or .pdf).

        Returns
        -------
        Figure
            The figure, which belongs to no window.

        Raises
        ------
        InputError
            A column is not there, or has several numbers a point.
        """
        from chorda.view.style import finished, new_figure, styled

        columns = [self.column(name) for name in (x, y, colour) if name is not None]
        (across, x_label), (up, y_label), *shade = [(x, in_figure(name)) for x, name in columns]
        figure = new_figure(6, 4)
        with styled():
            axes = figure.add_subplot()
            dots = axes.scatter(across, up, c=shade[0][0] if shade else None, s=12)
            axes.set(xlabel=x_label, ylabel=y_label, title=in_figure(self.study.name))
            if shade:
                figure.colorbar(dots, label=shade[0][1])
        return finished(figure, path)

    def column(self, name: str) -> tuple[Any, str]:
        """Take one number of every point.

        Parameters
        ----------
        name : str
            As in `plot`.

        Returns
        -------
        (array of shape (points,), str)
            Values in SI units, and their name with its unit.

        Raises
        ------
        InputError
            The column is not there, or has several numbers a point.
        """
        varied = [v.column for v in self.study.vary]
        base, colon, label = (name, "", "") if name in varied else name.partition(":")
        known = (*varied, *self.outputs)
        check_names("column", [base], known)
        x = self.data[base]
        others = [d for d in x.dims if d != POINT]
        if len(others) > 1:
            raise InputError(
                f"column: {base} has several numbers a point, over {', '.join(map(str, others))}; "
                "expected an output over one of them at most"
            )
        if others:
            labels = [str(v) for v in self.data[others[0]].values.tolist()]
            if not colon:
                some = ", ".join(labels[:MAX_NUMBERS]) + ", ..." * (len(labels) > MAX_NUMBERS)
                raise InputError(
                    f"column: {base} has several numbers a point, over {others[0]}; choose one as "
                    f"{base}:LABEL, where LABEL is one of {some}"
                )
            check_names(f"column.{base}", [label], labels)
            x = x.isel({others[0]: labels.index(label)})
        elif colon:
            raise InputError(f"column: {base} is one number a point; leave out ':{label}'")
        unit = x.attrs.get("units", "")
        return x.values, f"{name} [{unit}]" if unit else name

    def _statistics(self) -> dict[str, dict[str, Any]]:
        """Of the finite values of every single number; of series and long arrays there are none."""
        out, left_out = {}, self._left_out()
        for name in self.outputs:
            x = self.data[name]
            if name in left_out:
                continue
            labels = product(*(self.data[d].values.tolist() for d in x.dims[1:]))
            for words, column in zip(labels, x.values.reshape(len(x), -1).T, strict=True):
                values = column[np.isfinite(column)]
                if len(values):
                    out[":".join([name, *map(str, words)])] = {
                        "unit": str(x.attrs.get("units", "-")),
                        **{word: float(f(values)) for word, f in STATISTICS.items()},
                        "points": len(values),
                    }
        return out

    def _left_out(self) -> dict[str, str]:
        """Outputs that are no rows of the table, and why."""
        sizes = {name: math.prod(self.data[name].shape[1:]) for name in self.outputs}
        series = {x for x in self.outputs if "time" in self.data[x].dims}
        return {
            name: "a series over time" if name in series else f"{size} numbers a point"
            for name, size in sizes.items()
            if name in series or size > MAX_NUMBERS
        }

    def _note(self) -> str:
        lines, failures = [self.status.message], self.failures()
        if left_out := self._left_out():
            named = ", ".join(f"{name} ({why})" for name, why in left_out.items())
            lines.append(f"Not in this table, but in the results' data: {named}.")
        for code, n in Counter(x.code for x in failures).items():
            first = next(x for x in failures if x.code == code)
            at = ", ".join(f"{k} = {v:.4g}" for k, v in first.values.items())
            lines.append(
                f"{code}, {many(n, 'point')}, first at point {first.point} ({at}): {first.message}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        size = many(self.data.sizes[POINT], "point")
        return f"<Sweep {self.study.name}: {size}, {self.status.code}>"


def opened(kept: Store, interrupted: bool = False) -> Sweep:
    """A store as a Sweep."""
    import xarray

    data = xarray.open_zarr(kept.group.store, chunks=None, consolidated=False, zarr_format=ZARR)
    study = kept.study
    data = data.rename(kept.labels).set_coords([x.column for x in study.vary])
    data.attrs = {"title": study.name}
    axes = tuple((str(name), int(n)) for name, n in kept.about["axes"])
    lost = kept.damaged()
    if lost:
        data = _without(data, kept, lost)
    count = sum(stop - start for start, stop in map(kept.span, lost))
    status = _status(Counter(_codes(data)), interrupted, kept.path, count)
    return Sweep(study, data, axes, tuple(kept.about["outputs"]), status, kept.path)


def _without(data: "xarray.Dataset", kept: Store, lost: list[int]) -> "xarray.Dataset":
    """The data with blanks in place of what cannot be read, where nothing counts as computed."""
    blank = {}
    for name in (*kept.about["outputs"], MESSAGE, STATUS):
        values, x = kept.readable(name), data[name]
        if name == STATUS:
            values = x.values.astype(object) if values is None else values
            for k in lost:
                values[slice(*kept.span(k))] = ""
        if values is not None:
            blank[name] = (x.dims, values, x.attrs)
    return data.assign(blank)


def _codes(data: "xarray.Dataset") -> list[str]:
    return [str(x) for x in data[STATUS].values.tolist()]


def _ok(code: str) -> bool:
    return Code(code).ok


def _status(counts: Counter[str], interrupted: bool, path: Path | None, lost: int) -> Status:
    n, good = counts.total(), sum(k for code, k in counts.items() if code and _ok(code))
    bad = {code: k for code, k in counts.items() if code and not _ok(code)}
    why = ", ".join(f"{k} {code}" for code, k in bad.items())
    failed = f", {sum(bad.values())} without a result ({why})" if bad else ""
    if left := counts[""]:
        on = f"go on with chorda sweep --resume {path}" if path else "give output= to go on later"
        gone = f"; results of {lost} others are missing or damaged" if lost else ""
        return Status(
            Code.INTERRUPTED if interrupted else Code.INCOMPLETE,
            f"{n - left} of {many(n, 'point')} are computed, {good} with a result{failed}{gone}; "
            f"{on}.",
        )
    if not good:
        return Status(Code.FAILED, f"None of {many(n, 'point')} has a result ({why}).")
    return Status(Code.COMPLETED, f"{good} of {many(n, 'point')} have a result{failed}.")
