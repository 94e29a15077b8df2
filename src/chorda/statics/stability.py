"""stability: whether a robot at rest stays there, and along which move it would first give way."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import eigh

from chorda.errors import InputError
from chorda.mechanics import Array, System, unknown
from chorda.results import Equilibrium
from chorda.results.table import Table
from chorda.statics.at_rest import AtRest, at_rest, listed, most, move_names, null
from chorda.statics.hessians import KINDS, ZERO, Kind, free_moves, judge
from chorda.statics.initial import closed, moved
from chorda.statics.prescribed import Layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WITHOUT = 1e12  # condition of an inertia from which some moves count as massless
HOW = {"locked": "with the motors locked", "constant efforts": "at constant efforts"}
STEPS = 20  # of a displacement along a mode, so that it stays one where closures bend it


def _how(layout: Layout, kind: Kind) -> str:
    """What the motors do, in words; those with a given effort are free to move."""
    if not layout.actuated:
        return "with nothing actuated"
    free = [name for name in layout.efforts if name not in layout.settings]
    if kind == "locked" and free:
        rest = "the other motors locked and " if layout.moved else ""
        return f"with {rest}{', '.join(free)} free (their efforts are given)"
    return HOW[kind]


@dataclass(frozen=True, eq=False)
class Verdict:
    """Of one Hessian: with what is actuated locked, or against constant efforts.

    eigenvalues [J] in ascending order, by coordinates in their scales (1 rad, 1 m, or a bend of
    1 rad over a rod). mode: the critical move, which is the slowest vibration, or the fastest way
    to fall; it does not depend on the choice of coordinates, as the eigenvalues do.
    """

    kind: Kind
    eigenvalues: Array
    mode: Mapping[str, float]
    most: dict[str, float]  # of the mode, its largest entries over the scales
    how: str  # what the motors do, in words
    square: float  # of the mode's angular frequency [1/s^2]; NaN: it has no inertia

    @property
    def _least(self) -> float:
        return ZERO * float(np.max(np.abs(self.eigenvalues), initial=0.0))

    @property
    def negative(self) -> int:
        """How many eigenvalues are negative."""
        return int(np.sum(self.eigenvalues < -self._least))

    @property
    def stable(self) -> bool:
        return bool(np.all(self.eigenvalues > self._least))

    @property
    def margin(self) -> float:
        """The smallest eigenvalue over the largest: 0 where stability is lost."""
        largest = float(np.max(np.abs(self.eigenvalues), initial=0.0))
        return float(self.eigenvalues[0]) / largest if largest else 1.0

    @property
    def word(self) -> str:
        return "stable" if self.stable else "unstable" if self.negative else "neutral"

    @property
    def sentence(self) -> str:
        how, n, pace = self.how, len(self.eigenvalues), float(np.sqrt(abs(self.square)))
        if not n:
            return f"Stable {how}: nothing can move."
        along = listed(self.most)
        if self.negative:
            fast = f", e-fold in {1 / pace:.2g} s" if self.square < 0 else ""
            return (
                f"UNSTABLE {how}: {self.negative} of {n} eigenvalues are negative, the smallest "
                f"{self.eigenvalues[0]:.3g} J; it falls along {along}{fast}."
            )
        if not self.stable:
            return f"NEUTRAL {how}: nothing pulls back along {along}."
        slow = f", its slowest vibration, {pace / (2 * np.pi):.3g} Hz" if self.square > 0 else ""
        return (
            f"Stable {how}: the smallest of {n} eigenvalues is {self.eigenvalues[0]:.3g} J, "
            f"{self.margin:.2g} of the largest; softest along {along}{slow}."
        )


@dataclass(frozen=True, eq=False)
class Stability:
    """Verdicts by name, "locked" and "constant efforts" [Briot2022, eqs. 54-59]."""

    equilibrium: Equilibrium
    verdicts: Mapping[str, Verdict]

    def __getitem__(self, kind: str) -> Verdict:
        if kind not in self.verdicts:
            raise InputError(unknown("kind", str(kind), tuple(self.verdicts)))
        return self.verdicts[kind]

    def displaced(self, amount: float, kind: str = "locked") -> Array:
        """q of a configuration that is moved along the mode, as far as its largest entry says,
        times
        `amount`; closures stay shut."""
        found, verdict = self.equilibrium, self[kind]
        system, q = found.system, found.q
        v = np.array([verdict.mode.get(name, 0.0) for name in move_names(system)])
        still = np.zeros(system.nv), found.u, np.zeros(system.nu), found.parameters
        held = {name: 0.0 for name in move_names(system) if name not in verdict.mode}
        for _ in range(STEPS):
            q = moved(system, q, v * amount / STEPS)
            q = closed(system, held, q, *still)[0]
        return q

    def table(self) -> Table:
        """Both verdicts."""
        lines = tuple(
            (
                x.kind,
                x.word if x.stable else x.word.upper(),
                f"{x.negative} of {len(x.eigenvalues)}",
                f"{x.eigenvalues[0]:.4g} J" if len(x.eigenvalues) else "-",
                f"{x.margin:.2e}",
                listed(x.most) or "-",
            )
            for x in self.verdicts.values()
        )
        header = ("motors", "verdict", "negative", "smallest", "margin", "critical mode")
        return Table(f"{self.equilibrium.system.robot.name}, stability at rest", header, lines)

    def plot(self, path: str | Path | None = None, kind: str = "locked") -> "Figure":
        """Picture of the configuration and of it displaced along the critical mode, to both
        sides."""
        from chorda.view import plot_mode

        return plot_mode(self, kind, path=path)

    def __str__(self) -> str:
        return "\n".join(dict.fromkeys(x.sentence for x in self.verdicts.values()))

    def __repr__(self) -> str:
        told = ", ".join(f"{x.kind} {x.word}" for x in self.verdicts.values())
        return f"<Stability of {self.equilibrium.system.robot.name}: {told}>"


def stability(equilibrium: Equilibrium) -> Stability:
    """Whether an equilibrium is stable: with what is actuated locked, and at constant efforts.

    A robot with nothing actuated has one verdict under both names.

    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> found = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> stability(found)
    <Stability of rfrfr: locked stable, constant efforts stable>
    """
    rest = at_rest(equilibrium)
    problem, system = rest.problem, rest.system
    nv, nc, scale = system.nv, system.nc, system.scales
    A = np.zeros((1, problem.nz, problem.nz))
    A[0, :nv, :nv] = rest.K / np.outer(scale, scale)
    A[0, nv : nv + nc, :nv] = rest.J / scale
    M = _mass(system)(equilibrium.q, equilibrium.parameters).full() * np.outer(scale, scale)
    names = move_names(system)
    verdicts = {}
    for kind in KINDS:
        free = free_moves(problem, kind)
        held = np.delete(np.eye(nv), free, axis=0)
        move, square = _slowest(rest, M, null(np.vstack([rest.J, held])))
        found = Verdict(
            kind=kind,
            eigenvalues=judge(problem, A, kind).eigenvalues[0],
            mode={names[k]: float(move[k] * scale[k]) for k in free},
            most=most(names, move),
            how=_how(problem.layout, kind),
            square=square,
        )
        verdicts[str(kind)] = found
    return Stability(equilibrium, verdicts)


def _mass(system: System) -> Any:
    """(q, p) -> M."""
    return system.once("mass", lambda: system.function("mass", "q p", system.dynamics.M))


def _slowest(rest: AtRest, M: Array, T: Array) -> tuple[Array, float]:
    """Of the vibrations among moves T the slowest, largest entry 1 over the scales, and its angular
    frequency squared. Where some moves have no inertia: the softest over the scales, and NaN."""
    if not T.shape[1]:
        return np.zeros(len(M)), float("nan")
    H, inertia = rest.over(T), T.T @ M @ T
    H, square = (H + H.T) / 2, float("nan")
    if np.linalg.cond(inertia) < WITHOUT:
        values, vectors = eigh(H, inertia)
        square = float(values[0])
    else:
        _, vectors = eigh(H)
    move = T @ vectors[:, 0]
    return np.asarray(move / move[np.argmax(np.abs(move))]), square
