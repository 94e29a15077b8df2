"""Covariances of estimates: for independent residuals, and for autocorrelated ones.

Autocorrelated residuals carry less information than as many independent ones. The scores, each
residual times its derivatives, are then summed with their neighbours up to a lag that follows from
the residuals' own correlation [Newey1987, Andrews1991].
"""

from collections.abc import Sequence

import numpy as np

from chorda.numerics import Array

SINGULAR_RATIO = 1e-10  # of scaled columns: what is smaller, the data do not determine
MAX_CORRELATION = 0.999  # first-order autocorrelation that is still believed


def bartlett_sum(scores: Array, lag: int) -> Array:
    """Covariances of the scores (n, m) summed over lags, with weights that fall to zero.

    Sum over k of (1 - |k| / (lag + 1)) sum_t s_t s_(t+k)^T, as squares of moving sums.
    """
    pad = np.zeros((lag + 1, scores.shape[1]))
    total = np.cumsum(np.vstack([pad, scores, pad[:-1]]), axis=0)
    moving = total[lag + 1 :] - total[: -lag - 1]
    return np.asarray(moving.T @ moving / (lag + 1))


def bartlett_lag(rho: Array, n: int) -> int:
    """Bandwidth for n samples of series with first-order correlations rho [Andrews1991]."""
    top = np.sum(4 * rho**2 / ((1 - rho) ** 6 * (1 + rho) ** 2))
    bottom = np.sum(1 / (1 - rho) ** 4)
    return int(min(np.ceil(1.1447 * (top / bottom * n) ** (1 / 3)), n // 4))


def white(J: Array, residual: Array) -> Array:
    """(J^T J)^-1 times the residuals' variance: right if residuals are independent.

    J (m, k): derivatives of the residuals; an unknown without effect gets an infinite variance.
    """
    inverse = _inverse(J)
    variance = float(residual @ residual) / max(len(residual) - J.shape[1], 1)
    with np.errstate(invalid="ignore"):  # nothing left to explain, and still unknown: infinite
        return np.where(np.isinf(inverse), inverse, inverse * variance)


def autocorrelated(J: Array, residual: Array, time: Array, channels: Sequence[slice]) -> Array:
    """The sandwich (J^T J)^-1 S (J^T J)^-1, right if residuals are autocorrelated.

    Scores of all channels within the slowest one's period are added first: model errors affect
    several at once.
    """
    inverse = _inverse(J)
    own = [float(np.median(np.diff(time[c]))) for c in channels]
    period = max(own)
    bins = np.floor((time - time.min()) / period + 1e-9).astype(int)
    scores = np.zeros((bins.max() + 1, J.shape[1]))
    np.add.at(scores, bins, J * residual[:, None])
    rho = [_correlation(residual[c]) ** (period / x) for c, x in zip(channels, own, strict=True)]
    lag = bartlett_lag(np.array([min(max(rho), MAX_CORRELATION)]), len(scores))
    grow = len(residual) / max(len(residual) - J.shape[1], 1)
    known = np.where(np.isinf(inverse), 0.0, inverse)
    S = bartlett_sum(scores, lag)
    return np.where(np.isinf(inverse), inverse, grow * known @ S @ known)


def _correlation(r: Array) -> float:
    """First-order autocorrelation of a channel's residuals, if it is positive."""
    power = float(r[:-1] @ r[:-1])
    return float(np.clip(r[1:] @ r[:-1] / power, 0.0, MAX_CORRELATION)) if power > 0 else 0.0


def _inverse(J: Array) -> Array:
    """(J^T J)^-1 by singular values; infinite for what no combination of rows determines."""
    size = np.linalg.norm(J, axis=0)
    scale = np.where(size > 0, size, 1.0)
    _, s, Vt = np.linalg.svd(np.linalg.qr(J / scale, mode="r"))
    s = np.concatenate([s, np.zeros(J.shape[1] - len(s))])
    sure = s > SINGULAR_RATIO * max(float(s[0]), 1e-300)
    inverse = (Vt[sure].T / s[sure] ** 2) @ Vt[sure] / np.outer(scale, scale)
    blind = np.any(np.abs(Vt[~sure]) > 1e-3, axis=0)
    inverse[blind, :] = inverse[:, blind] = 0.0
    inverse[blind, blind] = np.inf
    return inverse
