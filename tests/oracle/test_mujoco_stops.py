"""Stops and couplings in MuJoCo, as exported, move as in the library."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Coupling, Revolute, Robot, Stop, XJoint
from chorda.errors import InputError
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import document
from tests.helpers.mujoco_twin import both

pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")


def link(name, parent="world", center=(0.1, 0, 0), **fields):
    body = Body(mass=0.4, center=center, inertia=(0, 0, 1e-3, 0, 0, 0))
    at = {} if parent == "world" else {"placement": {"position": (0.2, 0, 0)}}
    return Revolute(name=name, parent=parent, body=body, **at, **fields)


@pytest.mark.parametrize("damping", [None, 0.1])
def test_two_links_fall_on_their_stops_alike(damping):
    """MuJoCo's limits of least impedance are springs and dampers up to 1e-4."""
    stop = Stop(stiffness=60.0, damping=damping, smoothing=damping and 1e-4)
    robot = Robot(
        name="arm",
        joints=(
            link("one", range=(-0.4, 1.0), stop=stop),
            link("two", parent="one", range=(-0.3, 0.3), stop=stop),
        ),
    )
    run, qpos, _ = both(robot, {}, 0.6, 2e-5)
    assert run.position[:, 0].min() < -0.45
    assert run.position[:, 1].max() > 0.3 or run.position[:, 1].min() < -0.3
    np.testing.assert_allclose(qpos, run.position, atol=4e-3)
    assert np.abs(qpos[run.time < 0.3] - run.position[run.time < 0.3]).max() < 5e-4


def neck(**stop):
    """One X-joint that falls over, between stops at half a radian."""
    x = XJoint(
        name="x",
        diagonal_length=0.1,
        bar_length=0.05,
        diagonal_mass=0.06,
        bar_mass=0.3,
        friction=1e-3,
        range=(-0.5, 0.5),
        stop=Stop(**stop),
    )
    return Robot(name="neck", joints=(x,))


def test_an_x_joint_falls_on_its_stop_alike():
    run, qpos, model = both(neck(stiffness=5.0), {"x": 0.2}, 0.4, 1e-4)
    hinges = [model.joint(f"x.{part}").qposadr[0] for part in ("left_diagonal", "top")]
    assert run.position.max() > 0.54
    np.testing.assert_allclose(qpos[:, hinges].sum(1), run.position[:, 0], atol=5e-3)


def test_damping_of_a_stop_beside_x_joints_is_refused_by_name():
    system = chorda.assemble(neck(stiffness=5.0, damping=0.1, smoothing=1e-3))
    with pytest.raises(InputError, match=r"joints\.x\.stop\.damping: MuJoCo scales"):
        document(discrete_model(system, None, 1e-3))


def test_coupled_joints_fall_alike():
    coupling = Coupling(name="gear", factors={"one": 0.7, "two": -1.0}, offset=0.1)
    robot = Robot(
        name="finger", joints=(link("one"), link("two", parent="one")), couplings=(coupling,)
    )
    run, qpos, _ = both(robot, {"one": 0.2, "two": 0.04}, 0.5, 1e-4)
    np.testing.assert_allclose(run.position @ [0.7, -1.0], 0.1, atol=1e-8)
    np.testing.assert_allclose(qpos, run.position, atol=3e-3)
