"""Inertia and damping of small motions about rest."""

from collections.abc import Sequence
from typing import Any

import casadi as ca

from chorda.mechanics.balance import pulled
from chorda.mechanics.first_order import settled
from chorda.mechanics.frames import SX
from chorda.mechanics.system import System


def inertia(system: System) -> Any:
    """(q, p) -> M, made once per system."""
    M = ca.densify(system.dynamics.M)
    return system.once("inertia", lambda: system.function("inertia", "q p", M))


def inertia_and_damping(system: System, tensions: Sequence[str] = ()) -> Any:
    """(q, u, p, t) -> M and D = -dF/dv at rest; tendons that are named pull with the tensions t,
    however fast they move. Made once per system and tendons."""

    def make() -> Any:
        d, t = system.dynamics, SX.sym("t", len(tensions))
        F = pulled(d.F, d.F_pulled, system.tendons.resting, tensions, t)[0]
        (F,) = settled(d.states, F)  # currents follow small motions at once
        D = -ca.jacobian(F, system.v)
        (D,) = ca.substitute([D], [system.v], [SX.zeros(system.nv)])
        given = [system.q, system.u, system.p, t]
        return ca.Function("inertia_and_damping", given, [ca.densify(d.M), ca.densify(D)])

    return system.once(("inertia-and-damping", tuple(tensions)), make)
