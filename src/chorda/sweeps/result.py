"""Sweep: what came out of a study."""

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import unknown
from chorda.results import Code, Status
from chorda.results.table import Table
from chorda.sweeps.points import SAMPLE
from chorda.sweeps.store import MESSAGE, POINT, STATUS, Store
from chorda.sweeps.study import Study

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

GOOD = tuple(str(code) for code in Code if code.ok)
MOST_LABELS = 12  # numbers of one output that a table shows


@dataclass(frozen=True)
class Failure:
    """A point without a result: its number, its values, a word and a sentence."""

    point: int
    values: dict[str, float]
    code: str
    message: str


@dataclass(frozen=True, eq=False)
class Sweep:
    """data: over the dimension `point`, with every quantity that varies as a coordinate, `status`
    and `message`; read when it is used. axes: (name, count) of the study's own dimensions."""

    study: Study
    data: "xarray.Dataset"
    axes: tuple[tuple[str, int], ...]
    outputs: tuple[str, ...]
    status: Status
    path: Path | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many points ended how; "" stands for those that are not computed."""
        return dict(Counter(str(x) for x in self.data[STATUS].values.tolist()))

    def failures(self) -> list[Failure]:
        """Points that were computed and have no result."""
        codes = [str(x) for x in self.data[STATUS].values.tolist()]
        rows = [i for i, code in enumerate(codes) if code and code not in GOOD]
        columns = {x.column: self.data[x.column].values for x in self.study.vary}
        messages = self.data[MESSAGE].values
        return [
            Failure(
                i,
                {name: float(values[i]) for name, values in columns.items()},
                codes[i],
                str(messages[i]),
            )
            for i in rows
        ]

    def grid(self) -> "xarray.Dataset":
        """The same with the study's axes as dimensions, in place of `point`."""
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
            if name in own and name in names:  # it varies along its own axis alone
                k = names.index(str(name))
                line = np.moveaxis(values, k, 0).reshape(shape[k], -1)[:, 0]
                coords[str(name)] = (name, line, x.attrs)
            elif name in own:  # drawn: it varies along the samples
                coords[str(name)] = (SAMPLE, values.reshape(-1, shape[-1])[0], x.attrs)
            else:
                variables[str(name)] = ((*names, *x.dims[1:]), values, x.attrs)
        return xarray.Dataset(variables, coords=coords, attrs=self.data.attrs)

    def table(self) -> Table:
        """Smallest, mean and largest of every number that is kept, over the points with a result;
        series are left out."""
        rows = [
            (name, unit, *(f"{f(x):.4g}" for f in (np.min, np.mean, np.max)), str(len(x)))
            for name, unit, x in self._numbers()
        ]
        header = ("output", "unit", "smallest", "mean", "largest", "points")
        return Table(f"{self.study.name}: {self.status.code}", header, tuple(rows), self._note())

    def summary(self) -> dict[str, Any]:
        """The table and the failures as plain data."""
        return {
            "name": self.study.name,
            "store": None if self.path is None else str(self.path),
            "status": {
                "code": self.status.code,
                "message": self.status.message,
                "ok": self.status.ok,
            },
            "points": self.data.sizes[POINT],
            "counts": {word or "not computed": n for word, n in self.counts.items()},
            "outputs": {
                name: {
                    "unit": unit,
                    "smallest": float(np.min(x)),
                    "mean": float(np.mean(x)),
                    "largest": float(np.max(x)),
                    "points": len(x),
                }
                for name, unit, x in self._numbers()
            },
            "failures": [vars(x) for x in self.failures()],
        }

    def plot(
        self, x: str, y: str, colour: str | None = None, *, path: str | Path | None = None
    ) -> "Figure":
        """One dot a point. x, y, colour: a quantity that varies, or an output with one number a
        point; of an array one label is chosen by a colon, such as final_position:x1."""
        from chorda.sweeps.figure import scatter

        return scatter(self, x, y, colour, path)

    def column(self, name: str) -> tuple[Any, str]:
        """Values over the points, and their name with its unit."""
        base, colon, label = name.partition(":")
        known = (*(v.column for v in self.study.vary), *self.outputs)
        if base not in known:
            raise InputError(unknown("column", base, known))
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
                some = ", ".join(labels[:MOST_LABELS]) + ", ..." * (len(labels) > MOST_LABELS)
                raise InputError(
                    f"column: {base} has several numbers a point, over {others[0]}; choose one as "
                    f"{base}:LABEL, where LABEL is one of {some}"
                )
            if label not in labels:
                raise InputError(unknown(f"column.{base}", label, tuple(labels)))
            x = x.isel({others[0]: labels.index(label)})
        elif colon:
            raise InputError(f"column: {base} is one number a point; leave out ':{label}'")
        unit = x.attrs.get("units", "")
        return x.values, f"{name} [{unit}]" if unit else name

    def _numbers(self) -> list[tuple[str, str, Any]]:
        """Name, unit and finite values of every single number; series and long arrays not."""
        out = []
        for name in self.outputs:
            x = self.data[name]
            others = [d for d in x.dims if d != POINT]
            if "time" in others or math.prod(x.shape[1:]) > MOST_LABELS:
                continue
            labels = [[str(v) for v in self.data[d].values.tolist()] for d in others]
            values = x.values
            for index in np.ndindex(*x.shape[1:]):
                words = [words[i] for words, i in zip(labels, index, strict=True)]
                line = values[(slice(None), *index)]
                line = line[np.isfinite(line)]
                if len(line):
                    title = ":".join([name, *words])
                    out.append((title, str(x.attrs.get("units", "-")), line))
        return out

    def _note(self) -> str:
        failures = self.failures()
        lines = [self.status.message]
        for code, n in Counter(x.code for x in failures).items():
            first = next(x for x in failures if x.code == code)
            at = ", ".join(f"{k} = {v:.4g}" for k, v in first.values.items())
            lines.append(
                f"{code}, {n} points, first at point {first.point} ({at}): {first.message}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Sweep {self.study.name}: {self.data.sizes[POINT]} points, {self.status.code}>"


def opened(kept: Store, interrupted: bool = False) -> Sweep:
    """A store as a Sweep."""
    import xarray

    data = xarray.open_zarr(kept.group.store, chunks=None, consolidated=False)
    study = kept.study
    data = data.set_coords([x.column for x in study.vary])
    data.attrs = {"title": study.name}
    axes = tuple((str(name), int(n)) for name, n in kept.about["axes"])
    codes = [str(x) for x in data[STATUS].values.tolist()]
    status = _status(codes, interrupted, kept.path)
    return Sweep(study, data, axes, tuple(kept.about["outputs"]), status, kept.path)


def _status(codes: list[str], interrupted: bool, path: Path | None) -> Status:
    n, counts = len(codes), Counter(codes)
    good = sum(counts[word] for word in GOOD)
    bad = {word: k for word, k in counts.items() if word and word not in GOOD}
    why = ", ".join(f"{k} {word}" for word, k in bad.items())
    failed = f", {sum(bad.values())} without a result ({why})" if bad else ""
    if left := counts[""]:
        on = f"go on with chorda sweep --resume {path}" if path else "give output= to go on later"
        return Status(
            Code.INTERRUPTED if interrupted else Code.INCOMPLETE,
            f"{n - left} of {n} points are computed, {good} with a result{failed}; {on}.",
        )
    if not good:
        return Status(Code.FAILED, f"None of {n} points has a result ({why}).")
    return Status(Code.COMPLETED, f"{good} of {n} points have a result{failed}.")
