"""A tendon around a cylinder against MuJoCo, on the pulley and off it."""

import numpy as np
import pytest

import chorda
from chorda.describe import Point, Pulley
from tests.helpers.evaluate import arms, lengths, outputs
from tests.helpers.peers import text
from tests.helpers.pulley_robots import chain, pulled

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

START, CENTER, END, RADIUS = (-0.2, 0.03, 0.0), (0.02, -0.01, 0.0), (0.25, 0.01, 0.0), 0.04
# Beyond, the straight line passes the cylinder on the wrong side, and MuJoCo's cable jumps there
ANGLES = np.linspace(-1.4, 1.4, 57)


@pytest.fixture(scope="module", params=["right", "left"])
def side(request):
    return request.param


@pytest.fixture(scope="module")
def ours(side):
    path = (
        Point(point=START),
        Pulley(point=CENTER, radius=RADIUS, side=side),
        Point(frame="j1", point=END),
    )
    return chorda.assemble(pulled(chain(1), path))


@pytest.fixture(scope="module")
def theirs(side):
    beside = np.add(CENTER, (0, 0.1 if side == "right" else -0.1, 0))
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody>
        <site name="start" pos="{text(START)}"/>
        <site name="beside" pos="{text(beside)}"/>
        <geom name="pulley" type="cylinder" size="{RADIUS} 0.1" pos="{text(CENTER)}"/>
        <body><joint type="hinge" axis="0 0 1"/><geom size="0.01" mass="1"/>
        <site name="end" pos="{text(END)}"/></body></worldbody>
        <tendon><spatial name="cable"><site site="start"/>
        <geom geom="pulley" sidesite="beside"/><site site="end"/></spatial></tendon>
        <actuator><motor tendon="cable"/></actuator></mujoco>"""
    )
    data = mujoco.MjData(model)

    def evaluate(q):
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        moment = np.zeros((1, 1))
        mujoco.mju_sparse2dense(
            moment,
            data.actuator_moment,
            data.moment_rownnz,
            data.moment_rowadr,
            data.moment_colind,
        )
        return data.ten_length[0], moment[0, 0], data.ten_wrapnum[0] == 4

    return evaluate


def test_length_moment_arm_and_contact_are_those_of_mujoco(ours, theirs):
    contacts = set()
    for q in ANGLES:
        l, slope, wraps = theirs(q)  # noqa: E741
        assert lengths(ours, [q])[0] == pytest.approx(l, abs=1e-9)
        assert arms(ours, [q])[0, 0] == pytest.approx(-slope, abs=1e-9)
        assert outputs(ours, [q])["contact"][0] == wraps
        contacts.add(wraps)
    assert contacts == {True, False}
