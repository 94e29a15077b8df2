"""A random chain of revolute joints, described for Chorda and told link by link for the peers."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.describe import Body, Free, Placement, Revolute, Robot

GRAVITY = (0.7, -9.3, 1.1)


@dataclass(frozen=True)
class Link:
    axis: np.ndarray
    place: np.ndarray
    turn: np.ndarray  # rotation vector
    mass: float
    center: np.ndarray
    inertia: np.ndarray  # about the centre, 3 x 3


def random_links(seed, count):
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        axis = rng.normal(size=3)
        principal = rng.uniform(0.5, 1.0, 3) * 0.02  # no moment exceeds the sum of the others
        R = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
        out.append(
            Link(
                axis=axis / np.linalg.norm(axis),
                place=rng.uniform(-0.4, 0.4, 3),
                turn=rng.uniform(-1, 1, 3),
                mass=rng.uniform(0.3, 2),
                center=rng.uniform(-0.2, 0.2, 3),
                inertia=R @ np.diag(principal) @ R.T,
            )
        )
    return out


def described(links, free=False):
    """The chain as a robot; with `free` its first joint is free instead of revolute."""
    joints, parent = [], "world"
    for i, link in enumerate(links):
        xx, yy, zz, xy, xz, yz = (
            link.inertia[k] for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        body = Body(mass=link.mass, center=tuple(link.center), inertia=(xx, yy, zz, xy, xz, yz))
        angle = float(np.linalg.norm(link.turn))
        placement = Placement(
            position=tuple(link.place), axis=tuple(link.turn / angle), angle=angle
        )
        if i == 0 and free:
            joints.append(Free(name="j0", body=body))
        else:
            joints.append(
                Revolute(
                    name=f"j{i}",
                    parent=parent,
                    placement=placement,
                    axis=tuple(link.axis),
                    body=body,
                )
            )
        parent = f"j{i}"
    return Robot(name="chain", gravity=GRAVITY, joints=tuple(joints))
