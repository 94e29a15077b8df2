"""Example 1 and the arm with belts in motion, against Pinocchio and calculation by hand."""

import numpy as np
import pytest

from chorda.papers.recursive.belts import BeltArm
from chorda.papers.recursive.example1 import TwoJoints
from chorda.papers.recursive.free_bodies import FreeBodies, tangent
from chorda.papers.recursive.printed_motion import PrintedMotion

MOMENTS = {  # [Recursive, Table 3]: link, segment, direction in which it turns the link
    1: (("t15", 1),),
    2: (("t23", 1), ("t24", -1)),
    3: (("t23", 1), ("t36", -1)),
    4: (("t24", 1), ("t47", -1)),
}
RADII = {1: 0.04, 2: 0.03, 3: 0.025, 4: 0.035}  # [m]
TENDONS = {"t15": "tendon5-1", "t36": "tendon6-1", "t23": "tendon6-2", "t47": "tendon7-1",
           "t24": "tendon7-2"}  # fmt: skip


@pytest.fixture(scope="module")
def example():
    return TwoJoints()


@pytest.fixture(scope="module")
def arm():
    return BeltArm()


def samples(example):
    return range(0, len(example.run().time), 1500)


def test_the_pulleys_and_slack_have_effects_in_this_motion(example):
    t = example.tensions()
    assert np.abs(t["t23"] - t["t36"]).max() > 0.02
    assert np.abs(t["t24"] - t["t47"]).max() > 0.1
    assert min(x.min() for x in t.values()) == 0
    assert t["t23"].min() > 10


def pinocchio_tree(pin, robot):
    """The four links; 2 on 1, the others on the base."""
    model, index = pin.Model(), {"world": 0}
    model.gravity.linear = np.zeros(3)
    for joint in robot.joints:
        parent = joint.parent.removesuffix(".tip")
        at = np.array([0.3, 0, 0]) if joint.parent.endswith(".tip") else np.zeros(3)
        place = pin.SE3(np.eye(3), at)
        k = model.addJoint(index[parent], pin.JointModelRZ(), place, joint.name)
        index[joint.name] = k
        inertia = np.diag(joint.body.inertia[:3])
        body = pin.Inertia(joint.body.mass, np.array(joint.body.center), inertia)
        model.appendBodyToJoint(k, body, pin.SE3.Identity())
    return model, model.createData(), index


def test_reactions_and_accelerations_are_those_of_pinocchio(example):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    model, data, index = pinocchio_tree(pin, example.robot)
    run, found, tension = example.run(), example.reactions(), example.tensions()
    pull = found["pull"]
    for k in samples(example):
        q, v, a = run.position[k], run.velocity[k], example.accelerations()[k]
        pin.forwardKinematics(model, data, q)
        outside = pin.StdVec_Force()
        for _ in range(model.njoints):
            outside.append(pin.Force.Zero())
        for link, segments in MOMENTS.items():
            name = f"link{link}"
            force, moment = np.zeros(3), np.zeros(3)
            for segment, sign in segments:
                tendon = next(t for t in example.robot.tendons if t.name == TENDONS[segment])
                path = [pulley.frame for pulley in tendon.path]
                element = f"{TENDONS[segment]}.path{path.index(name)}"
                force += pull.sel(element=element).values[k]
                moment[2] += sign * RADII[link] * tension[segment][k]
            R = data.oMi[index[name]].rotation
            outside[index[name]] = pin.Force(R.T @ force, R.T @ moment)
        assert np.allclose(pin.aba(model, data, q, v, np.zeros(4), outside), a, atol=1e-7)
        assert np.abs(pin.rnea(model, data, q, v, a, outside)).max() < 1e-9
        for link in MOMENTS:
            wrench = data.f[index[f"link{link}"]]
            ours = found.sel(joint=f"link{link}").isel(time=k)
            assert ours["force"].values == pytest.approx(wrench.linear, abs=1e-8)
            assert ours["moment"].values == pytest.approx(wrench.angular, abs=1e-8)


def test_a_pulley_needs_the_difference_of_its_tensions(example):
    """Eqs. 28 and 29, their numbers written again."""
    run, t = example.run(), example.tensions()
    for link, (distal, proximal) in {3: ("t23", "t36"), 4: ("t24", "t47")}.items():
        a = example.accelerations()[:, link - 1]
        assert 4.5e-5 * a == pytest.approx(RADII[link] * (t[distal] - t[proximal]), abs=1e-10)
    assert np.abs(run.velocity[:, 2:]).max() > 1


def test_tangents_touch_both_pulleys():
    first, second = np.array([[0.1, -0.2]]), np.array([[0.5, 0.3]])
    for r1, r2 in ((0.05, 0.08), (0.05, -0.08), (-0.05, 0.08), (-0.05, -0.08)):
        (u,) = tangent(first, second, r1 + r2)
        aside = np.array([u[1], -u[0]])  # the pull turns a pulley to the left from here
        start, end = first[0] + r1 * aside, second[0] - r2 * aside
        along = end - start
        assert along / np.linalg.norm(along) == pytest.approx(u, abs=1e-12)


def test_forces_of_joints_are_the_papers_balances(example):
    bodies = FreeBodies(example)
    by_hand, ours = bodies.by_hand(), bodies.recursive()
    assert by_hand.keys() == ours.keys() == {"link1", "link2", "link3", "link4"}
    for name, force in ours.items():
        assert np.abs(by_hand[name] - force).max() < 1e-9
        assert np.abs(force).max() > 9
    at_rest = {name: force[0] for name, force in ours.items()}
    # the cables pull link 2 towards the base with nearly 20 N each, and no inertia acts yet
    assert at_rest["link2"][0] == pytest.approx(40, abs=1)


def test_base_and_drums_change_the_momentum_of_the_whole(example):
    assert max(FreeBodies(example).missing_momentum()) < 1e-3


def test_the_slip_of_equation_27_matters_and_its_correction_gives_our_motion(example):
    run = example.run()
    wrong, right = (PrintedMotion(example, as_printed) for as_printed in (True, False))
    assert np.abs(right.angles - run.position).max() < 1e-5
    assert np.abs(wrong.angles - run.position).max() > 0.1


def test_both_runs_of_a_belt_share_twice_the_pretension(arm):
    for name, radius in (("belt1", 0.045), ("belt2", 0.045), ("belt3", 0.03)):
        x = arm.belt(name)
        assert x.tension.min() > 10
        assert x.tension.sum(1) == pytest.approx(60.0, abs=1e-9)
        assert x.moment == pytest.approx(radius * (x.tension[:, 1] - x.tension[:, 0]), abs=1e-12)
        assert x.moment.min() < -0.3 < 0.3 < x.moment.max()


def test_the_belts_tension_is_stiffness_times_what_the_pulleys_turn_apart(arm):
    run, found = arm.run(), arm.run().outputs["tension"]
    link, motor = run.position[:, 0], run.position[:, 3]
    rate = 0.045 * run.velocity[:, 0] - 0.015 * run.velocity[:, 3]
    grown = 3e4 * (0.045 * link - 0.015 * motor) + 15 * rate
    assert found[:, 0] == pytest.approx(np.maximum(30 + grown, 0), abs=1e-9)
    assert found[:, 1] == pytest.approx(np.maximum(30 - grown, 0), abs=1e-9)


def test_the_arms_motion_is_that_of_equations_by_hand(arm):
    assert np.abs(arm.coordinates_by_hand() - arm.run().position).max() < 1e-5
    assert np.abs(arm.run().position).max(0).min() > 0.5
