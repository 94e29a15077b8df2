"""Candidate motions for a design: shapes to motions within limits, and how well they excite."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import expit

from chorda.checks import check_names, number
from chorda.control import Fourier
from chorda.errors import InputError
from chorda.identification.designing.excitation import Excitation, nearest_tensions, periodic_rates
from chorda.mechanics import Array

FREE_TRAVEL = 0.8  # [rad or m] to either side where a joint has no range of its own
SAMPLES_PER_WAVE = 16  # of the shortest wave while searching
REFINEMENT = 8  # times as many for the checks
MAX_LOG_CONDITION = 40.0  # logarithm of a condition number that stands for infinity
PENALTY = 20.0  # cost of tensions that miss their limits by the width of these
MARGIN = 0.02  # of the tensions' width kept while searching, as the grid misses their peaks
LARGE_LOGIT = 2.0  # amplitudes to begin with: 0.88 of what the joints' limits allow


@dataclass(frozen=True)
class Limits:
    """What a motion must respect.

    Attributes
    ----------
    fraction : float
        Part of each joint's range about the base that may be used.
    joints : mapping
        (low, high) by name, instead of the fraction [rad or m].
    rate, acceleration : float or mapping
        Of the joints, one number or by name [rad/s, rad/s^2].
    tension : (float, float)
        Lowest and highest tension [N].

    See Also
    --------
    design : takes them.
    """

    fraction: float = 0.25
    joints: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    rate: float | Mapping[str, float] = 3.0
    acceleration: float | Mapping[str, float] = 30.0
    tension: tuple[float, float] = (5.0, 60.0)

    def __post_init__(self) -> None:
        low, high = self.tension
        if not 0 <= low < high < np.inf:
            raise InputError(f"tension: expected 0 <= low < high in newtons, got {low} and {high}")
        number("fraction", self.fraction, above=0, most=1)


@dataclass(frozen=True)
class Limit:
    """One limit, and the least and the most that a motion reaches of it."""

    name: str
    unit: str
    low: float
    high: float
    least: float
    most: float

    @property
    def holds(self) -> bool:
        slack = 1e-9 * (abs(self.low) + abs(self.high))
        return self.low - slack <= self.least and self.most <= self.high + slack


@dataclass(frozen=True, eq=False)
class Course:
    """A motion in full: joints (x, v, a), tensions, q of the whole system.

    excess: newtons by which tensions miss their limits.
    """

    time: Array
    reference: Fourier
    x: Array
    v: Array
    a: Array
    tension: Array
    position: Array
    excess: float


class Candidates:
    """Motions from vectors of shape coefficients, each as large as the limits allow."""

    def __init__(
        self, excitation: Excitation, limits: Limits, base: Array, duration: float, harmonics: int
    ) -> None:
        self.excitation, self.limits, self.base = excitation, limits, base
        self.duration, self.harmonics = duration, harmonics
        self.pulsation = 2 * np.pi / duration
        system, n = excitation.system, excitation.joints
        self.tendons = len(system.robot.tendons)
        spare = self.tendons - n
        if spare < 1:
            raise InputError(
                f"design: {self.tendons} tendons cannot pull {n} joints to both sides; at least "
                f"{n + 1} are needed"
            )
        self.levels = 1 if spare == 1 else self.tendons  # one spare: all share one level
        self.low, self.high = self._ranges()
        names = system.coordinate_names[:n]
        self.rate = _by_name("rate", limits.rate, names)
        self.acceleration = _by_name("acceleration", limits.acceleration, names)
        self.size = 2 * harmonics * (n + self.levels) + self.levels + n
        self._fine = self._grid(SAMPLES_PER_WAVE * REFINEMENT)
        self._rows: Array | None = None  # sizes of the equations, from the first motion tried

    def _ranges(self) -> tuple[Array, Array]:
        system, n = self.excitation.system, self.excitation.joints
        check_names("limits.joints", self.limits.joints, system.coordinate_names[:n])
        low, high = np.zeros(n), np.zeros(n)
        for i, c in enumerate(system.coordinates[:n]):
            reach = self.limits.fraction * np.array([c.low - self.base[i], c.high - self.base[i]])
            finite = np.where(np.isfinite(reach), reach, FREE_TRAVEL * np.array([-1, 1]))
            low[i], high[i] = self.limits.joints.get(c.name, tuple(self.base[i] + finite))
            if not low[i] < self.base[i] < high[i]:
                raise InputError(
                    f"base: {c.name} = {self.base[i]:g} must lie between its limits {low[i]:g} "
                    f"and {high[i]:g}"
                )
        return low, high

    # From coefficients to motions ----------------------------------------------------------

    def random(self, rng: np.random.Generator) -> Array:
        """Random shapes, as large as joints and tensions allow."""
        z, n = rng.normal(size=self.size), self.excitation.joints
        z[-n:] = LARGE_LOGIT
        while self.period(z).excess > 0 and z[-1] > -6.0:
            z[-n:] -= 0.5
        return z

    def _grid(self, per_wave: int) -> Array:
        n = per_wave * self.harmonics
        return np.asarray(self.duration * np.arange(n) / n, float)

    def _shape(self, z: Array, columns: int) -> Array:
        """Sine and cosine coefficients (2, harmonics, columns); the k-th harmonic has 1/k."""
        H = self.harmonics
        return z[: 2 * H * columns].reshape(2, H, columns) / np.arange(1, H + 1)[:, None]

    def _periodic(self, shape: Array, t: Array) -> tuple[Array, Array, Array]:
        """The Fourier series and its two derivatives, faded in long before t."""
        sine, cosine = shape
        return Fourier(sine, cosine, self.pulsation, 1e-9 * self.duration)(t + self.duration)

    def _joints(self, z: Array) -> Array:
        """Coefficients (2, harmonics, joints) of the joints' motion, as large as allowed."""
        n = self.excitation.joints
        shape = self._shape(z, n)
        x, v, a = self._periodic(shape, self._fine)
        with np.errstate(divide="ignore"):
            room = [
                (self.high - self.base) / np.maximum(x.max(0), 0),
                (self.low - self.base) / np.minimum(x.min(0), 0),
                self.rate / np.abs(v).max(0),
                self.acceleration / np.abs(a).max(0),
            ]
        # the grid may miss a peak by a thousandth
        return np.asarray(shape * 0.999 * expit(z[-n:]) * np.min(room, axis=0))

    def _levels(self, z: Array, t: Array) -> tuple[Array, Array]:
        """Mean of the tensions' levels (tendons) and how they vary about it (n, tendons)."""
        n, H, L = self.excitation.joints, self.harmonics, self.levels
        rest = z[2 * H * n : -n]
        shape = self._shape(rest, L)
        low, high = self.limits.tension
        middle = low + (high - low) * expit(rest[2 * H * L :])
        wave, peak = self._periodic(shape, t)[0], np.abs(self._periodic(shape, self._fine)[0])
        swing = np.minimum(middle - low, high - middle) * wave / peak.max(0)
        each = np.ones(self.tendons // L)
        return np.asarray(np.kron(middle, each), float), np.asarray(np.kron(swing, each), float)

    def _course(self, z: Array, t: Array, reference: Fourier, late: float, margin: float) -> Course:
        """late: time by which the reference has moved before t = 0 [s]."""
        x, v, a = reference(t + late)
        demand = self.excitation.demand(x, v, a)
        middle, swing = self._levels(z, t)
        steady = nearest_tensions(np.broadcast_to(middle, swing.shape), *demand)
        varying = nearest_tensions(middle + swing, *demand) - steady
        low, high = self.limits.tension
        inset = margin * (high - low)
        tension, excess = _between(steady, varying, low + inset, high - inset)
        position = self.excitation.positions(x, tension)
        return Course(t, reference, x, v, a, tension, position, excess)

    def period(self, z: Array) -> Course:
        """One period, as it is searched; it was faded in long before."""
        reference = self._reference(self._joints(z), 1e-9 * self.duration)
        return self._course(z, self._grid(SAMPLES_PER_WAVE), reference, self.duration, MARGIN)

    def _reference(self, shape: Array, fade: float) -> Fourier:
        sine, cosine = (tuple(map(tuple, part.tolist())) for part in shape)
        return Fourier(sine, cosine, self.pulsation, fade, tuple(self.base))

    def whole(self, z: Array) -> Course:
        """The motion from rest to the end of its first full period, on a fine grid."""
        shape, fade, size = self._joints(z), 0.2 * self.duration, 1.0
        step = self.duration / len(self._fine)
        while True:
            reference = self._reference(size * shape, fade)
            n = int(np.ceil((fade + self.duration) / step))
            t = np.asarray(step * np.arange(n + 1), float)
            x, v, a = reference(t)
            calm = np.all(np.abs(v) <= self.rate) and np.all(np.abs(a) <= self.acceleration)
            if not (calm and np.all((x >= self.low) & (x <= self.high))) and fade < self.duration:
                fade *= 1.2  # swelling adds to rates: take more time for it
                continue
            course = self._course(z, t, reference, 0.0, 0.0)
            if (calm and course.excess <= 0) or size < 0.5:
                return course
            size *= 0.98

    def settled(self, course: Course) -> Course:
        """The last period of a whole course."""
        arrays = ("time", "x", "v", "a", "tension", "position")
        return replace(course, **{k: getattr(course, k)[-len(self._fine) :] for k in arrays})

    def reached(self, course: Course) -> tuple[Limit, ...]:
        """Every limit with what the motion reaches."""
        system, rate, acceleration = self.excitation.system, self.rate, self.acceleration
        rows: list[tuple[str, str, float, float, Array]] = []
        for i, c in enumerate(system.coordinates[: self.excitation.joints]):
            rows += [
                (c.name, c.unit, self.low[i], self.high[i], course.x[:, i]),
                (f"{c.name}.rate", f"{c.unit}/s", -rate[i], rate[i], course.v[:, i]),
                (f"{c.name}.acceleration", f"{c.unit}/s^2", -acceleration[i], acceleration[i],
                 course.a[:, i]),
            ]  # fmt: skip
        for i, tendon in enumerate(system.robot.tendons):
            rows.append((f"{tendon.name}.tension", "N", *self.limits.tension, course.tension[:, i]))
        return tuple(
            Limit(name, unit, float(low), float(high), float(y.min()), float(y.max()))
            for name, unit, low, high, y in rows
        )

    # How well a motion excites -------------------------------------------------------------

    def regressor(self, course: Course) -> Array:
        """(n, nv, parameters) of one period; each equation scaled to the size of its first one."""
        q, n = course.position, self.excitation.joints
        v, a = periodic_rates(q, self.duration)
        v[:, :n], a[:, :n] = course.v, course.a
        u = self.excitation.inputs(q, v, a, course.tension)
        W = self.excitation.regressor(q, v, a, u)
        if self._rows is None:
            size = np.sqrt(np.mean(np.sum(W**2, axis=2), axis=0))
            self._rows = np.where(size > 0, size, 1.0)
        return np.asarray(W / self._rows[:, None] / np.sqrt(len(W)), float)

    def log_condition(self, course: Course) -> float:
        """Logarithm of the condition number of one period's regressor."""
        W = self.regressor(course)
        s = np.linalg.svd(W.reshape(-1, W.shape[2]), compute_uv=False)
        return float(np.log(s[0] / s[-1])) if s[-1] > 1e-15 * s[0] else MAX_LOG_CONDITION

    def cost(self, z: Array) -> tuple[float, bool]:
        """Logarithm of the regressor's condition number, and whether the limits are kept.

        Tensions that miss their limits cost more and more, so that a descent finds back.
        """
        course = self.period(z)
        if not (np.isfinite(course.excess) and np.all(np.isfinite(course.position))):
            return 2 * MAX_LOG_CONDITION, False
        low, high = self.limits.tension
        penalty = PENALTY * course.excess / (high - low)
        return self.log_condition(course) + penalty, course.excess <= 0


def _between(steady: Array, varying: Array, low: float, high: float) -> tuple[Array, float]:
    """steady + g varying with the largest g up to 1 within the limits, and what g = 0 exceeds."""
    excess = float(max(np.max(low - steady), np.max(steady - high), 0.0))
    if not np.isfinite(excess):
        return steady, np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(varying > 0, (high - steady) / varying, np.inf)
        down = np.where(varying < 0, (low - steady) / varying, np.inf)
    g = float(np.clip(min(np.min(up), np.min(down)), 0.0, 1.0))
    return steady + 0.999 * g * varying, excess


def _by_name(what: str, value: float | Mapping[str, float], names: tuple[str, ...]) -> Array:
    if isinstance(value, Mapping):
        check_names(f"limits.{what}", value, names)
        column = np.array([value.get(name, np.inf) for name in names], float)
    else:
        column = np.full(len(names), float(value))
    if not np.all(column > 0):
        raise InputError(f"limits.{what}: expected positive numbers, got {value!r}")
    return column
