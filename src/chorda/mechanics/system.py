"""The System: a robot in generalized coordinates, as symbols and expressions.

    M(q, p) a = F(q, v, u, p) + J(q, u, p)^T lam,    psi(q, u, p) = 0,    q_dot = N(q) v

Everything after mechanics/ is generic over it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.describe import Robot
from chorda.errors import InputError
from chorda.mechanics.clearance import Clearance
from chorda.mechanics.frames import Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.wrapping import Turn

Array = npt.NDArray[np.float64]
POSITIVE = tuple(  # ends of names of parameters that are divided by
    f".{x}"
    for x in (
        *("length", "diagonal_length", "bar_length", "radius", "drum_radius", "gear_ratio"),
        *("young_modulus", "shear_modulus", "density", "taper", "section", "width", "height"),
    )
)
MANY = 24  # velocities from which an exact matrix costs much more than a residual


@dataclass(frozen=True)
class Input:
    """One input: a motor torque [N m], a tension [N], a paid-out length [m] or its rate [m/s].

    A rate ("winch.rate") is there where a tendon's damping answers to it.
    """

    name: str
    unit: str
    kind: str


@dataclass(frozen=True)
class Output:
    """A named output, a column with a label for each row; may use q, v, a, lam, u, p."""

    name: str
    unit: str
    dimension: str
    labels: tuple[str, ...]
    expression: Expr


@dataclass(frozen=True)
class Line:
    """Something to draw: a bar, link, spring, tendon or pulley through rows of `System.points`.

    marks: rows that are eyelets and attachments of a tendon, or the centre of a pulley.
    """

    kind: str
    name: str
    points: tuple[int, ...]
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class System:
    """Symbols q, v, a, lam, u, p and what follows from them; see the module's text."""

    robot: Robot
    tendons: str
    coordinates: tuple[Coordinate, ...]
    velocities: tuple[tuple[str, str], ...]
    inputs: tuple[Input, ...]
    parameter_names: tuple[str, ...]
    parameter_units: tuple[str, ...]
    parameter_values: Array
    parameter_signed: tuple[bool, ...]
    closure_names: tuple[str, ...]
    q: Expr
    v: Expr
    a: Expr
    lam: Expr
    u: Expr
    p: Expr
    N: Expr  # q_dot = N v
    M: Expr
    F: Expr  # all forces, dry friction included
    dry: Expr  # the part of F that is dry friction
    jumping: Expr  # the part of dry friction that jumps where a rate changes sign
    needed: Expr  # M a - F, by inverse dynamics (cheaper than M and F apart)
    psi: Expr
    J: Expr  # psi_dot = J v + psi_u u_dot
    psi_u: Expr  # of the lengths that actuators pay out
    bias: Expr  # psi_dot_dot = J a + bias
    kinetic: Expr
    potential: Expr
    Z: Expr  # generalized force of unit tensions on all velocities, -dl/dq^T
    pulls: Expr  # tensions, as symbols [N]
    one_sided: tuple[str, ...]  # tendons that cannot push
    unrectified: Expr  # their tensions if they could: negative where slack [N]
    stretch: Expr  # static elongation of each tendon under `pulls` [m]
    slack_force: Expr  # F of the joints with every tension and actuator torque removed
    outputs: tuple[Output, ...]
    points: Expr  # 3 x n world positions to draw
    lines: tuple[Line, ...]
    clearances: tuple[Clearance, ...]  # of tendons' paths around pulleys
    turns: tuple[Turn, ...]  # of cables about pulleys that are known within half a turn only
    quaternions: tuple[int, ...]  # where unit quaternions start in q
    quasi: tuple[Expr, Expr] | None = None  # K and D of Newton's matrix, where loops hide them
    _made: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` returns, made when first asked for and kept with the system."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    @property
    def nq(self) -> int:
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        return len(self.velocities)

    @property
    def nu(self) -> int:
        return len(self.inputs)

    @property
    def nc(self) -> int:
        return len(self.closure_names)

    @property
    def reuses_matrix(self) -> bool:
        """Whether Newton's method keeps its matrix from step to step: one costs many residuals."""
        return self.nv > MANY or self.quasi is not None

    @property
    def given(self) -> tuple[str, ...]:
        """Inputs that must be given: all but the rates, which are the last ones."""
        return tuple(i.name for i in self.inputs if i.kind != "rate")

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.coordinates)

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
        return q

    @property
    def scales(self) -> Array:
        """A large change along each velocity: 1 rad, 1 m, or a bend of 1 rad over a rod."""
        known = {f"{c.name}.rate": c.scale for c in self.coordinates}
        return np.array([known.get(name, 1.0) for name, _ in self.velocities])

    def parameters(self, changes: Mapping[str, float] | None = None) -> Array:
        """Parameter values, with changes by name; '*' in a name changes all that match."""
        from fnmatch import fnmatchcase

        values = self.parameter_values.copy()
        for name, value in (changes or {}).items():
            rows = [i for i, known in enumerate(self.parameter_names) if fnmatchcase(known, name)]
            if not rows:
                raise InputError(unknown("parameters", name, self.parameter_names))
            number = numeric(f"parameters.{name}", value)
            if number.ndim or not np.isfinite(number):
                raise InputError(f"parameters: '{name}' must be a finite number, got {value}")
            if number < 0 and not all(self.parameter_signed[i] for i in rows):
                raise InputError(f"parameters: '{name}' must not be negative, got {value}")
            if number == 0 and any(self.parameter_names[i].endswith(POSITIVE) for i in rows):
                raise InputError(f"parameters: '{name}' must be greater than 0, got {value}")
            values[rows] = number
        return values

    # Functions of the symbols, made when first asked for -------------------------------------

    def function(self, name: str, arguments: str, *results: Expr) -> Any:
        """A CasADi function of the symbols named in `arguments`, such as 'q v u p'."""
        inputs = [getattr(self, symbol) for symbol in arguments.split()]
        return ca.Function(name, inputs, ca.cse(list(results)), {"allow_free": False})

    @cached_property
    def residual(self) -> Any:
        """(q, v, a, u, p) -> M a - F."""
        return self.function("residual", "q v a u p", self.needed)

    @cached_property
    def dynamics(self) -> Any:
        """(q, v, u, p) -> M, F, dry, J, bias, psi."""
        return self.function(
            "dynamics", "q v u p", self.M, self.F, self.dry, self.J, self.bias, self.psi
        )

    @cached_property
    def tangent(self) -> Any:
        """(q, v, u, p) -> M and about -dF/dq N and -dF/dv, for Newton's matrix; or None."""
        if self.quasi is None:
            return None
        return self.function("tangent", "q v u p", self.M, *self.quasi)

    @cached_property
    def closing(self) -> Any:
        """(q, u, p) -> psi, J."""
        return self.function("closing", "q u p", self.psi, self.J)

    @cached_property
    def jumps(self) -> Any:
        """(q, v, p) -> dry friction that jumps; Newton's method holds it over a step."""
        return self.function("jumps", "q v p", self.jumping)

    @cached_property
    def kinematics(self) -> Any:
        """(q) -> N."""
        return self.function("kinematics", "q", self.N)

    @cached_property
    def energies(self) -> Any:
        """(q, v, u, p) -> T, V in joules; a winch stretches its tendon."""
        return self.function("energies", "q v u p", self.kinetic, self.potential)

    @cached_property
    def drawing(self) -> Any:
        """(q, p) -> 3 x n world positions of the points that `lines` connect."""
        return self.function("drawing", "q p", self.points)

    @cached_property
    def clearing(self) -> Any:
        """(q, p) -> what is left of each clearance [m]."""
        gaps = ca.vertcat(ca.SX(0, 1), *[x.gap for x in self.clearances])
        return self.function("clearing", "q p", gaps)

    @cached_property
    def turning(self) -> Any:
        """(q, p) -> each of the turns [rad]; lengths jump where one jumps."""
        angles = ca.vertcat(ca.SX(0, 1), *[x.angle for x in self.turns])
        return self.function("turning", "q p", angles)

    @cached_property
    def observe(self) -> Any:
        """(q, v, a, lam, u, p) -> all outputs, one result each."""
        return self.function("observe", "q v a lam u p", *[o.expression for o in self.outputs])

    @cached_property
    def stretched(self) -> Any:
        """(pulls, q, p) -> static elongation of each tendon [m]."""
        return self.function("stretched", "pulls q p", self.stretch)

    @cached_property
    def tautness(self) -> Any:
        """(q, v, u, p) -> tensions of one-sided tendons if they could push: slack below 0 [N]."""
        return self.function("tautness", "q v u p", self.unrectified)

    def __repr__(self) -> str:
        return (
            f"<System of {self.robot.name}, {self.tendons} tendons: {self.nq} coordinates, "
            f"{self.nu} inputs, {len(self.parameter_names)} parameters>"
        )

    def M_at(self, q: Array) -> Array:
        """The inertia matrix at a configuration, with the described parameters."""
        still, idle = np.zeros(self.nv), np.zeros(self.nu)
        return np.asarray(self.dynamics(q, still, idle, self.parameter_values)[0].full())

    def normalized(self, q: Expr) -> Expr:
        """q with its quaternions scaled to unit length."""
        for start in self.quaternions:
            e = q[start : start + 4]
            q = ca.vertcat(q[:start], e / ca.norm_2(e), q[start + 4 :])
        return q


def numeric(what: str, value: Any) -> Array:
    """An array of floats, or the sentence that says what else it was."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected numbers, got {value!r:.60}") from None


def unknown(what: str, name: str, known: tuple[str, ...]) -> str:
    """The sentence for a name that is not there."""
    from difflib import get_close_matches

    near = get_close_matches(str(name), known, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"
    return f"{what}: '{name}' is not there; {hint}"
