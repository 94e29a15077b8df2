"""A rod of strain modes: products of exponentials over short pieces, Gauss quadrature."""

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.interpolate import BSpline

from chorda.describe import STRAINS, Rectangle, Robot, Rod, Tube

PIECES = 10  # of the rod between two points that are looked at, over its whole length
NODES = 9  # of the quadrature over each smooth part


def functions(basis: str, count: int, x: float) -> Any:
    """The values of all functions of a basis at a fraction of a part."""
    k = np.arange(count)
    s = 2 * x - 1
    if basis == "legendre":
        return np.array([np.polynomial.legendre.Legendre.basis(n)(s) for n in k])
    if basis == "chebyshev":
        return np.cos(k * np.arccos(np.clip(s, -1, 1)))
    if basis == "monomial":
        return x**k
    if basis == "piecewise":
        return (k == min(int(x * count), count - 1)).astype(float)
    degree = min(3, count - 1)
    knots = np.r_[[0.0] * degree, np.linspace(0, 1, count - degree + 1), [1.0] * degree]
    return np.array([float(BSpline(knots, row, degree)(x)) for row in np.eye(count)])


def polynomial(coefficients: Any, x: float) -> float:
    return float(sum(c * x**k for k, c in enumerate(coefficients or ())))


class PlainRod:
    """Shape, masses and stored energy of a rod, and lengths of sheaths in it."""

    def __init__(self, rod: Rod, robot: Robot) -> None:
        self.rod = rod
        modes, L = rod.modes, rod.length
        self.counts = [getattr(modes, s) for s in STRAINS]
        sheaths = [x for t in robot.tendons for x in t.sheaths if x.rod == rod.name]
        ends = {x / L for s in sheaths for x in (s.start, s.end) if x is not None}
        self.parts = sorted({0.0, 1.0, *(x / L for x in modes.breaks), *ends})
        self.count = sum(self.counts) * (len(self.parts) - 1)
        borders = set(self.parts)
        for a, b in pairwise(self.parts):
            for n in self.counts:
                many = {"piecewise": n, "bspline": max(n - min(3, n - 1), 1)}.get(modes.basis, 1)
                borders |= set(np.linspace(a, b, many + 1)) if n else set()
        borders |= {d.at / L for d in rod.disks}
        self.borders = [0.0]
        for x in sorted(borders):
            if x - self.borders[-1] > 1e-12:
                self.borders.append(x)
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        pairs = list(pairwise(self.borders))
        self.nodes = np.concatenate([a + (b - a) * (nodes + 1) / 2 for a, b in pairs])
        self.weights = np.concatenate([(b - a) * weights / 2 for a, b in pairs])
        self.shape = [self.matrix(x) for x in self.nodes]
        self.rest = [self.at_rest(x) for x in self.nodes]
        self._cut()

    def _cut(self) -> None:
        """Pieces of the way along the rod: their ends, and strains at three points of each."""
        ends, widths, at = [], [], []
        for a, b in pairwise(sorted({*self.borders, *self.nodes.tolist()})):
            many = max(1, int(np.ceil((b - a) * PIECES)))
            for low, high in pairwise(np.linspace(a, b, many + 1)):
                far = (high - low) * np.sqrt(15) / 10
                ends.append(high if high != b else b)
                widths.append((high - low) * self.rod.length)
                at.append([(low + high) / 2 + k * far for k in (-1, 0, 1)])
        self.ends = [float(x) for x in ends]
        self.widths = np.array(widths)[:, None, None]
        self.phi = np.array([[self.matrix(x) for x in row] for row in at])
        self.strains = np.array([[self.at_rest(x) for x in row] for row in at])

    def matrix(self, x: float) -> Any:
        """Strains of unit coordinates (6, coordinates) at a fraction of the length."""
        out = np.zeros((6, self.count))
        part = min(int(np.searchsorted(self.parts, x, "right")) - 1, len(self.parts) - 2)
        low, high = self.parts[part], self.parts[part + 1]
        first = 0
        for k, n in enumerate(self.counts):
            if n:
                values = functions(self.rod.modes.basis, n, (x - low) / (high - low))
                out[k, first + part * n : first + (part + 1) * n] = values
            first += n * (len(self.parts) - 1)
        return out

    def at_rest(self, x: float) -> Any:
        return np.array([polynomial(getattr(self.rod.rest, s), x) for s in STRAINS])

    def size(self, x: float) -> float:
        return 1.0 if self.rod.taper is None else 1 + x * (self.rod.taper - 1)

    def area(self) -> tuple[float, float, float, float]:
        """A, Iy, Iz and the torsion constant at the base."""
        s = self.rod.section
        if isinstance(s, Rectangle):
            w, h = s.width, s.height
            a, b = max(w, h), min(w, h)
            torsion = a * b**3 * (1 / 3 - 0.21 * b / a * (1 - (b / a) ** 4 / 12))
            return w * h, w * h**3 / 12, h * w**3 / 12, torsion
        hole = s.inner_radius if isinstance(s, Tube) else 0.0
        moment = np.pi / 4 * (s.radius**4 - hole**4)
        return np.pi * (s.radius**2 - hole**2), moment, moment, 2 * moment

    def stiffness(self, x: float) -> Any:
        """By strain."""
        A, Iy, Iz, J = self.area()
        E, G = self.rod.young_modulus, self.rod.shear_modulus
        G = E / 2.6 if G is None else G
        s = self.size(x)
        values = np.array([G * J, E * Iy, E * Iz, E * A, G * A, G * A])
        return values * np.array([s**4] * 3 + [s**2] * 3)

    def damping(self, x: float) -> Any:
        r, s = self.rod, self.size(x)
        values = [r.twist_damping, r.bend_damping, r.bend_damping]
        values += [r.stretch_damping, r.shear_damping, r.shear_damping]
        return np.array([v or 0.0 for v in values]) * np.array([s**4] * 3 + [s**2] * 3)

    def frames(self, base: Any, q: Any) -> dict[str, Any]:
        """base, tip, disks, and slices ROD/k at the nodes of the quadrature."""
        name, L = self.rod.name, self.rod.length
        wanted = {float(x): f"{name}/{k}" for k, x in enumerate(self.nodes)}
        named: dict[float, list[str]] = {1.0: [f"{name}.tip"]}
        for disk in self.rod.disks:
            at = min(self.borders, key=lambda x, f=disk.at / L: abs(x - f))
            named.setdefault(at, []).append(f"{name}.{disk.name}")
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = base
        found = {f"{name}.base": base}
        found |= dict.fromkeys(named.get(0.0, []), base)
        for end, piece in zip(self.ends, exponentials(self._magnus(q)), strict=True):
            T = T @ piece
            for x in ([wanted[end]] if end in wanted else []) + named.get(end, []):
                found[x] = T[:3, :3].copy(), T[:3, 3].copy()
        return found

    def _magnus(self, q: Any) -> Any:
        """The twist over each piece, of sixth order, of T' = T A."""
        A = -twists(self.strains + self.phi @ q)  # the inverse of T has it on the left
        low, mid, high = self.widths * A[:, 0], self.widths * A[:, 1], self.widths * A[:, 2]
        a2, a3 = np.sqrt(15) / 3 * (high - low), 10 / 3 * (high - 2 * mid + low)
        c1 = mid @ a2 - a2 @ mid
        inner = 2 * a3 + c1
        c2 = -(mid @ inner - inner @ mid) / 60
        left, right = -20 * mid - a3 + c1, a2 + c2
        return -(mid + a3 / 12 + (left @ right - right @ left) / 240)

    def masses(self) -> list[tuple[str, float, Any, Any]]:
        """Slices and disks: frame, mass, centre, inertia."""
        r, (A, Iy, Iz, _) = self.rod, self.area()
        found = []
        for k, (x, w) in enumerate(zip(self.nodes, self.weights, strict=True)):
            s, dm = self.size(x), r.density * w * r.length
            inertia = dm * s**4 * np.diag([Iy + Iz, Iy, Iz])
            found.append((f"{r.name}/{k}", dm * A * s**2, np.zeros(3), inertia))
        for d in r.disks:
            if d.mass is not None:
                flat = d.mass * d.radius**2 / 4
                frame = f"{r.name}.{d.name}"
                found.append((frame, d.mass, np.zeros(3), np.diag([2 * flat, flat, flat])))
        return found

    def _over(self, value: Any) -> Any:
        """The integral of phi^T value phi over the length."""
        pairs = zip(self.nodes, self.weights, self.shape, strict=True)
        return self.rod.length * sum(w * phi.T @ (value(x)[:, None] * phi) for x, w, phi in pairs)

    def stiffness_matrix(self) -> Any:
        return self._over(self.stiffness)

    def damping_matrix(self) -> Any:
        return self._over(self.damping)

    def sheath_length(self, sheath: Any, q: Any) -> float:
        """The integral of the speed of a point that runs through the sheath."""
        L = self.rod.length
        low, high = sheath.start / L, 1.0 if sheath.end is None else sheath.end / L
        total = 0.0
        for x, w, phi, rest in zip(self.nodes, self.weights, self.shape, self.rest, strict=True):
            if not low < x < high:
                continue

            def offset(x: float) -> Any:
                return np.array([0.0, *sheath.offset(x)])

            h = 1e-3
            slope = (
                8 * (offset(x + h) - offset(x - h)) - offset(x + 2 * h) + offset(x - 2 * h)
            ) / (12 * h)
            xi = rest + phi @ q
            along = xi[3:] + [1.0, 0.0, 0.0] + np.cross(xi[:3], offset(x)) + slope / L
            total += w * L * np.linalg.norm(along)
        return total


def twists(strain: Any) -> Any:
    """Matrices (..., 4, 4) of strains as twists, x being the tangent."""
    out = np.zeros((*strain.shape[:-1], 4, 4))
    a, b, c = (strain[..., k] for k in range(3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -c, b, -a
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = c, -b, a
    out[..., :3, 3] = strain[..., 3:] + [1.0, 0.0, 0.0]
    return out


def exponentials(X: Any) -> Any:
    """exp of matrices (n, 4, 4) of twists, in closed form."""
    K = X[:, :3, :3]
    angle = np.sqrt(K[:, 2, 1] ** 2 + K[:, 0, 2] ** 2 + K[:, 1, 0] ** 2)[:, None, None]
    small = angle < 1e-3
    t = np.where(small, 1.0, angle)
    s = angle**2
    one = np.where(small, 1 - s / 6 + s**2 / 120, np.sin(t) / t)
    two = np.where(small, 0.5 - s / 24 + s**2 / 720, (1 - np.cos(t)) / t**2)
    three = np.where(small, 1 / 6 - s / 120 + s**2 / 5040, (t - np.sin(t)) / t**3)
    out = np.tile(np.eye(4), (len(X), 1, 1))
    out[:, :3, :3] += one * K + two * (K @ K)
    out[:, :3, 3] = ((np.eye(3) + two * K + three * (K @ K)) @ X[:, :3, 3:])[..., 0]
    return out
