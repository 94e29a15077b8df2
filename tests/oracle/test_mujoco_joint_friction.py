"""Coulomb friction in joints: MuJoCo's friction loss, as exported, moves as in the library."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Revolute, Robot
from chorda.errors import InputError
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import document
from tests.helpers.mujoco_twin import both
from tests.helpers.rubbing_robots import rubbing_arm, rubbing_mass

pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")


def test_a_mass_on_a_spring_decays_alike():
    robot = rubbing_mass(kind="tanh", force=6.0, slope=1e3)
    run, qpos, _ = both(robot, {"mass": 0.1}, 0.6, 1e-4)
    np.testing.assert_allclose(qpos, run.position, atol=6e-4)
    assert abs(run.position[-1, 0]) < 0.06


def test_a_double_pendulum_falls_alike():
    body = Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    rubs = {"kind": "tanh", "torque": 0.1, "slope": 100.0}
    joints = (
        Revolute(name="a", body=body, dry_friction=rubs),
        Revolute(
            name="b",
            parent="a",
            placement={"position": (0.2, 0, 0)},
            body=body,
            dry_friction=rubs,
        ),
    )
    run, qpos, _ = both(Robot(name="two", joints=joints), {"b": 0.5}, 0.6, 1e-4)
    np.testing.assert_allclose(qpos, run.position, atol=4e-3)
    free = both(
        Robot(name="two", joints=[x.model_copy(update={"dry_friction": None}) for x in joints]),
        {"b": 0.5},
        0.6,
        1e-4,
    )[0]
    assert np.abs(free.position[-1] - run.position[-1]).max() > 0.1


def test_an_x_joint_falls_alike():
    robot = rubbing_arm(kind="tanh", torque=0.02, slope=200.0)
    run, qpos, model = both(robot, {"x": 0.3}, 0.3, 5e-5)
    hinges = [model.joint(f"x.{part}").qposadr[0] for part in ("left_diagonal", "top")]
    arm = model.joint("arm").qposadr[0]
    np.testing.assert_allclose(qpos[:, arm], run.position[:, 0], atol=1e-2)
    np.testing.assert_allclose(qpos[:, hinges].sum(1), run.position[:, 1], atol=1e-2)


def test_stribecks_effect_is_refused_by_name():
    system = chorda.assemble(rubbing_arm(torque=0.02, breakaway=0.03, stribeck_rate=0.1))
    with pytest.raises(InputError, match=r"arm\.dry_friction\.breakaway: MuJoCo's friction loss"):
        document(discrete_model(system, None, 1e-3))
