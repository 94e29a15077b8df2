"""Dry friction of joints against closed forms: linear decay, stopping, Stribeck's curve."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Body, JointMotion, Point, Prismatic, Revolute, Robot, Spring
from tests.helpers.evaluate import forces
from tests.helpers.rubbing_robots import MASS, SPRING, rubbing_mass

FRICTION = 6.0  # [N]


@pytest.mark.parametrize("kind", ["tanh", "sign"])
def test_a_free_oscillation_decays_linearly(kind):
    """By 4 F / k each period, whose length friction does not change."""
    start, period = 0.1, 2 * math.pi * math.sqrt(MASS / SPRING)
    steep = {} if kind == "sign" else {"slope": 1e3}
    system = chorda.assemble(rubbing_mass(kind=kind, force=FRICTION, **steep))
    run = chorda.simulate(
        system,
        duration=2 * period,
        step=period / 20000,
        scheme="rk4" if kind == "sign" else "bdf2",
        initial={"mass": start},
        strict=True,
    )
    at = [np.argmin(np.abs(run.time - k * period / 2)) for k in range(1, 5)]
    exact = [(-1) ** k * (start - 2 * k * FRICTION / SPRING) for k in range(1, 5)]
    np.testing.assert_allclose(run.position[at, 0], exact, atol=3e-5)


def test_a_mass_that_slides_stops_after_its_energy_is_rubbed_off():
    """v0^2 m / (2 F)."""
    speed = 0.5
    system = chorda.assemble(rubbing_mass(spring=None, kind="tanh", force=FRICTION, slope=1e4))
    run = chorda.simulate(
        system, duration=0.5, step=1e-4, scheme="bdf2", initial={"mass.rate": speed}
    )
    assert run.position[-1, 0] == pytest.approx(MASS * speed**2 / (2 * FRICTION), rel=2e-3)
    assert abs(run.velocity[-1, 0]) < 1e-6


@pytest.mark.parametrize("rate", [-2.0, -0.05, 0.01, 0.3])
@pytest.mark.parametrize("kind", ["arctan", "tanh", "sign"])
def test_friction_follows_the_curve_of_stribeck(rate, kind):
    slope, falls, breakaway = 200.0, 0.1, 9.0
    law = {"kind": kind, "slope": slope, "breakaway": breakaway, "stribeck_rate": falls}
    system = chorda.assemble(rubbing_mass(spring=None, force=FRICTION, **law))
    step = {
        "arctan": 2 / math.pi * math.atan(slope * rate),
        "tanh": math.tanh(slope * rate),
        "sign": math.copysign(1.0, rate),
    }[kind]
    level = FRICTION + (breakaway - FRICTION) * math.exp(-((rate / falls) ** 2))
    assert forces(system, [0.0], [rate])[1][0] == pytest.approx(-level * step, rel=1e-12)


def test_a_wheel_that_rubs_turns_as_fast_as_its_torque_lets_it():
    """At a constant load the speed grows by (torque - friction) / inertia."""
    J, dry, viscous, torque = 2e-3, 0.05, 1e-3, 0.2
    wheel = Revolute(
        name="wheel",
        body=Body(mass=1.0, inertia=(0, 0, J, 0, 0, 0)),
        friction=viscous,
        dry_friction={"kind": "tanh", "torque": dry, "slope": 1e4},
    )
    load = {"name": "turn", "at": {"frame": "wheel"}, "moment": (0, 0, torque)}
    system = chorda.assemble(Robot(name="wheel", joints=(wheel,), loads=(load,)))
    run = chorda.simulate(system, duration=1.0, step=1e-4, scheme="bdf2")
    exact = (torque - dry) / viscous * (1 - np.exp(-viscous / J * run.time))
    np.testing.assert_allclose(run.velocity[:, 0], exact, atol=2e-2)
    np.testing.assert_allclose(run.velocity[-1, 0], exact[-1], rtol=1e-4)


@pytest.mark.parametrize(
    "law", [{"kind": "tanh", "slope": 1e4}, {"kind": "bristle", "deflection": 1e-5}]
)
def test_a_block_on_a_belt_is_dragged_until_its_spring_pulls_as_friction_does(law):
    """It moves with the belt up to F / k, then oscillates about there with v sqrt(m / k)."""
    k, m, speed = 800.0, 2.0, 0.3
    joints = (
        Prismatic(name="belt", axis=(1, 0, 0), body=Body(mass=1.0)),
        Prismatic(
            name="block",
            parent="belt",
            axis=(1, 0, 0),
            body=Body(mass=m),
            dry_friction={"force": FRICTION, **law},
        ),
    )
    spring = Spring(
        name="spring", start=Point(), end=Point(frame="block"), stiffness=k, free_length=0.0
    )
    robot = Robot(
        name="belt",
        gravity=(0, 0, 0),
        joints=joints,
        springs=(spring,),
        actuators=(JointMotion(name="drive", joint="belt"),),
    )
    system = chorda.assemble(robot)
    run = chorda.simulate(
        system,
        duration=0.6,
        step=1e-4,
        scheme="bdf2",
        inputs={"drive": lambda t: speed * t},
        initial={"belt.rate": speed},
        strict=True,
    )
    x = run.position[:, 0] + run.position[:, 1]
    slides = FRICTION / k / speed  # when
    dragged = run.time < 0.9 * slides
    np.testing.assert_allclose(x[dragged], speed * run.time[dragged], atol=3e-4)
    assert x.max() == pytest.approx(FRICTION / k + speed * math.sqrt(m / k), rel=0.02)
