"""Workers do every task once, survive their own death, and stop when they are told to."""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from chorda.errors import SolveError
from chorda.numerics.processes import ONE_THREAD, Death
from chorda.numerics.workers import Workers
from tests.helpers import worker_tasks
from tests.helpers.waiting import until

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from tests.helpers import worker_tasks
from chorda.numerics.ctrl_c import interrupts
from chorda.numerics.workers import Workers

with interrupts() as seen, Workers(2, worker_tasks.sleeping) as pool:
    print("loop", flush=True)
    found = list(pool.results(enumerate({paths!r}), lambda: bool(seen)))
print("stopped with", len(found))
"""


def never():
    return False


def running(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("count", [1, 2])
def test_every_task_has_its_answer_and_no_process_is_left(count):
    before = set(psutil.Process().children())
    with Workers(count, worker_tasks.squared) as pool:
        first = dict(pool.results(enumerate(range(7)), never))
        second = dict(pool.results([("a", 9)], never))
    assert first == {k: k * k for k in range(7)}
    assert second == {"a": 81}
    assert set(psutil.Process().children()) <= before


def test_tasks_and_answers_may_be_larger_than_a_pipe():
    data = bytes(3_000_000)
    with Workers(2, worker_tasks.doubled) as pool:
        answers = dict(pool.results(enumerate([data] * 3), never))
    assert answers == dict.fromkeys(range(3), data + data)


def test_the_work_is_sent_to_each_process_once(tmp_path):
    path = tmp_path / "loaded"
    with Workers(2, worker_tasks.Loaded(str(path))) as pool:
        assert len(list(pool.results(enumerate(range(20)), never))) == 20
        assert len(list(pool.results(enumerate(range(20)), never))) == 20
    processes = path.read_text().split()
    assert len(processes) == len(set(processes)) == 2


def test_linear_algebra_has_one_thread():
    with Workers(2, worker_tasks.environment) as pool:
        found = dict(pool.results([(name, name) for name in ONE_THREAD], never))
    assert {value for value, _ in found.values()} == {"1"}
    assert os.getpid() not in {pid for _, pid in found.values()}


def test_a_process_that_dies_is_replaced_and_its_task_is_done_again(tmp_path):
    flag = tmp_path / "died"
    with Workers(2, worker_tasks.Dying(3, str(flag))) as pool:
        found = dict(pool.results(enumerate(range(6)), never))
    assert flag.exists()
    assert found == {k: k for k in range(6)}


def test_a_task_that_ends_its_process_twice_is_handed_back_and_the_others_are_done():
    with Workers(2, worker_tasks.Dying(3)) as pool:
        found = dict(pool.results(enumerate(range(6)), never))
        assert found == {**{k: k for k in range(6)}, 3: Death(7)}
        assert dict(pool.results([("after", 1)], never)) == {"after": 1}


def test_a_process_that_dies_while_it_is_idle_is_replaced():
    before = set(psutil.Process().children())
    with Workers(2, worker_tasks.squared) as pool:
        assert len(list(pool.results(enumerate(range(4)), never))) == 4
        for process in set(psutil.Process().children()) - before:
            process.kill()
        assert dict(pool.results(enumerate(range(4)), never)) == {k: k * k for k in range(4)}


def test_an_error_in_a_process_arrives_with_its_message_and_traceback():
    with (
        Workers(2, worker_tasks.refusing) as pool,
        pytest.raises(SolveError, match="ValueError: three is refused") as error,
    ):
        list(pool.results(enumerate(range(6)), never))
    assert "in refusing" in str(error.value)


def test_work_that_cannot_be_loaded_is_an_error_and_no_endless_loop(tmp_path, monkeypatch):
    (tmp_path / "gone_later.py").write_text("def work(x): return x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import gone_later

    (tmp_path / "gone_later.py").unlink()
    with Workers(2, gone_later.work) as pool, pytest.raises(SolveError, match="gone_later"):
        list(pool.results(enumerate(range(6)), never))


def test_tasks_are_read_as_slowly_as_answers_are_used():
    read = itertools.count()
    with Workers(2, worker_tasks.squared) as pool:
        results = pool.results(((k, k) for k in read), never)
        for _ in range(5):
            next(results)
        results.close()
    assert next(read) <= 5 + 2


def test_once_it_shall_stop_no_more_tasks_are_begun():
    done = []
    with Workers(2, worker_tasks.squared) as pool:
        for key, _ in pool.results(enumerate(range(1000)), lambda: len(done) >= 5):
            done.append(key)
    assert len(done) == 5


@pytest.fixture
def program(tmp_path):
    """A parent whose two workers are within a task that takes minutes; their ids."""
    paths = [str(tmp_path / "one"), str(tmp_path / "two")]
    code = PROGRAM.format(folder=str(Path(__file__).parents[2]), paths=paths)
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that a Ctrl-C can reach all three and nobody else
    ) as parent:
        try:
            until(lambda: all(Path(path).exists() for path in paths) or parent.poll() is not None)
            yield parent, [int(Path(path).read_text()) for path in paths]
        finally:
            parent.kill()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_ctrl_c_is_the_parents_to_decide_on(program):
    parent, workers = program
    for pid in workers:
        os.kill(pid, signal.SIGINT)
    assert all(running(pid) for pid in workers)
    os.killpg(parent.pid, signal.SIGINT)
    out, errors = parent.communicate(timeout=60)
    assert (parent.returncode, out, errors) == (0, "loop\nstopped with 0\n", "")
    assert not any(running(pid) for pid in workers)


def test_workers_end_with_their_parent_in_the_middle_of_a_task(program):
    parent, workers = program
    parent.kill()
    until(lambda: not any(running(pid) for pid in workers), 30)
