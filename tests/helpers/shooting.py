"""A clamped rod at rest by another route: the differential equations, solved by shooting.

n' = -w, m' = -p' x n, p' = R v, R' = R u^: forces and moments in world axes, strains u and v from
the moments and forces in the section's axes.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root


def hat(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


@dataclass(frozen=True)
class Clamped:
    """A rod along x with its base at the origin.

    turning, sliding: stiffnesses (twist, bend y, bend z) and (stretch, shear y, shear z) at a place
    s, inf where a strain does not occur; curved: (twist, bend y, bend z) without load;
    weight_beyond: weight of what lies beyond s [N], along `down`.
    """

    length: float
    turning: object
    sliding: object
    curved: object
    weight_beyond: object
    down: np.ndarray

    def integrate(self, base_moment, force, share):
        def rate(s, x):
            turn, m = x[3:12].reshape(3, 3), x[12:]
            n = share * (force + self.weight_beyond(s) * self.down)
            u = self.curved(s) + turn.T @ m / self.turning(s)
            v = np.array([1.0, 0, 0]) + turn.T @ n / self.sliding(s)
            p1 = turn @ v
            return np.concatenate([p1, (turn @ hat(u)).ravel(), -np.cross(p1, n)])

        start = np.concatenate([np.zeros(3), np.eye(3).ravel(), base_moment])
        return solve_ivp(rate, (0, self.length), start, "DOP853", rtol=1e-11, atol=1e-13).y[:, -1]

    def solve(self, force, steps=3):
        """Position of the tip, and force and moment at the base, under a force on the tip."""
        m0 = np.zeros(3)
        for share in np.linspace(0, 1, steps + 1)[1:]:
            scale = (np.linalg.norm(force) + self.weight_beyond(0)) * self.length

            def gap(x, share=share, scale=scale):
                return self.integrate(x * scale, force, share)[12:] / scale

            found = root(gap, m0 / scale, tol=1e-12)
            assert np.linalg.norm(found.fun) < 1e-9
            m0 = found.x * scale
        n0 = force + self.weight_beyond(0) * self.down
        return self.integrate(m0, force, 1.0)[:3], n0, m0
