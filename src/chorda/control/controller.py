"""What a controller is: a law (t, q, v, w, p) -> u in symbols, fed by a signal w over time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import casadi as ca

from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX, Expr


@dataclass(frozen=True, eq=False)
class ControlLimits:
    """Limits within which a controller stays: names of what has one, the word for the limit, and
    (t, q, v, w, p) -> what is left of each, below zero where it is reached."""

    names: tuple[str, ...]
    word: str
    left: Any


@runtime_checkable
class Controller(Protocol):
    """What `control` of the verbs may be; its output is held over each step.

    One that stays within limits has a method `limits(system)` too, which returns `ControlLimits` or
    None: a run then has events where a limit is reached.

    See Also
    --------
    JointControl : one that leads joints.
    MotorPD : one of the motors' angles.
    """

    def law(self, system: System) -> Any:
        """Make a CasADi function (t, q, v, w, p) -> u of a system.

        Parameters
        ----------
        system : System
            That is controlled.

        Returns
        -------
        casadi.Function
            It is compiled into the step.
        """
        ...

    def signal(self, system: System, t: Array) -> Array:
        """Make the signal w that the law needs.

        Parameters
        ----------
        system : System
            That is controlled.
        t : array of shape (n,)
            Times [s].

        Returns
        -------
        array of shape (n, nw)
            A row for each time.
        """
        ...


def law_of(system: System, nw: int, inputs: Callable[[Expr, Expr, Expr, Expr], Expr]) -> Any:
    """The law of a controller, from its inputs u(q, v, w, p) in symbols and the length of w; inputs
    that it leaves out are the last ones, and zero."""
    t, q, v = SX.sym("t"), SX.sym("q", system.nq), SX.sym("v", system.nv)
    w, p = SX.sym("w", nw), SX.sym("p", system.p.numel())
    return ca.Function("law", [t, q, v, w, p], [padded(system, inputs(q, v, w, p))])


def padded(system: System, u: Expr) -> Expr:
    """All inputs, from the first of them: forces on frames and rates that are left out are zero."""
    return ca.vertcat(u, type(u).zeros(system.nu - u.numel()))


def motor_rows(system: System, names: Sequence[str]) -> tuple[list[int], list[int]]:
    """Rows of motors in q and in v."""
    at = [system.coordinate_names.index(name) for name in names]
    return at, [i + system.nv - (system.nq - system.nz) for i in at]
