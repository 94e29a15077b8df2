"""Universal closures: a free body held by one moves as on two hinges that cross."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Body, Closure, Free, Placement, Point, Revolute, Robot
from chorda.errors import DescriptionError, InputError
from tests.helpers.evaluate import acceleration

BODY = Body(mass=1.0, center=(0.3, 0.1, 0.2), inertia=(0.01, 0.02, 0.03, 0.002, 0, 0.001))
FIRST, SECOND = np.array([0.6, 0, 0.8]), np.array([0.8, 0, -0.6])  # perpendicular


def joined(**fields):
    return Closure(name="hold", kind="universal", start=Point(), end=Point(frame="f"), **fields)


@pytest.fixture(scope="module")
def pair():
    """The body on two hinges, and free but held by a universal closure."""
    hinges = (
        Revolute(name="a", axis=tuple(FIRST)),
        Revolute(name="b", parent="a", axis=tuple(SECOND), body=BODY),
    )
    hold = joined(axis=tuple(FIRST), cross_axis=tuple(SECOND))
    held = Robot(name="held", joints=(Free(name="f", body=BODY),), closures=(hold,))
    return chorda.assemble(Robot(name="hinged", joints=hinges)), chorda.assemble(held)


def as_free(q, v):
    """Quaternion, place, angular velocity and velocity of the body on its hinges."""
    one = Rotation.from_rotvec(q[0] * FIRST)
    x, y, z, w = (one * Rotation.from_rotvec(q[1] * SECOND)).as_quat()
    across = one.apply(SECOND)
    return [w, x, y, z, 0, 0, 0], [*(v[0] * FIRST + v[1] * across), 0, 0, 0], across


def test_a_universal_closure_has_four_equations(pair):
    assert pair[1].constraints.names == ("hold.x", "hold.y", "hold.z", "hold.r0")


@pytest.mark.parametrize("q", [(0.0, 0.0), (0.7, -0.4), (-2.0, 1.5), (3.0, 3.0)])
def test_a_body_on_a_universal_closure_accelerates_as_on_two_hinges(pair, q):
    hinged, held = pair
    v = np.array([1.3, -2.1])
    place, speed, across = as_free(q, v)
    assert np.allclose(held.closing(place, [], held.parameters())[0].full(), 0, atol=1e-14)
    a = acceleration(hinged, q, v)
    turning = a[0] * FIRST + a[1] * across + np.cross(v[0] * FIRST, v[1] * across)
    assert np.allclose(acceleration(held, place, speed), [*turning, 0, 0, 0], atol=1e-10)


def test_a_body_on_a_universal_closure_moves_as_on_two_hinges(pair):
    hinged, held = pair
    start = np.array([0.3, 0.5]), np.array([4.0, 3.0])
    place, speed, _ = as_free(*start)
    how = {"duration": 0.5, "step": 2e-4, "scheme": "rk4", "strict": True}
    one = chorda.simulate(hinged, initial=np.concatenate(start), **how)
    two = chorda.simulate(held, initial=[*place, *speed], **how)
    end, speed, _ = as_free(one.position[-1], one.velocity[-1])
    sign = np.sign(np.dot(end[:4], two.position[-1, :4]))  # a turn has two quaternions
    assert np.ptp(one.position, axis=0).min() > 1.0
    assert np.allclose(sign * two.position[-1, :4], end[:4], rtol=0, atol=1e-8)
    assert np.allclose(two.velocity[-1], speed, rtol=0, atol=1e-7)


def test_a_universal_closure_needs_its_second_axis_and_no_other_kind_takes_it():
    with pytest.raises(DescriptionError, match=r"hold: cross_axis: this field is missing; a univ"):
        joined()
    with pytest.raises(DescriptionError, match="expected a direction of length 1, got length 2"):
        joined(cross_axis=(0, 2, 0))
    message = r"cross_axis: expected none for kind: fixed, got \[0.0, 1.0, 0.0\]; leave it out"
    with pytest.raises(DescriptionError, match=message):
        Closure(name="c", kind="fixed", start=Point(), end=Point(), cross_axis=(0, 1, 0))


def planar(cross_axis):
    arm = Body(mass=1.0, center=(0.1, 0, 0), inertia=(0, 0, 0.01, 0, 0, 0))
    joints = (
        Revolute(name="a", body=arm),
        Revolute(name="b", parent="a", placement=Placement(position=(0.2, 0, 0)), body=arm),
        Revolute(name="f", placement=Placement(position=(0.3, 0, 0)), body=arm),
    )
    end = Point(frame="b", point=(0.2, 0, 0))
    hold = Closure(
        name="hold", kind="universal", start=Point(frame="f", point=(0, 0.2, 0)), end=end,
        cross_axis=cross_axis,
    )  # fmt: skip
    return Robot(name="planar", joints=joints, closures=(hold,))


def test_an_angle_that_no_joint_changes_must_be_a_right_one():
    """In a plane the axis across it is perpendicular to all others there, and never to itself."""
    assert chorda.assemble(planar((0, 1, 0))).constraints.names == ("hold.x", "hold.y")
    message = r"hold.cross_axis: expected to stay perpendicular to axis .* whose cosine is 1;"
    with pytest.raises(InputError, match=message):
        chorda.assemble(planar((0, 0, 1)))
