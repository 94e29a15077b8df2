"""A motion that cannot go on stops where it happens, with a sentence that says why."""

import warnings

import numpy as np
import pytest

import chorda
from chorda.dynamics.stable_step import Amplifier
from chorda.errors import SolveError
from chorda.mechanics import records


@pytest.fixture(scope="module")
def neck3():
    return chorda.assemble(chorda.neck(3))


def too_large_a_step(system, **changes):
    arguments = {"duration": 0.999, "step": 3e-3, "scheme": "explicit-euler"}
    start = {"x1": 0.1, "tension": 20.0}
    return chorda.simulate(system, **(arguments | {"initial": start} | changes))


def test_explicit_euler_beyond_its_limit_is_explained(neck3):
    run = too_large_a_step(neck3)
    assert run.status.code == "diverged"
    assert not run.status.ok
    message = run.status.message
    assert "explicit Euler is stable only up to" in message
    assert "the step was 3 ms" in message
    assert "the mode that limits it:" in message
    assert "Hz, damping ratio" in message
    assert "Try step=" in message
    assert "'implicit-euler'" in message


def test_the_step_that_the_message_recommends_is_stable(neck3):
    words = too_large_a_step(neck3).status.message.split("Try step=")[1]
    step = float(words.split(",")[0])
    assert too_large_a_step(neck3, step=step, duration=0.5).status.ok


def test_the_step_where_it_happens_is_the_last_one_kept(neck3):
    run = too_large_a_step(neck3)
    n = len(run.time)
    assert f"at step {n} (t = {n * 3e-3:g} s)" in run.status.message
    assert n < 50
    again = too_large_a_step(neck3, duration=(n - 1) * 3e-3)
    assert again.status.ok
    assert np.array_equal(again.position, run.position)


def test_what_is_kept_of_a_diverged_run_is_finite_and_in_range(neck3):
    run = too_large_a_step(neck3)
    for values in (run.position, run.velocity, run.input, *run.outputs.values()):
        assert np.all(np.isfinite(values))
    assert np.all(np.abs(run.position[:, :3]) <= np.pi)


def test_strict_raises_with_the_same_sentence(neck3):
    with pytest.raises(SolveError) as caught:
        too_large_a_step(neck3, strict=True)
    assert str(caught.value) == too_large_a_step(neck3).status.message


@pytest.mark.parametrize("scheme", ["explicit-euler", "implicit-euler-converged", "rk45", "cvodes"])
def test_nan_in_the_equations_never_leaves_silently(neck, scheme, monkeypatch):
    monkeypatch.setattr(records, "check_together", lambda *_: None)  # which would refuse it
    impossible = {"x1.bar_length": 0.2}  # bars that cannot close
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no warnings of NumPy in place of the status
        run = chorda.simulate(neck, duration=0.01, step=1e-3, scheme=scheme, parameters=impossible)
    assert not run.status.ok
    assert len(run.time) == 1
    assert np.all(np.isfinite(run.position))
    assert "Try" in run.status.message or "try" in run.status.message


def test_newton_that_does_not_converge_is_a_status(neck):
    run = chorda.simulate(
        neck,
        duration=0.1,
        step=1e-2,
        scheme="implicit-euler-converged",
        initial={"x1": 0.5},
        tolerance=1e-30,  # below rounding
    )
    assert run.status.code == "not-converged"
    assert "Newton's method did not converge at step" in run.status.message
    assert "Try a smaller step than 0.01 s" in run.status.message


def test_a_motion_that_leaves_its_range_by_itself_says_so():
    body = chorda.describe.Body(mass=1.0, center=(0.1, 0, 0))
    hinge = chorda.describe.Revolute(name="j", body=body, range=(-0.5, 0.5))
    system = chorda.assemble(chorda.describe.Robot(name="r", joints=(hinge,)))
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="rk4")
    assert run.status.code == "out-of-range"
    assert "left its range -0.5 to 0.5" in run.status.message
    assert "the motion itself goes there" in run.status.message
    assert np.all(np.abs(run.position) <= 0.5)


def test_the_step_of_a_motion_that_left_its_range_is_judged_without_a_scan(neck3, monkeypatch):
    judged = []
    matrix = Amplifier.matrix
    monkeypatch.setattr(Amplifier, "matrix", lambda own, h: judged.append(h) or matrix(own, h))
    run = chorda.simulate(neck3, duration=1.0, step=1e-3, inputs={"motor-left": -0.3})
    assert run.status.code == "out-of-range"
    assert "within the stability limit" in run.status.message
    assert judged == pytest.approx([1e-3, 1e-3])  # at the start and at the last good state


@pytest.mark.parametrize("scheme", ["explicit-euler", "implicit-euler"])
def test_interpreted_runs_stop_at_the_same_step(neck3, monkeypatch, scheme):
    compiled = too_large_a_step(neck3, scheme=scheme, duration=0.06)
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted = too_large_a_step(neck3, scheme=scheme, duration=0.06)
    assert len(interpreted.time) == len(compiled.time)
    assert interpreted.status.code == compiled.status.code
    assert np.allclose(interpreted.position, compiled.position, rtol=1e-6, atol=1e-9)
