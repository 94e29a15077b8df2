"""Prescribed motions against Pinocchio's inverse dynamics, and torques on joints against MuJoCo."""

import numpy as np
import pytest

import chorda
from chorda.describe import JointEffort, JointMotion, JointMotor
from chorda.errors import InputError
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import document
from chorda.results.observe import accelerations
from tests.helpers.actuated_robots import arm
from tests.helpers.chains import described, random_links
from tests.helpers.peers import pinocchio_model


@pytest.mark.parametrize("seed", range(3))
def test_efforts_of_a_chain_that_is_led_are_those_of_pinocchio(seed):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    robot = described(random_links(seed, 5))
    names = [joint.name for joint in robot.joints if joint.kind != "fixed"]
    led = robot.model_copy(
        update={"actuators": tuple(JointMotion(name=f"lead-{x}", joint=x) for x in names)}
    )
    system, (model, data) = chorda.assemble(led), pinocchio_model(pin, robot)
    rng = np.random.default_rng(seed)
    size, speed, phase = rng.uniform(0.2, 0.8, (3, len(names)))
    speed *= 10

    def path(t, order=0):
        return size * speed**order * np.sin(speed * t + phase + order * np.pi / 2)

    def inputs(t):
        return np.concatenate([path(t), path(t, 2)])

    run = chorda.simulate(
        system, duration=0.5, step=1e-3, scheme="bdf2", inputs=inputs, strict=True
    )
    efforts = run.data["effort"].values
    for k in (100, 250, 499):
        t = run.time[k]
        theirs = pin.rnea(model, data, path(t), path(t, 1), path(t, 2))
        np.testing.assert_allclose(efforts[k], theirs, atol=2e-3 * np.abs(theirs).max())


def test_torques_forces_and_motors_accelerate_as_in_mujoco():
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    motor = JointMotor(name="m", joint="one", inertia=1e-5, gear_ratio=20.0, friction=1e-5)
    robot = arm(motor, JointEffort(name="t", joint="two"), JointEffort(name="f", joint="three"))
    system = chorda.assemble(robot)
    model = mujoco.MjModel.from_xml_string(document(discrete_model(system, None, 1e-3)))
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    for _ in range(5):
        q, v, u = rng.uniform(-1, 1, (3, 3))
        data.qpos[:], data.qvel[:] = q, v
        for item, value in zip(system.inputs, u, strict=True):
            data.actuator(item.name).ctrl = value
        mujoco.mj_forward(model, data)
        ours = accelerations(system, q[None], v[None], u[None], system.parameters()[:, None])[0][0]
        np.testing.assert_allclose(data.qacc, ours, rtol=1e-8, atol=1e-8)


def test_a_prescribed_motion_is_refused_by_name_for_mujoco():
    system = chorda.assemble(arm(JointMotion(name="lead", joint="two")))
    with pytest.raises(InputError, match=r"actuators\.lead: MuJoCo cannot prescribe the motion"):
        document(discrete_model(system, None, 1e-3))
