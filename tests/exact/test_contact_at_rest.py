"""Contacts in the verbs of statics against closed forms: two springs in series, walls that hold
what would fall, a ball on a ball."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Contact,
    ContactFriction,
    Cylinder,
    Free,
    Plane,
    Prismatic,
    Revolute,
    Robot,
    Sphere,
)
from tests.helpers.touching_robots import GRAVITY as G
from tests.helpers.touching_robots import KINDS, block, changed
from tests.helpers.touching_robots import MASS as BLOCK

SPRING, WALL, AWAY, RADIUS = 200.0, 3000.0, 0.1, 0.02
IN_SERIES = SPRING * WALL / (SPRING + WALL)
TOUCH = "touch"
BRISTLE = 1e-4  # [m] deflection at which a block slides


def pushed():
    """A ball on a spring on a slide, pushed to the right against a wall."""
    return Robot(
        name="pushed",
        gravity=(0, 0, 0),
        joints=[
            Prismatic(name="slide", axis=(1, 0, 0), body=Body(mass=0.1)),
            Prismatic(
                name="spring", parent="slide", axis=(1, 0, 0), stiffness=SPRING, body=Body(mass=0.1)
            ),
        ],
        shapes=[
            Sphere(name="ball", frame="spring", radius=RADIUS),
            Plane(name="wall", point=(AWAY + RADIUS, 0, 0), normal=(-1, 0, 0)),
        ],
        contacts=[Contact(name=TOUCH, first="wall", second="ball", stiffness=WALL)],
    )


def pressing(slide, wall=WALL):
    """Of the wall, where the slide is there [N]."""
    return SPRING * wall / (SPRING + wall) * np.maximum(np.asarray(slide) - AWAY, 0)


@pytest.fixture(scope="module")
def away():
    """At rest before it touches."""
    return chorda.equilibrium(chorda.assemble(pushed()), hold={"slide": 0.0}, strict=True)


def test_an_equilibrium_balances_two_springs_in_series(away):
    rest = chorda.equilibrium(away.system, hold={"slide": 0.15}, strict=True)
    assert rest.normal_forces[TOUCH] == pytest.approx(pressing(0.15), rel=1e-9)
    assert rest.gaps[TOUCH] == pytest.approx(-pressing(0.15) / WALL, rel=1e-9)
    assert rest.efforts["slide"] == pytest.approx(pressing(0.15), rel=1e-9)
    assert away.gaps[TOUCH] == pytest.approx(AWAY, rel=1e-12)
    assert away.normal_forces[TOUCH] == 0


def test_a_path_goes_through_the_touch_and_back(away):
    there = np.linspace(0.0, 0.2, 41)
    path = chorda.follow(
        away, hold={"slide": np.concatenate([there, there[::-1][1:]])}, strict=True
    )
    slide = path.q[:, 0]
    assert slide[[0, 40, -1]] == pytest.approx([0.0, 0.2, 0.0], abs=1e-12)
    np.testing.assert_allclose(path.normal_forces[TOUCH], pressing(slide), atol=1e-9)
    np.testing.assert_allclose(path.efforts["slide"], pressing(slide), atol=1e-9)
    # slide locked: the spring alone, or the spring and the wall beside each other
    stiffness = path.stability["locked"].eigenvalues[:, 0]
    beside = SPRING + np.where(path.gaps[TOUCH] < 0, WALL, 0)
    np.testing.assert_allclose(stiffness / stiffness[0], beside / SPRING, rtol=1e-9)
    at = float(path.parameter[np.flatnonzero(slide > AWAY + 1e-9)[0]])
    assert f"wall and ball touch from {at:.1%} on" in path.status.message


def test_a_path_to_a_given_force_finds_where_the_wall_gives_it(away):
    first = chorda.equilibrium(away.system, efforts={"slide": 1.0}, initial={"slide": 0.11})
    path = chorda.follow(first, efforts={"slide": 20.0}, points=10, strict=True)
    np.testing.assert_allclose(path.normal_forces[TOUCH], np.linspace(1, 20, 11), rtol=1e-9)
    np.testing.assert_allclose(path.q[:, 0], AWAY + np.linspace(1, 20, 11) / IN_SERIES, rtol=1e-9)


def test_members_of_a_batch_touch_each_for_itself(away):
    slide = np.array([0.05, 0.12, 0.2, 0.3])
    wall = np.array([1e3, 1e3, 1e5, 1e7])
    stiffness = {f"{TOUCH}.stiffness": wall}
    batch = chorda.equilibrium_batch(away, hold={"slide": slide}, parameters=stiffness)
    assert batch.ok.all()
    np.testing.assert_allclose(batch.normal_forces[TOUCH], pressing(slide, wall), rtol=1e-6)
    np.testing.assert_allclose(batch.efforts["slide"], pressing(slide, wall), rtol=1e-6)
    assert batch.at(2).normal_forces[TOUCH] == pytest.approx(pressing(0.2, 1e5), rel=1e-6)


@pytest.mark.parametrize("cells", [8, 21, 101])  # with 21 and 101, it touches just in a cell
@pytest.mark.parametrize("begin", [0.0, 0.2])
def test_a_workspace_goes_through_the_touch_from_either_side(away, cells, begin):
    slide = np.linspace(0, 0.2, cells)
    first = chorda.equilibrium(away.system, hold={"slide": begin}, strict=True)
    over, limits = {"slide": (0.0, 0.2, cells)}, {"slide.effort": 10.0}
    space = chorda.workspace(first, over, limits=limits, jobs=1)
    assert space.reached.all(), space.status
    np.testing.assert_allclose(space.quantity("slide.effort"), pressing(slide), atol=1e-8)
    np.testing.assert_array_equal(space.usable, pressing(slide) <= 10.0)


MASS, ARM, GRAVITY, PRELOAD = 1.0, 0.5, 9.81, 1e-3
CRITICAL = MASS * GRAVITY / (2 * ARM)  # stiffness of each of two walls that just hold it [N/m]


def upright(stiffness):
    """A pendulum that stands on its pivot between two walls."""
    return Robot(
        name="upright",
        joints=[Revolute(name="arm", body=Body(mass=MASS, center=(0, ARM, 0)))],
        shapes=[
            Sphere(name="ball", frame="arm", center=(0, ARM, 0), radius=RADIUS),
            Plane(name="left", point=(-RADIUS, 0, 0), normal=(1, 0, 0)),
            Plane(name="right", point=(RADIUS, 0, 0), normal=(-1, 0, 0)),
        ],
        contacts=[
            Contact(name="walls", first=("left", "right"), second="ball", stiffness=stiffness)
        ],
    )


@pytest.mark.parametrize(("factor", "stable"), [(0.9, False), (1.1, True), (100.0, True)])
def test_walls_hold_what_would_fall_where_they_are_stiffer_than_its_weight(factor, stable):
    system = chorda.assemble(upright(factor * CRITICAL))
    pressed = {"ball.radius": RADIUS + PRELOAD}
    rest = chorda.equilibrium(system, parameters=pressed, strict=True)
    assert rest.q[0] == pytest.approx(0, abs=1e-12)
    assert list(rest.normal_forces.values()) == pytest.approx(
        [factor * CRITICAL * PRELOAD] * 2, rel=1e-9
    )
    expected = 2 * factor * CRITICAL * ARM**2 - MASS * GRAVITY * ARM
    locked = chorda.stability(rest)["locked"]
    assert locked.eigenvalues[0] == pytest.approx(expected, rel=1e-8)
    assert locked.stable == stable
    assert (rest.stability == "stable") == stable
    # the motion agrees: nudged, it stays, or falls until a wall is deep
    how = {"duration": 1.5, "step": 1e-3, "parameters": pressed}
    run = chorda.simulate(system, initial={"arm": 1e-5}, **how)
    assert (np.abs(run.position).max() < 2e-5) == stable


@pytest.mark.parametrize(("below", "stable"), [("hill", False), ("bowl", True)])
def test_a_ball_rests_in_a_bowl_of_balls_and_not_on_top_of_one(below, stable):
    """Frictionless: on a hill the weight over the distance of both centres pushes it off."""
    balls = {"hill": [0.0], "bowl": [-0.05, 0.05]}[below]
    stiffness = 1e5
    far = 0.1  # of centres of two balls that touch
    height = np.sqrt(far**2 - balls[0] ** 2)
    robot = Robot(
        name="balls",
        joints=[
            Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=1e-6)),
            Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=MASS)),
        ],
        shapes=[
            Sphere(name="ball", frame="y", center=(0, height, 0), radius=far / 2),
            *(
                Sphere(name=f"ground{k}", center=(x, 0, 0), radius=far / 2)
                for k, x in enumerate(balls)
            ),
        ],
        contacts=[
            Contact(
                name="lies",
                first=tuple(f"ground{k}" for k in range(len(balls))),
                second="ball",
                stiffness=stiffness,
            )
        ],
    )
    rest = chorda.equilibrium(chorda.assemble(robot), initial={"y": -1e-5}, strict=True)
    forces = np.array(list(rest.normal_forces.values()))
    centre = np.array([0.0, height + rest.q[1]])
    normals = np.array([centre - [x, 0] for x in balls])
    D = np.linalg.norm(normals, axis=1)
    normals = normals / D[:, None]
    np.testing.assert_allclose((forces[:, None] * normals).sum(0), [0, MASS * GRAVITY], atol=1e-7)
    # of each: k n n^T - N / D (1 - n n^T)
    K = sum(
        stiffness * np.outer(n, n) - N / d * (np.eye(2) - np.outer(n, n))
        for n, N, d in zip(normals, forces, D, strict=True)
    )
    found = chorda.stability(rest)["locked"].eigenvalues
    np.testing.assert_allclose(found, np.linalg.eigvalsh(K), rtol=1e-7)
    assert (rest.stability == "stable") == stable


BRISTLES = {"kind": "bristle", "coefficient": 0.5, "relaxation": 1e-3}


RUBS = 0.005


def under_a_ceiling(deflection):
    """The pendulum on its pivot, whose ball is pressed against a ceiling that rubs."""
    robot = upright(1e4)
    ceiling = Plane(name="ceiling", point=(0, ARM + RADIUS, 0), normal=(0, -1, 0))
    friction = ContactFriction(deflection=deflection, **BRISTLES | {"coefficient": RUBS})
    contact = Contact(name="rubs", first="ceiling", second="ball", stiffness=1e4, friction=friction)
    return changed(robot, shapes=[robot.shapes[0], ceiling], contacts=[contact])


@pytest.mark.parametrize(("factor", "stable"), [(0.9, False), (1.1, True)])
def test_bristles_that_stick_hold_what_would_fall_where_they_are_stiff_enough(factor, stable):
    N, height = 1e4 * PRELOAD, ARM + RADIUS + PRELOAD / 2
    falls = MASS * GRAVITY * ARM + N * ARM  # the ball goes down as it turns away
    deflection = RUBS * N * height**2 / (factor * falls)
    system = chorda.assemble(under_a_ceiling(deflection))
    pressed = {"ball.radius": RADIUS + PRELOAD}
    rest = chorda.equilibrium(system, initial={"arm": 0.0}, parameters=pressed, strict=True)
    verdicts = chorda.stability(rest)
    assert verdicts["locked"].eigenvalues[0] == pytest.approx((factor - 1) * falls, rel=1e-3)
    assert verdicts["locked"].stable == verdicts["constant efforts"].stable == stable
    assert (rest.stability == "stable") == stable
    run = chorda.simulate(
        system, initial={"arm": 1e-7}, duration=3.0, step=1e-3, parameters=pressed
    )
    assert (np.abs(run.position[:, 0]).max() < 1e-5) == stable


ANGLE = 0.2
SLIDES = np.tan(ANGLE) * (1 + 2e-6)  # coefficient with which the block, whose slide weighs, slides


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_a_block_that_friction_holds_on_a_slope_is_as_stable_as_its_bristles_are_stiff(part):
    """Bent by that part of what they can be, they resist more of it with the rest."""
    deflection = 1e-4
    mu = SLIDES / part
    friction = ContactFriction(**BRISTLES | {"coefficient": mu, "deflection": deflection})
    system = chorda.assemble(block(ANGLE, friction, stiffness=1e5))
    weight = 0.5 * GRAVITY
    start = {"y": -weight * np.cos(ANGLE) / 1e5, "touch.bristle.x": part * deflection}
    rest = chorda.equilibrium(system, initial=start, strict=True)
    assert rest.stability == "stable"
    locked = chorda.stability(rest)["locked"]
    expected = mu * weight * np.cos(ANGLE) / deflection * (1 - part)
    assert locked.eigenvalues[0] == pytest.approx(expected, rel=1e-2)
    run = chorda.simulate(
        system, initial=rest.q + np.array([1e-8, 0, 0, 0]), duration=0.5, step=1e-3
    )
    assert np.abs(run.position - rest.q).max() < 1e-6


def test_what_nothing_holds_on_a_slope_is_named():
    """Bristles that are bent as far as they can resist no more; it slides."""
    friction = ContactFriction(**BRISTLES | {"coefficient": SLIDES, "deflection": 1e-4})
    system = chorda.assemble(block(ANGLE, friction, stiffness=1e5))
    start = {"y": -0.5 * GRAVITY * np.cos(ANGLE) / 1e5, "touch.bristle.x": 1e-4}
    rest = chorda.equilibrium(system, initial=start, strict=True)
    assert rest.stability == "neutral"
    assert "NEUTRAL along x:" in rest.status.message


@pytest.mark.parametrize("duration", [0.1, 0.3])
def test_a_block_that_has_nearly_come_to_rest_on_a_slope_is_held_by_its_bristles(duration):
    """What is left of its motion bends them further, as its weight does, m g sin a in all."""
    angle = 0.2
    system = chorda.assemble(block(angle, KINDS["bristle"]))
    run = chorda.simulate(system, duration=duration, step=2e-4, initial={"y": -4e-5})
    rest = chorda.equilibrium(system, initial=run, strict=True)
    weight = BLOCK * G
    assert rest.normal_forces["touch"] == pytest.approx(weight * np.cos(angle), rel=1e-9)
    row = system.coordinate_names.index("touch.bristle.x")
    held = 0.5 * weight * np.cos(angle) * rest.q[row] / BRISTLE
    slides = 1e-6  # [kg] of the slide along the slope, which the floor does not carry
    assert held == pytest.approx((BLOCK + slides) * G * np.sin(angle), rel=2e-8)  # they relax
    shift, bent = (rest.q - run.position[-1])[[0, row]]
    assert shift == pytest.approx(bent, rel=1e-9)
    assert 0 < abs(shift) < 0.05 * BRISTLE
    assert "They were bent with the robot from there" in rest.status.message


def test_a_post_that_stands_on_a_floor_is_at_rest_where_its_motion_ended():
    """A motion leaves 0.3 uN along the floor, which nothing but bristles resists."""
    radius, height = 0.05, 0.2
    across = (3 * radius**2 + height**2) / 12
    body = Body(mass=1.0, inertia=(across, radius**2 / 2, across, 0, 0, 0))
    ends = {"start": (0, -height / 2, 0), "end": (0, height / 2, 0)}
    post = Robot(
        name="post",
        joints=[Free(name="c", body=body)],
        shapes=[
            Cylinder(name="post", frame="c", radius=radius, **ends),
            Plane(name="floor", point=(0, -height / 2, 0)),
        ],
        contacts=[
            Contact(
                name="touch",
                first="floor",
                second="post",
                stiffness=1e5,
                dissipation=3.0,
                friction=KINDS["bristle"],
            )
        ],
    )
    system = chorda.assemble(post)
    run = chorda.simulate(system, duration=1.0, step=2e-4)
    rest = chorda.equilibrium(system, initial=run, strict=True)
    assert sum(rest.normal_forces.values()) == pytest.approx(G, rel=1e-9)
    assert np.abs(rest.q - run.position[-1]).max() < 1e-9
    assert rest.stability == "stable"
