"""Files that cannot be written or are not runs are refused with a reason and a remedy."""

import errno
import json
import os
import shutil

import numpy as np
import pytest
import xarray

import chorda
from chorda.errors import ChordaError, StorageError

WRITERS = ["save", "to_csv", "to_mat"]


def refusal(call, *arguments):
    with pytest.raises(StorageError) as caught:
        call(*arguments)
    assert isinstance(caught.value, ChordaError)
    assert isinstance(caught.value, OSError)
    return str(caught.value)


@pytest.mark.parametrize("writer", WRITERS)
class TestWriting:
    def test_a_missing_folder_is_named(self, run, tmp_path, writer):
        message = refusal(getattr(run, writer), tmp_path / "none" / "run")
        assert f"the folder {tmp_path / 'none'} does not exist; make it first" in message

    def test_a_file_in_place_of_the_folder_is_named(self, run, tmp_path, writer):
        (tmp_path / "file").write_text("")
        message = refusal(getattr(run, writer), tmp_path / "file" / "run")
        assert f"the folder {tmp_path / 'file'} is not a folder" in message

    def test_a_folder_in_place_of_the_file_is_named(self, run, tmp_path, writer):
        message = refusal(getattr(run, writer), tmp_path)
        assert "this is a folder; give the name of a file in it" in message

    def test_no_permission_is_said(self, run, tmp_path, writer, monkeypatch):
        def denied(*_, **__):
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr("pathlib.Path.touch", denied)
        message = refusal(getattr(run, writer), tmp_path / "run")
        assert "cannot be written: Permission denied; choose a folder of your own" in message
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("where", ["os.fsync", "pathlib.Path.replace", "shutil.copymode"])
    def test_a_full_disk_leaves_the_old_file_and_no_parts(
        self, run, tmp_path, writer, where, monkeypatch
    ):
        path = tmp_path / "run.nc"
        path.write_text("old")

        def full(*_, **__):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(where, full)
        message = refusal(getattr(run, writer), path)
        assert "could not be written (No space left on device)" in message
        assert "the old file is unchanged" in message
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]

    def test_an_interrupt_leaves_the_old_file_and_no_parts(
        self, run, tmp_path, writer, monkeypatch
    ):
        path = tmp_path / "run.nc"
        path.write_text("old")

        def interrupt(_):
            raise KeyboardInterrupt

        monkeypatch.setattr("os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            getattr(run, writer)(path)
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]

    @pytest.mark.skipif(os.name == "nt", reason="modes of files")
    def test_a_rewritten_file_keeps_its_mode_and_its_link(self, run, tmp_path, writer):
        path, link = tmp_path / "run.nc", tmp_path / "latest.nc"
        path.write_text("old")
        path.chmod(0o640)
        link.symlink_to(path)
        getattr(run, writer)(link)
        assert link.is_symlink()
        assert path.read_bytes() != b"old"
        assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "content",
    [b"", b"not a run", b"\x89HDF\r\n\x1a\n", b"CDF\x01", bytes(range(256)) * 20],
)
def test_a_foreign_file_is_no_run(tmp_path, content):
    path = tmp_path / "run.nc"
    path.write_bytes(content)
    assert "this is no run saved by Chorda" in refusal(chorda.open, path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.999])
def test_a_truncated_run_is_refused(run, tmp_path, share):
    path = run.save(tmp_path / "run.nc")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    assert "is damaged" in refusal(chorda.open, path)


def test_another_netcdf_file_is_no_run(tmp_path):
    path = tmp_path / "weather.nc"
    xarray.Dataset({"rain": ("time", np.zeros(3))}).to_netcdf(path, engine="h5netcdf")
    assert "this is no run saved by Chorda: it lacks 'format'" in refusal(chorda.open, path)


def change(path, edit):
    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as file:
        data = file.load()
    edit(data).to_netcdf(path, engine="h5netcdf")


@pytest.mark.parametrize("attribute", ["provenance", "status", "message", "counts"])
def test_a_run_that_lacks_a_part_is_refused(run, tmp_path, attribute):
    path = run.save(tmp_path / "run.nc")

    def without(data):
        del data.attrs[attribute]
        return data

    change(path, without)
    assert f"it lacks '{attribute}'" in refusal(chorda.open, path)


@pytest.mark.parametrize("variable", ["position", "velocity", "input", "parameter"])
def test_a_run_that_lacks_an_array_is_refused(run, tmp_path, variable):
    path = run.save(tmp_path / "run.nc")
    change(path, lambda data: data.drop_vars(variable))
    assert variable in refusal(chorda.open, path)


@pytest.mark.parametrize(
    "robot", ["name: a", "- 1", "!!python/name:os.system", "name: neck\njoints: []"]
)
def test_a_run_of_a_broken_robot_is_refused(run, tmp_path, robot):
    path = run.save(tmp_path / "run.nc")
    record = json.dumps({**run.provenance, "robot": robot})
    change(path, lambda data: data.assign_attrs(provenance=record))
    assert "this is no run saved by Chorda" in refusal(chorda.open, path)


def test_a_run_of_another_robot_is_refused(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    record = json.dumps({**run.provenance, "robot": chorda.describe.dump(chorda.neck(1))})
    change(path, lambda data: data.assign_attrs(provenance=record))
    assert "position has the shape (51, 5), not (51, 3)" in refusal(chorda.open, path)


def test_a_run_of_a_newer_chorda_is_refused(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    change(path, lambda data: data.assign_attrs(format=2))
    message = refusal(chorda.open, path)
    assert "saved by a newer Chorda (format 2, this one reads up to 1); update Chorda" in message


def test_what_is_not_there_is_said(tmp_path):
    assert "no such file; expected a file that Run.save wrote" in refusal(
        chorda.open, tmp_path / "run.nc"
    )
    assert "this is a folder" in refusal(chorda.open, tmp_path)


def test_reading_leaves_the_file_closed(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    first = chorda.open(path)
    run.save(path)
    shutil.move(path, tmp_path / "moved.nc")
    assert np.array_equal(chorda.open(tmp_path / "moved.nc").time, first.time)
