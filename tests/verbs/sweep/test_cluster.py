"""The workers of a Dask scheduler compute the same, and losing one loses nothing."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading

import pytest

import chorda
from chorda.errors import InputError, SolveError
from chorda.sweeps import cluster
from tests.helpers.small_studies import contents, finished, motions, written
from tests.helpers.waiting import until

pytest.importorskip("distributed")


class Cluster:
    """A scheduler and two workers, processes of their own."""

    def __init__(self, folder, *words, **environment):
        self.folder, self.processes, self.environment = folder, [], environment
        where = folder / "scheduler.json"
        self.start(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(where),
            *words,
        )
        until(lambda: where.exists() and where.read_text())
        self.address = json.loads(where.read_text())["address"]

    def start(self, kind, *words):
        module = f"distributed.cli.dask_{kind}"
        process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={**os.environ, **self.environment},
        )
        self.processes.append(process)
        return process

    def workers(self, count):
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        return [self.start("worker", self.address, *words) for _ in range(count)]

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def a_cluster(tmp_path):
    made = Cluster(tmp_path)
    yield made
    made.end()


def with_one_killed(made, study, store, after):
    """The sweep on two workers, one of which is killed after so many chunks."""
    workers = made.workers(2)
    killed_at = []

    def kill():
        until(lambda: len(finished(store)) >= after)
        os.kill(workers[0].pid, signal.SIGKILL)
        killed_at.append(len(finished(store)))

    watcher = threading.Thread(target=kill, daemon=True)
    watcher.start()
    found = chorda.sweep(study, store, scheduler=made.address)
    watcher.join(10)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None
    return found, killed_at[0]


def compared(made, study, folder, after):
    found, killed_at = with_one_killed(made, study, folder / "lost.zarr", after)
    assert found.status.ok
    chunks = len(finished(folder / "lost.zarr"))
    assert killed_at < chunks  # there was work left for the other one
    assert set(found.counts) == {"completed"}
    chorda.sweep(study, folder / "whole.zarr", jobs=1)
    assert contents(folder / "lost.zarr") == contents(folder / "whole.zarr")
    return killed_at, chunks


def test_a_sweep_survives_the_loss_of_one_of_two_workers(a_cluster, tmp_path):
    compared(a_cluster, motions(3, 4, 5, duration=0.2, step=1e-4), tmp_path, after=10)


@pytest.mark.slow
def test_two_thousand_points_survive_the_loss_of_one_of_two_workers(a_cluster, tmp_path):
    study = motions(10, 10, 20, duration=0.2, step=1e-4)
    print("killed after", compared(a_cluster, study, tmp_path, after=30))


def test_a_scheduler_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWER_TIME", 1.0)
    with pytest.raises(InputError, match=r"scheduler: nobody answers at tcp://127.0.0.1:9 within"):
        chorda.sweep(motions(), tmp_path / "store.zarr", scheduler="tcp://127.0.0.1:9")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["foo", "nonsense://a:1", "tcp://10.0.0.1", "", 5])
def test_what_is_no_address_is_refused_before_anything_is_tried(monkeypatch, address):
    monkeypatch.setattr("distributed.Client", None)
    with pytest.raises(InputError, match=r"scheduler: expected an address like tcp://10.* got"):
        cluster.connect(address)


def test_an_address_without_its_scheme_is_one_of_tcp(monkeypatch):
    monkeypatch.setattr(cluster, "ANSWER_TIME", 0.2)
    with pytest.raises(InputError, match=r"scheduler: nobody answers at 127.0.0.1:9 within"):
        cluster.connect("127.0.0.1:9")


def test_an_error_that_is_kept_to_the_end_leaves_no_traceback_of_dask():
    code = "from chorda.sweeps import cluster\ncluster.ANSWER_TIME = 0.2\n"
    code += "try: cluster.connect('tls://127.0.0.1:9')\nexcept ValueError as error: kept = error\n"
    words = [sys.executable, "-c", code + "print(kept)"]
    run = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert run.stdout.startswith("scheduler: cannot connect to tls://127.0.0.1:9 (TLS expects")
    assert run.stderr == ""


@pytest.fixture
def certificates(tmp_path):
    """Dask's configuration with a certificate that signs itself, as a variable."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates")
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=chorda"
    made = [*words.split(), "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    sides = {side: {"cert": cert, "key": key} for side in ("client", "scheduler", "worker")}
    comm = {"require-encryption": True, "tls": {"ca-file": cert, **sides}}
    (tmp_path / "dask.yaml").write_text(json.dumps({"distributed": {"comm": comm}}))
    return {"DASK_CONFIG": str(tmp_path / "dask.yaml")}


def test_certificates_of_dasks_configuration_are_shown(certificates, tmp_path):
    made = Cluster(tmp_path, "--protocol", "tls", **certificates)
    try:
        made.workers(1)
        assert made.address.startswith("tls://")
        with pytest.raises(InputError, match=r"TLS expects.*; name certificates in Dask's config"):
            cluster.connect(made.address)
        study, store = written(motions(1, 2, 1), tmp_path), tmp_path / "store.zarr"
        words = ["sweep", str(study), "--output", str(store), "--scheduler", made.address]
        run = subprocess.run(
            [sys.executable, "-m", "chorda", *words],
            env={**os.environ, **certificates},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert chorda.open_sweep(store).status.ok
    finally:
        made.end()


def test_a_scheduler_without_workers_is_told(a_cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWER_TIME", 3.0)
    with pytest.raises(InputError, match="has no workers; start some with 'dask worker"):
        chorda.sweep(motions(), tmp_path / "store.zarr", scheduler=a_cluster.address)
    assert not (tmp_path / "store.zarr").exists()


class Gone:
    """A client, and a piece that is done, whose worker is lost: it comes again and again."""

    status = "running"

    def submit(self, *_, **__):
        return self

    def add_done_callback(self, call):
        call(self)

    def result(self, timeout):
        raise TimeoutError

    def done(self):
        return False

    def nthreads(self):
        return {}

    def cancel(self, *_, **__):
        pass


def test_pieces_that_were_lost_with_the_last_worker_end_the_sweep(monkeypatch):
    monkeypatch.setattr(cluster, "ABSENCE_TIME", 0.1)
    polls = itertools.count()
    made = cluster.pieces(Gone(), None, [0], lambda k: k, lambda: next(polls) > 1_000_000)
    with pytest.raises(SolveError, match="without workers"):
        next(made)


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["scheduler", "workers"])
def test_a_sweep_that_loses_its_cluster_ends_and_is_gone_on_with(
    a_cluster, tmp_path, monkeypatch, lost
):
    monkeypatch.setattr(cluster, "ABSENCE_TIME", 2.0)
    study, store = motions(3, 4, 5, duration=0.2, step=1e-4), tmp_path / "store.zarr"
    workers = a_cluster.workers(1)

    def kill():
        until(lambda: len(finished(store)) >= 5)
        for process in workers if lost == "workers" else a_cluster.processes[:1]:
            process.kill()

    threading.Thread(target=kill, daemon=True).start()
    with pytest.raises(SolveError, match=r"what is done is kept.*chorda sweep --resume"):
        chorda.sweep(study, store, scheduler=a_cluster.address)
    done = len(finished(store))
    assert 5 <= done < 60
    chorda.sweep(output=store, jobs=1)
    chorda.sweep(study, tmp_path / "whole.zarr", jobs=1)
    assert contents(store) == contents(tmp_path / "whole.zarr")
