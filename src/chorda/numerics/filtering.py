"""Signals without noise and phase shift: outliers, cut-off, Butterworth both ways, differences."""

import numpy as np
import numpy.typing as npt
from scipy import signal
from scipy.ndimage import correlate1d

from chorda.numerics import Array

Indices = npt.NDArray[np.intp]
ORDER = 4  # of the Butterworth filter; it runs forward and backward, so the roll-off is twice that
GAP_PERIODS = 3.5  # missing periods that make a gap
COS4 = "general_cosine", (3 / 8, 1 / 2, 1 / 8)  # a window whose leakage is no noise floor
STENCILS = {  # central differences: first and second derivative, right half from the centre on
    2: ((0, 1 / 2), (-2, 1)),
    4: ((0, 2 / 3, -1 / 12), (-5 / 2, 4 / 3, -1 / 12)),
    6: ((0, 3 / 4, -3 / 20, 1 / 60), (-49 / 18, 3 / 2, -3 / 20, 1 / 90)),
    8: (
        (0, 4 / 5, -1 / 5, 4 / 105, -1 / 280),
        (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560),
    ),
}


def outliers(x: Array, t: Array) -> Indices:
    """Indices of single samples that stand out of their neighbours, t being the times.

    A smooth signal hardly differs from the cubic through the four neighbours, and white noise does
    by a known spread: samples ten spreads off, and by more than a hundredth of the signal's own,
    are outliers. Beside a gap the neighbours are too far to tell.
    """
    if len(x) < 9:
        return np.zeros(0, np.intp)
    n = len(x) - 4
    near = [0, 1, 3, 4]
    away = np.stack([t[k : k + n] - t[2 : 2 + n] for k in near])
    weight = np.stack(
        [np.prod([away[m] / (away[m] - away[k]) for m in range(4) if m != k], 0) for k in range(4)]
    )
    off = x[2 : 2 + n] - np.sum(weight * np.stack([x[k : k + n] for k in near]), axis=0)
    d = np.abs(off) / np.sqrt(1 + np.sum(weight**2, axis=0))
    limit = 10 * 1.4826 * float(np.median(d)), 0.7e-2 * float(np.std(x))
    peak = d >= signal.order_filter(d, np.ones(5, int), 4)
    steps = np.diff(t)
    close = np.max([steps[k : k + n] for k in range(4)], axis=0) <= GAP_PERIODS * np.median(steps)
    return np.flatnonzero((d > max(limit)) & peak & close) + 2


def even(t: Array, x: Array) -> tuple[Array, float]:
    """The signal at evenly spaced times, and their rate [Hz]."""
    return np.interp(np.linspace(t[0], t[-1], len(t)), t, x), (len(t) - 1) / float(t[-1] - t[0])


def noise_floor(x: Array, rate: float) -> tuple[Array, Array, float]:
    """Frequencies [Hz], power density, and the density of the noise that lies under it all."""
    segment = min(len(x), max(256, len(x) // 8))
    f, density = signal.welch(signal.detrend(x), rate, COS4, segment)
    return f, density, float(np.median(density[f > 0.6 * f[-1]]))


def bandwidth(x: Array, rate: float) -> float | None:
    """Where a signal sinks into its noise [Hz]; None if there is no noise to speak of.

    The last frequency before the power density first stays within a factor of 4 of the floor.
    """
    f, density, floor = noise_floor(x, rate)
    if floor * f[-1] < 1e-16 * float(np.var(x)):
        return None
    above = density > 4 * floor
    quiet = np.flatnonzero(~above[1:-2] & ~above[2:-1] & ~above[3:]) + 1
    return float(f[quiet[0]]) if len(quiet) else float(f[-1])


def low_pass(x: Array, cutoff: float, rate: float) -> Array:
    """Zero-phase Butterworth filter along the first axis."""
    sos = signal.butter(ORDER, cutoff, fs=rate, output="sos")
    settle = int(min(len(x) - 1, 3 * rate / cutoff))
    return np.asarray(signal.sosfiltfilt(sos, x, axis=0, padlen=settle))


def differences(x: Array, h: float, stencil: int) -> tuple[Array, Array]:
    """First and second derivative along the first axis by central differences.

    The first and last stencil/2 samples are not reached: they are NaN.
    """
    first, second = (np.array(half) for half in STENCILS[stencil])
    weights = np.append(-first[:0:-1], first) / h, np.append(second[:0:-1], second) / h**2
    v, a = (correlate1d(x, w, axis=0, mode="constant", cval=np.nan) for w in weights)
    return v, a
