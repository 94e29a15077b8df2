"""A motion lasts as long as was asked for; a step that does not divide that is shortened."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_dynamics
from chorda.errors import InputError
from chorda.numerics.equal_steps import equal_steps
from chorda.sweeps.tasks import simulate as task


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.neck(1))


@pytest.mark.parametrize(("duration", "steps"), [(0.33, 7), (0.52, 11), (0.0500001, 2)])
def test_a_step_that_does_not_divide_the_duration_is_shortened(neck, duration, steps):
    run = chorda.simulate(neck, duration=duration, step=0.05)
    assert run.time[-1] == pytest.approx(duration, rel=1e-14)
    assert len(run.time) == steps + 1
    assert run.provenance["step"] == pytest.approx(duration / steps)
    assert "The step was shortened from 0.05 s to" in run.status.message


def test_a_step_that_divides_the_duration_is_kept_to_the_bit(neck):
    run = chorda.simulate(neck, duration=0.3, step=0.1)
    assert run.provenance["step"] == 0.1
    assert "shortened" not in run.status.message


def test_rounding_of_duration_and_step_is_no_part_of_a_step():
    rng = np.random.default_rng(0)
    for count, step in zip(rng.integers(1, 10**6, 200), rng.uniform(1e-6, 1, 200), strict=True):
        made = equal_steps(count * step, step)
        assert (made.count, made.step) == (count, step)


def test_rollouts_end_with_their_duration(neck):
    found = chorda.rollout(neck, duration=0.33, step=0.05)
    one = chorda.simulate(neck, duration=0.33, step=0.05)
    assert found.time[-1] == one.time[-1]
    assert np.allclose(found.position[0, -1], one.position[-1])
    assert "shortened" in found.remark
    assert found.remark in str(found)
    assert not chorda.rollout(neck, duration=0.3, step=0.1).remark


def test_series_of_sweeps_have_the_times_of_the_motion(neck):
    record = task.Simulate(duration=0.33, step=0.05)
    run = chorda.simulate(neck, duration=0.33, step=0.05)
    position = next(o for o in task.outputs(neck, record) if o.name == "position")
    assert position.dimensions[0].labels == pytest.approx(run.time)


def test_continuous_rods_end_with_their_duration():
    found = rod_dynamics(chorda.load("till"), duration=0.11, step=0.05, nodes=21)
    assert found.time[-1] == pytest.approx(0.11)
    assert "shortened" in found.status.message


def test_experiments_end_with_their_duration():
    log = chorda.experiment(chorda.assemble(chorda.neck(1)), duration=0.5003)
    assert log.about["step"] < 5e-4
    assert "shortened" in log.about["remark"]


def test_rows_of_inputs_for_a_step_that_must_be_shortened_are_refused(neck):
    rows = {"motor-left": np.zeros(8)}
    with pytest.raises(InputError, match="step: it does not divide the duration") as error:
        chorda.simulate(neck, duration=0.33, step=0.05, inputs=rows)
    assert "7 steps" in str(error.value)
    with pytest.raises(InputError, match="step: it does not divide the duration"):
        chorda.rollout(neck, duration=0.33, step=0.05, inputs={"motor-left": np.zeros((2, 8))})
    ramp = {"motor-left": lambda t: -0.01 * t}
    assert chorda.simulate(neck, duration=0.33, step=0.05, inputs=ramp).status.ok
