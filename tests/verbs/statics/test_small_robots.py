"""Statics of the smallest robots: one coordinate, no actuator, no tendon; all joints held; none."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Circle,
    Fixed,
    KelvinVoigt,
    Modes,
    Point,
    Prismatic,
    Revolute,
    Rigid,
    Robot,
    Rod,
    Tendon,
)
from chorda.errors import InputError

BODY = Body(mass=1.0, center=(0.1, 0, 0), inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))
HINGE = Revolute(name="j", body=BODY)
PLANE = Modes(twist=0, bend_y=0, bend_z=1, stretch=0)
SOFT = Rod(
    name="j",
    length=1.0,
    section=Circle(radius=0.01),
    young_modulus=1e9,
    density=1e3,
    modes=PLANE,
)


def robot(joint, **parts):
    return Robot(name="small", joints=(joint,), **parts)


def tied(law):
    path = (Point(point=(0, 0.2, 0)), Point(frame="j", point=(0.1, 0.05, 0)))
    return robot(HINGE, tendons=(Tendon(name="cable", path=path, law=law),))


SMALL = {
    "pendulum": (robot(HINGE), 4),
    "hinge with a spring": (robot(HINGE.model_copy(update={"stiffness": 10.0})), 1),
    "slide that nothing holds": (robot(Prismatic(name="j", body=BODY), gravity=(0, 0, 0)), 1),
    "slide that falls": (robot(Prismatic(name="j", body=BODY), gravity=(0, 0, -9)), 0),
    "rod of one mode": (robot(SOFT), 1),
    "tied by an elastic cable": (tied(KelvinVoigt(stiffness=100.0)), 2),
    "tied by a rigid cable": (tied(Rigid()), 3),
}


@pytest.mark.parametrize("compiler", ["", "none"])
@pytest.mark.parametrize("name", SMALL)
def test_equilibria_of_one_coordinate_without_actuators(name, compiler, monkeypatch):
    monkeypatch.setenv("CHORDA_COMPILER", compiler)
    described, count = SMALL[name]
    system = chorda.assemble(described)
    assert (system.nq, system.nu) == (1, 0)
    found = chorda.equilibria(system, starts=20, progress=False)
    assert len(found) == count
    assert all(x.status.ok and abs(x.residual) < 1e-6 for x in found)
    alone = chorda.equilibrium(system)
    assert alone.status.ok == bool(count)


def test_the_equilibria_of_a_pendulum_are_its_quarter_turns():
    found = chorda.equilibria(chorda.assemble(robot(HINGE)), starts=20, progress=False)
    assert all(abs(np.cos(x.q[0])) < 1e-9 for x in found)
    assert [x.stable for x in found] == [np.sin(x.q[0]) < 0 for x in found]


@pytest.mark.parametrize("name", SMALL)
def test_a_robot_with_all_joints_held_is_answered(name):
    """Nothing is free: an equilibrium, or a sentence where a closure does not shut there."""
    described, _ = SMALL[name]
    system = chorda.assemble(described)
    held = {system.coordinate_names[0]: 0.1}
    alone = chorda.equilibrium(system, hold=held)
    assert alone.status.ok != (name == "tied by a rigid cable")
    assert len(chorda.equilibria(system, starts=3, progress=False, hold=held)) == alone.status.ok


def test_a_robot_without_coordinates_is_refused():
    with pytest.raises(InputError, match="nothing can move; add a joint that is not fixed"):
        chorda.assemble(robot(Fixed(name="j", body=BODY)))


@pytest.mark.parametrize("size", [1e20, 1e150, 1e308])
def test_a_start_too_far_away_for_numbers_is_answered(size):
    legs = chorda.assemble(chorda.load("rfrfr"))
    far = {"leg1.bend_z0": -1.0, "leg2.bend_z0": size}
    found = chorda.equilibrium(legs, hold={"motor1": 2.59, "motor2": 0.55}, initial=far)
    assert found.status.code == "not-converged"
    assert "Try a start nearer" in found.status.message
