"""A motion that starts from an equilibrium keeps what held it."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.describe import Body, JointEffort, JointMotor, Revolute, Robot
from tests.helpers.refusals import refused_motion

STILL = {"duration": 0.5, "step": 2e-3, "strict": True}
ANGLES = {"motor1": 2.59, "motor2": 0.55}


def arm(*actuators):
    body = Body(mass=0.5, center=(0.2, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    joints = (
        Revolute(name="one", body=body, friction=0.05),
        Revolute(
            name="two", parent="one", placement={"position": (0.3, 0, 0)}, body=body, friction=0.05
        ),
    )
    return chorda.assemble(Robot(name="arm", joints=joints, actuators=actuators))


def drift(run, rest):
    return np.abs(run.position - rest.q).max()


def test_a_neck_at_rest_stays_with_the_torques_that_held_it():
    system = chorda.assemble(chorda.load("neck-3"))
    rest = chorda.equilibrium(system, tensions=[30, 20, 20, 25], strict=True)
    run = chorda.simulate(system, initial=rest, **STILL)
    assert drift(run, rest) < 1e-7
    np.testing.assert_allclose(run.input[0], rest.u)
    assert run.system is system


def test_an_input_that_is_named_changes_and_the_others_stay():
    system = chorda.assemble(chorda.load("neck-3"))
    rest = chorda.equilibrium(system, tensions=[30, 20, 20, 25], strict=True)
    run = chorda.simulate(system, initial=rest, inputs={"motor-left": -0.021}, **STILL)
    k = system.given.index("motor-left")
    np.testing.assert_allclose(np.delete(run.input[0], k), np.delete(rest.u, k))
    assert run.input[0, k] == -0.021


def test_motors_that_hold_rods_stay_held():
    """The effort that the motion reports is the one that the equilibrium found."""
    system = chorda.assemble(chorda.load("rfrfr"))
    rest = chorda.equilibrium(system, hold=ANGLES, strict=True)
    run = chorda.simulate(system, initial=rest, **STILL)
    assert drift(run, rest) < 1e-6
    for name, effort in rest.efforts.items():
        seen = run.data["effort"].sel(actuator=f"hold-{name}").values
        np.testing.assert_allclose(seen, effort, atol=1e-5)


def test_what_is_freed_by_name_moves():
    system = chorda.assemble(chorda.load("rfrfr"))
    rest = chorda.equilibrium(system, hold=ANGLES, strict=True)
    run = chorda.simulate(system, initial=rest, free=["motor1"], **STILL)
    moved = np.abs(run.position - rest.q).max(axis=0)
    names = system.coordinate_names
    assert moved[names.index("motor1")] > 0.01
    assert moved[names.index("motor2")] < 1e-9


def test_efforts_that_were_given_go_on():
    system = arm()
    wanted = {"one": 1.0, "two": 0.2}
    rest = chorda.equilibrium(system, efforts=wanted, initial={"one": -1.0, "two": 0.3})
    assert rest.status.ok
    run = chorda.simulate(system, initial=rest, **STILL)
    assert drift(run, rest) < 1e-6
    np.testing.assert_allclose(run.input[0], list(wanted.values()), atol=1e-9)


def test_parameters_of_the_equilibrium_are_kept_unless_given():
    system = arm()
    rest = chorda.equilibrium(system, hold={"one": 0.3, "two": 0.1}, parameters={"one.mass": 2.0})
    run = chorda.simulate(system, initial=rest, parameters={"two.mass": 0.7}, **STILL)
    names = system.parameter_names
    assert run.parameters[names.index("one.mass")] == 2.0
    assert run.parameters[names.index("two.mass")] == 0.7


@pytest.mark.parametrize("form", ["array", "function", "python", "casadi"])
def test_inputs_and_controllers_in_every_form_leave_what_is_held(form):
    system = arm(JointEffort(name="push", joint="two"))
    rest = chorda.equilibrium(system, hold={"one": 0.4}, inputs={"push": 0.0}, strict=True)
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", 2), ca.SX.sym("v", 2)
    given = {
        "array": {"inputs": [0.3]},
        "function": {"inputs": lambda t: [0.3]},
        "python": {"control": lambda t, q, v: [0.3]},
        "casadi": {"control": ca.Function("law", [t, q, v], [ca.DM(0.3)])},
    }[form]
    run = chorda.simulate(system, initial=rest, **given, **STILL)
    np.testing.assert_allclose(run.position[:, 0], 0.4, atol=1e-8)
    assert np.abs(run.position[:, 1] - rest.q[1]).max() > 0.01


def test_what_cannot_be_kept_is_refused_before_it_starts():
    system = chorda.assemble(chorda.load("rfrfr"))
    rest = chorda.equilibrium(system, hold={**ANGLES, "leg1.bend_z0": -1.2})
    message = refused_motion(system, initial=rest)
    assert "initial: the equilibrium is held at leg1.bend_z0, which a motion cannot keep" in message
    assert "free=['leg1.bend_z0']" in message


def test_a_joint_held_against_its_own_motor_is_refused():
    system = arm(JointMotor(name="m", joint="one", inertia=1e-5))
    rest = chorda.equilibrium(system, hold={"one": 0.3, "two": 0.1})
    message = refused_motion(system, initial=rest)
    assert "initial: the equilibrium held joints that m moves" in message


def test_a_controller_without_inputs_for_what_is_held_is_refused():
    system = chorda.assemble(chorda.load("neck-1"))
    rest = chorda.equilibrium(system, hold={"x1": 0.1})
    follow = JointControl(Sine.from_rest([0.1]))
    message = refused_motion(system, initial=rest, control=follow)
    assert "control: this controller has no inputs for what held the equilibrium (x1)" in message


def test_free_names_what_is_held():
    system = arm()
    rest = chorda.equilibrium(system, hold={"one": 0.3, "two": 0.1})
    assert "free" in refused_motion(system, initial=rest, free=["three"])
    message = refused_motion(system, free=["one"])
    assert "free: has no effect unless initial is an Equilibrium" in message


def test_a_run_that_kept_something_is_saved_and_opened_again(tmp_path):
    system = arm()
    rest = chorda.equilibrium(system, hold={"one": 0.3, "two": 0.1}, strict=True)
    run = chorda.simulate(system, initial=rest, **STILL)
    run.save(tmp_path / "run.nc")
    again = chorda.open(tmp_path / "run.nc")
    np.testing.assert_array_equal(again.input, run.input)
    assert again.system.given == ("hold-one", "hold-two")
