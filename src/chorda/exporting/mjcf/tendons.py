"""Tendons, springs and dampers as MuJoCo's tendons."""

import numpy as np

from chorda.describe import Damper, Motor, Pulley, Spring, Tendon
from chorda.exporting.mjcf.actuators import Cable, actuator_tendon, motor_slide
from chorda.exporting.mjcf.lengths import constant_arms, reference_lengths, refuse
from chorda.exporting.mjcf.scene import Element, Scene, add, quaternion, shown
from chorda.mechanics import Array


def string(scene: Scene, tendons: Element, equality: Element, actuators: Element) -> None:
    """All tendons with their actuators."""
    runs = {
        actuator.name: motor_slide(scene, actuator, actuators)
        for actuator in scene.robot.actuators
        if isinstance(actuator, Motor)
    }
    for index, tendon in enumerate(scene.robot.tendons):
        cable = _lay(scene, tendons, index, tendon, runs)
        actuator_tendon(scene, cable, equality, actuators)
    for spring in scene.robot.springs:
        element = _between(scene, tendons, spring)
        element.set("stiffness", repr(scene.parameter(f"{spring.name}.stiffness")))
        element.set("springlength", repr(scene.parameter(f"{spring.name}.free_length")))
    for damper in scene.robot.dampers:
        _between(scene, tendons, damper)


def _between(scene: Scene, tendons: Element, item: Spring | Damper) -> Element:
    name = item.name
    ends = (("start", item.start), ("end", item.end))
    damping = scene.parameter(f"{name}.damping") or None
    element = add(tendons, "spatial", name=name, damping=damping, width=0.001)
    for key, point in ends:
        add(element, "site", site=scene.site(f"{name}.{key}", *scene.place(point, f"{name}.{key}")))
    return element


def _lay(
    scene: Scene, tendons: Element, index: int, tendon: Tendon, runs: dict[str, float]
) -> Cable:
    """The path: linear in the joints, or through places and around cylinders."""
    if (
        any(isinstance(x, Pulley) for x in tendon.path)
        and (arms := constant_arms(scene, index)) is not None
    ):
        element = add(tendons, "fixed", name=tendon.name)
        for joint, arm in arms:
            add(element, "joint", joint=joint, coef=arm)
        if tendon.actuator in runs:
            add(element, "joint", joint=str(tendon.actuator), coef=-tendon.winding)
        return Cable(tendon, element, 0.0)
    refuse(scene, tendon)
    element = add(tendons, "spatial", name=tendon.name, width=0.001)
    rest = float(reference_lengths(scene)[index]) - scene.parameter(f"{tendon.name}.lead")
    if tendon.actuator in runs:  # the slide approaches the eye by what the motor pays out
        eye = "eye" if tendon.winding == 1 else "far_eye"
        add(element, "site", site=f"{tendon.actuator}.slide")
        add(element, "site", site=f"{tendon.actuator}.{eye}")
        add(element, "pulley", divisor=1)
        rest += runs[str(tendon.actuator)]
    for k, point in enumerate(tendon.path):
        name = f"{tendon.name}.path{k}"
        node, at = scene.place(point, name)
        if isinstance(point, Pulley):
            _cylinder(scene, element, tendon, k, node, at)
        else:
            add(element, "site", site=scene.site(name, node, at))
    return Cable(tendon, element, rest)


def _cylinder(scene: Scene, element: Element, tendon: Tendon, k: int, node: int, at: Array) -> None:
    """A pulley between two points; the site beside it says on which side the cable runs."""
    pulley = tendon.path[k]
    assert isinstance(pulley, Pulley)
    name = f"{tendon.name}.path{k}"
    radius = scene.parameter(f"{name}.radius", pulley.radius)
    normal = np.array(pulley.normal)
    before, after = (
        _seen(scene, *scene.place(tendon.path[j], f"{tendon.name}.path{j}"), node)
        for j in (k - 1, k + 1)
    )
    axis = normal if pulley.side == "left" else -normal
    beside = at + 2 * radius * _midway(before - at, after - at, axis)
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    R = np.column_stack([first, np.cross(normal, first), normal])
    add(
        scene.bodies[node],
        "geom",
        name=name,
        size=(radius, radius / 2),
        pos=at,
        quat=quaternion(R),
        **shown("cylinder"),
    )
    add(element, "geom", geom=name, sidesite=scene.site(f"{name}.beside", node, beside))


def _midway(before: Array, after: Array, axis: Array) -> Array:
    """The direction from the centre that the cable, which turns about the axis, passes half-way.

    MuJoCo's cable jumps where one of its ends gets to the opposite of it.
    """
    start, end = (x - axis * (axis @ x) for x in (before, after))
    angle = np.arctan2(axis @ np.cross(start, end), start @ end) % (2 * np.pi)
    across = np.cross(axis, start)
    out = np.cos(angle / 2) * start + np.sin(angle / 2) * across
    return np.asarray(out / np.linalg.norm(out))


def _seen(scene: Scene, node: int, at: Array, frame: int) -> Array:
    """A point in another frame at the reference configuration."""
    (R, p), (S, o) = (scene.pose(scene.tree.pose(x)) for x in (node, frame))
    return np.asarray(S.T @ (p + R @ at - o))
