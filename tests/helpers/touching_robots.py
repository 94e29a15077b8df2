"""Robots whose shapes touch: a ball above a floor, one on a slope, a neck by a post."""

import numpy as np

import chorda
from chorda.describe import (
    Body,
    Capsule,
    Contact,
    ContactFriction,
    Plane,
    Prismatic,
    Robot,
    Sphere,
)

MASS, RADIUS, GRAVITY = 0.5, 0.1, 9.81
PRESSED = [60, 20, 20, 5]  # tensions that lean the neck against its post [N]
BRISTLES = {"kind": "bristle", "deflection": 1e-4, "relaxation": 1e-3}
KINDS = {
    "frictionless": None,
    "smooth": ContactFriction(coefficient=0.5),
    "bristle": ContactFriction(coefficient=0.5, **BRISTLES),
}


def changed(robot, **more):
    """A robot with some of its fields changed."""
    return Robot(**{x: getattr(robot, x) for x in robot.model_fields_set} | more)


def ball(height=0.0, gravity=GRAVITY, **law):
    """A ball on a vertical slide, its lowest point at a height above a floor."""
    return Robot(
        name="ball",
        gravity=(0, -gravity, 0),
        joints=[Prismatic(name="y", axis=(0, 1, 0), body=Body(mass=MASS))],
        shapes=[
            Sphere(name="ball", frame="y", center=(0, height + RADIUS, 0), radius=RADIUS),
            Plane(name="floor"),
        ],
        contacts=[Contact(name="touch", first="floor", second="ball", **law)],
    )


def block(angle=0.0, friction=None, stiffness=1e5, dissipation=5.0):
    """A round block that does not turn, on a slope, in its plane."""
    g = GRAVITY
    return Robot(
        name="block",
        gravity=(g * np.sin(angle), -g * np.cos(angle), 0),
        joints=[
            Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=1e-6)),
            Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=MASS)),
        ],
        shapes=[
            Sphere(name="foot", frame="y", radius=RADIUS),
            Plane(name="slope", point=(0, -RADIUS, 0)),
        ],
        contacts=[
            Contact(
                name="touch",
                first="slope",
                second="foot",
                stiffness=stiffness,
                dissipation=dissipation,
                friction=friction,
            )
        ],
    )


def leaning_neck(kind="frictionless", stiffness=1e5, pairs=3, **law):
    """neck-3 with a post beside it, which its top bar meets first."""
    robot = chorda.load("neck-3")
    bars = [
        Capsule(name=f"bar{k}", frame=f"x{k}.top", start="left", end="right", radius=0.01)
        for k in (1, 2, 3)
    ]
    post = Sphere(name="post", center=(0.16, 0.2, 0.0), radius=0.03)
    first = [x.name for x in bars[::-1][:pairs]]
    contact = Contact(
        name="leans",
        first=first,
        second="post",
        stiffness=stiffness,
        friction=KINDS[kind],
        **law,
    )
    return changed(robot, shapes=[*bars, post], contacts=[contact])


def touching(kind="frictionless", **more):
    """The neck's system, and where it leans against its post."""
    system = chorda.assemble(leaning_neck(kind, **more))
    rest = chorda.equilibrium(system, tensions=PRESSED)
    assert rest.status.ok, rest.status
    return system, rest


def gaps_at(system, q):
    """Gaps of a configuration [m]."""
    still = np.zeros(system.nv), np.zeros(system.nu), system.parameter_values
    return system.touch_gaps(q, *still).full().ravel()
