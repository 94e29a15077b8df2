"""A motion takes the memory of what is kept of it, and is refused where that is not there."""

import numpy as np
import pytest

import chorda
from chorda.dynamics import time_loop
from chorda.errors import InputError
from chorda.numerics import memory
from tests.helpers.peak_memory import peak
from tests.helpers.refusals import refused_motion

RUN = """
import chorda
system = chorda.assemble(chorda.load("neck-1"))
options = dict(step=1e-5, every=10000, inputs={{"motor-left": 0.0}}, initial={{"tension": 20.0}})
run = chorda.simulate(system, duration={}, scheme="symplectic-euler", **options)
assert run.status.ok and len(run.time) == {}, run.status
"""


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.load("neck-1"))


def test_two_million_steps_of_which_few_are_kept_take_little(system):
    assert peak(RUN.format(20, 201)) - peak(RUN.format(0.2, 3)) < 120e6


@pytest.mark.parametrize("every", [2, 7, 64, 5000])
@pytest.mark.parametrize("end", [0.3, 0.3003])
def test_what_is_kept_is_what_a_whole_motion_has(system, every, end, monkeypatch):
    monkeypatch.setattr(time_loop, "CHUNK_BYTES", 8000)
    options = {"step": 1e-4, "initial": {"x1": 0.1, "tension": 20.0}}
    options["inputs"] = lambda t: [np.sin(30 * t), 0.0]
    whole = chorda.simulate(system, duration=end, **options)
    some = chorda.simulate(system, duration=end, every=every, **options)
    assert some.status == whole.status
    assert some.counts["steps"] == whole.counts["steps"]
    for name in ("time", "position", "velocity", "input"):
        assert np.array_equal(getattr(some, name), getattr(whole, name)[::every]), name


def test_a_controller_s_inputs_are_kept_too(system):
    def control(t, q, v):
        return [t, -t]

    options = {"duration": 0.01, "step": 1e-3, "control": control}
    whole = chorda.simulate(system, **options)
    some = chorda.simulate(system, every=3, **options)
    assert np.array_equal(some.input, whole.input[::3])


def test_a_motion_that_ends_early_ends_at_the_same_step(system):
    options = {"duration": 1.0, "step": 0.02, "scheme": "symplectic-euler"}
    options["initial"] = {"x1": 0.3, "tension": 20.0}
    whole = chorda.simulate(system, **options)
    some = chorda.simulate(system, every=3, **options)
    assert not whole.status.ok
    assert some.status == whole.status
    assert np.array_equal(some.position, whole.position[::3])


def test_a_motion_that_does_not_fit_is_refused_with_the_number(system, monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 2e8)
    message = refused_motion(system, duration=1000.0, step=1e-4)
    assert "every: 1e+07 of 1e+07 steps that are kept" in message
    assert "GB of memory, expected at most the 0.2 GB that are free" in message
    assert "keep fewer (such as every=10), or make fewer steps" in message
    assert "step: the times of 1e+08 steps" in refused_motion(system, duration=1e4, step=1e-4)


def test_a_limit_of_the_process_counts(monkeypatch):
    resource = pytest.importorskip("resource")
    assert 1e6 < memory.free_memory() < 1e15
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**6, 10**6))
    assert memory.free_memory() < 1e6


def test_members_inputs_that_do_not_fit_are_refused_with_the_number(system, monkeypatch):
    """A series that all share, beside a number for each member, is one for each."""
    monkeypatch.setattr(memory, "free_memory", lambda: 40e6)
    inputs = {"motor-left": np.zeros(3000), "motor-right1": np.sin}
    with pytest.raises(InputError, match=r"inputs: 1001 times of 2 inputs of 3000 members need"):
        chorda.rollout(system, duration=1.0, step=1e-3, inputs=inputs)
