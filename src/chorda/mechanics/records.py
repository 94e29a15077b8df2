"""The parts of a System: small records of names and expressions, by subject."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from chorda.checks import mapping, matching, numeric, shown
from chorda.errors import InputError
from chorda.mechanics.first_order import FirstOrderState
from chorda.mechanics.frames import Expr, Pose
from chorda.mechanics.parameter_rules import check_together
from chorda.mechanics.tree import Tree

if TYPE_CHECKING:
    from chorda.mechanics.articulated.articulated_steps import ArticulatedSteps

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Input:
    """One input: a motor torque [N m] or voltage [V], a tension [N], a paid-out length [m] or its
    rate [m/s]; on a joint a torque or force, or the coordinate and its acceleration; on a frame a
    force or moment.

    A rate ("winch.rate") is there where a tendon's damping answers to it, an acceleration
    ("m.acceleration", of the kind "rate" too) where a joint's motion is prescribed.
    """

    name: str
    unit: str
    kind: str


@dataclass(frozen=True, eq=False)
class Limit:
    """A limit of a motor: its name, the field of the limit, and what is left of it, below zero
    where it cuts something off."""

    name: str
    field: str
    margin: Expr


@dataclass(frozen=True)
class Output:
    """A named output, a column with a label for each row; may use q, v, a, lam, u, p."""

    name: str
    unit: str
    dimension: str
    labels: tuple[str, ...]
    expression: Expr


@dataclass(frozen=True, eq=False)
class ParameterTable:
    """The parameters in the order of the symbol p."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array  # as described
    signed: tuple[bool, ...]  # whether a negative value makes sense
    positive: tuple[bool, ...]  # whether zero makes none either
    lines: tuple[str, ...] = ()  # shapes along a line whose ends are coordinates

    def rows_of(self, name: str, given: Array) -> list[int]:
        """Rows that a name stands for, '*' in it for many, if they can have these values."""
        rows = matching("parameters", name, self.names)
        for wrong, what in (
            (~np.isfinite(given), "must be a finite number"),
            ((given < 0) & (not all(self.signed[i] for i in rows)), "must not be negative"),
            (
                (given == 0) & any(self.positive[i] for i in rows),
                "must be greater than 0",
            ),
        ):
            if np.any(wrong):
                bad = given[wrong][0] if given.ndim else given
                raise InputError(f"parameters: '{name}' {what}, got {bad:g}")
        return rows

    def changed(self, changes: Mapping[str, float] | None = None) -> Array:
        """Values with changes by name; '*' in a name changes all that match."""
        values = self.values.copy()
        changes = mapping("parameters", changes, "{'x1.bar_mass': 0.1}")
        for name, value in changes.items():
            given = numeric(f"parameters.{name}", value)
            if given.ndim:
                raise InputError(
                    f"parameters: '{name}' must be a finite number, got {shown(value)}"
                )
            values[self.rows_of(name, given)] = given
        if changes:
            check_together(self.names, values[:, None], self.lines)
        return values


@dataclass(frozen=True, eq=False)
class Dynamics:
    """M a = F + J^T lam and q_dot = N v; of states of first order z_dot = source - decay z."""

    N: Expr  # the rows of states of first order are empty
    M: Expr
    F: Expr  # all forces, dry friction included
    F_resting: Expr  # the same, with friction of tendons as it is left at rest
    F_pulled: Expr  # F_resting with every tension replaced by its symbol in `Tendons.pulls`
    slack_force: Expr  # F of the joints at rest, without tensions and actuators
    dry: Expr  # the part of F that is dry friction
    jumping: Expr  # the part of dry friction that jumps where a rate changes sign
    residual: Expr  # M a - F by inverse dynamics, which is cheaper than M and F apart
    kinetic: Expr  # energy [J]
    potential: Expr  # energy [J]
    applied: Expr  # the part of F that is not inertia or gravity
    stored: Expr  # the part of the potential energy that springs, rods and tendons store [J]
    approximate_tangent: tuple[Expr, Expr] | None  # K and D for Newton's matrix of robots with rods
    articulated: "ArticulatedSteps | None"  # steps by recursion over the tree, without a matrix
    q_dot: Expr  # N v, and the rates of states of first order
    source: Expr  # of states of first order [unit/s]
    decay: Expr  # of these [1/s]
    states: tuple[FirstOrderState, ...] = ()


@dataclass(frozen=True, eq=False)
class Constraints:
    """psi(q, u, p) = 0: closures, and rigid tendons whose length no motor's angle follows.

    Equations that follow from the others are left out; `all_psi` has them too, by `all_names`.
    spread: forces of all of them, of the multipliers. dependent: names of those that depend on each
    other where the loops are closed.
    """

    names: tuple[str, ...]
    psi: Expr
    J: Expr  # psi_dot = J v + psi_u u_dot
    psi_u: Expr  # of the lengths that actuators pay out
    bias: Expr  # psi_dot_dot = J a + bias
    all_names: tuple[str, ...]
    all_psi: Expr
    all_J: Expr
    spread: Expr
    dependent: tuple[str, ...]
    rank: int  # how many are independent where the loops are closed

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Equations whose forces are not unique; the least ones are given."""
        if self.all_names == self.names:
            return ()
        left_out = [i for i, name in enumerate(self.all_names) if name not in self.names]
        mixed = [self.all_names[i] for i in left_out if self.spread[i, :].nnz()]
        return self.dependent or tuple(mixed)


@dataclass(frozen=True)
class Line:
    """Something to draw: a bar, link, mount, spring, tendon or pulley through columns of points.

    marks: columns that are eyelets and attachments of a tendon, or the centre of a pulley.
    """

    kind: str
    name: str
    points: tuple[int, ...]
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses in the world of all frames of the tree by name, made when first asked for."""

    tree: Tree

    def __getitem__(self, name: str) -> Pose:
        return self.tree.pose(self.tree.index[name])
