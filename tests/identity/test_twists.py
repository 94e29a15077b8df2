"""Twists of the joints against differences of their poses, and q_dot = N v."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import plant
from tests.helpers.evaluate import random_state, slope
from tests.helpers.robots import everything

ROBOT = everything()
PAR = Parameters()
TREE = plant(ROBOT, PAR)
CARRIED = [
    (node.name, node) for node in TREE.nodes if node.carried and TREE.joints[node.joint].v.numel()
]


def vee(S):
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2


@pytest.mark.parametrize(("name", "node"), CARRIED, ids=[name for name, _ in CARRIED])
@pytest.mark.parametrize("seed", range(3))
def test_twist_of_a_joint_is_the_rate_of_its_pose(name, node, seed):
    joint, rng = TREE.joints[node.joint], np.random.default_rng(seed)
    p = ca.vertcat(*PAR.symbols)
    parts = [node.pose.R, node.pose.p, node.carried.angular, node.carried.linear, joint.kinematics]
    evaluate = ca.Function("joint", [joint.q, p], [ca.densify(x) for x in parts])

    def at(q):
        return [x.full() for x in evaluate(q, PAR.values)]

    q, v = rng.uniform(-0.6, 0.6, joint.q.numel()), rng.normal(size=joint.v.numel())
    if joint.quaternion:
        q[:4] = rng.normal(size=4)
        q[:4] /= np.linalg.norm(q[:4])
    R, _, angular, linear, N = at(q)

    def pose(t):
        return np.hstack(at(q + t * (N @ v))[:2])

    rate = slope(pose, 1e-3)
    assert np.allclose(angular @ v, vee(rate[:, :3] @ R.T), rtol=0, atol=1e-9)
    assert np.allclose(linear @ v, rate[:, 3], rtol=0, atol=1e-9)


def test_kinematics_keeps_quaternions_at_unit_length():
    system = chorda.assemble(ROBOT)
    q, v, _, _ = random_state(system, np.random.default_rng(0))
    rate = system.kinematics(q).full() @ v
    assert rate[:4] @ q[:4] == pytest.approx(0, abs=1e-15)
    assert np.allclose(rate[4:], v[3:])
