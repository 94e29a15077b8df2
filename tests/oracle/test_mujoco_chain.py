"""Random chains in space against MuJoCo."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from tests.helpers.chains import GRAVITY, described, random_links
from tests.helpers.evaluate import forces, random_state
from tests.helpers.peers import text

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")


def peer(links):
    opening = closing = ""
    for i, link in enumerate(links):
        x, y, z, w = Rotation.from_rotvec(link.turn).as_quat()
        I = link.inertia  # noqa: E741
        full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        opening += (
            f'<body name="b{i}" pos="{text(link.place)}" quat="{text([w, x, y, z])}">'
            f'<joint type="hinge" axis="{text(link.axis)}"/>'
            f'<inertial pos="{text(link.center)}" mass="{link.mass!r}" fullinertia="{text(full)}"/>'
        )
        closing += "</body>"
    option = f'<option gravity="{text(GRAVITY)}"/>'
    xml = f"<mujoco>{option}<worldbody>{opening}{closing}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(xml)
    return model, mujoco.MjData(model)


@pytest.mark.parametrize("seed", range(3))
def test_inertia_and_forces_of_a_chain_are_those_of_mujoco(seed):
    links = random_links(seed, 5)
    system, (model, data) = chorda.assemble(described(links)), peer(links)
    q, v, _, _ = random_state(system, np.random.default_rng(seed), size=3.0)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(model, data)
    theirs = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, theirs)
    M, F = forces(system, q, v)
    assert np.allclose(M, theirs, rtol=0, atol=1e-12)
    assert np.allclose(F, -data.qfrc_bias, rtol=0, atol=1e-11)
