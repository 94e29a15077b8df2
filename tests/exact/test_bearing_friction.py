"""Friction by what a bearing carries, against closed forms."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Body, KelvinVoigt, Load, Prismatic, Revolute, Robot, Spring, Tendon
from tests.helpers.evaluate import forces

MASS, G, MU, PIN = 3.0, 9.81, 0.2, 0.01  # [kg, m/s^2, -, m]
STEEP = {"kind": "tanh", "slope": 1e5}  # at its full strength in any motion
PINNED = {"torque": 0.0, "coefficient": MU, "pin_radius": PIN, **STEEP}
INERTIA = 2e-3  # [kg m^2]


def wheel(law=PINNED, name="wheel", **parts):
    """Balanced, on a horizontal pin."""
    joint = Revolute(
        name=name, body=Body(mass=MASS, inertia=(0, 0, INERTIA, 0, 0, 0)), dry_friction=law
    )
    return chorda.assemble(Robot(name="wheel", gravity=(0, -G, 0), joints=(joint,), **parts))


def rubbed(system, q=0.0, rate=1.0, others=()):
    """Torque of the friction against a rate."""
    return -forces(system, [q, *others], [rate])[1][0]


@pytest.mark.parametrize("scheme", ["bdf2", "implicit-euler", "rk4"])
def test_a_wheel_spins_down_on_its_pin(scheme):
    """In I w / (mu r m g), its rate falling linearly."""
    law, speed = PINNED | {"kind": "sign" if scheme == "rk4" else "tanh"}, 20.0
    law.pop("slope") if scheme == "rk4" else None
    stops = INERTIA * speed / (MU * PIN * MASS * G)
    run = chorda.simulate(
        wheel(law), duration=0.9 * stops, step=1e-4, scheme=scheme, initial={"wheel.rate": speed}
    )
    exact = speed * (1 - run.time / stops)
    np.testing.assert_allclose(run.velocity[:, 0], exact, rtol=1e-6)


def test_a_pendulum_decays_by_the_friction_of_its_pin():
    """By 4 mu r / L for each radian of a heavy bob: amplitudes fall by 4 mu r / L a period, since
    at small amplitudes the load is m g."""
    L, start = 1.0, 0.05
    joint = Revolute(
        name="arm", body=Body(mass=MASS, center=(0, -L, 0)), dry_friction=PINNED | {"slope": 1e4}
    )
    system = chorda.assemble(Robot(name="pendulum", gravity=(0, -G, 0), joints=(joint,)))
    period = 2 * math.pi * math.sqrt(L / G)
    run = chorda.simulate(
        system, duration=2 * period, step=period / 4000, scheme="bdf2", initial={"arm": start}
    )
    at = [np.argmin(np.abs(run.time - k * period)) for k in (1, 2)]
    exact = [start - 4 * k * MU * PIN / L for k in (1, 2)]
    np.testing.assert_allclose(run.position[at, 0], exact, rtol=5e-3)


def test_a_block_slides_down_a_slope_by_what_is_left_of_its_weight():
    """a = g (sin - mu cos)."""
    slope = 0.6
    axis = (math.cos(slope), -math.sin(slope), 0)
    law = {"force": 0.0, "coefficient": MU, **STEEP}
    block = Prismatic(name="block", axis=axis, body=Body(mass=MASS), dry_friction=law)
    system = chorda.assemble(Robot(name="slope", gravity=(0, -G, 0), joints=(block,)))
    force = forces(system, [0.3], [0.5])[1][0]
    assert force / MASS == pytest.approx(G * (math.sin(slope) - MU * math.cos(slope)), rel=1e-9)


def test_a_load_presses_the_pin_too():
    load = Load(name="push", at={"frame": "wheel"}, force=(40.0, 0, 30.0), moment=(1, 1, 0))
    size = math.hypot(40.0, 30.0, MASS * G)
    assert rubbed(wheel(loads=(load,))) == pytest.approx(MU * PIN * size, rel=1e-9)


@pytest.mark.parametrize("on_wheel", ["start", "end"])
def test_a_spring_that_crosses_the_joint_pulls_at_the_pin(on_wheel):
    """Hung above the middle of the wheel it takes off some of the weight, whichever end it is."""
    ends = {"start": {"point": (0, 1.0, 0)}, "end": {"point": (0, 1.0, 0)}}
    ends[on_wheel] = {"frame": "wheel", "point": "origin"}
    spring = Spring(name="spring", stiffness=50.0, free_length=0.8, **ends)
    size = MASS * G - 50.0 * 0.2
    assert rubbed(wheel(springs=(spring,))) == pytest.approx(MU * PIN * size, rel=1e-9)


def belt(pull, angle):
    """A cable around a pulley on the wheel, whose spans leave at a right angle to each other or
    along one another: its ends are on the world."""
    path = [
        {"point": (-1.0, 0.1, 0)},
        {"frame": "wheel", "point": "origin", "radius": 0.1, "side": "right", "leave": False},
        {
            "point": (
                0.1 * math.sin(angle) + math.cos(angle),
                0.1 * math.cos(angle) - math.sin(angle),
                0,
            )
        },
    ]
    law = KelvinVoigt(stiffness=1e3, pretension=pull)
    return (Tendon(name="belt", path=path, law=law),)


@pytest.mark.parametrize("angle", [0.3, math.pi / 2, 2.0])
def test_a_belt_presses_the_pin_by_its_two_spans(angle):
    """Of angle a between them: T (1 - cos a) back and T sin a down, beside the weight."""
    pull = 25.0
    system = wheel(tendons=belt(pull, angle))
    force = np.array([-pull + pull * math.cos(angle), -pull * math.sin(angle) - MASS * G])
    assert rubbed(system) == pytest.approx(MU * PIN * np.linalg.norm(force), rel=1e-9)


def test_a_cable_that_begins_and_ends_beyond_a_joint_does_not_load_it():
    law = KelvinVoigt(stiffness=1e3, pretension=25.0)
    path = [{"frame": "wheel", "point": (x, 0.1, 0)} for x in (-0.2, 0.2)]
    tied = Tendon(name="tied", path=path, law=law)
    assert rubbed(wheel(tendons=(tied,))) == pytest.approx(MU * PIN * MASS * G, rel=1e-9)


def test_bristles_carry_as_much_as_the_load_lets_them():
    """Bent by half of their deflection they carry half of (torque + mu r R), at rest too."""
    law = {"kind": "bristle", "torque": 0.1, "deflection": 1e-2}
    law |= {"coefficient": MU, "pin_radius": PIN}
    system = wheel(law)
    carried = (0.1 + MU * PIN * MASS * G) / 2
    assert rubbed(system, rate=0.0, others=(5e-3,)) == pytest.approx(carried, rel=1e-9)


def test_friction_of_a_hinge_adds_up_over_what_stands_on_it():
    """The lower one of two hinges carries both bodies, the upper one its own."""
    body = Body(mass=MASS, inertia=(0, 0, INERTIA, 0, 0, 0))
    joints = [Revolute(name="low", body=body, dry_friction=PINNED)]
    joints += [Revolute(name="up", parent="low", body=body, dry_friction=PINNED)]
    system = chorda.assemble(Robot(name="two", gravity=(0, -G, 0), joints=joints))
    found = -forces(system, [0.2, 0.1], [1.0, 1.0])[1]
    np.testing.assert_allclose(found, MU * PIN * G * MASS * np.array([2.0, 1.0]), rtol=1e-9)
