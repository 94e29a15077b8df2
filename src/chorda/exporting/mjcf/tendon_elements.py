"""Tendons, springs and dampers as MuJoCo's tendons."""

import numpy as np

from chorda.describe import Damper, Motor, Pulley, Spring, Tendon
from chorda.exporting.mjcf.actuators import Cable, actuate, add_motor
from chorda.exporting.mjcf.lengths import constant_arms, reference_lengths, refuse
from chorda.exporting.mjcf.mujoco_model import SHOWN, Element, MujocoModel, add, quaternion
from chorda.mechanics import Array


def add_tendons(model: MujocoModel) -> None:
    """All tendons with their actuators, springs and dampers."""
    slides = {
        actuator.name: add_motor(model, actuator)
        for actuator in model.robot.actuators
        if isinstance(actuator, Motor)
    }
    for tendon in model.robot.tendons:
        actuate(model, _cable(model, tendon, slides))
    for spring in model.robot.springs:
        element = _between(model, spring)
        element.set("stiffness", repr(model.parameter(f"{spring.name}.stiffness")))
        element.set("springlength", repr(model.parameter(f"{spring.name}.free_length")))
    for damper in model.robot.dampers:
        _between(model, damper)


def _between(model: MujocoModel, item: Spring | Damper) -> Element:
    name = item.name
    damping = model.parameter(f"{name}.damping") or None
    element = add(model.tendons, "spatial", name=name, damping=damping, width=0.001)
    for key, point in (("start", item.start), ("end", item.end)):
        add(element, "site", site=model.site_at(point, f"{name}.{key}"))
    return element


def _cable(model: MujocoModel, tendon: Tendon, slides: dict[str, float]) -> Cable:
    """The path: linear in the joints, or through points and around cylinders."""
    name, motor = tendon.name, str(tendon.actuator)
    on_pulleys = any(isinstance(x, Pulley) for x in tendon.path)
    if on_pulleys and (arms := constant_arms(model, tendon)) is not None:
        element = add(model.tendons, "fixed", name=name)
        for joint, arm in arms:
            add(element, "joint", joint=joint, coef=arm)
        if motor in slides:
            add(element, "joint", joint=motor, coef=-tendon.winding)
        return Cable(tendon, element, 0.0)
    refuse(model, tendon)
    element = add(model.tendons, "spatial", name=name, width=0.001)
    rest = reference_lengths(model)[name] - model.parameter(f"{name}.lead")
    if motor in slides:  # the slide approaches its eyelet by what the motor pays out
        add(element, "site", site=f"{motor}.slide")
        add(element, "site", site=f"{motor}.{'eye' if tendon.winding == 1 else 'far_eye'}")
        add(element, "pulley", divisor=1)
        rest += slides[motor]
    for k, point in enumerate(tendon.path):
        if isinstance(point, Pulley):
            _add_cylinder(model, element, tendon, k, point)
        else:
            add(element, "site", site=model.site_at(point, f"{name}.path{k}"))
    return Cable(tendon, element, rest)


def _add_cylinder(
    model: MujocoModel, element: Element, tendon: Tendon, k: int, pulley: Pulley
) -> None:
    """A pulley between two points; the site beside it tells on which side the cable runs."""
    name = f"{tendon.name}.path{k}"
    node, at = model.located(pulley, name)
    radius = model.parameter(f"{name}.radius", pulley.radius)
    normal = np.array(pulley.normal)
    before, after = (
        _in_frame(model, *model.located(tendon.path[j], f"{tendon.name}.path{j}"), node)
        for j in (k - 1, k + 1)
    )
    axis = normal if pulley.side == "left" else -normal
    beside = at + 2 * radius * _midway(before - at, after - at, axis)
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    R = np.column_stack([first, np.cross(normal, first), normal])
    shape = {"size": (radius, radius / 2), "pos": at, "quat": quaternion(R), "type": "cylinder"}
    add(model.bodies[node], "geom", name=name, **shape, **SHOWN)
    add(element, "geom", geom=name, sidesite=model.site(f"{name}.beside", node, beside))


def _midway(before: Array, after: Array, axis: Array) -> Array:
    """The direction from the centre that the cable, which turns about the axis, passes half-way.

    MuJoCo's cable jumps where one of its ends gets opposite to it.
    """
    start, end = (x - axis * (axis @ x) for x in (before, after))
    angle = np.arctan2(axis @ np.cross(start, end), start @ end) % (2 * np.pi)
    across = np.cross(axis, start)
    out = np.cos(angle / 2) * start + np.sin(angle / 2) * across
    return np.asarray(out / np.linalg.norm(out))


def _in_frame(model: MujocoModel, node: int, at: Array, frame: int) -> Array:
    """A point in another frame at the reference configuration."""
    (R, p), (S, o) = (model.pose(model.tree.pose(x)) for x in (node, frame))
    return np.asarray(S.T @ (p + R @ at - o))
