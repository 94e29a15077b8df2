"""Bristles take energy and store some, have exact derivatives, and are the same in every verb."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.describe import Body, Revolute, Robot
from chorda.dynamics.linearize import linearize
from chorda.dynamics.schemes import SCHEMES, stepper
from chorda.dynamics.sensitivities import one_by_one, sensitivities
from chorda.dynamics.stable_step import Amplifier
from chorda.tendons import newton_euler
from tests.helpers.evaluate import acceleration, close, forces, jacobian, random_state, slope
from tests.helpers.rod_robots import robot as with_rods
from tests.helpers.rod_robots import rod
from tests.helpers.rubbing_robots import (
    LUGRE,
    MASS,
    brushed_neck,
    loaded_joints,
    rubbing_arm,
    rubbing_mass,
)

WITHOUT_MEMORY = [
    name for name, x in SCHEMES.items() if not x.adaptive and x.memory is stepper.no_memory
]
STATE = np.array([0.2, 0.5, 0.02, -0.01, 0.03])  # arm, x, and the bristles of arm and x
RATES = np.array([0.4, -0.7])


@pytest.fixture(scope="module")
def arm():
    return chorda.assemble(rubbing_arm(kind="bristle", **LUGRE))


def test_every_rate_of_a_pivot_has_a_state(arm):
    assert arm.coordinate_names == ("arm", "x", "arm.bristle", "x.bristle1", "x.bristle2")
    assert (arm.nq, arm.nv, arm.nz) == (5, 2, 3)


def test_the_linearised_system_is_exact(arm):
    lin, p = linearize(arm, STATE, RATES), arm.parameters()

    def force(q, v):
        return forces(arm, q, v)[1]

    def rate(q, v):
        return arm.moving(q, v, [], p).full()[2:, 0]

    x, z = np.eye(5)[:, :2], np.eye(5)[:, 2:]
    assert close(lin.K, jacobian(lambda d: force(STATE + x @ d, RATES), 2))
    assert close(lin.D, jacobian(lambda d: force(STATE, RATES + d), 2))
    assert close(lin.bent, jacobian(lambda d: force(STATE + z @ d, RATES), 3))
    assert close(lin.z_by_x, jacobian(lambda d: rate(STATE + x @ d, RATES), 2))
    assert close(lin.z_by_v, jacobian(lambda d: rate(STATE, RATES + d), 2))
    assert close(-np.diag(lin.decay), jacobian(lambda d: rate(STATE + z @ d, RATES), 3))


def test_what_sticks_vibrates_on_its_bristles():
    """At sqrt((k + F / d) / m); one way in which nothing acts is left: slid and unbent."""
    system = chorda.assemble(rubbing_mass(kind="bristle", force=6.0, deflection=1e-3))
    values = linearize(system).eigenvalues
    stiff = np.sqrt((800.0 + 6.0 / 1e-3) / MASS)
    assert np.sort(np.abs(values)) == pytest.approx([0.0, stiff, stiff], abs=1e-6)


@pytest.mark.parametrize("scheme", WITHOUT_MEMORY)
def test_amplification_is_the_derivative_of_the_schemes_own_step(arm, scheme):
    """At rest, where the bristles carry the weight."""
    q = np.array([0.2, 0.1, 0.0, 0.0, 0.0])
    balance = forces(arm, q)[1]  # linear in z at rest
    by_z = linearize(arm, q).bent
    q[2:] = -np.linalg.lstsq(by_z, balance, rcond=None)[0]
    assert np.allclose(forces(arm, q)[1], 0, atol=1e-12)
    h, p = 1e-3, arm.parameters()
    made = SCHEMES[scheme].build(arm)
    after = made.after
    if made.z is not None:
        after = ca.substitute(after, made.z, ca.substitute(made.better, made.z, made.guess))
    step = ca.Function("step", made.step.arguments, [ca.jacobian(after, made.step.x)])
    x = np.concatenate([q, np.zeros(2)])
    exact = step(x, h, [], [], p).full()
    assert close(exact, Amplifier(SCHEMES[scheme], linearize(arm, q)).matrix(h))


def test_energy_goes_into_the_bristles_and_what_they_lose(arm):
    """dE/dt = -sum over the pivots of (F / d) w z^2, E with (F / d) z^2 / 2 in each: Dahl."""
    law = {"kind": "bristle", "torque": 0.2, "deflection": 0.05}
    system, missing = chorda.assemble(rubbing_arm(**law)), []
    pivots = np.array([1, 2, 2])  # that share a state
    for step in (2e-4, 1e-4):
        run = chorda.simulate(
            system,
            duration=0.2,
            step=step,
            scheme="bdf2",
            initial={"arm.rate": 4.0, "x.rate": 8.0},
            strict=True,
        )
        z = run.position[:, 2:]
        P = np.repeat(system.parameters()[:, None], len(z), 1)
        u = np.zeros((0, len(z)))
        w = system.relaxation(run.position.T, run.velocity.T, u, P)[1].full().T
        stored = (0.2 / 0.05 * z**2 / 2) @ pivots
        lost = np.trapezoid((0.2 / 0.05 * w * z**2) @ pivots, run.time)
        E = sum(run.energy) + stored
        assert lost > 0.05
        missing.append(abs(E[-1] - E[0] + lost))
    assert missing[1] < missing[0] / 3


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "generalized-alpha", "rk4"])
def test_a_rollout_is_that_many_simulations(arm, scheme):
    rates = [1.0, -2.0]
    options = {"duration": 0.02, "step": 5e-4, "scheme": scheme}
    many = chorda.rollout(
        arm, initial={"arm.rate": rates, "x.bristle1": [0.01, 0.02]}, every=1, **options
    )
    for k, rate in enumerate(rates):
        start = {"arm.rate": rate, "x.bristle1": 0.01 * (k + 1)}
        one = chorda.simulate(arm, initial=start, **options)
        np.testing.assert_array_equal(many.position[k], one.position[1:])


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "generalized-alpha", "rosenbrock"])
def test_derivatives_of_a_motion_are_those_of_its_numbers(arm, scheme):
    names, h, steps = ("arm.dry_torque", "x.dry_deflection", "arm.dry_damping"), 1e-3, 20
    p, v = arm.parameters(), np.array([3.0, 9.0])
    given = {"step": h, "signal": np.zeros((1, 0)), "steps": steps, "scheme": scheme}
    found = sensitivities(arm, one_by_one(arm, names, start=True), q=STATE, v=v, p=p, **given)
    for j, name in enumerate(names):
        row = arm.parameter_names.index(name)

        def end(d, row=row):
            moved = p.copy()
            moved[row] += d * p[row]
            return sensitivities(
                arm, one_by_one(arm, names[:1]), q=STATE, v=v, p=moved, **given
            ).state[-1]

        assert close(found.by[-1, :, j] * p[row], slope(end), rel=1e-6)

    def started(d):
        bent = STATE + d * np.array([0, 0, 0.01, 0, 0])
        return sensitivities(arm, one_by_one(arm, names[:1]), q=bent, v=v, p=p, **given).state[-1]

    assert close(found.by[-1, :, len(names) + 2] * 0.01, slope(started), rel=1e-6)


def test_the_recursion_over_the_tree_finds_no_effort_left():
    body = Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    law = {"kind": "bristle", **LUGRE}
    joints = (
        Revolute(name="a", body=body, dry_friction=law),
        Revolute(name="b", parent="a", body=body, dry_friction=law),
    )
    system = chorda.assemble(Robot(name="two", joints=joints))
    q, v = np.array([0.34, -0.25, 0.02, -0.04]), np.array([0.2, -1.1])
    found = newton_euler(system, q, v, acceleration(system, q, v), [])
    np.testing.assert_allclose(found.effort, 0, atol=1e-9)


def test_motors_with_bristles_follow_a_controller():
    """Which does not see the bristles: they disturb it."""
    system = chorda.assemble(brushed_neck())
    control = JointControl(Sine.from_rest([0.2, -0.1, 0.1]))
    run = chorda.simulate(
        system, duration=2.0, step=1e-3, control=control, initial={"tension": 20.0}, strict=True
    )
    wanted = control.signal(system, run.time)[:, :3]
    assert np.max(np.abs(run.position[:, :3] - wanted)) < 0.2


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha"])
def test_newtons_matrix_of_a_rod_on_a_hinge_has_its_bristles(scheme):
    """But for what an approximate matrix leaves out, which is small beside them."""
    hinge = Revolute(
        name="hinge",
        body=Body(mass=0.1, inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0)),
        dry_friction={"kind": "bristle", "torque": 50.0, "deflection": 1e-3},
    )
    system = chorda.assemble(with_rods(hinge, rod().model_copy(update={"parent": "hinge"})))
    made = SCHEMES[scheme].build(system)
    assert made.approximate_matrix is not None
    q, v, _, a = random_state(system, np.random.default_rng(0), size=1e-4)
    size = made.step.x.numel() - len(q) - len(v)
    x = np.concatenate([q, v, np.concatenate([q, v, np.zeros(size)])[:size]])
    both = [made.matrix, ca.jacobian(made.residual, made.z)]
    inputs = [*made.step.arguments, made.z]
    z = a if scheme != "bdf2" else v
    ours, exact = ca.Function("both", inputs, both)(x, 1e-3, [], [], system.parameters(), z)
    assert float(ours[0, 0]) == pytest.approx(float(exact[0, 0]), rel=0.05)


@pytest.mark.parametrize(
    ("kind", "fields"), [("arctan", {"slope": 5.0}), ("bristle", {"deflection": 0.05})]
)
def test_friction_by_the_load_has_exact_derivatives(kind, fields):
    """Through the tensions that press a finger's joints into their bearings too."""
    system = chorda.assemble(loaded_joints(kind, **fields))
    q, v, u, _ = random_state(system, np.random.default_rng(3), size=0.05)
    q[3:7] -= 0.5  # tendons that are taut
    lin, nz = linearize(system, q, v, u), system.nz
    nv = system.nv
    x = np.eye(system.nq)[:, :nv]
    assert close(lin.K, jacobian(lambda d: forces(system, q + x @ d, v, u)[1], nv))
    assert close(lin.D, jacobian(lambda d: forces(system, q, v + d, u)[1], nv))
    if nz:
        z = np.eye(system.nq)[:, nv:]
        assert close(lin.bent, jacobian(lambda d: forces(system, q + z @ d, v, u)[1], nz))


@pytest.mark.parametrize("seed", range(5))
def test_friction_by_the_load_never_gives_energy(seed):
    system = chorda.assemble(loaded_joints("tanh", slope=5.0))
    q, v, u, _ = random_state(system, np.random.default_rng(seed), size=0.3)
    with_load = forces(system, q, v, u)[1] @ v
    without = forces(system, q, v, u, {"*.dry_coefficient": 0.0})[1] @ v
    assert with_load < without


def test_at_rest_loaded_bristles_balance():
    """A motion from there stays there, and without bent bristles it would be elsewhere."""
    system = chorda.assemble(loaded_joints("bristle", deflection=0.05))
    bent = {"joint1.bristle": 0.02, "joint3.bristle": -0.01}
    rest = chorda.equilibrium(system, angles=-0.3, initial=bent, strict=True)
    assert rest.position["joint1.bristle"] == 0.02
    run = chorda.simulate(system, initial=rest, duration=0.05, step=1e-3, strict=True)
    assert np.max(np.abs(run.position - rest.q)) < 1e-6
    free = chorda.equilibrium(system, angles=-0.3, strict=True)
    assert abs(free.q[0] - rest.q[0]) > 1e-3
