"""Shapes and contacts that cannot be: each is refused with a field, what came, and a remedy."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Bore,
    Box,
    Capsule,
    Contact,
    Cylinder,
    Fixed,
    Placement,
    Revolute,
    Robot,
    RodTube,
    Sphere,
)
from chorda.errors import ChordaError, InputError
from tests.helpers.touching_robots import ball

A, B = (-0.5, 0, 0), (0.5, 0, 0)
BODIES = {
    "sphere": Sphere(name="body", frame="arm", radius=0.3),
    "capsule": Capsule(name="body", frame="arm", start=A, end=B, radius=0.2),
    "box": Box(name="body", frame="arm", size=(1, 0.4, 0.6), rounding=0.05),
    "cylinder": Cylinder(name="body", frame="arm", start=A, end=B, radius=0.2),
}
OBSTACLES = {
    "sphere": Sphere(name="inside", radius=0.05),
    "capsule": Capsule(name="inside", start=(-0.1, 0, 0), end=(0.1, 0, 0), radius=0.05),
    "across": Capsule(name="inside", start=(0, 0, -0.1), end=(0, 0, 0.1), radius=0.05),
    "skewer": Capsule(name="inside", start=(0, -1, 0.01), end=(0, 1, 0.01), radius=0.05),
}


def arm(shapes, contacts, **more):
    body = Body(mass=1.0, center=(0.1, 0, 0), inertia=(0, 0, 0.1, 0, 0, 0))
    joints = [
        Revolute(name="arm", body=body),
        Revolute(name="hand", parent="arm", placement=Placement(position=(1, 0, 0)), body=body),
        Fixed(name="plate", parent="arm", placement=Placement(position=(0.2, 0, 0))),
    ]
    return Robot(name="arm", joints=joints, shapes=shapes, contacts=contacts, **more)


def touch(first, second):
    return Contact(name="touch", first=first, second=second, stiffness=1e4)


@pytest.mark.parametrize("inside", OBSTACLES)
@pytest.mark.parametrize("body", BODIES)
def test_an_obstacle_inside_a_body_is_said_with_its_depth(body, inside):
    robot = arm([BODIES[body], OBSTACLES[inside]], [touch("inside", "body")])
    with pytest.raises(InputError, match="overlap by") as refused:
        chorda.assemble(robot)
    text = str(refused.value)
    assert "shapes 'inside' and 'body' of contact 'touch'" in text
    assert "move one of them, or give `start` coordinates" in text
    depth = float(text.split("overlap by ")[1].split(" mm")[0])
    assert 0.05 * 1e3 <= depth < 2e3


@pytest.mark.parametrize(
    ("body", "inside"), [("sphere", "sphere"), ("capsule", "across"), ("box", "skewer")]
)
def test_a_motion_from_inside_a_body_says_that_nothing_parts_them(body, inside):
    """The arm's pivot is inside the obstacle, so that no force between both turns it."""
    away = _shifted(OBSTACLES[inside], 5.0)
    system = chorda.assemble(arm([BODIES[body], away], [touch("inside", "body")]))
    moved = {f"inside.{field}.y": y - 5.0 for field, y in _heights(away)}
    how = {"duration": 2e-3, "step": 1e-4}
    run = chorda.simulate(system, parameters=moved, **how)
    assert "'inside' and 'body' of contact 'touch' overlap by" in run.status.message
    assert "no motion parts them" in run.status.message
    assert np.isfinite(run.outputs["normal_force"]).all()
    assert "overlap" not in chorda.simulate(system, **how).status.message


def _heights(shape):
    fields = ("center",) if isinstance(shape, Sphere) else ("start", "end")
    return [(field, getattr(shape, field)[1]) for field in fields]


def _shifted(shape, by):
    fields = ("center",) if isinstance(shape, Sphere) else ("start", "end")
    at = {x: getattr(shape, x) for x in fields}
    at = {x: (0.0, 0.0, 0.0) if p == "origin" else p for x, p in at.items()}
    return shape.model_copy(update={x: (p[0], p[1] + by, p[2]) for x, p in at.items()})


def test_overlapping_neighbours_say_by_how_much_and_a_start_that_parts_them_is_taken():
    shapes = [
        Capsule(name="upper", frame="arm", start=(0, 0, 0), end=(0.9, 0, 0), radius=0.05),
        Capsule(name="lower", frame="hand", start=(0.1, 0.08, 0), end=(0.8, 0.08, 0), radius=0.05),
        Sphere(name="stone", center=(1.5, 0.1, 0), radius=0.05),
    ]
    robot = arm(shapes, [touch("stone", "hand")])
    with pytest.raises(InputError, match=r"'stone' and 'lower' .* overlap by 80 mm"):
        chorda.assemble(robot)
    parted = robot.model_copy(update={"start": {"hand": -0.5}})
    assert chorda.assemble(parted)


@pytest.mark.parametrize(
    ("frame", "other"),
    [("arm", "arm"), ("arm", "plate"), ("world", "world"), ("plate", "plate")],
)
def test_pairs_that_cannot_move_against_each_other_are_refused(frame, other):
    shapes = [
        Sphere(name="a", frame=frame, center=(0, 1, 0), radius=0.1),
        Sphere(name="b", frame=other, center=(0, -1, 0), radius=0.1),
    ]
    with pytest.raises(
        ChordaError, match=r"'a' \(on \w+\) and 'b' \(on \w+\) cannot move against each other"
    ) as found:
        arm(shapes, [touch("a", "b")])
    assert "contacts.0" in str(found.value)


def test_a_subtree_with_a_shape_that_is_fixed_to_the_other_is_refused():
    shapes = [
        Sphere(name="a", frame="arm", center=(0, 1, 0), radius=0.1),
        Sphere(name="b", frame="plate", center=(0, -1, 0), radius=0.1),
    ]
    with pytest.raises(ChordaError, match=r"'a' .* cannot move against each other"):
        arm(shapes, [touch("a", "plate")])
    with pytest.raises(ChordaError, match="'a' is in both first and second"):
        arm(shapes, [touch("a", "arm")])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda x: Sphere(name="s", radius=x), "radius"),
        (lambda x: Capsule(name="s", start=A, end=B, radius=x), "radius"),
        (lambda x: Cylinder(name="s", start=A, end=B, radius=x), "radius"),
        (lambda x: Bore(name="s", points=(A, B), radius=x), "radius"),
        (lambda x: RodTube(name="s", rod="r", radius=x), "radius"),
        (lambda x: Box(name="s", size=(1, x, 1)), "size: expected three positive lengths"),
    ],
    ids=["sphere", "capsule", "cylinder", "bore", "rod", "box"],
)
@pytest.mark.parametrize("value", [-0.1, 0.0])
def test_sizes_of_nothing_or_less_are_refused(make, words, value):
    with pytest.raises(ChordaError, match=words):
        make(value)


@pytest.mark.parametrize("frame", ["nowhere", "arm.top", "hand.tip.x", ""])
def test_unknown_frames_are_refused_with_those_that_there_are(frame):
    with pytest.raises(ChordaError, match=r"shapes\.0\.frame") as found:
        arm([Sphere(name="a", frame=frame, radius=0.1)], [])
    assert "world" in str(found.value)


def test_parameters_that_turn_a_radius_around_are_refused():
    system = chorda.assemble(ball(0.1, stiffness=1e4))
    for verb in (
        lambda p: chorda.simulate(system, duration=0.01, step=1e-3, parameters=p),
        lambda p: chorda.equilibrium(system, parameters=p),
    ):
        with pytest.raises(InputError, match=r"ball\.radius"):
            verb({"ball.radius": -0.1})


@pytest.mark.parametrize(
    "again",
    [("stone", "finger"), ("finger", "stone"), ("stone", "hand"), ("hand", ["rock", "stone"])],
    ids=["again", "reversed", "subtree", "listed subtree"],
)
def test_a_pair_of_shapes_in_two_contacts_is_refused_with_the_names_of_both(again):
    """Both forces would act."""
    shapes = [
        Sphere(name="palm", frame="hand", center=(0, 1, 0), radius=0.1),
        Sphere(name="finger", frame="hand", center=(0, 2, 0), radius=0.1),
        Sphere(name="stone", center=(5, 0, 0), radius=0.1),
        Sphere(name="rock", center=(6, 0, 0), radius=0.1),
    ]
    special = Contact(name="special", first=again[0], second=again[1], stiffness=1e4)
    with pytest.raises(ChordaError, match=r"contacts\.1: ") as refused:
        arm(shapes, [touch("arm", "stone"), special])
    text = str(refused.value)
    assert "touch in contact 'special' and in contact 'touch'" in text
    assert "'stone'" in text
    assert "take it out of one of them" in text
    apart = special.model_copy(update={"first": ("finger",), "second": ("rock", "stone")})
    assert arm(shapes, [touch("palm", "stone"), apart])
