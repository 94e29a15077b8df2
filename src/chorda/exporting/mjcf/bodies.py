"""Frames as bodies: their joints, their inertia, and bars to look at."""

import numpy as np

from chorda.describe import Joint, Prismatic, Revolute, XJoint
from chorda.errors import InputError
from chorda.exporting.mjcf.mujoco_model import (
    Element,
    MujocoModel,
    add,
    capsule,
    friction_loss,
    quaternion,
)
from chorda.mechanics import Array
from chorda.mechanics.joints.joint_model import Inertia
from chorda.mechanics.tree import Node

MIN_INERTIA = 1e-12  # kg, kg m^2: what MuJoCo asks of a moving frame that has no mass
ROUNDING = 1e-9
BAR_RADIUS = 0.03  # of a bar's length, in pictures


def add_bodies(model: MujocoModel) -> None:
    """All frames of the tree; the loops of X-joints are closed by constraints."""
    for index, node in enumerate(model.tree.nodes[1:], start=1):
        parent = node.parent
        R, p = model.pose(node.pose)
        joint = model.robot.joints[node.joint] if node.carried is not None else None
        top = isinstance(joint, XJoint) and node.name.endswith(".top")
        if top:
            parent = index - 2  # the left diagonal, which ends at the top bar's right end
            R0, p0 = model.pose(model.tree.nodes[parent].pose)
            R, p = R0.T @ R, R0.T @ (p - p0)
        quat = None if np.array_equal(R, np.eye(3)) else quaternion(R)
        made = add(model.bodies[parent], "body", name=node.name, pos=p, quat=quat)
        model.bodies[index] = made
        if joint is None:
            capsule(model.bodies[parent], np.zeros(3), p, BAR_RADIUS * float(np.linalg.norm(p)))
            continue
        moving = _joint(model, made, joint, node)
        assert node.carried is not None
        _add_inertia(model, made, index, node.carried.body, moving)
        if top:
            _close(model, joint.name, index)


def _joint(model: MujocoModel, made: Element, joint: Joint, node: Node) -> bool:
    """The joint elements of a body; False for a frame that is fixed."""
    match joint.kind:
        case "revolute" | "prismatic":
            _one_axis(model, made, joint)
        case "free":
            for k, axis in zip("xyz", np.eye(3), strict=True):
                add(made, "joint", name=f"{joint.name}.{k}", type="slide", axis=axis)
            add(made, "joint", name=joint.name, type="ball")
        case "x":
            _bar(model, made, joint, node)
        case _:
            return False
    return True


def _one_axis(model: MujocoModel, made: Element, joint: Revolute | Prismatic) -> None:
    kind = "hinge" if isinstance(joint, Revolute) else "slide"
    forces = {"damping": "friction", "stiffness": "stiffness", "springref": "rest"}
    given = {key: model.parameter(f"{joint.name}.{x}") or None for key, x in forces.items()}
    dry = friction_loss(model, joint)
    limits = {"range": joint.range, "limited": "true"} if joint.range and not joint.stop else {}
    add(made, "joint", name=joint.name, type=kind, axis=joint.axis, **given, **limits, **dry)


def _bar(model: MujocoModel, made: Element, joint: XJoint, node: Node) -> None:
    """A diagonal hangs on the base, the top bar by its right end on the left diagonal."""
    top = node.name.endswith(".top")
    length = model.parameter(f"{joint.name}.{'bar' if top else 'diagonal'}_length")
    end = np.array([length / 2, 0, 0])
    friction = {"damping": model.parameter(f"{joint.name}.friction") or None}
    friction |= friction_loss(model, joint)
    hinge = end if top else -end
    add(made, "joint", name=node.name, type="hinge", axis=(0, 0, 1), pos=hinge, **friction)
    capsule(made, -end, end, BAR_RADIUS * length)


def _close(model: MujocoModel, name: str, top: int) -> None:
    """The fourth pivot of an X-joint: right diagonal and the left end of the top bar."""
    L, b = (model.parameter(f"{name}.{key}_length") for key in ("diagonal", "bar"))
    one = model.site(f"{name}.pivot.diagonal", top - 1, (L / 2, 0, 0))
    two = model.site(f"{name}.pivot.top", top, (-b / 2, 0, 0))
    add(model.equality, "connect", name=f"{name}.pivot", site1=one, site2=two)
    friction = model.parameter(f"{name}.friction") or None
    dry = friction_loss(model, model.robot.named(name))
    if friction or dry:  # its rate is a sum of the three others'
        cable = add(model.tendons, "fixed", name=f"{name}.pivot", damping=friction, **dry)
        for part, sign in (("left_diagonal", 1), ("top", 1), ("right_diagonal", -1)):
            add(cable, "joint", joint=f"{name}.{part}", coef=sign)


def _add_inertia(
    model: MujocoModel, made: Element, index: int, inertia: Inertia | None, moving: bool
) -> None:
    if inertia is None:
        if moving:
            add(made, "inertial", mass=MIN_INERTIA, pos=(0, 0, 0), diaginertia=[MIN_INERTIA] * 3)
        return
    mass = float(model.number(inertia.mass).item())
    center = model.number(inertia.center).ravel()
    moments, axes = np.linalg.eigh(model.number(inertia.matrix))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    moments = _possible(model, index, moments, axes)
    add(made, "inertial", mass=mass, pos=center, quat=quaternion(axes), diaginertia=moments)


def _possible(model: MujocoModel, index: int, moments: Array, axes: Array) -> Array:
    """Moments that MuJoCo takes; those of a planar body, of which only one counts, completed."""
    least = max(MIN_INERTIA, ROUNDING * float(moments[2]))
    out = np.maximum(moments, least)
    short = float(out[2] - out[0] - out[1])
    if short <= ROUNDING * out[2]:
        return np.add(out, [max(short, 0.0), 0.0, 0.0])
    if not _turns_only_about(model, index, axes[:, 2]):
        name = model.tree.nodes[index].name
        raise InputError(
            f"{name}.body.inertia: expected principal moments of which none exceeds the sum of the "
            f"others, got {', '.join(f'{x:.4g}' for x in moments)} kg m^2; MuJoCo refuses other "
            "bodies: give all of them"
        )
    return np.asarray(np.maximum(out, [out[2] / 2, out[2] / 2, 0.0]))


def _turns_only_about(model: MujocoModel, index: int, axis: Array) -> bool:
    """Whether every joint below turns about this axis of the body, or does not turn."""
    tree, robot = model.tree, model.robot
    world = model.number(tree.pose(index).R) @ axis
    for at in tree.ancestry(index)[:-1]:
        node = tree.nodes[at]
        joint = robot.joints[node.joint] if node.carried is not None else None
        if joint is None or joint.kind in ("fixed", "prismatic"):
            continue
        if joint.kind == "free":
            return False
        about = np.array(joint.axis if isinstance(joint, Revolute) else (0, 0, 1), float)
        about = model.number(tree.pose(node.parent).R) @ about
        if np.linalg.norm(np.cross(about, world)) > ROUNDING:
            return False
    return True
