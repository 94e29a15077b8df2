"""d(T + V)/dt is the power of what is not conservative, computed element by element."""

import numpy as np
import pytest

import chorda
from chorda.results.energy_drift import power_function
from tests.helpers.evaluate import (
    acceleration,
    energies,
    frames,
    moved,
    outputs,
    random_state,
    slope,
)
from tests.helpers.robots import everything

ROBOT = everything()


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(ROBOT)


def place(poses, point):
    """World position of a described point."""
    R, p = poses[point.frame]
    if point.point == "origin":
        return p
    named = {"right": (0.03, 0, 0), "left": (-0.03, 0, 0)}  # ends of the bars of 0.06 m
    return p + R @ np.array(named.get(point.point, point.point))


def speed(poses_at, system, q, v, point):
    return slope(lambda t: place(poses_at(moved(system, q, v, t)), point))


def stretching(poses_at, system, q, v, start, end):
    """Rate of the distance of two points."""
    return slope(
        lambda t: np.linalg.norm(
            place(poses_at(moved(system, q, v, t)), start)
            - place(poses_at(moved(system, q, v, t)), end)
        )
    )


def power(system, q, v, u):
    """Power of friction, dampers, loads and actuators [W], from positions and rates alone."""
    poses_at = frames(ROBOT)
    names = [name for name, _ in system.velocities]
    rate = dict(zip(names, v, strict=True))
    arm, slide, x = (ROBOT.named(n) for n in ("arm", "slide", "x"))
    total = -arm.friction * rate["arm.rate"] ** 2 - slide.friction * rate["slide.rate"] ** 2
    h = q[system.coordinate_names.index("x")] / 2
    d = np.sqrt(x.diagonal_length**2 - (x.bar_length * np.cos(h)) ** 2)
    e = x.bar_length * np.sin(h) / (2 * d)
    total -= x.friction * (2 * (0.5 + e) ** 2 + 2 * (0.5 - e) ** 2) * rate["x.rate"] ** 2
    for item in (*ROBOT.springs, *ROBOT.dampers):
        total -= item.damping * stretching(poses_at, system, q, v, item.start, item.end) ** 2
    for load in ROBOT.loads:
        R = poses_at(q)[load.at.frame][0]
        R_dot = slope(lambda t, f=load.at.frame: poses_at(moved(system, q, v, t))[f][0])
        S = R_dot @ R.T
        spin = np.array([S[2, 1], S[0, 2], S[1, 0]])
        axes = R if load.follows else np.eye(3)
        total += axes @ load.force @ speed(poses_at, system, q, v, load.at)
        total += axes @ load.moment @ spin
    now = outputs(system, q, v, u)
    motor = dict(zip(("elastic-motor", "rigid-motor"), now["motor_rate"], strict=True))
    inputs = dict(zip([i.name for i in system.inputs], u, strict=True))
    for name, w in motor.items():
        actuator = ROBOT.named(name)
        dry = 2 / np.pi * actuator.dry_friction.torque * np.arctan(actuator.dry_friction.slope * w)
        total += (inputs[name] - actuator.friction * w - dry) * w
    elongation = [o.name for o in system.outputs].index("elongation")
    zero = [np.zeros(system.nv), np.zeros(system.nv), np.zeros(system.nc)]

    def stretch(t):
        at = moved(system, q, v, t)
        return system.observe(at, *zero, u, system.parameters())[elongation].full().ravel()

    rates = slope(stretch)
    for i, tendon in enumerate(ROBOT.tendons):
        if tendon.law.kind == "kelvin-voigt":
            wound = tendon.winding * inputs.get(f"{tendon.actuator}.rate", 0.0)
            total -= tendon.law.damping * (rates[i] - wound) * rates[i]
        if tendon.actuator == "force":
            total -= inputs["force"] * stretching(poses_at, system, q, v, *tendon.path)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_what_tells_motions_without_losses_counts_the_same_power(system, seed):
    q, v, u, _ = random_state(system, np.random.default_rng(seed))
    found = float(power_function(system)(q, v, u, system.parameters())[0])
    scale = abs(v) @ abs(acceleration(system, q, v, u))
    assert found == pytest.approx(power(system, q, v, u), rel=1e-6, abs=1e-8 * scale)


@pytest.mark.parametrize("seed", range(4))
def test_energy_changes_by_the_power_of_friction_loads_and_actuators(system, seed):
    q, v, u, _ = random_state(system, np.random.default_rng(seed))
    a = acceleration(system, q, v, u)

    def energy(t):  # along the motion, to first order in t
        at = moved(system, q, v, t)
        return sum(energies(system, at, v + t * a, u))

    # the slope at 0 needs first order only, but large accelerations need small steps
    step = 1e-3 / max(1.0, np.abs(a).max())
    change, expected = slope(energy, step), power(system, q, v, u)
    scale = abs(v) @ abs(a)
    assert change == pytest.approx(expected, rel=1e-6, abs=1e-8 * scale)
