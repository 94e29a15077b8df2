"""Limits of motors against closed forms: where they cut off, and when."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Revolute
from tests.helpers.motor_robots import GEAR, INERTIA, WINDING, K, R, spun

STEP = 1e-3


def pushed(system, torque, duration=0.5, scheme="bdf2", **options):
    return chorda.simulate(
        system, duration=duration, step=STEP, scheme=scheme, inputs={"m": torque}, **options
    )


@pytest.mark.parametrize(
    ("parts", "limit"),
    [
        ({"max_torque": 0.1}, 0.1),
        ({"max_current": 2.0, "torque_constant": K}, 0.1),
        ({"max_torque": 0.3, "max_current": 2.0, "torque_constant": K}, 0.1),
    ],
)
@pytest.mark.parametrize("way", [1, -1])
def test_what_is_beyond_a_limit_does_not_act(parts, limit, way):
    run = pushed(spun(**parts), way * 0.25, scheme="rk4")
    np.testing.assert_allclose(run.outputs["motor_torque"], way * limit, rtol=1e-14)
    exact = way * limit / INERTIA * run.time**2 / 2
    np.testing.assert_allclose(GEAR * run.position[:, 0], exact, rtol=1e-9)
    assert "At their limits: m (max_" in run.status.message
    assert "100 % of the time" in run.status.message


def test_within_its_limits_a_motor_is_as_without():
    free, limited = (pushed(spun(**x), 0.05) for x in ({}, {"max_torque": 0.1, "max_speed": 1e5}))
    assert limited.events == ()
    assert limited.status.message == free.status.message
    np.testing.assert_allclose(limited.position, free.position, rtol=1e-12)


def test_along_the_torque_speed_line_the_no_load_speed_is_approached_exponentially():
    """I w' = T (1 - w / w0)."""
    most, no_load = 0.1, 400.0
    run = pushed(spun(max_torque=most, max_speed=no_load), 0.3, scheme="rk4")
    rate = no_load * (1 - np.exp(-run.time * most / (INERTIA * no_load)))
    np.testing.assert_allclose(GEAR * run.velocity[:, 0], rate, rtol=1e-6, atol=1e-9)
    torque = run.data["motor_torque"].sel(motor="m").values
    np.testing.assert_allclose(torque, most * (1 - rate / no_load), atol=1e-6)


def test_beyond_the_no_load_speed_nothing_drives_and_the_whole_torque_brakes():
    system = spun(max_torque=0.1, max_speed=100.0)
    start = {"wheel.rate": 150.0 / GEAR}
    driven, braked = (
        chorda.simulate(system, duration=1e-3, step=1e-3, inputs={"m": u}, initial=start)
        for u in (0.05, -0.3)
    )
    assert driven.outputs["motor_torque"][0, 0] == 0.0
    assert braked.outputs["motor_torque"][0, 0] == -0.1


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "implicit-euler"])
def test_a_ramp_reaches_the_torque_limit_at_its_instant(scheme):
    system = spun(max_torque=0.1)
    run = pushed(system, lambda t: 0.313 * t * (1.3 - t), duration=1.3, scheme=scheme)
    exact = [(1.3 + way * np.sqrt(1.3**2 - 0.4 / 0.313)) / 2 for way in (-1, 1)]
    assert [(e.name, e.kind) for e in run.events] == [
        ("m", "reached max_torque"),
        ("m", "left max_torque"),
    ]
    found = [e.time for e in run.events]
    np.testing.assert_allclose(found, exact, atol=1e-6)  # inputs are linear between steps


@pytest.mark.parametrize("scheme", ["rk4", "bdf2"])
def test_the_current_limit_of_a_winding_is_left_at_the_closed_form_instant(scheme):
    """I w' = k i until u - k w = R i."""
    volts, most = 12.0, 3.0
    run = pushed(spun(winding=WINDING, max_current=most), volts, 0.05, scheme)
    leaves = INERTIA * (volts - R * most) / K / (K * most)
    (event,) = run.events
    assert (event.name, event.kind) == ("m", "left max_current")
    assert event.time == pytest.approx(leaves, abs=20 * STEP**2)
    current = run.data["motor_current"].sel(winding="m").values
    np.testing.assert_allclose(current[run.time < leaves], most, rtol=1e-12)
    later = run.time[run.time > leaves] - leaves
    exact = most * np.exp(-later * K**2 / (R * INERTIA))
    np.testing.assert_allclose(current[run.time > leaves], exact, atol=0.02)


def test_a_torque_on_the_line_is_reached_at_the_closed_form_instant():
    """A constant torque u < T speeds up linearly until T (1 - w / w0) = u."""
    most, no_load, torque = 0.1, 100.0, 0.04
    run = pushed(spun(max_torque=most, max_speed=no_load), torque, 0.1, "rk4")
    exact = no_load * (1 - torque / most) * INERTIA / torque
    (event,) = run.events
    assert event.kind == "reached max_speed"
    assert event.time == pytest.approx(exact, abs=2 * STEP**2)


def test_a_voltage_is_cut_off_at_its_largest():
    system = spun(winding={**WINDING, "max_voltage": 6.0})
    run = pushed(system, 20.0, 1.0)
    assert GEAR * run.velocity[-1, 0] == pytest.approx(6.0 / K, rel=1e-5)
    assert "m (max_voltage, 100 % of the time)" in run.status.message


MASS, ARM = 0.5, 0.2
PENDULUM = Revolute(
    name="wheel", body=Body(mass=MASS, center=(0, -ARM, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
)
WEIGHT = MASS * 9.81 * ARM  # [N m] with the arm level


def test_at_rest_a_motor_beyond_its_limit_holds_what_the_limit_holds():
    limit = 0.4 * WEIGHT / GEAR
    rest = chorda.equilibrium(spun(PENDULUM, max_torque=limit), inputs={"m": 3 * limit})
    assert np.sin(rest.q[0]) == pytest.approx(0.4, rel=1e-9)
    assert "At their limits: m (max_torque)." in rest.status.message


def test_a_path_ends_where_the_motor_is_at_its_limit():
    limit = 0.4 * WEIGHT / GEAR
    system = spun(PENDULUM, max_torque=limit)
    rest = chorda.equilibrium(system, strict=True)
    path = chorda.follow(rest, inputs={"m": 2 * limit}, points=11)
    assert path.status.code == "limit"
    assert np.sin(path.q[-1, 0]) == pytest.approx(0.4, rel=1e-6)
    assert f"beyond its limits {-limit:g} to {limit:g}" in path.status.message


@pytest.mark.parametrize(("angle", "code"), [(0.3, "converged"), (0.6, "limit")])
def test_a_configuration_that_takes_more_than_the_limit_cannot_be_held(angle, code):
    limit = np.sin(0.45) * WEIGHT / GEAR
    system = spun(PENDULUM, max_torque=limit)
    rest = chorda.equilibrium(system, hold={"wheel": angle}, actuated=["m"])
    assert rest.status.code == code
    assert rest.u[0] == pytest.approx(np.sin(angle) * WEIGHT / GEAR, rel=1e-9)


def test_motors_that_are_held_at_an_angle_are_judged_by_their_effort():
    neck = chorda.load("neck-1")
    motors = tuple(x.model_copy(update={"max_torque": 0.012}) for x in neck.actuators)
    system = chorda.assemble(neck.model_copy(update={"actuators": motors}))
    assert chorda.equilibrium(system, tensions=14.0).status.ok
    rest = chorda.equilibrium(system, tensions=20.0)
    assert rest.status.code == "limit"
    assert "motor-right1.effort = -0.016 is beyond its limits" in rest.status.message
    first = chorda.equilibrium(system, tensions=14.0)
    many = chorda.equilibrium_batch(first, tensions={"left": np.array([14.0, 14.5, 20.0])})
    assert list(many.code) == ["converged", "converged", "limit"]
