"""Where a hand can take hold of a robot: a point of each body that moves."""

from dataclasses import dataclass

import numpy as np

from chorda.describe import JointMotion, Point, WrenchActuator
from chorda.describe.robot import frames_of
from chorda.errors import InputError
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.posing import frame_poses
from chorda.view.drawing import make_drawing

PUSH = "push"  # names of the forces of the hand begin so
MOST_GRIPS, FEW_GRIPS = 12, 3  # each makes the equations of motion longer
MANY_COORDINATES = 60  # from so many on there are few grips
CHANGE_SIZE, LEAST_WAY = 0.1, 1e-9  # of coordinates; what moves then, over the size


@dataclass(frozen=True)
class Grip:
    """A point of a frame [m]."""

    frame: str
    point: tuple[float, float, float]


def find_grips(system: System, q: Array, parameters: Array) -> tuple[Grip, ...]:
    """A point of each body that moves by itself, those nearest to the robot's end last.

    A body is taken at its far end, as it is drawn; what only a prescribed motion moves cannot be
    pulled. q (nq): a configuration.
    """
    drawing = make_drawing(system, q[None], parameters)
    names = [_own_frame(frames_of(joint)) for joint in system.robot.joints]
    R, p = (x[0] for x in frame_poses(system, names, q[None], parameters))
    grips = []
    for joint, name, turn, origin in zip(system.robot.joints, names, R, p, strict=True):
        drawn = [x for x in drawing.bodies if x.name == joint.name]
        body = getattr(joint, "body", None)
        local = np.array(body.center if body is not None else (0.0, 0.0, 0.0), float)
        if name == joint.name and joint.kind != "free":  # no frame is at its far end
            ends = [(drawing.points[0, x.points[-1]] - origin) @ turn for x in drawn]
            local = max([local, *ends], key=lambda x: float(np.linalg.norm(x)))
        elif name != joint.name:
            local = np.zeros(3)
        if drawn or body is not None:
            x, y, z = local.tolist()
            grips.append(Grip(name, (x, y, z)))
    moves = _moving(system, grips, q, parameters, drawing.size)
    places = positions(system, grips, q, parameters)
    away = np.linalg.norm(places - drawing.end[0], axis=1)
    order = [k for k in np.argsort(-away, kind="stable").tolist() if moves[k]]
    most = MOST_GRIPS if system.nq < MANY_COORDINATES else FEW_GRIPS
    if len(order) > most:
        order = [order[k] for k in np.linspace(0, len(order) - 1, most).round().astype(int)]
    return tuple(grips[k] for k in order)


def positions(system: System, grips: "list[Grip] | tuple[Grip, ...]", q: Array, p: Array) -> Array:
    """Where grips are at q (nq), in the world (k, 3) [m]."""
    R, origin = (x[0] for x in frame_poses(system, [x.frame for x in grips], q[None], p))
    local = np.array([x.point for x in grips]).reshape(-1, 3)
    return np.asarray(origin + np.einsum("kij,kj->ki", R, local))


def graspable(system: System, grips: tuple[Grip, ...]) -> System:
    """The same robot with a force at each of the grips; its inputs are `push_inputs`."""
    hands = tuple(
        WrenchActuator(
            name=f"{PUSH}{k}",
            at=Point(frame=x.frame, point=x.point),
            components=("fx", "fy", "fz"),
        )
        for k, x in enumerate(grips)
    )
    robot, own = system.robot, {x.name for x in hands}
    if taken := sorted(own & {x.name for x in robot.actuators}):
        raise InputError(
            f"robot: an actuator is called '{taken[0]}', which is the viewer's own; "
            "give it another name"
        )
    wider = robot.model_copy(update={"actuators": (*robot.actuators, *hands)})
    return assemble(wider, "rigid" if system.mode == "rigid" else "elastic")


def push_inputs(k: int) -> tuple[str, str, str]:
    """Names of the inputs of a grip's force."""
    return f"{PUSH}{k}.fx", f"{PUSH}{k}.fy", f"{PUSH}{k}.fz"


def _own_frame(names: list[str]) -> str:
    """The frame of a joint that moves most: its tip or top."""
    return next((x for end in (".tip", ".top") for x in names if x.endswith(end)), names[0])


def _moving(system: System, grips: list[Grip], q: Array, p: Array, size: float) -> list[bool]:
    """Which grips other coordinates than prescribed ones move."""
    held = {x.joint for x in system.robot.actuators if isinstance(x, JointMotion)}
    free = np.array([c not in held for c in system.coordinate_names], float)
    changes = CHANGE_SIZE * np.random.default_rng(0).standard_normal((3, system.nq)) * free
    places = [positions(system, grips, q + x, p) for x in (0 * q, *changes)]
    return list(np.ptp(places, axis=0).max(axis=1, initial=0.0) > LEAST_WAY * size)
