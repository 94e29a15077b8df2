"""simulate(accuracy=...) finds a step with which every point is that exact."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.dynamics import chosen_step
from chorda.errors import InputError
from tests.helpers.robots import slider


@pytest.fixture(scope="module")
def oscillator():
    return chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))


@pytest.mark.parametrize("scheme", ["newmark", "implicit-euler-converged", "rk4"])
@pytest.mark.parametrize("accuracy", [1e-3, 1e-4])
def test_the_motion_is_as_exact_as_was_asked_for(oscillator, scheme, accuracy):
    run = chorda.simulate(oscillator, duration=1.0, accuracy=accuracy, scheme=scheme, initial=[0.1])
    true = np.max(np.abs(run.position[:, 0] - 0.1 * np.cos(10 * run.time)))
    assert run.status.ok
    assert true <= 1.2 * accuracy
    assert run.accuracy.time.position <= accuracy
    assert f"were chosen for an accuracy of {accuracy:g} m" in run.status.message
    assert len(run.time) == 201


def test_the_step_is_that_of_the_output(oscillator):
    given = {"duration": 1.0, "accuracy": 1e-3, "scheme": "newmark", "initial": [0.1]}
    one, some = (chorda.simulate(oscillator, step=5e-3, every=n, **given) for n in (1, 8))
    assert np.array_equal(some.position, one.position[::8])
    assert np.array_equal(some.time, one.time[::8])
    assert one.time[1] == 5e-3
    assert one.accuracy.time.step < 5e-3


@pytest.mark.parametrize("scheme", ["bdf2", "rosenbrock", "generalized-alpha", "newmark"])
def test_implicit_schemes_take_short_steps_where_they_are_needed(scheme):
    """A heavily damped slider that is let go: fast at first, and slow for the rest."""
    system = chorda.assemble(
        slider(joint={"stiffness": 200.0, "friction": 80.0}, gravity=(0, 0, 0))
    )
    given = {"duration": 4.0, "scheme": scheme, "initial": [0.1]}
    run = chorda.simulate(system, accuracy=1e-7, **given)
    fine = chorda.simulate(system, step=2e-5, every=1000, **given)
    assert np.max(np.abs(run.position - fine.position)) < 1.2e-7
    assert run.counts["steps"] < 0.35 * 4.0 / run.accuracy.time.step
    assert "Steps between" in run.status.message


def test_inputs_may_be_functions_of_time():
    system = chorda.assemble(chorda.neck(1))
    given = {
        "duration": 0.1,
        "scheme": "bdf2",
        "inputs": {"motor-left": lambda t: -0.05 * np.sin(30 * t)},
        "initial": {"tension": 20.0},
    }
    run = chorda.simulate(system, accuracy=1e-6, **given)
    fine = chorda.simulate(system, step=5e-4 / 64, every=64, **given)
    a, b = (x.frame("x1.top")[0] for x in (run, fine))
    assert np.max(np.linalg.norm(a - b, axis=1)) < 2e-6


def test_an_accuracy_that_cannot_be_reached_says_so(oscillator, monkeypatch):
    monkeypatch.setattr(chosen_step, "LARGEST_COUNT", 1500)
    run = chorda.simulate(oscillator, duration=1.0, accuracy=1e-9, scheme="newmark", initial=[0.1])
    assert run.status.code == "not-converged"
    assert "The accuracy of 1e-09 m is not reached" in run.status.message
    assert len(run.time) == 201


def test_a_motion_that_ends_early_in_every_step_keeps_its_status():
    described = slider(joint={"range": (-0.1, 0.1)})
    run = chorda.simulate(chorda.assemble(described), duration=1.0, accuracy=1e-4)
    assert run.status.code == "out-of-range"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "step: expected a positive number of seconds, got None; give step, or accuracy"),
        ({"accuracy": -1.0}, "accuracy: expected a positive number of metres, got -1.0"),
        ({"accuracy": 1e-3, "scheme": "rk45"}, "accuracy: scheme 'rk45' chooses its own steps"),
        ({"accuracy": 1e-3, "scheme": "cvodes"}, "accuracy: scheme 'cvodes' chooses its own"),
        (
            {"accuracy": 1e-3, "control": JointControl(Sine.from_rest([0.1]))},
            "accuracy: the output of a controller is held",
        ),
        (
            {"accuracy": 1e-3, "inputs": {"motor-left": np.zeros(10)}},
            "accuracy: inputs are rows for the times of a step",
        ),
    ],
)
def test_what_gives_no_step_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.1, **given)
