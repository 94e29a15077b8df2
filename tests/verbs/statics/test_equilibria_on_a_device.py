"""equilibrium_batch on a device: the whole call but the launch, with CuPy's part on the host."""

import sys
from importlib import import_module

import numpy as np
import pytest

import chorda
from chorda.compile import device_rests
from chorda.errors import InputError
from chorda.results.spectra import KINDS
from tests.helpers import fake_cupy
from tests.helpers.gpu_host import compiler

MEMBERS = 9
pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cache")
    made.chmod(0o700)
    return made


@pytest.fixture(autouse=True)
def own_cache(folder, monkeypatch):
    """What stands for code of a GPU is none."""
    monkeypatch.setenv("CHORDA_CACHE", str(folder))


@pytest.fixture
def cupy(tmp_path, monkeypatch):
    """What is made for it is kept with a system: tests that count or vary have their own."""
    return placed(tmp_path, monkeypatch)


def placed(tmp_path, monkeypatch, **given):
    made = fake_cupy.module(tmp_path, **given)
    monkeypatch.setitem(sys.modules, "cupy", made)
    return made


def assert_same(there, here):
    assert there.code.tolist() == here.code.tolist()
    assert np.array_equal(there.iterations, here.iterations)
    assert np.array_equal(there.reached, here.reached)
    for name in ("q", "unknowns", "multipliers", "tension", "u", "parameters"):
        mine, theirs = getattr(there, name), getattr(here, name)
        assert np.allclose(mine, theirs, rtol=1e-10, atol=1e-11, equal_nan=True), name
    assert np.nanmax(there.residual, initial=0.0) < 1e-6
    for kind in KINDS:
        mine, theirs = there.stability[kind], here.stability[kind]
        assert mine.words == theirs.words
        assert np.allclose(mine.eigenvalues, theirs.eigenvalues, rtol=1e-8, equal_nan=True)


def test_members_are_those_of_the_cpu(planar, cupy):
    draw = np.random.default_rng(5)
    value = planar.system.parameter_values[
        planar.system.parameter_names.index("leg1.young_modulus")
    ]
    given = {
        "hold": {"motor1": 2.59 + draw.uniform(-0.4, 0.4, MEMBERS)},
        "parameters": {"leg1.young_modulus": value * draw.uniform(0.7, 1.4, MEMBERS)},
    }
    there = chorda.equilibrium_batch(planar, **given, device="gpu")
    assert there.ok.all()
    assert there.provenance["device"] == "gpu"
    assert_same(there, chorda.equilibrium_batch(planar, **given))
    assert there.at(3).status.ok


def test_members_that_fail_do_so_as_on_the_cpu(centred, cupy):
    given = {
        "poses": {"leg1.tip": {"x": 0.0, "y": np.array([0.85, 1.2, 0.9, 0.7, 2.0])}},
        "limits": {"motor1": (0.0, 3.0)},
    }
    there = chorda.equilibrium_batch(centred, **given, device="gpu")
    here = chorda.equilibrium_batch(centred, **given)
    assert {"converged", "stopped"} <= {*there.code.tolist()}
    assert_same(there, here)
    assert there.status(1).message == here.status(1).message


def test_stability_that_is_lost_is_seen(centred, lowered, cupy):
    heights = lowered.targets[::5, lowered.prescription.labels.index("leg1.tip.y")]
    given = {"poses": {"leg1.tip": {"x": 0.0, "y": heights}}}
    there = chorda.equilibrium_batch(lowered, **given, device="gpu")
    assert 0 < np.sum(there.stable) < len(there)
    assert_same(there, chorda.equilibrium_batch(lowered, **given))


def test_tendons_pull_as_on_the_cpu(cupy):
    system = chorda.assemble(chorda.load("neck-2"))
    start = chorda.equilibrium(system, tensions=20.0, strict=True)
    pull = {t.name: 20.0 + np.linspace(-2, 2, 3) for t in system.robot.tendons}
    there = chorda.equilibrium_batch(start, tensions=pull, device="gpu")
    assert there.ok.all()
    assert_same(there, chorda.equilibrium_batch(start, tensions=pull))


def bent():
    system = chorda.assemble(chorda.load("neck-2"))
    return chorda.equilibrium(system, tensions=20.0, strict=True)


def pulls(start):
    return {t.name: 20.0 + np.linspace(-2, 2, 7) for t in start.system.robot.tendons}


@pytest.fixture
def launches(monkeypatch):
    """Threads and members of each launch."""
    launch, counts = device_rests.Launch.__call__, []

    def counted(self, threads, numbers, there):
        counts.append((threads, numbers[0]))
        return launch(self, threads, numbers, there)

    monkeypatch.setattr(device_rests.Launch, "__call__", counted)
    return counts


def test_long_work_vectors_lie_in_memory_and_threads_have_several_members(
    tmp_path, monkeypatch, launches
):
    monkeypatch.setattr(device_rests, "LARGEST_OWN", 0)
    monkeypatch.setattr(device_rests, "THREADS", 1)
    cp, start, rooms = placed(tmp_path, monkeypatch), bent(), []
    run = device_rests.DeviceRests.run
    monkeypatch.setattr(
        device_rests.DeviceRests, "run", lambda self, x: rooms.append(self.room) or run(self, x)
    )
    chorda.equilibrium_batch(start, tensions=20.0, device="gpu")
    enough = int(3 * 8 * rooms[0] / device_rests.SHARE)
    cp.cuda.runtime.memGetInfo = lambda: (enough, enough)
    monkeypatch.setattr(device_rests.DeviceRests, "at_once", lambda self, each: 7)
    there = chorda.equilibrium_batch(start, tensions=pulls(start), device="gpu")
    assert launches == [(1, 1), (3, 7)]
    assert_same(there, chorda.equilibrium_batch(start, tensions=pulls(start)))


def test_members_come_in_parts_where_memory_is_short(tmp_path, monkeypatch, launches):
    monkeypatch.setattr(device_rests, "THREADS", 2)
    cp, start = placed(tmp_path, monkeypatch), bent()
    chorda.equilibrium_batch(start, tensions=20.0, device="gpu")
    cp.cuda.runtime.memGetInfo = lambda: (1000, 1000)
    there = chorda.equilibrium_batch(start, tensions=pulls(start), device="gpu")
    assert launches == [(1, 1), (2, 2), (2, 2), (2, 2), (1, 1)]
    assert_same(there, chorda.equilibrium_batch(start, tensions=pulls(start)))


def test_work_vectors_are_a_threads_own_where_the_gpu_has_room(tmp_path):
    cp = fake_cupy.module(tmp_path)
    assert not device_rests.is_apart(cp, 9_000)  # 132 * 2048 threads of 72 kB are 19 GB
    assert device_rests.is_apart(cp, 60_000)
    small = fake_cupy.module(tmp_path, memory=20_000_000_000)
    assert device_rests.is_apart(small, 9_000)
    assert not device_rests.is_apart(small, 2_000)


def test_a_kernel_is_compiled_once_for_all_processes(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CHORDA_CACHE", str(folder))
    cp = placed(tmp_path, monkeypatch)
    for _ in range(2):  # the second as another process would
        chorda.equilibrium_batch(bent(), tensions=21.0, device="gpu")
    assert len(cp.compiled) == 1


def test_another_device_is_refused(planar):
    with pytest.raises(InputError, match="device: expected 'cpu' or 'gpu', got 'tpu'"):
        chorda.equilibrium_batch(planar, device="tpu")


def test_judging_in_slices_changes_nothing(planar, monkeypatch):
    given = {"hold": {"motor1": np.linspace(2.4, 2.8, 7)}}
    whole = chorda.equilibrium_batch(planar, **given)
    monkeypatch.setattr(import_module("chorda.statics.batch_results"), "JUDGED_AT_ONCE", 0)
    alone = chorda.equilibrium_batch(planar, **given)
    assert np.array_equal(alone.q, whole.q)
    for kind in KINDS:
        mine, theirs = alone.stability[kind], whole.stability[kind]
        assert np.array_equal(mine.stiffness, theirs.stiffness)
        assert mine.words == theirs.words
