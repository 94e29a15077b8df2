"""stability: whether a robot at rest stays there, and along which move it would first give way."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chorda.checks import check_names
from chorda.mechanics import Array
from chorda.mechanics.prescription import Prescription
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Equilibrium
from chorda.results.spectra import (
    KINDS,
    Kind,
    Word,
    criterion,
    growth,
    instability,
    margin,
    word,
)
from chorda.results.table import Table
from chorda.statics.at_rest import AtRest, at_rest, listed, most, move_names, null
from chorda.statics.branch import state_of
from chorda.statics.closing import closed, moved
from chorda.statics.hessians import free_moves, motion, spectra
from chorda.statics.sticking import with_bristles
from chorda.statics.well_conditioned import seen_back, well_conditioned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MASSLESS = 1e12  # condition of an inertia from which some moves count as massless
STEPS = 20  # of a displacement along a mode, so that it stays one where closures bend it


def _how(given: Prescription, kind: Kind) -> str:
    """What the motors do, in words; those with a given effort or tension are free to move."""
    constant = [f"{name}.tension" for name in given.tensions]
    moved = [name for name in given.moved if name not in given.winders]
    efforts = [f"{name}.effort" for name in given.efforts]
    if not moved and not efforts and not constant:
        return "with nothing actuated"
    if kind == "constant efforts":
        return "at constant efforts" + (" and tensions" if constant else "")
    if efforts or constant:
        rest = "the motors locked and " if moved else ""
        return f"with {rest}constant {', '.join([*efforts, *constant])}"
    return "with the motors locked"


@dataclass(frozen=True, eq=False)
class HessianStability:
    """Stability by one Hessian: with what is actuated locked, or against constant efforts; by the
    linearised motion where forces have no energy.

    Attributes
    ----------
    eigenvalues : [J] ascending, by coordinates in their scales (1 rad, 1 m, or a bend of 1 rad over
        a rod); real parts where the motion decides.
    negative, neutral : how many of them are negative, and zero; where the motion decides, how many
        of its own grow, and how many are zero.
    mode : the critical move, which is the slowest vibration, or the fastest way to fall; it does
        not depend on the choice of coordinates, as the eigenvalues do.
    most : of the mode, its largest entries over the scales.
    how : what the motors do, in words.
    square : of the mode's angular frequency [1/s^2]; NaN: it has no inertia.
    leading : of the motion, the eigenvalue [1/s] that grows fastest or fades slowest; NaN where the
        energy decides.
    """

    kind: Kind
    eigenvalues: Array
    negative: int
    neutral: int
    mode: Mapping[str, float]
    most: dict[str, float]
    how: str
    square: float
    leading: complex = complex("nan")

    @property
    def criterion(self) -> str:
        """What decided: the energy, or the motion where forces have none."""
        return criterion(self.leading)

    @property
    def instability(self) -> str:
        """How it leaves its place if it is unstable: "divergence" (one way) or "flutter"."""
        return instability(self.negative > 0, self.leading)

    @property
    def stability(self) -> Word:
        """Stable, neutral or unstable."""
        return word(self.negative, self.neutral)

    @property
    def stable(self) -> bool:
        return self.stability == Word.STABLE

    @property
    def margin(self) -> float:
        """The smallest eigenvalue over the largest: 0 where stability is lost."""
        return float(margin(self.eigenvalues))

    @property
    def sentence(self) -> str:
        how, n, pace = self.how, len(self.eigenvalues), float(np.sqrt(abs(self.square)))
        if not n:
            return f"Stable {how}: nothing can move."
        along = listed(self.most)
        if self.criterion == "motion":
            return self._of_motion(along)
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

    def _of_motion(self, along: str) -> str:
        """Where forces have no energy."""
        why = "; forces have no energy, and the motion decides."
        if self.negative:
            what = f"by {self.instability} {self.how}: {growth(self.leading)}"
            return f"UNSTABLE {what}, along {along}{why}"
        if not self.stable:
            return f"NEUTRAL {self.how}: nothing pulls back along {along}{why}"
        pace = abs(self.leading.imag) / (2 * np.pi)
        fades = f" that fades e-fold in {-1 / self.leading.real:.2g} s" if self.leading.real else ""
        swings = f"a vibration of {pace:.3g} Hz" if pace else "a motion"
        return f"Stable {self.how}: {swings}{fades} leads, along {along}{why}"


@dataclass(frozen=True, eq=False)
class Stability:
    """Whether a robot at rest stays there, by kind: "locked" and "constant efforts".

    [Briot2022, eqs. 54-59].

    Attributes
    ----------
    equilibrium : Equilibrium
        What was judged.
    kinds : mapping of str to HessianStability
        The judgement by each Hessian; `stability["locked"]` is the first of them.

    See Also
    --------
    chorda.stability : computes it, with an example.
    """

    equilibrium: Equilibrium
    kinds: Mapping[str, HessianStability]

    def __getitem__(self, kind: str) -> HessianStability:
        check_names("kind", [kind], self.kinds)
        return self.kinds[kind]

    def displaced(self, amount: float, kind: str = "locked") -> Array:
        """Move the configuration along the critical mode; closures stay shut.

        Parameters
        ----------
        amount : float
            How far the largest entry of the mode moves [rad, m ...].
        kind : {"locked", "constant efforts"}
            Of the Hessian.

        Returns
        -------
        array of shape (nq,)
            Coordinates.
        """
        found, chosen = self.equilibrium, self[kind]
        system, q = found.system, found.q
        v = np.array([chosen.mode.get(name, 0.0) for name in move_names(system)])
        still = np.zeros(system.nv), found.u, np.zeros(system.nu), found.parameters
        held = {name: 0.0 for name in move_names(system) if name not in chosen.mode}
        for _ in range(STEPS):
            q = moved(system, q, v * amount / STEPS)
            q = closed(system, held, q, *still)[0]
        return q

    def table(self) -> Table:
        """Both kinds, side by side.

        Returns
        -------
        Table
            It prints itself.
        """
        lines = tuple(
            (
                x.kind,
                _stability_cell(x),
                f"{x.negative} of {len(x.eigenvalues)}",
                f"{x.eigenvalues[0]:.4g} J" if len(x.eigenvalues) else "-",
                f"{x.margin:.2e}",
                listed(x.most) or "-",
            )
            for x in self.kinds.values()
        )
        header = ("motors", "stability", "negative", "smallest", "margin", "critical mode")
        return Table(f"{self.equilibrium.system.robot.name}, stability at rest", header, lines)

    def plot(self, path: str | Path | None = None, kind: str = "locked") -> "Figure":
        """Picture of the configuration, and of it displaced along the critical mode to both sides.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.
        kind : {"locked", "constant efforts"}
            Of the Hessian.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.view import plot_mode

        return plot_mode(self, kind, path=path)

    def __str__(self) -> str:
        return "\n".join(dict.fromkeys(x.sentence for x in self.kinds.values()))

    def __repr__(self) -> str:
        words = ", ".join(f"{x.kind} {x.stability}" for x in self.kinds.values())
        return f"<Stability of {self.equilibrium.system.robot.name}: {words}>"


def _stability_cell(found: HessianStability) -> str:
    if found.stable:
        return found.stability
    how = f" by {found.instability}" if found.criterion == "motion" and found.negative else ""
    return found.stability.upper() + how


@interruptible()
@one_thread()
def stability(equilibrium: Equilibrium) -> Stability:
    """Whether an equilibrium is stable: with what is actuated locked, and at constant efforts.

    A robot with nothing actuated has one answer under both names.

    Parameters
    ----------
    equilibrium : Equilibrium
        From any verb.

    Returns
    -------
    Stability
        By kind, with the critical mode; it prints sentences.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    kinematostatics : how far singularities are.

    Examples
    --------
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
    x = state_of(problem, equilibrium)
    A = np.zeros((1, problem.nz, problem.nz))
    A[0, :nv, :nv] = rest.K / np.outer(scale, scale)
    A[0, nv : nv + nc, :nv] = rest.J[:nc] / scale
    seen, X, B = well_conditioned(problem, x[None], A)
    if seen is not problem:
        J = np.vstack([B[0, nv : nv + nc, :nv] * scale, rest.J[nc:]])
        rest = AtRest(seen, B[0, :nv, :nv] * np.outer(scale, scale), J, rest.V)
    still = np.zeros(nv), equilibrium.u, equilibrium.parameters
    bent = with_bristles(seen, X, np.zeros_like(A))[0, :nv, :nv]
    rest = replace(rest, K=rest.K + bent * np.outer(scale, scale))
    M = seen.system.equations(X[0, : system.nq], *still)[0].full() * np.outer(scale, scale)
    names = move_names(system)
    kinds = {}
    for kind in KINDS:
        free = free_moves(problem, kind)
        held = np.delete(np.eye(nv), free, axis=0)
        move, square = _slowest(rest, M, null(np.vstack([rest.J, held])))
        found = spectra(problem, x[None], A, kind)
        leading = complex(found.leading[0])
        if not np.isnan(leading):
            move, square = _leading(rest, X[0], null(np.vstack([rest.J, held])))
        move = seen_back(problem, seen, move)
        move = move / (move[np.argmax(np.abs(move))] or 1.0)
        kinds[str(kind)] = HessianStability(
            kind=kind,
            eigenvalues=found.eigenvalues[0],
            negative=int(found.negative[0]),
            neutral=int(found.neutral[0]),
            mode={names[k]: float(move[k] * scale[k]) for k in free},
            most=most(names, move),
            how=_how(problem.prescription, kind),
            square=square,
            leading=leading,
        )
    return Stability(equilibrium, kinds)


def _leading(rest: AtRest, x: Array, T: Array) -> tuple[Array, float]:
    """Of the motions among moves T the leading one, largest entry 1 over the scales and real, and
    its angular frequency squared."""
    found = motion(rest.problem, x, rest.over(T), rest.system.scales[:, None] * T)
    move = T @ found.mode
    largest = move[np.argmax(np.abs(move))]
    return np.asarray((move / (largest or 1.0)).real, float), -float((found.leading**2).real)


def _slowest(rest: AtRest, M: Array, T: Array) -> tuple[Array, float]:
    """Of the vibrations among moves T the slowest, largest entry 1 over the scales, and its angular
    frequency squared. Where some moves have no inertia: the softest over the scales, and NaN."""
    from scipy.linalg import eigh

    if not T.shape[1]:
        return np.zeros(len(M)), float("nan")
    H, inertia = rest.over(T), T.T @ M @ T
    H, square = (H + H.T) / 2, float("nan")
    if np.linalg.cond(inertia) < MASSLESS:
        values, vectors = eigh(H, inertia)
        square = float(values[0])
    else:
        _, vectors = eigh(H)
    move = T @ vectors[:, 0]
    return np.asarray(move / move[np.argmax(np.abs(move))]), square
