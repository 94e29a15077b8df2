"""Motors with limits, windings and play in files, batches, parameters, controllers and exports."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, MotorPD, PointToPoint, Sine
from chorda.describe import Motor
from chorda.errors import InputError
from tests.helpers.motor_robots import WINDING, K, R, spun
from tests.helpers.refusals import refused

PLAY = {"gap": 0.02, "stiffness": 50.0, "damping": 0.2, "smoothing": 2e-3}


def test_events_are_stored_with_the_run_and_read_back(tmp_path):
    system = spun(max_torque=0.1)
    run = chorda.simulate(
        system, duration=1.0, step=1e-3, inputs={"m": lambda t: 0.3 * np.sin(5 * t)}
    )
    kinds = [e.kind for e in run.events]
    assert kinds == ["reached max_torque", "left max_torque", "reached max_torque"]
    again = chorda.open(run.save(tmp_path / "run.nc"))
    assert again.events == run.events
    assert list(run.data["event_name"].values) == ["m"] * 3
    assert run.with_outputs().events == run.events


@pytest.mark.parametrize(
    ("parts", "asked"),
    [
        ({"max_torque": 0.02, "max_speed": 100.0}, 0.05),
        ({"winding": WINDING, "max_current": 1.0}, 8.0),
        ({"backlash": PLAY}, 0.02),
    ],
)
def test_a_rollout_moves_as_simulate_does_with_parameters_by_member(parts, asked):
    system = spun(**parts)
    options = {"duration": 0.1, "step": 1e-3, "scheme": "bdf2", "inputs": {"m": asked}}
    limit = next(x for x in system.parameter_names if ".max_" in x or x.endswith(".gap"))
    value = system.parameter_values[system.parameter_names.index(limit)]
    many = chorda.rollout(system, parameters={limit: np.array([value, value / 2])}, **options)
    for k, factor in enumerate((1.0, 0.5)):
        run = chorda.simulate(system, parameters={limit: factor * value}, **options)
        np.testing.assert_allclose(many.position[k, -1], run.position[-1], atol=1e-10)
    assert abs(many.position[0, -1, 0] - many.position[1, -1, 0]) > 1e-4


def test_gradients_by_a_limit_are_those_of_differences():
    system = spun(max_torque=0.02, max_speed=100.0)
    options = {"duration": 0.1, "step": 1e-3, "scheme": "bdf2", "inputs": {"m": 0.05}}
    found = chorda.rollout(system, gradients=["m.max_torque"], **options)
    ends = [
        chorda.simulate(system, parameters={"m.max_torque": x}, **options).position[-1, 0]
        for x in (0.02 - 1e-6, 0.02 + 1e-6)
    ]
    slope = (ends[1] - ends[0]) / 2e-6
    assert found.by[0, -1, 0, 0] == pytest.approx(slope, rel=1e-5)


def neck(**parts):
    robot = chorda.load("neck-1")
    motors = tuple(
        Motor(**{k: getattr(x, k) for k in x.model_fields_set} | parts) for x in robot.actuators
    )
    return chorda.assemble(robot.model_copy(update={"actuators": motors}))


def test_controllers_of_torques_give_motors_with_windings_their_voltage():
    plain, wound = neck(), neck(winding=WINDING)
    start = [chorda.equilibrium(x, tensions=15.0, strict=True) for x in (plain, wound)]
    for control in (
        MotorPD(PointToPoint((0, 0), (0.5, -0.5), 0.2), 0.05, 0.003, offset=-0.012),
        JointControl(Sine.from_rest((0.2,), 3.0), minimum_tension=8.0),
    ):
        one, other = (
            chorda.simulate(
                x, duration=0.4, step=2e-4, scheme="bdf2", initial=rest, control=control
            )
            for x, rest in zip((plain, wound), start, strict=True)
        )
        assert one.status.ok
        assert other.status.ok
        np.testing.assert_allclose(other.position[:, 0], one.position[:, 0], atol=3e-3)
    rates = other.outputs["motor_rate"]
    torque = (other.input - K * rates) * K / R
    np.testing.assert_allclose(other.outputs["motor_torque"], torque, atol=1e-9)


def test_a_motor_that_its_controller_drives_beyond_the_limit_says_so():
    system = neck(max_torque=0.013)
    rest = chorda.equilibrium(system, tensions=10.0, strict=True)
    control = JointControl(Sine.from_rest((0.5,), 6.0), minimum_tension=10.0)
    run = chorda.simulate(system, duration=0.6, step=1e-3, initial=rest, control=control)
    assert any(e.kind == "reached max_torque" for e in run.events)
    assert "(max_torque, " in run.status.message
    assert np.max(np.abs(run.outputs["motor_torque"])) == pytest.approx(0.013)


def test_a_run_from_a_rest_with_a_given_effort_takes_the_voltage_that_keeps_it():
    from tests.helpers.actuated_robots import wheel

    system = spun(wheel(stiffness=2.0), winding=WINDING)
    rest = chorda.equilibrium(system, efforts={"wheel": 0.3}, strict=True)
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=rest, strict=True)
    assert run.input[0, 0] == pytest.approx(0.3 / 30.0 * R / K)
    np.testing.assert_allclose(run.position[:, 0], 0.15, atol=1e-9)


def test_a_limit_of_zero_is_refused_as_a_parameter():
    system = spun(max_torque=0.1)
    message = refused(InputError, system.parameters, {"m.max_torque": 0.0})
    assert message == "parameters: 'm.max_torque' must be greater than 0, got 0"


def test_the_voltage_of_a_position_loop_is_that_of_its_torque_at_any_speed():
    plain, wound = neck(), neck(winding=WINDING)
    control = MotorPD(Sine((0.3, 0.2), 5.0), 0.05, 0.003, offset=-0.01)
    q, v = np.array([0.1, 0.4, -0.3]), np.array([0.5, 20.0, -30.0])
    w = control.signal(plain, np.array([0.2]))[0]
    torque, volts = (
        x.full().ravel()
        for x in (control.law(s)(0.2, q, v, w, s.parameters()) for s in (plain, wound))
    )
    np.testing.assert_allclose((volts - K * v[1:]) * K / R, torque, rtol=1e-12)
