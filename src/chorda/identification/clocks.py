"""How much the clock of one sensor is ahead of another's, from the motion they both saw."""

import numpy as np

from chorda.identification.preparing import Prepared, Samples
from chorda.mechanics import Array

FARTHEST = 0.5  # [s] that is searched to both sides


def first_guess(prepared: Prepared, sensor: str) -> float:
    """Lag at which lengths seen by a sensor follow what the motors paid out [s].

    Zero where there is nothing to compare: no motors of their own, or seen by the same sensor.
    """
    system = prepared.system
    seen = np.array([c.sensor == sensor for w, c in prepared.wanted if w.kind != "input"])
    motors = np.array([c.kind == "motor" for c in system.coordinates])
    if system.nq != system.nv or not np.any(motors & ~seen) or not np.any(~motors & seen):
        return 0.0
    samples = prepared.samples(prepared.how.offsets)
    n, p = len(samples), system.parameter_values
    arms = system.function("arms", "q p", system.tendons.Z)
    Z = arms.map(n)(samples.q.T, np.repeat(p[:, None], n, 1))
    Z = Z.full().reshape(system.nv, n, -1).transpose(1, 0, 2)
    along = -np.einsum("tij,ti->tj", Z[:, ~motors], samples.v[:, ~motors])
    paid = np.column_stack([_paid_rate(prepared, i, samples) for i in range(along.shape[1])])
    return _lag(along, paid, float(np.median(np.diff(samples.time))))


def _paid_rate(prepared: Prepared, i: int, samples: Samples) -> Array:
    system = prepared.system
    tendon = system.robot.tendons[i]
    if tendon.actuator not in system.coordinate_names:
        return np.zeros(len(samples))
    return tendon.winding * samples.v[:, system.coordinate_names.index(tendon.actuator)]


def _lag(late: Array, early: Array, step: float) -> float:
    """Time by which the columns of `late` come after those of `early`."""
    n = len(late)
    late, early = (x - np.mean(x, axis=0) for x in (late, early))
    spectra = (np.fft.rfft(x, 2 * n, axis=0) for x in (late, early))
    cross = np.fft.irfft(next(spectra) * np.conj(next(spectra)), 2 * n, axis=0)
    weight = np.linalg.norm(late, axis=0) * np.linalg.norm(early, axis=0)
    together = np.sum(cross / np.where(weight > 0, weight, np.inf), axis=1)
    most = min(n - 2, int(FARTHEST / step))
    if most < 1:  # so low a cut-off tells no lag
        return 0.0
    lags = np.arange(-most, most + 1)
    value = together[lags]
    k = int(np.clip(np.argmax(value), 1, len(lags) - 2))
    a, b, c = value[k - 1 : k + 2]
    bend = a - 2 * b + c
    return float((lags[k] + (0.5 * (a - c) / bend if bend else 0.0)) * step)
