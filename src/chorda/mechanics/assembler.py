"""From a robot's description to its System."""

from typing import Literal

import casadi as ca
import numpy as np

from chorda.checks import check_choice, check_names
from chorda.describe import Robot, Rod
from chorda.describe.shapes import free_lines
from chorda.errors import InputError
from chorda.mechanics.equations_of_motion import equations_of_motion
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.mechanism import Mechanism, mechanism
from chorda.mechanics.outputs import outputs
from chorda.mechanics.picture import Picture
from chorda.mechanics.records import Frames, Limit, ParameterTable
from chorda.mechanics.system import System
from chorda.numerics.ctrl_c import interruptible

OVERLAP = 1e-6  # [m] of shapes in the starting configuration, from which it is an error


@interruptible()
def assemble(robot: Robot, tendons: Literal["elastic", "rigid"] = "elastic") -> System:
    """The robot's equations of motion.

    Parameters
    ----------
    robot
        What `chorda.load` returns, or a `Robot` of your own.
    tendons
        "elastic" gives each tendon its described law [Testard2023, eqs. 1-2]; "rigid" lets none
        stretch, so that a motor's angle follows from the joints [Testard2023, eq. 3].

    Returns
    -------
    System
        Symbols and expressions in SI units; every other function of Chorda starts from it.

    Raises
    ------
    InputError
        If the robot cannot be: nothing moves, a joint moves no mass, a cable has no room.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> assemble(load("neck-3"), tendons="rigid").coordinate_names
    ('x1', 'x2', 'x3')
    """
    if not isinstance(robot, Robot):
        raise InputError(f"robot: expected what chorda.load returns, got {robot!r:.60}")
    check_choice("tendons", tendons, ("elastic", "rigid"))
    for i, joint in enumerate(robot.joints):
        if isinstance(joint, Rod) and joint.modes.auto:
            raise InputError(
                f"joints.{i}.modes: expected numbers of functions, got auto; chorda.assemble "
                "(that of chorda.statics) chooses them"
            )
    m = mechanism(robot, tendons)
    dynamics = equations_of_motion(m)
    _check_inertia(m, dynamics.M)
    names = [c.name for c in m.train.coordinates]
    check_names(f"{robot.name}: start", robot.start, names)
    par, lam = m.skeleton.par, SX.sym("lam", len(m.constraints.names))
    closures = m.constraints
    multipliers = dict(zip(closures.names, ca.vertsplit(lam), strict=True))
    spread = ca.vertsplit(closures.spread @ lam) if multipliers else []
    reactions = dict(zip(closures.all_names, spread, strict=True))
    system = System(
        robot=robot,
        mode=tendons,
        coordinates=m.train.coordinates,
        velocities=m.train.velocities,
        inputs=m.train.inputs,
        outputs=outputs(m, multipliers, reactions),
        q=m.train.q,
        v=m.train.v,
        a=m.train.a,
        lam=lam,
        u=m.train.u,
        p=par.column,
        parameter_table=ParameterTable(
            tuple(par.names),
            tuple(par.units),
            np.array(par.values),
            tuple(par.signed),
            tuple(par.positive),
            free_lines(robot.shapes),
        ),
        dynamics=dynamics,
        constraints=m.constraints,
        tendons=m.tendons,
        picture=Picture(m.skeleton, m.cables, m.passive.contacts.shapes, m.passive.loads),
        frames=Frames(m.skeleton.tree),
        quaternions=m.skeleton.quaternions,
        touches=m.passive.contacts.touches,
        limits=tuple(
            Limit(x.drum.motor.name, field, margin)
            for x in m.train.motors
            for field, margin in x.made.margins.items()
        ),
    )
    system.unit(system.start, "start")  # refuses a quaternion that is none
    _check_overlap(system)
    return system


def _check_overlap(system: System) -> None:
    """Shapes that overlap in the configuration that solvers begin with would be thrown apart."""
    if not system.touches:
        return
    given = system.start, np.zeros(system.nv), np.zeros(len(system.inputs))
    gaps = system.touch_gaps(*given, system.parameter_table.values).full().ravel()
    worst = int(np.argmin(gaps))
    if gaps[worst] < -OVERLAP:
        x = system.touches[worst]
        raise InputError(
            f"{system.robot.name}: shapes '{x.first}' and '{x.second}' of contact '{x.label}' "
            f"overlap by {-gaps[worst] * 1e3:.4g} mm in the starting configuration; move one of "
            "them, or give `start` coordinates with which they are apart"
        )


def _check_inertia(m: Mechanism, M: Expr) -> None:
    """Without constraints, which may carry it, every velocity needs an inertia."""
    rows = set(M.sparsity().get_triplet()[0])
    idle = [name for i, (name, _) in enumerate(m.train.velocities) if i not in rows]
    if idle and not m.constraints.names:
        raise InputError(
            f"{m.skeleton.robot.name}: no mass moves with {', '.join(idle)}; give the joint, or "
            "one that stands on it, a body with mass and inertia"
        )
