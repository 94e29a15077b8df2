"""A planar rod as a chain of stiff links, whose energy Newton's method minimises in plain numpy.

Links turn against each other with the stiffness of the rod; points that leave the middle of a round
tube, or enter a round post, are pushed back. Nothing rubs, and nothing of Chorda is used.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class RoundPost:
    """centre [m], and radius at which the middle of the rod touches it [m]."""

    centre: tuple
    radius: float

    def at(self, points):
        """Gaps, their gradients, and their second derivatives across these."""
        away = points - np.array(self.centre)
        r = np.linalg.norm(away, axis=1)
        return r - self.radius, away / r[:, None], 1 / r


@dataclass(frozen=True)
class BentTube:
    """Along x up to `entry`, on a quarter of a circle of radius `bend`, then along y."""

    entry: float
    bend: float
    clearance: float

    def at(self, points):
        x, y = points.T
        from_centre = np.column_stack([x - self.entry, y - self.bend])
        r = np.linalg.norm(from_centre, axis=1)
        zero = np.zeros_like(x)
        before, after = x < self.entry, y > self.bend
        aside = from_centre / r[:, None] * (r - self.bend)[:, None]
        aside[before] = np.column_stack([zero, y])[before]
        aside[after] = np.column_stack([x - self.entry - self.bend, zero])[after]
        size = np.maximum(np.linalg.norm(aside, axis=1), 1e-15)
        curve = np.where(before | after, 0.0, -np.sign(r - self.bend) / r)
        return self.clearance - size, -aside / size[:, None], curve


@dataclass(frozen=True)
class ChainAtRest:
    angles: np.ndarray
    points: np.ndarray
    forces: np.ndarray  # normal, of each point [N]
    energy: float  # [J]


def chain_at_rest(length, EI, obstacle, angles, clamp, bend=0.0, stiffness=1e8):
    """From angles that are near it; clamp: that of its base, bend: its own [rad/m]."""
    n = len(angles)
    h = length / n
    low, K = np.tril(np.ones((n, n))), np.zeros((n, n))
    i = np.arange(1, n)
    K[i, i] += 1
    K[i - 1, i - 1] += 1
    K[i, i - 1] -= 1
    K[i - 1, i] -= 1
    K *= EI / h
    K[0, 0] += 2 * EI / h
    weights = np.full(n, h)
    weights[-1] /= 2
    given = np.zeros(n)
    given[-1] = -EI * bend

    def push(th):
        links = h * np.column_stack([np.cos(th), np.sin(th)])
        points = np.cumsum(links, axis=0)
        gap, normal, curve = obstacle.at(points)
        return links, points, stiffness * weights * np.maximum(-gap, 0), normal, curve

    def energy(th):
        turn, force = th - clamp, push(th)[2]
        return turn @ K @ turn / 2 + given @ turn + (force**2 / weights).sum() / 2 / stiffness

    th, damping = np.array(angles, float), EI / h
    E = energy(th)
    for _ in range(3000):
        links, points, force, normal, curve = push(th)
        turned = np.column_stack([-links[:, 1], links[:, 0]])
        A, B = (
            np.einsum("ik,jk->ij", x, turned) * low
            for x in (normal, np.column_stack([-normal[:, 1], normal[:, 0]]))
        )
        slope = K @ (th - clamp) + given - A.T @ force
        if np.linalg.norm(slope) < 1e-9 * EI / h:
            return ChainAtRest(th, points, force, E)
        active = stiffness * weights * (force > 0)
        H = K + A.T @ (active[:, None] * A) - B.T @ ((force * curve)[:, None] * B)
        beyond = np.cumsum((force[:, None] * normal)[::-1], axis=0)[::-1]
        H[np.diag_indices(n)] += (beyond * links).sum(axis=1)
        while True:
            step = -np.linalg.solve(H + damping * np.eye(n), slope)
            lower = slope @ step < 0 and np.abs(step).max() < 0.3
            if lower and energy(th + step) <= E + 1e-13 * abs(E):  # sums have that rounding
                break
            damping *= 4
            assert damping < 1e15 * EI / h, "no lower energy was found"
        th = th + step
        E, damping = energy(th), damping / 5
    raise AssertionError("the chain did not come to rest")
