"""The neck of three joints against a MuJoCo model built from bars, hinges and loops.

MuJoCo keeps the loops closed by stiff, critically damped springs, not exactly, so the two agree
to within what its soft loops allow; the difference must vanish with the time step, on which
their stiffness depends.
"""

import numpy as np
import pytest

import chorda

pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
from chorda.bench import mujoco_neck

TORQUES = [-0.016, -0.012, -0.016, -0.036]


@pytest.fixture(scope="module")
def ours():
    run = chorda.simulate(
        chorda.assemble(chorda.neck(3)),
        duration=0.5,
        step=5e-5,
        scheme="rk4",
        inputs=TORQUES,
        parameters={"*.dry_torque": 0.0},
        strict=True,
    )
    assert np.ptp(run.position[:, :3], axis=0).min() > 0.1
    return run


def difference(ours, timestep):
    model, data = mujoco_neck.load(TORQUES, timestep=timestep, integrator="RK4")
    angles = mujoco_neck.trajectory(model, data, 0.5)
    every = round(timestep / 5e-5)
    return np.abs(angles - ours.position[::every, :3]).max()


def test_neck_moves_as_in_mujoco(ours):
    coarse, fine = difference(ours, 2e-4), difference(ours, 1e-4)
    assert fine < 1e-7
    assert fine < coarse / 3
