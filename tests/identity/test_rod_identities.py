"""Of a hybrid arm with everything that a rod can have: M, F, Z, K, D and energies agree."""

import casadi as ca
import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import (
    acceleration,
    close,
    energies,
    forces,
    frames,
    jacobian,
    lengths,
    random_state,
    slope,
)
from tests.helpers.rod_robots import arm, pose, pushed, robot, rod

SEEDS = range(2)
ROBOT = arm()


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(ROBOT)


def state(system, seed):
    q, v, u, a = random_state(system, np.random.default_rng(seed), 0.8)
    for i, name in enumerate(system.coordinate_names):
        if "stretch" in name or "shear" in name:
            q[i], v[i] = 0.1 * q[i], 0.1 * v[i]
    return q, v, u, a


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_is_symmetric_positive_and_gives_the_kinetic_energys_momentum(system, seed):
    q, v, u, a = state(system, seed)
    slopes = system.function("A", "q v a u p", ca.jacobian(system.dynamics.residual, system.a))
    half = slopes(q, v, a, u, system.parameters()).full()
    assert np.allclose(half, half.T, rtol=1e-9, atol=1e-13 * np.abs(half).max())
    M, F = forces(system, q, v, u)
    assert np.linalg.eigvalsh(M)[0] > 0
    momentum = system.function("P", "q v p", ca.gradient(system.dynamics.kinetic, system.v))
    columns = [momentum(q, e, system.parameters()).full() for e in np.eye(system.nv)]
    assert close(M, np.hstack(columns), 1e-10)
    assert energies(system, q, v, u)[0] == pytest.approx(v @ M @ v / 2, rel=1e-10)
    residual = system.residual(q, v, a, u, system.parameters()).full().ravel()
    assert np.allclose(residual, M @ a - F, rtol=1e-9, atol=1e-10 * np.abs(F).max())


def test_forces_of_velocity_are_those_of_lagrange(system):
    q, v, u, _ = state(system, 2)
    v = 5 * v
    lossless = {"*friction": 0.0, "*damping": 0.0, "*.drag.*": 0.0}
    T = system.dynamics.kinetic
    momentum = ca.gradient(T, system.v)
    lagrange = ca.jtimes(momentum, system.q, system.v) - ca.gradient(T, system.q)
    expected = ca.Function("L", [system.q, system.v, system.p], [lagrange])
    moving = forces(system, q, v, u, lossless)[1]
    resting = forces(system, q, 0 * v, u, lossless)[1]
    wanted = -expected(q, v, system.parameters(lossless)).full().ravel()
    assert np.linalg.norm(wanted) > 1e-3
    assert np.allclose(moving - resting, wanted, rtol=1e-8, atol=1e-10 * np.abs(resting).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_moment_arms_are_minus_the_slopes_of_the_lengths(system, seed):
    q, *_ = state(system, seed)
    Z = ca.Function("Z", [system.q, system.p], [system.tendons.Z])(q, system.parameters()).full()
    assert close(Z, -jacobian(lambda d: lengths(system, q + d), system.nv).T, 1e-9)


def test_stiffness_and_damping_are_slopes_of_the_force(system):
    q, v, u, _ = state(system, 3)
    linear = chorda.linearize(system, q, v, u)
    assert close(linear.K, jacobian(lambda d: forces(system, q + d, v, u)[1], system.nv), 1e-7)
    assert close(
        linear.D, jacobian(lambda d: forces(system, q, v + d, u)[1], system.nv, 1e-4), 1e-7
    )
    assert close(linear.B, jacobian(lambda d: forces(system, q, v, u + d)[1], system.nu), 1e-7)


@pytest.mark.parametrize("follows", [False, True])
def test_moment_on_a_rod_acts_along_its_turning(follows):
    """Its power is the moment times the spin; its stiffness is the slope of its force."""
    modes = {"twist": 1, "bend_y": 1, "bend_z": 1, "intervals": 6}
    moment = np.array([0.01, 0.02, -0.03])
    load = (pushed(moment=tuple(moment), follows=follows),)
    system = chorda.assemble(robot(rod(modes), loads=load))
    bare = chorda.assemble(robot(rod(modes)))
    q, v, *_ = random_state(system, np.random.default_rng(5), 3.0)
    turn = pose(system, q)[0]
    S = slope(lambda t: pose(system, q + t * v)[0]) @ turn.T
    spin = np.array([S[2, 1], S[0, 2], S[1, 0]])
    acts = (forces(system, q)[1] - forces(bare, q)[1]) @ v
    assert acts == pytest.approx((turn @ moment if follows else moment) @ spin, rel=1e-9)
    K = chorda.linearize(system, q).K
    assert close(K, jacobian(lambda d: forces(system, q + d)[1], 3), 1e-7)


def test_force_at_rest_is_minus_the_slope_of_the_potential_energy_without_loads():
    bare = chorda.assemble(ROBOT.model_copy(update={"loads": ()}))
    q, _, u, _ = state(bare, 4)
    u[0] = 0.0  # a prescribed tension has no energy
    still = np.zeros(bare.nv)
    slopes = jacobian(lambda d: np.array([energies(bare, q + d, still, u)[1]]), bare.nv)
    u_still = u.copy()
    u_still[[i.kind == "rate" for i in bare.inputs]] = 0.0
    assert close(forces(bare, q, u=u_still)[1], -slopes.ravel(), 1e-7)


def lost(system, q, v):
    """Power of damping and drag of the rods [W]: integrals over rates of strain and velocities."""
    from chorda.mechanics.parameters import Parameters
    from chorda.mechanics.tree import plant

    par = Parameters()
    tree = plant(ROBOT, par)
    Q, p = ca.vertcat(*[j.q for j in tree.joints]), ca.vertcat(*par.symbols)
    total, first = 0.0, 0
    for described, joint in zip(ROBOT.joints, tree.joints, strict=True):
        rates = v[first : first + joint.v.numel()]
        first += joint.v.numel()
        if described.kind != "rod":
            continue
        D = ca.Function("D", [p], [joint.damping])(par.values).full()
        total -= rates @ D @ rates
        base = tree.pose(tree.index[f"{described.name}.base"])
        slices = joint.soft.p.shape[1]
        R = [base.R @ joint.soft.pose(k).R for k in range(slices)]
        at = [base.at(joint.soft.p[:, k]) for k in range(slices)]
        places = ca.Function("P", [Q, p], [ca.horzcat(*at), ca.horzcat(*R)])
        turns = places(q, par.values)[1].full()
        speed = slope(lambda t, f=places: f(q + t * v, par.values)[0].full())
        weights = joint.soft.scans.slices.grid.weights * described.length
        for k in range(slices):
            local = turns[:, 3 * k : 3 * k + 3].T @ speed[:, k]
            total -= weights[k] * np.array(described.drag) @ np.abs(local) ** 3
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_changes_by_the_power_of_damping_drag_loads_and_tendons(system, seed):
    q, v, u, _ = state(system, seed)
    a = acceleration(system, q, v, u)
    step = 1e-3 / max(1.0, np.abs(a).max())
    change = slope(lambda t: sum(energies(system, q + t * v, v + t * a, u)), step)
    rate = dict(zip((n for n, _ in system.velocities), v, strict=True))
    power = lost(system, q, v) - ROBOT.named("hinge").friction * rate["hinge.rate"] ** 2
    pull = slope(lambda t: lengths(system, q + t * v))
    inputs = dict(zip((i.name for i in system.inputs), u, strict=True))
    law = ROBOT.named("short").law
    power -= inputs["force"] * pull[0] + law.damping * (pull[1] - inputs["winch.rate"]) * pull[1]
    poses = frames(ROBOT)
    for load in ROBOT.loads:
        frame = load.at.frame

        def place(t, load=load, frame=frame):
            turn, origin = poses(q + t * v)[frame]
            return origin if load.at.point == "origin" else origin + turn @ load.at.point

        turn = poses(q)[frame][0]
        axes = turn if load.follows else np.eye(3)
        power += axes @ load.force @ slope(place)
    assert change == pytest.approx(power, rel=1e-6, abs=1e-8 * (abs(v) @ abs(a)))
