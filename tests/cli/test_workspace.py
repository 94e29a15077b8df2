"""chorda workspace."""

from pathlib import Path

import pytest

import chorda as library
from chorda.errors import StorageError
from chorda.results import Workspace

START = ("--hold", "motor1=2.59", "--hold", "motor2=0.55")
BULGE = ("--set", "leg1.bend_z0=-1", "--set", "leg2.bend_z0=1")
SMALL = ("--over", "leg1.tip.x=-0.9:0.9:7", "--over", "leg1.tip.y=-0.9:0.9:7", "--jobs", "1")


def test_the_command_gives_the_verbs_workspace(chorda):
    answer = chorda("workspace", "rfrfr", *START, *BULGE, *SMALL, "--limit", "stress=1e9", "--json")
    first = library.equilibrium(
        library.assemble(library.load("rfrfr")),
        hold={"motor1": 2.59, "motor2": 0.55},
        initial={"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0},
    )
    over = {"leg1.tip.x": (-0.9, 0.9, 7), "leg1.tip.y": (-0.9, 0.9, 7)}
    found = library.workspace(first, over, limits={"stress": 1e9}, jobs=1)
    assert answer.code == 0
    assert answer.json["counts"] == found.counts
    assert answer.json["usable"] == found.usable.tolist()
    assert answer.json["extent"]["usable"] == pytest.approx(found.extent(found.usable))


def test_a_file_and_a_picture_are_written_and_the_file_is_gone_on_from(chorda):
    words = ("workspace", "rfrfr", *START, *BULGE, *SMALL, "--save", "map.nc")
    first = chorda(*words, "--picture", "map.svg")
    assert first.code == 0
    assert "usable" in first.out
    assert "m^2" in first.out
    assert "<svg" in Path("map.svg").read_text()
    assert library.open_workspace("map.nc").status.ok
    again = chorda(*words, "--json")
    assert again.json["survey"]["solves"] == library.open_workspace("map.nc").survey["solves"]
    other = chorda(*words, "--way", "grid")
    assert other.code == 2
    assert "holds another workspace, with another way of surveying" in other.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--over", "motor1"), "--over: expected NAME=VALUES, got 'motor1'"),
        (("--over", "motor1=0:1"), "--over motor1: expected LOW:HIGH:COUNT, got '0:1'"),
        (("--over", "motor1=0:1:x"), "expected LOW:HIGH:COUNT"),
        (("--over", "motor1=0:1:3", "--over", "motor1=0:1:3"), "'motor1' is given twice"),
        (("--over", "motor1=0:1:3", "--save", "map.png"), "--save: expected a file ending in .nc"),
    ],
)
def test_what_cannot_be_read_is_refused_before_any_work(chorda, words, says):
    answer = chorda("workspace", "rfrfr", *START, *words)
    assert answer.code == 2
    assert says in answer.err


def test_a_colour_that_is_not_known_costs_no_survey(chorda, monkeypatch):
    monkeypatch.setattr(library, "workspace", None)  # not called
    over = ("--over", "motor1=2.4:2.8:3", "--picture", "map.png", "--colour", "foo")
    answer = chorda("workspace", "rfrfr", *START, *BULGE, *over)
    assert answer.code == 2
    said = answer.err.replace("\n", " ")
    assert "--colour: expected one of stability, limits, motor1, " in said
    assert said.count(" motor1,") == 1
    assert "got 'foo'" in said


def test_the_table_is_there_though_the_picture_fails(chorda, monkeypatch):
    def fail(*_, **__):
        raise StorageError("the disk is full")

    monkeypatch.setattr(Workspace, "plot", fail)
    over = ("--over", "motor1=2.4:2.8:3", "--picture", "map.png")
    answer = chorda("workspace", "rfrfr", *START, *BULGE, *over)
    assert answer.code == 2
    assert "usable" in answer.out
    assert "the disk is full" in answer.err


def test_what_can_be_coloured_is_known_before_the_survey(chorda):
    words = ("--over", "motor1=2.4:2.8:3", "--picture", "map.svg", "--colour", "motor1.effort")
    answer = chorda("workspace", "rfrfr", *START, *BULGE, *words)
    assert answer.code == 0
    assert "motor1.effort" in Path("map.svg").read_text()
