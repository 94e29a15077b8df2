"""Rods that are fed: forces are slopes of energies, M is the Hessian of T, energy is kept, and at
rest they are what a length that is a parameter makes of them."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import chorda
from chorda.mechanics.balance import forces, statics
from tests.helpers.evaluate import close, jacobian
from tests.helpers.fed_robots import carried, fed_rfrfr, single

ANGLES = {"motor1": 2.59, "motor2": 0.55}
LENGTHS = {"leg1.length": 0.95, "leg2.length": 1.1}


def state(system, seed):
    """A random configuration, velocities and accelerations, of sizes that are alike in energy."""
    rng = np.random.default_rng(seed)
    size = np.array([0.01 if "stretch" in name else 1.0 for name in system.coordinate_names])
    q = system.rest + 0.3 * size * rng.standard_normal(system.nq)
    return q, size * rng.standard_normal(system.nv), size * rng.standard_normal(system.nv)


def energy(system, q, v):
    found = system.energies(q, v, np.zeros(system.nu), system.parameters())
    return np.array([float(x) for x in found])


@pytest.mark.parametrize("seed", range(3))
def test_inertia_is_the_second_derivative_of_the_kinetic_energy(seed):
    system = chorda.assemble(carried())
    q, v, _ = state(system, seed)
    M = system.M_at(q)
    np.testing.assert_allclose(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0
    assert energy(system, q, v)[0] == pytest.approx(v @ M @ v / 2, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_what_a_motion_requires_is_what_lagrange_has(seed):
    """d/dt dT/dv - dT/dq + dV/dq, with the derivatives of the energies by CasADi."""
    system = chorda.assemble(carried())
    q, v, a = state(system, seed)
    d = system.dynamics
    momentum = ca.gradient(d.kinetic, system.v)
    rate = ca.jtimes(momentum, system.q, system.v) + ca.jtimes(momentum, system.v, system.a)
    wanted = rate - ca.gradient(d.kinetic - d.potential, system.q)
    given = q, v, a, np.zeros(system.nu), system.parameters()
    expected = system.function("lagrange", "q v a u p", wanted)(*given).full()
    found = system.residual(*given).full()
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(3))
def test_forces_at_rest_are_the_slope_of_the_energy_and_their_derivative_is_exact(seed):
    system = chorda.assemble(carried())
    q = state(system, seed)[0]
    rest = [], np.zeros(system.nu), system.parameters(), []
    G, K = (x.full() for x in statics(system)(q, *rest)[:2])
    np.testing.assert_allclose(forces(system)(q, *rest)[0].full(), G, rtol=1e-9, atol=1e-9)
    still = np.zeros(system.nv)
    slope = jacobian(lambda d: np.array([energy(system, q + d, still)[1]]), system.nq)
    assert close(-G.T, slope)
    changed = jacobian(lambda d: statics(system)(q + d, *rest)[0].full()[:, 0], system.nq)
    scale = np.sqrt(np.outer(np.abs(np.diag(K)), np.abs(np.diag(K)))) + 1.0
    np.testing.assert_allclose(K / scale, changed / scale, atol=1e-6)


def test_damping_takes_what_the_strains_of_the_material_lose():
    """Fed at a constant rate with its modes still, material bends as it passes along them."""
    system = chorda.assemble(single(bend_damping=0.02))
    q = np.array([1.0, 0.7, -0.4, 0.6])
    v = np.array([0.3, -0.2, 0.5, 0.25])
    x = (np.polynomial.legendre.leggauss(20)[0] + 1) / 2
    w = np.polynomial.legendre.leggauss(20)[1] / 2
    phi = np.polynomial.legendre.legvander(2 * x - 1, 2)
    slope = np.column_stack([0 * x, 2 + 0 * x, 6 * (2 * x - 1)])
    rate = phi @ v[:3] + slope @ q[:3] * (1 - x) * v[3] / q[3]
    F = system.function("F", "q v u p", system.dynamics.F)
    other = system.parameters({"leg.bend_damping": 0.0})
    damping = (F(q, v, [], system.parameters()) - F(q, v, [], other)).full()[:, 0]
    assert -v @ damping == pytest.approx(0.02 * q[3] * float(w @ rate**2), rel=1e-10)


def test_a_rod_that_is_fed_and_let_go_keeps_its_energy():
    system = chorda.assemble(carried())
    start = {"turn": 0.3, "leg.length.rate": 0.4, "leg.bend_z0": 2.0}
    drift = []
    for step in (1e-4, 5e-5):
        run = chorda.simulate(
            system,
            duration=0.1,
            step=step,
            initial=start,
            scheme="generalized-alpha",
            rho_inf=1.0,
            strict=True,
        )
        T, V = run.energy
        drift.append(np.abs(T + V - T[0] - V[0]).max())
        assert T.max() > 0.05
    assert drift[1] < drift[0] / 3
    assert drift[1] < 1e-4


def test_at_rest_a_fed_length_is_what_an_actuated_parameter_is():
    fed, fixed = chorda.assemble(fed_rfrfr()), chorda.assemble(chorda.load("rfrfr"))
    by_coordinate = chorda.equilibrium(fed, hold={**ANGLES, **LENGTHS}, strict=True)
    by_parameter = chorda.equilibrium(fixed, hold=ANGLES, parameters=LENGTHS, strict=True)
    for name, value in by_parameter.position.items():
        assert by_coordinate.position[name] == pytest.approx(value, abs=1e-7)
    for name, value in by_parameter.efforts.items():
        assert by_coordinate.efforts[name] == pytest.approx(value, abs=1e-7)
    h = 1e-4
    for name in LENGTHS:
        ends = [
            chorda.equilibrium(
                fixed,
                hold=ANGLES,
                parameters={**LENGTHS, name: LENGTHS[name] + s * h},
                initial=by_parameter,
                strict=True,
            ).energy
            for s in (1, -1)
        ]
        assert by_coordinate.efforts[name] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)


def test_with_everything_held_both_have_the_same_stability():
    fed, fixed = chorda.assemble(fed_rfrfr()), chorda.assemble(chorda.load("rfrfr"))
    one = chorda.equilibrium(fed, hold={**ANGLES, **LENGTHS}, strict=True)
    other = chorda.equilibrium(fixed, hold=ANGLES, parameters=LENGTHS, strict=True)
    seen, known = chorda.stability(one)["locked"], chorda.stability(other)["locked"]
    assert seen.eigenvalues == pytest.approx(known.eigenvalues, rel=1e-5)
    assert chorda.stability(one)["constant efforts"].eigenvalues.size > known.eigenvalues.size


def pinned():
    """A rod with a bend of its own, fed against a pin."""
    return single(
        modes={"bend_z": 6},
        rest={"bend_z": 0.5},
        closures=[
            {
                "name": "pin",
                "kind": "revolute",
                "start": {"frame": "leg.tip"},
                "end": {"frame": "world", "point": [0.5, 0, 0]},
            }
        ],
    )


def test_under_a_constant_push_stability_is_lost_where_no_longer_rod_needs_more():
    """Fed against a pin the rod buckles: with its length held it stays stable, with a constant
    push of the feeder it does not, from where that push is largest on."""
    system = chorda.assemble(pinned())
    start = chorda.equilibrium(system, hold={"leg.length": 0.505}, strict=True)
    path = chorda.follow(start, hold={"leg.length": 0.9}, points=160, strict=True)
    push, length = path.efforts["leg.length"], path.q[:, -1]
    k = int(np.argmax(push))
    assert 1 < k < len(path) - 2
    assert path.stable.all()
    change = next(x for x in path.changes if x.kind == "constant efforts")
    assert length[k - 1] < change.at.position["leg.length"] < length[k + 1]
    at = change.at.position["leg.length"]
    beside = [
        chorda.equilibrium(system, hold={"leg.length": at + h}, initial=change.at, strict=True)
        for h in (-1e-4, 1e-4)
    ]
    slope = np.diff([x.efforts["leg.length"] for x in beside])[0] / 2e-4
    assert abs(slope) < 1e-3 * np.abs(np.diff(push) / np.diff(length)).max()
    words = path.stability["constant efforts"].words
    assert set(words[: k - 1]) == {"stable"}
    assert set(words[k + 2 :]) == {"unstable"}


def test_a_push_that_is_given_finds_the_length_that_holds_it():
    system = chorda.assemble(pinned())
    start = chorda.equilibrium(system, hold={"leg.length": 0.5005}, strict=True)
    effort = start.efforts["leg.length"]
    found = chorda.equilibrium(
        system, efforts={"leg.length": effort}, initial=dict(start.position), strict=True
    )
    assert found.position["leg.length"] == pytest.approx(0.5005, abs=1e-6)


def test_the_slower_it_is_fed_the_nearer_it_is_to_the_path_at_rest():
    system = chorda.assemble(fed_rfrfr())
    start = chorda.equilibrium(system, hold={**ANGLES, "leg1.length": 1, "leg2.length": 1})
    path = chorda.follow(start, hold={**LENGTHS, "motor1": 2.7}, points=20, strict=True)
    far = []
    for duration in (4.0, 16.0, 32.0):
        run = chorda.simulate(
            system,
            duration=duration,
            step=duration / 800,
            initial=path.at(0),
            inputs=path.inputs(duration),
            strict=True,
        )
        s = run.time / duration
        there = CubicSpline(path.parameter, path.q)(s**3 * (10 - 15 * s + 6 * s**2))
        far.append(np.abs(run.position - there).max())
    assert far[0] > 4 * far[1]
    assert far[1] / far[2] == pytest.approx(4, rel=0.25)


def test_the_work_of_feeders_and_motors_is_the_change_of_energy():
    system = chorda.assemble(fed_rfrfr())
    start = chorda.equilibrium(system, hold={**ANGLES, "leg1.length": 1, "leg2.length": 1})
    path = chorda.follow(start, hold={**LENGTHS, "motor1": 2.7}, points=20, strict=True)
    missing = []
    for steps in (500, 1000):
        run = chorda.simulate(
            system,
            duration=1.0,
            step=1.0 / steps,
            initial=path.at(0),
            inputs=path.inputs(1.0),
            strict=True,
        )
        names = [name for name, _ in run.system.velocities]
        rates = run.velocity[:, [names.index(f"{x}.rate") for x in path.prescription.held]]
        work = np.trapezoid(np.sum(run.data["effort"].values * rates, axis=1), run.time)
        T, V = run.energy
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] - work))
    assert missing[1] < missing[0] / 3
    assert missing[1] < 1e-3
