"""What declared pairs add to a step, in operations: those that take long are few."""

import casadi as ca
import pytest

import chorda
from chorda.bench.contact_steps import COUNTED, NECKS, neck_among_posts
from chorda.dynamics.schemes import SCHEMES
from chorda.mechanics.subexpressions import shared

SLOW = (ca.OP_DIV, ca.OP_INV, ca.OP_SQRT)  # a division takes a processor as long as many products


def step_of(robot):
    """All operations of a step of implicit Euler, and the slow ones."""
    made = SCHEMES["implicit-euler"].build(chorda.assemble(robot))
    arguments = made.step.arguments
    f = ca.Function("step", arguments, shared(arguments, [made.after]))
    kinds = [f.instruction_id(k) for k in range(f.n_instructions())]
    return len(kinds), sum(x in SLOW for x in kinds)


@pytest.fixture(scope="module")
def alone():
    return step_of(chorda.load("neck-3"))


def test_eight_pairs_take_less_than_twice_the_operations_and_slow_ones_of_a_neck(alone):
    among = step_of(neck_among_posts(*NECKS[COUNTED]))
    assert among[0] < 1.75 * alone[0]
    assert among[1] < 1.75 * alone[1]


def test_what_is_in_a_plane_costs_less_than_what_is_not():
    """The same ball and plane, on slides in the plane and free in space."""
    from tests.helpers.touching_robots import KINDS, block, changed

    robot = block(0.0, KINDS["smooth"])
    planar = step_of(robot)[0] - step_of(changed(robot, contacts=[]))[0]
    body = robot.joints[-1].body.model_copy(update={"inertia": (1.0, 1.0, 1.0, 0, 0, 0)})
    free = changed(robot, joints=[chorda.describe.Free(name="y", body=body)])
    spatial = step_of(free)[0] - step_of(changed(free, contacts=[]))[0]
    assert 0 < planar < spatial / 4
