"""Schemes along the rods of an assembly: order 8, and the elements of finite differences."""

import numpy as np

from chorda.continuous.along_rods import Nodes, Pieces, Rods, cross_matrix
from chorda.mechanics import Array
from chorda.numerics.runge_kutta_steps import ORDER_8, explicit_stages, weighted

SMALL_ANGLE = 1e-4  # [rad] below which series take the place of quotients


def order8(rods: Rods, nodes: Nodes, h: Array) -> Pieces:
    """One step of Dormand and Prince [Hairer1993, II.5] from each node.

    R' = R k, p' = R g, m' = -k x m - g x n, n' = -k x n - weight, the energy, and deviations.
    """
    shape = nodes.p.shape[:-1]
    start = [nodes.R.reshape(*shape, 9), nodes.p, nodes.m, nodes.n, np.zeros((*shape, 1))]
    y = np.concatenate(start, axis=-1)
    rest, length = rods.rest_at(nodes.fraction + ORDER_8.c[:, None] * h), h[:, None] * rods.length
    stages = explicit_stages(ORDER_8, lambda i, Y: _slopes(rods, rest[i], Y), y, length)
    y += length[..., None] * weighted(ORDER_8.b, stages.k)
    R = y[..., :9].reshape(*shape, 3, 3)
    R = R @ (3 * np.eye(3) - np.swapaxes(R, -1, -2) @ R) / 2  # a rotation to rounding
    ends = Nodes(nodes.fraction + h, R, y[..., 9:12], y[..., 12:15], y[..., 15:18])
    assert stages.flow is not None
    return Pieces(ends, stages.flow, y[..., 18])


def _slopes(rods: Rods, rest: Array, y: Array) -> tuple[Array, Array]:
    """y' per length, and A in d' = A d (..., 12, 12): turn' = -k x turn + dk,
    shift' = -k x shift - g x turn + dg, and the derivatives of m' and n'."""
    R, m, n = y[..., :9].reshape(*y.shape[:-1], 3, 3), y[..., 12:15], y[..., 15:18]
    weight = (rods.weight[:, None] @ R)[..., 0, :]
    strain = rods.strains(rest, m, n)
    hats = cross_matrix(np.stack([strain[..., :3], strain[..., 3:], m, n, weight], axis=-2))
    k, g, m_, n_, w = (hats[..., i, :, :] for i in range(5))
    Ck, Cg, d = rods.compliance[:, None, :3], rods.compliance[:, None, 3:], np.arange(6)
    A = np.zeros((*m.shape[:-1], 12, 12))
    A[..., 0:3, 0:3] = A[..., 3:6, 3:6] = A[..., 9:12, 9:12] = -k
    A[..., 3:6, 0:3] = -g
    A[..., d, 6 + d] = rods.compliance
    A[..., 6:9, 6:9] = m_ * Ck - k
    A[..., 6:9, 9:12] = n_ * Cg - g
    A[..., 9:12, 0:3] = -w
    A[..., 9:12, 6:9] = n_ * Ck
    f = np.empty_like(y)
    f[..., :9] = (R @ k).reshape(*y.shape[:-1], 9)
    f[..., 9:12] = (R @ strain[..., 3:, None])[..., 0]
    f[..., 12:15] = -(g @ n[..., None] + k @ m[..., None])[..., 0]
    f[..., 15:18] = -(k @ n[..., None])[..., 0] - weight
    stored = (y[..., 12:18] ** 2 * rods.compliance).sum(-1) / 2
    f[..., 18] = stored - (rods.weight * y[..., 9:12]).sum(-1)
    return f, A


def euler(rods: Rods, nodes: Nodes, h: Array) -> Pieces:
    """One element of constant strains from each node: positions by explicit Euler, and the moments
    that make the energy of the elements stationary.

    R1 = R exp(h k), p1 = p + h R g, with k from the moment at the element's end,
    v = m - h g x n: this is what minimises sum h k^2 EI / 2 under those steps.
    """
    H = (h[:, None] * rods.length)[..., None]
    Hm = H[..., None]
    Ck, Cg = rods.compliance[:, :3], rods.compliance[:, 3:]
    rest = rods.rest_at(nodes.fraction)
    weight = (rods.weight[:, None] @ nodes.R)[..., 0, :]
    g = rest[..., 3:] + Cg * nodes.n
    v = nodes.m - H * np.cross(g, nodes.n)
    E, D = _turn_back(H * (rest[..., :3] + Ck * v))
    m1, n1 = ((E @ x[..., None])[..., 0] for x in (v, nodes.n - H * weight))
    ends = Nodes(
        nodes.fraction + h,
        nodes.R @ np.swapaxes(E, -1, -2),
        nodes.p + H * (nodes.R @ g[..., None])[..., 0],
        m1,
        n1,
    )
    g_, n_, w_ = cross_matrix(g), cross_matrix(nodes.n), cross_matrix(weight)
    dv = np.zeros((*m1.shape, 12))  # of v, then of k and of the turn over the element
    dv[..., 6:9] = np.eye(3)
    dv[..., 9:12] = Hm * (n_ * Cg[:, None] - g_)
    turned = Hm * (D * Ck[:, None]) @ dv
    flow = np.zeros((*m1.shape[:-1], 12, 12))
    flow[..., 0:3, :] = turned
    flow[..., 0:3, 0:3] += E
    flow[..., 3:6, 0:3], flow[..., 3:6, 3:6] = -Hm * (E @ g_), E
    flow[..., 3:6, 9:12] = Hm * (E * Cg[:, None])
    flow[..., 6:9, :] = E @ dv + cross_matrix(m1) @ turned
    flow[..., 9:12, :] = cross_matrix(n1) @ turned
    flow[..., 9:12, 0:3] -= Hm * (E @ w_)
    flow[..., 9:12, 9:12] += E
    stored = (Ck * v**2 + Cg * nodes.n**2).sum(-1) / 2
    return Pieces(ends, flow, H[..., 0] * (stored - (rods.weight * nodes.p).sum(-1)))


def _turn_back(x: Array) -> tuple[Array, Array]:
    """exp(-x), and D with exp(x)^-1 d exp(x) = D dx [Iserles2000]."""
    X = cross_matrix(x)
    t = np.linalg.norm(x, axis=-1)[..., None, None]
    small = t < SMALL_ANGLE
    safe = np.where(small, 1.0, t)
    sine = np.where(small, 1 - t**2 / 6, np.sin(safe) / safe)
    half = np.where(small, 0.5 - t**2 / 24, (1 - np.cos(safe)) / safe**2)
    third = np.where(small, 1 / 6 - t**2 / 120, (safe - np.sin(safe)) / safe**3)
    return np.eye(3) - sine * X + half * X @ X, np.eye(3) - half * X + third * X @ X
