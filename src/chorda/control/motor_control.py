"""PD control of the motors' angles, as actuators with position loops have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.control.controller import law_of, motor_rows
from chorda.control.references import Reference
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.frames import Expr
from chorda.mechanics.motor_limits import back_emf, input_per_torque


@dataclass(frozen=True)
class MotorPD:
    """Controller of motors on elastic tendons.

    The torque is stiffness (wanted - angle) + damping (wanted rate - rate) + offset; a motor with a
    winding gets the voltage for it.

    Parameters
    ----------
    reference : Reference
        Wanted angles of the motors [rad].
    stiffness, damping : float
        Gains [N m/rad] and [N m s/rad].
    offset : float or sequence of float
        Torque that is added, of all motors or of each [N m].

    See Also
    --------
    JointControl : of the joints.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("neck-1"))
    >>> control = MotorPD(chorda.control.PointToPoint((0, 0), (0.1, -0.1), 0.05), 0.1, 0.01)
    >>> chorda.simulate(system, duration=0.1, step=1e-3, control=control).status.code
    'completed'
    """

    reference: Reference
    stiffness: float
    damping: float
    offset: Sequence[float] | float = 0.0

    def signal(self, system: System, t: Array) -> Array:
        """Wanted angles of the motors and their rates.

        Parameters
        ----------
        system : System
            That is controlled.
        t : array of shape (n,)
            Times [s].

        Returns
        -------
        array of shape (n, 2 motors)
            A row for each time.
        """
        rows = np.hstack(self.reference(np.asarray(t, float))[:2])
        if rows.shape[1] != 2 * len(system.commanded):
            raise InputError(
                f"reference: expected {len(system.commanded)} motor angles, got "
                f"{rows.shape[1] // 2}"
            )
        return rows

    def law(self, system: System) -> Any:
        """Make (t, q, v, w, p) -> u.

        Parameters
        ----------
        system : System
            That is controlled.

        Returns
        -------
        casadi.Function
            It is compiled into the step.
        """
        names = system.commanded
        if not set(names) <= set(system.coordinate_names):
            raise InputError(
                "control: MotorPD needs motors as coordinates; assemble with tendons='elastic'"
            )
        key = ("motor-pd", self.stiffness, self.damping, tuple(np.ravel(self.offset)))
        (angles, rates), nu = motor_rows(system, names), len(names)
        offset = np.broadcast_to(np.asarray(self.offset, float), nu)

        def inputs(q: Expr, v: Expr, w: Expr, p: Expr) -> Expr:
            off, off_rate = w[:nu] - q[angles], w[nu:] - v[rates]
            torque = self.stiffness * off + self.damping * off_rate + offset
            per_torque = ca.vertcat(*[input_per_torque(system, x, p) for x in names])
            back = ca.vertcat(*[back_emf(system, x, p) for x in names])
            return per_torque * torque + back * v[rates]

        return system.once(key, lambda: law_of(system, 2 * nu, inputs))
