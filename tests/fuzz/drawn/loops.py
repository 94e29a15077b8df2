"""Random closed loops: planar, parallelograms, Bennett's, Sarrus', and any spatial ones.

A loop is closed by construction: its tree is put in a random configuration, and the end of the
closure is placed where its start is then.
"""

from typing import Any

import numpy as np

from chorda.describe import Closure, Fixed, Placement, Point, Revolute, Robot
from chorda.describe.robot import frames_of
from tests.fuzz.drawn.parts import (
    Random,
    body,
    direction,
    elements,
    gravity,
    maybe,
    numbers,
    one_axis,
    place,
    placement_of,
)
from tests.fuzz.plain.kinematics import Kinematics


def _hinge(
    rng: Random, name: str, parent: str, position: Any, flat: bool = True, **more: Any
) -> Any:
    given: dict[str, Any] = {
        "placement": Placement(position=numbers(position)),
        "body": body(rng, flat),
        "friction": maybe(rng, 0.01, 0.2, 0.2),
    }
    return Revolute(name=name, parent=parent, **{**given, **more})


def _base(rng: Random) -> Fixed:
    return Fixed(name="base", placement=place(rng))


def four_bar(rng: Random) -> Robot:
    """Crank, coupler, rocker in any plane, a parallelogram at times."""
    a, b, ground = (float(x) for x in rng.uniform(0.15, 0.4, 3))
    angles = rng.uniform(-0.9, 0.9, 2)
    flip = rng.random() < 0.3
    turned = {"axis": (1.0, 0.0, 0.0), "angle": float(np.pi)} if flip else {}
    joints = [_base(rng), _hinge(rng, "crank", "base", (0, 0, 0))]
    joints.append(_hinge(rng, "coupler", "crank", (0, -a, 0)))
    at = Placement(position=(ground, 0.0, 0.0), **turned)
    joints.append(_hinge(rng, "rocker", "base", (0, 0, 0), placement=at))
    start = {
        "crank": float(angles[0]),
        "coupler": float(angles[1]),
        "rocker": float(rng.uniform(-1, 1)),
    }
    point = (b, 0.0, 0.0)
    if rng.random() < 0.3:  # a parallelogram
        point, start = (
            (ground, 0.0, 0.0),
            {
                "crank": start["crank"],
                "coupler": -start["crank"],
                "rocker": (-1 if flip else 1) * start["crank"],
            },
        )
    kind = str(rng.choice(["spherical", "revolute", "universal"], p=[0.4, 0.5, 0.1]))
    return _closed(rng, joints, start, [("coupler", point, "rocker", kind, (0.0, 0.0, 1.0))])


def gripper(rng: Random) -> Robot:
    """A plate on three parallel bars: one of them says what the others say."""
    length = float(rng.uniform(0.15, 0.3))
    angle = float(rng.uniform(0.2, 0.8))
    joints = [_base(rng), _hinge(rng, "a", "base", (0, 0, 0))]
    joints.append(_hinge(rng, "plate", "a", (0, -length, 0)))
    start = {"a": angle, "plate": -angle}
    pins = []
    for name, at in (("b", 0.15), ("c", float(rng.uniform(0.2, 0.4)))):
        joints.append(_hinge(rng, name, "base", (at, 0, 0)))
        start[name] = angle
        pins.append(("plate", (at, 0.0, 0.0), name, "revolute", (0.0, 0.0, 1.0)))
    return _closed(rng, joints, start, pins)


def bennett(rng: Random) -> Robot:
    """Four hinges in space in Bennett's proportion."""
    side = float(rng.uniform(0.15, 0.35))
    one = float(rng.uniform(0.4, 1.0))
    other = one + float(rng.uniform(0.3, 0.8))
    far = side * np.sin(other) / np.sin(one)
    angle = float(rng.uniform(0.5, 1.5))
    ratio = np.sin((other + one) / 2) / np.sin((other - one) / 2)
    second = float(2 * np.arctan(ratio / np.tan(angle / 2)))
    joints: list[Any] = [_base(rng)]
    parent, at = "base", Placement()
    for k, (length, twist) in enumerate([(side, one), (far, other), (side, one)]):
        joints.append(_hinge(rng, f"j{k}", parent, (0, 0, 0), False, placement=at))
        parent = f"j{k}"
        at = Placement(position=(float(length), 0.0, 0.0), axis=(1.0, 0.0, 0.0), angle=twist)
    joints.append(Fixed(name="end", parent=parent, placement=at))
    start = {"j0": angle, "j1": second, "j2": float(2 * np.pi - angle)}
    return _closed(
        rng, joints, start, [("end", (0.0, 0.0, 0.0), "base", "revolute", (0.0, 0.0, 1.0))]
    )


def sarrus(rng: Random) -> Robot:
    """A plate that moves straight, on two pairs of hinged plates that cross."""
    side, bend = float(rng.uniform(0.15, 0.3)), float(rng.uniform(0.3, 0.9))
    x, y, along = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, side)

    def hinge(name: str, parent: str, axis: Any, position: Any) -> Any:
        return _hinge(rng, name, parent, position, False, axis=axis)

    joints = [
        _base(rng),
        hinge("a1", "base", x, (0, 0.1, 0)),
        hinge("a2", "a1", x, along),
        hinge("a3", "a2", x, along),
        hinge("b1", "base", y, (0.1, 0, 0)),
        hinge("b2", "b1", y, along),
    ]
    start = {"a1": -bend, "a2": 2 * bend, "a3": -bend, "b1": bend, "b2": -2 * bend}
    return _closed(rng, joints, start, [("b2", along, "a3", "revolute", y)])


def spatial(rng: Random) -> Robot:
    """Any hinges and slides, closed anyhow."""
    joints: list[Any] = [_base(rng)]
    branch: list[list[str]] = [[], []]
    counts = rng.integers(1, 5), rng.integers(0, 4)
    for side, count in enumerate(counts):
        parent = "base"
        for k in range(count):
            name = f"{'ab'[side]}{k}"
            joints.append(one_axis(rng, name, parent, link=None))
            branch[side].append(name)
            parent = name
    ends = [x[-1] if x else "base" for x in branch]
    start = {x.name: float(rng.uniform(-0.6, 0.6)) for x in joints[1:]}
    kind = str(rng.choice(["spherical", "universal", "revolute", "fixed"]))
    at = numbers(rng.uniform(-0.2, 0.2, 3))
    return _closed(rng, joints, start, [(ends[0], at, ends[1], kind, direction(rng))])


def _closed(rng: Random, joints: list[Any], start: dict[str, float], pins: list[Any]) -> Robot:
    """Closures (frame, point, other frame, kind, axis) whose ends are placed where they meet."""
    open_ = Robot(name="loop", joints=joints)
    k = Kinematics(open_)
    q = k.rest()
    for name, value in start.items():
        q[k.rows[name][0]] = value
    frames = k.frames(q)
    closures, more = [], []
    for i, (first, point, second, kind, axis) in enumerate(pins):
        (R, p), (S, o) = frames[first], frames[second]
        turn, gap = S.T @ R, S.T @ (p + R @ np.array(point) - o)
        end = Point(frame=second, point=numbers(gap))
        fields: dict[str, Any] = {}
        tilted = not np.allclose(turn @ axis, axis, atol=1e-9)
        if kind in ("fixed", "universal") or (kind == "revolute" and tilted):
            name = f"mount{i}"
            more.append(Fixed(name=name, parent=second, placement=placement_of(turn, gap)))
            end = Point(frame=name)
        if kind == "universal":
            across = np.cross(axis, rng.normal(size=3))
            fields["cross_axis"] = numbers(across / np.linalg.norm(across))
        closures.append(
            Closure(
                name=f"pin{i}",
                kind=kind,
                start=Point(frame=first, point=numbers(point)),
                end=end,
                axis=axis,
                **fields,
            )
        )
    joints = [*joints, *more]
    names = ["world", *(f for x in joints for f in frames_of(x))]
    extra = elements(rng, names) if rng.random() < 0.3 else {}
    return Robot(
        name="loop", gravity=gravity(rng), joints=joints, closures=closures, start=start, **extra
    )


KINDS = {"four-bar": 0.3, "gripper": 0.1, "bennett": 0.12, "sarrus": 0.08, "spatial": 0.4}
MAKERS = dict(zip(KINDS, (four_bar, gripper, bennett, sarrus, spatial), strict=True))


def draw(rng: Random) -> Robot:
    return MAKERS[str(rng.choice(list(KINDS), p=list(KINDS.values())))](rng)
