"""Pipes and devices, which may never end, are refused before they are read."""

import os
import subprocess
import sys

import pytest

import chorda
from chorda.control.references import from_file
from chorda.errors import ChordaError
from chorda.sweeps import read_study
from tests.helpers.refusals import refused

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name here")


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.load("neck-1"))


@pytest.fixture(params=["fifo", "/dev/zero"])
def endless(request, tmp_path):
    def make(name):
        path = tmp_path / name
        if request.param == "fifo":
            os.mkfifo(path)
        else:
            path.symlink_to(request.param)
        return path

    return make


def test_every_reader_refuses_them_at_once(endless, system):
    readers = {
        "robot.yaml": chorda.load,
        "run.nc": chorda.open,
        "map.nc": chorda.open_workspace,
        "study.yaml": read_study,
        "log.csv": lambda path: chorda.read_log(path, system),
        "log.mat": lambda path: chorda.read_log(path, system),
        "motion.csv": from_file,
        "store.zarr": chorda.open_sweep,
    }
    for name, read in readers.items():
        message = refused(ChordaError, read, endless(name))
        assert name in message
        assert "device" in message or "expected a store" in message, message


def test_a_map_of_columns_too(endless, system, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("time,x1\n0,0\n", encoding="utf-8")
    message = refused(ChordaError, chorda.read_log, log, system, endless("columns.yaml"))
    assert "columns.yaml: cannot be read: this is a pipe or a device" in message


def test_the_command_line_does_not_hang(endless):
    words = [sys.executable, "-m", "chorda", "simulate", "neck-1", "--inputs"]
    done = subprocess.run(
        [*words, endless("inputs.csv")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode != 0
    assert "this is a pipe or a device" in " ".join(done.stderr.split())
