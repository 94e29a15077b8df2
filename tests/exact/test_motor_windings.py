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


LAG = {**WINDING, "inductance": 0.02}
EIGENVALUES = np.roots([1, R / 0.02, K**2 / (0.02 * INERTIA)])  # of current and rate


def damped(t):
    """Current and rate of I w' = k i, L i' = u - R i - k w from rest, a damped oscillation."""
    s, p = EIGENVALUES[:, None], EIGENVALUES
    rate = (
        VOLTS
        / K
        * (1 + np.real((p[1] * np.exp(s[0] * t) - p[0] * np.exp(s[1] * t)) / (p[0] - p[1])))
    )
    slope = VOLTS / K * np.real(p[0] * p[1] * (np.exp(s[0] * t) - np.exp(s[1] * t)) / (p[0] - p[1]))
    return INERTIA / K * slope, rate


@pytest.mark.parametrize(
    ("scheme", "error"),
    [
        ("rk4", 1e-9),
        ("rosenbrock", 1e-8),
        ("cvodes", 1e-5),
        ("bdf2", 5e-4),
        ("generalized-alpha", 1e-4),
        ("newmark", 1e-4),
        ("implicit-euler", 3e-2),
    ],
)
def test_with_an_inductance_it_spins_up_as_a_damped_oscillation(scheme, error):
    assert np.all(np.imag(EIGENVALUES) != 0)
    system = spun(winding=LAG)
    assert system.coordinate_names == ("wheel", "m.current")
    run = chorda.simulate(system, duration=0.1, step=1e-4, scheme=scheme, inputs={"m": VOLTS})
    current, rate = damped(run.time)
    np.testing.assert_allclose(run.outputs["motor_current"][:, 0], current, atol=4 * error)
    np.testing.assert_allclose(GEAR * run.velocity[:, 0], rate, atol=100 * error)


def test_a_short_electrical_time_constant_is_none():
    """However short it is, implicit steps need not follow it."""
    options = {"duration": 0.1, "step": 1e-3, "scheme": "bdf2", "inputs": {"m": VOLTS}}
    fast = spun(winding={**WINDING, "inductance": 2e-7})
    one, other = (chorda.simulate(x, strict=True, **options) for x in (fast, spun(winding=WINDING)))
    np.testing.assert_allclose(one.position[:, 0], other.position[:, 0], atol=1e-6)


def test_at_rest_the_current_has_settled_and_stays():
    system = spun(wheel(stiffness=2.0), winding=LAG)
    for given in ({"inputs": {"m": 0.8}}, {"hold": {"wheel": 0.2}, "actuated": ["m"]}):
        rest = chorda.equilibrium(system, strict=True, **given)
        assert rest.position["m.current"] == pytest.approx(rest.u[0] / R, rel=1e-12)
        assert rest.position["wheel"] == pytest.approx(GEAR * K * rest.u[0] / R / 2.0, rel=1e-9)
        options = {"free": ["wheel"]} if "hold" in given else {}
        run = chorda.simulate(system, duration=0.05, step=1e-3, initial=rest, **options)
        np.testing.assert_allclose(run.position, rest.q[None].repeat(51, 0), atol=1e-9)


def test_the_current_of_a_limited_drive_settles_to_the_limit_and_no_further():
    """L z' = R i - R z with i at its limit: z = i (1 - exp(-t R / L))."""
    system = spun(wheel(1e3), winding=LAG, max_current=3.0)
    run = chorda.simulate(system, duration=0.1, step=1e-4, scheme="rk4", inputs={"m": VOLTS})
    current = run.data["motor_current"].sel(winding="m").values
    np.testing.assert_allclose(current, 3.0 * (1 - np.exp(-run.time * R / 0.02)), atol=1e-6)


def test_a_path_and_a_batch_have_settled_currents():
    system = spun(wheel(stiffness=2.0), winding=LAG)
    rest = chorda.equilibrium(system, inputs={"m": 0.4}, strict=True)
    path = chorda.follow(rest, inputs={"m": 0.8}, points=2)
    many = chorda.equilibrium_batch(rest, inputs={"m": np.array([0.4, 0.6, 0.8])})
    for q in (path.q, many.q):
        np.testing.assert_allclose(q[:, 1], np.array([0.4, 0.6, 0.8]) / R, rtol=1e-9)


def test_linearized_a_current_is_a_state():
    linear = chorda.linearize(spun(winding=LAG))
    found = np.linalg.eigvals(linear.A[1:, 1:])
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(EIGENVALUES), rtol=1e-9)


def test_a_neck_of_motors_with_inductance_follows_its_controller():
    plain, wound = (
        chorda.assemble(chorda.load("neck-1")),
        wound_neck(winding={**WINDING, "inductance": 1e-4}),
    )
    control = chorda.control.JointControl(
        chorda.control.Sine.from_rest((0.2,), 3.0), minimum_tension=8.0
    )
    ends = []
    for system in (plain, wound):
        rest = chorda.equilibrium(system, tensions=15.0, strict=True)
        run = chorda.simulate(
            system, duration=0.4, step=2e-4, scheme="bdf2", initial=rest, control=control
        )
        assert run.status.ok
        ends.append(run.position[:, 0])
    np.testing.assert_allclose(ends[1], ends[0], atol=3e-3)
