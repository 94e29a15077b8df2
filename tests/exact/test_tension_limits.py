"""Tensions of a controller between their limits, against closed forms."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.describe import Body, Point, Pulley, Revolute, Robot, Tendon, TensionActuator
from chorda.errors import InputError
from tests.helpers.refusals import refused

ARMS = {"a": 0.02, "b": 0.01, "c": -0.02}  # [m] moment arms; 'c' pulls against the others
J, SWING, OMEGA, LOW = 2e-3, 0.5, 20.0, 1.0


def wheel_of_three():
    """A wheel without gravity that three cables turn by drums of constant arms."""
    body = Body(mass=1.0, inertia=(0, 0, J, 0, 0, 0))
    tendons = tuple(
        Tendon(
            name=name,
            path=(
                Point(point=(-1.0, arm, 0)),
                Pulley(frame="j", radius=abs(arm), side="right" if arm > 0 else "left", wound=3.0),
            ),
            actuator=f"pull-{name}",
        )
        for name, arm in ARMS.items()
    )
    return Robot(
        name="wheel",
        gravity=(0, 0, 0),
        joints=(Revolute(name="j", body=body),),
        actuators=tuple(TensionActuator(name=f"pull-{name}") for name in ARMS),
        tendons=tendons,
    )


def turned(high, duration=0.14, step=1e-3):
    """Fed forward along -SWING sin(OMEGA t), which takes the torque J SWING OMEGA^2 sin."""
    control = JointControl(
        Sine([SWING], OMEGA, phase=np.pi),
        minimum_tension=LOW,
        maximum_tension=high,
        kind="feed-forward",
    )
    system = chorda.assemble(wheel_of_three())
    start = {"j.rate": -SWING * OMEGA}
    return chorda.simulate(system, duration=duration, step=step, control=control, initial=start)


def torque(t):
    return J * SWING * OMEGA**2 * np.sin(OMEGA * t)


def test_the_arms_are_those_of_the_drums():
    system = chorda.assemble(wheel_of_three())
    Z = system.function("Z", "q p", system.tendons.Z)([0.3], system.parameters()).full()
    np.testing.assert_allclose(np.abs(Z[0]), np.abs([*ARMS.values()]), atol=1e-12)
    np.testing.assert_allclose(np.sign(Z[0] / Z[0, 0]), np.sign([*ARMS.values()]))


def sign():
    """Of the arms as the System counts them."""
    system = chorda.assemble(wheel_of_three())
    Z = system.function("Z", "q p", system.tendons.Z)([0.0], system.parameters()).full()
    return float(np.sign(Z[0, 0]))


def test_a_tendon_reaches_its_largest_tension_at_the_closed_form_instant():
    """'a' and 'b' share what is wanted by their arms, against 'c' at its minimum, until 'a' is at
    its maximum; what is wanted beyond that, 'b' gives alone."""
    a, b, c = (abs(x) for x in ARMS.values())
    assert sign() == 1.0
    high = 14.5
    reached = high * (a**2 + b**2) / a - c * LOW
    first = np.arcsin(reached / (J * SWING * OMEGA**2)) / OMEGA
    run = turned(high)
    assert run.status.ok
    assert [(e.name, e.kind) for e in run.events] == [
        ("a", "reached maximum_tension"),
        ("a", "left maximum_tension"),
    ]
    found = [e.time for e in run.events]
    np.testing.assert_allclose(found, [first, np.pi / OMEGA - first], atol=2e-5)
    at = (run.time > first) & (run.time < np.pi / OMEGA - first - 1e-3)
    np.testing.assert_allclose(run.input[at, 0], high, rtol=1e-9)
    exact = (torque(run.time[at]) + c * LOW - a * high) / b
    np.testing.assert_allclose(run.input[at, 1], exact, rtol=1e-6)
    assert "a (maximum_tension, " in run.status.message


def test_where_no_tensions_within_the_limits_are_enough_the_run_ends_there():
    a, b, c = (abs(x) for x in ARMS.values())
    high = 9.0
    most = (a + b) * high - c * LOW
    last = np.arcsin(most / (J * SWING * OMEGA**2)) / OMEGA
    run = turned(high)
    assert run.status.code == "infeasible"
    assert "and below the maximum" in run.status.message
    assert run.time[-1] == pytest.approx(last, abs=1.1e-3)


def test_a_run_that_is_opened_again_has_the_events_of_its_controller(tmp_path):
    run = turned(14.5)
    assert chorda.open(run.save(tmp_path / "run.nc")).events == run.events


def test_without_a_maximum_nothing_is_limited():
    run = turned(None)
    assert run.status.ok
    assert run.events == ()
    assert run.input.max() > 14.5


def test_limits_in_the_wrong_order_are_refused():
    message = refused(
        InputError, JointControl, Sine([0.1]), minimum_tension=5.0, maximum_tension=2.0
    )
    assert message == (
        "maximum_tension: expected at least the minimum of 5 N, got 2 N; swap them, or lower the "
        "minimum"
    )
