"""A capsule that lies on a box, a capsule or a cylinder: its weight, its tilt, and where it
touches."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Box,
    Capsule,
    Contact,
    ContactFriction,
    Cylinder,
    Prismatic,
    Revolute,
    Robot,
)
from chorda.mechanics.contacts.distances import touches
from chorda.mechanics.contacts.placed_shapes import PlacedBox, PlacedCapsule, PlacedCylinder
from chorda.mechanics.contacts.segment_distances import CROWN
from tests.helpers.lying_rods import lying_rod

HALF, RADIUS, HIGH, MASS = 0.1, 0.02, 0.1, 1.0
WEIGHT = 9.81 * MASS
GROUNDS = ("box", "capsule", "cylinder")


def ground(kind, start, end):
    """Its upper side is RADIUS below the axis of the robot's foot."""
    if kind == "box":
        at, size = ((start + end) / 2, -RADIUS - 0.1, 0), (end - start, 0.2, 1.0)
        return Box(name="ground", center=at, size=size)
    made = Capsule if kind == "capsule" else Cylinder
    ends = ((x, -RADIUS - 0.05, 0) for x in (start, end))
    return made(name="ground", **dict(zip(("start", "end"), ends, strict=True)), radius=0.05)


def foot(kind="box", stiffness=1e5, aside=0.0, span=(-1.0, 1.0), dissipation=2.0):
    """A planar body on a capsule, its centre of mass above the middle or aside of it."""
    body = Body(mass=MASS, center=(aside, HIGH, 0), inertia=(0, 0, 0.002, 0, 0, 0))
    joints = [
        Prismatic(name="x", axis=(1, 0, 0)),
        Prismatic(name="y", parent="x", axis=(0, 1, 0)),
        Revolute(name="tilt", parent="y", body=body),
    ]
    sole = Capsule(name="sole", frame="tilt", start=(-HALF, 0, 0), end=(HALF, 0, 0), radius=RADIUS)
    friction = ContactFriction(kind="bristle", coefficient=0.8, deflection=1e-4, relaxation=1e-3)
    touch = Contact(
        name="lies",
        first="ground",
        second="tilt",
        stiffness=stiffness,
        dissipation=dissipation,
        friction=friction if dissipation else None,
    )
    return chorda.assemble(
        Robot(name="foot", joints=joints, shapes=[sole, ground(kind, *span)], contacts=[touch])
    )


@pytest.mark.parametrize("kind", GROUNDS)
@pytest.mark.parametrize("stiffness", [1e4, 1e5, 1e6])
def test_a_foot_that_was_tilted_comes_to_rest_under_its_weight(kind, stiffness):
    start = {"y": -WEIGHT / stiffness, "tilt": 1e-4}
    for step in (1e-3, 2e-4):
        run = chorda.simulate(
            foot(kind, stiffness), duration=1.0, step=step, initial=start, progress=False
        )
        late = run.time > 0.8
        N = run.data["normal_force"].values[late]
        assert run.status.ok
        assert np.all(np.abs(N - WEIGHT) < 1e-3 * WEIGHT)
        assert np.all(np.abs(run.position[late, 2]) < 1e-5)


@pytest.mark.parametrize("kind", GROUNDS)
@pytest.mark.parametrize("aside", [0.0, 0.06, -0.09])
def test_it_presses_below_its_centre_of_mass_in_equilibrium(kind, aside):
    system = foot(kind, aside=aside)
    run = chorda.simulate(
        system, duration=1.0, step=1e-3, initial={"y": -1e-4, "tilt": 0.0}, progress=False
    )
    assert run.data["contact_point"].values[-1].ravel()[0] == pytest.approx(
        run.position[-1, 0] + aside, abs=2e-4
    )
    rest = chorda.equilibrium(system, initial=run, hold={"x": 0.0}, strict=True)
    assert sum(rest.normal_forces.values()) == pytest.approx(WEIGHT, rel=1e-9)


@pytest.mark.parametrize("span", [(-1.0, -0.02), (0.01, 1.0), (-0.03, 0.03)])
def test_it_stays_on_an_edge_that_is_below_its_centre_of_mass_and_falls_off_one_that_is_not(span):
    inside = sum(np.clip(span, -HALF, HALF)) / 2
    for aside, falls in ((inside, False), (inside + 0.15 * (1 if inside <= 0 else -1), True)):
        run = chorda.simulate(
            foot(aside=aside, span=span),
            duration=0.3,
            step=1e-3,
            initial={"y": -1e-4},
            progress=False,
        )
        assert (abs(run.position[-1, 2]) > 0.01) == falls


def placed(kind):
    """The ground, and a capsule over it at a height and a tilt."""
    y, tilt = ca.SX.sym("y"), ca.SX.sym("tilt")
    ends = [ca.vertcat(x * ca.cos(tilt), y + x * ca.sin(tilt), 0) for x in (-HALF, HALF)]
    below = {
        "box": PlacedBox(ca.SX([0, -0.12, 0]), ca.SX.eye(3), ca.SX([1, 0.1, 1]), ca.SX(0)),
        "capsule": PlacedCapsule(ca.SX([-1, -0.07, 0]), ca.SX([1, -0.07, 0]), ca.SX(0.05)),
        "cylinder": PlacedCylinder(ca.SX([0, -0.07, 0]), ca.SX([1, 0, 0]), ca.SX(1.0), ca.SX(0.05)),
    }
    (touch,) = touches(below[kind], PlacedCapsule(*ends, ca.SX(RADIUS)))
    return ca.Function("touch", [y, tilt], [touch.gap, touch.point[0]])


@pytest.mark.parametrize("kind", GROUNDS)
def test_its_tilt_is_as_stiff_as_its_crown(kind):
    """k L^2 / (8 CROWN): the point is moved by half the length over a tilt of 4 CROWN depth / L,
    for the depth of the lower end."""
    touch, depth, k = placed(kind), 1e-4, 1e5
    for tilt in (1e-6, -5e-5, 1e-4):
        most = 4 * CROWN * (depth + HALF * abs(tilt)) / (2 * HALF)
        gap, x = (float(a) for a in touch(-depth, tilt))
        assert x == pytest.approx(-HALF * tilt / most, rel=1e-3)
    gap, x = (float(a) for a in touch(-depth, 1e-8))
    assert k * gap * x / 1e-8 == pytest.approx(k * (2 * HALF) ** 2 / (8 * CROWN), rel=1e-3)


@pytest.mark.parametrize("kind", GROUNDS)
def test_its_point_and_depth_do_not_jump_and_are_exact_beyond_the_crown(kind):
    touch, depth = placed(kind), 1e-4
    most = 4 * CROWN * depth / (2 * HALF)
    tilts = np.linspace(-3 * most, 3 * most, 2001)
    gap, x = (a.full().ravel() for a in touch.map(len(tilts))(-depth, tilts[None, :]))
    assert np.max(np.abs(np.diff(x))) < 4 * HALF * 3 / 1000
    assert np.max(np.abs(np.diff(gap))) < 2 * HALF * (tilts[1] - tilts[0])
    ends = depth + HALF * np.abs(np.sin(tilts)) + RADIUS * (np.cos(tilts) - 1)
    beyond = np.abs(tilts) > 1.5 * most
    np.testing.assert_allclose(-gap[beyond], ends[beyond], rtol=0, atol=1e-8)
    assert np.all(ends + gap < CROWN * depth)
    lifted = touch.map(len(tilts))(1e-6 + HALF * np.abs(tilts)[None, :], tilts[None, :])[0].full()
    exact = 1e-6 + HALF * (np.abs(tilts) - np.abs(np.sin(tilts)))
    np.testing.assert_allclose(lifted.ravel(), exact, rtol=0, atol=1e-9)


def test_where_steps_are_too_long_for_it_the_status_says_so():
    start = {"y": -WEIGHT / 1e7, "tilt": 1e-4}
    run = chorda.simulate(
        foot(stiffness=1e7), duration=0.5, step=2e-3, initial=start, progress=False
    )
    assert run.data["normal_force"].values[-40:].mean() > 2 * WEIGHT
    assert "Contact lies touches along a line and is thrown from end to end" in str(run.status)
    run = chorda.simulate(
        foot(stiffness=1e7), duration=0.5, step=2e-4, initial=start, progress=False
    )
    assert run.data["normal_force"].values[-40:].mean() == pytest.approx(WEIGHT, rel=1e-3)
    assert "thrown from end" not in str(run.status)


@pytest.mark.parametrize("table", ["box", "capsule"])
def test_the_parts_of_a_rod_that_lies_press_with_its_weight_together(table):
    system = chorda.assemble(lying_rod(table))
    weight = 1200.0 * np.pi * 0.005**2 * 0.4 * 9.81
    run = chorda.simulate(system, duration=1.0, step=2e-3, initial={"turn": 1e-3})
    assert run.status.ok
    assert run.counts["iterations"] < 20 * run.counts["steps"]
    late = run.data["normal_force"].values[len(run.time) // 2 :].sum(axis=1)
    assert np.mean(late) == pytest.approx(weight, rel=2e-3)
    np.testing.assert_allclose(late, weight, rtol=0.1)
    rest = chorda.equilibrium(system)
    assert rest.status.ok
    assert sum(rest.normal_forces.values()) == pytest.approx(weight, rel=1e-6)
