"""The elastica by elliptic integrals."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc


def elastica(alpha2):
    """Tip (x, y) over the length of a cantilever under a force across, alpha2 = P L^2 / EI.

    The load keeps its direction."""
    alpha = math.sqrt(alpha2)

    def sides(theta):
        m = (1 + math.sin(theta)) / 2
        return m, math.asin(1 / math.sqrt(2 * m))

    def gap(theta):
        m, phi = sides(theta)
        return ellipk(m) - ellipkinc(phi, m) - alpha

    theta = brentq(gap, 1e-6, math.pi / 2 - 1e-9, xtol=1e-15)
    m, phi = sides(theta)
    y = 1 - 2 / alpha * (ellipe(m) - ellipeinc(phi, m))
    return np.array([math.sqrt(2 * math.sin(theta)) / alpha, y, 0])
