"""Rods on motors that are led along the path of Briot2022: the energy that the motors give, and
the path of equilibria as the limit of slow motion."""

import numpy as np
import pytest

import chorda
from chorda.describe import JointMotion
from chorda.papers.briot2022.robots import PLANAR

FIRST, LAST = np.array(PLANAR.start), np.array(PLANAR.goal)
LEADS = [f"lead-{name}" for name in PLANAR.motors]
SHARES = np.linspace(0.0, 1.0, 51)  # of the path, at its configurations


def risen(x):
    """From 0 to 1 with two derivatives that vanish at both ends."""
    return x**3 * (10 - 15 * x + 6 * x**2)


@pytest.fixture(scope="module")
def system():
    robot, each = chorda.load("rfrfr"), zip(LEADS, PLANAR.motors, strict=True)
    leads = tuple(JointMotion(name=name, joint=motor) for name, motor in each)
    return chorda.assemble(robot.model_copy(update={"actuators": leads}))


@pytest.fixture(scope="module")
def rest(system):
    return chorda.equilibrium(system, inputs=dict(zip(LEADS, FIRST, strict=True)), strict=True)


@pytest.fixture(scope="module")
def still(system):
    """Coordinates along the path of equilibria, with the motors held."""
    base = chorda.assemble(chorda.load("rfrfr"))
    start = chorda.equilibrium(base, hold=dict(zip(PLANAR.motors, FIRST, strict=True)), strict=True)
    along = {
        name: np.linspace(a, b, len(SHARES))
        for name, a, b in zip(PLANAR.motors, FIRST, LAST, strict=True)
    }
    path = chorda.follow(start, hold=along, strict=True)
    assert path.system.coordinate_names == system.coordinate_names
    return path.q


def led(system, rest, duration, steps):
    """From the first to the last configuration within a duration [s]."""

    def inputs(t):
        x = t / duration
        pushed = (60 * x - 180 * x**2 + 120 * x**3) / duration**2
        return np.concatenate([FIRST + (LAST - FIRST) * risen(x), (LAST - FIRST) * pushed])

    step = duration / steps
    return chorda.simulate(
        system, duration=duration, step=step, inputs=inputs, initial=rest, strict=True
    )


@pytest.mark.parametrize("duration", [10.0, 0.5])
def test_the_energy_changes_by_the_work_of_the_motors(system, rest, duration):
    missing = []
    for steps in (1000, 2000):
        run = led(system, rest, duration, steps)
        rows = [system.coordinate_names.index(name) for name in PLANAR.motors]
        power = np.sum(run.data["effort"].values * run.velocity[:, rows], axis=1)
        E = np.sum(run.energy, axis=0)
        assert abs(E[-1] - E[0]) > 0.2
        missing.append(abs(E[-1] - E[0] - np.trapezoid(power, run.time)))
    assert missing[1] < 2e-4
    assert missing[1] < missing[0] / 3


def test_slow_motion_follows_the_path_of_equilibria(system, rest, still):
    """The slower it goes, the nearer it is; in half a second it is far away."""
    away = {}
    for duration in (0.5, 10.0, 40.0):
        run = led(system, rest, duration, 2000)
        share = risen(run.time / duration)
        found = np.array([np.interp(SHARES, share, x) for x in run.position.T]).T
        away[duration] = np.abs(found - still).max()
    assert away[40.0] < away[10.0] / 3
    assert away[40.0] < 0.04
    assert away[0.5] > 1.0
