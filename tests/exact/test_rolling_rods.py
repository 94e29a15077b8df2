"""Friction of a rod on a plane: the cases of PyElastica's validation [Gazzola2018], as numbers.

A rod of 1 kg, 1 m long and with a radius of 25 mm lies on a plane. It is pushed along itself,
thrown across itself, turned by a moment, or left on a slope; masses, coefficients, times, sweeps
and the closed forms of the energies at the end are those of the public programs
(examples/FrictionValidationCases). They hold with one coefficient and slip with half of it; a
contact has one, and takes that of the branch which the closed form is on.
"""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
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
    Sphere,
)

MASS, RADIUS, G, MU = 1.0, 0.025, 9.80665, 0.4
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


def moved(rod, duration=0.4, force=(0.0, 0.0, 0.0), moment=0.0, mu=MU, **rates):
    """Velocities along itself, across itself and of its turn at the end."""
    pushed = dict(zip(("x", "y", "z"), force, strict=True))
    depth = (MASS * G - force[2]) / STIFFNESS / len(rod.touches)
    run = chorda.simulate(
        rod,
        duration=duration,
        step=5e-4,
        parameters={f"push.force.{k}": v for k, v in pushed.items()}
        | {"push.moment.x": moment, "lies.friction.coefficient": mu},
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


STATIC, KINETIC = 0.4, 0.2  # of the published cases across the rod; along it twice of both forwards


def energies(along, across, spin):
    """Of moving, and of turning [J]."""
    return MASS * (along**2 + across**2) / 2, INERTIA * spin**2 / 2


@pytest.mark.parametrize("force", [-10.1, -5.1, -4.1, -3.6, -0.1, 0.0, 5.0, 7.5, 8.0, 10.0])
def test_published_axial_friction(rod, force):
    """Energies after 0.25 s; forwards 0.8 holds and 0.4 slips, backwards half of both."""
    holds = (0.8 if force >= 0 else 0.4) * MASS * G
    slips = holds / 2
    expected = 0.0 if abs(force) <= holds else (0.25 * (abs(force) - slips)) ** 2 / (2 * MASS)
    mu = (holds if abs(force) <= holds else slips) / (MASS * G)
    moving, turning = energies(*moved(rod, 0.25, (force, 0.0, 0.0), mu=mu))
    assert moving == pytest.approx(expected, rel=2e-3, abs=1e-7)  # smooth friction creeps
    assert turning == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.1, 0.14, 0.15, 0.16, 0.18])
def test_published_rolling_by_a_torque(rod, moment):
    """Energies after 1 s: it rolls up to 0.147 N m."""
    rolls = 2 * moment / (3 * RADIUS) <= STATIC * MASS * G
    if rolls:
        expected = 2 / MASS * (moment / (3 * RADIUS)) ** 2
        spun = 2 * INERTIA * (moment / (3 * RADIUS**2 * MASS)) ** 2
    else:
        expected = MASS * (KINETIC * G) ** 2 / 2
        spun = (moment - KINETIC * MASS * G * RADIUS) ** 2 / (2 * INERTIA)
    found = energies(*moved(rod, 1.0, moment=-moment, mu=STATIC if rolls else KINETIC))
    assert found == pytest.approx((expected, spun), rel=2e-3, abs=1e-9)


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 0.25, 0.27, 0.28, 0.29, 0.3, 0.4, 0.5])
def test_published_rolling_on_an_inclined_plane(rod, share):
    """Energies after 0.5 s on slopes of that share of half a turn: it rolls up to tan 1.2."""
    angle = share * np.pi
    rolls = np.sin(angle) / 3 <= STATIC * np.cos(angle)
    down = G * 0.5 * np.sin(angle)
    if rolls:
        expected, spun = 2 * MASS * down**2 / 9, 2 * INERTIA * (down / (3 * RADIUS)) ** 2
    else:
        expected = MASS * (down - KINETIC * G * 0.5 * np.cos(angle)) ** 2 / 2
        spun = (KINETIC * MASS * G * RADIUS * 0.5 * np.cos(angle)) ** 2 / (2 * INERTIA)
    force = (0.0, MASS * G * np.sin(angle), MASS * G * (1 - np.cos(angle)))
    found = energies(*moved(rod, 0.5, force, mu=STATIC if rolls else KINETIC))
    assert found == pytest.approx((expected, spun), rel=2e-3, abs=1e-7)


@pytest.mark.parametrize("factor", [0.2, 0.5, 1.0, 1.5, 1.9])
def test_published_rolling_from_an_initial_velocity(factor):
    """Energies after 2 s of a rod thrown at 1 m/s, whose inertia about itself is multiplied."""
    found = thrown(factor)
    slowed = 0.5 * MASS / (1 + factor / 2) ** 2
    assert found == pytest.approx((slowed, slowed * factor / 2), rel=1e-3)


def thrown(factor):
    """The same as a rigid cylinder on two balls of its radius, as only the inertia differs."""
    body = Body(mass=MASS, inertia=(factor * INERTIA, 1.0, 1.0, 0, 0, 0))
    balls = [
        Sphere(name=f"end{k}", frame="spin", center=(x, 0, 0), radius=RADIUS)
        for k, x in enumerate((-0.5, 0.5))
    ]
    friction = ContactFriction(coefficient=KINETIC, slip_speed=2e-3)
    robot = Robot(
        name="thrown",
        gravity=(0, 0, -G),
        joints=[
            Prismatic(name="y", axis=(0, 1, 0)),
            Prismatic(name="z", parent="y", axis=(0, 0, 1)),
            Revolute(name="spin", parent="z", axis=(1, 0, 0), body=body),
        ],
        shapes=[*balls, Plane(name="floor", point=(0, 0, -RADIUS), normal=(0, 0, 1))],
        contacts=[
            Contact(
                name="lies",
                first="floor",
                second=("end0", "end1"),
                stiffness=STIFFNESS,
                dissipation=1.0,
                friction=friction,
            )
        ],
    )
    start = {"z": -MASS * G / STIFFNESS / 2, "y.rate": 1.0}
    run = chorda.simulate(
        chorda.assemble(robot), duration=2.0, step=2e-4, initial=start, strict=True
    )
    speed, spin = run.velocity[-1, [0, 2]]
    return MASS * speed**2 / 2, factor * INERTIA * spin**2 / 2
