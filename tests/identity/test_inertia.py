"""M is symmetric and positive, and says the same as the kinetic energy and inverse dynamics."""

import casadi as ca
import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import energies, forces, random_state
from tests.helpers.robots import everything, x_joint_of_bars

CASES = {
    **{f"neck-{n}-{t}": (chorda.neck(n), t) for n in (1, 2, 3, 4) for t in ("elastic", "rigid")},
    "everything": (everything(), "elastic"),
    "bars": (x_joint_of_bars(), "elastic"),
}
SEEDS = range(3)


@pytest.fixture(scope="module", params=CASES)
def system(request):
    robot, tendons = CASES[request.param]
    return chorda.assemble(robot, tendons=tendons)


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_matrix_is_symmetric_and_positive_definite(system, seed):
    q, v, u, _ = random_state(system, np.random.default_rng(seed))
    M, _ = forces(system, q, v, u)
    assert np.allclose(M, M.T, rtol=1e-12, atol=0)
    assert np.linalg.eigvalsh(M)[0] > 0


def test_inverse_dynamics_is_symmetric_in_accelerations_before_it_is_made_so(system):
    """M is kept as one triangle; the other one must be equal by physics, not by copying."""
    A = ca.Function("A", [system.q, system.p], [ca.jacobian(system.dynamics.residual, system.a)])
    for seed in SEEDS:
        q, *_ = random_state(system, np.random.default_rng(seed))
        full = A(q, system.parameters()).full()
        assert np.allclose(full, full.T, rtol=1e-10, atol=1e-14 * np.abs(full).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_is_half_v_M_v(system, seed):
    q, v, u, _ = random_state(system, np.random.default_rng(seed))
    M, _ = forces(system, q, v, u)
    assert energies(system, q, v, u)[0] == pytest.approx(v @ M @ v / 2, rel=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_residual_of_inverse_dynamics_is_M_a_minus_F(system, seed):
    q, v, u, a = random_state(system, np.random.default_rng(seed))
    M, F = forces(system, q, v, u)
    residual = system.residual(q, v, a, u, system.parameters()).full().ravel()
    assert np.allclose(residual, M @ a - F, rtol=1e-10, atol=1e-11 * np.abs(F).max())
