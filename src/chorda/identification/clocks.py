"""How much the clock of one sensor is ahead of another's, from the motion they both saw."""

import numpy as np
from scipy import signal

from chorda.identification.preparing import Prepared
from chorda.identification.samples import along
from chorda.mechanics import Array

MAX_OFFSET = 0.5  # [s] that is searched to both sides


def first_guess(prepared: Prepared, sensor: str) -> float:
    """Lag at which lengths seen by a sensor follow what the motors paid out [s].

    Zero where there is nothing to compare: no motors of their own, or seen by the same sensor.
    """
    system = prepared.system
    seen = np.array([c.sensor == sensor for s, c in prepared.wanted if s.kind != "input"])
    motors = np.array([c.kind == "motor" for c in system.coordinates])
    if system.nq != system.nv or not np.any(motors & ~seen) or not np.any(~motors & seen):
        return 0.0
    samples = prepared.samples(prepared.how.offsets)
    arms = system.function("arms", "q p", system.tendons.Z)
    [Z] = along(arms, [samples.q], system.parameter_values)
    lengths = -np.einsum("tij,ti->tj", Z[:, ~motors], samples.v[:, ~motors])
    paid = np.zeros_like(lengths)
    for i, tendon in enumerate(system.robot.tendons):
        if tendon.actuator in system.coordinate_names:
            motor = system.coordinate_names.index(tendon.actuator)
            paid[:, i] = tendon.winding * samples.v[:, motor]
    return _lag(lengths, paid, float(np.median(np.diff(samples.time))))


def _lag(late: Array, early: Array, step: float) -> float:
    """Time by which the columns of `late` come after those of `early`."""
    n = len(late)
    largest = min(n - 2, int(MAX_OFFSET / step))
    if largest < 1:  # a cut-off so low leaves no lag to see
        return 0.0
    together = np.zeros(2 * n - 1)
    for a, b in zip((late - late.mean(0)).T, (early - early.mean(0)).T, strict=True):
        if (size := np.linalg.norm(a) * np.linalg.norm(b)) > 0:
            together += signal.correlate(a, b, method="fft") / size
    value = together[n - 1 - largest : n + largest]
    k = int(np.clip(np.argmax(value), 1, len(value) - 2))
    a, b, c = value[k - 1 : k + 2]
    bend = a - 2 * b + c
    return float((k - largest + (0.5 * (a - c) / bend if bend else 0.0)) * step)
