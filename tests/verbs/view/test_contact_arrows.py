"""Arrows where shapes touch are the forces on the robot, whichever of them is named first."""

import numpy as np
import pytest

import chorda
from chorda.view.contact_arrows import contact_pushes
from tests.helpers.touching_robots import PRESSED, changed, leaning_neck


@pytest.mark.parametrize("swapped", [False, True])
def test_a_post_pushes_the_neck_that_leans_on_it(swapped):
    robot = leaning_neck("frictionless", pairs=1)
    [contact] = robot.contacts
    order = {"first": contact.second, "second": contact.first} if swapped else {}
    system = chorda.assemble(changed(robot, contacts=[contact.model_copy(update=order)]))
    rest = chorda.equilibrium(system, tensions=PRESSED)
    assert rest.normal_forces["leans"] > 1.0
    pushes = contact_pushes(system, rest.q[None], np.zeros((1, system.nv)), rest.parameters)
    [force] = pushes.forces[0]
    [post] = [x for x in robot.shapes if x.frame == "world"]
    away = pushes.points[0, 0] - np.array(post.center)
    assert np.linalg.norm(force) == pytest.approx(rest.normal_forces["leans"], rel=1e-9)
    assert force[:2] @ away[:2] > 0.99 * np.linalg.norm(force) * np.linalg.norm(away[:2])
