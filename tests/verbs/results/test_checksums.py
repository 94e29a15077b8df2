"""A byte that changed in a saved file is found; what killed writers left is removed."""

import os
import subprocess
import sys

import pytest

import chorda
from chorda import files
from chorda.errors import StorageError
from tests.helpers.damage import flipped, without_checksum


@pytest.mark.parametrize("part", [0.05, 0.3, 0.5, 0.7, 0.95])
def test_a_flipped_byte_in_a_run_is_found(run, tmp_path, part):
    path = run.save(tmp_path / "run.nc")
    assert (chorda.open(path).position == run.position).all()
    flipped(path, part)
    with pytest.raises(StorageError, match=r"run.nc: is damaged: its checksum.*compute it again"):
        chorda.open(path)


def test_a_run_from_before_opens_with_a_remark(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    without_checksum(path)
    with pytest.warns(UserWarning, match=r"has no checksum.*save it again by Run.save"):
        assert (chorda.open(path).position == run.position).all()


@pytest.mark.skipif(os.name == "nt", reason="whether a process runs is not asked")
def test_parts_of_killed_writers_are_removed_and_others_stay(run, tmp_path):
    words = [sys.executable, "-c", "import os; print(os.getpid())"]
    child = subprocess.run(words, capture_output=True, check=True)
    dead, own = int(child.stdout), os.getpid()
    names = {
        "dead": f".run.nc-{files.HOST}-{dead}-0123abcd.nc",
        "living": f".run.nc-{files.HOST}-{own}-0123abcd.nc",
        "elsewhere": f".run.nc-{'0' * 6}-{dead}-0123abcd.nc",
        "old": ".run.nc-0123abcd.nc",
        "of the user": ".run.nc-notes.nc",
        "of another": f".walk.nc-{files.HOST}-{dead}-0123abcd.nc",
    }
    for name in names.values():
        (tmp_path / name).write_text("part")
    os.utime(tmp_path / names["old"], (0, 0))
    run.save(tmp_path / "run.nc")
    left = {key for key, name in names.items() if (tmp_path / name).exists()}
    assert left == {"living", "elsewhere", "of the user", "of another"}
