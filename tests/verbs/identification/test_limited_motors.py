"""Motors in logs: samples at limits are left out and do not bias; voltages, and play."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError, LogError
from chorda.identification.logs.log import Channel, Log, signals
from tests.helpers.actuated_robots import wheel
from tests.helpers.motor_robots import WHEEL, WINDING, spun
from tests.helpers.refusals import refused

FRICTION = {"wheel.friction": 0.05}
JOINT = wheel(WHEEL, stiffness=1.0, friction=0.05)


def log_of(system, inputs):
    run = chorda.simulate(
        system, duration=8.0, step=1e-3, scheme="bdf2", inputs={"m": inputs}, strict=True
    )
    channels = {}
    for x in signals(system):
        rows = run.input if x.kind == "input" else run.position
        channels[x.name] = Channel(x.name, x.unit, run.time, rows[:, x.row], "encoder")
    return Log(channels=channels, source="simulated")


def waves(most):
    return lambda t: most * (np.sin(5 * t) + 0.5 * np.sin(11 * t + 1))


@pytest.mark.parametrize(
    ("parts", "asked", "signal"),
    [
        ({"max_torque": 0.03}, 0.03, "m.torque"),
        ({"max_torque": 0.04, "max_speed": 150.0}, 0.03, "m.torque"),
        ({"winding": {**WINDING, "max_voltage": 1.5}}, 1.5, "m.voltage"),
    ],
)
def test_friction_is_found_beside_a_motor_that_is_often_at_its_limit(parts, asked, signal):
    system = spun(JOINT, **parts)
    log = log_of(system, waves(asked))
    assert signal in log.channels
    found = chorda.identify(log, system, ["wheel.friction"], method="least squares")
    assert found["wheel.friction"].value == pytest.approx(0.05, rel=0.02)
    assert any("samples with a motor at its limit left out" in x for x in found.notes)


def test_without_a_limit_that_acts_nothing_is_left_out():
    system = spun(JOINT, max_torque=1.0)
    log = log_of(system, waves(0.03))
    found = chorda.identify(log, system, ["wheel.friction"], method="least squares")
    assert found["wheel.friction"].value == pytest.approx(0.05, rel=0.02)
    assert not any("limit" in x for x in found.notes)


def test_a_log_at_the_limit_all_the_time_is_refused():
    system = spun(JOINT, max_torque=0.03)
    log = log_of(system, waves(0.03))
    weak = spun(JOINT, max_torque=1e-5)
    message = refused(LogError, chorda.identify, log, weak, ["wheel.friction"])
    assert "a motor is at its limit near every sample" in message


@pytest.mark.parametrize("name", ["m.max_torque", "m.max_speed"])
def test_limits_are_no_unknowns_of_linear_equations(name):
    system = spun(JOINT, max_torque=0.03, max_speed=100.0)
    message = refused(InputError, chorda.identify, log_of(system, waves(0.02)), system, [name])
    assert f"the equations of motion are not linear in {name}" in message


def test_the_stiffness_of_the_teeth_of_a_gear_with_play_is_found():
    system = spun(JOINT, backlash={"gap": 0.02, "stiffness": 50.0})
    names = ["m.backlash.stiffness", "wheel.friction"]
    found = chorda.identify(log_of(system, waves(0.03)), system, names, method="least squares")
    assert found["m.backlash.stiffness"].value == pytest.approx(50.0, rel=0.01)
    assert found["wheel.friction"].value == pytest.approx(0.05, rel=0.02)


def test_a_current_that_no_sensor_measures_is_refused():
    system = spun(JOINT, winding={**WINDING, "inductance": 1e-3})
    log = log_of(system, waves(1.0))
    message = refused(InputError, chorda.identify, log, system, ["wheel.friction"])
    assert "no sensor measures m.current" in message
    assert "leave the winding's inductance out" in message
