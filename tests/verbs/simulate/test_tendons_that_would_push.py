"""In motion a rigid tendon that would push is the end, and a control cannot make one push."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Motor,
    Placement,
    Point,
    Prismatic,
    Rigid,
    Robot,
    Tendon,
    TensionActuator,
)
from chorda.errors import InputError
from tests.helpers.robots import hung_slider

MASS, G, SPEED = 2.0, 9.81, 1.5
RADIUS, INERTIA = 0.05, 1e-3
HOW = {"duration": 0.2, "step": 1e-3}


def swung(law, mode="elastic"):
    """A mass on a string of 1 m, thrown up from beside the point that it hangs on."""
    joints = (
        Prismatic(name="x", axis=(1, 0, 0), placement=Placement(position=(1, 0, 0))),
        Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=MASS)),
    )
    string = Tendon(name="string", path=(Point(), Point(frame="y")), law=law)
    robot = Robot(name="swing", joints=joints, tendons=(string,), gravity=(0, -G, 0))
    system = chorda.assemble(robot, tendons=mode)
    return chorda.simulate(system, initial={"y.rate": SPEED}, scheme="rk4", **HOW)


def driven(law, mode="elastic"):
    """A motor that pulls less and less, and then pushes: as from a torque of INERTIA G / RADIUS."""
    motor = Motor(name="m", inertia=INERTIA, drum_radius=RADIUS)
    system = chorda.assemble(hung_slider(motor, law), tendons=mode)
    return chorda.simulate(system, inputs={"m": lambda t: 10 * t - 1}, scheme="rk4", **HOW)


@pytest.mark.parametrize("mode", ["elastic", "rigid"])
def test_a_tied_tendon_that_would_push_ends_the_run_by_name(mode):
    """m (v0^2 - 3 G y) = 0, on a circle of 1 m."""
    run = swung(Rigid() if mode == "elastic" else KelvinVoigt(stiffness=1e6), mode)
    assert run.status.code == "slack"
    assert "'string' would have to push" in run.status.message
    assert "one_sided: false" in run.status.message
    assert run.position[-1, 1] == pytest.approx(SPEED**2 / (3 * G), abs=2 * SPEED * HOW["step"])
    assert np.all(run.outputs["tension"] > -1e-6)


@pytest.mark.parametrize("mode", ["elastic", "rigid"])
def test_a_wound_tendon_that_would_push_ends_the_run_by_name(mode):
    run = driven(Rigid() if mode == "elastic" else KelvinVoigt(stiffness=1e6), mode)
    assert run.status.code == "slack"
    assert "'cable' would have to push" in run.status.message
    assert run.time[-1] == pytest.approx(0.1 + INERTIA * G / RADIUS / 10, abs=2e-3)


def test_it_goes_on_where_the_law_says_that_it_may_push():
    for run in (swung(Rigid(one_sided=False)), driven(Rigid(one_sided=False))):
        assert run.status.ok
        assert run.outputs["tension"][-1, 0] < -0.1


def test_a_run_that_begins_with_a_push_ends_at_its_start():
    system = chorda.assemble(hung_slider(None, Rigid(), gravity=(0, G, 0)))
    run = chorda.simulate(system, **HOW)
    assert (run.status.code, len(run.time)) == ("slack", 1)


def test_an_elastic_tendon_goes_slack_and_the_run_goes_on():
    run = swung(KelvinVoigt(stiffness=1e5, damping=100.0))
    assert run.status.ok
    assert "slack" in [x.kind for x in run.events]
    assert np.all(run.outputs["tension"] >= 0)


@pytest.mark.parametrize("verb", [chorda.simulate, chorda.rollout])
def test_inputs_below_zero_are_refused_by_name(verb):
    system = chorda.assemble(hung_slider(TensionActuator(name="pull"), Rigid()))
    with pytest.raises(InputError, match=r"inputs.pull: tendon 'cable'.*got -3 N.*one_sided"):
        verb(system, inputs={"pull": -3.0}, **HOW)


def test_a_control_that_asks_for_less_than_zero_gets_zero_and_the_status_says_so():
    system = chorda.assemble(hung_slider(TensionActuator(name="pull"), Rigid()))
    run = chorda.simulate(system, control=lambda t, q, v: [-3.0], **HOW)
    assert np.all(run.outputs["tension"] == 0)
    assert run.position[-1, 0] == pytest.approx(-G * 0.2**2 / 2, rel=1e-2)
    assert "Asked for less than 0 N, and slack then: cable (-3 N)." in run.status.message


def test_members_of_a_rollout_end_where_a_rigid_tendon_would_push():
    motor = Motor(name="m", inertia=INERTIA, drum_radius=RADIUS)
    system = chorda.assemble(hung_slider(motor, Rigid()))
    found = chorda.rollout(system, inputs={"m": np.array([-1.0, 1.0])}, every=10, **HOW)
    assert found.code.tolist() == [0, 7]
    assert "slack" in str(found)
    assert np.all(np.isfinite(found.position[0]))
    assert np.all(np.isnan(found.position[1]))
