"""Weighted least squares W theta = y: values, covariance, and what the data cannot tell apart."""

from dataclasses import dataclass

import numpy as np

from chorda.errors import LogError
from chorda.numerics import Array
from chorda.numerics.covariance import bartlett_lag, bartlett_sum

DEPENDENCE_TOLERANCE = 1e-8  # relative size below which a column adds nothing to those before it
REWEIGHTINGS = 4  # of the equations by their own residuals


@dataclass(frozen=True, eq=False)
class Equations:
    """W (n, rows, unknowns) and y (n, rows) along a motion; names and units of the rows."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    W: Array
    y: Array


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Which unknowns the data tell apart.

    kept: columns that stand for themselves or for a combination; idle: without effect on this
    motion; share (kept x others): column[other] = sum of share * column[kept], so that only
    theta[kept] + share theta[other] can be known.
    """

    kept: tuple[int, ...]
    others: tuple[int, ...]
    idle: tuple[int, ...]
    share: Array


@dataclass(frozen=True, eq=False)
class Solution:
    """theta of W theta = y, the weights of the equations and the base parameters."""

    theta: Array
    scale: Array  # (rows): the spread by which each equation is divided
    base: BaseParameters
    small: Array  # (rows, k, m + 1): triangles with the squares and products of W and y


@dataclass(frozen=True, eq=False)
class Estimate:
    """Unknowns with their uncertainty; only base parameters have finite deviations.

    deviation: standard deviations that allow for autocorrelated residuals; white_deviation: those
    of independent ones [Fasquelle2021, eq. 66]. condition: of the columns scaled to unit length,
    raw_condition: as they are. spread: standard deviation of the residuals of each equation.
    """

    theta: Array
    covariance: Array
    deviation: Array
    white_deviation: Array
    base: BaseParameters
    condition: float
    raw_condition: float
    spread: Array
    residual: Array  # (n, rows), y - W theta
    coverage: float  # deviations to each side that make a 95 % interval


def base_parameters(W: Array) -> BaseParameters:
    """Rank analysis of the columns of W (n, m), in the order in which they are given."""
    size = np.linalg.norm(W, axis=0)
    largest = float(np.max(size, initial=0.0))
    idle = tuple(int(j) for j in np.flatnonzero(size <= 1e-14 * largest))
    live = [j for j in range(W.shape[1]) if j not in idle]
    if not live:
        return BaseParameters((), (), idle, np.zeros((0, 0)))
    scaled = W[:, live] / size[live]
    kept: list[int] = []
    Q = np.zeros((len(W), 0))
    for k in range(len(live)):  # Gram-Schmidt: earlier columns win
        rest = scaled[:, k] - Q @ (Q.T @ scaled[:, k])
        rest -= Q @ (Q.T @ rest)
        if np.linalg.norm(rest) > DEPENDENCE_TOLERANCE:
            Q = np.column_stack([Q, rest / np.linalg.norm(rest)])
            kept.append(k)
    others = [k for k in range(len(live)) if k not in kept]
    share = np.linalg.lstsq(scaled[:, kept], scaled[:, others], rcond=None)[0]
    share[np.abs(share) < 1e-6] = 0.0
    share = share * size[live][others] / size[live][kept][:, None]
    return BaseParameters(tuple(live[k] for k in kept), tuple(live[k] for k in others), idle, share)


def solve(equations: Equations, instruments: Array | None = None) -> Solution:
    """theta of W theta = y, each equation weighted by the spread of its residuals.

    instruments (n, rows, m): regressors without the noise that is in W; theta then solves
    V^T (y - W theta) = 0, which noise in W does not bias.
    """
    W, y = equations.W, equations.y
    n, rows, m = W.shape
    if n * rows <= m:
        raise LogError(
            f"too few samples: {n} samples of {rows} equations for {m} unknowns; at least "
            f"{m // max(rows, 1) + 1} are needed: measure longer, raise the rate, or lower the "
            "number of unknowns"
        )
    small = _compressed(W, y)
    own = np.where(np.std(y, axis=0) > 0, np.std(y, axis=0), 1.0)
    scale = own
    base = base_parameters((small[:, :, :m] / scale[:, None, None]).reshape(-1, m))
    kept = list(base.kept)
    theta = np.zeros(m)
    for _ in range(REWEIGHTINGS if kept else 0):
        if instruments is None:
            stack = (small / scale[:, None, None]).reshape(-1, m + 1)
            size = np.linalg.norm(stack[:, kept], axis=0)
            theta[kept] = np.linalg.lstsq(stack[:, kept] / size, stack[:, m], rcond=None)[0] / size
        else:
            V, A = (
                (x[..., kept] / scale[:, None]).reshape(-1, len(kept)) for x in (instruments, W)
            )
            size = np.linalg.norm(A, axis=0)
            theta[kept] = np.linalg.solve(V.T @ (A / size), V.T @ (y / scale).ravel()) / size
        spread = np.sqrt(np.mean((y - W @ theta) ** 2, axis=0))
        scale = np.maximum(spread, 1e-9 * np.max(spread / own) * own)
        scale = np.where(scale > 0, scale, own)
    return Solution(theta, scale, base, small)


def least_squares(equations: Equations, instruments: Array | None = None) -> Estimate:
    """The solution of W theta = y with its uncertainty; see `solve`."""
    W, found = equations.W, solve(equations, instruments)
    m, kept, scale = W.shape[2], list(found.base.kept), found.scale
    residual = equations.y - W @ found.theta
    Ws = W[..., kept] / scale[:, None]
    Vs = Ws if instruments is None else instruments[..., kept] / scale[:, None]
    covariance, white, coverage = _covariance(Ws, Vs, residual / scale)
    whole, white_deviation = np.full((m, m), np.nan), np.full(m, np.nan)
    whole[np.ix_(kept, kept)], white_deviation[kept] = covariance, white
    stack = (found.small[:, :, kept] / scale[:, None, None]).reshape(-1, len(kept))
    return Estimate(
        theta=found.theta,
        covariance=whole,
        deviation=np.sqrt(np.diag(whole)),
        white_deviation=white_deviation,
        base=found.base,
        condition=_condition(stack / np.linalg.norm(stack, axis=0)),
        raw_condition=_condition(found.small[:, :, :m].reshape(-1, m)),
        spread=np.std(residual, axis=0),
        residual=residual,
        coverage=coverage,
    )


def _compressed(W: Array, y: Array) -> Array:
    """Triangles (rows, k, m + 1) with the same squares and products as W and y of each equation."""
    x = np.concatenate([W, y[..., None]], axis=2).transpose(1, 0, 2)
    rows, _, k = x.shape
    while x.shape[1] > 8 * k:  # in small blocks: on a busy machine threads cost more than they save
        missing = -x.shape[1] % (4 * k)
        x = np.concatenate([x, np.zeros((rows, missing, k))], axis=1)
        blocks = np.asarray(np.linalg.qr(x.reshape(rows, -1, 4 * k, k), mode="r"))
        x = blocks.reshape(rows, -1, k)
    return np.asarray(np.linalg.qr(x, mode="r"))


def _condition(W: Array) -> float:
    return float(np.linalg.cond(W)) if W.size else 1.0


def _covariance(W: Array, V: Array, residual: Array) -> tuple[Array, Array, float]:
    """Sandwich (V^T W)^-1 S (W^T V)^-1 with autocorrelation, white deviations, coverage factor.

    The factor of a 95 % interval allows for the part b of the samples that the lag takes
    [Kiefer2005, table 1].
    """
    n, rows, m = W.shape
    if m == 0:
        return np.zeros((0, 0)), np.zeros(0), 1.96
    scores = np.einsum("trk,tr->tk", V, residual)
    flat_V, flat_W = V.reshape(-1, m), W.reshape(-1, m)
    left = np.linalg.inv(flat_V.T @ flat_W)
    lag = _lag(scores)
    freedom = max(n * rows - m, 1)
    variance = float(np.sum(residual**2)) / freedom
    white = np.sqrt(np.abs(np.diag(left @ (flat_V.T @ flat_V) @ left.T)) * variance)
    b = lag / n
    coverage = 1.96 + 2.9694 * b + 0.416 * b**2 - 0.5324 * b**3
    return n * rows / freedom * left @ bartlett_sum(scores, lag) @ left.T, white, coverage


def _lag(scores: Array) -> int:
    """Bandwidth by first-order autoregressions of the scores."""
    now, before = scores[1:], scores[:-1]
    power = np.sum(before**2, axis=0)
    live = power > 0
    if not np.any(live):
        return 0
    rho = np.clip(np.sum(now * before, axis=0)[live] / power[live], -0.97, 0.97)
    return bartlett_lag(rho, len(scores))
