"""Every motion of fixed steps has an estimate of the error that they leave."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.dynamics import longer_steps
from chorda.dynamics.time_error import difference
from chorda.results import Accuracy, open_run
from tests.helpers.robots import slider
from tests.helpers.touching_robots import ball

START = {"x1": 0.3, "tension": 20.0}
REFINED = 16


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.neck(2))


@pytest.fixture(scope="module")
def oscillator():
    return chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))


@pytest.mark.parametrize("step", [2e-3, 1e-3])
@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "newmark"])
def test_the_estimate_is_within_ten_of_the_error(neck, scheme, step):
    given = {"duration": 0.5, "scheme": scheme, "initial": START}
    run = chorda.simulate(neck, step=step, **given)
    fine = chorda.simulate(neck, step=step / REFINED, every=REFINED, **given)
    true = difference(neck, run.position, fine.position, run.parameters)
    found = run.accuracy.time
    assert 0.1 < found.coordinate / true.coordinate < 10
    assert 0.1 < found.position / true.position < 10
    assert found.size == pytest.approx(true.size, rel=0.05)
    assert found.step == step


@pytest.mark.parametrize("steps", [12, 20, 100, 1003])
@pytest.mark.parametrize("every", [1, 3])
def test_whatever_is_kept_of_however_many_steps(oscillator, steps, every):
    """The error of Newmark's method on a linear oscillator is one of phase."""
    h = 0.3 / steps
    run = chorda.simulate(
        oscillator, duration=0.3, step=h, scheme="newmark", initial=[0.1], every=every
    )
    true = np.max(np.abs(run.position[:, 0] - 0.1 * np.cos(10 * run.time)))
    assert 0.8 < run.accuracy.time.coordinate / true < 2.5


def test_estimates_do_not_depend_on_which_steps_are_kept():
    """A ball whose rebound the step decides: rows ten steps apart show a part of it."""
    system = chorda.assemble(ball(0.3, stiffness=1e6, restitution=0.5, impact_speed=2.4))
    some, whole = (chorda.simulate(system, every=n, duration=0.45, step=1e-3) for n in (10, 1))
    assert some.accuracy.time == whole.accuracy.time
    assert "The step leaves an error" in some.status.message


def test_impacts_are_looked_at_between_the_steps_that_are_kept():
    system = chorda.assemble(ball(0.3, stiffness=2e5, restitution=0.5, impact_speed=2.4))
    some, whole = (chorda.simulate(system, every=n, duration=0.45, step=1e-3) for n in (10, 1))
    assert whole.accuracy.impact is not None
    assert some.accuracy.impact == whole.accuracy.impact


@pytest.mark.parametrize(("steps", "every"), [(4, 8), (5, 3), (5, 4), (30, 7)])
def test_inputs_of_no_columns_and_few_rows_that_are_kept(oscillator, monkeypatch, steps, every):
    monkeypatch.setattr(longer_steps, "MOST_BYTES", 0)  # not even these fit
    given = {"duration": 0.1, "step": 0.1 / steps, "every": every}
    run = chorda.simulate(oscillator, inputs=np.zeros((steps + 1, 0)), initial=[0.1], **given)
    if steps < 2 * every and (every % 2 or steps < every):
        assert run.accuracy.time is None  # nothing that is kept can be compared
    else:
        assert run.accuracy.time.position > 0


def test_inputs_over_time_are_those_of_the_motion(neck):
    inputs = {"motor-left": lambda t: -0.02 * np.sin(30 * t)}
    given = {"duration": 0.2, "scheme": "bdf2", "inputs": inputs, "initial": {"tension": 20.0}}
    for step in (1e-3, 1e-2):
        run = chorda.simulate(neck, step=step, **given)
        fine = chorda.simulate(neck, step=step / REFINED, every=REFINED, **given)
        true = difference(neck, run.position, fine.position, run.parameters).coordinate
        assert 0.1 < run.accuracy.time.coordinate / true < 10


def test_a_large_error_is_in_the_status_with_a_step_that_is_better(oscillator):
    given = {"duration": 3.0, "scheme": "implicit-euler-converged", "initial": [0.1]}
    run = chorda.simulate(oscillator, step=0.01, **given)
    assert run.status.ok
    assert "The step leaves an error of about" in run.status.message
    words = run.status.message.split("try step=")[1]
    better = chorda.simulate(oscillator, step=float(words.split(". ")[0].rstrip(".")), **given)
    assert better.accuracy.time.relative < 0.02
    assert better.accuracy.time.relative < 0.1 * run.accuracy.time.relative


def test_a_small_error_is_not_in_the_status(oscillator):
    run = chorda.simulate(oscillator, duration=1.0, step=1e-3, scheme="newmark", initial=[0.1])
    assert run.status.message == "Completed 1000 steps to t = 1 s."


def test_schemes_with_a_tolerance_and_controllers_have_no_estimate(neck):
    given = {"duration": 0.02, "step": 1e-3, "initial": START}
    for scheme in ("rk45", "cvodes"):
        assert chorda.simulate(neck, scheme=scheme, **given).accuracy.time is None
    control = JointControl(Sine.from_rest([0.1, 0.1]))
    assert chorda.simulate(neck, control=control, **given).accuracy.time is None


def test_it_is_kept_in_files(oscillator, tmp_path):
    run = chorda.simulate(oscillator, duration=0.1, step=1e-3, initial=[0.1])
    again = open_run(run.save(tmp_path / "run.nc"))
    assert again.accuracy.data() == run.accuracy.data()
    assert isinstance(again.accuracy, Accuracy)
    assert again.accuracy.time is not None
