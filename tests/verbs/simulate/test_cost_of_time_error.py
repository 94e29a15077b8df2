"""Estimates of the error of steps take few steps, and Newton's method no further than they show."""

import numpy as np
import pytest

import chorda
from chorda.dynamics import longer_steps
from tests.helpers.robots import slider
from tests.helpers.rod_robots import robot, rod


@pytest.fixture
def made(monkeypatch):
    """(step, steps, tolerance) of each piece of a motion that is made for an estimate."""
    pieces, own = [], longer_steps.advance

    def noted(loop, job, steps, *given, **options):
        pieces.append((job.h, steps, job.tolerance))
        return own(loop, job, steps, *given, **options)

    monkeypatch.setattr(longer_steps, "advance", noted)
    return pieces


@pytest.fixture(scope="module")
def oscillator():
    return chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))


@pytest.fixture(scope="module")
def wire():
    return chorda.assemble(robot(rod({"bend_z": 3}), gravity=(0, -9.81, 0)))


def steps_of(made, h):
    return sum(steps for step, steps, _ in made if step == pytest.approx(h))


@pytest.mark.parametrize(("scheme", "least"), [("implicit-euler", 8), ("newmark", 4)])
def test_small_errors_take_an_eighth_of_the_steps_in_first_order_and_a_quarter_in_others(
    oscillator, made, scheme, least
):
    run = chorda.simulate(oscillator, duration=0.3, step=1e-4, scheme=scheme, initial=[0.01])
    assert run.accuracy.time.reliable
    assert steps_of(made, least * 1e-4) == 3000 // least
    assert steps_of(made, least / 2 * 1e-4) == 0
    assert 0 < steps_of(made, 2 * least * 1e-4) <= 3000 // (2 * least)


def test_an_order_that_eight_times_the_step_does_not_show_is_looked_for_in_four(oscillator, made):
    given = {"duration": 1.0, "scheme": "implicit-euler", "initial": [0.1]}
    assert chorda.simulate(oscillator, step=2e-3, **given).accuracy.time.position > 0
    assert steps_of(made, 16e-3) > 0
    assert steps_of(made, 8e-3) > 0


def test_newton_stops_at_a_small_part_of_a_difference_and_the_estimate_stays(
    wire, made, monkeypatch
):
    given = {"duration": 0.3, "step": 1e-3, "scheme": "generalized-alpha"}
    loose = chorda.simulate(wire, **given).accuracy.time
    assert max(tolerance for _, _, tolerance in made) > 1e-8
    monkeypatch.setattr(longer_steps, "NEWTON_PART", 0.0)
    made.clear()
    tight = chorda.simulate(wire, **given).accuracy.time
    assert {tolerance for _, _, tolerance in made} == {1e-10}
    assert loose.position == pytest.approx(tight.position, rel=1e-3)
    assert loose.coordinate == pytest.approx(tight.coordinate, rel=1e-3)
    assert loose.reliable == tight.reliable


def test_newton_never_stops_before_it_did_in_the_motion(wire, made):
    run = chorda.simulate(wire, duration=0.3, step=1e-3, scheme="bdf2", tolerance=1e-3)
    assert run.accuracy.time.position > 0
    assert min(tolerance for _, _, tolerance in made) == 1e-3


@pytest.mark.parametrize("every", [1, 3])
def test_in_pieces_with_inputs_over_time_it_is_the_motion_as_a_whole(made, monkeypatch, every):
    till = chorda.assemble(chorda.load("till"))
    given = {"duration": 0.606, "step": 3e-3, "scheme": "generalized-alpha", "every": every}
    given["inputs"] = {till.given[0]: lambda t: -0.01 * min(1.0, t / 0.3)}
    monkeypatch.setattr(longer_steps, "NEWTON_PART", 0.0)
    pieces = chorda.simulate(till, **given).accuracy.time
    assert sum(h == pytest.approx(12e-3) for h, _, _ in made) == longer_steps.LOOKS + 1
    monkeypatch.setattr(longer_steps, "FEW_ITERATIONS", np.inf)
    made.clear()
    whole = chorda.simulate(till, **given).accuracy.time
    assert sum(h == pytest.approx(12e-3) for h, _, _ in made) == 1
    assert pieces == whole
