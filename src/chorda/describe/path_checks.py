"""Paths of tendons that no robot can have, as far as the description alone shows."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from chorda.describe.geometry import Point, Vector
from chorda.describe.joints import Joint, XJoint
from chorda.describe.tendons_and_actuators import Pulley, Tendon

MAX_LEAVING = 3  # in a row: every set of them that the cable may touch is a path of its own
FLATNESS = 1e-9  # how far out of a pulley's plane is still in it, relative to the path's size


def check_paths(tendons: Iterable[Tendon], joints: Sequence[Joint]) -> None:
    """Neighbours in one frame must let the cable pass, in one plane, whatever the configuration."""
    for i, tendon in enumerate(tendons):
        _check_leaving(f"tendons.{i}.path", tendon)
        for k, (a, b) in enumerate(pairwise(tendon.path)):
            start, end = _centre(a, joints), _centre(b, joints)
            if a.frame == b.frame and start is not None and end is not None:
                _check_pair(f"tendons.{i}.path", tendon, k, start, end)


def element_text(tendon: Tendon, k: int) -> str:
    """An element of a path in words."""
    element = tendon.path[k]
    point = element.point
    where = point if isinstance(point, str) else "(" + ", ".join(f"{x:g}" for x in point) + ")"
    kind = "point"
    if isinstance(element, Pulley):
        kind = f"pulley of radius {element.radius:g} m"
    return f"element {k} ({kind} at {element.frame} {where})"


def _check_leaving(where: str, tendon: Tendon) -> None:
    middle = list(enumerate(tendon.path))[1:-1]
    for leaves, group in groupby(middle, lambda x: isinstance(x[1], Pulley) and x[1].leave):
        run = [k for k, _ in group]
        if leaves and len(run) > MAX_LEAVING:
            raise ValueError(
                f"{where}: tendon '{tendon.name}' may leave {len(run)} pulleys in a row "
                f"(elements {run[0]} to {run[-1]}), expected at most {MAX_LEAVING}; set "
                "leave: false where the cable never leaves"
            )


def _check_pair(where: str, tendon: Tendon, k: int, start: Vector, end: Vector) -> None:
    """Elements k and k + 1, their centres in the axes of their common frame."""
    a, b = tendon.path[k], tendon.path[k + 1]
    pulleys = [x for x in (a, b) if isinstance(x, Pulley)]
    if not pulleys:
        return
    both = f"{where}: tendon '{tendon.name}' cannot run from {element_text(tendon, k)} to " + (
        element_text(tendon, k + 1)
    )
    d, normal = np.subtract(end, start), pulleys[0].normal
    far = float(np.linalg.norm(d))
    if np.linalg.norm(np.cross(normal, pulleys[-1].normal)) > FLATNESS:
        raise ValueError(f"{both}: their planes are not parallel; give both the same normal")
    off = float(d @ normal)
    if abs(off) > FLATNESS * (far + pulleys[0].radius):
        raise ValueError(
            f"{both}: they are {abs(off):g} m apart across the pulley's plane, expected 0; move "
            "one into the plane of the other"
        )
    need = float(np.linalg.norm(_turn(b) - _turn(a)))
    if far <= need:
        raise ValueError(
            f"{both}: they are {far:g} m apart, expected more than {need:g} m; move them apart, "
            "make the radius smaller, or check the side"
        )


def _turn(element: Point | Pulley) -> Any:
    """Radius times the axis about which the cable turns."""
    if isinstance(element, Point):
        return np.zeros(3)
    return (element.radius if element.side == "left" else -element.radius) * np.array(
        element.normal
    )


def _centre(element: Point | Pulley, joints: Sequence[Joint]) -> Vector | None:
    """Coordinates in the element's frame."""
    if not isinstance(element.point, str):
        return element.point
    if element.point == "origin":
        return (0.0, 0.0, 0.0)
    name, _, frame = element.frame.partition(".")
    joint = next((x for x in joints if x.name == name), None)
    if not isinstance(joint, XJoint):
        return None
    half = (joint.bar_length if frame in ("base", "top") else joint.diagonal_length) / 2
    return (-half if element.point in ("left", "low") else half, 0.0, 0.0)
