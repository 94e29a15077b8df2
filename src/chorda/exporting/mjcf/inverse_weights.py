"""How much a force on each body accelerates it at MuJoCo's reference configuration.

MuJoCo scales its soft constraints by these numbers (body_invweight0): the mean over three axes of
the acceleration of a body's centre of mass per force there, of the tree without loops and tendons.
Of a single body that slides along an axis of its own, MuJoCo does not take the mean.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.exporting.mjcf.mujoco_model import Element
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class _Dof:
    """One degree of freedom in world axes: a turn about an axis through a point, or a shift."""

    axis: Array
    through: Array | None
    armature: float

    def moves(self, point: Array) -> tuple[Array, Array]:
        """Angular velocity, and velocity of a point, per rate."""
        if self.through is None:
            return np.zeros(3), self.axis
        return self.axis, np.cross(self.axis, point - self.through)


@dataclass(frozen=True, eq=False)
class _Body:
    name: str
    center: Array
    mass: float
    inertia: Array  # in world axes
    dofs: tuple[int, ...]  # on the way to it
    alone: bool  # slides along its own axes, and carries nothing


def inverse_weights(world: Element) -> dict[str, float]:
    """By body, [1/kg]; 0 for what cannot move."""
    dofs: list[_Dof] = []
    bodies: list[_Body] = []
    _walk(world, np.eye(3), np.zeros(3), (), dofs, bodies)
    M = np.diag([x.armature for x in dofs]) if dofs else np.zeros((0, 0))
    jacobians = [_jacobian(x, dofs) for x in bodies]
    for body, (W, V) in zip(bodies, jacobians, strict=True):
        M = M + body.mass * V.T @ V + W.T @ body.inertia @ W
    inverse = np.linalg.inv(M)
    return {
        body.name: 1 / body.mass if body.alone else float(np.trace(V @ inverse @ V.T)) / 3
        for body, (_, V) in zip(bodies, jacobians, strict=True)
    }


def _walk(
    element: Element, R: Array, p: Array, way: tuple[int, ...], dofs: list[_Dof], out: list[_Body]
) -> None:
    for body in element.findall("body"):
        place, turned = p + R @ _numbers(body, "pos", (0, 0, 0)), R @ _turned(body)
        own = list(way)
        for joint in body.findall("joint"):
            kind = joint.get("type", "hinge")
            armature = float(joint.get("armature", 0.0))
            axis = _numbers(joint, "axis", (0, 0, 1))
            axes = np.eye(3) if kind == "ball" else (axis / np.linalg.norm(axis))[None]
            through = (
                None if kind == "slide" else place + turned @ _numbers(joint, "pos", (0, 0, 0))
            )
            for x in axes:
                own.append(len(dofs))
                dofs.append(_Dof(turned @ x, through, armature))
        alone = element.tag == "worldbody" and _slides_alone(body)
        out.append(_inertial(body, turned, place, tuple(own), alone))
        _walk(body, turned, place, tuple(own), dofs, out)


def _slides_alone(body: Element) -> bool:
    joints, given = body.findall("joint"), body.find("inertial")
    if body.find("body") is not None or given is None or not joints:
        return False
    along = all(np.max(np.abs(_numbers(x, "axis", (0, 0, 1)))) == 1 for x in joints)
    placed = _numbers(given, "pos", (0, 0, 0)).any() or not np.array_equal(
        _turned(given), np.eye(3)
    )
    return along and not placed and all(x.get("type") == "slide" for x in joints)


def _inertial(body: Element, R: Array, p: Array, dofs: tuple[int, ...], alone: bool) -> _Body:
    given = body.find("inertial")
    name = str(body.get("name"))
    if given is None:
        return _Body(name, p, 0.0, np.zeros((3, 3)), dofs, False)
    axes = R @ _turned(given)
    inertia = axes @ np.diag(_numbers(given, "diaginertia", (0, 0, 0))) @ axes.T
    center = p + R @ _numbers(given, "pos", (0, 0, 0))
    return _Body(name, center, float(given.get("mass", 0.0)), inertia, dofs, alone)


def _jacobian(body: _Body, dofs: list[_Dof]) -> tuple[Array, Array]:
    W, V = np.zeros((2, 3, len(dofs)))
    for k in body.dofs:
        W[:, k], V[:, k] = dofs[k].moves(body.center)
    return W, V


def _numbers(element: Element, key: str, default: Any) -> Array:
    given = element.get(key)
    return np.array(default if given is None else given.split(), float)


def _turned(element: Element) -> Array:
    w, x, y, z = _numbers(element, "quat", (1, 0, 0, 0))
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix(), float)
