"""A rod that is fed through a tube with friction pushes as the capstan's law has it."""

import numpy as np
import pytest

import chorda
from chorda.describe import Capsule, Contact, Robot, RodTube
from tests.helpers.fed_robots import single
from tests.helpers.rods_in_bores import CLEARANCE, RADIUS, on_a_circle, wire_radius

MU = 0.3


def fed(system, speed, first=0.07, duration=0.6, slide=0.0, **more):
    return chorda.simulate(
        system,
        duration=duration,
        step=1e-3,
        inputs=lambda t: [first + speed * t, 0.0],
        initial={"wire.length": first, "wire.length.rate": speed, "slide": slide},
        strict=True,
        **more,
    )


def lengths(run):
    return run.position[:, list(run.system.coordinate_names).index("wire.length")]


def efforts(run):
    return run.data["effort"].values.ravel()


@pytest.fixture(scope="module")
def outside():
    return chorda.assemble(on_a_circle())


@pytest.fixture(scope="module")
def pushed(outside):
    return fed(outside, 0.12)


def turned(length, side=1):
    """Angle by which a wire turns on the wall; friction acts at its surface."""
    return length / wire_radius(side) * (1 + side * RADIUS / wire_radius(side))


@pytest.mark.parametrize("at", [0.08, 0.11, 0.14])
def test_the_push_grows_with_the_capstan_of_the_bend(pushed, at):
    k = int(np.argmin(abs(lengths(pushed) - at)))
    expected = MU * turned(lengths(pushed)[k])
    assert np.log(efforts(pushed)[k]) == pytest.approx(expected, rel=3e-3)


def test_a_wire_that_is_drawn_back_pulls_with_the_same_capstan(outside):
    inside = {"wire.rest.bend_z0": 1 / wire_radius(-1), "back.force.x": 1.0}
    run = fed(outside, -0.12, first=0.14, parameters=inside, slide=2 * CLEARANCE)
    at = lengths(run) < 0.12
    expected = MU * turned(lengths(run)[at], side=-1)
    assert np.log(-efforts(run)[at]) == pytest.approx(expected, rel=3e-3)


def test_without_friction_the_feeder_holds_what_pushes_at_the_tip(outside):
    run = fed(outside, 0.12, duration=0.3, parameters={"inside.friction.coefficient": 0.0})
    assert efforts(run)[100:] == pytest.approx(1.0, rel=1e-4)


def test_the_surface_slides_with_the_speed_of_the_feed(pushed):
    """The material does: the rod's slices stay at their fractions of its length."""
    sliding = pushed.data["sliding_velocity"].values[-1].reshape(-1, 3)
    expected = 0.12 * (1 + RADIUS / wire_radius(1))
    assert np.linalg.norm(sliding, axis=1)[:-1] == pytest.approx(expected, rel=1e-4)


def test_what_the_feeder_does_is_what_friction_loses(pushed):
    friction = pushed.data["friction_force"].values[-1].reshape(-1, 3)
    sliding = pushed.data["sliding_velocity"].values[-1].reshape(-1, 3)
    lost = -(friction * sliding).sum()
    normal = pushed.data["normal_force"].values[-1]
    assert np.linalg.norm(friction, axis=1) == pytest.approx(MU * normal, rel=1e-5)
    assert efforts(pushed)[-1] * 0.12 == pytest.approx(lost + 1.0 * 0.12, rel=1e-4)


def slowed(t):
    """The length that is fed at 0.12 m/s, slower from 0.2 s on, and not at all from 0.3 s on."""
    late = min(max(t - 0.2, 0.0), 0.1)
    return [0.07 + 0.12 * (min(t, 0.2) + late - late**2 / 0.2), -1.2 if 0 < late < 0.1 else 0.0]


@pytest.mark.slow
def test_bristles_that_slide_are_the_same_capstan_and_hold_it_when_the_feed_stops():
    system = chorda.assemble(on_a_circle(friction="bristle", functions=4, slices=6))
    run = chorda.simulate(
        system,
        duration=0.5,
        step=1e-3,
        inputs=slowed,
        initial={"wire.length.rate": 0.12},
        scheme="implicit-euler",  # bdf2 steps back by a hair where the acceleration jumps
        strict=True,
    )
    after = run.time > 0.1
    expected = np.exp(MU * turned(lengths(run)))
    assert efforts(run)[after] == pytest.approx(expected[after], rel=3e-4)
    assert np.abs(run.data["sliding_velocity"].values[-1]).max() < 1e-9


def test_a_rod_that_is_fed_over_a_peg_slides_on_it_with_the_speed_of_the_feed():
    """A peg touches capsules, between whose slices the material passes as it does at them."""
    down = {"name": "pull", "at": {"frame": "leg.tip"}, "force": [0, -0.2, 0]}
    lead = {"name": "lead", "kind": "motion", "joint": "leg.length"}
    bare = single(loads=[down], actuators=[lead], bend_damping=1e-3, modes={"intervals": 5})
    peg = Capsule(name="peg", start=(0.25, -0.011, -0.1), end=(0.25, -0.011, 0.1), radius=0.01)
    rubs = {"coefficient": 0.3, "slip_speed": 1e-4}
    touch = Contact(name="lies", first="peg", second="skin", stiffness=1e5, friction=rubs)
    fields = {x: getattr(bare, x) for x in bare.model_fields_set}
    shapes = [RodTube(name="skin", rod="leg"), peg]
    robot = Robot(**fields | {"shapes": shapes, "contacts": [touch]})
    run = fed_over(chorda.assemble(robot), 0.5, 0.05)
    N = run.data["normal_force"].values[-1]
    sliding = run.data["sliding_velocity"].values[-1].reshape(-1, 3)[N > 0]
    friction = run.data["friction_force"].values[-1].reshape(-1, 3)[N > 0]
    assert 1 <= np.count_nonzero(N) <= 2
    assert np.linalg.norm(sliding, axis=1) == pytest.approx(0.05, rel=0.02)
    assert (friction * sliding).sum() == pytest.approx(-0.3 * N.sum() * 0.05, rel=0.02)
    smooth = fed_over(run.system, 0.5, 0.05, {"lies.friction.coefficient": 0.0})
    more = efforts(run)[-1] - efforts(smooth)[-1]
    assert more == pytest.approx(0.3 * N.sum(), rel=0.05)


def fed_over(system, first, speed, parameters=None):
    return chorda.simulate(
        system,
        duration=0.3,
        step=1e-3,
        inputs=lambda t: [first + speed * t, 0.0],
        initial={"leg.length.rate": speed},
        parameters=parameters,
        strict=True,
    )
