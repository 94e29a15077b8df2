"""Friction with bristles against closed forms: Dahl's curve and its loop, sticking, decay."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Body, JointMotor, Load, Prismatic, Revolute, Robot
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.evaluate import forces
from tests.helpers.rubbing_robots import MASS, SPRING, rubbing_mass

FRICTION, DEFLECTION = 6.0, 1e-3  # [N, m]
BRISTLES = {"kind": "bristle", "force": FRICTION, "deflection": DEFLECTION}
STICKS = ["implicit-euler", "implicit-euler-converged", "bdf2", "generalized-alpha", "rosenbrock"]


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "newmark", "rk4"])
def test_a_free_oscillation_decays_linearly(scheme):
    """By 4 F / k each period, up to the deflection in which bristles turn over."""
    start, period = 0.1, 2 * math.pi * math.sqrt(MASS / SPRING)
    system = chorda.assemble(rubbing_mass(**(BRISTLES | {"deflection": 1e-5})))
    run = chorda.simulate(
        system,
        duration=2 * period,
        step=period / 100000,
        scheme=scheme,
        initial={"mass": start, "mass.bristle": -1e-5},
        strict=True,
    )
    at = [np.argmin(np.abs(run.time - k * period / 2)) for k in range(1, 5)]
    exact = [(-1) ** k * (start - 2 * k * FRICTION / SPRING) for k in range(1, 5)]
    np.testing.assert_allclose(run.position[at, 0], exact, atol=5e-5)


def led_mass():
    """The mass is led along a given motion; what that takes is the output `effort`."""
    joint = Prismatic(name="s", axis=(1, 0, 0), body=Body(mass=MASS), dry_friction=BRISTLES)
    motion = {"kind": "motion", "name": "m", "joint": "s"}
    robot = Robot(name="led", gravity=(0, 0, 0), joints=(joint,), actuators=[motion])
    return chorda.assemble(robot)


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha", "implicit-euler"])
def test_friction_follows_dahls_curve(scheme):
    """From z = 0 along x, whatever the speed: F (1 - exp(-x / deflection))."""
    system, speed, duration = led_mass(), 0.1, 0.05
    t = np.linspace(0, duration, 5001)
    run = chorda.simulate(
        system,
        duration=duration,
        step=1e-5,
        scheme=scheme,
        inputs={"m": lambda t: speed * t},
        initial={"s.rate": speed},
        strict=True,
    )
    exact = DEFLECTION * (1 - np.exp(-speed * t / DEFLECTION))
    np.testing.assert_allclose(run.position[:, 1], exact, atol=1e-3 * DEFLECTION)
    carried = -forces(system, run.position[-1], run.velocity[-1])[1][0]
    assert carried == pytest.approx(FRICTION * exact[-1] / DEFLECTION, rel=1e-3)


def test_a_closed_path_costs_the_area_of_dahls_loop():
    """Back and forth by A: z runs on exponentials between -b and b, b = d tanh(A / d), and the
    work is 4 F (A - b)."""
    system, A, w = led_mass(), 1.5e-3, 2 * math.pi
    run = chorda.simulate(
        system,
        duration=3.0,
        step=1e-4,
        scheme="bdf2",
        inputs={"m": lambda t: A * np.sin(w * t)},
        initial={"s.rate": A * w},
        strict=True,
    )
    last = run.time >= 2.0
    x, z = run.position[last].T
    work = np.trapezoid(FRICTION * z / DEFLECTION, x)
    turned = DEFLECTION * math.tanh(A / DEFLECTION)
    assert np.max(z) == pytest.approx(turned, rel=1e-4)
    assert work == pytest.approx(4 * FRICTION * (A - turned), rel=1e-3)


def block(push, **law):
    """A mass under a constant force along its slide."""
    load = Load(name="push", at={"frame": "mass"}, force=(push, 0, 0))
    robot = rubbing_mass(spring=None, **law)
    return chorda.assemble(robot.model_copy(update={"loads": (load,)}))


@pytest.mark.parametrize("scheme", STICKS)
def test_what_is_pushed_below_the_limit_sticks(scheme):
    """Bristles bend until they carry the force, then nothing moves."""
    push, later = 0.8 * FRICTION, 200.0
    damped = BRISTLES | {"damping": 100.0}
    run = chorda.simulate(block(push, **damped), duration=later, step=0.01, scheme=scheme)
    half = len(run.time) // 2
    assert abs(run.position[-1, 0] - run.position[half, 0]) < 1e-9
    assert run.position[-1, 1] == pytest.approx(0.8 * DEFLECTION, rel=1e-6)


def test_what_is_pushed_creeps_on_without_bristles():
    push, later, slope = 0.8 * FRICTION, 20.0, 200.0
    system = block(push, kind="tanh", force=FRICTION, slope=slope)
    run = chorda.simulate(system, duration=later, step=1e-3, scheme="bdf2")
    assert run.position[-1, 0] == pytest.approx(math.atanh(0.8) / slope * later, rel=1e-2)


def test_what_is_pushed_beyond_the_limit_slides():
    push, later = 1.5 * FRICTION, 0.5
    bent = {"mass.bristle": DEFLECTION}
    run = chorda.simulate(
        block(push, **BRISTLES), duration=later, step=1e-4, scheme="bdf2", initial=bent
    )
    assert run.velocity[-1, 0] == pytest.approx((push - FRICTION) / MASS * later, rel=1e-6)


@pytest.mark.parametrize("rate", [-2.0, -0.05, 0.01, 0.3])
def test_sliding_bristles_carry_stribecks_curve(rate):
    """Where z_dot = 0 they carry c + (b - c) exp(-(rate / r)^2) against the rate."""
    falls, breakaway = 0.1, 9.0
    law = BRISTLES | {"damping": 3.0, "breakaway": breakaway, "stribeck_rate": falls}
    system = chorda.assemble(rubbing_mass(spring=None, **law))
    source, decay = system.relaxation([0, 0], [rate], [], system.parameters())
    z = float(source / decay)
    level = FRICTION + (breakaway - FRICTION) * math.exp(-((rate / falls) ** 2))
    found = forces(system, [0.0, z], [rate])[1][0]
    assert found == pytest.approx(-math.copysign(level, rate), rel=1e-12)


def test_a_rotor_sticks_behind_its_gear():
    """A torque below the friction of a joint motor bends its bristles, then the load is still."""
    wheel = Revolute(name="wheel", body=Body(mass=1, inertia=(0, 0, 2e-3, 0, 0, 0)))
    law = {"kind": "bristle", "torque": 1e-3, "deflection": 1e-2, "damping": 1e-4}
    motor = JointMotor(name="m", joint="wheel", inertia=1e-6, gear_ratio=50.0, dry_friction=law)
    system = chorda.assemble(Robot(name="wheel", joints=(wheel,), actuators=(motor,)))
    run = chorda.simulate(system, duration=20.0, step=1e-3, inputs={"m": 0.5e-3})
    assert run.position[-1, 1] == pytest.approx(0.5 * 1e-2, rel=1e-6)
    assert abs(run.position[-1, 0] - run.position[10000, 0]) < 1e-9


def test_at_rest_bristles_carry_what_they_were_left_with():
    """k x = -F z / d, and a motion from there stays; so do equilibria that follow."""
    system = chorda.assemble(rubbing_mass(**BRISTLES))
    rest = chorda.equilibrium(system, initial={"mass.bristle": -0.5 * DEFLECTION})
    exact = 0.5 * FRICTION / SPRING
    assert rest.position == pytest.approx({"mass": exact, "mass.bristle": -0.5 * DEFLECTION})
    run = chorda.simulate(system, initial=rest, duration=1.0, step=1e-3)
    np.testing.assert_allclose(run.position, [rest.q] * len(run.time), atol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_bristles_never_bend_further_than_they_do_in_sliding(scheme):
    """Even over steps that are much longer than the deflection, where schemes are implicit."""
    system = chorda.assemble(rubbing_mass(**BRISTLES))
    step = 2e-3 if SCHEMES[scheme].implicit and scheme != "rosenbrock" else 2e-4
    run = chorda.simulate(system, duration=1.0, step=step, scheme=scheme, initial={"mass": 0.05})
    beyond = 1e-3 if scheme == "bdf2" else 1e-9  # two steps back may overshoot
    assert np.max(np.abs(run.position[:, 1])) <= DEFLECTION * (1 + beyond)
