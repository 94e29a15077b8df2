"""A mass of 2 kg hung on one tendon, wound by each kind of actuator, against closed forms.

The tendon comes from 1 m above, so its length is 1 m - s, and paying it out lowers the mass.
"""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    DryFriction,
    KelvinVoigt,
    Motor,
    Rigid,
    TensionActuator,
    Winch,
)
from chorda.dynamics.schemes import SCHEMES
from chorda.errors import InputError
from tests.helpers.robots import hung_slider

MASS, G, K = 2.0, 9.81, 800.0
INERTIA, RADIUS, RATIO = 3e-3, 0.05, 4.0
PAY = RADIUS / RATIO
REFLECTED = INERTIA / PAY**2  # the rotor as a mass on the tendon [kg]


def motor(**more):
    return Motor(name="m", inertia=INERTIA, drum_radius=RADIUS, gear_ratio=RATIO, **more)


def motion(robot, inputs, duration=0.5, step=1e-3, **how):
    how = {"scheme": "rk4"} | how
    return chorda.simulate(
        chorda.assemble(robot), duration=duration, step=step, inputs=inputs, strict=True, **how
    )


def test_prescribed_tension_accelerates_the_mass():
    run = motion(hung_slider(TensionActuator(name="d"), Rigid()), [30.0])
    assert np.allclose(run.position[:, 0], (30 / MASS - G) * run.time**2 / 2, atol=1e-12)
    assert np.allclose(run.outputs["tension"], 30.0)


def test_prescribed_tension_that_grows_linearly_gives_a_cubic():
    run = motion(hung_slider(TensionActuator(name="d"), Rigid()), {"d": lambda t: 50 * t})
    t = run.time
    assert np.allclose(run.position[:, 0], 50 * t**3 / (6 * MASS) - G * t**2 / 2, atol=1e-12)


def test_paid_out_length_lowers_the_point_that_an_elastic_tendon_swings_about():
    out = 0.05
    law = KelvinVoigt(stiffness=K, one_sided=False)  # it swings through where it would be slack
    run = motion(hung_slider(Winch(name="d"), law), [out])
    middle = -out - MASS * G / K
    exact = middle * (1 - np.cos(np.sqrt(K / MASS) * run.time))
    assert np.allclose(run.position[:, 0], exact, atol=1e-9)
    assert np.allclose(run.outputs["tension"][:, 0], -K * (exact + out), atol=1e-6)
    assert np.allclose(run.outputs["elongation"][:, 0], -(exact + out), atol=1e-9)


def test_winding_an_elastic_tendon_at_constant_speed_adds_that_speed_to_the_swing():
    """In the frame that moves with the winch the mass swings freely."""
    speed, w = 0.3, np.sqrt(K / MASS)
    run = motion(
        hung_slider(Winch(name="d"), KelvinVoigt(stiffness=K)),
        {"d": lambda t: -speed * t},
        initial={"s": -MASS * G / K},
    )
    exact = -MASS * G / K + speed * run.time - speed / w * np.sin(w * run.time)
    assert np.allclose(run.position[:, 0], exact, atol=1e-9)


def damped_winch():
    return hung_slider(Winch(name="d"), KelvinVoigt(stiffness=K, damping=20.0))


def test_damping_of_a_tendon_answers_to_the_rate_of_its_winch():
    """A winch of constant speed, the mass moving with it: nothing stretches or damps."""
    speed = 0.3
    run = motion(
        damped_winch(),
        {"d": lambda t: -speed * t},
        initial={"s": -MASS * G / K, "s.rate": speed},
    )
    assert np.allclose(run.position[:, 0], -MASS * G / K + speed * run.time, atol=1e-9)
    assert np.allclose(run.outputs["tension"], MASS * G, atol=1e-8)
    assert np.allclose(run.data.input.sel(input_name="d.rate"), -speed)


def test_shaking_winch_moves_the_mass_as_the_closed_form_of_a_shaken_base():
    """m y'' + d y' + k y = k x + d x' for x = sin(w t), from its steady motion on."""
    w, d, step = 15.0, 20.0, 1e-3
    gain = (K + 1j * w * d) / (K - MASS * w**2 + 1j * w * d) * 0.02
    exact = lambda t: np.imag(gain * np.exp(1j * w * t))  # noqa: E731
    fast = np.imag(1j * w * gain)
    given = {"d": lambda t: -0.02 * np.sin(w * t)}
    start = {"s": exact(0.0) - MASS * G / K, "s.rate": fast}
    run = motion(damped_winch(), given, initial=start, step=step)
    analytic = given | {"d.rate": lambda t: -0.02 * w * np.cos(w * t)}
    sharp = motion(damped_winch(), analytic, initial=start, step=step)
    for this in (run, sharp):  # linear inputs between samples: w^2 h^2 / 8 of the amplitude
        error = this.position[:, 0] + MASS * G / K - exact(this.time)
        assert np.max(np.abs(error)) < 0.02 * (w * step) ** 2
    assert np.max(np.abs(exact(run.time))) > 0.02


def test_control_of_a_winch_may_return_rates_or_leave_them_out():
    system = chorda.assemble(damped_winch())
    assert system.given == ("d",)
    start = {"s": -MASS * G / K, "s.rate": 0.3}
    how = {"duration": 0.05, "step": 1e-3, "initial": start, "scheme": "rk4"}
    held = chorda.simulate(system, control=lambda t, q, v: [-0.3 * t], **how)
    assert np.all(held.input[:, 1] == 0)
    told = chorda.simulate(system, control=lambda t, q, v: [-0.3 * t, -0.3], **how)
    assert np.all(told.input[:, 1] == -0.3)
    with pytest.raises(InputError, match=r"expected 1 inputs \(d\), got 3"):
        chorda.simulate(system, control=lambda t, q, v: [0, 0, 0], **how)


@pytest.mark.parametrize("scheme", [*SCHEMES, "cvodes"])
def test_rigid_tendon_follows_a_winch_of_constant_speed_exactly(scheme):
    speed = 0.2
    run = motion(
        hung_slider(Winch(name="d"), Rigid()),
        {"d": lambda t: speed * t},
        initial={"s.rate": -speed},
        scheme=scheme,
        step=0.01,
    )
    assert np.allclose(run.position[:, 0], -speed * run.time, rtol=0, atol=1e-12)
    assert np.allclose(run.velocity[:, 0], -speed, rtol=0, atol=1e-12)
    assert np.allclose(run.outputs["tension"], MASS * G, rtol=1e-9)


def test_rigid_tendon_without_a_actuator_holds_the_weight():
    run = motion(hung_slider(None, Rigid()), None)
    assert np.allclose(run.position, 0, atol=1e-14)
    assert np.allclose(run.outputs["tension"], MASS * G)


def test_motor_and_mass_share_an_elastic_tendon_as_two_masses_share_a_spring():
    torque, stretch0 = -0.1, 0.02
    run = motion(
        hung_slider(motor(), KelvinVoigt(stiffness=K)), [torque], initial={"m": -stretch0 / PAY}
    )
    w = np.sqrt(K * (1 / MASS + 1 / REFLECTED))
    middle = (G - torque / PAY / REFLECTED) / w**2
    stretch = middle + (stretch0 - middle) * np.cos(w * run.time)
    assert np.allclose(run.outputs["elongation"][:, 0], stretch, atol=1e-9)
    together = MASS * run.position[:, 0] - REFLECTED * PAY * run.position[:, 1]
    fall = -(MASS * G + torque / PAY) * run.time**2 / 2
    assert np.allclose(together, REFLECTED * stretch0 + fall, atol=1e-10)


def test_motor_on_a_rigid_tendon_adds_its_reflected_inertia():
    torque = -0.4
    run = motion(hung_slider(motor(), Rigid()), [torque])
    a = -(MASS * G + torque / PAY) / (MASS + REFLECTED)
    assert np.allclose(run.position[:, 0], a * run.time**2 / 2, atol=1e-12)
    assert np.allclose(run.outputs["motor_angle"], -run.position / PAY, atol=1e-12)
    assert np.allclose(run.outputs["tension"], MASS * (a + G), rtol=1e-10)


def test_motor_wound_the_other_way_pulls_with_positive_torque():
    robot = hung_slider(motor(), Rigid())
    other = robot.model_copy(
        update={"tendons": (robot.tendons[0].model_copy(update={"winding": -1}),)}
    )
    runs = [motion(robot, [-0.4]), motion(other, [0.4])]
    assert np.allclose(runs[0].position, runs[1].position, rtol=0, atol=1e-14)
    assert np.allclose(runs[0].outputs["tension"], runs[1].outputs["tension"])
    assert np.allclose(runs[0].outputs["motor_angle"], -runs[1].outputs["motor_angle"])


def test_viscous_friction_of_the_motor_leads_to_a_terminal_speed():
    friction = 0.004
    run = motion(hung_slider(motor(friction=friction), Rigid()), [0.0], duration=1.0)
    drag, total = friction / PAY**2, MASS + REFLECTED
    exact = -MASS * G / drag * (1 - np.exp(-drag / total * run.time))
    assert np.allclose(run.velocity[:, 0], exact, atol=1e-10)


@pytest.mark.parametrize("kind", ["sign", "arctan"])
def test_dry_friction_takes_its_torque_from_the_motion(kind):
    """Moving at one speed, by torque; a steep arctan law is the sign law to within 2/(pi c w)."""
    dry = DryFriction(kind=kind, torque=0.05, slope=1e5)
    system = chorda.assemble(hung_slider(motor(dry_friction=dry), Rigid()))
    for rate in (-0.5, 0.5):
        F = system.equations([0.0], [rate], [0.0], system.parameters())[1]
        expected = -MASS * G - np.sign(rate) * 0.05 / PAY
        assert float(F) == pytest.approx(expected, rel=1e-6)


def test_holding_torque_of_the_equilibrium_is_weight_times_drum_over_gear():
    found = chorda.equilibrium(
        chorda.assemble(hung_slider(motor(), KelvinVoigt(stiffness=K))), tensions=MASS * G
    )
    assert found.u[0] == pytest.approx(-MASS * G * PAY)
    assert found.tension[0] == pytest.approx(MASS * G)


def test_a_commanded_tension_below_zero_leaves_a_one_sided_tendon_slack():
    """Pulling until 0.2 s, then free fall; the instant is an event. The command is held over each
    step, so that the speed is that of the sum of the steps."""
    robot = hung_slider(TensionActuator(name="d"), KelvinVoigt(stiffness=K))
    run = motion(robot, None, control=lambda t, q, v: [40 - 200 * t])
    t, h = run.time, run.time[1]
    pull = np.maximum(40 - 200 * t, 0)
    assert np.allclose(run.outputs["tension"][:-1, 0], pull[:-1], atol=1e-12)
    rate = np.concatenate([[0], np.cumsum(pull[:-1]) * h]) / MASS - G * t
    assert np.allclose(run.velocity[:, 0], rate, atol=1e-9)
    assert [(e.name, e.kind) for e in run.events] == [("cable", "slack")]
    assert run.events[0].time == pytest.approx(0.2, abs=h)


def test_a_prescribed_tension_pushes_where_the_law_has_two_sides():
    robot = hung_slider(TensionActuator(name="d"), KelvinVoigt(stiffness=K, one_sided=False))
    assert np.allclose(motion(robot, [-5.0]).outputs["tension"], -5.0)
