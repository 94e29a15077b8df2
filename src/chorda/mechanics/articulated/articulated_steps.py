"""What schemes ask of a tree of rigid joints, as functions of a System's symbols."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from chorda.mechanics.articulated.step_equations import Articulated
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.mechanism import Mechanism
from chorda.mechanics.subexpressions import shared


@dataclass(frozen=True, eq=False)
class ArticulatedSteps:
    """Linear equations of a step, by recursion over the tree: O(n) for n joints in a row."""

    m: Mechanism

    @cached_property
    def accelerated(self) -> Any:
        """(q, v, u, p, pull) -> (a, lam) with M a = F + J^T lam and J a = pull."""
        m, nv = self.m, self.m.train.v.numel()
        at_rest = Articulated(m, SX(nv, 1), m.dry)
        pull, J = SX.sym("pull", len(m.constraints.names)), m.constraints.J
        x = at_rest.solve((SX(1, 1), SX(1, 1), SX(1)), at_rest.force, J, pull)
        return self._function("accelerated", [self.m.train.v], [pull], x)

    @cached_property
    def implicit_euler(self) -> Any:
        """(q, v, u, p, h, settling) -> v after a linearised implicit step of length h, in which dry
        friction is constant, and closures shut."""
        m, nv, h = self.m, self.m.train.v.numel(), SX.sym("h")
        settling = self._settling
        moving = Articulated(m, SX(nv, 1), SX(nv, 1), settling)
        top = moving.momentum(h) + h * m.dry
        J, psi = m.constraints.J, m.constraints.psi
        x = moving.solve((h**2, h, SX(1)), top, h * J, -psi)
        return self._function("implicit_euler", [m.train.v], [h, settling], x[:nv])

    @property
    def corrects(self) -> bool:
        """Whether `corrected` has Newton's matrix exactly: without closures, whose forces change
        along a step, and without quaternions, which schemes move with the rates of another time."""
        return not (self.m.constraints.names or self.m.skeleton.quaternions)

    @cached_property
    def corrected(self) -> Any:
        """(q, v, a, u, p, shares, held, settling) -> x: changes of q, v and a by their shares of x
        bring F - M a to zero; of F, the dry friction that jumps has the value `held`."""
        m, shares = self.m, SX.sym("shares", 3)
        held = SX.sym("held", m.train.v.numel())
        settling = self._settling
        moving = Articulated(m, m.train.a, m.smooth, settling)
        x = moving.solve(tuple(ca.vertsplit(shares)), moving.force + held)
        return self._function("corrected", [m.train.v, m.train.a], [shares, held, settling], x)

    @property
    def _settling(self) -> Expr:
        """dz/ds of states of first order, which follow q and v within a step."""
        return SX.sym("settling", len(self.m.train.states))

    def _function(self, name: str, rates: list[Expr], more: list[Expr], result: Expr) -> Any:
        m = self.m
        inputs = [m.train.q, *rates, m.train.u, m.skeleton.par.column, *more]
        return ca.Function(name, inputs, shared(inputs, [result]))


def articulated_steps(m: Mechanism) -> ArticulatedSteps | None:
    """None for robots with rods, and with closures that depend on each other."""
    rods = any(joint.soft is not None for joint in m.skeleton.tree.joints)
    return None if rods or m.constraints.dependent or m.skeleton.at_rest else ArticulatedSteps(m)
