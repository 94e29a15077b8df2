"""Files of a store that are gone or changed are found, reported, and made again."""

import json
import os
import shutil
import signal

import numpy as np
import pytest

import chorda
from chorda.errors import InputError, StorageError
from chorda.sweeps import manifest, writer_lock
from tests.helpers.damage import flipped
from tests.helpers.small_studies import command, contents, finished, motions, written
from tests.helpers.waiting import until

BEGINNING = [
    "zarr.json",
    "status/zarr.json",
    "final_position/zarr.json",
    "stiffness/zarr.json",
    "stiffness/c/0",
    "coordinate/zarr.json",
    "coordinate/c/0",
    "status/checksums.json",
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A complete store of 60 points in pieces of 4."""
    path = tmp_path_factory.mktemp("whole") / "store.zarr"
    chorda.sweep(motions(), path, jobs=1, chunk=4)
    return path


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "store.zarr")


def damage(path, how):
    if how == "gone":
        path.unlink()
    elif how == "empty":
        path.write_bytes(b"")
    else:
        flipped(path, 0.5)


@pytest.mark.parametrize("how", ["gone", "flipped", "empty"])
@pytest.mark.parametrize("name", BEGINNING)
def test_what_follows_from_the_study_is_made_again_on_open_and_on_resume(whole, copy, name, how):
    for go_on in (chorda.open_sweep, lambda path: chorda.sweep(output=path)):
        damage(copy / name, how)
        with pytest.warns(
            UserWarning, match="missing or damaged; made again from the study"
        ) as seen:
            found = go_on(copy)
        assert any(name in str(x.message) for x in seen)
        assert found.status.code == "completed"
        assert contents(copy) == contents(whole)


def test_a_folder_of_an_array_is_made_again_and_its_chunks_are_computed(whole, copy):
    shutil.rmtree(copy / "final_position")
    with pytest.warns(UserWarning, match="final_position/zarr.json was missing"):
        assert chorda.open_sweep(copy).status.code == "incomplete"
    assert chorda.sweep(output=copy, jobs=1).status.code == "completed"
    assert contents(copy) == contents(whole)


@pytest.mark.parametrize("how", ["gone", "flipped", "empty"])
@pytest.mark.parametrize("name", ["final_position/c/3/0", "message/c/3", "status/c/3"])
def test_no_store_with_a_missing_or_damaged_chunk_is_called_completed(whole, copy, name, how):
    damage(copy / name, how)
    before = contents(copy)
    found = chorda.open_sweep(copy)
    assert found.status.code == "incomplete"
    assert "56 of 60 points are computed, 56 with a result" in found.status.message
    if (name, how) != ("status/c/3", "gone"):  # then nobody knows that it was there
        assert "results of 4 others are missing or damaged" in found.status.message
    assert found.counts == {"completed": 56, "": 4}
    assert str(found.table())
    assert found.failures() == []
    kept = found.data["final_position"].values
    same = chorda.open_sweep(whole).data["final_position"].values
    assert np.array_equal(np.delete(kept, range(12, 16), 0), np.delete(same, range(12, 16), 0))
    assert contents(copy) == before
    assert chorda.sweep(output=copy, jobs=1).status.code == "completed"
    assert contents(copy) == contents(whole)


def from_before(path):
    """As stores were before their beginning had checksums."""
    (path / manifest.PLACE).unlink()
    root = json.loads((path / "zarr.json").read_text())
    about = json.loads(root["attributes"]["chorda_sweep"])
    del about["checksums"]
    root["attributes"]["chorda_sweep"] = json.dumps(about)
    (path / "zarr.json").write_text(json.dumps(root))


def test_a_store_from_before_opens_with_a_remark_and_is_repaired(whole, copy):
    from_before(copy)
    with pytest.warns(UserWarning, match="has no checksums of its coordinates"):
        assert chorda.open_sweep(copy).status.code == "completed"
    (copy / "stiffness/c/0").unlink()
    flipped(copy / "coordinate/c/0", 0.5)
    with pytest.warns(UserWarning, match=r"stiffness/c/0.* were missing or damaged; made again"):
        found = chorda.open_sweep(copy)
    wanted = chorda.open_sweep(whole).data
    assert np.array_equal(found.data["stiffness"], wanted["stiffness"])
    assert found.data["coordinate"].values.tolist() == wanted["coordinate"].values.tolist()


def test_what_cannot_be_known_any_more_is_said(copy):
    (copy / "zarr.json").unlink()
    (copy / manifest.PLACE).unlink()
    with pytest.raises(StorageError, match=r"no store of a sweep, or it is damaged.*nothing was"):
        chorda.open_sweep(copy)


def test_other_versions_repair_nothing_that_they_make_otherwise(copy, monkeypatch):
    monkeypatch.setattr("chorda.sweeps.repairing.versions", lambda: {"chorda": "9"})
    monkeypatch.setattr("chorda.sweeps.store_layout.versions", lambda: {"chorda": "9"})
    (copy / "stiffness/c/0").unlink()
    with pytest.warns(UserWarning, match="made again"):
        chorda.open_sweep(copy)
    (copy / "zarr.json").unlink()
    with pytest.raises(StorageError, match=r"'9'.* makes another zarr.json than .*Nothing was"):
        chorda.open_sweep(copy)


def test_the_second_of_two_sweeps_names_the_first_and_a_killed_one_leaves_nothing(tmp_path):
    study = motions(3, 4, 5, duration=0.5, step=1e-5)
    path, store = written(study, tmp_path), tmp_path / "store.zarr"
    process = command(path, store, "--jobs", "1")
    try:
        until(lambda: (store / writer_lock.PLACE).is_file() and finished(store))
        with pytest.raises(InputError) as refused:
            chorda.sweep(path, store)
        host = os.uname().nodename
        assert f"process {process.pid} on {host}, since 20" in str(refused.value)
        assert f"wait for it, end it (kill {process.pid}" in str(refused.value)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert (store / writer_lock.PLACE).is_file()  # stale
    (store / "status/c/0.0123.partial").write_bytes(b"half")
    abandoned = tmp_path / f".store.zarr-{chorda.files.HOST}-{process.pid}-0123abcd.zarr"
    abandoned.mkdir()
    assert chorda.sweep(path, store, jobs=1).status.code == "completed"
    assert not (store / writer_lock.PLACE).exists()
    assert not list(store.rglob("*.partial"))
    assert not abandoned.exists()


def test_without_locks_of_the_file_system_the_record_counts(copy, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def unsupported(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    (copy / "status/c/3").unlink()
    record = {"process": os.getppid(), "host": os.uname().nodename, "since": "2026-01-01"}
    (copy / writer_lock.PLACE).write_text(json.dumps(record))
    with pytest.raises(InputError, match=rf"process {os.getppid()} on .* If it has ended, remove"):
        chorda.sweep(output=copy)
    (copy / writer_lock.PLACE).write_text(json.dumps(record | {"process": 2**22 + 1}))
    assert chorda.sweep(output=copy, jobs=1).status.code == "completed"
    assert not (copy / writer_lock.PLACE).exists()
