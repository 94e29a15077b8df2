"""Motors with limits, windings and play: exact derivatives, balances of power and energy, and one
step whichever way it is solved."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import JointMotor, KelvinVoigt, Motor
from chorda.mechanics.motor_limits import without_limits
from chorda.tendons.reactions import accelerations
from tests.helpers.actuated_robots import arm
from tests.helpers.evaluate import close, forces, jacobian, random_state
from tests.helpers.motor_robots import GEAR, WINDING, K, R, spun
from tests.helpers.robots import hung_slider

PLAY = {"gap": 0.02, "stiffness": 50.0, "damping": 0.2, "smoothing": 2e-3}
PARTS = {
    "line": {"max_torque": 0.05, "max_speed": 40.0},
    "winding": {"winding": {**WINDING, "max_voltage": 6.0}, "max_current": 2.0},
    "lag": {"winding": {**WINDING, "inductance": 0.02}, "max_current": 2.0},
    "play": {"backlash": PLAY, "max_torque": 0.5},
}


def moved(parts):
    return chorda.assemble(
        arm(JointMotor(name="m", joint="one", inertia=1e-5, gear_ratio=20.0, **parts))
    )


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("asked", [0.04, -1.0])
def test_derivatives_are_exact_within_and_beyond_the_limits(parts, asked):
    system = moved(parts)
    q, v, _, _ = random_state(system, np.random.default_rng(3))
    q[-1] = 20.0 * (q[0] + 0.013) if "backlash" in parts else q[-1]
    p, u = system.parameters(), np.array([asked])
    slopes = [ca.jacobian(system.dynamics.F, x) for x in (system.q, system.v, system.u)]
    K, D, B = (x.full() for x in system.function("slopes", "q v u p", *slopes)(q, v, u, p))
    for exact, n, at in (
        (K, system.nq, lambda d: (q + d, v, u)),
        (D, system.nv, lambda d: (q, v + d, u)),
        (B, 1, lambda d: (q, v, u + d)),
    ):
        found = jacobian(lambda d, at=at: forces(system, *at(d))[1], n, 1e-5)
        assert close(exact, found, 1e-6)


@pytest.mark.parametrize("parts", [{}, {"max_current": 3.0}])
def test_what_the_voltage_gives_is_heat_and_mechanical_power(parts):
    """u i = R i^2 + T w, u being the voltage that the drive lets through."""
    system, missing = spun(winding=WINDING, **parts), []
    for step in (1e-3, 5e-4):
        run = chorda.simulate(
            system,
            duration=0.2,
            step=step,
            scheme="bdf2",
            inputs={"m": lambda t: 12 * np.cos(20 * t)},
            strict=True,
        )
        i = run.outputs["motor_current"][:, 0]
        w, torque = run.outputs["motor_rate"][:, 0], run.outputs["motor_torque"][:, 0]
        through = R * i + K * w
        np.testing.assert_allclose(through * i, R * i**2 + torque * w, rtol=1e-9, atol=1e-9)
        if not parts:
            np.testing.assert_allclose(through, run.input[:, 0], rtol=1e-9)
        else:
            assert np.all(np.abs(through) <= np.abs(run.input[:, 0]) + 1e-9) or run.events
        T = run.energy[0]
        heat, given = (np.trapezoid(x, run.time) for x in (R * i**2, through * i))
        missing.append(abs(given - heat - (T[-1] - T[0])))
        assert heat > 0.05
    assert missing[1] < missing[0] / 2.5


def test_with_an_inductance_the_rest_is_magnetic_energy():
    """u i = R i^2 + T w + d/dt L i^2 / 2."""
    system, L, missing = spun(winding={**WINDING, "inductance": 0.02}), 0.02, []
    for step in (4e-4, 2e-4):
        run = chorda.simulate(
            system,
            duration=0.2,
            step=step,
            scheme="newmark",
            inputs={"m": lambda t: 12 * np.cos(20 * t)},
            strict=True,
        )
        i, T = run.outputs["motor_current"][:, 0], run.energy[0]
        given, heat = (np.trapezoid(x, run.time) for x in (run.input[:, 0] * i, R * i**2))
        magnetic = L * (i[-1] ** 2 - i[0] ** 2) / 2
        assert abs(magnetic) > 1e-3
        missing.append(abs(given - heat - magnetic - (T[-1] - T[0])))
    assert missing[1] < missing[0] / 2.5


def test_teeth_without_damping_keep_the_energy():
    system = spun(backlash={"gap": 0.02, "stiffness": 50.0, "smoothing": 1e-3})
    run = chorda.simulate(
        system,
        duration=0.5,
        step=2e-5,
        scheme="rk4",
        initial={"wheel.rate": 2.0, "m.rate": 0.0},
        strict=True,
    )
    T, V = run.energy
    assert np.max(V) > 0.1 * T[0]
    np.testing.assert_allclose(T + V, T[0] + V[0], rtol=1e-5)


def test_teeth_that_damp_only_take_energy():
    system = spun(backlash=PLAY)
    start = {"wheel.rate": 2.0, "m.rate": 0.0}
    run = chorda.simulate(system, duration=0.5, step=1e-5, scheme="rk4", initial=start)
    energy = np.sum(run.energy, axis=0)
    assert np.all(np.diff(energy) < 1e-7 * energy[0])
    assert energy[-1] < 0.9 * energy[0]
    momentum = 2e-3 * run.velocity[:, 0] + 1e-5 * GEAR * run.velocity[:, 1]
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-6)


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_steps_by_recursion_are_those_with_a_matrix(parts):
    system = moved(parts)
    assert system.articulated is not None
    q, v, _, _ = random_state(system, np.random.default_rng(5))
    u, p = np.array([0.3]), system.parameters()
    M, F = (x.full() for x in system.equations(q, v, u, p)[:2])
    a = np.asarray(system.articulated.accelerated(q, v, u, p, np.zeros(0))).ravel()
    np.testing.assert_allclose(a[: system.nv], np.linalg.solve(M, F).ravel(), rtol=1e-9)


@pytest.mark.parametrize(
    "parts",
    [{"max_torque": 0.01}, PARTS["line"], PARTS["winding"], PARTS["lag"]],
    ids=["torque", "line", "winding", "lag"],
)
def test_the_second_formulation_has_the_same_motors(parts):
    motor = Motor(name="m", inertia=1e-5, drum_radius=0.01, **parts)
    system = chorda.assemble(hung_slider(motor, KelvinVoigt(stiffness=800.0)))
    q, v, p = np.array([-0.1, -4.0, 1.5])[: system.nq], np.array([0.3, 25.0]), system.parameters()
    for u in (np.array([0.005]), np.array([-0.02]), np.array([5.0]), np.array([-9.0])):
        M, F = (x.full() for x in system.equations(q, v, u, p)[:2])
        np.testing.assert_allclose(
            accelerations(system, q, v, u), np.linalg.solve(M, F).ravel(), rtol=1e-8
        )


def test_parameters_without_limits_leave_what_is_asked_for():
    system = spun(max_torque=0.1, max_speed=10.0)
    p = without_limits(system, system.parameters())
    q, v, u = np.zeros(1), np.array([2.0]), np.array([7.0])
    np.testing.assert_allclose(system.equations(q, v, u, p)[1].full(), [[GEAR * 7.0]])
