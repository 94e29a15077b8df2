"""Forces on frames as inputs in MuJoCo, as exported and as applied from outside."""

import numpy as np
import pytest

import chorda
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import document
from tests.helpers.pushed_robots import TIP, pushed_arm

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

STEP, STEPS = 1e-4, 3000


def forces(t):
    """push.fx, push.fz, push.my, thrust, twist."""
    return np.array([2.0, 3 * np.sin(9 * t), 0.2, np.cos(5 * t), -0.1])


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(pushed_arm())


@pytest.fixture(scope="module")
def ours(system):
    run = chorda.simulate(
        system, duration=STEP * STEPS, step=STEP, scheme="bdf2", inputs=forces, strict=True
    )
    assert np.abs(run.position).max() > 0.3
    return run


def model(system):
    return mujoco.MjModel.from_xml_string(document(discrete_model(system, None, STEP)))


def moved(twin, act):
    """Coordinates over time, with what `act` does to the data before each step."""
    data, found = mujoco.MjData(twin), []
    for k in range(STEPS + 1):
        found.append(data.qpos.copy())
        mujoco.mj_forward(twin, data)
        act(data, k * STEP)
        mujoco.mj_step(twin, data)
    return np.array(found)


def test_controls_of_the_exported_model_are_the_inputs(system, ours):
    twin = model(system)
    names = [i.name for i in system.inputs]
    order = [names.index(twin.actuator(k).name) for k in range(twin.nu)]

    def act(data, t):
        data.ctrl[:] = forces(t)[order]

    np.testing.assert_allclose(moved(twin, act), ours.position, atol=2e-3)


def test_forces_applied_to_the_bodies_move_them_alike(system, ours):
    """No actuator of MuJoCo's: forces by its own Jacobians of points and bodies."""
    twin = model(system)
    three, two = (twin.body(name).id for name in ("three", "two"))

    def act(data, t):
        fx, fz, my, thrust, twist = forces(t)
        R, S = (data.xmat[x].reshape(3, 3) for x in (three, two))
        force = np.array([fx, 0, fz]) + thrust * R @ (0.6, 0, 0.8)
        point = data.xpos[three] + R @ np.array(TIP.point)
        data.qfrc_applied[:] = 0
        moment = np.array([0, my, 0.0])
        mujoco.mj_applyFT(twin, data, force, moment, point, three, data.qfrc_applied)
        still, turn = np.zeros(3), twist * S @ (0, 0.6, 0.8)
        mujoco.mj_applyFT(twin, data, still, turn, data.xpos[two], two, data.qfrc_applied)

    np.testing.assert_allclose(moved(twin, act), ours.position, atol=2e-3)
