"""Outputs of a System: lengths, elongations, tensions; of motors, stops, closures and pulleys."""

import casadi as ca

from chorda.mechanics.constraints import MOTION
from chorda.mechanics.frames import Expr
from chorda.mechanics.mechanism import Mechanism
from chorda.mechanics.records import Output


def outputs(
    m: Mechanism, multipliers: dict[str, Expr], reactions: dict[str, Expr]
) -> tuple[Output, ...]:
    """multipliers: lam by name of its equation; reactions: of dependent equations too."""
    cables, turning = m.cables, m.train.motors
    names = tuple(cable.name for cable in cables)
    motors = tuple(motor.drum.motor.name for motor in turning)
    wraps = [wrap for cable in cables for wrap in cable.wraps.values()]
    pulleys = tuple(wrap.label for wrap in wraps)
    ends = tuple(f"{x}.{end}.{axis}" for x in pulleys for end in ("in", "out") for axis in "xyz")
    tangents = [wrap.arc[:, end] for wrap in wraps for end in (0, -1)]
    tensions = _tensions(m, names, multipliers)
    moved = tuple(m.train.motions)
    described = any(x.made.margins or x.drum.motor.winding is not None for x in turning)
    torques = [x.torque for x in turning] if described else []
    currents = {x.drum.motor.name: x.made.current for x in turning if x.made.current is not None}
    plays = {x.drum.motor.name: x.drum.play.ahead for x in turning if x.drum.play is not None}
    bones = m.skeleton
    stops = {
        x.name: joint.stop.push(joint.q, v)
        for x, joint, v in zip(
            bones.robot.joints, bones.tree.joints, bones.by_joint(m.train.v), strict=True
        )
        if joint.stop is not None
    }
    rubbing = [
        (name, tension, x.rubbing)
        for name, tension, x in zip(names, tensions, m.tendons.each, strict=True)
        if x.rubbing is not None
    ]
    guides = tuple(label for _, _, x in rubbing for label in x.labels)
    segments = tuple(label for name, _, x in rubbing for label in x.segment_labels(name))
    speeds = [speed for _, _, x in rubbing for speed in x.speeds]
    along = [tension * ratio for _, tension, x in rubbing for ratio in x.ratios]
    touching = m.passive.contacts.touches
    touched = tuple(x.label for x in touching)
    axes = tuple(f"{x}.{axis}" for x in touched for axis in "xyz")
    table: list[tuple[str, str, str, tuple[str, ...], list[Expr]]] = [
        ("length", "m", "tendon", names, [cable.length for cable in cables]),
        ("elongation", "m", "tendon", names, [x.elongation for x in m.tendons.each]),
        ("tension", "N", "tendon", names, tensions),
        ("segment_tension", "N", "segment", segments, along),
        ("sliding_speed", "m/s", "guide", guides, speeds),
        ("wrap_angle", "rad", "pulley", pulleys, [wrap.angle for wrap in wraps]),
        ("contact", "-", "pulley", pulleys, [wrap.contact for wrap in wraps]),
        ("tangent_point", "m", "tangent", ends, tangents),
        ("motor_angle", "rad", "motor", motors, [x.drum.angle for x in turning]),
        ("motor_rate", "rad/s", "motor", motors, [x.rate for x in turning]),
        ("motor_torque", "N m", "motor", motors if described else (), torques),
        ("motor_current", "A", "winding", tuple(currents), list(currents.values())),
        ("play", "rad or m", "gear", tuple(plays), list(plays.values())),
        ("effort", "N m or N", "actuator", moved, [multipliers[f"{x}{MOTION}"] for x in moved]),
        ("stop_effort", "N m or N", "stop", tuple(stops), list(stops.values())),
        ("gap", "m", "touch", touched, [x.gap for x in touching]),
        ("normal_force", "N", "touch", touched, [x.pressing for x in touching]),
        ("friction_force", "N", "touch_axis", axes, [ca.densify(x.friction) for x in touching]),
        ("contact_normal", "-", "touch_axis", axes, [ca.densify(x.normal) for x in touching]),
        ("contact_point", "m", "touch_axis", axes, [ca.densify(x.point) for x in touching]),
        ("sliding_velocity", "m/s", "touch_axis", axes, [ca.densify(x.sliding) for x in touching]),
        ("reaction", "N or N m", "closure", tuple(reactions), list(reactions.values())),
    ]
    return tuple(
        Output(name, unit, dimension, labels, ca.densify(ca.vertcat(*column)))
        for name, unit, dimension, labels, column in table
        if labels
    )


def _tensions(m: Mechanism, names: tuple[str, ...], multipliers: dict[str, Expr]) -> list[Expr]:
    """Of a rigid tendon: its multiplier, or from the balance of the motor that it leads."""
    tensions = [x.tension for x in m.tendons.each]
    for name in m.tendons.ties:
        tensions[names.index(name)] = -multipliers[f"{name}.length"]
    others = ca.vertcat(*tensions)  # those of leaders are zero there
    for motor in m.train.motors:
        if motor.drum.leader is not None:
            tensions[motor.drum.leader] = motor.leading_tension(m.train.a, others)
    return tensions
