"""Actuators on joints: their work is the energy's change, B is exact, and a motion that is led is
the one that the efforts make."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import JointEffort, JointMotion, JointMotor
from tests.helpers.actuated_robots import arm
from tests.helpers.evaluate import close, forces, jacobian, random_state

MOTOR = JointMotor(
    name="m", joint="one", inertia=1e-5, gear_ratio=20.0, dry_friction={"torque": 1e-4}
)
TORQUE, FORCE = JointEffort(name="t", joint="two"), JointEffort(name="f", joint="three")


def test_the_derivative_by_the_inputs_is_exact():
    system = chorda.assemble(arm(MOTOR, TORQUE, FORCE))
    q, v, _, _ = random_state(system, np.random.default_rng(0))
    B = system.function("B", "q v u p", ca.jacobian(system.dynamics.F, system.u))
    u = np.array([0.1, -0.2, 0.3])
    exact = B(q, v, u, system.parameters()).full()
    assert close(exact, jacobian(lambda d: forces(system, q, v, u + d)[1], 3))
    np.testing.assert_allclose(exact, np.diag([20.0, 1.0, 1.0]), atol=1e-12)


def test_the_work_of_torques_and_forces_is_the_change_of_energy():
    system, missing = chorda.assemble(arm(TORQUE, FORCE)), []
    for step in (2e-3, 1e-3):
        run = chorda.simulate(
            system,
            duration=0.4,
            step=step,
            scheme="bdf2",
            inputs={"t": lambda t: 0.4 * np.sin(9 * t), "f": 2.0},
            parameters={"one.friction": 0.0},
            strict=True,
        )
        T, V = run.energy
        power = np.sum(run.input * run.velocity[:, 1:], axis=1)
        work = np.trapezoid(power, run.time)
        assert abs(work) > 0.1
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] - work))
    assert missing[1] < missing[0] / 3


def test_the_work_of_a_prescribed_motion_is_the_change_of_energy():
    system = chorda.assemble(arm(JointMotion(name="lead", joint="two")))

    def lead(t):
        return 0.3 * (1 - np.cos(6 * t))

    given = {"lead": lead, "lead.acceleration": lambda t: 10.8 * np.cos(6 * t)}
    missing = []
    for step in (1e-3, 5e-4):
        run = chorda.simulate(
            system,
            duration=0.4,
            step=step,
            scheme="bdf2",
            inputs=given,
            parameters={"one.friction": 0.0},
            strict=True,
        )
        T, V = run.energy
        effort = run.data["effort"].values[:, 0]
        work = np.trapezoid(effort * 1.8 * np.sin(6 * run.time), run.time)
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] - work))
        np.testing.assert_allclose(run.position[:, 1], lead(run.time), atol=1e-9)
    assert missing[1] < missing[0] / 2.5


def test_efforts_of_a_motion_that_is_led_make_that_motion():
    def lead(t):
        return 0.3 * (1 - np.cos(6 * t))

    given = {"lead": lead, "lead.acceleration": lambda t: 10.8 * np.cos(6 * t)}
    options = {"duration": 0.5, "step": 1e-3, "scheme": "rk4", "strict": True}
    led = chorda.simulate(
        chorda.assemble(arm(JointMotion(name="lead", joint="two"))), inputs=given, **options
    )
    effort = led.data["effort"].values[:, 0]
    pushed = chorda.simulate(chorda.assemble(arm(TORQUE)), inputs={"t": effort}, **options)
    np.testing.assert_allclose(pushed.position, led.position, atol=1e-5)


@pytest.mark.parametrize("duration", [20.0, 0.5])
def test_rods_on_motors_are_led_along_a_path_that_slow_motion_makes_quasi_static(duration):
    """rfrfr: in 20 s its tip is where `follow` has it, in 0.5 s it is not."""
    robot = chorda.load("rfrfr")
    led = robot.model_copy(
        update={"actuators": tuple(JointMotion(name=f"lead{k}", joint=f"motor{k}") for k in (1, 2))}
    )
    first, last = np.array([2.59, 0.55]), np.array([2.39, 0.75])
    legs = [
        x.model_copy(update={"bend_damping": 0.02}) if x.kind == "rod" else x for x in led.joints
    ]
    system = chorda.assemble(led.model_copy(update={"joints": tuple(legs)}))
    rest = chorda.equilibrium(system, inputs=dict(zip(("lead1", "lead2"), first, strict=True)))
    end = chorda.equilibrium(
        system, inputs=dict(zip(("lead1", "lead2"), last, strict=True)), initial=rest
    )
    assert rest.status.ok
    assert end.status.ok

    def path(t):
        s = t / duration
        return first + (last - first) * s**3 * (10 - 15 * s + 6 * s**2)

    run = chorda.simulate(
        system, duration=duration, step=duration / 500, inputs=path, initial=rest, strict=True
    )
    np.testing.assert_allclose(run.data["position"].sel(coordinate="motor1")[-1], last[0])
    away = np.abs(run.position[-1] - end.q).max()
    if duration > 1:
        assert away < 1e-5
    else:
        assert away > 2e-3
