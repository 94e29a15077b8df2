"""Damaged files are refused with a sentence, or hold what was written."""

import os

import numpy as np

from tests.fuzz import children, files
from tests.fuzz.record import BAD


def test_some_damaged_files(tmp_path):
    found = [attempt() for _, attempt in files.cases(tmp_path, 80, 5)]
    assert not [x for x in found if x.word in BAD]
    assert {x.word for x in found} == {"clear", "accepted"}


def test_what_is_not_damaged_is_accepted(tmp_path):
    made = files.Originals(tmp_path)
    for text in made.robots:
        (tmp_path / "robot.yaml").write_text(text)
        assert files.chorda.load(tmp_path / "robot.yaml").joints


def test_crashes_and_hangs_of_children_are_seen(monkeypatch):
    monkeypatch.setattr(children, "SLOW", 0.3)

    def crash():
        os.abort()

    def hang():
        while True:
            np.zeros(3)

    def fail():
        raise KeyError("x")

    assert children.outcome(crash)[0] == "raw"
    assert children.outcome(hang)[0] == "hang"
    assert children.outcome(fail) == ("raw", "KeyError: 'x'")
    assert children.outcome(lambda: "accepted") == ("accepted", "")
