"""The nodes of a continuous rod: how accurate they are, and as many as an accuracy takes."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics, shooting
from chorda.describe import Circle, Robot, Rod, Sheath, Strains, Tendon, TensionActuator
from chorda.errors import InputError
from tests.helpers.cosserat_robots import PULLS, everything, till


def helix(turns=36.0):
    """A tendon that is wound often around a rod."""
    rod = Rod(
        name="rod",
        length=0.3,
        section=Circle(radius=1e-3),
        young_modulus=6e10,
        density=1000,
    )
    sheath = Sheath(rod="rod", y=0.008, turns=turns)
    tendon = Tendon(name="pull", sheaths=[sheath], actuator="force")
    actuators = [TensionActuator(name="force")]
    return Robot(name="helix", joints=[rod], tendons=[tendon], actuators=actuators)


def hair(**more):
    """A rod so thin that it hangs down from a short bend at its clamp."""
    section = Circle(radius=30e-6)
    rod = Rod(name="rod", length=1.0, section=section, young_modulus=6e10, density=7800, **more)
    return Robot(name="hair", joints=[rod])


CASES = {
    "helix": (helix, 5.0, 1601),
    "hair": (hair, None, 3201),
    "till": (till, -0.02, 241),
    "everything": (everything, PULLS, 481),
}


def off(found, exact):
    return float(np.linalg.norm(found.tip - exact.tip))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("asked", [1e-4, 1e-6])
def test_an_accuracy_that_is_asked_for_is_met(name, asked):
    make, inputs, fine = CASES[name]
    exact = rod_statics(make(), inputs, nodes=2 * fine - 1)
    found = rod_statics(make(), inputs, accuracy=asked)
    assert found.status.ok
    assert found.accuracy.reliable
    assert off(found, exact) < asked
    assert found.accuracy.worst < asked


@pytest.mark.parametrize(("name", "nodes"), [("helix", 433), ("hair", 481), ("till", 25)])
def test_the_estimate_is_the_error_at_the_tip(name, nodes):
    make, inputs, fine = CASES[name]
    found = rod_statics(make(), inputs, nodes=nodes)
    error = off(found, rod_statics(make(), inputs, nodes=fine))
    assert found.accuracy.reliable
    assert error / 2 < found.accuracy.error[0] < 10 * error


@pytest.mark.parametrize("integrator", ["euler", "gauss4", "gauss6"])
def test_every_integrator_knows_its_error(integrator):
    found = rod_statics(till(), -0.02, integrator=integrator, nodes=21)
    error = off(found, rod_statics(till(), -0.02, nodes=241))
    assert error / 2 < found.accuracy.error[0] < 10 * error


def test_nodes_follow_the_turns_of_a_helical_sheath():
    found = rod_statics(helix(), 5.0)
    assert len(found.s) >= 36 * 12
    assert off(found, rod_statics(helix(), 5.0, nodes=1601)) < 1e-4
    curled = rod_statics(hair(rest=Strains(bend_y=200.0)))
    assert len(curled.s) >= 200 / (2 * np.pi) * 12


def test_few_nodes_on_a_helix_are_reported():
    found = rod_statics(helix(), 5.0, nodes=61)
    assert off(found, rod_statics(helix(), 5.0, nodes=1601)) > 0.09
    assert found.residual < 1e-9
    assert found.accuracy.worst > 0.01
    assert not found.accuracy.reliable
    assert "off by" in found.status.message
    assert "more nodes" in found.status.message


@pytest.mark.parametrize("turns", [18.0, 36.0, 60.0])
def test_a_helix_is_not_mistaken_for_another_one(turns):
    assert not rod_statics(helix(turns), 5.0, nodes=37).accuracy.reliable


def test_a_thin_rod_that_hangs_knows_its_error():
    found = rod_statics(hair(), nodes=61)
    error = off(found, rod_statics(hair(), nodes=1601))
    assert error > 1e-3
    assert found.accuracy.worst > error / 2


def test_two_nodes_have_an_error_too():
    found = rod_statics(till(), 0.0, nodes=2)
    assert found.accuracy is None or found.accuracy.is_large()


def test_an_accuracy_is_a_length():
    for wrong in (0.0, -1.0, "fine", float("nan")):
        with pytest.raises(InputError, match="accuracy: expected a positive number of m"):
            rod_statics(till(), 0.0, accuracy=wrong)


def test_an_accuracy_beyond_rounding_is_not_met():
    found = rod_statics(till(), -0.02, integrator="euler", accuracy=1e-9)
    assert not found.status.ok
    assert "not met with" in found.status.message


@pytest.mark.parametrize("asked", [1e-4, 1e-8])
def test_joined_rods_take_as_many_steps_as_an_accuracy_needs(asked):
    given = {
        "hold": {"motor1": 2.59, "motor2": 0.55},
        "initial": {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0},
    }
    robot = chorda.load("rfrfr")
    exact, coarse = (shooting(robot, steps=n, **given).frame("leg1.tip")[0] for n in (48, 1))
    found = shooting(robot, steps=1, accuracy=asked, **given)
    assert found.status.ok
    assert np.linalg.norm(coarse - exact) > 1e-7
    assert np.linalg.norm(found.frame("leg1.tip")[0] - exact) < asked
    assert found.accuracy.worst < asked
    assert found.accuracy.reliable
    assert shooting(robot, **given).accuracy is None


def test_the_accuracy_of_joined_rods_is_a_length():
    with pytest.raises(InputError, match="accuracy: expected a positive number of m"):
        shooting(chorda.load("rfrfr"), accuracy=0.0)
