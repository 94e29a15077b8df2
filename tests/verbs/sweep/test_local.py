"""Who computes makes no difference, and a process that dies is replaced."""

import os
import signal
import subprocess
import sys
from functools import partial

import numpy as np
import psutil
import pytest

import chorda
from chorda.errors import SolveError
from chorda.sweeps import sweeping
from tests.helpers.small_studies import (
    DeadlyWork,
    command,
    contents,
    finished,
    motions,
    written,
)
from tests.helpers.waiting import until


def deadly(monkeypatch, study, point, **how):
    """Something happens in a worker at the study's second quantity's value number `point`."""
    value = study["vary"][1]["at"][point]
    monkeypatch.setattr(sweeping, "Work", partial(DeadlyWork, value=value, **how))


@pytest.mark.parametrize("chunk", [1, 60])
def test_results_do_not_depend_on_chunks(chunk):
    keep = ["final_position", "final_velocity", "largest_tension", "tension"]
    one = chorda.sweep(motions(keep=keep), jobs=1, chunk=13).data.load()
    other = chorda.sweep(motions(keep=keep), jobs=1, chunk=chunk).data.load()
    assert one.identical(other)


@pytest.mark.slow
def test_configurations_of_a_rod_do_not_depend_on_jobs():
    """Its matrices are large enough for linear algebra on several threads."""
    study = {
        "robot": "till",
        "vary": [{"name": "inputs.tension1", "kind": "grid", "low": 0, "high": 8, "count": 4}],
        "compute": {"kind": "equilibrium", "keep": ["position", "hessian_eigenvalue"]},
    }
    system = chorda.assemble(chorda.load("till"))
    study["vary"][0]["name"] = f"inputs.{system.given[0]}"
    one, two = (chorda.sweep(study, jobs=jobs).data.load() for jobs in (1, 2))
    assert (one["status"] == "converged").all()
    assert one.identical(two)


@pytest.mark.slow
def test_the_stores_of_one_and_of_two_processes_have_the_same_bytes(tmp_path):
    for jobs in (1, 2):
        chorda.sweep(motions(), tmp_path / f"{jobs}.zarr", jobs=jobs, chunk=7)
    assert contents(tmp_path / "1.zarr") == contents(tmp_path / "2.zarr")


def test_a_process_that_is_killed_is_replaced_and_nothing_is_lost_or_left(monkeypatch, tmp_path):
    before = set(psutil.Process().children())
    study, flag = motions(1, 3, 1), tmp_path / "killed"
    with monkeypatch.context() as patch:
        deadly(patch, study, 1, flag=flag)
        found = chorda.sweep(study, jobs=2).data.load()
    assert flag.exists()
    assert set(psutil.Process().children()) <= before
    assert found.identical(chorda.sweep(study, jobs=1).data.load())


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [1, 2])
def test_a_point_that_ends_its_process_is_reported_and_the_others_are_computed(monkeypatch, chunk):
    study = motions(1, 3, 1)
    with monkeypatch.context() as patch:
        deadly(patch, study, 1)
        found = chorda.sweep(study, jobs=2, chunk=chunk)
    assert found.counts == {"completed": 2, "failed": 1}
    assert [x.point for x in found.failures()] == [1]
    assert "ended with code 7" in found.failures()[0].message
    right = chorda.sweep(study, jobs=1).data["final_position"]
    assert np.array_equal(found.data["final_position"][[0, 2]], right[[0, 2]])


@pytest.mark.slow
def test_an_error_in_a_process_is_raised_with_its_message(monkeypatch):
    deadly(monkeypatch, motions(), 0, error="out of order")
    with pytest.raises(SolveError, match=r"a worker process has failed:(?s:.*)out of order"):
        chorda.sweep(motions(), jobs=2)


def test_ctrl_c_ends_the_command_and_its_workers_and_what_is_done_is_kept(tmp_path):
    study = motions(3, 4, 5, duration=0.2, step=1e-4)
    path, store = written(study, tmp_path), tmp_path / "store.zarr"
    process = command(path, store, "--jobs", "2", "--chunk", "1")
    until(lambda: finished(store) or process.poll() is not None)
    workers = psutil.Process(process.pid).children()
    os.killpg(process.pid, signal.SIGINT)
    error = process.communicate(timeout=100)[1]
    assert process.returncode == 130, error
    assert "points are computed" in error
    assert not any(worker.is_running() for worker in workers)
    found = chorda.sweep(output=store, jobs=1)
    assert found.data.load().identical(chorda.sweep(study, jobs=1, chunk=1).data.load())


@pytest.mark.slow
def test_a_script_needs_no_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import chorda\nfound = chorda.sweep({motions()!r}, jobs=2)\nprint(found.status)\n",
        encoding="utf-8",
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=100)
    assert run.stdout == "60 of 60 points have a result.\n", run.stderr
