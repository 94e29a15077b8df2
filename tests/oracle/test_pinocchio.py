"""Random chains in space against Pinocchio."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from tests.helpers.chains import described, random_links
from tests.helpers.evaluate import acceleration, forces, random_state
from tests.helpers.peers import pinocchio_model

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_and_nonlinear_effects_of_a_chain_are_those_of_pinocchio(seed):
    robot = described(random_links(seed, 5))
    system, (model, data) = chorda.assemble(robot), pinocchio_model(pin, robot)
    q, v, _, _ = random_state(system, np.random.default_rng(seed), size=3.0)
    M, F = forces(system, q, v)
    upper = np.triu(pin.crba(model, data, q))
    assert np.allclose(M, upper + np.triu(upper, 1).T, rtol=0, atol=1e-12)
    assert np.allclose(F, -pin.nonLinearEffects(model, data, q, v), rtol=0, atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_chain_on_a_free_body_accelerates_as_in_pinocchio(seed):
    robot = described(random_links(seed, 4), free=True)
    system, (model, data) = chorda.assemble(robot), pinocchio_model(pin, robot)
    q, v, _, _ = random_state(system, np.random.default_rng(seed))
    a = acceleration(system, q, v)
    # Pinocchio: position, then quaternion (x, y, z, w); velocities linear first, in body axes
    w, x, y, z = q[:4]
    R = Rotation.from_quat([x, y, z, w]).as_matrix()
    theirs = pin.aba(
        model,
        data,
        np.concatenate([q[4:7], [x, y, z, w], q[7:]]),
        np.concatenate([R.T @ v[3:6], R.T @ v[:3], v[6:]]),
        np.zeros(model.nv),
    )
    linear = R @ theirs[:3] + np.cross(v[:3], v[3:6])  # of body components -> of the vector
    expected = np.concatenate([R @ theirs[3:6], linear, theirs[6:]])
    assert np.allclose(a, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_energies_of_a_chain_are_those_of_pinocchio():
    robot = described(random_links(0, 5))
    system, (model, data) = chorda.assemble(robot), pinocchio_model(pin, robot)
    q, v, _, _ = random_state(system, np.random.default_rng(0))
    T, V = (float(x) for x in system.energies(q, v, [], system.parameters()))
    assert pytest.approx(pin.computeKineticEnergy(model, data, q, v), rel=1e-12) == T
    assert pytest.approx(pin.computePotentialEnergy(model, data, q), rel=1e-12) == V
