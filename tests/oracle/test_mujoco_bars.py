"""An X-joint whose bars have bodies of their own moves in MuJoCo as in the library."""

import numpy as np
import pytest

from chorda.describe import Robot, XJoint
from tests.helpers.mujoco_twin import both
from tests.identity.test_bars_with_bodies import CAD, SIZES

pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")


def test_an_x_joint_of_given_bodies_falls_alike():
    robot = Robot(name="x", joints=(XJoint(name="x", **SIZES, **CAD, friction=1e-3),))
    run, qpos, model = both(robot, {"x": 0.2}, 0.2, 1e-4)
    hinges = [model.joint(f"x.{part}").qposadr[0] for part in ("left_diagonal", "top")]
    assert np.ptp(run.position) > 0.2
    np.testing.assert_allclose(qpos[:, hinges].sum(1), run.position[:, 0], atol=5e-3)
