"""How far estimates scatter: covariances of nonlinear least squares."""

from collections.abc import Sequence

import numpy as np

from chorda.mechanics import Array

SINGULAR = 1e-10  # of scaled columns: what is smaller, the data do not tell
MOST_CORRELATED = 0.999  # first-order correlation that is still believed


def white(J: Array, residual: Array) -> Array:
    """(J^T J)^-1 times the residuals' variance: right if residuals are independent.

    J (m, k): derivatives of the residuals; an unknown without effect gets an infinite variance.
    """
    inverse, freedom = _inverse(J), max(len(residual) - J.shape[1], 1)
    variance = float(residual @ residual) / freedom
    with np.errstate(invalid="ignore"):  # nothing left to explain, and still unknown: infinite
        return np.where(np.isinf(inverse), inverse, inverse * variance)


def correlated(J: Array, residual: Array, time: Array, channels: Sequence[slice]) -> Array:
    """The sandwich (J^T J)^-1 S (J^T J)^-1, which allows for residuals that hang together.

    S sums the covariances of the scores J_t^T r_t over lags, with weights that fall to zero at a
    lag which follows from the residuals' own correlation [Newey1987, Andrews1991]. Scores of all
    channels within the slowest one's period are added first: model errors hit several at once.
    """
    inverse = _inverse(J)
    period = max(float(np.median(np.diff(time[c]))) for c in channels)
    bins = np.floor((time - time.min()) / period + 1e-9).astype(int)
    scores = np.zeros((bins.max() + 1, J.shape[1]))
    np.add.at(scores, bins, J * residual[:, None])
    lag = _lag([residual[c] for c in channels], [time[c] for c in channels], period, len(scores))
    # squares of moving sums over lag + 1 rows: the same as the sum over lags, in one product
    padded = np.vstack([np.zeros((lag + 1, J.shape[1])), scores, np.zeros((lag, J.shape[1]))])
    total = np.cumsum(padded, axis=0)
    moving = total[lag + 1 :] - total[: -lag - 1]
    S = moving.T @ moving / (lag + 1)
    grow = len(residual) / max(len(residual) - J.shape[1], 1)
    known = np.where(np.isinf(inverse), 0.0, inverse)
    return np.where(np.isinf(inverse), inverse, grow * known @ S @ known)


def _lag(residuals: Sequence[Array], times: Sequence[Array], period: float, n: int) -> int:
    """Bandwidth in periods, by a first-order autoregression of each channel [Andrews1991]."""
    rho = 0.0
    for r, t in zip(residuals, times, strict=True):
        power = float(r[:-1] @ r[:-1])
        if power > 0:
            own = np.clip(float(r[1:] @ r[:-1]) / power, 0.0, MOST_CORRELATED)
            rho = max(rho, float(own) ** (period / float(np.median(np.diff(t)))))
    rho = min(rho, MOST_CORRELATED)
    spread = 4 * rho**2 / (1 - rho**2) ** 2
    return int(min(np.ceil(1.1447 * (spread * n) ** (1 / 3)), n // 4))


def _inverse(J: Array) -> Array:
    """(J^T J)^-1 by singular values; infinite for what no combination of rows tells."""
    size = np.linalg.norm(J, axis=0)
    scale = np.where(size > 0, size, 1.0)
    R = np.linalg.qr(J / scale, mode="r")
    _, s, Vt = np.linalg.svd(R)
    s = np.concatenate([s, np.zeros(J.shape[1] - len(s))])
    told = s > SINGULAR * max(float(s[0]), 1e-300)
    inverse = (Vt[told].T / s[told] ** 2) @ Vt[told] / np.outer(scale, scale)
    blind = np.any(np.abs(Vt[~told]) > 1e-3, axis=0)
    inverse[blind, :] = inverse[:, blind] = 0.0
    inverse[blind, blind] = np.inf
    return inverse
