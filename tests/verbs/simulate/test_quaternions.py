"""Quaternions have length 1 at every door: nearly so is scaled, anything else is refused."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Free, Placement, Revolute, Robot
from chorda.errors import ChordaError, InputError
from chorda.view import plot_configuration

BODY = Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))
MOTION = {"duration": 2e-3, "step": 1e-3, "scheme": "rk4"}
HALF = np.array([0.7071068, 0.0, 0.0, 0.7071068])  # a quarter turn, with seven digits
PARTS = ("hull.ew", "hull.ex", "hull.ey", "hull.ez")


def ship(**parts):
    return Robot(name="ship", gravity=(0, 0, 0), joints=(Free(name="hull", body=BODY),), **parts)


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(ship())


def by_name(e):
    return dict(zip(PARTS, map(float, e), strict=True))


def row(e):
    return [*map(float, e), 0.1, 0.2, 0.3]


DOORS = {
    "simulate by name": lambda s, e: chorda.simulate(s, **MOTION, initial=by_name(e)).position[0],
    "simulate a row": lambda s, e: chorda.simulate(s, **MOTION, initial=row(e)).position[0],
    "rollout by name": lambda s, e: chorda.rollout(
        s, **MOTION, every=1, initial={k: np.full(2, x) for k, x in by_name(e).items()}
    ).position[1, 0],
    "rollout one number": lambda s, e: chorda.rollout(
        s, **MOTION, every=1, initial=by_name(e)
    ).position[0, 0],
    "rollout rows": lambda s, e: chorda.rollout(
        s, **MOTION, every=1, initial=np.array([row(e), row(e)])
    ).position[1, 0],
    "equilibrium": lambda s, e: chorda.equilibrium(s, initial=row(e)).q,
    "step limits": lambda s, e: chorda.step_limits(s, initial=row(e)) and None,
    "linearize": lambda s, e: chorda.linearize(s, row(e)) and None,
    "a picture": lambda s, e: plot_configuration(s, row(e)) and None,
    "a description": lambda s, e: chorda.assemble(ship(start=by_name(e))).start,
}
REFUSED = {
    "twice too long": (2 * HALF, r"got one of length 2\.0000000?\d*; divide it by its length"),
    "a little off": (HALF * (1 + 1e-5), r"got one of length 1\.0000100?\d*; divide"),
    "zero": (0 * HALF, r"got one of length 0; \(1, 0, 0, 0\) is no turn"),
    "not finite": (HALF * np.nan, "finite|length"),
}


@pytest.mark.parametrize("door", DOORS)
def test_nearly_unit_is_scaled(system, door):
    found = DOORS[door](system, HALF)
    if found is not None:
        assert np.linalg.norm(found[:4]) == pytest.approx(1, abs=1e-14)
        assert found[:4] == pytest.approx(HALF, abs=1e-6)


@pytest.mark.parametrize("wrong", REFUSED)
@pytest.mark.parametrize("door", DOORS)
def test_other_lengths_are_refused_with_their_length_and_a_remedy(system, door, wrong):
    e, says = REFUSED[wrong]
    with pytest.raises(ChordaError, match=says):
        DOORS[door](system, e)


def test_a_part_alone_makes_no_turn(system):
    with pytest.raises(InputError, match=r"initial: hull\.ew, \.ex, \.ey, \.ez: expected a quat"):
        chorda.simulate(system, **MOTION, initial={"hull.ez": 0.5})


def test_a_run_goes_on_from_the_bits_of_another(system):
    first = chorda.simulate(system, **MOTION, initial={"hull.wz": 3.0, "hull.wx": 1.0})
    second = chorda.simulate(system, **MOTION, initial=first)
    assert np.array_equal(second.position[0], first.position[-1])


@pytest.mark.parametrize("wrong", REFUSED)
def test_a_target_pose_has_the_same_rule(wrong):
    e, says = REFUSED[wrong]
    system = chorda.assemble(chorda.load("6-rfs"))
    with pytest.raises(InputError, match=rf"poses\.platform\.rotation: .*({says})"):
        chorda.equilibrium(system, poses={"platform": {"rotation": e.tolist()}})


def test_directions_of_a_description_follow_it():
    joint = Revolute(name="a", axis=(0.7071068, 0.0, 0.7071068), body=BODY)
    assert np.linalg.norm(joint.axis) == pytest.approx(1, abs=1e-15)
    assert Placement(axis=(0.6, 0.0, 0.8)).axis == (0.6, 0.0, 0.8)
    with pytest.raises(ChordaError, match=r"got length 1\.41421356; divide it by its length"):
        Revolute(name="a", axis=(1, 0, 1), body=BODY)
    with pytest.raises(ChordaError, match=r"got length 0; write it like \[0, 0, 1\]"):
        Placement(axis=(0, 0, 0))
