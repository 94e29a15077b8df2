"""The points of a study: all combinations of grids and lists, times the samples."""

import math
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array
from chorda.sweeps.study import Study
from chorda.sweeps.variations import Random

SAMPLE = "sample"


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of values, made when asked for; the last axis runs fastest.

    axes: names and counts. columns: for each quantity its axis and its values along it.
    """

    axes: tuple[tuple[str, int], ...]
    columns: tuple[tuple[int, Array], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(count for _, count in self.axes)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def rows(self, start: int, stop: int) -> Array:
        """Values (stop - start, quantities) of these points."""
        at = np.unravel_index(np.arange(start, stop), self.shape)
        return np.column_stack([values[at[axis]] for axis, values in self.columns])


def counted(study: Study) -> int:
    """How many points a study has, without their values."""
    return math.prod(count for _, count in _axes(study))


def points(study: Study) -> Points:
    """The points of a study.

    >>> from chorda.sweeps.study import parse_study
    >>> made = points(parse_study('''
    ... robot: neck-1
    ... vary:
    ...   - {name: left.stiffness, kind: list, at: [1.0e4, 2.0e4]}
    ...   - {name: initial.x1, kind: grid, low: 0, high: 0.2, count: 3}
    ... compute: {kind: simulate, duration: 0.1, step: 1.0e-3}
    ... '''))
    >>> made.rows(2, 4).tolist()
    [[10000.0, 0.2], [20000.0, 0.0]]
    """
    axes, samples = _axes(study), study.samples
    index = {name: k for k, (name, _) in enumerate(axes)}
    columns = []
    for x in study.vary:
        if isinstance(x, Random):
            assert samples is not None
            columns.append((index[SAMPLE], x.quantiles(samples.levels(x.name))))
        else:
            columns.append((index[x.column], x.values()))
    return Points(axes, tuple(columns))


def _axes(study: Study) -> tuple[tuple[str, int], ...]:
    fixed = [(x.column, x.count) for x in study.vary if not isinstance(x, Random)]
    return (*fixed, *([(SAMPLE, study.samples.count)] if study.samples else []))
