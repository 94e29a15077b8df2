"""kinematostatics: how a frame and the efforts answer small moves of motors, and a wrench."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.checks import check_names, name_list
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.prescription import AXES
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Equilibrium
from chorda.results.labelled import Labelled, texts
from chorda.results.table import Table
from chorda.statics.at_rest import (
    NO_STIFFNESS,
    AtRest,
    at_rest,
    linearised,
    listed,
    most,
    motors_of,
    move_names,
    null,
)
from chorda.statics.closing import closed, moved
from chorda.statics.prescribe import coordinate_rows
from chorda.statics.singularities import Singularity, singularities

TWIST = ("turn_x", "turn_y", "turn_z", "x", "y", "z")
TWIST_UNITS = ("rad",) * 3 + ("m",) * 3
WRENCH = ("moment_x", "moment_y", "moment_z", "force_x", "force_y", "force_z")
WRENCH_UNITS = ("N m",) * 3 + ("N",) * 3
ROUNDING = 1e-13  # of the largest entry: nothing
NEARBY = 1e-2  # of the scales: configurations that show what can never move
STILL = 1e-9  # of what moves most there: nothing; closures are shut to 1e-12


@dataclass(frozen=True, eq=False)
class Equations:
    """The linear model itself [Briot2022, eqs. 49-51], over velocities in their scales:

    A dq_a + P dx + E dq_e + W_a dtau + W_p dw = 0

    with the balance over the moves Z that closures allow, the closures, and the frame's motion x;
    of that the rows that move, so that forward and inverse are square.
    """

    by_motors: Array  # A
    by_frame: Array  # P
    by_others: Array  # E
    by_efforts: Array  # W_a
    by_wrench: Array  # W_p

    @property
    def forward(self) -> Array:
        """Of what follows (frame, others, efforts) from motors and wrench [Briot2022, eq. 52]."""
        return np.hstack([self.by_frame, self.by_others, self.by_efforts])

    @property
    def inverse(self) -> Array:
        """Of what follows (motors, others, wrench) from frame and efforts [Briot2022, eq. 53]."""
        return np.hstack([self.by_motors, self.by_others, self.by_wrench])


@dataclass(frozen=True, eq=False)
class Kinematostatics:
    """The robot near an equilibrium, linear.

    Turns and places of the frame are in world axes, a wrench acts at its origin.

    Attributes
    ----------
    equilibrium : Equilibrium
        Around which it is linear.
    frame : str
        What is looked at.
    motors : tuple of str
        Coordinates that are moved.
    counted : tuple of str
        Turns and places of the frame that shall be reached with them.
    still : tuple of str
        Turns and places of the frame that nothing can change, here and near.
    loose : dict of str to float
        A move that nothing resists with the motors locked, else empty; where there is one, the
        matrices are NaN.
    jacobian : Labelled
        Frame per motor, at constant load.
    motor_stiffness : Labelled
        Effort per motor, at constant load.
    compliance : Labelled
        Frame per wrench, motors locked.
    free_compliance : Labelled or None
        The same at constant efforts, None where nothing resists.
    transmission : Labelled
        Effort per wrench, motors locked; it is -jacobian^T.
    equations : Equations
        From which these follow.
    singularities : tuple of Singularity
        How far each kind is.

    See Also
    --------
    chorda.kinematostatics : computes it, with an example.
    """

    equilibrium: Equilibrium
    frame: str
    motors: tuple[str, ...]
    counted: tuple[str, ...]  # of TWIST: what the inverse prescribes
    still: tuple[str, ...]
    loose: dict[str, float]
    jacobian: Labelled
    motor_stiffness: Labelled
    compliance: Labelled
    free_compliance: Labelled | None
    transmission: Labelled
    equations: Equations
    singularities: tuple[Singularity, ...]

    def inverse(self, rows: Sequence[str] | None = None) -> Labelled:
        """Solve for motors per turn or place of the frame, at constant load.

        Where there are not as many of these as motors, the least squares of both: `exact` tells.

        Parameters
        ----------
        rows : sequence of str, optional
            Which turns and places, such as x and y; by default those that are counted.

        Returns
        -------
        Labelled
            A row for each motor, a column for each turn or place.
        """
        at, J = self._reached(rows)
        values = np.full(J.T.shape, np.nan) if self.loose else np.asarray(np.linalg.pinv(J))
        names, units = (tuple(words[i] for i in at) for words in (TWIST, TWIST_UNITS))
        return Labelled(values, self.motors, names, self.jacobian.column_units, units)

    def exact(self, rows: Sequence[str] | None = None) -> bool:
        """Whether `inverse` reaches any small change of these rows, in one way.

        Parameters
        ----------
        rows : sequence of str, optional
            As of `inverse`.

        Returns
        -------
        bool
            False where it is a compromise.
        """
        _, J = self._reached(rows)
        return not self.loose and bool(J.shape[0] == J.shape[1] == np.linalg.matrix_rank(J))

    def _reached(self, rows: Sequence[str] | None) -> tuple[list[int], Array]:
        """Rows of the jacobian, those that are counted where none are named, and what is in them
        without rounding that would look like a reach."""
        J = self.jacobian.values
        nothing = np.abs(J) <= ROUNDING * np.max(np.abs(J), initial=0.0)
        at = [TWIST.index(name) for name in (self.counted if rows is None else _rows(rows))]
        return at, np.where(nothing, 0.0, J)[at]

    @property
    def stiffness(self) -> Labelled:
        """Wrench per turn and place, motors locked: zero along what does not yield."""
        return _stiffness(self.compliance)

    @property
    def free_stiffness(self) -> Labelled | None:
        """Wrench per turn and place, at constant efforts."""
        return None if self.free_compliance is None else _stiffness(self.free_compliance)

    def table(self) -> Table:
        """What follows (columns) from a unit of each motor and of the wrench (rows).

        Returns
        -------
        Table
            It prints itself.
        """
        rows = [i for i, name in enumerate(TWIST) if name not in self.still]
        caused = np.hstack([self.jacobian.values, self.compliance.values[:, rows]])[rows]
        efforts = np.hstack([self.motor_stiffness.values, self.transmission.values[:, rows]])
        units = self.transmission.row_units
        motors = zip(self.motors, self.jacobian.column_units, strict=True)
        causes = [*motors, *((WRENCH[i], WRENCH_UNITS[i]) for i in rows)]
        names = [f"{name} [{unit}]" for name, unit in causes]
        header = (
            "per",
            *(f"{TWIST[i]} [{TWIST_UNITS[i]}]" for i in rows),
            *(f"{name} effort [{u}]" for name, u in zip(self.motors, units, strict=True)),
        )
        follows = np.vstack([caused, efforts])
        lines = tuple(
            (name, *texts(column, follows)) for name, column in zip(names, follows.T, strict=True)
        )
        still = f"{', '.join(self.still)} of the frame cannot move. " if self.still else ""
        if self.loose:
            still += f"SINGULAR: nothing resists along {listed(self.loose)}. "
        note = f"{still}Per motor at constant load, per wrench with the motors locked."
        title = f"{self.equilibrium.system.robot.name}, kinemato-statics of {self.frame}"
        return Table(title, header, lines, note)

    def singularity_table(self) -> Table:
        """How far singularities are, and which way.

        Returns
        -------
        Table
            It prints itself.
        """
        lines = tuple(
            (x.name, f"{x.distance:.2e}", f"{x.smallest:.3g} {x.unit}", listed(x.direction))
            for x in self.singularities
        )
        header = ("singularity", "distance", "smallest singular value", "direction")
        note = "; ".join(f"{x.name}: {x.meaning}" for x in self.singularities) + "."
        title = f"Distances from singularities ({', '.join(self.counted) or 'nothing'} counted)"
        return Table(title, header, lines, note)

    def __str__(self) -> str:
        return f"{self.table()}\n\n{self.singularity_table()}"

    def __repr__(self) -> str:
        robot = self.equilibrium.system.robot.name
        near = min(self.singularities, key=lambda x: x.distance, default=None)
        nearest = f"; nearest singularity {near.name}, {near.distance:.1e}" if near else ""
        return f"<Kinematostatics of {robot} at {self.frame}, {len(self.motors)} motors{nearest}>"


@interruptible()
@one_thread()
def kinematostatics(
    equilibrium: Equilibrium,
    frame: str,
    *,
    motors: Sequence[str] | None = None,
    rows: Sequence[str] | None = None,
) -> Kinematostatics:
    """The linear model of a robot at rest, seen at a frame.

    How the frame and the efforts answer small moves of motors, and a wrench [Briot2022, eqs.
    42-53].

    Parameters
    ----------
    equilibrium : Equilibrium
        Around which it is linear.
    frame : str
        Such as leg1.tip.
    motors : sequence of str, optional
        Coordinates that are moved; else those that were held, or actuated to place a frame.
    rows : sequence of str, optional
        Turns and places of the frame that shall be reached with them (turn_x, ..., x, y, z); else
        those that were placed, or as many as there are motors, or all that move.

    Returns
    -------
    Kinematostatics
        Jacobian, stiffness, compliance, and distances from singularities.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    stability : whether it stays there.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> found = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> near = kinematostatics(found, "leg1.tip")
    >>> near.still
    ('turn_x', 'turn_y', 'z')
    >>> bool(near.jacobian["y", "motor1"] < 0)  # outwards, and down
    True
    """
    rest = at_rest(equilibrium, str(frame))  # which would take None for no frame
    names = motors_of(rest.problem, motors)
    places = coordinate_rows(rest.system)
    at = [places[name] for name in names]
    moving = _moving(rest, equilibrium, frame)
    counted = _rows(rows) if rows is not None else _usual(rest, frame, moving, len(names))
    answer = _locked(rest, at, names)
    scale, units = rest.system.scales[at], [rest.system.velocities[k][1] for k in at]
    turn = tuple(unit.removesuffix("/s") for unit in units)
    effort = tuple("N" if unit == "m" else "N m" for unit in turn)
    free = _soft(rest, null(rest.J))
    return Kinematostatics(
        equilibrium=equilibrium,
        frame=frame,
        motors=names,
        counted=counted,
        still=tuple(name for k, name in enumerate(TWIST) if k not in moving),
        loose=_loose(rest, at) if np.isnan(answer.by_wrench).any() else {},
        jacobian=Labelled(answer.by_motors / scale, TWIST, names, TWIST_UNITS, turn),
        motor_stiffness=Labelled(
            answer.effort / np.outer(scale, scale), names, names, effort, turn
        ),
        compliance=Labelled(answer.by_wrench, TWIST, WRENCH, TWIST_UNITS, WRENCH_UNITS),
        free_compliance=None
        if free is None
        else Labelled(rest.V @ free @ rest.V.T, TWIST, WRENCH, TWIST_UNITS, WRENCH_UNITS),
        transmission=Labelled(answer.carried / scale[:, None], names, WRENCH, effort, WRENCH_UNITS),
        equations=_equations(rest, at, moving),
        singularities=singularities(rest, at, [TWIST.index(name) for name in counted], moving),
    )


@dataclass(frozen=True)
class _Answer:
    by_motors: Array  # frame
    by_wrench: Array
    effort: Array  # by motors
    carried: Array  # effort by wrench


def _locked(rest: AtRest, motors: Sequence[int], names: Sequence[str]) -> _Answer:
    """Frame and efforts by motors and wrench, from the balance over what is free then."""
    B, n = rest.unit(motors), len(motors)
    held = np.vstack([rest.J, B.T])
    forced = np.linalg.pinv(held)[:, len(rest.J) :]  # a move that the closures allow
    if not np.allclose(held @ forced, np.eye(len(held))[:, len(rest.J) :], atol=1e-8):
        raise InputError(
            f"motors: the closures do not let {', '.join(names)} move each by itself; name fewer"
        )
    soft = _soft(rest, null(held))
    if soft is None:
        soft = np.full_like(rest.K, np.nan)
    V, K = rest.V, rest.K
    by_motors, by_wrench = forced + soft @ K @ forced, soft @ V.T
    return _Answer(
        (V @ by_motors).reshape(6, n),
        V @ by_wrench,
        -forced.T @ K @ by_motors,
        -forced.T @ (K @ by_wrench + V.T),
    )


def _soft(rest: AtRest, T: Array) -> Array | None:
    """Moves per force over the moves T; None: the frame moves and nothing resists."""
    if not T.shape[1]:
        return np.zeros_like(rest.K)
    H = rest.over(T)
    U, sizes, Vt = np.linalg.svd(H)
    good = sizes > NO_STIFFNESS * max(float(sizes[0]), 1e-300)
    loose = T @ Vt[~good].T
    if loose.size and np.max(np.abs(rest.V @ loose)) > 1e-8 * np.max(np.abs(rest.V)):
        return None
    return np.asarray(T @ (Vt[good].T / sizes[good]) @ U[:, good].T @ T.T)


def _loose(rest: AtRest, motors: Sequence[int]) -> dict[str, float]:
    """The softest move with the motors locked."""
    T = null(np.vstack([rest.J, rest.unit(motors).T]))
    return most(move_names(rest.system), T @ np.linalg.svd(rest.over(T))[2][-1])


def _equations(rest: AtRest, motors: Sequence[int], moving: Sequence[int]) -> Equations:
    K, V, n = rest.K, rest.V[list(moving)], rest.K.shape[0]
    Z = null(rest.J)
    J = null(Z.T).T  # the closures that are independent
    others = [k for k in range(n) if k not in motors]
    rows = np.vstack([Z.T @ K, J, V])
    frame = np.vstack([np.zeros((n, len(V))), -np.eye(len(V))])

    def forces(on: Array) -> Array:
        return np.vstack([Z.T @ on, np.zeros((len(J) + len(V), on.shape[1]))])

    return Equations(
        rows[:, list(motors)], frame, rows[:, others], forces(rest.unit(motors)), forces(V.T)
    )


def _stiffness(compliance: Labelled) -> Labelled:
    """The inverse, over what moves; turns and places in sizes of their own, so that the units do
    not decide what is small."""
    C = compliance.values
    if np.isnan(C).any():  # nothing resists
        return Labelled(np.full((6, 6), np.nan), WRENCH, TWIST, WRENCH_UNITS, TWIST_UNITS)
    yields = np.abs(np.diag(C))
    size = np.where(yields > ROUNDING * yields.max(), np.sqrt(yields), 1.0)
    K = np.linalg.pinv(C / np.outer(size, size), rcond=1e-10) / np.outer(size, size)
    return Labelled(K, WRENCH, TWIST, WRENCH_UNITS, TWIST_UNITS)


def _moving(rest: AtRest, equilibrium: Equilibrium, frame: str) -> list[int]:
    """Rows of V that the closures let move, here or near: at the edge of what a robot can reach,
    its frame stands still to first order, and yet it is not fixed."""
    size = np.max(
        [
            np.max(np.abs(V @ null(J)), axis=1, initial=0.0)
            for J, V in [(rest.J, rest.V), *_nearby(rest, equilibrium, frame)]
        ],
        axis=0,
    )
    return [k for k in range(6) if size[k] > STILL * max(float(size.max()), 1e-300)]


def _nearby(rest: AtRest, found: Equilibrium, frame: str) -> list[tuple[Array, Array]]:
    """J and V at two other configurations with the closures shut; open, more could move than
    can."""
    system, Z, random = rest.system, null(rest.J), np.random.default_rng(0)
    still = np.zeros(system.nv), found.u, np.zeros(system.nu), found.parameters
    s = system.scales
    near = []
    for _ in range(2 if Z.shape[1] else 0):
        move = Z @ random.standard_normal(Z.shape[1])
        q = moved(system, found.q, NEARBY * s * move / np.max(np.abs(move)))
        try:
            q = closed(system, None, q, *still)[0]
        except InputError:  # no configuration of the robot
            continue
        _, J, V = linearised(found, q, (frame,))
        near.append((np.vstack([J * s, rest.J[system.nc :]]), V * s))
    return near


def _usual(rest: AtRest, frame: str, moving: Sequence[int], motors: int) -> tuple[str, ...]:
    """What the inverse prescribes where nothing is said."""
    given = rest.problem.prescription
    placed = [axis for name, axis in given.positions if name == frame]
    turned = TWIST[:3] if frame in given.rotations else ()
    wanted = tuple(name for name in TWIST if name in (*turned, *placed))
    if wanted:
        return wanted
    names = tuple(TWIST[k] for k in moving)
    places = tuple(name for name in names if name in AXES)
    return places if len(places) == motors != len(names) else names


def _rows(rows: Sequence[str]) -> tuple[str, ...]:
    rows = name_list("rows", rows)
    check_names("rows", rows, TWIST)
    return tuple(dict.fromkeys(rows))
