"""Robots whose tendons rub over eyelets and pulleys."""

import math

from chorda.describe import (
    Body,
    Capstan,
    KelvinVoigt,
    Motor,
    Prismatic,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
    Winch,
)

MU = 0.2
CAPSTAN = Capstan(coefficient=MU, speed=1e-7)
SOFT = KelvinVoigt(stiffness=2e3, damping=3.0)


def at(x, y, z=0.0, frame="world", **more):
    return {"frame": frame, "point": (x, y, z), **more}


def carriage(path, friction=CAPSTAN, spring=100.0, actuator=None, law=None, **more):
    """A mass that slides along x on a spring, pulled by a tendon over elements of the world."""
    tendon = Tendon(
        name="pull",
        path=(*path, at(0.0, 0.0, frame="cart")),
        friction=friction,
        actuator="winch",
        **({} if law is None else {"law": law}),
    )
    cart = Prismatic(
        name="cart", axis=(1, 0, 0), body=Body(mass=2.0), stiffness=spring, friction=0.5
    )
    return Robot(
        name="carriage",
        gravity=(0, 0, 0),
        joints=(cart,),
        tendons=(tendon,),
        actuators=(actuator or TensionActuator(name="winch"),),
        **more,
    )


# from the actuator up, over two corners and along x: turns of 90, 45 and 45 degrees
CORNERS = (at(2.0, -1.0), at(2.0, 0.5), at(1.5, 1.0), at(1.0, 1.0), at(0.5, 0.0))
TURNS = [math.pi / 4, math.pi / 4, math.atan2(1.0, 0.5), math.atan2(1.0, 0.5)]


def chain(joints=3, friction=None, law=SOFT, actuator="motor", spatial=False, eyelets=None):
    """Hinges in a row, with two cables through eyelets beside them."""
    friction = friction or Capstan(coefficient=0.15, speed=0.02)
    bones, paths = [], {1: [at(-0.03, 0.02)], -1: [at(-0.03, -0.02)]}
    for k in range(joints):
        axis = (0, 1, 0) if spatial and k % 2 else (0, 0, 1)
        bones.append(
            Revolute(
                name=f"j{k}",
                parent=f"j{k - 1}" if k else "world",
                placement={"position": (0.1, 0, 0)} if k else {},
                axis=axis,
                body=Body(mass=0.2, center=(0.05, 0, 0), inertia=(1e-5, 2e-4, 2e-4, 0, 0, 0)),
                stiffness=0.4,
                friction=2e-3,
            )
        )
        for side, path in paths.items():
            more = {} if k == joints - 1 or eyelets is None else {"friction": eyelets}
            path.append(at(0.05, side * 0.02, 0.01 * (k % 2), frame=f"j{k}", **more))
    made = {
        "motor": lambda name: Motor(name=name, inertia=1e-5, drum_radius=0.01, friction=1e-5),
        "winch": lambda name: Winch(name=name),
        "tension": lambda name: TensionActuator(name=name),
    }[actuator]
    names = {1: "up", -1: "down"}
    tendons = [
        Tendon(name=names[s], path=path, law=law, friction=friction, actuator=f"m-{names[s]}")
        for s, path in paths.items()
    ]
    actuators = tuple(made(t.actuator) for t in tendons)
    return Robot(name="chain", joints=tuple(bones), tendons=tuple(tendons), actuators=actuators)


def pulleys(friction=None, **more):
    """A link that a cable lifts over a pulley of the world and one of its own."""
    link = Revolute(
        name="link",
        body=Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 2e-3, 0, 0, 0)),
        friction=1e-3,
        stiffness=1.0,
    )
    path = (
        at(-0.2, -0.1),
        Pulley(point=(-0.1, 0.15, 0), radius=0.02, side="right", friction=friction, **more),
        Pulley(frame="link", point=(0.1, 0.05, 0), radius=0.015, side="right", leave=False),
        at(0.2, -0.1, frame="link"),
    )
    tendon = Tendon(
        name="lift",
        path=path,
        law=SOFT,
        actuator="m",
        friction=Capstan(coefficient=0.1, speed=0.01),
    )
    motor = Motor(name="m", inertia=1e-5, drum_radius=0.01)
    return Robot(name="pulleys", joints=(link,), tendons=(tendon,), actuators=(motor,))
