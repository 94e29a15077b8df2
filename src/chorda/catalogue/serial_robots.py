"""Serial chains actuated by tendons: the two examples of Recursive, two fingers, an arm with belts.

Recursive (Newton-Euler dynamics with compliant tendons) prints no number but the pretensions.
"""

import math

from chorda.describe import (
    Body,
    Fixed,
    KelvinVoigt,
    Motor,
    Placement,
    Point,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    Winch,
    belt,
    chain,
    line,
)

SOURCES = {
    "gravity.*": "assumed: horizontal motion; no term of gravity is printed",
    "joints.*.body.mass": "assumed: not printed; light metal of that size",
    "joints.*.body.center.*": "assumed: in the middle of the link",
    "joints.*.body.inertia.*": "assumed: slender bars and solid discs",
    "joints.*.link.a": "assumed: not printed; an arm's or a finger's length",
    "joints.*.link.alpha": "geometry: parallel axes 0, crossing axes a quarter turn",
    "joints.*.link.d": "geometry: no offset along the axes",
    "joints.*.link.theta": "geometry: angles count from the stretched chain",
    "joints.*.rest": "geometry: no springs at the joints",
    "tendons.*.path.*.point.*": "assumed: not printed; lengths change with the radii alone",
    "tendons.*.path.*.radius": "assumed: not printed; radii that fit the links",
    "tendons.*.path.*.normal.*": "geometry: along the joints' axes",
    "tendons.*.law.stiffness": "assumed: not printed; that of a thin steel cable",
    "tendons.*.law.damping": "assumed: not printed; a few per cent of critical damping",
    "tendons.*.law.pretension": "assumed: keeps the cables taut; in balance at every joint",
}
MOTORS = {
    "actuators.*.inertia": "assumed: not printed; a small motor's rotor with its drum",
    "actuators.*.drum_radius": "assumed: not printed; that of the drum in the tendons' paths",
    "actuators.*.gear_ratio": "assumed: the motors actuator their drums directly",
    "actuators.*.friction": "assumed: the electrical damping of a small motor",
}
OWN = {  # for robots that no paper describes
    key: text.replace("not printed; ", "") for key, text in (SOURCES | MOTORS).items()
} | {
    "gravity.*": "assumed: the chain hangs down",
    "joints.*.friction": "assumed: light bearings",
    "joints.*.placement.angle": "geometry: the chain hangs down",
}


def recursive_1() -> Robot:
    """Example 1 of Recursive: two joints, three open-ended tendons, intermediate links 3 and 4.

    Names follow the paper's numbers: link1 to link4, motor5 to motor7; tendon6-1 is the segment of
    links 6 and 3, tendon6-2 that of 3 and 2, and so on.

    >>> [t.name for t in recursive_1().tendons]
    ['tendon5-1', 'tendon6-1', 'tendon6-2', 'tendon7-1', 'tendon7-2']
    """
    r1, r2, r3, drum = 0.04, 0.03, 0.03, 0.02
    primary = chain(
        [_row("link1", 0.3), _row("link2", 0.25)], bodies=[_bar(1.0, 0.3), _bar(0.6, 0.25)]
    )
    idlers = tuple(Revolute(name=f"link{k}", body=_disc(0.1, r3)) for k in (3, 4))

    def law(pretension: float) -> KelvinVoigt:
        return KelvinVoigt(stiffness=2e4, damping=20.0, pretension=pretension, one_sided=True)

    # sides as the signs of Table 2: + where turning to the left pulls [Recursive, eq. 18b]
    five = Pulley(point=(-0.15, 0.0, 0.0), radius=drum, side="right")
    six = Pulley(point=(-0.12, 0.12, 0.0), radius=drum, side="right")
    seven = Pulley(point=(-0.12, -0.12, 0.0), radius=drum, side="right")
    one = Pulley(frame="link1", radius=r1, side="right")
    three = Pulley(frame="link3", radius=r3, side="left")
    four = Pulley(frame="link4", radius=r3, side="left")
    two, two_back = (Pulley(frame="link2", radius=r2, side=x) for x in ("right", "left"))
    T = 20.0
    return Robot(
        name="recursive-1",
        title="Two joints, three open-ended tendons, two intermediate links (Recursive, example 1)",
        gravity=(0, 0, 0),
        joints=(*primary, *idlers),
        actuators=tuple(_motor(f"motor{k}", 1e-4, drum, 0.01) for k in (5, 6, 7)),
        tendons=(
            *line(
                "tendon5", (five, one), law(2 * r3 / r1 * T), carriers=["world"], actuator="motor5"
            ),
            *line(
                "tendon6", (six, three, two), law(T), carriers=["world", "link1"], actuator="motor6"
            ),
            *line(
                "tendon7",
                (seven, four, two_back),
                law(T),
                carriers=["world", "link1"],
                actuator="motor7",
            ),
        ),
        sources=SOURCES | MOTORS,
    )


def recursive_2() -> Robot:
    """Example 2 of Recursive: one joint (link3) between two actuators whose angles are prescribed.

    The inputs are paid-out lengths, radius (0.02 m) times the actuators' angles theta_1 and theta_2
    of eqs. 32-33, with the paper's signs.

    >>> [d.name for d in recursive_2().actuators]
    ['actuator1', 'actuator2']
    """
    r3, r = 0.05, 0.02
    law = KelvinVoigt(stiffness=2000.0, damping=10.0, pretension=0.5, one_sided=True)
    ends = {
        k: (
            Pulley(point=(-0.15, y, 0.0), radius=r, side=side),
            Pulley(frame="link3", radius=r3, side=side),
        )
        for k, y, side in ((1, -0.06, "left"), (2, 0.06, "right"))
    }
    sources = {k: x for k, x in SOURCES.items() if k != "tendons.*.law.pretension"}
    return Robot(
        name="recursive-2",
        title="One joint, two open-ended tendons, actuator angles given (Recursive, example 2)",
        gravity=(0, 0, 0),
        joints=chain([_row("link3", 0.4)], bodies=[_bar(2.0, 0.4)]),
        actuators=tuple(Winch(name=f"actuator{k}") for k in (1, 2)),
        tendons=tuple(
            segment
            for k in (1, 2)
            for segment in line(
                f"tendon{k}", ends[k], law, carriers=["world"], actuator=f"actuator{k}"
            )
        ),
        sources=sources
        | {"tendons.*.law.pretension": "Recursive, figure 11: t_0 = 0.5 N (also 3.5 N, figure 12)"},
    )


def finger_3() -> Robot:
    """A spatial finger: one joint to the side, two that bend, and N + 1 = 4 tendons.

    Every tendon runs past the first joint left or right, through an eyelet in the first link, and
    over the second joint; the moment arms of the four add up to zero at every joint.

    >>> len(finger_3().joints)
    4
    """
    r, a = 0.006, (0.03, 0.045, 0.03)
    rows = [_row("joint1", a[0], alpha=math.pi / 2), _row("joint2", a[1]), _row("joint3", a[2])]
    rows = [x | {"friction": 1e-3} for x in rows]
    palm = Fixed(name="palm", placement=Placement(axis=(0, 1, 0), angle=math.pi / 2))
    bodies = [_bar(m, x) for m, x in zip((0.02, 0.03, 0.02), a, strict=True)]
    # signs of the moment arms at the three joints; 0: attached before it
    signs = {"1": (1, 1, 1), "2": (-1, 1, -1), "3": (1, -1, 0), "4": (-1, -1, 0)}
    return Robot(
        name="finger-3",
        title="Spatial finger of 3 joints and 4 tendons over coaxial pulleys",
        gravity=(0, 0, -9.81),
        joints=(palm, *chain(rows, bodies=bodies, parent="palm")),
        actuators=tuple(_motor(f"motor{k}", 1e-6, r, 1e-4) for k in signs),
        tendons=tuple(
            Tendon(
                name=f"tendon{k}",
                path=_over_finger(r, *sign),
                law=_cable(4.0),
                actuator=f"motor{k}",
            )
            for k, sign in signs.items()
        ),
        sources=OWN,
    )


def finger_2n() -> Robot:
    """A planar finger of N = 2 joints with 2 N antagonistic tendons.

    flexor1 and extensor1 end on the first link; flexor2 and extensor2 pass its joint on a pulley
    and end on the second.

    >>> [t.name for t in finger_2n().tendons]
    ['flexor1', 'extensor1', 'flexor2', 'extensor2']
    """
    r, a = (0.008, 0.006), (0.045, 0.035)
    rows = [_row(f"joint{i + 1}", x) | {"friction": 1e-3} for i, x in enumerate(a)]
    tendons = []
    for end in (1, 2):
        for kind, side, y in (("flexor", "right", 1.0), ("extensor", "left", -1.0)):
            over = [
                Pulley(frame="joint1" if end == 1 else "palm", radius=r[0], side=side, leave=False)
            ]
            if end == 2:
                over.append(Pulley(frame="joint2", radius=r[1], side=side))
            tendons.append(
                Tendon(
                    name=f"{kind}{end}",
                    path=(Point(frame="palm", point=(-0.03, y * r[0], 0.0)), *over),
                    law=_cable(4.0),
                    actuator=f"motor-{kind}{end}",
                )
            )
    return Robot(
        name="finger-2n",
        title="Planar finger of 2 joints and 4 antagonistic tendons",
        joints=(
            Fixed(name="palm", placement=Placement(angle=-math.pi / 2)),
            *chain(rows, bodies=[_bar(0.03, a[0]), _bar(0.02, a[1])], parent="palm"),
        ),
        actuators=tuple(_motor(t.actuator or "", 1e-6, 0.006, 1e-4) for t in tendons),
        tendons=tuple(tendons),
        sources=OWN,
    )


def belt_arm() -> Robot:
    """An arm of two joints with endless tendons: the second one over an intermediate stage.

    belt1 runs from motor1 to joint1; belt2 from motor2 to the double pulley `stage`, which turns
    about the first joint's axis, and belt3 from there to joint2, carried by the first link.

    >>> len(belt_arm().tendons)
    6
    """
    drum, wide, r = 0.015, 0.045, 0.03
    law = KelvinVoigt(stiffness=3e4, damping=15.0, pretension=30.0, one_sided=True)
    rows = [_row("joint1", 0.3) | {"friction": 0.02}, _row("joint2", 0.25) | {"friction": 0.02}]
    motors = [
        Pulley(frame="base", point=(-0.15, y, 0.0), radius=drum, side="left") for y in (0.07, -0.07)
    ]

    def on(frame: str, radius: float) -> Pulley:
        return Pulley(frame=frame, radius=radius, side="left")

    return Robot(
        name="belt-arm",
        title="Arm of 2 joints with endless tendons and an intermediate pulley stage",
        joints=(
            Fixed(name="base", placement=Placement(angle=-math.pi / 2)),
            *chain(rows, bodies=[_bar(1.0, 0.3), _bar(0.6, 0.25)], parent="base"),
            Revolute(name="stage", parent="base", body=_disc(0.2, wide), friction=1e-3),
        ),
        actuators=tuple(_motor(f"motor{k}", 2e-5, drum, 1e-3) for k in (1, 2)),
        tendons=(
            *belt("belt1", motors[0], on("joint1", wide), law, carrier="base", actuator="motor1"),
            *belt("belt2", motors[1], on("stage", wide), law, carrier="base", actuator="motor2"),
            *belt("belt3", on("stage", r), on("joint2", r), law, carrier="joint1"),
        ),
        sources=OWN,
    )


CHAINS = {
    "recursive-1": recursive_1,
    "recursive-2": recursive_2,
    "finger-3": finger_3,
    "finger-2n": finger_2n,
    "belt-arm": belt_arm,
}


def _over_finger(r: float, aside: int, bend: int, far: int) -> tuple[Point | Pulley, ...]:
    """A path whose moment arms have these signs at the three joints (0: it ends before)."""
    h = bend * r
    path: list[Point | Pulley] = [
        Point(frame="palm", point=(-0.03, aside * r, h)),
        _guided("palm", aside, r, (0.0, 0.0, h)),
        Point(frame="joint1", point=(0.015, 0.0, h)),
    ]
    if far:
        return (*path, _guided("joint1.tip", bend, r), _guided("joint3", far, r))
    return (*path, _guided("joint2", bend, r))


def _guided(
    frame: str, sign: int, r: float, at: tuple[float, float, float] | str = "origin"
) -> Pulley:
    side = "right" if sign > 0 else "left"
    return Pulley(frame=frame, point=at, radius=r, side=side, leave=False)


def _row(name: str, a: float, alpha: float = 0.0) -> dict[str, object]:
    return {"name": name, "a": a, "alpha": alpha, "d": 0.0}


def _bar(mass: float, length: float) -> Body:
    """A slender bar along x from the joint."""
    across = mass * length**2 / 12
    return Body(
        mass=mass, center=(length / 2, 0, 0), inertia=(across / 50, across, across, 0, 0, 0)
    )


def _disc(mass: float, radius: float) -> Body:
    J = mass * radius**2 / 2
    return Body(mass=mass, inertia=(J / 2, J / 2, J, 0, 0, 0))


def _motor(name: str, inertia: float, drum: float, friction: float) -> Motor:
    return Motor(name=name, inertia=inertia, drum_radius=drum, friction=friction)


def _cable(pretension: float) -> KelvinVoigt:
    return KelvinVoigt(stiffness=2e4, damping=5.0, pretension=pretension, one_sided=True)
