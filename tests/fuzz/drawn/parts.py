"""Random parts of robots: directions, placements, bodies, joints, springs, loads."""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.describe import (
    Body,
    Damper,
    DenavitHartenberg,
    Fixed,
    Free,
    Load,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Spring,
    XJoint,
)

Random = np.random.Generator


def numbers(x: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in x)


def direction(rng: Random) -> Any:
    """Any, or one of the main ones."""
    if rng.random() < 0.4:
        n = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    else:
        n = rng.normal(size=3)
    return numbers(n / np.linalg.norm(n))


def place(rng: Random, size: float = 0.3) -> Placement:
    if rng.random() < 0.15:
        return Placement()
    angle = float(rng.uniform(-3, 3)) if rng.random() < 0.7 else 0.0
    return Placement(
        position=numbers(rng.uniform(-size, size, 3)), axis=direction(rng), angle=angle
    )


def placement_of(R: Any, p: Any) -> Placement:
    """The placement of a rotation and an origin."""
    turn = Rotation.from_matrix(R).as_rotvec()
    angle = float(np.linalg.norm(turn))
    axis = numbers(turn / angle) if angle > 1e-12 else (0.0, 0.0, 1.0)
    return Placement(position=numbers(p), axis=axis, angle=angle if angle > 1e-12 else 0.0)


def body(rng: Random, flat: bool = False) -> Body:
    mass = float(rng.uniform(0.1, 2.0))
    center = rng.uniform(-0.15, 0.15, 3)
    if flat:
        center[2] = 0.0
    if flat and rng.random() < 0.5:
        inertia = (0.0, 0.0, mass * float(rng.uniform(1e-3, 1e-2)), 0.0, 0.0, 0.0)
        return Body(mass=mass, center=numbers(center), inertia=inertia)
    A = rng.normal(size=(3, 3)) * 0.06
    S = mass * (A @ A.T + 5e-4 * np.eye(3))
    J = np.trace(S) * np.eye(3) - S
    inertia = numbers(J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])
    return Body(mass=mass, center=numbers(center), inertia=inertia)


def maybe(rng: Random, low: float, high: float, often: float = 0.4) -> float | None:
    return float(rng.uniform(low, high)) if rng.random() < often else None


def one_axis(rng: Random, name: str, parent: str, **fields: Any) -> Any:
    kind = Revolute if rng.random() < 0.65 else Prismatic
    stiff = maybe(rng, 1, 40) if kind is Revolute else maybe(rng, 20, 400, 0.6)
    given: dict[str, Any] = {
        "name": name,
        "parent": parent,
        "placement": place(rng),
        "axis": direction(rng),
        "body": body(rng),
        "friction": maybe(rng, 0.01, 1.0),
        "stiffness": stiff,
        "rest": float(rng.uniform(-0.3, 0.3)),
    }
    if rng.random() < 0.15:
        given["axis"] = (0.0, 0.0, 1.0)
        given["link"] = DenavitHartenberg(
            a=float(rng.uniform(-0.3, 0.3)),
            alpha=float(rng.uniform(-2, 2)),
            d=float(rng.uniform(-0.2, 0.2)),
            theta=float(rng.uniform(-2, 2)),
        )
    return kind(**{**given, **fields})


def crossed(rng: Random, name: str, parent: str, **fields: Any) -> XJoint:
    L = float(rng.uniform(0.1, 0.4))
    given: dict[str, Any] = {"placement": place(rng), "friction": maybe(rng, 0.01, 0.3)}
    return XJoint(
        name=name,
        parent=parent,
        diagonal_length=L,
        bar_length=L * float(rng.uniform(0.2, 0.9)),
        diagonal_mass=float(rng.uniform(0.05, 0.5)),
        bar_mass=float(rng.uniform(0.05, 0.5)),
        **{**given, **fields},
    )


def joint(rng: Random, name: str, frames: list[str]) -> Any:
    """A random joint on one of the frames."""
    parent = frames[-1] if rng.random() < 0.6 else str(rng.choice(frames))
    dice = rng.random()
    if dice < 0.6:
        return one_axis(rng, name, parent)
    if dice < 0.8:
        return crossed(rng, name, parent)
    if dice < 0.9:
        own = body(rng) if rng.random() < 0.7 else None
        return Fixed(name=name, parent=parent, placement=place(rng), body=own)
    return Free(name=name, parent=parent, placement=place(rng), body=body(rng))


def point(rng: Random, frames: list[str], flat: bool = False, other: str = "") -> Point:
    """A point of one of the frames, of none that is `other`."""
    frame = str(rng.choice([f for f in frames if f != other]))
    if frame.endswith((".top", ".base")) and frame.count(".") == 1 and rng.random() < 0.2:
        return Point(frame=frame)
    at = rng.uniform(-0.25, 0.25, 3)
    return Point(frame=frame, point=numbers([at[0], at[1], 0.0 if flat else at[2]]))


def elements(rng: Random, frames: list[str], flat: bool = False) -> dict[str, Any]:
    """Springs, dampers and loads between frames."""

    def ends() -> dict[str, Point]:
        start = point(rng, frames, flat)
        return {"start": start, "end": point(rng, frames, flat, start.frame)}

    springs = [
        Spring(
            name=f"spring{k}",
            **ends(),
            stiffness=float(rng.uniform(5, 300)),
            free_length=float(rng.uniform(0, 0.4)),
            damping=maybe(rng, 0.1, 3),
        )
        for k in range(rng.integers(0, 3))
    ]
    dampers = [
        Damper(name=f"damper{k}", **ends(), damping=float(rng.uniform(0.1, 3)))
        for k in range(rng.integers(0, 2))
    ]
    loads = [
        Load(
            name=f"load{k}",
            at=point(rng, frames, flat, "world"),
            force=numbers(rng.normal(size=3) * (3, 3, 0 if flat else 3)),
            moment=numbers(rng.normal(size=3) * 0.3 * (not flat))
            if rng.random() < 0.3
            else (0, 0, 0),
            follows=bool(rng.random() < 0.25),
        )
        for k in range(rng.integers(0, 3))
    ]
    return {"springs": springs, "dampers": dampers, "loads": loads}


def gravity(rng: Random) -> Any:
    if rng.random() < 0.15:
        return (0.0, 0.0, 0.0)
    return numbers(9.81 * np.array(direction(rng)))
