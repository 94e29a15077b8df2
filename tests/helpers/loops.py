"""Closed linkages, standing in any orientation."""

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.describe import Body, Closure, Fixed, Placement, Point, Revolute, Robot

UPRIGHT = np.eye(3)
TILTED = Rotation.from_rotvec([0.3, 0.5, -0.8]).as_matrix()
ORIENTATIONS = {
    "upright": UPRIGHT,
    "in the x-z plane": Rotation.from_euler("x", 90, degrees=True).as_matrix(),
    "in the y-z plane": Rotation.from_euler("y", 90, degrees=True).as_matrix(),
    "tilted": TILTED,
}


def placed(position, R=UPRIGHT):
    turn = Rotation.from_matrix(R).as_rotvec()
    angle = float(np.linalg.norm(turn))
    axis = tuple((turn / angle).tolist()) if angle else (0.0, 0.0, 1.0)
    return Placement(position=tuple(map(float, position)), axis=axis, angle=angle)


def bar(mass=0.1, center=(0.0, -0.1, 0.0), inertia=3e-4):
    return Body(mass=mass, center=center, inertia=(inertia, inertia, inertia, 0, 0, 0))


def base(R):
    return Fixed(name="base", placement=placed((0, 0, 0), R))


def gravity(R, down):
    return tuple((R @ (9.81 * np.array(down))).tolist())


def four_bar(R=UPRIGHT, kind="spherical", flipped=True, ground=0.3, rocker=0.2):
    """Crank 0.2 m, coupler 0.3 m; flipped: the rocker's frame is turned by pi about x."""
    side = 1 if flipped else -1
    turned = {"axis": (1.0, 0.0, 0.0), "angle": 3.141592653589793} if flipped else {}
    joints = (
        base(R),
        Revolute(name="crank", parent="base", body=bar()),
        Revolute(
            name="coupler",
            parent="crank",
            placement=Placement(position=(0, -0.2, 0)),
            body=bar(center=(0.15, 0, 0), inertia=8e-4),
        ),
        Revolute(
            name="rocker",
            parent="base",
            placement=Placement(position=(ground, 0, 0), **turned),
            body=bar(center=(0, side * 0.1, 0)),
        ),
    )
    pin = Closure(
        name="pin",
        kind=kind,
        start=Point(frame="coupler", point=(0.3, 0, 0)),
        end=Point(frame="rocker", point=(0, side * rocker, 0)),
    )
    return Robot(name="four-bar", joints=joints, closures=(pin,), gravity=gravity(R, (0, -1, 0)))


def parallel_gripper(R=UPRIGHT):
    """A plate on three parallel bars of one length: the third says what the first two say."""
    joints = [base(R), Revolute(name="a", parent="base", body=bar())]
    joints.append(
        Revolute(
            name="plate",
            parent="a",
            placement=Placement(position=(0, -0.2, 0)),
            body=bar(0.3, (0.15, 0, 0), 8e-4),
        )
    )
    pins = []
    for name, at in (("b", 0.15), ("c", 0.3)):
        placement = Placement(position=(at, 0, 0))
        joints.append(Revolute(name=name, parent="base", placement=placement, body=bar()))
        start, end = Point(frame="plate", point=(at, 0, 0)), Point(frame=name, point=(0, -0.2, 0))
        pins.append(Closure(name=f"pin-{name}", kind="revolute", start=start, end=end))
    return Robot(
        name="gripper", joints=tuple(joints), closures=tuple(pins), gravity=gravity(R, (0, -1, 0))
    )


BENNETT_SIDE, BENNETT_TWIST, OTHER_TWIST = 0.3, np.radians(40), np.radians(70)
BENNETT_RATIO = np.sin((OTHER_TWIST + BENNETT_TWIST) / 2) / np.sin(
    (OTHER_TWIST - BENNETT_TWIST) / 2
)


def bennett(R=UPRIGHT, angle=1.0):
    """Four hinges in space whose links are in Bennett's proportion: a loop that turns, though ten
    equations for three hinges leave it no freedom by counting."""
    second = 2 * np.arctan(BENNETT_RATIO / np.tan(angle / 2))
    a, b = BENNETT_SIDE, BENNETT_SIDE * np.sin(OTHER_TWIST) / np.sin(BENNETT_TWIST)
    links = ((a, BENNETT_TWIST), (b, OTHER_TWIST)) * 2
    joints, parent, place = [base(R)], "base", ((0, 0, 0), UPRIGHT)
    for k, (length, twist) in enumerate(links[:3]):
        body = bar(center=(length / 2, 0, 0), inertia=1e-4)
        joints.append(
            Revolute(name=f"j{k + 1}", parent=parent, placement=placed(*place), body=body)
        )
        parent, place = f"j{k + 1}", ((length, 0, 0), Rotation.from_euler("x", twist).as_matrix())
    joints.append(Fixed(name="end", parent=parent, placement=placed(*place)))
    back = Rotation.from_euler("x", links[3][1]).as_matrix().T
    joints.append(Fixed(name="ground", parent="base", placement=placed(back @ (-b, 0, 0), back)))
    loop = Closure(
        name="loop", kind="revolute", start=Point(frame="end"), end=Point(frame="ground")
    )
    return Robot(
        name="bennett",
        joints=tuple(joints),
        closures=(loop,),
        gravity=gravity(R, (0, 0, -1)),
        start={"j1": angle, "j2": float(second), "j3": float(2 * np.pi - angle)},
    )


def sarrus(R=UPRIGHT, bend=0.6, side=0.2):
    """A plate that two pairs of plates, hinged about x and about y, let move along z alone."""

    def hinge(name, parent, axis, position, center):
        return Revolute(
            name=name,
            parent=parent,
            axis=axis,
            placement=Placement(position=position),
            body=bar(center=center, inertia=1e-4),
        )

    x, y, along, middle = (1, 0, 0), (0, 1, 0), (0, 0, side), (0, 0, side / 2)
    joints = (
        base(R),
        hinge("a1", "base", x, (0, 0.1, 0), middle),
        hinge("a2", "a1", x, along, middle),
        hinge("a3", "a2", x, along, (0, -0.1, 0)),
        hinge("b1", "base", y, (0.1, 0, 0), middle),
        hinge("b2", "b1", y, along, middle),
    )
    loop = Closure(
        name="loop",
        kind="revolute",
        axis=y,
        start=Point(frame="b2", point=along),
        end=Point(frame="a3", point=(0.1, -0.1, 0)),
    )
    start = {"a1": -bend, "a2": 2 * bend, "a3": -bend, "b1": bend, "b2": -2 * bend}
    return Robot(
        name="sarrus",
        joints=joints,
        closures=(loop,),
        gravity=gravity(R, (0, 0, -1)),
        start=start,
    )
