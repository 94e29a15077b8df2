"""What the continuous models return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scipy.spatial.transform import Rotation

from chorda.checks import check_names
from chorda.continuous.along_rods import Nodes
from chorda.continuous.assembly_equations import AssemblyEquations, Evaluation
from chorda.continuous.assembly_structure import POSE
from chorda.continuous.rigid_parts import Configuration
from chorda.continuous.rod_constants import TANGENT
from chorda.mechanics import Array
from chorda.results.equilibrium import NO_ESTIMATE
from chorda.results.late import Late
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.results.spectra import Word
from chorda.results.status import Status


class Judgement(NamedTuple):
    """Whether an equilibrium is stable, in a word and in a sentence."""

    word: Word
    remark: str


NOT_JUDGED = Late.known(Judgement(Word.UNKNOWN, ""))


@dataclass(frozen=True, eq=False)
class RodEquilibrium:
    """A rod at rest.

    Attributes
    ----------
    s : array of shape (n,)
        Points along the rod [m]; two are the same where its strains jump.
    position, rotation : array of shape (n, 3) and (n, 3, 3)
        There, in the world [m].
    strain : array of shape (n, 6)
        In the order of STRAINS, in local axes.
    force, moment : array of shape (n, 3)
        Inside the rod, in local axes [N, N m].
    tension, slack, path : array of shape (tendons,)
        Of each tendon at the base [N], its slack and the length of its path [m].
    residual : float
        The largest one, scaled by the rod's stiffness.
    iterations : int
        Of Newton's method.
    status : Status
        Whether it is an equilibrium, and whether it is stable.
    judgement : Late
        Of `stability`.
    estimate : Late
        Of `accuracy`.

    See Also
    --------
    rod_statics : computes it.
    """

    s: Array
    position: Array
    rotation: Array
    strain: Array
    force: Array
    moment: Array
    tension: Array
    slack: Array
    path: Array
    residual: float
    iterations: int
    status: Status
    judgement: Late[Judgement] = NOT_JUDGED
    estimate: Late[SpaceAccuracy | None] = NO_ESTIMATE

    @property
    def stability(self) -> Word:
        """Whether it is "stable", "neutral", "unstable", or "unknown"; then the status says why."""
        return self.judgement().word

    @property
    def accuracy(self) -> SpaceAccuracy | None:
        """Estimated error of the tip, and of all nodes [m], by solutions with fewer nodes.

        It is None where there is no equilibrium, and computed when it is first asked for.
        """
        return self.estimate()

    @property
    def stable(self) -> bool:
        """Whether it is an equilibrium, and a stable one."""
        return self.status.ok and self.stability == Word.STABLE

    @property
    def tip(self) -> Array:
        """Position of the tip (3,) [m]."""
        return self.position[-1]

    def __repr__(self) -> str:
        return f"<RodEquilibrium at {len(self.s)} points: {self.status}>"


@dataclass(frozen=True, eq=False)
class RodMotion:
    """A motion of a rod from rest.

    Attributes
    ----------
    s : array of shape (n,)
        Points along the rod [m].
    time : array of shape (k,)
        [s].
    centre : array of shape (k, n, 3)
        Centre lines [m].
    tension, slack : array of shape (k, tendons)
        At the base [N, m].
    tension_along : array of shape (k, n, tendons)
        Along the rod [N].
    residual : float
        The largest of all steps, scaled.
    counts : mapping of str to float
        Steps, iterations, factorised, rejected, seconds, segments.
    status : Status
        How far the motion came.

    See Also
    --------
    rod_dynamics : computes it.
    """

    s: Array
    time: Array
    centre: Array
    tension: Array
    tension_along: Array
    slack: Array
    residual: float
    counts: Mapping[str, float]
    status: Status

    @property
    def tip(self) -> Array:
        """Positions of the tip (k, 3) [m]."""
        return self.centre[:, -1]

    @property
    def end_tension(self) -> Array:
        """Tensions where the tendons are attached (k, tendons) [N]."""
        return self.tension_along[:, -1]

    def __repr__(self) -> str:
        return f"<RodMotion of {len(self.time)} times at {len(self.s)} points: {self.status}>"


@dataclass(frozen=True, eq=False)
class AssemblyEquilibrium:
    """An assembly of rods at rest.

    Attributes
    ----------
    efforts : mapping of str to float
        [N m or N] of what is actuated, positive along the coordinate.
    wrenches : mapping of str to array of shape (6,)
        Moment [N m] and force [N] with which each rod pulls at its base, in the base's axes.
    multipliers : mapping of str to float
        By row of the closures.
    energy : float
        Of rods, weights, springs and dead forces [J].
    residual : float
        The largest one, scaled by the rods' stiffness and length.
    iterations : int
        Of Newton's method.
    status : Status
        Whether it is an equilibrium, and whether it is stable.
    equations, configuration, evaluation : object
        From which the other quantities follow.
    judgement : Late
        Of `stability`.
    accuracy : SpaceAccuracy or None
        Estimated error of the rods' tips [m] where an accuracy was asked for, else None.

    See Also
    --------
    shooting : computes it.
    """

    efforts: Mapping[str, float]
    wrenches: Mapping[str, Array]
    multipliers: Mapping[str, float]
    energy: float
    residual: float
    iterations: int
    status: Status
    equations: AssemblyEquations = field(repr=False)
    configuration: Configuration = field(repr=False)
    evaluation: Evaluation = field(repr=False)
    judgement: Late[Judgement] = NOT_JUDGED
    accuracy: SpaceAccuracy | None = None

    @property
    def stability(self) -> Word:
        """With what is actuated locked: "stable", "neutral", "unstable", or "unknown".

        If it is not known, the status says why. It is computed when it is first asked for.
        """
        return self.judgement().word

    @property
    def stable(self) -> bool:
        """Whether it is an equilibrium, and a stable one."""
        return self.status.ok and self.stability == Word.STABLE

    @property
    def nodes(self) -> Nodes:
        """The rods at their nodes."""
        return self.configuration.nodes

    @property
    def position(self) -> dict[str, float]:
        """Coordinates of the rigid joints by name."""
        s, x = self.equations.structure, self.configuration
        values = {joint.name: float(q) for joint, q in zip(s.axes, x.axes, strict=True)}
        for joint, R, p in zip(s.free, x.free_R, x.free_p, strict=True):
            ex, ey, ez, ew = Rotation.from_matrix(R).as_quat()
            for name, value in zip(POSE, (ew, ex, ey, ez, *p), strict=True):
                values[f"{joint.name}.{name}"] = float(value)
        return values

    def frame(self, name: str) -> tuple[Array, Array]:
        """Where a frame is in the world.

        Parameters
        ----------
        name : str
            Of the frame, such as rod.tip.

        Returns
        -------
        position : array of shape (3,)
            Of its origin [m].
        rotation : array of shape (3, 3)
            Its axes as columns.
        """
        rigid = self.equations.rigid
        check_names("frame", [name], rigid.frames)
        R, p, _ = rigid.frame(name, self.configuration)
        return p, R

    def strains(self, rod: str) -> tuple[Array, Array]:
        """The strains along a rod.

        Parameters
        ----------
        rod : str
            Its name.

        Returns
        -------
        s : array of shape (k,)
            Points along it [m].
        strain : array of shape (k, 6)
            In the order of STRAINS.
        """
        i, nodes, rods = self._rod(rod), self.nodes, self.equations.rods
        found = rods.strains(rods.rest_at(nodes.fraction), nodes.m, nodes.n)[:, i]
        return nodes.fraction * rods.length[i], found - TANGENT

    def line(self, rod: str) -> Array:
        """Centre line of a rod in the world.

        Parameters
        ----------
        rod : str
            Its name.

        Returns
        -------
        array of shape (k, 3)
            Points [m].
        """
        return self.nodes.p[:, self._rod(rod)]

    def _rod(self, name: str) -> int:
        names = self.equations.rods.names
        check_names("rod", [name], names)
        return names.index(name)

    def __repr__(self) -> str:
        s = self.equations.structure
        return f"<AssemblyEquilibrium of {s.robot.name}, {len(s.rods)} rods: {self.status}>"
