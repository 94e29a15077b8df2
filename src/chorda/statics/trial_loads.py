"""Loads under which the functions of rods are chosen: each bends a rod by about a right angle, and
tendons do so by half a turn."""

from dataclasses import dataclass
from math import hypot, pi
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Load, Point, Robot, Rod, Sheath, Tendon, TensionActuator
from chorda.mechanics import Array, System
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.rods.section import section_of

RIGHT_ANGLE = pi / 2
BENDS = (RIGHT_ANGLE, pi)  # [rad] of rods by tendons, as they bend without other loads
MOTOR_TURN = 0.4  # [rad] of motors in front of the rods of a parallel robot
MOTOR_SHIFT = 0.05  # of the longest rod
POINTS = 11  # along a sheath, for its largest offset


@dataclass(frozen=True)
class Trial:
    """What is given to `equilibrium`, and of what robot: with loads besides its own, and with
    tendons that are pulled, whatever winds them."""

    given: dict[str, Any]
    loads: tuple[Load, ...] = ()
    pulled: bool = False

    def robot(self, robot: Robot) -> Robot:
        """The robot to which this is given."""
        loaded = robot.model_copy(update={"loads": (*robot.loads, *self.loads)})
        return _pulled(loaded) if self.pulled else loaded


def trial_loads(system: System) -> list[Trial]:
    """The start under gravity and the described loads; then each kind of tendon pulled alone; rods
    that no tendon bends by a force at the tip, or in a closed loop by motors that are moved."""
    robot, held = system.robot, _held(system)
    start: dict[str, Any] = {"hold": held} if held else {}
    trials = [Trial(start)]
    actuated = [t.name for t in robot.tendons if t.actuator is not None]
    seen, pulled = set[Any](), set[str]()
    for tendon in robot.tendons:
        bends = [_bend(robot, sheath) for sheath in tendon.sheaths]
        if tendon.name not in actuated or not any(bends):
            continue
        pulled |= {sheath.rod for sheath in tendon.sheaths}
        key = _kind(robot, tendon)
        if key not in seen:
            seen.add(key)
            slack = dict.fromkeys(actuated, 0.0)
            for angle in BENDS:
                tensions = slack | {tendon.name: angle / sum(bends)}
                trials.append(Trial(start | {"tensions": tensions}, pulled=True))
    if robot.closures and held:
        trials.append(Trial({"hold": _moved(robot, held)}))
    elif not robot.closures:
        parents = {joint.parent for joint in robot.joints}
        loose = [
            x
            for x in _rods(robot).values()
            if x.name not in pulled and not any(str(p).startswith(f"{x.name}.") for p in parents)
        ]
        if loose:
            trials.append(Trial(start, tuple(_push(system, rod) for rod in loose)))
    return trials


def _pulled(robot: Robot) -> Robot:
    """With a tension actuator for each tendon that is wound."""

    def alone(tendon: Tendon) -> Tendon:
        given = {k: getattr(tendon, k) for k in tendon.model_fields_set - {"law"}}
        return Tendon(**given | {"actuator": f"trial-{tendon.name}"})

    tendons = tuple(x if x.actuator is None else alone(x) for x in robot.tendons)
    wound = {x.actuator for x in robot.tendons}
    actuators = tuple(TensionActuator(name=x.actuator) for x in tendons if x.actuator is not None)
    start = {k: x for k, x in robot.start.items() if k.partition(".")[0] not in wound}
    change = {"tendons": tendons, "actuators": actuators, "start": start}
    return robot.model_copy(update=change)


def _rods(robot: Robot) -> dict[str, Rod]:
    return {joint.name: joint for joint in robot.joints if isinstance(joint, Rod)}


def _held(system: System) -> dict[str, float]:
    """Joints with one coordinate between the world and the rods, where the robot starts."""
    robot = system.robot
    joints = {joint.name: joint for joint in robot.joints}
    at = dict(zip(system.coordinate_names, system.start.tolist(), strict=True))
    found: dict[str, float] = {}
    for rod in _rods(robot).values():
        above = joints.get(str(rod.parent).partition(".")[0])
        while above is not None:
            if above.kind in ("revolute", "prismatic"):
                found[above.name] = at[above.name]
            above = joints.get(str(above.parent).partition(".")[0])
    return found


def _moved(robot: Robot, held: dict[str, float]) -> dict[str, float]:
    """Each of them by another amount, so that the loops are bent."""
    joints = {joint.name: joint for joint in robot.joints}
    size = max(rod.length for rod in _rods(robot).values())
    steps = {"revolute": MOTOR_TURN, "prismatic": MOTOR_SHIFT * size}
    return {
        name: value + steps[joints[name].kind] * float(np.cos(2.4 * k))  # about the golden angle
        for k, (name, value) in enumerate(held.items())
    }


def _stiffness(rod: Rod) -> Array:
    """By strain, at the base [N m^2, N]."""
    par = Parameters()
    base = section_of(rod, par).stiffness_at(0.0)
    return np.asarray(ca.Function("stiffness", [par.column], [base])(par.values).full().ravel())


def _bend(robot: Robot, sheath: Sheath) -> float:
    """Angle per tension, of the part of the rod that a sheath runs through [rad/N]."""
    rod = _rods(robot)[sheath.rod]
    end = rod.length if sheath.end is None else sheath.end
    at = np.linspace(sheath.start, end, POINTS) / rod.length
    offset = max(hypot(*sheath.offset(float(x))) for x in at)
    return float((end - sheath.start) * offset / np.mean(_stiffness(rod)[1:3]))


def _kind(robot: Robot, tendon: Tendon) -> Any:
    """The same for tendons that lie around the same kinds of rods."""
    rods = _rods(robot)

    def of(sheath: Sheath) -> Any:
        rod = rods[sheath.rod]
        lateral = tuple(round(hypot(*sheath.offset(x)), 9) for x in (0.0, 0.5, 1.0))
        like = rod.length, rod.section, rod.young_modulus, rod.taper, rod.rest
        return like, lateral, abs(sheath.turns), sheath.start, sheath.end

    return tuple(of(sheath) for sheath in tendon.sheaths)


def _push(system: System, rod: Rod) -> Load:
    """A force across the tip, along the axes that the rod can bend to."""
    tip = f"{rod.name}.tip"
    R, _ = frame_poses(system, [tip], system.start[None], system.parameter_values)
    across = np.array([0.0, float(rod.modes.bend_z > 0), float(rod.modes.bend_y > 0)])
    K = float(np.min(_stiffness(rod)[1:3]))
    size = 2 * RIGHT_ANGLE * K / rod.length**2 / max(float(np.linalg.norm(across)), 1.0)
    force = tuple((size * R[0, 0] @ across).tolist())
    return Load(name=f"trial-{rod.name}", at=Point(frame=tip), force=force)
