"""Rigid tendons are the limit of stiff ones: the difference falls like 1/k."""

import numpy as np
import pytest

import chorda

TORQUES = {1: [-0.04, -0.02], 3: [-0.05, -0.02, -0.03, -0.06]}
BENT = {"x1": 0.4}


@pytest.mark.parametrize("joints", [1, 3])
def test_elastic_neck_tends_to_the_rigid_one_like_one_over_stiffness(joints):
    robot = chorda.neck(joints)
    how = {
        "duration": 0.3,
        "step": 0.02,
        "scheme": "cvodes",
        "tolerance": 1e-11,
        "inputs": TORQUES[joints],
        "initial": BENT,
        "strict": True,
    }
    rigid = chorda.simulate(chorda.assemble(robot, tendons="rigid"), **how)
    system = chorda.assemble(robot)
    stiffness = np.array([1e5, 1e6, 1e7])
    off = []
    # stretched from the start as the motion needs it, lest the tendons ring
    how["initial"] = {**BENT, "tension": rigid.outputs["tension"][0]}
    for k in stiffness:
        run = chorda.simulate(
            system, parameters={"right*.stiffness": k, "left.stiffness": k}, **how
        )
        off.append(np.abs(run.position[:, :joints] - rigid.position).max())
    slopes = np.diff(np.log10(off))
    assert np.ptp(rigid.position, axis=0).max() > 0.1
    assert slopes == pytest.approx(-1, abs=0.05)


def test_tension_of_a_rigid_tendon_is_the_limit_of_the_elastic_one():
    robot = chorda.neck(3)
    how = {
        "duration": 0.2,
        "step": 0.02,
        "scheme": "cvodes",
        "tolerance": 1e-11,
        "inputs": TORQUES[3],
        "initial": BENT,
    }
    rigid = chorda.simulate(chorda.assemble(robot, tendons="rigid"), **how)
    stiff = {
        "right*.stiffness": 1e8,
        "left.stiffness": 1e8,
        "right*.damping": 1e4,
        "left.damping": 1e4,
    }
    how["initial"] = {**BENT, "tension": rigid.outputs["tension"][0]}
    elastic = chorda.simulate(chorda.assemble(robot), parameters=stiff, **how)
    assert np.allclose(rigid.outputs["tension"][2:], elastic.outputs["tension"][2:], rtol=1e-3)
