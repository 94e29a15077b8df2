"""A motor with a winding against closed forms."""

import numpy as np
import pytest

import chorda
from chorda.describe import Motor
from tests.helpers.actuated_robots import wheel
from tests.helpers.motor_robots import GEAR, INERTIA, WINDING, K, R, spun

VOLTS = 12.0


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "generalized-alpha", "rosenbrock", "cvodes"])
def test_a_constant_voltage_spins_a_rotor_up_exponentially(scheme):
    """w = u / k (1 - exp(-t k^2 / (R I)))."""
    run = chorda.simulate(
        spun(winding=WINDING), duration=0.2, step=1e-4, scheme=scheme, inputs={"m": VOLTS}
    )
    rate = VOLTS / K * (1 - np.exp(-run.time * K**2 / (R * INERTIA)))
    np.testing.assert_allclose(GEAR * run.velocity[:, 0], rate, atol=0.05)
    current = run.data["motor_current"].sel(winding="m").values
    np.testing.assert_allclose(current[1:], (VOLTS - K * rate[1:]) / R, atol=2e-3)
    torque = run.data["motor_torque"].sel(motor="m").values
    np.testing.assert_allclose(torque, K * current, rtol=1e-12)


def test_another_back_emf_constant_is_another_no_load_speed():
    system = spun(winding={**WINDING, "back_emf_constant": 0.1})
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="bdf2", inputs={"m": VOLTS})
    assert GEAR * run.velocity[-1, 0] == pytest.approx(VOLTS / 0.1, rel=1e-6)


def test_at_rest_a_voltage_bends_a_spring_by_the_stall_torque():
    system = spun(wheel(stiffness=2.0), winding=WINDING)
    assert [(x.name, x.unit) for x in system.inputs] == [("m", "V")]
    rest = chorda.equilibrium(system, inputs={"m": 0.8}, strict=True)
    assert rest.q[0] == pytest.approx(GEAR * K * 0.8 / R / 2.0, rel=1e-9)


def test_linearized_the_winding_damps_as_its_back_emf_does():
    linear = chorda.linearize(spun(winding=WINDING))
    np.testing.assert_allclose(linear.D, [[-(GEAR**2) * K**2 / R]], rtol=1e-12)
    np.testing.assert_allclose(linear.B, [[GEAR * K / R]], rtol=1e-12)


def wound_neck(**parts):
    neck = chorda.load("neck-1")
    fields = {"winding": WINDING, **parts}
    motors = tuple(
        Motor(**{k: getattr(x, k) for k in x.model_fields_set} | fields) for x in neck.actuators
    )
    return chorda.assemble(neck.model_copy(update={"actuators": motors}))


def test_tensions_torques_and_angles_at_rest_take_the_voltage_of_their_torque():
    plain, wound = chorda.assemble(chorda.load("neck-1")), wound_neck()
    for given in ({"tensions": 20.0}, {"torques": -0.016}, {"angles": -1.0}):
        one, other = (chorda.equilibrium(x, strict=True, **given) for x in (plain, wound))
        np.testing.assert_allclose(other.q, one.q, atol=1e-9)
        np.testing.assert_allclose(other.u, one.u * R / K, atol=1e-9)
        np.testing.assert_allclose(other.tension, one.tension, atol=1e-6)
        run = chorda.simulate(wound, duration=0.05, step=1e-3, initial=other, strict=True)
        np.testing.assert_allclose(run.position, run.position[:1].repeat(51, 0), atol=1e-9)


def test_a_path_of_voltages_is_one_of_torques():
    plain, wound = chorda.assemble(chorda.load("neck-1")), wound_neck()
    paths = [
        chorda.follow(
            chorda.equilibrium(x, torques=-0.016, strict=True),
            inputs={"motor-left": -0.02 * volts},
            points=5,
        )
        for x, volts in ((plain, 1.0), (wound, R / K))
    ]
    assert all(path.status.ok for path in paths)
    np.testing.assert_allclose(paths[1].q, paths[0].q, atol=1e-9)
    np.testing.assert_allclose(paths[1].u, paths[0].u * R / K, atol=1e-9)
