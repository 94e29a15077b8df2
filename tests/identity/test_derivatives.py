"""K, D, B, Z and J are derivatives: they equal central differences."""

import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import close, forces, jacobian, lengths, moved, random_state, slope
from tests.helpers.robots import everything, x_joint_of_bars

CASES = {
    "neck-2": (chorda.neck(2), "elastic"),
    "neck-4": (chorda.neck(4), "elastic"),
    "neck-3-rigid": (chorda.neck(3), "rigid"),
    "everything": (everything(), "elastic"),
}


@pytest.fixture(scope="module", params=CASES)
def system(request):
    robot, tendons = CASES[request.param]
    return chorda.assemble(robot, tendons=tendons)


def test_stiffness_is_the_slope_of_the_force_along_the_coordinates(system):
    q, v, u, _ = random_state(system, np.random.default_rng(0))
    K = chorda.linearize(system, q, v, u).K
    assert close(
        K, jacobian(lambda d: forces(system, moved(system, q, d, 1.0), v, u)[1], system.nv)
    )


def test_damping_is_the_slope_of_the_force_along_the_velocities(system):
    q, v, u, _ = random_state(system, np.random.default_rng(1))
    linear = chorda.linearize(system, q, v, u)
    assert close(linear.D, jacobian(lambda d: forces(system, q, v + d, u)[1], system.nv))
    changes = {n: 0.0 for n in system.parameter_names if n.endswith("dry_torque")}
    smooth = chorda.linearize(system, q, v, u, changes)
    assert close(linear.D_dry, linear.D - smooth.D)


def test_input_matrix_is_the_slope_of_the_force_along_the_inputs(system):
    q, v, u, _ = random_state(system, np.random.default_rng(2))
    B = chorda.linearize(system, q, v, u).B
    assert close(B, jacobian(lambda d: forces(system, q, v, u + d)[1], system.nu))


def test_moment_arms_are_minus_the_slopes_of_the_tendon_lengths(system):
    q, *_ = random_state(system, np.random.default_rng(3))
    Z = system.function("Z", "q p", system.tendons.Z)(q, system.parameters()).full()
    slopes = jacobian(lambda d: lengths(system, moved(system, q, d, 1.0)), system.nv)
    assert close(Z, -slopes.T)


def test_inertia_changes_along_the_motion_as_the_differences_say(system):
    """Along a straight motion, v M_dot v is twice the part of dT/dt that positions bring."""
    q, v, u, _ = random_state(system, np.random.default_rng(4))

    def kinetic(t):
        return float(system.energies(moved(system, q, v, t), v, u, system.parameters())[0])

    def inertia(t):
        return v @ forces(system, moved(system, q, v, t))[0] @ v

    assert slope(kinetic) == pytest.approx(slope(inertia) / 2, rel=1e-8, abs=1e-10)


def test_rate_of_a_closure_and_its_bias_are_derivatives_of_the_gap():
    system = chorda.assemble(x_joint_of_bars())
    q, v, _, a = random_state(system, np.random.default_rng(5))
    p = system.parameters()

    def gap(x):
        return system.closing(x, [], p)[0].full().ravel()

    *_, J, bias, _ = (x.full() for x in system.equations(q, v, [], p))
    assert close(J, jacobian(lambda d: gap(q + d), system.nv))

    def rate(t):
        at = q + t * v + t**2 / 2 * a
        return system.closing(at, [], p)[1].full() @ (v + t * a)

    assert np.allclose(slope(rate), J @ a + bias.ravel(), rtol=1e-8)
