"""The paper's own estimator, as published [Fasquelle2021, secs. 6.3-6.5].

Every signal is filtered, brought to 31.25 Hz and differentiated there by two points; eqs. 56 and
51, the latter times 100, are solved by least squares, with deviations by eq. 66.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.identification import Log, Preparation
from chorda.identification.logs.log import Channel, signals
from chorda.identification.reconstruction import Tensions, tensions
from chorda.identification.regressors import Regressor
from chorda.identification.samples import Samples
from chorda.identification.unknowns import choose
from chorda.mechanics import Array, System
from chorda.numerics import filtering
from chorda.papers.fasquelle2021.published import PAY

WEIGHT = 100.0  # of eq. 51 beside eq. 56: eqs. 60-61, though the text names eq. 56
CUTOFF = 5.0  # [Hz], not printed: five times the highest frequency of the motion


@dataclass(frozen=True, eq=False)
class PublishedFit:
    """theta and deviation (unknowns), the latter by eq. 66; samples and the system that they fit.

    known, residual (n, equations): y of eq. 51 [N m], then of eq. 56 [N], and what the fit leaves.
    """

    names: tuple[str, ...]
    theta: Array
    deviation: Array
    known: Array
    residual: Array
    samples: Samples
    system: System
    parameters: Array

    @property
    def tensions(self) -> Tensions:
        """By motor and by the cables' law."""
        return tensions(self.system, self.samples, self.parameters)


class PublishedEstimator:
    """Fits the unknowns of a system to logs.

    with_laws: eqs. 51 and 56 together, with the cables' laws; else eq. 51 alone, for frictions.
    delay [s]: of the camera, which is taken out.
    """

    def __init__(
        self,
        system: System,
        parameters: Sequence[str],
        tied: Sequence[str] = (),
        *,
        with_laws: bool = True,
        delay: float = 0.0,
        cutoff: float = CUTOFF,
    ) -> None:
        self.system, self.delay, self.with_laws = system, delay, with_laws
        self.how = Preparation.as_published(cutoff)
        self.unknowns = choose(system, parameters, tied)
        self.regressor = Regressor(system, self.unknowns, "modelled" if with_laws else "eliminated")

    def __call__(self, log: Log) -> PublishedFit:
        samples = prepared(log, self.system, self.how, self.delay)
        p = self.system.parameter_values
        made = self.regressor(samples, p)
        joints = {c.name for c in self.system.coordinates if c.kind == "joint"}
        size = np.array([1.0 if name in joints else 1 / PAY for name in made.names])
        weight = size * [WEIGHT if name in joints else 1.0 for name in made.names]
        W = (made.W * weight[:, None]).reshape(-1, len(self.unknowns))
        theta, deviation = least_squares(W, (made.y * weight).ravel())
        return PublishedFit(
            names=self.unknowns.names,
            theta=theta,
            deviation=deviation,
            known=size * made.y,
            residual=size * (made.y - made.W @ theta),
            samples=samples,
            system=self.system,
            parameters=self.unknowns.into(p, theta),
        )


def least_squares(W: Array, y: Array) -> tuple[Array, Array]:
    """v of W v = y and its standard deviations [Fasquelle2021, eqs. 65-66]."""
    size = np.linalg.norm(W, axis=0)
    Q, R = np.linalg.qr(W / size)
    inverse = np.linalg.inv(R)
    v = inverse @ (Q.T @ y) / size
    variance = float(np.sum((y - W @ v) ** 2)) / (len(y) - len(v))
    return v, np.sqrt(variance * np.sum(inverse**2, axis=1)) / size


def prepared(log: Log, system: System, how: Preparation, delay: float) -> Samples:
    """Signals at 31.25 Hz with their derivatives [Fasquelle2021, sec. 6.5]."""
    assert how.rate is not None
    assert how.cutoff is not None
    channels = [log.channels[s.name] for s in signals(system)]
    fastest = min(channels, key=lambda c: float(np.median(np.diff(c.time))))
    fast = 1 / float(np.median(np.diff(fastest.time)))
    stride = round(fast / how.rate)
    time, rate = fastest.time[::stride], fast / stride
    late = {c.name: delay if c.sensor != fastest.sensor else 0.0 for c in channels}

    def resampled(c: Channel) -> Array:
        if c.sensor == fastest.sensor:
            return _decimated(filtering.low_pass(c.value, how.cutoff or 0, fast), stride)
        return filtering.low_pass(
            np.interp(time + late[c.name], c.time, c.value), how.cutoff or 0, rate
        )

    columns = np.column_stack([resampled(c) for c in channels])
    q, u = columns[:, : system.nq], columns[:, system.nq :]
    v, a = filtering.differences(q, 1 / rate, how.stencil)
    room = 1 / how.cutoff  # the filter's transients
    first = max(float(c.time[0]) - late[c.name] for c in channels) + room
    last = min(float(c.time[-1]) - late[c.name] for c in channels) - room
    return Samples(time, q, v, a, u).at((time >= first) & (time <= last))


def _decimated(x: Array, stride: int) -> Array:
    """As by Matlab's `decimate`: a Chebyshev filter of order 8, forward and backward."""
    from scipy.signal import decimate

    return np.asarray(decimate(x, stride, zero_phase=True))


def friction_as_printed(log: Log, system: System, delay: float) -> Array:
    """f_s and f_v of all motors by eqs. 62-63 as printed, without the tensions [N, N s/rad]."""
    s = prepared(log, system, Preparation.as_published(CUTOFF), delay)
    motors = [i for i, c in enumerate(system.coordinates) if c.kind == "motor"]
    p = dict(zip(system.parameter_names, system.parameter_values.tolist(), strict=True))
    found = []
    for k, row in enumerate(motors):
        name = system.coordinates[row].name
        inertia, slope = p[f"{name}.inertia"], p[f"{name}.dry_slope"]
        rate = s.v[:, row]
        y = (s.u[:, k] - inertia * s.a[:, row]) / PAY  # eq. 62
        W = np.column_stack([2 / np.pi * np.arctan(slope * rate), rate])  # eq. 63
        found.append(least_squares(W, y)[0])
    return np.array(found).T
