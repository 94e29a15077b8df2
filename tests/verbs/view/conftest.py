"""Robots and runs to look at, made once."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Damper,
    Free,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Spring,
    Tendon,
)


def _bar(length, along=0):
    center = np.eye(3)[along] * length / 2
    return Body(mass=0.5, center=tuple(center), inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))


@pytest.fixture(scope="session")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


@pytest.fixture(scope="session")
def run(neck):
    return chorda.simulate(
        neck, duration=0.4, step=2e-3, initial={"x1": 0.4, "tension": 20.0}, inputs=-0.016
    )


@pytest.fixture(scope="session")
def diverged(neck):
    out = chorda.simulate(
        neck,
        duration=2.0,
        step=2e-3,
        scheme="explicit-euler",
        initial={"x1": 0.4, "tension": 20.0},
        inputs=-0.016,
    )
    assert not out.status.ok
    return out


@pytest.fixture(scope="session")
def arm():
    """A spatial chain with one tendon, z up."""
    return chorda.assemble(
        Robot(
            name="arm",
            gravity=(0, 0, -9.81),
            joints=(
                Revolute(name="turn", axis=(0, 0, 1), body=_bar(0.2, along=2)),
                Revolute(
                    name="lift",
                    parent="turn",
                    axis=(0, 1, 0),
                    placement=Placement(position=(0, 0, 0.2)),
                    body=_bar(0.3),
                    friction=0.1,
                ),
            ),
            tendons=(
                Tendon(
                    name="pull",
                    path=(
                        Point(frame="turn", point=(-0.05, 0, 0.25)),
                        Point(frame="lift", point=(0.15, 0, 0.03)),
                    ),
                    law=KelvinVoigt(stiffness=1e4, damping=10.0, pretension=5.0, one_sided=True),
                ),
            ),
        )
    )


@pytest.fixture(scope="session")
def cart():
    """A planar slider with a pole, a spring and a damper, and no tendon."""
    return chorda.assemble(
        Robot(
            name="cart",
            joints=(
                Prismatic(name="slide", axis=(1, 0, 0), body=Body(mass=1.0)),
                Revolute(name="pole", parent="slide", body=_bar(0.3, along=1)),
            ),
            springs=(
                Spring(
                    name="spring",
                    start=Point(point=(-0.3, 0, 0)),
                    end=Point(frame="slide"),
                    stiffness=50.0,
                    free_length=0.3,
                ),
            ),
            dampers=(
                Damper(
                    name="damper",
                    start=Point(point=(0.3, 0, 0)),
                    end=Point(frame="slide"),
                    damping=1.0,
                ),
            ),
        )
    )


@pytest.fixture(scope="session")
def ball():
    """A free body without extent."""
    body = Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2, 0, 0, 0))
    return chorda.assemble(
        Robot(name="ball", gravity=(0, 0, 0), joints=(Free(name="b", body=body),))
    )
