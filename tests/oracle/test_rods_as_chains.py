"""Robots of rods that touch beside chains of many links, which know nothing of modes or slices."""

import numpy as np
import pytest

import chorda
from tests.helpers.link_chains import BentTube, RoundPost, chain_at_rest

EI = 6e10 * np.pi / 4 * 0.0005**4


def longer(angles, before, after):
    """The same shape where both are, and on along its tip."""
    middles = (np.arange(len(angles)) + 0.5) / len(angles)
    return np.interp(middles * after, middles * before, angles)


def test_a_wire_in_a_bent_tube_pushes_and_presses_as_a_chain_does():
    system, tube = chorda.assemble(chorda.load("wire-tube")), BentTube(0.04, 0.08, 0.002)
    rest, angles, before = None, np.zeros(100), 0.04
    for length in (0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.13):
        rest = chorda.equilibrium(system, inputs={"feed": length}, initial=rest, strict=True)
        chain = chain_at_rest(length, EI, tube, longer(angles, before, length), 0.0)
        angles, before = chain.angles, length
        assert rest.frame("wire.tip")[0][:2] == pytest.approx(chain.points[-1], abs=3e-4)
        if length not in (0.1, 0.13):
            continue
        more, less = (chain_at_rest(length + x, EI, tube, angles, 0.0) for x in (1e-5, -1e-5))
        push = (more.energy - less.energy) / 2e-5
        assert rest.reactions["feed.motion"] == pytest.approx(push, rel=0.01)
        assert sum(rest.normal_forces.values()) == pytest.approx(chain.forces.sum(), rel=0.02)


def test_an_arm_wraps_around_a_post_by_the_angle_of_a_chain():
    """With inextensible links a cable that pulls with T beside them is a bend of T d / EI."""
    system, pull = chorda.assemble(chorda.load("arm-post")), 0.022
    run = chorda.simulate(
        system,
        duration=3.5,
        step=1e-3,
        inputs=lambda t: pull * min(t / 2.5, 1.0) * np.array([-1.0, 1.0]),
        parameters={"wraps.friction.coefficient": 0.0},
        strict=True,
    )
    own = run.outputs["tension"][-1] @ [1, -1] * 0.004 / EI
    post, angles = RoundPost((-0.032, 0.08), 0.03), np.full(80, np.pi / 2)
    for part in np.linspace(0.1, 1, 10):
        chain = chain_at_rest(0.24, EI, post, angles, np.pi / 2, bend=part * own)
        angles = chain.angles
    forces = run.data["normal_force"].values[-1]
    points = run.data["contact_point"].values[-1].reshape(-1, 3)[:, :2]
    tip = run.frame("arm.tip")[0][-1, :2]
    around = wrapped(np.array([*points[forces > 0], tip]), post)
    expected = wrapped(chain.points[np.argmax(chain.forces > 0) :], post)
    assert around > np.radians(180)
    assert around == pytest.approx(expected, rel=0.03)
    turned = np.degrees(chain.angles[-1] - np.pi / 2)
    assert 0.24 * np.degrees(run.position[-1, 0]) == pytest.approx(turned, rel=0.01)
    assert forces.sum() == pytest.approx(chain.forces.sum(), rel=0.1)


def wrapped(points, post):
    """Angle between the first and the last of them, seen from the middle of the post [rad]."""
    x, y = (points - np.array(post.centre)).T
    angle = np.unwrap(np.arctan2(y, x))
    return angle[-1] - angle[0]
