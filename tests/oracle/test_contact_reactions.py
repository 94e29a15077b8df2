"""Reactions of robots that touch: beside levers, the System, and the balance of all forces."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Capsule, Contact, ContactFriction, Plane, Revolute, Robot, Sphere
from chorda.errors import InputError
from chorda.tendons import accelerations, newton_euler
from tests.exact.test_contact_robots import closed_finger
from tests.helpers.evaluate import acceleration
from tests.helpers.touching_robots import GRAVITY, ball, block

MASS, LENGTH, AT = 2.0, 0.6, 0.45


def beam(friction=None):
    """Hinged at its left end, it lies on a round support."""
    inertia = MASS * LENGTH**2 / 12
    body = Body(mass=MASS, center=(LENGTH / 2, 0, 0), inertia=(0, 0, inertia, 0, 0, 0))
    return Robot(
        name="beam",
        joints=[Revolute(name="hinge", friction=0.5, body=body)],
        shapes=[
            Capsule(name="bar", frame="hinge", start="origin", end=(LENGTH, 0, 0), radius=0.01),
            Sphere(name="support", center=(AT, -0.03, 0), radius=0.02),
        ],
        contacts=[
            Contact(name="lies", first="support", second="bar", stiffness=1e7, friction=friction)
        ],
    )


def test_a_beam_on_a_support_loads_its_hinge_as_levers_require():
    rest = chorda.equilibrium(chorda.assemble(beam()), strict=True)
    carried = MASS * GRAVITY * LENGTH / 2 / AT
    assert rest.normal_forces["lies"] == pytest.approx(carried, rel=1e-4)
    found = chorda.reactions(rest)
    force = found["world_force"].sel(joint="hinge").values[0]
    np.testing.assert_allclose(force, [0, MASS * GRAVITY - carried, 0], atol=2e-3)
    np.testing.assert_allclose(found["effort"], 0, atol=1e-9)


def test_what_lies_on_a_floor_needs_nothing_of_its_slide():
    rest = chorda.equilibrium(chorda.assemble(ball(stiffness=1e4)), initial={"y": -1e-4})
    found = chorda.reactions(rest)
    np.testing.assert_allclose(found["world_force"], 0, atol=1e-9)


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
def test_a_block_that_is_braked_by_friction_loads_its_slides_with_nothing(kind):
    more = {"slip_speed": 1e-3} if kind == "smooth" else {"deflection": 1e-5, "relaxation": 1e-3}
    friction = ContactFriction(kind=kind, coefficient=0.4, **more)
    system = chorda.assemble(block(0.2, friction))
    start = {"y": -4.8e-5, "x.rate": 1.0}
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=start)
    found = chorda.reactions(run)
    assert run.outputs["friction_force"].min() < -1
    np.testing.assert_allclose(found["effort"], 0, atol=1e-9)
    # between the slides: what moves the first one's own gram, and nothing across its way
    braking = 1e-6 * np.abs(accelerations(system, run.position, run.velocity, run.input)).max()
    assert np.abs(found["world_force"].sel(joint="y").values).max() < 2 * braking + 1e-4


def test_a_finger_that_closes_has_no_effort_left_and_loads_its_palm_with_all_forces():
    run = closed_finger(every=20)
    found = chorda.reactions(run)
    np.testing.assert_allclose(found["effort"], 0, atol=1e-12)
    k = -1
    normal = run.data["normal_force"].values[k][:, None]
    normal = normal * run.data["contact_normal"].values[k].reshape(-1, 3)
    push = -(normal + run.data["friction_force"].values[k].reshape(-1, 3)).sum(axis=0)
    weight = sum(x.body.mass for x in run.system.robot.joints) * GRAVITY
    on_palm = [str(x) for x in found.element.values if str(x).endswith("path0")]  # in the world
    on_finger = [str(x) for x in found.element.values if str(x) not in on_palm]
    pull = found["pull"].sel(element=on_finger).values[k].sum(axis=0)
    palm = found["world_force"].sel(joint="joint1").values[k]
    np.testing.assert_allclose(palm + push + pull, [0, weight, 0], atol=1e-9)
    assert np.linalg.norm(push) > 0.5


def test_accelerations_by_recursion_are_those_of_the_system_where_shapes_touch():
    run = closed_finger(every=20)
    touching = np.flatnonzero((run.outputs["normal_force"] > 0).any(axis=1))[:3]
    motions = run.position[touching], run.velocity[touching], run.input[touching]
    found = accelerations(run.system, *motions)
    for row, state in zip(found, zip(*motions, strict=True), strict=True):
        np.testing.assert_allclose(row, acceleration(run.system, *state)[: len(row)], rtol=1e-7)


def test_inverse_dynamics_of_what_touches_needs_a_system_and_its_bristles():
    system = chorda.assemble(beam())
    q = [0.0]
    deep = float(system.touch_gaps([-1e-5], [0.0], [], system.parameter_values))
    assert deep < 0
    free = newton_euler(system, [0.1], [0.0], [0.0]).effort
    assert free[0] == pytest.approx(MASS * GRAVITY * LENGTH / 2 * np.cos(0.1))
    held = newton_euler(system, [-1e-5], [0.0], [0.0]).effort
    assert held[0] == pytest.approx(MASS * GRAVITY * LENGTH / 2 + 1e7 * deep * AT, rel=1e-3)
    with pytest.raises(InputError, match="newton_euler of a Robot knows no contacts"):
        newton_euler(system.robot, q, [0.0], [0.0])
    rough = beam(ContactFriction(kind="bristle", coefficient=0.5, deflection=1e-4))
    with pytest.raises(InputError, match=r"bristles of contacts have deflections \(lies.bristle"):
        newton_euler(chorda.assemble(rough), q, [0.0], [0.0])


def test_a_shape_on_the_far_end_of_a_link_is_known():
    """In Denavit-Hartenberg form, where frames have names of two parts."""
    arm = Revolute(
        name="arm",
        link={"a": 0.3, "d": 0.0, "alpha": 0.0, "theta": 0.0},
        body=Body(mass=1.0, center=(0.15, 0, 0)),
    )
    robot = Robot(
        name="arm",
        gravity=(0, -GRAVITY, 0),
        joints=[arm],
        shapes=[
            Sphere(name="tip", frame="arm.tip", radius=0.02),
            Plane(name="floor", point=(0, -0.021, 0)),
        ],
        contacts=[Contact(name="lies", first="floor", second="tip", stiffness=1e6)],
    )
    rest = chorda.equilibrium(chorda.assemble(robot), initial={"arm": -0.004}, strict=True)
    found = chorda.reactions(rest)
    np.testing.assert_allclose(found["effort"], 0, atol=1e-9)
    assert rest.normal_forces["lies"] == pytest.approx(GRAVITY / 2, rel=1e-4)
    force = found["world_force"].sel(joint="arm").values[0]
    np.testing.assert_allclose(force, [0, GRAVITY / 2, 0], atol=1e-3)
