"""Equilibria of rods know how far they are from those of the continuum."""

import numpy as np
import pytest

import chorda
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
from chorda.errors import InputError

FINE = 9


def modes(bend, twist=2, stretch=2, **more):
    return Modes(twist=twist, bend_y=bend, bend_z=bend, stretch=stretch, **more)


def rod(many, **more):
    given = {"length": 0.3, "section": Circle(radius=1e-3), "young_modulus": 6e10, "density": 6000}
    return Rod(name="rod", modes=many, **(given | more))


def loaded(many, force=(0.0, 0.3, -2.0), **more):
    push = Load(name="push", at=Point(frame="rod.tip", point=(0, 0, 0)), force=force)
    return Robot(name="loaded", joints=[rod(many, **more)], loads=[push])


def pulled(many, **sheath):
    tendon = Tendon(name="pull", sheaths=[Sheath(rod="rod", y=0.008, **sheath)], actuator="force")
    actuators = [TensionActuator(name="force")]
    return Robot(name="pulled", joints=[rod(many)], tendons=[tendon], actuators=actuators)


def at_rest(robot, **given):
    return chorda.equilibrium(chorda.assemble(robot), strict=True, **given)


def true_error(make, coarse, fine, **given):
    """Of the tip, and the estimate."""
    a, b = at_rest(make(coarse), **given), at_rest(make(fine), **given)
    return np.linalg.norm(a.frame("rod.tip")[0] - b.frame("rod.tip")[0]), a


@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_estimate_is_the_error_of_a_bent_rod(count):
    error, found = true_error(loaded, modes(count), modes(FINE, 6, 6))
    assert found.accuracy.reliable
    assert found.accuracy.worst == pytest.approx(error, rel=0.05)


def test_the_estimate_is_the_error_of_a_curved_tapered_rod_with_a_disk():
    more = {
        "rest": Strains(bend_y=[3.0, 4.0], twist=2.0),
        "taper": 0.6,
        "disks": [{"name": "disk", "at": 0.2, "radius": 0.01, "mass": 0.02}],
    }
    error, found = true_error(
        lambda x: loaded(x, (0, 0.05, -0.1), **more), modes(2), modes(FINE, 6, 6)
    )
    assert found.accuracy.worst == pytest.approx(error, rel=0.05)


def test_the_estimate_is_the_error_of_a_rod_pulled_by_a_helical_tendon():
    error, found = true_error(
        lambda x: pulled(x, turns=1.0), modes(4), modes(14, 8, 8), tensions=5.0
    )
    assert found.accuracy.worst == pytest.approx(error, rel=0.05)


def test_a_helix_is_integrated_along_its_turns():
    coarse = at_rest(pulled(modes(3), turns=12.0), tensions=5.0)
    fine = at_rest(pulled(modes(3, intervals=200), turns=12.0), tensions=5.0)
    gap = np.linalg.norm(coarse.frame("rod.tip")[0] - fine.frame("rod.tip")[0])
    assert gap < 1e-6
    assert coarse.accuracy.integration[0] < 1e-6


def test_the_end_of_a_tendon_inside_a_rod_is_a_break_by_itself():
    own = at_rest(pulled(modes(3), end=0.17), tensions=5.0)
    told = at_rest(pulled(modes(3, breaks=(0.17,)), end=0.17), tensions=5.0)
    assert np.allclose(own.frame("rod.tip")[0], told.frame("rod.tip")[0], atol=1e-12)
    assert own.accuracy.worst < 1e-6


def test_closed_loops_of_rods_have_the_error_of_the_loop():
    held = {"motor1": 2.59, "motor2": 0.55}
    bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    found = {}
    for count in (2, 8):
        robot = chorda.load("rfrfr")
        joints = [
            x.model_copy(update={"modes": x.modes.model_copy(update={"bend_z": count})})
            if isinstance(x, Rod)
            else x
            for x in robot.joints
        ]
        found[count] = at_rest(
            robot.model_copy(update={"joints": tuple(joints)}), hold=held, initial=bulge
        )
    gap = np.linalg.norm(found[2].frame("leg1.tip")[0] - found[8].frame("leg1.tip")[0])
    assert found[2].accuracy.worst == pytest.approx(gap, rel=0.1)


def test_a_large_error_is_part_of_the_status_and_a_small_one_is_not():
    coarse, fine = at_rest(loaded(modes(1))), at_rest(loaded(modes(5)))
    assert "rod.tip is off by about" in coarse.status.message
    assert "more functions" in coarse.status.message
    assert "off by" not in fine.status.message


@pytest.mark.parametrize("asked", [1e-3, 1e-5, 1e-7])
def test_an_accuracy_that_is_asked_for_is_met(asked):
    found = at_rest(loaded(modes(1)), accuracy=asked)
    exact = at_rest(loaded(modes(FINE, 6, 6)))
    error = np.linalg.norm(found.frame("rod.tip")[0] - exact.frame("rod.tip")[0])
    assert error < asked
    assert found.accuracy.worst < asked


def test_an_accuracy_needs_rods():
    with pytest.raises(InputError, match="accuracy: expected a robot with rods"):
        at_rest(chorda.load("neck-1"), tensions=5.0, accuracy=1e-4)


def test_robots_without_rods_have_no_such_error():
    assert at_rest(chorda.load("neck-1"), tensions=5.0).accuracy is None
