"""Frames as bodies: their joints, what they weigh, and bars to look at."""

import numpy as np

from chorda.describe import Joint, Prismatic, Revolute, XJoint
from chorda.errors import InputError
from chorda.exporting.mjcf.scene import NUGGET, Element, Scene, add, body, capsule, quaternion
from chorda.mechanics import Array
from chorda.mechanics.joints.model import Inertia
from chorda.mechanics.tree import Node

ROUNDING = 1e-9
THIN = 0.03  # of a bar's length: its radius in pictures


def grow(scene: Scene, tendons: Element, equality: Element) -> None:
    """All frames of the tree; loops of X-joints are shut by `equality`."""
    for index, node in enumerate(scene.tree.nodes[1:], start=1):
        parent = node.parent
        R, p = scene.pose(node.pose)
        joint = scene.robot.joints[node.joint] if node.carried is not None else None
        if isinstance(joint, XJoint) and node.name.endswith(".top"):
            parent = index - 2  # the left diagonal, which ends at the top bar's right end
            R0, p0 = scene.pose(scene.tree.nodes[parent].pose)
            R, p = R0.T @ R, R0.T @ (p - p0)
        made = body(scene.bodies[parent], node.name, R, p)
        scene.bodies[index] = made
        if joint is None:
            capsule(scene.bodies[parent], np.zeros(3), p, THIN * float(np.linalg.norm(p)))
            continue
        moving = _joint(scene, made, joint, node)
        assert node.carried is not None
        _weigh(scene, made, index, node.carried.body, moving)
        if isinstance(joint, XJoint) and node.name.endswith(".top"):
            _shut(scene, joint, index, tendons, equality)


def _joint(scene: Scene, made: Element, joint: Joint, node: Node) -> bool:
    """The joint elements of a body; False for a frame that is fixed."""
    match joint.kind:
        case "revolute" | "prismatic":
            _one_axis(scene, made, joint)
        case "free":
            for k, axis in zip("xyz", np.eye(3), strict=True):
                add(made, "joint", name=f"{joint.name}.{k}", type="slide", axis=axis)
            add(made, "joint", name=joint.name, type="ball")
        case "x":
            _bar(scene, made, joint, node)
        case _:
            return False
    return True


def _one_axis(scene: Scene, made: Element, joint: Revolute | Prismatic) -> None:
    name = joint.name
    add(
        made,
        "joint",
        name=name,
        type="hinge" if isinstance(joint, Revolute) else "slide",
        axis=joint.axis,
        damping=scene.parameter(f"{name}.friction") or None,
        stiffness=scene.parameter(f"{name}.stiffness") or None,
        springref=scene.parameter(f"{name}.rest") or None,
        range=joint.range,
        limited="true" if joint.range else None,
    )


def _bar(scene: Scene, made: Element, joint: XJoint, node: Node) -> None:
    """A diagonal hangs on the base, the top bar by its right end on the left diagonal."""
    top = node.name.endswith(".top")
    length = scene.parameter(f"{joint.name}.{'bar' if top else 'diagonal'}_length")
    end = np.array([length / 2, 0, 0])
    friction = scene.parameter(f"{joint.name}.friction") or None
    hinge = end if top else -end
    add(made, "joint", name=node.name, type="hinge", axis=(0, 0, 1), pos=hinge, damping=friction)
    capsule(made, -end, end, THIN * length)


def _shut(scene: Scene, joint: XJoint, top: int, tendons: Element, equality: Element) -> None:
    """The fourth pivot: right diagonal and the left end of the top bar."""
    name = joint.name
    L, b = (scene.parameter(f"{name}.{key}_length") for key in ("diagonal", "bar"))
    one = scene.site(f"{name}.pivot.diagonal", top - 1, (L / 2, 0, 0))
    two = scene.site(f"{name}.pivot.top", top, (-b / 2, 0, 0))
    add(equality, "connect", name=f"{name}.pivot", site1=one, site2=two)
    if friction := scene.parameter(f"{name}.friction"):  # its rate is a sum of the three others'
        cable = add(tendons, "fixed", name=f"{name}.pivot", damping=friction)
        for part, sign in (("left_diagonal", 1), ("top", 1), ("right_diagonal", -1)):
            add(cable, "joint", joint=f"{name}.{part}", coef=sign)


def _weigh(scene: Scene, made: Element, index: int, inertia: Inertia | None, moving: bool) -> None:
    if inertia is None:
        if moving:
            add(made, "inertial", mass=NUGGET, pos=(0, 0, 0), diaginertia=[NUGGET] * 3)
        return
    mass = float(scene.number(inertia.mass).item())
    center = scene.number(inertia.center).ravel()
    moments, axes = np.linalg.eigh(scene.number(inertia.matrix))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    moments = _possible(scene, index, moments, axes)
    add(made, "inertial", mass=mass, pos=center, quat=quaternion(axes), diaginertia=moments)


def _possible(scene: Scene, index: int, moments: Array, axes: Array) -> Array:
    """Moments that MuJoCo takes; those of a planar body, of which only one counts, completed."""
    least = max(NUGGET, ROUNDING * float(moments[2]))
    out = np.maximum(moments, least)
    short = float(out[2] - out[0] - out[1])
    if short <= ROUNDING * out[2]:
        return np.add(out, [max(short, 0.0), 0.0, 0.0])
    if not _turns_only_about(scene, index, axes[:, 2]):
        name = scene.tree.nodes[index].name
        raise InputError(
            f"{name}.body.inertia: expected principal moments of which none exceeds the sum of the "
            f"others, got {', '.join(f'{x:.4g}' for x in moments)} kg m^2; MuJoCo refuses other "
            "bodies: give all of them"
        )
    return np.asarray(np.maximum(out, [out[2] / 2, out[2] / 2, 0.0]))


def _turns_only_about(scene: Scene, index: int, axis: Array) -> bool:
    """Whether every joint below turns about this axis of the body, or does not turn."""
    tree, robot = scene.tree, scene.robot
    world = scene.number(tree.pose(index).R) @ axis
    for at in tree.ancestry(index)[:-1]:
        node = tree.nodes[at]
        joint = robot.joints[node.joint] if node.carried is not None else None
        if joint is None or joint.kind in ("fixed", "prismatic"):
            continue
        if joint.kind == "free":
            return False
        about = np.array(joint.axis if isinstance(joint, Revolute) else (0, 0, 1), float)
        about = scene.number(tree.pose(node.parent).R) @ about
        if np.linalg.norm(np.cross(about, world)) > ROUNDING:
            return False
    return True
