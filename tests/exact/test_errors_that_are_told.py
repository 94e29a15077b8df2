"""Rods and motions that were once far off with a status that did not say so.

Each is now right, or its estimate is near the true error and its status names what to change.
"""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics
from chorda.describe import (
    Circle,
    Load,
    Modes,
    Point,
    Robot,
    Rod,
    Sheath,
    Strains,
    Tendon,
    TensionActuator,
)

FINE = 1e-5  # [m]


def wire(length=0.3, radius=1e-3, **more):
    fields = {"young_modulus": 6e10, "density": 6500, "section": Circle(radius=radius)}
    return Rod(name="rod", length=length, **(fields | more))


def pulled(sheath, **more):
    tendon = Tendon(name="pull", sheaths=[sheath], actuator="hand")
    actuators, gravity = [TensionActuator(name="hand")], (0, 0, 0)
    fields = {"tendons": [tendon], "actuators": actuators, "gravity": gravity}
    return Robot(name="pulled", joints=[wire()], **(fields | more))


def error_is_known(robot, truth=None, **given):
    """The true error of the tip and its estimate [m]; the status reports what is large."""
    found = chorda.equilibrium(chorda.assemble(robot), **given)
    if truth is None:
        fine = chorda.equilibrium(found.system, accuracy=FINE, initial=found, **given)
        assert fine.status.ok
        truth = fine.frame("rod.tip")[0]
    error = float(np.linalg.norm(found.frame("rod.tip")[0] - truth))
    assert found.status.ok
    assert error <= 3 * found.accuracy.worst + FINE or not found.accuracy.reliable
    assert ("The rods are not resolved" in found.status.message) == (
        found.accuracy.worst > 0.01 * found.accuracy.size
    )
    return error, found.accuracy.worst


@pytest.mark.parametrize("turns", [6.0, 12.0, pytest.param(36.0, marks=pytest.mark.slow)])
def test_helical_sheaths_of_many_turns(turns):
    robot = pulled(Sheath(rod="rod", y=(0.008,), z=(0.0,), turns=turns))
    exact = rod_statics(robot, inputs={"hand": 5.0}, accuracy=1e-6)
    assert exact.status.ok
    assert np.linalg.norm(rod_statics(robot, inputs={"hand": 5.0}).tip - exact.tip) < 1e-4
    error, estimate = error_is_known(robot, inputs={"hand": 5.0})
    assert error < 10 * estimate + FINE


def test_one_bending_mode():
    tip = Load(name="tip", at=Point(frame="rod.tip"), force=(0, -0.3, 0))
    few = wire(modes=Modes(twist=0, bend_y=0, bend_z=1, stretch=0))
    robot = Robot(name="one", joints=[few], loads=[tip], gravity=(0, 0, 0))
    error, estimate = error_is_known(robot)
    assert error > 0.01 * 0.3
    assert estimate == pytest.approx(error, rel=1)


def test_a_precurved_and_twisted_rod_under_gravity_with_default_modes():
    rest = Strains(bend_y=(6.0, 8.0), bend_z=(3.0,), twist=(12.0,))
    rod = wire(length=1.0, rest=rest, young_modulus=2e10)
    robot = Robot(name="curl", joints=[rod], gravity=(0, -9.81, 0))
    error, estimate = error_is_known(robot, rod_statics(robot, accuracy=FINE).tip)
    assert error > 1e-4
    assert 0.1 * error < estimate < 10 * error


def test_a_thin_heavy_rod_by_modes_and_by_nodes():
    rod = wire(length=1.0, radius=30e-6, young_modulus=2e11, density=7800)
    robot = Robot(name="hair", joints=[rod], gravity=(0, -9.81, 0))
    assert "The rods are not resolved" in chorda.equilibrium(chorda.assemble(robot)).status.message
    coarse = rod_statics(robot, nodes=61)
    exact = rod_statics(robot, accuracy=1e-5)
    error = np.linalg.norm(coarse.tip - exact.tip)
    assert error <= coarse.accuracy.worst
    assert not coarse.accuracy.reliable
    assert "rod.tip is off by roughly" in coarse.status.message
    finer = rod_statics(robot, nodes=121)
    error = np.linalg.norm(finer.tip - exact.tip)
    assert 0.1 * error < finer.accuracy.worst < 10 * error


def test_a_tendon_that_ends_in_the_middle_of_a_rod_needs_no_breaks():
    robot = pulled(Sheath(rod="rod", y=(0.008,), z=(0.0,), end=0.15))
    bent = 5.0 * 0.008 / (6e10 * np.pi * 1e-12 / 4) * 0.15  # an arc, then straight
    radius = 0.15 / bent
    stretch = 1 - 5.0 / (6e10 * np.pi * 1e-6)
    x = stretch * radius * np.sin(bent) + 0.15 * np.cos(bent)
    y = stretch * radius * (1 - np.cos(bent)) + 0.15 * np.sin(bent)
    error, _ = error_is_known(robot, np.array([x, y, 0.0]), inputs={"hand": 5.0})
    assert error < 1e-6


@pytest.mark.parametrize(("scheme", "far"), [("implicit-euler", 0.015), (None, 0.003)])
def test_a_rod_in_long_steps(scheme, far):
    rod = wire(length=0.5, modes=Modes(twist=0, bend_y=0, bend_z=4, stretch=0))
    robot = Robot(name="let go", joints=[rod], gravity=(0, -9.81, 0))
    system = chorda.assemble(robot)
    options = {"duration": 0.5}
    coarse = chorda.simulate(system, step=0.01, scheme=scheme, **options)
    fine = chorda.simulate(system, step=1e-4, scheme="generalized-alpha", every=100, **options)
    away = coarse.frame("rod.tip")[0] - fine.frame("rod.tip")[0]
    error = float(np.max(np.linalg.norm(away, axis=1)))
    assert coarse.status.ok
    assert error > far
    assert error / 3 < coarse.accuracy.time.position < 10 * error
    assert "The step leaves an error" in coarse.status.message


@pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
def test_a_radius_of_a_tenth_of_a_micrometre():
    rod = wire(length=1.0, radius=1e-7, young_modulus=2e11, density=7800)
    robot = Robot(name="web", joints=[rod], gravity=(0, -9.81, 0))
    found = chorda.equilibrium(chorda.assemble(robot))
    assert not found.status.ok or "The rods are not resolved" in found.status.message
    assert not rod_statics(robot).status.ok
