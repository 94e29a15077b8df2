"""Robots for exports: one of everything that MuJoCo can express without loops, and a loop."""

from chorda.describe import (
    Body,
    Closure,
    Damper,
    DenavitHartenberg,
    Fixed,
    Free,
    KelvinVoigt,
    Load,
    Material,
    Motor,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Rigid,
    Robot,
    Spring,
    Tendon,
    TensionActuator,
    Winch,
)

ROUND = (2e-3, 1.5e-3, 1.8e-3, 1e-4, -2e-4, 1.5e-4)
FLAT = (0, 0, 1e-3, 0, 0, 0)


def everything() -> Robot:
    """An arm that turns and slides, and a plate that flies, with springs, cables and loads."""
    tilted = Placement(position=(0.1, 0.2, 0.0), axis=(1, 0, 0), angle=0.3)
    mount = Fixed(name="mount", placement=tilted)
    arm = Revolute(
        name="arm",
        parent="mount",
        link=DenavitHartenberg(a=0.3, alpha=0.4, d=0.02, theta=0.1),
        body=Body(mass=0.5, center=(0.1, 0.01, 0.02), inertia=FLAT),
        friction=0.02,
        stiffness=0.5,
        rest=0.2,
    )
    slide = Prismatic(
        name="slide",
        parent="arm.tip",
        axis=(0.6, 0.8, 0.0),
        body=Body(mass=0.2, center=(0.02, 0.0, 0.01), inertia=ROUND),
        friction=1.5,
        stiffness=40.0,
    )
    hook = Fixed(
        name="hook",
        parent="slide",
        placement=Placement(position=(0.05, -0.02, 0.03), axis=(0, 1, 0), angle=-0.7),
        body=Body(mass=0.1, inertia=ROUND),
    )
    plate = Free(
        name="plate",
        placement=Placement(position=(0.0, -0.5, 0.2), axis=(0, 0, 1), angle=0.9),
        body=Body(mass=0.7, center=(0.01, 0.02, -0.01), inertia=ROUND),
    )
    elastic = KelvinVoigt(stiffness=800.0, damping=3.0, pretension=5.0, one_sided=False)
    moduli = {"young_modulus": 1e9, "damping_modulus": 1e6}
    cable = Material(**moduli, section=1e-6, pretension=2.0, one_sided=False)
    one_sided = KelvinVoigt(stiffness=500.0, damping=2.0, pretension=20.0, one_sided=True)
    return Robot(
        name="everything",
        gravity=(0.5, -9.81, 1.0),
        joints=(mount, arm, slide, hook, plate),
        springs=(
            Spring(
                name="hanger",
                start=Point(point=(0, 0.3, 0)),
                end=Point(frame="plate", point=(0.05, 0, 0)),
                stiffness=60.0,
                free_length=0.5,
                damping=0.7,
            ),
        ),
        dampers=(
            Damper(
                name="dashpot", start=Point(frame="hook"), end=Point(frame="plate"), damping=1.3
            ),
        ),
        loads=(
            Load(name="push", at=Point(frame="hook", point=(0, 0.1, 0)), force=(1, 2, -0.5)),
            Load(
                name="thrust",
                at=Point(frame="plate", point=(0, 0, 0.1)),
                force=(0, 0.4, 0.3),
                moment=(0.05, 0, -0.02),
                follows=True,
            ),
        ),
        actuators=(
            Motor(name="motor", inertia=1e-4, drum_radius=0.02, gear_ratio=2.0, friction=1e-3),
            TensionActuator(name="weight"),
            Winch(name="winch"),
        ),
        tendons=(
            Tendon(
                name="wound",
                path=(Point(point=(0, 0.5, 0)), Point(frame="arm", point=(0.2, 0, 0))),
                law=elastic,
                actuator="motor",
                winding=-1,
                lead=0.1,
            ),
            Tendon(
                name="pulled",
                path=(Point(point=(0.5, 0.5, 0.1)), Point(frame="hook"), Point(frame="plate")),
                law=Rigid(one_sided=False),
                actuator="weight",
            ),
            Tendon(
                name="hauled",
                path=(Point(point=(-0.5, 0, 0)), Point(frame="plate", point=(-0.05, 0, 0))),
                law=one_sided,
                actuator="winch",
            ),
            Tendon(
                name="tied",
                path=(
                    Point(frame="mount", point=(-0.2, 0.05, 0)),
                    Pulley(frame="mount", radius=0.03, side="right"),
                    Point(frame="arm", point=(0.2, 0.01, 0)),
                ),
                law=cable,
            ),
        ),
    )


def four_bar() -> Robot:
    """Three bars that swing, closed by a pin."""
    bar = Body(mass=0.1, center=(0, -0.1, 0), inertia=(0, 0, 3e-4, 0, 0, 0))
    side = Body(mass=0.1, center=(0.15, 0, 0), inertia=(0, 0, 8e-4, 0, 0, 0))
    return Robot(
        name="four-bar",
        gravity=(0, -9.81, 0),
        joints=(
            Revolute(name="crank", body=bar),
            Revolute(
                name="coupler",
                parent="crank",
                placement=Placement(position=(0, -0.2, 0)),
                body=side,
            ),
            Revolute(name="rocker", placement=Placement(position=(0.3, 0, 0)), body=bar),
        ),
        closures=(
            Closure(
                name="pin",
                kind="revolute",
                start=Point(frame="coupler", point=(0.3, 0, 0)),
                end=Point(frame="rocker", point=(0, -0.2, 0)),
            ),
        ),
    )


def held_plate(kind: str) -> Robot:
    """A plate that could fly, held at an arm by a closure, out of any plane."""
    plate = Body(mass=0.7, center=(0.06, 0.02, -0.03), inertia=ROUND)
    arm = Body(mass=0.5, center=(0.1, 0.01, 0.02), inertia=ROUND)
    return Robot(
        name=f"held-{kind}",
        gravity=(0.5, -9.81, 1.0),
        joints=(
            Revolute(
                name="arm", placement=Placement(axis=(1, 0, 0), angle=0.6), body=arm, friction=0.1
            ),
            Free(name="plate", placement=Placement(position=(0.3, 0, 0)), body=plate),
        ),
        closures=(
            Closure(
                name="hold",
                kind=kind,
                start=Point(frame="arm", point=(0.3, 0, 0)),
                end=Point(frame="plate", point=(0.01, 0, 0)),
                axis=(0, 0.6, 0.8),
            ),
        ),
    )
