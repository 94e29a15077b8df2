"""chorda view: served until Ctrl-C, or written as one page."""

import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest
from typer.testing import CliRunner

import chorda
from chorda.cli import app
from tests.cli.test_examples import examples, help_text


def run(*words):
    return CliRunner().invoke(app, ["view", *map(str, words)])


def test_its_help_shows_examples():
    assert len(examples(help_text("view"))) == 3


def test_a_robot_is_served_until_ctrl_c():
    pytest.importorskip("viser", reason="pip install 'chorda[view]'")
    words = [sys.executable, "-u", "-m", "chorda", "view", "neck-1", "--no-browser"]
    made = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        line = made.stdout.readline()
        assert "Ctrl-C" in line, made.stderr.read()
        assert line.startswith("http://"), "nothing else is printed before"
        url = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
        with urllib.request.urlopen(url) as answer:
            assert answer.status == 200
        made.send_signal(signal.SIGINT)
        assert made.wait(timeout=60) == 0
        assert made.stdout.read() == ""
    finally:
        made.kill()


def test_a_robot_and_a_run_are_written_as_pages(tmp_path):
    assert run("neck-1", "--html", tmp_path / "neck.html").exit_code == 0
    assert "neck-1" in (tmp_path / "neck.html").read_text(encoding="utf-8")
    system = chorda.assemble(chorda.load("neck-1"))
    chorda.simulate(system, duration=0.01, step=1e-3).save(tmp_path / "run.nc")
    assert run(tmp_path / "run.nc", "--html", tmp_path / "run.html").exit_code == 0
    assert "to t = 0.01 s" in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_a_workspace_is_written_as_a_page(tmp_path):
    system = chorda.assemble(chorda.load("rfrfr"))
    bent = {"leg1.bend_z0": -1, "leg2.bend_z0": 1}
    rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    region = {"motor1": (2.57, 2.59, 2)}
    chorda.workspace(rest, region, progress=False).save(tmp_path / "map.nc")
    assert run(tmp_path / "map.nc", "--html", tmp_path / "map.html").exit_code == 0
    assert "cells were reached" in (tmp_path / "map.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("neck-1", "--beside", "run.nc"), "--beside"),
        (("nothing.nc",), "nothing.nc"),
        (("run.nc", "--tension", "5"), "--tension: has no effect"),
        (("run.nc", "--parameter", "x1.stiffness=2"), "--parameter: has no effect"),
        (("run.nc", "--tendons", "rigid"), "--tendons: has no effect"),
        (("neck-1", "--state", "x", "--html", "page.html"), "--state"),
        (("neck-1", "--state", "nonsense", "--no-browser"), "state"),
    ],
)
def test_wrong_words_are_refused(words, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run(*words)
    assert found.exit_code == 2
    assert what in found.output
