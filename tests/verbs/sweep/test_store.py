"""What is done is kept, found again, and never mixed with something else."""

import errno
import os
import shutil

import numpy as np
import pytest
import xarray

import chorda
from chorda.errors import InputError, StorageError
from chorda.sweeps import store as stores
from tests.helpers.small_studies import contents, finished, motions


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A complete store of 60 points in pieces of 4."""
    path = tmp_path_factory.mktemp("whole") / "store.zarr"
    chorda.sweep(motions(), path, jobs=1, chunk=4)
    return path


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "store.zarr")


def test_xarray_reads_a_store_without_chorda(whole):
    data = xarray.open_zarr(whole, chunks=None)
    assert data["final_position"].dims == ("point", "coordinate")
    assert data["final_position"].attrs["units"] == "rad"
    assert data["stiffness"].attrs["units"] == "N/m"
    assert (data["status"] == "completed").all()


def test_a_store_is_found_again_with_its_study_and_axes(whole):
    found = chorda.open_sweep(whole)
    assert found.status.code == "completed"
    grid = found.grid()
    assert grid["final_position"].shape == (3, 4, 5, 3)
    point = grid.isel({"stiffness": 2, "initial.x1": 1, "sample": 3})
    same = found.data.isel(point=np.ravel_multi_index((2, 1, 3), (3, 4, 5)))
    assert np.array_equal(point["final_position"], same["final_position"])
    for name in ("stiffness", "initial.x1", "left.damping"):
        assert float(point[name]) == float(same[name])


@pytest.mark.parametrize(
    "damage",
    ["status/c/3", "final_position/c/3/0", "message/c/3"],
    ids=["no status", "no data", "no message"],
)
@pytest.mark.parametrize("how", ["gone", "torn", pytest.param("empty", marks=pytest.mark.slow)])
def test_a_damaged_chunk_is_computed_again_and_no_other(whole, copy, damage, how):
    before = finished(copy)
    raw = (copy / damage).read_bytes()
    (copy / damage).unlink()
    if how != "gone":
        (copy / damage).write_bytes(raw[: len(raw) // 2] if how == "torn" else b"")
    assert stores.existing(copy).unfinished() == [3]
    assert chorda.sweep(output=copy, jobs=1).status.ok
    assert contents(copy) == contents(whole)
    after = finished(copy)
    assert {k for k in before if after[k] != before[k]} == {"3"}


def test_a_complete_store_is_returned_as_it_is(copy):
    before = finished(copy)
    assert chorda.sweep(motions(), copy, jobs=2).status.ok
    assert finished(copy) == before


def test_a_store_of_another_study_is_refused_and_unchanged(copy):
    before = contents(copy)
    with pytest.raises(InputError, match=r"holds another study, its compute differs"):
        chorda.sweep(motions(duration=0.06), copy)
    assert contents(copy) == before


def test_other_files_and_folders_are_refused_and_unchanged(tmp_path):
    folder, file = tmp_path / "thesis", tmp_path / "notes.txt"
    folder.mkdir()
    (folder / "chapter").write_text("1", encoding="utf-8")
    file.write_text("2", encoding="utf-8")
    for path in (folder, file):
        with pytest.raises(StorageError, match=r"no store of a sweep|this is a file"):
            chorda.sweep(motions(), path)
    assert contents(tmp_path) == {"thesis/chapter": b"1", "notes.txt": b"2"}
    with pytest.raises(InputError, match="path: expected the folder of a store, got 5"):
        chorda.open_sweep(5)
    with pytest.raises(InputError, match="output: expected the folder of a store, got 5"):
        chorda.sweep(motions(), 5)
    with pytest.raises(StorageError, match="does not exist; make it first"):
        chorda.sweep(motions(), tmp_path / "none" / "store.zarr")


def test_a_store_that_another_process_writes_to_is_refused(copy):
    (copy / "status/c/3").unlink()
    who = rf"another process is writing to .*: process {os.getpid()} on .*, since \d{{4}}-.*kill"
    with stores.existing(copy).locked(), pytest.raises(InputError, match=who):
        chorda.sweep(output=copy)


def test_a_full_disk_ends_the_sweep_in_a_sentence_and_loses_nothing(whole, tmp_path, monkeypatch):
    from zarr.storage import LocalStore

    path, write, writes = tmp_path / "store.zarr", LocalStore.set, []

    async def full(self, key, value):
        if "/c/" in key and self.root == path:
            writes.append(key)
            if len(writes) > 30:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        await write(self, key, value)

    monkeypatch.setattr(LocalStore, "set", full)
    with pytest.raises(StorageError, match=r"No space left on device.*what is done is kept"):
        chorda.sweep(motions(), path, jobs=1, chunk=4)
    monkeypatch.undo()
    halfway = chorda.open_sweep(path)
    assert halfway.status.code == "incomplete"
    assert 0 < halfway.counts["completed"] < 60
    assert chorda.sweep(output=path, jobs=1).status.ok
    assert contents(path) == contents(whole)


def test_a_disk_that_is_full_from_the_start_leaves_nothing(tmp_path, monkeypatch):
    from zarr.storage import LocalStore

    async def full(self, key, value):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(LocalStore, "set", full)
    with pytest.raises(StorageError, match=r"No space left on device\); nothing is there"):
        chorda.sweep(motions(), tmp_path / "store.zarr", jobs=1)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_a_sweep_with_what_is_there(whole, tmp_path, monkeypatch):
    path, write, seen = tmp_path / "store.zarr", stores.Store.write, []

    def interrupted(self, k, piece):
        write(self, k, piece)
        seen.append(k)
        if len(seen) == 5:
            os.kill(os.getpid(), 2)

    monkeypatch.setattr(stores.Store, "write", interrupted)
    found = chorda.sweep(motions(), path, jobs=1, chunk=4)
    monkeypatch.undo()
    assert found.status.code == "interrupted"
    assert "20 of 60 points are computed" in found.status.message
    assert f"chorda sweep --resume {path}" in found.status.message
    assert chorda.sweep(motions(), path, jobs=1).status.ok
    assert contents(path) == contents(whole)
