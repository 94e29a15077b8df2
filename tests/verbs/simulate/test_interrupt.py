"""Ctrl-C ends a run with what was computed so far."""

import json
import signal
from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.results.observe import accelerations
from tests.helpers.interrupts import interrupted

PROGRAM = """
import json, sys
import numpy as np
import chorda

scheme = sys.argv[1]
system = chorda.assemble(chorda.neck(2))
how = dict(step=1e-3, scheme=scheme, every=10, initial={"x1": 0.2})
run = chorda.simulate(system, duration=5e4, **how)
last = min(len(run.time) - 1, 200)
again = chorda.simulate(system, duration=last * 1e-2, **how)
print(json.dumps({
    "code": run.status.code,
    "message": run.status.message,
    "times": len(run.time),
    "same": np.array_equal(run.position[: last + 1], again.position[: last + 1]),
}))
"""


def interrupted_at(step, monkeypatch):
    """Make the progress bar raise KeyboardInterrupt once so many steps are done."""

    def update(self, done):
        if done >= step:
            raise KeyboardInterrupt

    monkeypatch.setattr("chorda.numerics.progress.Progress.update", update)


@pytest.mark.parametrize("scheme", ["implicit-euler", "rk45", "implicit-euler-converged", "cvodes"])
def test_an_interrupted_run_keeps_what_was_computed(neck, monkeypatch, scheme):
    whole = chorda.simulate(neck, duration=0.3, step=1e-3, scheme=scheme, initial={"x1": 0.1})
    interrupted_at(50, monkeypatch)
    run = chorda.simulate(neck, duration=0.3, step=1e-3, scheme=scheme, initial={"x1": 0.1})
    assert run.status.code == "interrupted"
    assert "Interrupted at t =" in run.status.message
    assert "what was computed is kept" in run.status.message
    n = len(run.time)
    assert 50 < n < 301
    assert np.array_equal(run.position, whole.position[:n])
    assert np.array_equal(run.input, whole.input[:n])


def test_an_interrupt_in_a_python_controller_keeps_the_steps_before(neck):
    def law(t, q, v):
        if t > 0.0055:
            raise KeyboardInterrupt
        return [0.0, 0.0]

    run = chorda.simulate(neck, duration=0.01, step=1e-3, control=law)
    assert run.status.code == "interrupted"
    assert len(run.time) == 7


def test_an_interrupted_run_can_be_saved_and_is_not_ok(neck, monkeypatch, tmp_path):
    interrupted_at(1, monkeypatch)
    run = chorda.simulate(neck, duration=1.0, step=1e-3)
    assert not run.status.ok
    assert chorda.open(run.save(tmp_path / "run.nc")).status == run.status


@pytest.mark.parametrize(
    ("scheme", "compiler"),
    [("implicit-euler", ""), ("implicit-euler", "none"), ("cvodes", "")],
)
def test_a_real_sigint_ends_a_long_run(scheme, compiler, monkeypatch):
    if compiler:
        monkeypatch.setenv("CHORDA_COMPILER", compiler)
    answer = interrupted(PROGRAM, scheme)
    assert answer.code == 0, answer.errors
    found = json.loads(answer.out)
    assert found["code"] == "interrupted"
    assert 1 < found["times"] < 5_000_000
    assert found["same"]


@pytest.fixture
def long_run(neck):
    """A run of many times, without having been simulated."""
    short = chorda.simulate(neck, duration=0.1, step=1e-3, initial={"x1": 0.2})
    rows = np.arange(5000) % len(short.time)
    states = {x: getattr(short, x)[rows] for x in ("position", "velocity", "input")}
    return replace(short, time=1e-3 * np.arange(len(rows)), **states)


def test_outputs_in_pieces_are_those_at_once(long_run):
    whole = replace(long_run).with_outputs()
    rows = (long_run.position, long_run.velocity, long_run.input)
    P = np.repeat(long_run.parameters[:, None], len(long_run.time), 1)
    T, V = long_run.system.energies(*(x.T for x in rows), P)
    assert np.array_equal(whole.energy, [T.full().ravel(), V.full().ravel()])
    a, lam = accelerations(long_run.system, *rows, P)
    results = long_run.system.observe(rows[0].T, rows[1].T, a.T, lam.T, rows[2].T, P)
    for output, result in zip(long_run.system.outputs, results, strict=True):
        assert np.array_equal(whole.outputs[output.name], result.full().T)
        assert np.array_equal(long_run.outputs[output.name], result.full().T)
    assert whole.events == long_run.events


def test_a_run_whose_outputs_are_interrupted_is_cut_where_they_end(long_run, monkeypatch, tmp_path):
    def update(self, done):
        signal.raise_signal(signal.SIGINT)

    whole = replace(long_run).outputs
    monkeypatch.setattr("chorda.numerics.progress.Progress.update", update)
    run = long_run.with_outputs()
    n = len(run.time)
    assert 0 < n < len(long_run.time)
    assert run.status.code == "interrupted"
    assert "Interrupted while outputs were computed, at t = " in run.status.message
    assert np.array_equal(run.position, long_run.position[:n])
    for name, rows in run.outputs.items():
        assert np.array_equal(rows, whole[name][:n])
    assert len(run.energy[0]) == n
    assert chorda.open(run.save(tmp_path / "run.nc")).status == run.status
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_strict_run_that_is_interrupted_is_a_keyboard_interrupt(neck, monkeypatch):
    interrupted_at(50, monkeypatch)
    with pytest.raises(KeyboardInterrupt, match="Interrupted at t ="):
        chorda.simulate(neck, duration=0.3, step=1e-3, strict=True)
