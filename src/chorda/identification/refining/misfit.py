"""The weighted difference between a simulated and a measured motion, with its exact derivative."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import casadi as ca
import numpy as np

from chorda.dynamics.sensitivities import Directions, Sensitivity, sensitivities
from chorda.mechanics import Array, System

NEAR = 1.0  # misfit over the motion's own spread above which derivatives lead nowhere


@dataclass(frozen=True, eq=False)
class Measured:
    """What a sensor saw of one coordinate: values at increasing times [s], in SI units.

    sigma: standard deviation of its noise, one number or one for each value. Channels of one
    sensor share a clock.
    """

    coordinate: str
    time: Array
    value: Array
    sigma: float | Array
    sensor: str = ""


@dataclass(frozen=True, eq=False)
class Setting:
    """What does not change while parameters are refined.

    signal (steps + 1, nu) from time 0 on; p0: all parameters; measured: inside the record, on its
    clock but for the offsets of `clocks`, the sensors whose clock is unknown. An offset is what to
    subtract from a sensor's times.
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

    def first(self) -> Array:
        """The unknowns before anything is fitted: parameters, start, clocks."""
        theta = [self.p0[rows[0]] for rows in self.directions.moves]
        start = self.start if self.directions.start else np.zeros(0)
        return np.concatenate([theta, start, np.zeros(len(self.clocks))])

    def split(self, x: Array) -> tuple[Array, Array, dict[str, float]]:
        """p, (q, v) at the start and clock offsets of the unknowns x."""
        k = len(self.directions.moves)
        p, start = self.p0.copy(), self.start
        for value, rows, weights in zip(
            x[:k], self.directions.moves, self.directions.weights, strict=True
        ):
            p[list(rows)] = value * np.array(weights)
        if self.directions.start:
            start = x[k : k + len(start)]
        offsets = x[len(x) - len(self.clocks) :]
        return p, start, dict(zip(self.clocks, offsets.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Misfit:
    """At the unknowns x: residuals over sigma (m), their derivatives (m, k), the motion."""

    x: Array
    residual: Array
    J: Array
    motion: Sensitivity

    @property
    def cost(self) -> float:
        return float(self.residual @ self.residual) / 2


def misfit(
    setting: Setting, x: Array, after_each: Callable[[int], bool] | None = None
) -> Misfit | None:
    """The misfit at x, or None where the motion does not reach the end of the record."""
    system = setting.system
    p, start, offsets = setting.split(x)
    motion = sensitivities(
        system,
        setting.directions,
        step=setting.step,
        signal=setting.signal,
        q=start[: system.nq],
        v=start[system.nq :],
        p=p,
        steps=setting.steps,
        scheme=setting.scheme,
        after_each=after_each,
    )
    if not motion.status.ok:
        return None
    rates = _rates(system)
    residuals, rows = [], []
    for m in setting.measured:
        i = system.coordinate_names.index(m.coordinate)
        value, slope, by = _between(
            motion, i, rates[i], m.time - offsets.get(m.sensor, 0.0), setting.step
        )
        clocks = np.zeros((len(value), len(setting.clocks)))
        if m.sensor in setting.clocks:
            clocks[:, setting.clocks.index(m.sensor)] = -slope
        sigma = np.broadcast_to(np.asarray(m.sigma, float), value.shape)
        residuals.append((value - m.value) / sigma)
        rows.append(np.hstack([by, clocks]) / sigma[:, None])
    found = Misfit(x.copy(), np.concatenate(residuals), np.vstack(rows), motion)
    return found if np.all(np.isfinite(found.residual)) and np.all(np.isfinite(found.J)) else None


def near(setting: Setting, found: Misfit) -> bool:
    """Whether the simulated motion is like the measured one."""
    for m, rows in zip(setting.measured, setting.channels, strict=True):
        difference = found.residual[rows] * m.sigma
        noise = float(np.sqrt(np.mean(np.square(m.sigma))))
        if np.sqrt(np.mean(difference**2)) > NEAR * float(np.std(m.value)) + 3 * noise:
            return False
    return True


def shortened(setting: Setting, steps: int) -> Setting:
    """The first steps of a record; channels without values there are left out."""
    if steps >= setting.steps:
        return setting
    end = (steps - 1) * setting.step
    cut = [(m, int(np.searchsorted(m.time, end))) for m in setting.measured]
    return replace(
        setting,
        signal=setting.signal[: steps + 1],
        measured=tuple(
            Measured(
                m.coordinate,
                m.time[:n],
                m.value[:n],
                np.broadcast_to(np.asarray(m.sigma, float), m.time.shape)[:n],
                m.sensor,
            )
            for m, n in cut
            if n > 1
        ),
    )


def _rates(system: System) -> Sequence[int | None]:
    """Where in (q, v) the rate of each coordinate stands; None for parts of a quaternion."""
    at: list[int | None] = []
    for i in range(system.nq):
        row = ca.sparsify(system.dynamics.N[i, :])
        plain = row.nnz() == 1 and row.is_constant() and float(row.nonzeros()[0]) == 1
        at.append(system.nq + int(row.sparsity().get_triplet()[1][0]) if plain else None)
    return at


def _between(
    motion: Sensitivity, i: int, rate: int | None, t: Array, h: float
) -> tuple[Array, Array, Array]:
    """A coordinate, its slope and its derivatives at any times of the motion.

    Cubic between two steps, as the rates there are known too; linear for parts of a quaternion.
    """
    k = np.clip((t / h).astype(int), 0, len(motion.time) - 2)
    s = t / h - k
    if rate is None:
        terms = [(i, 0, 1 - s, -1 / h + 0 * s), (i, 1, s, 1 / h + 0 * s)]
    else:
        terms = [
            (i, 0, (1 + 2 * s) * (1 - s) ** 2, 6 * s * (s - 1) / h),
            (i, 1, s**2 * (3 - 2 * s), 6 * s * (1 - s) / h),
            (rate, 0, h * s * (1 - s) ** 2, (1 - s) * (1 - 3 * s)),
            (rate, 1, h * s**2 * (s - 1), s * (3 * s - 2)),
        ]
    value, slope = np.zeros(len(t)), np.zeros(len(t))
    by = np.zeros((len(t), motion.by.shape[2]))
    for row, later, weight, steep in terms:
        value += weight * motion.state[k + later, row]
        slope += steep * motion.state[k + later, row]
        by += weight[:, None] * motion.by[k + later, row]
    return value, slope, by
