"""Friction of a rod on a plane in closed form: the cases of PyElastica's validation [Gazzola2018].

A rod of 1 kg, 1 m long and with a radius of 25 mm lies on a plane and slides along itself, slides
and rolls across itself, is turned by a moment, or rolls down a slope. While it rolls a third of its
energy of motion is that of turning.
"""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Circle,
    Contact,
    ContactFriction,
    Load,
    Modes,
    Plane,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Rod,
    RodTube,
)

MASS, RADIUS, G, MU = 1.0, 0.025, 9.81, 0.4
INERTIA = MASS * RADIUS**2 / 2
SPEED = 1e-4  # [m/s] at which smooth friction slips
STIFFNESS = 1e6  # [N/m] of each point that touches


@pytest.fixture(scope="module")
def rod():
    lying = Rod(
        name="rod",
        parent="spin",
        length=1.0,
        section=Circle(radius=RADIUS),
        young_modulus=1e9,
        density=MASS / (np.pi * RADIUS**2),
        twist_damping=1.0,
        modes=Modes(twist=1, bend_y=0, bend_z=0, stretch=0, intervals=4),
    )
    robot = Robot(
        name="rolling",
        gravity=(0, 0, -G),
        joints=[
            Prismatic(name="x", axis=(1, 0, 0)),
            Prismatic(name="y", parent="x", axis=(0, 1, 0)),
            Prismatic(name="z", parent="y", axis=(0, 0, 1)),
            Revolute(name="spin", parent="z", axis=(1, 0, 0)),
            lying,
        ],
        loads=[Load(name="push", at=Point(frame="spin"), force=(1, 1, 1), moment=(1, 0, 0))],
        shapes=[
            RodTube(name="skin", rod="rod"),
            Plane(name="floor", point=(0, 0, -RADIUS), normal=(0, 0, 1)),
        ],
        contacts=[
            Contact(
                name="lies",
                first="floor",
                second="skin",
                stiffness=STIFFNESS,
                dissipation=1.0,
                friction=ContactFriction(coefficient=MU, slip_speed=SPEED),
            )
        ],
    )
    return chorda.assemble(robot)


def moved(rod, duration=0.4, force=(0.0, 0.0, 0.0), moment=0.0, **rates):
    """Velocities along itself, across itself and of its turn at the end."""
    pushed = dict(zip(("x", "y", "z"), force, strict=True))
    depth = (MASS * G - force[2]) / STIFFNESS / len(rod.touches)
    run = chorda.simulate(
        rod,
        duration=duration,
        step=5e-4,
        parameters={f"push.force.{k}": v for k, v in pushed.items()} | {"push.moment.x": moment},
        initial={"z": -depth} | {f"{k}.rate": v for k, v in rates.items()},
        strict=True,
    )
    return run.velocity[-1, [0, 1, 3]]


def down_a_slope(rod, angle, duration=0.4):
    """Its weight has a part across the rod and presses the less."""
    force = (0.0, MASS * G * np.sin(angle), MASS * G * (1 - np.cos(angle)))
    _, speed, spin = moved(rod, duration, force)
    return speed, -spin


@pytest.mark.parametrize("part", [0.5, 1.5, 3.0])
def test_a_rod_that_is_pushed_along_itself_slides_with_what_friction_leaves(rod, part):
    push = part * MU * MASS * G
    along, across, spin = moved(rod, force=(push, 0.0, 0.0))
    if part < 1:  # smooth friction creeps
        assert along == pytest.approx(SPEED * part / np.sqrt(1 - part**2), rel=1e-6)
    else:
        left = (part - 1) * MU * G * 0.4
        assert MASS * along**2 / 2 == pytest.approx(MASS * left**2 / 2, rel=1e-3)
    assert across == pytest.approx(0, abs=1e-9)
    assert spin == pytest.approx(0, abs=1e-9)


def test_a_rod_that_is_thrown_across_itself_rolls_in_the_end_at_two_thirds_of_its_speed(rod):
    _, speed, spin = moved(rod, y=1.0, duration=0.2)  # it rolls from 1 / (3 mu g) = 85 ms on
    whole, turning = MASS * speed**2 / 2, INERTIA * spin**2 / 2
    assert speed == pytest.approx(2 / 3, rel=2e-4)
    assert -spin * RADIUS == pytest.approx(speed, rel=2e-4)
    assert turning / (whole + turning) == pytest.approx(1 / 3, rel=2e-4)


def test_a_rod_that_is_thrown_slides_before_it_rolls(rod):
    _, speed, spin = moved(rod, y=1.0, duration=0.05)
    assert speed == pytest.approx(1 - MU * G * 0.05, rel=1e-3)
    assert -spin * RADIUS == pytest.approx(2 * MU * G * 0.05, rel=1e-3)


def test_a_rod_that_spins_rolls_in_the_end_at_a_third_of_the_speed_of_its_surface(rod):
    _, speed, spin = moved(rod, spin=-40.0, duration=0.2)
    assert speed == pytest.approx(40.0 * RADIUS / 3, rel=2e-4)
    assert -spin == pytest.approx(40.0 / 3, rel=2e-4)


@pytest.mark.parametrize("part", [0.5, 0.9, 1.5, 3.0])
def test_a_moment_rolls_a_rod_up_to_three_halves_of_what_friction_holds_and_slips_beyond(rod, part):
    moment = part * 1.5 * MU * MASS * G * RADIUS
    _, speed, spin = moved(rod, moment=-moment)
    whole, turning = MASS * speed**2 / 2, INERTIA * spin**2 / 2
    if part < 1:
        expected = moment / (1.5 * MASS * RADIUS) * 0.4
        assert MASS * expected**2 / 2 == pytest.approx(whole, rel=2e-3)
        assert turning / (whole + turning) == pytest.approx(1 / 3, rel=2e-3)
    else:
        assert whole == pytest.approx(MASS * (MU * G * 0.4) ** 2 / 2, rel=2e-3)
        left = (moment - MU * MASS * G * RADIUS) * 0.4
        assert turning == pytest.approx(left**2 / 2 / INERTIA, rel=2e-3)


@pytest.mark.parametrize("tangent", [0.5, 0.9, 1.2, 2.0])
def test_a_rod_rolls_down_slopes_up_to_three_times_the_coefficient_and_slips_on_others(
    rod, tangent
):
    angle = np.arctan(tangent * 3 * MU)
    speed, spin = down_a_slope(rod, angle)
    if tangent < 1:
        assert speed == pytest.approx(2 / 3 * G * np.sin(angle) * 0.4, rel=2e-3)
        assert spin * RADIUS == pytest.approx(speed, rel=2e-3)
    else:
        assert speed == pytest.approx(G * (np.sin(angle) - MU * np.cos(angle)) * 0.4, rel=2e-3)
        turned = 2 * MU * G * np.cos(angle) * 0.4
        assert spin * RADIUS == pytest.approx(turned, rel=2e-3)
