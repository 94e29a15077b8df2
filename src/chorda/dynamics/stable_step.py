"""The largest stable step of a scheme at a configuration, from its own step on the linearised
system."""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.dynamics.linearize import Linear, LinearModel
from chorda.dynamics.schemes import Scheme
from chorda.mechanics import Array

ROUND_OFF = 1e-7  # growth in one step that is taken for rounding, not instability
ALIKE = 0.99  # cosine of deviations that are of one shape


@dataclass(frozen=True)
class Mode:
    """A vibration of the linearised system."""

    eigenvalue: complex
    shares: tuple[tuple[str, float], ...]  # coordinates and their share of the kinetic energy

    @property
    def frequency(self) -> float:
        """Undamped frequency [Hz]."""
        return abs(self.eigenvalue) / (2 * np.pi)

    @property
    def damping(self) -> float:
        """Damping ratio."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    def __str__(self) -> str:
        who = ", ".join(f"{name} {share:.0%}" for name, share in self.shares[:3])
        return f"{self.frequency:.3g} Hz, damping ratio {self.damping:.2g} ({who})"


@dataclass(frozen=True)
class Limit:
    """step [s] is inf where no step is too large, 0 where none is small enough."""

    scheme: str
    step: float
    mode: Mode | None


class Amplifier:
    """The matrix G(h) that takes a small deviation over one step."""

    def __init__(self, scheme: Scheme, linear: Linear, gains: Array | None = None) -> None:
        lin = LinearModel(linear)
        nv, nz = lin.nv, lin.nz
        nq = nv + nz
        self._order = [*range(nv), *range(nq, nq + nv), *range(nv, nq)]  # (x, v, z) in the state
        made = scheme.build(lin)
        step = made.step
        after = made.after
        if made.z is not None:  # one Newton correction is exact on a linear model
            after = ca.substitute(after, made.z, ca.substitute(made.better, made.z, made.guess))
        after = ca.substitute(after, step.u1, step.u0)
        self._after = ca.Function("after", [step.x, step.h, step.u0], [after])
        nx = int(step.x.numel())
        self._gains = np.zeros((lin.nu, 2 * nv + nz)) if gains is None else gains
        self._base = np.zeros(nx)
        zeros = [ca.SX.zeros(k) for k in (nq, nv, lin.nu, 0, 1)]
        self._base[nq + nv :] = ca.evalf(scheme.start(lin, *zeros)).full().ravel()
        for _ in range(3):  # let flags in the memory settle
            self._base = self._apply(self._base[:, None], 1e-3)[:, 0]

    def _apply(self, X: Array, h: float) -> Array:
        return np.asarray(self._after(X, h, self._gains @ X[self._order]).full())

    def motion(self, state: Array) -> Array:
        """(x, v, z) of columns of states."""
        return state[self._order]

    def matrix(self, h: float) -> Array:
        X = self._base[:, None] + np.eye(len(self._base))
        return self._apply(X, h) - self._apply(self._base[:, None], h)

    def growth(self, h: float) -> float:
        return float(np.max(np.abs(np.linalg.eigvals(self.matrix(h)))))


def limit(
    scheme: Scheme, linear: Linear, gains: Array | None = None, used: float | None = None
) -> Limit:
    """The largest step at which no deviation grows, but those that the system itself lets grow.

    gains: (nu, 2 nv + nz), inputs per deviation (x, v, z), held over the step, for a controlled
    system. used: a step at which a motion failed; where nothing grows at it, the limit is inf
    without a search, which takes a hundred times as long.
    """
    A = linear.closed(gains)
    values, shapes = np.linalg.eig(A)
    fastest = float(np.max(np.abs(values)))
    if fastest == 0:
        return Limit(scheme.name, np.inf, None)
    grows = values.real > 1e-6 * fastest
    growing = [(abs(values[k]), shapes[:, k]) for k in np.flatnonzero(grows)]
    drifting = int(np.sum(np.abs(values) <= 1e-6 * fastest))  # neither vibrate nor decay
    amplifier = Amplifier(scheme, linear, gains)

    def others(G: Array) -> tuple[Array, Array]:
        """Eigenvalues and motions of what would not grow or drift by itself."""
        found, forms = np.linalg.eig(G)
        forms = amplifier.motion(forms)
        for rate, own in growing:
            alike = _likeness(own, forms, rate, len(linear.M))
            # a scheme with memory has several of this shape: its own growth, and those that decay
            same = np.flatnonzero(alike >= ALIKE * np.max(alike))
            gone = same[np.argmax(np.abs(found[same]))]
            found, forms = np.delete(found, gone), np.delete(forms, gone, axis=1)
        drift = np.argsort(np.abs(found - 1))[:drifting]
        return np.delete(found, drift), np.delete(forms, drift, axis=1)

    def unstable(h: float) -> bool:
        G = amplifier.matrix(h)
        if not np.all(np.isfinite(G)):
            return True
        return not np.max(np.abs(others(G)[0]), initial=0.0) <= 1 + ROUND_OFF

    def behind(h: float) -> Mode:
        """The mode of motion that grows most."""
        found, forms = others(amplifier.matrix(h))
        shape = forms[:, int(np.argmax(np.abs(found)))]
        alike = np.abs(shapes.conj().T @ shape) / np.linalg.norm(shapes, axis=0)
        k = int(np.argmax(alike))
        return mode(values[k], shapes[:, k], linear)

    if used is not None and not unstable(used):
        return Limit(scheme.name, np.inf, None)
    steps = np.geomspace(1e-3, 1e4, 120) / fastest
    first = next((i for i, h in enumerate(steps) if unstable(h)), None)
    if first is None:
        return Limit(scheme.name, np.inf, None)
    if first == 0:
        return Limit(scheme.name, 0.0, behind(steps[0]))
    low, high = steps[first - 1], steps[first]
    while high / low > 1 + 1e-5:
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if unstable(middle) else (middle, high)
    return Limit(scheme.name, float(low), behind(high))


def _likeness(own: Array, forms: Array, rate: float, nv: int) -> Array:
    """Cosines between a deviation (x, v, z) and columns of others; x counts as what it is in v at
    this rate [1/s], as else those that grow and decay alike would hardly differ."""
    weights = np.ones(len(own))
    weights[:nv] = rate
    a, B = weights * own, weights[:, None] * forms
    sizes = np.maximum(np.linalg.norm(B, axis=0), 1e-12 * np.linalg.norm(a))
    return np.abs(a.conj() @ B) / (np.linalg.norm(a) * sizes)


def mode(value: Any, vector: Array, linear: Linear) -> Mode:
    n = len(linear.M)
    motion = vector[n : 2 * n] if np.linalg.norm(vector[n : 2 * n]) > 0 else vector[:n]
    energy = np.abs(motion.conj() * (linear.M @ motion))
    shares = energy / energy.sum() if energy.sum() else energy
    order = np.argsort(-shares)
    return Mode(complex(value), tuple((linear.names[i], float(shares[i])) for i in order))
