"""When contacts slip and stick: located between steps, and not where they only leave."""

import numpy as np
import pytest

import chorda
from chorda.describe import ContactFriction
from chorda.dynamics import longer_steps
from tests.helpers.touching_robots import GRAVITY, ball, block, leaning_neck

LAWS = {
    "smooth": ContactFriction(coefficient=0.4, slip_speed=1e-3),
    "bristle": ContactFriction(kind="bristle", coefficient=0.4, deflection=1e-5, relaxation=1e-3),
}
ANGLE, RESTING = 0.2, {"y": -4.8e-5}


@pytest.mark.parametrize("kind", LAWS)
def test_a_block_that_is_pushed_sticks_when_friction_has_stopped_it(kind):
    system = chorda.assemble(block(ANGLE, LAWS[kind]))
    start = {**RESTING, "x.rate": 1.0}
    run = chorda.simulate(system, duration=0.7, step=1e-3, initial=start)
    stopped = 1 / (GRAVITY * (0.4 * np.cos(ANGLE) - np.sin(ANGLE)))
    kinds = [x.kind for x in run.events]
    assert kinds == (["slips", "sticks"] if kind == "bristle" else ["sticks"])  # it slipped before
    assert run.events[-1].time == pytest.approx(stopped, abs=2e-3)
    assert run.events[-1].name == "touch"


@pytest.mark.parametrize("kind", LAWS)
def test_a_block_on_a_slope_that_is_too_steep_slips_and_never_sticks(kind):
    system = chorda.assemble(block(0.5, LAWS[kind]))
    run = chorda.simulate(system, duration=0.1, step=2e-4, initial={"y": -4.3e-5})
    assert [x.kind for x in run.events] == ["slips"]
    missing = GRAVITY * (np.sin(0.5) - 0.4 * np.cos(0.5))
    # smooth: 0.95 of the friction at 3.04 times the slip speed; bristles: after 3 deflections
    slowest = 3.04e-3 / missing if kind == "smooth" else 0.0
    fastest = 0.02 if kind == "bristle" else slowest + 2e-3
    assert 0 < run.events[0].time < fastest


@pytest.mark.parametrize("kind", LAWS)
def test_what_leaves_while_it_slips_does_not_stick(kind):
    system = chorda.assemble(block(0.0, LAWS[kind], dissipation=0.5))
    run = chorda.simulate(system, duration=0.2, step=1e-4, initial={"y": 0.01, "x.rate": 2.0})
    kinds = [x.kind for x in run.events]
    assert kinds[:3] == ["touches", "slips", "leaves"]
    assert "sticks" not in kinds
    assert kinds.count("slips") == kinds.count("touches") > 1
    times = [x.time for x in run.events]
    assert times == pytest.approx(sorted(times), abs=1e-9)


def test_bristles_that_touch_nothing_are_straight():
    system = chorda.assemble(leaning_neck("bristle"))
    run = chorda.simulate(system, duration=0.2, step=1e-3, initial={"x1": 0.3, "tension": 20.0})
    assert run.outputs["gap"].min() > 0
    assert np.abs(run.velocity).max() > 1
    assert np.abs(run.position[:, -system.nz :]).max() == 0.0


def test_frictionless_contacts_neither_slip_nor_stick():
    system = chorda.assemble(block(0.0))
    run = chorda.simulate(system, duration=0.2, step=1e-3, initial={"y": 0.01, "x.rate": 2.0})
    assert {x.kind for x in run.events} == {"touches", "leaves"}


def test_outputs_with_a_progress_bar_have_the_same_events():
    system = chorda.assemble(block(ANGLE, LAWS["bristle"]))
    start = {**RESTING, "x.rate": 1.0}
    runs = [chorda.simulate(system, duration=0.6, step=1e-3, initial=start) for _ in range(2)]
    assert runs[0].events == runs[1].with_outputs(progress=False).events


def bouncing(every, **more):
    system = chorda.assemble(ball(0.2, stiffness=1e6, restitution=0.8, impact_speed=2.0))
    return chorda.simulate(system, duration=1.0, step=1e-4, every=every, scheme="rk4", **more)


@pytest.mark.parametrize("every", [7, 200, 10_000])
def test_contacts_between_the_steps_that_are_kept_have_their_events(every):
    whole, run = bouncing(1), bouncing(every)
    assert len(whole.events) == 6
    assert [x.kind for x in run.events] == [x.kind for x in whole.events]
    times = [[x.time for x in y.events] for y in (run, whole)]
    assert times[0] == pytest.approx(times[1], abs=1e-12)
    again = bouncing(every).with_outputs(progress=False)
    assert again.events == run.events
    assert len(run.time) == 10_000 // every + 1


def test_events_of_friction_do_not_depend_on_which_steps_are_kept():
    system = chorda.assemble(block(ANGLE, LAWS["bristle"]))
    start = {**RESTING, "x.rate": 1.0}
    how = {"duration": 0.7, "step": 1e-3, "initial": start}
    some, whole = (chorda.simulate(system, every=n, **how).events for n in (350, 1))
    assert [x.kind for x in some] == [x.kind for x in whole] == ["slips", "sticks"]
    assert [x.time for x in some] == pytest.approx([x.time for x in whole], abs=1e-12)


def test_a_force_between_the_steps_that_are_kept_is_in_the_status():
    whole, run = bouncing(1), bouncing(200)
    most, shown = (float(x.outputs["normal_force"].max()) for x in (whole, run))
    assert shown < 0.8 * most
    text = f"every=200 keeps, touch presses with up to {most:.3g} N"
    assert text in run.status.message
    assert f"outputs have at most {shown:.3g} N" in run.status.message
    assert "presses with up to" not in whole.status.message


def test_events_of_a_file_are_those_of_all_steps(tmp_path):
    run = bouncing(200)
    assert chorda.open(run.save(tmp_path / "run.nc")).events == run.events


def test_impacts_that_are_not_looked_at_are_said_to_be_so(monkeypatch):
    """A ball whose rebound the step decides, in a motion that is too long to be made again."""
    system = chorda.assemble(ball(0.3, stiffness=1e6, restitution=0.5, impact_speed=2.4))
    monkeypatch.setattr(longer_steps, "MOST_BYTES", 0)
    some = chorda.simulate(system, every=10, duration=0.45, step=1e-3)
    assert "Whether impacts last enough steps is not looked at with every=10" in some.status.message
    apart = chorda.simulate(system, every=10, duration=0.2, step=1e-3)
    assert "impacts" not in apart.status.message
