"""The System: a robot in generalized coordinates, as symbols and expressions.

    M(q, p) a = F(q, v, u, p) + J(q, u, p)^T lam,    psi(q, u, p) = 0,    q_dot = N(q) v

The last nz coordinates may be states of first order, z_dot = source - decay z (first_order.py).

Everything after mechanics/ is generic over it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from chorda.checks import check_names, numeric, unit_quaternion, unknown
from chorda.describe import JointMotion, Robot
from chorda.mechanics.contacts.touch_records import TouchForce
from chorda.mechanics.first_order import settled
from chorda.mechanics.frames import Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.picture import Picture
from chorda.mechanics.records import (
    Array,
    Constraints,
    Dynamics,
    Frames,
    Input,
    Limit,
    Line,
    Output,
    ParameterTable,
)
from chorda.mechanics.subexpressions import shared
from chorda.mechanics.tendon_forces import Tendons
from chorda.notebook_tables import notebook_table
from chorda.numerics.array_library import host, library
from chorda.plurals import many

if TYPE_CHECKING:
    from chorda.mechanics.articulated.articulated_steps import ArticulatedSteps

__all__ = ["Array", "Input", "Line", "Output", "System", "check_names", "numeric", "unknown"]

COMPLIANCE = 1e-12  # of closures that depend on each other, over what inertia leaves
SLIPPING = 0.05  # part of the friction: with less left of it a contact slips
MANY_VELOCITIES = 24  # from which on an exact matrix costs much more than a residual


class Lazy:
    """A CasADi function of a System's symbols, made when first asked for.

    Results are named by their path in the System.
    """

    def __init__(self, arguments: str, *results: str) -> None:
        self.arguments, self.results = arguments, results

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, system: "System | None", owner: type) -> Any:
        if system is None:
            return self
        results = (attrgetter(path)(system) for path in self.results)
        made = system.function(self.name, self.arguments, *results)
        vars(system)[self.name] = made  # found there before this descriptor from now on
        return made


@dataclass(frozen=True, eq=False)
class System:
    """A robot's equations of motion: symbols, and what follows from them; see the module's text.

    Attributes
    ----------
    robot : Robot
        The description.
    mode : {"elastic", "rigid"}
        How tendons are modelled.
    coordinates, velocities, inputs, outputs : tuple
        Names and units.
    q, v, a, lam, u, p : casadi.SX
        Symbols: coordinates, velocities, accelerations, multipliers, inputs, parameters.
    parameter_table : ParameterTable
        Names, values and units of the parameters.
    dynamics : Dynamics
        Expressions of M a = F + J^T lam, and the energies.
    constraints : Constraints
        Closures, couplings and rigid tendons.
    tendons : Tendons
        Lengths, moment arms, tensions.
    picture : Picture
        What is drawn.
    frames : Frames
        Poses of all frames.
    quaternions : tuple of int
        Where unit quaternions start in q.
    limits : tuple of Limit
        Of motors.
    touches : tuple of TouchForce
        Points where declared pairs of shapes touch.

    See Also
    --------
    chorda.assemble : makes one.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.neck(1))
    >>> system.nq, system.coordinate_names
    (3, ('x1', 'motor-right1', 'motor-left'))
    """

    robot: Robot
    mode: str  # "elastic" or "rigid" tendons
    coordinates: tuple[Coordinate, ...]
    velocities: tuple[tuple[str, str], ...]  # name and unit
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    q: Expr
    v: Expr
    a: Expr
    lam: Expr
    u: Expr
    p: Expr
    parameter_table: ParameterTable
    dynamics: Dynamics
    constraints: Constraints
    tendons: Tendons
    picture: Picture
    frames: Frames
    quaternions: tuple[int, ...]  # where unit quaternions start in q
    limits: tuple[Limit, ...] = ()  # of motors
    touches: tuple[TouchForce, ...] = ()  # points where declared pairs of shapes touch
    _made: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Make something when it is first asked for, and keep it with the system.

        Parameters
        ----------
        key : hashable
            By which it is kept.
        make : callable
            Makes it.

        Returns
        -------
        object
            What `make` returned.
        """
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    @property
    def nq(self) -> int:
        """How many coordinates there are."""
        return len(self.coordinates)

    @property
    def nz(self) -> int:
        """How many of the coordinates, the last ones, are states of first order."""
        return int(self.dynamics.source.numel())

    @property
    def nv(self) -> int:
        """How many velocities there are."""
        return len(self.velocities)

    @property
    def nu(self) -> int:
        """How many inputs there are."""
        return len(self.inputs)

    @property
    def nc(self) -> int:
        """How many independent constraints there are."""
        return len(self.constraints.names)

    @cached_property
    def compliance(self) -> float:
        """Of closures that depend on each other [over an inertia]: they share their forces then.

        It is 0 where all are independent.
        """
        if not self.constraints.dependent:
            return 0.0
        still, p = np.zeros(self.nv), self.parameter_values
        M, _, _, J, _, _ = (
            x.full() for x in self.equations(self.start, still, np.zeros(self.nu), p)
        )
        return COMPLIANCE * float(np.mean(np.diag(J @ np.linalg.lstsq(M, J.T, rcond=None)[0])))

    @property
    def reuses_matrix(self) -> bool:
        """Whether Newton's method keeps its matrix from step to step: one costs many residuals."""
        if self.articulated is not None and self.articulated.corrects:
            return False
        return self.nv > MANY_VELOCITIES or self.dynamics.approximate_tangent is not None

    @property
    def articulated(self) -> "ArticulatedSteps | None":
        """Steps by recursion over the tree, of robots without rods."""
        return self.dynamics.articulated

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Inputs that are given by themselves: all but the rates, which are the last ones."""
        return tuple(i.name for i in self.inputs if i.kind != "rate")

    def idle(self, q: Array | None = None) -> dict[str, float]:
        """Give the inputs that nobody gives: zero, but for motions of joints.

        Parameters
        ----------
        q : array of shape (nq,), optional
            Where joints stay whose motion is prescribed; by default where the robot starts.

        Returns
        -------
        dict of str to float
            Of all inputs but rates, by name.

        Examples
        --------
        >>> from chorda.catalogue import load
        >>> from chorda.mechanics import assemble
        >>> assemble(load("wire-tube")).idle()
        {'feed': 0.04}
        """
        q = self.start if q is None else q
        moved = {name: float(q[row]) for name, row in self.led.items()}
        return {name: moved.get(name, 0.0) for name in self.given}

    @cached_property
    def led(self) -> dict[str, int]:
        """Inputs that are motions of joints, and which coordinates these are."""
        names = self.coordinate_names
        return {
            x.name: names.index(x.joint)
            for x in self.robot.actuators
            if isinstance(x, JointMotion) and x.joint in names
        }

    @cached_property
    def commanded(self) -> tuple[str, ...]:
        """Inputs of tendons and joints, the first ones: forces on frames may be left out."""
        return tuple(i.name for i in self.inputs if i.kind not in ("rate", "wrench"))

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates: joints, modes of rods, motors, states of first order."""
        return tuple(c.name for c in self.coordinates)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return self.parameter_table.names

    @property
    def parameter_values(self) -> Array:
        """Values of the parameters, as described."""
        return self.parameter_table.values

    @property
    def psi_u(self) -> Expr:
        """Derivative of the constraints by the inputs."""
        return self.constraints.psi_u

    @property
    def rest(self) -> Array:
        """The reference configuration."""
        return np.array([c.rest for c in self.coordinates])

    @property
    def start(self) -> Array:
        """The configuration that solvers begin with."""
        q, names = self.rest, self.coordinate_names
        for name, value in self.robot.start.items():
            q[names.index(name)] = value
        return self.unit(q, f"{self.robot.name}: start")

    @cached_property
    def scales(self) -> Array:
        """A large change along each velocity: 1 rad, 1 m, or a bend of 1 rad over a rod."""
        known = {f"{c.name}.rate": c.scale for c in self.coordinates}
        return np.array([known.get(name, 1.0) for name, _ in self.velocities])

    def parameters(self, changes: Mapping[str, float] | None = None) -> Array:
        """All parameter values, some of them changed.

        Parameters
        ----------
        changes : mapping of str to float, optional
            By name; '*' in a name changes all that match.

        Returns
        -------
        array of shape (np,)
            In the order of `parameter_names`.

        Examples
        --------
        >>> import chorda
        >>> system = chorda.assemble(chorda.neck(1))
        >>> p = system.parameters({"motor-*.inertia": 2e-4})
        >>> p[system.parameter_names.index("motor-left.inertia")].item()
        0.0002
        """
        return self.parameter_table.changed(changes)

    # Functions of the symbols, made when first asked for -------------------------------------

    def function(self, name: str, arguments: str, *results: Expr) -> Any:
        """Make a CasADi function of some of the system's symbols.

        Parameters
        ----------
        name : str
            Of the function.
        arguments : str
            Symbols, such as 'q v u p' or 'pulls q'.
        *results : casadi.SX
            Expressions of them.

        Returns
        -------
        casadi.Function
            It takes and returns matrices.

        Examples
        --------
        >>> import chorda
        >>> system = chorda.assemble(chorda.neck(1))
        >>> arms = system.function("arms", "q p", system.tendons.Z)
        >>> arms(system.rest, system.parameter_values).shape
        (3, 2)
        """
        owner = {"pulls": self.tendons}
        inputs = [getattr(owner.get(symbol, self), symbol) for symbol in arguments.split()]
        return ca.Function(name, inputs, shared(inputs, results), {"allow_free": False})

    residual = Lazy("q v a u p", "dynamics.residual")  # M a - F
    equations = Lazy(  # M, F, dry, J, bias, psi
        "q v u p",
        *("dynamics.M", "dynamics.F", "dynamics.dry"),
        *("constraints.J", "constraints.bias", "constraints.psi"),
    )
    closing = Lazy("q u p", "constraints.psi", "constraints.J")
    closing_all = Lazy("q u p", "constraints.all_psi", "constraints.all_J")  # dependent ones too
    gaps = Lazy("q u p", "constraints.all_psi")  # of closures
    jumps = Lazy("q v u p", "dynamics.jumping")  # Newton's method holds it over a step
    kinematics = Lazy("q", "dynamics.N")
    moving = Lazy("q v u p", "dynamics.q_dot")
    relaxation = Lazy("q v u p", "dynamics.source", "dynamics.decay")  # of states of first order

    @cached_property
    def at_rest(self) -> Any:
        """(q, u, p) -> q with settling states of first order as they are at rest."""
        q = ca.densify(settled(self.dynamics.states, self.q)[0])
        still = ca.substitute(q, self.v, ca.SX.zeros(self.nv))
        return self.function("at_rest", "q u p", still)

    energies = Lazy("q v u p", "dynamics.kinetic", "dynamics.potential")  # [J]
    drawing = Lazy("q p", "picture.points")  # 3 x n world positions [m]
    solids = Lazy("q p", "picture.solids")  # 13 x n: shapes that are fixed in frames
    clearing = Lazy("q p", "tendons.gaps")  # what is left of each clearance [m]
    winding = Lazy("q p", "tendons.winding_angles")  # lengths jump where one jumps [rad]
    stretched = Lazy("pulls q p", "tendons.resting.stretch")  # static elongation of each tendon [m]
    tautness = Lazy("q v u p", "tendons.unrectified")  # of one-sided tendons: slack below 0 [N]

    margins = Lazy("q v u p", "margin")  # what is left of each limit: it acts below 0

    @property
    def margin(self) -> Expr:
        """What is left of each limit of a motor: it acts below zero."""
        return ca.densify(ca.vertcat(ca.SX(0, 1), *[x.margin for x in self.limits]))

    touch_gaps = Lazy("q v u p", "touch_gap")  # of declared pairs of shapes: they touch below 0 [m]

    grips = Lazy("q v u p", "grip")  # of pairs with friction: they slip below 0
    rubbing_gaps = Lazy("q v u p", "rubbing_gap")  # of the same [m]

    @property
    def rubbing_touches(self) -> tuple[TouchForce, ...]:
        """Points with friction."""
        return tuple(x for x in self.touches if x.coefficient is not None)

    @property
    def grip(self) -> Expr:
        """What is left of the friction beyond SLIPPING; what does not touch uses none of it."""
        left = [ca.if_else(x.gap < 0, x.grip, 1) - SLIPPING for x in self.rubbing_touches]
        return ca.densify(ca.vertcat(ca.SX(0, 1), *left))

    @property
    def rubbing_gap(self) -> Expr:
        """Gaps of declared pairs of shapes with friction [m]."""
        return ca.densify(ca.vertcat(ca.SX(0, 1), *[x.gap for x in self.rubbing_touches]))

    @property
    def touch_gap(self) -> Expr:
        """Gaps of declared pairs of shapes: they touch below zero [m]."""
        return ca.densify(ca.vertcat(ca.SX(0, 1), *[x.gap for x in self.touches]))

    @cached_property
    def tangent(self) -> Any:
        """(q, v, u, p) -> M and about -dF/dq N and -dF/dv, for Newton's matrix; or None."""
        near = self.dynamics.approximate_tangent
        return near and self.function("tangent", "q v u p", self.dynamics.M, *near)

    @cached_property
    def observe(self) -> Any:
        """(q, v, a, lam, u, p) -> all outputs, one result each."""
        return self.function("observe", "q v a lam u p", *[o.expression for o in self.outputs])

    def __repr__(self) -> str:
        return (
            f"<System of {self.robot.name}, {self.mode} tendons: {many(self.nq, 'coordinate')}, "
            f"{many(self.nu, 'input')}, {many(len(self.parameter_names), 'parameter')}>"
        )

    def _repr_html_(self) -> str:
        rows: list[tuple[str, str, str]] = [(c.name, c.unit, c.kind) for c in self.coordinates]
        rows += [(i.name, i.unit, f"input: {i.kind}") for i in self.inputs]
        outputs = ", ".join(x.name for x in self.outputs)
        count = many(len(self.parameter_names), "parameter")
        heading = f"{self.robot.name}, {self.mode} tendons"
        notes = (f"Outputs: {outputs}." if outputs else "", f"{count}: parameter_table.")
        return notebook_table(heading, ("name", "unit", "kind"), rows, notes)

    def M_at(self, q: Array) -> Array:
        """Inertia matrix at a configuration, with the described parameters.

        Parameters
        ----------
        q : array of shape (nq,)
            Coordinates.

        Returns
        -------
        array of shape (nv, nv)
            Symmetric.
        """
        still, idle = np.zeros(self.nv), np.zeros(self.nu)
        return np.asarray(self.equations(q, still, idle, self.parameter_values)[0].full())

    def unit(self, q: Array, what: str) -> Array:
        """Scale quaternions to length 1, where they nearly have it.

        Parameters
        ----------
        q : array of shape (nq,) or (nq, members)
            Coordinates.
        what : str
            The field that they came in, which is refused where a quaternion is not nearly so long.

        Returns
        -------
        array of the same shape
            Coordinates.
        """
        q = q.copy()
        for start in self.quaternions:
            part, name = slice(start, start + 4), self.coordinate_names[start].removesuffix(".ew")
            fields = f"{what}: {name}.ew, .ex, .ey, .ez"
            q[part] = library(q).asarray(unit_quaternion(fields, host(q[part]).T).T)
        return q

    def normalized(self, q: Expr) -> Expr:
        """Scale quaternions to length 1, in symbols.

        Parameters
        ----------
        q : casadi.SX
            Coordinates.

        Returns
        -------
        casadi.SX
            Coordinates.
        """
        for start in self.quaternions:
            e = q[start : start + 4]
            q = ca.vertcat(q[:start], e / ca.norm_2(e), q[start + 4 :])
        return q
