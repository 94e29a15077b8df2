"""What is fitted to a measured motion: unknowns with names and bounds, inputs, measurements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from chorda.checks import matching
from chorda.dynamics.sensitivities import Directions
from chorda.errors import InputError
from chorda.mechanics import Array, System


@dataclass(frozen=True, eq=False)
class Measured:
    """What a sensor measured of one coordinate.

    Attributes
    ----------
    coordinate : str
        Its name.
    time, value : array (n,)
        Increasing times [s] and values in SI units.
    sigma : float or array (n,)
        Standard deviation of the noise, one number or one for each value.
    sensor : str
        Channels of one sensor share a clock.

    See Also
    --------
    refine : takes them, with an example.
    """

    coordinate: str
    time: Array
    value: Array
    sigma: float | Array
    sensor: str = ""

    def at(self, rows: Any) -> "Measured":
        """Take some of the samples.

        Parameters
        ----------
        rows : slice or array
            Which of them.

        Returns
        -------
        Measured
            With these alone.
        """
        sigma = np.broadcast_to(self.sigma, self.time.shape)
        return replace(self, time=self.time[rows], value=self.value[rows], sigma=sigma[rows])


@dataclass(frozen=True, eq=False)
class FitProblem:
    """What does not change while parameters are refined.

    signal (steps + 1, nu) from time 0 on; p0: all parameters; measured: inside the record, on its
    clock but for the offsets of `clocks`, the sensors whose clock is unknown. An offset is what to
    subtract from a sensor's times. The unknowns x are parameters, start (q, v) and clocks.
    """

    system: System
    directions: Directions
    clocks: tuple[str, ...]
    measured: tuple[Measured, ...]
    signal: Array
    step: float
    scheme: str
    p0: Array
    start: Array  # (q, v)

    @property
    def steps(self) -> int:
        return len(self.signal) - 1

    @property
    def channels(self) -> list[slice]:
        ends = np.cumsum([0, *[len(m.time) for m in self.measured]])
        return [slice(a, b) for a, b in pairwise(ends)]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all unknowns; a tied group has that of its first parameter."""
        names, k = self.directions.names(self.system), len(self.directions.moves)
        start, clocks = (f"start.{x}" for x in names[k:]), (f"clock.{x}" for x in self.clocks)
        return (*names[:k], *start, *clocks)

    def first(self) -> Array:
        """The unknowns before anything is fitted."""
        theta = [self.p0[rows[0]] for rows in self.directions.moves]
        start = self.start if self.directions.start else np.zeros(0)
        return np.concatenate([theta, start, np.zeros(len(self.clocks))])

    def split(self, x: Array) -> tuple[Array, Array, dict[str, float]]:
        """p, (q, v) at the start and clock offsets of the unknowns x."""
        moves, weights = self.directions.moves, self.directions.weights
        p, k = self.p0.copy(), len(moves)
        for value, rows, weight in zip(x[:k], moves, weights, strict=True):
            p[list(rows)] = value * np.array(weight)
        start = x[k : k + len(self.start)] if self.directions.start else self.start
        offsets = x[len(x) - len(self.clocks) :]
        return p, start, dict(zip(self.clocks, offsets.tolist(), strict=True))

    def bounds(
        self, given: Mapping[str, tuple[float, float]], max_offset: float
    ) -> tuple[Array, Array]:
        """Low and high of all unknowns."""
        system, moves = self.system, self.directions.moves
        names = self.names[: len(moves)]
        low = [(-np.inf if system.parameter_table.signed[rows[0]] else 0.0) for rows in moves]
        high = [np.inf] * len(moves)
        for pattern, (a, b) in given.items():
            for j in matching("bounds", pattern, names):
                low[j], high[j] = max(low[j], float(a)), float(b)
                value = self.p0[moves[j][0]]
                if not low[j] < high[j] or not low[j] <= value <= high[j]:
                    raise InputError(
                        f"bounds: {names[j]} starts at {value:g}; expected low < high around it, "
                        f"got {low[j]:g} and {high[j]:g}"
                    )
        if self.directions.start:
            low += [c.admissible[0] for c in system.coordinates] + [-np.inf] * system.nv
            high += [c.admissible[1] for c in system.coordinates] + [np.inf] * system.nv
        clocks = [max_offset] * len(self.clocks)
        return np.array([*low, *(-x for x in clocks)]), np.array([*high, *clocks])

    def scales(self) -> Array:
        """How far each unknown may be off: the first trust region.

        Not the effects of the unknowns: those of weak ones would let them run off by orders of
        magnitude while the strong ones are still wrong.
        """
        k, nq, x = len(self.directions.moves), self.system.nq, self.first()
        scale = np.where(x != 0, np.abs(x), 1.0)
        if self.directions.start:
            for i, c in enumerate(self.system.coordinates):
                scale[k + i] = c.scale if c.kind == "state" else 0.1  # [rad or m]
            scale[k + nq : k + len(self.start)] = 1.0
        scale[len(x) - len(self.clocks) :] = 0.01  # [s]
        return scale

    def shortened(self, steps: int) -> "FitProblem":
        """The first steps of the record; channels without values there are left out."""
        if steps >= self.steps:
            return self
        end = (steps - 1) * self.step
        shorter = [m.at(m.time < end) for m in self.measured]
        measured = tuple(m for m in shorter if len(m.time) > 1)
        return replace(self, signal=self.signal[: steps + 1], measured=measured)


def directions_of(
    system: System,
    parameters: Sequence[str],
    tied: Sequence[Sequence[str]],
    p0: Array,
    start: bool,
) -> Directions:
    """One direction for each tied group and for each parameter that is in none."""
    for argument, given in (("parameters", parameters), ("tied", tied)):
        if isinstance(given, str):
            raise InputError(f"{argument}: expected a list, got the text '{given}'")
    names = system.parameter_names
    groups = [tuple(matching("tied", group, names)) for group in tied]
    inside = [i for group in groups for i in group]
    if len(set(inside)) < len(inside):
        twice = next(i for i in inside if inside.count(i) > 1)
        raise InputError(f"tied: {names[twice]} is in two groups")
    alone = [(i,) for i in matching("parameters", parameters, names) if i not in inside]
    moves = (*groups, *alone)
    if not moves:
        raise InputError("parameters: expected at least one name, got none")
    return Directions(moves, tuple(_ratios(system, rows, p0) for rows in moves), start)


def _ratios(system: System, rows: tuple[int, ...], p0: Array) -> tuple[float, ...]:
    values = p0[list(rows)]
    if np.all(values == values[0]):
        return (1.0,) * len(rows)
    if values[0] == 0:
        raise InputError(
            f"tied: {system.parameter_names[rows[0]]} starts at 0 and others of its group do not, "
            "so that they have no ratio to keep; give it a start value"
        )
    return tuple((values / values[0]).tolist())
