"""Schemes along the rods: order 8, and the explicit Euler steps of finite differences."""

import numpy as np
from scipy.integrate import DOP853

from chorda.continuous.assembly.along import Bundle, Nodes, Pieces, cross_matrix
from chorda.mechanics import Array


def order8(bundle: Bundle, nodes: Nodes, h: Array) -> Pieces:
    """One step of Dormand and Prince [Hairer1993, II.5] from each node.

    R' = R k, p' = R g, m' = -k x m - g x n, n' = -k x n - weight, and the flow of deviations.
    """
    A, b, c = DOP853.A, DOP853.B, DOP853.C
    shape = nodes.p.shape[:-1]
    y = np.zeros((*shape, 19 + 144))
    y[..., :9], y[..., 9:12] = nodes.R.reshape(*shape, 9), nodes.p
    y[..., 12:15], y[..., 15:18] = nodes.m, nodes.n
    y[..., 19:] = np.eye(12).ravel()
    rest = bundle.rest(nodes.share + c[:, None] * h)
    length = (h[:, None] * bundle.length)[..., None]
    slopes = np.empty((len(b), *y.shape))
    flat = slopes.reshape(len(b), -1)
    for i in range(len(b)):
        at = y + (A[i, :i] @ flat[:i]).reshape(y.shape) if i else y
        slopes[i] = _slope(bundle, rest[i], at)
        slopes[i] *= length
    y = y + (b @ flat).reshape(y.shape)
    R = y[..., :9].reshape(*shape, 3, 3)
    R = R @ (3 * np.eye(3) - np.swapaxes(R, -1, -2) @ R) / 2  # a rotation to rounding
    ends = Nodes(nodes.share + h, R, y[..., 9:12], y[..., 12:15], y[..., 15:18])
    return Pieces(ends, y[..., 19:].reshape(*shape, 12, 12), y[..., 18])


def _slope(bundle: Bundle, rest: Array, y: Array) -> Array:
    shape = y.shape[:-1]
    R = y[..., :9].reshape(*shape, 3, 3)
    m, n = y[..., 12:15], y[..., 15:18]
    weight = (bundle.weight[:, None] @ R)[..., 0, :]
    strain = bundle.strains(rest, m, n)
    A = _deviations(bundle, strain, m, n, weight)
    k = -A[..., 0:3, 0:3]
    out = np.empty_like(y)
    out[..., :9] = (R @ k).reshape(*shape, 9)
    out[..., 9:12] = (R @ strain[..., 3:, None])[..., 0]
    out[..., 12:15] = (A[..., 3:6, 0:3] @ n[..., None] - k @ m[..., None])[..., 0]
    out[..., 15:18] = -(k @ n[..., None])[..., 0] - weight
    stored = (y[..., 12:18] ** 2 * bundle.compliance).sum(-1) / 2
    out[..., 18] = stored - (bundle.weight * y[..., 9:12]).sum(-1)
    out[..., 19:] = (A @ y[..., 19:].reshape(*shape, 12, 12)).reshape(*shape, 144)
    return out


def _deviations(bundle: Bundle, strain: Array, m: Array, n: Array, weight: Array) -> Array:
    """A in d' = A d per length (..., 12, 12): turn' = -k x turn + dk,
    shift' = -k x shift - g x turn + dg, and the derivatives of m' and n'."""
    Ck, Cg = bundle.compliance[:, None, :3], bundle.compliance[:, None, 3:]
    hats = cross_matrix(np.stack([strain[..., :3], strain[..., 3:], m, n, weight], axis=-2))
    k, g, m_, n_, w = (hats[..., i, :, :] for i in range(5))
    A = np.zeros((*m.shape[:-1], 12, 12))
    A[..., 0:3, 0:3] = A[..., 3:6, 3:6] = A[..., 9:12, 9:12] = -k
    A[..., 3:6, 0:3] = -g
    d = np.arange(3)
    A[..., d, 6 + d], A[..., 3 + d, 9 + d] = bundle.compliance[:, :3], bundle.compliance[:, 3:]
    A[..., 6:9, 6:9] = m_ * Ck - k
    A[..., 6:9, 9:12] = n_ * Cg - g
    A[..., 9:12, 0:3] = -w
    A[..., 9:12, 6:9] = n_ * Ck
    return A


def euler(bundle: Bundle, nodes: Nodes, h: Array) -> Pieces:
    """One element of constant strains from each node: positions by explicit Euler, and the moments
    that make the energy of the elements stationary.

    R1 = R exp(h k), p1 = p + h R g, with k from the moment at the element's end,
    v = m - h g x n: this is what minimises sum h k^2 EI / 2 under those steps.
    """
    H = (h[:, None] * bundle.length)[..., None]
    Hm = H[..., None]
    Ck, Cg = bundle.compliance[:, None, :3], bundle.compliance[:, None, 3:]
    rest = bundle.rest(nodes.share)
    weight = (bundle.weight[:, None] @ nodes.R)[..., 0, :]
    g = rest[..., 3:] + bundle.compliance[:, 3:] * nodes.n
    v = nodes.m - H * np.cross(g, nodes.n)
    k = rest[..., :3] + bundle.compliance[:, :3] * v
    E, D = _turn_back(H * k)
    force = nodes.n - H * weight
    m1, n1 = ((E @ x[..., None])[..., 0] for x in (v, force))
    ends = Nodes(
        nodes.share + h,
        nodes.R @ np.swapaxes(E, -1, -2),
        nodes.p + H * (nodes.R @ g[..., None])[..., 0],
        m1,
        n1,
    )
    g_, n_, w_ = cross_matrix(g), cross_matrix(nodes.n), cross_matrix(weight)
    dv = np.zeros((*m1.shape, 12))  # of v, then of k and of the turn over the element
    dv[..., 6:9] = np.eye(3)
    dv[..., 9:12] = Hm * (n_ * Cg - g_)
    turned = Hm * (D * Ck) @ dv
    flow = np.zeros((*m1.shape[:-1], 12, 12))
    flow[..., 0:3, :] = turned
    flow[..., 0:3, 0:3] += E
    flow[..., 3:6, 0:3], flow[..., 3:6, 3:6] = -Hm * (E @ g_), E
    flow[..., 3:6, 9:12] = Hm * (E * Cg)
    flow[..., 6:9, :] = E @ dv + cross_matrix(m1) @ turned
    flow[..., 9:12, :] = cross_matrix(n1) @ turned
    flow[..., 9:12, 0:3] -= Hm * (E @ w_)
    flow[..., 9:12, 9:12] += E
    stored = (bundle.compliance[:, :3] * v**2 + bundle.compliance[:, 3:] * nodes.n**2).sum(-1) / 2
    return Pieces(ends, flow, H[..., 0] * (stored - (bundle.weight * nodes.p).sum(-1)))


def _turn_back(x: Array) -> tuple[Array, Array]:
    """exp(-x), and D with exp(x)^-1 d exp(x) = D dx [Iserles2000]."""
    X = cross_matrix(x)
    t = np.linalg.norm(x, axis=-1)[..., None, None]
    small = t < 1e-4
    safe = np.where(small, 1.0, t)
    sine = np.where(small, 1 - t**2 / 6, np.sin(safe) / safe)
    half = np.where(small, 0.5 - t**2 / 24, (1 - np.cos(safe)) / safe**2)
    third = np.where(small, 1 / 6 - t**2 / 120, (safe - np.sin(safe)) / safe**3)
    return np.eye(3) - sine * X + half * X @ X, np.eye(3) - half * X + third * X @ X
