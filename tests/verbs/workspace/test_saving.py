"""A survey is saved as it grows, goes on where it was, and refuses what is not its own."""

import signal
from contextlib import contextmanager

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Revolute, Robot
from chorda.errors import InputError, StorageError
from chorda.statics.workspace import mapping, pieces, region_survey
from tests.helpers.damage import flipped, without_checksum
from tests.helpers.small_maps import LIMITS, OVER, equal


class AfterSome:
    """A Ctrl-C that comes when it was asked for often enough."""

    def __init__(self, count):
        self.left = count

    def __bool__(self):
        self.left -= 1
        return self.left < 0


@pytest.fixture
def broken_off(start, tmp_path, monkeypatch):
    """A survey that a Ctrl-C ended in the middle of a round."""

    @contextmanager
    def interrupted():
        yield AfterSome(52)

    path = tmp_path / "map.nc"
    with monkeypatch.context() as patch:
        patch.setattr(mapping, "interrupts", interrupted)
        patch.setattr(region_survey, "MAX_PIECE", 3)
        part = chorda.workspace(start, OVER, limits=LIMITS, jobs=1, save=path)
    assert part.status.code == "interrupted"
    return path, part


def test_a_survey_goes_on_and_solves_nothing_twice(start, small, broken_off):
    path, part = broken_off
    assert 0 < part.reached.sum() < small.reached.sum()
    assert np.any(part.cells.front == part.survey["now"] + 1)  # within a round
    whole = chorda.workspace(start, OVER, limits=LIMITS, jobs=1, save=path)
    assert whole.status.code == "completed"
    assert whole.survey["solves"] == small.survey["solves"]
    assert all(equal(small, whole).values()), equal(small, whole)


def test_what_was_there_is_opened_with_what_it_knows(broken_off):
    path, part = broken_off
    opened = chorda.open_workspace(path)
    assert opened.status == part.status
    assert all(equal(opened, part).values())
    assert opened.limits == part.limits
    index = tuple(np.argwhere(opened.reached)[-1])
    assert opened.at(*index).q == pytest.approx(part.at(*index).q)


def test_a_complete_survey_is_not_surveyed_again(start, small, tmp_path, monkeypatch):
    path = small.save(tmp_path / "map.nc")

    def refuse(*_):
        raise AssertionError("solved again")

    monkeypatch.setattr(pieces.Surveyor, "survey", refuse)
    again = chorda.workspace(start, OVER, jobs=1, save=path, limits={"stress": 1e9})
    assert all(equal(small, again).values())
    assert set(again.limits) == {"stress"}  # limits are those of the call


def test_a_survey_that_fails_keeps_what_it_had(start, tmp_path, monkeypatch):
    path, survey, calls = tmp_path / "map.nc", pieces.Surveyor.survey, []

    def fail_later(self, tasks):
        calls.append(len(tasks))
        if len(calls) > 5:
            raise RuntimeError("broken")
        return survey(self, tasks)

    monkeypatch.setattr(pieces.Surveyor, "survey", fail_later)
    with pytest.raises(RuntimeError, match="broken"):
        chorda.workspace(start, OVER, jobs=1, save=path)
    assert chorda.open_workspace(path).reached.sum() > 3


def test_an_interrupt_during_the_last_write_loses_nothing(start, tmp_path, monkeypatch):
    path, write, came = tmp_path / "map.nc", mapping.save, []

    def interrupted(found, at):
        came.append(found.status.code)
        signal.raise_signal(signal.SIGINT)
        return write(found, at)

    monkeypatch.setattr(mapping, "save", interrupted)
    monkeypatch.setattr(mapping, "EVERY", 1e9)  # only the last one
    over = {"motor1": (2.4, 2.8, 3)}
    found = chorda.workspace(start, over, jobs=1, save=path)
    assert came == ["completed"]
    assert found.status.code == "completed"
    assert all(equal(chorda.open_workspace(path), found).values())


@pytest.mark.parametrize("name", ["map.csv", "map"])
def test_a_name_that_is_not_of_a_map_is_refused_before_any_work(start, small, tmp_path, name):
    with pytest.raises(InputError, match=r"save: expected a name that ends in \.nc .*'map\.nc'"):
        chorda.workspace(start, OVER, save=tmp_path / name, jobs=1)
    with pytest.raises(InputError, match=r"path: expected a name that ends in \.nc"):
        small.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"over": {"leg1.tip.x": (-1, 1, 15), "leg1.tip.y": (-1.05, 1.05, 15)}},
            "other values of the region",
        ),
        ({"over": {"motor1": (2, 3, 15), "motor2": (0, 1, 15)}}, "other things prescribed"),
        ({"way": "grid"}, "another way of surveying"),
    ],
)
def test_a_file_of_another_survey_is_refused(start, small, tmp_path, change, says):
    path = small.save(tmp_path / "map.nc")
    before = path.read_bytes()
    with pytest.raises(InputError, match=f"holds another workspace, with {says}"):
        chorda.workspace(start, **{"over": OVER} | change, save=path, jobs=1)
    assert path.read_bytes() == before


def test_a_file_from_another_start_or_robot_is_refused(start, small, tmp_path):
    path = small.save(tmp_path / "map.nc")
    with pytest.raises(InputError, match="with another start"):
        chorda.workspace(small.at(4, 6), OVER, save=path, jobs=1)
    stiff = start.system.robot.model_copy(update={"gravity": (0, -1, 0)})
    other = chorda.equilibrium(
        chorda.assemble(stiff), hold={"motor1": 2.59, "motor2": 0.55}, initial=start.position
    )
    with pytest.raises(InputError, match="with another robot"):
        chorda.workspace(other, OVER, save=path, jobs=1)


def test_what_is_no_workspace_is_refused(start, tmp_path):
    (tmp_path / "text.nc").write_text("not a map")
    with pytest.raises(StorageError, match="no workspace saved by Chorda"):
        chorda.workspace(start, OVER, save=tmp_path / "text.nc")
    with pytest.raises(StorageError, match="no such file"):
        chorda.open_workspace(tmp_path / "none.nc")


def test_the_dataset_is_labelled(small):
    data = small.dataset()
    assert data["position"].dims == ("leg1.tip.x", "leg1.tip.y", "coordinate")
    assert data["leg1.tip.x"].attrs["units"] == "m"
    cell = data.sel({"leg1.tip.x": 0.0, "leg1.tip.y": 0.75}, method="nearest")
    found = small.at(*small.near({"leg1.tip.x": 0.0, "leg1.tip.y": 0.75}))
    assert float(cell["position"].sel(coordinate="motor1")) == found.position["motor1"]
    assert float(cell["effort"].sel(unknown="motor2")) == found.efforts["motor2"]
    assert int(data["violated"].sel(limit="stress").sum()) == small.counts["beyond stress"]


def test_a_flipped_byte_in_a_map_is_found(small, tmp_path):
    path = small.save(tmp_path / "map.nc")
    chorda.open_workspace(path)
    flipped(path, 0.5)
    with pytest.raises(StorageError, match="is damaged: its checksum"):
        chorda.open_workspace(path)


def test_a_map_from_before_opens_with_a_remark(small, tmp_path):
    path = small.save(tmp_path / "map.nc")
    without_checksum(path)
    with pytest.warns(UserWarning, match=r"has no checksum.*Workspace.save"):
        assert all(equal(chorda.open_workspace(path), small).values())


@pytest.mark.parametrize("name", ["position", "code", "kind", "tendon", "limit"])
def test_a_joint_may_be_called_like_a_result(name, tmp_path):
    body = Body(mass=1, center=(0.1, 0, 0), inertia=(0, 0, 0.1, 0, 0, 0))
    robot = Robot(name="arm", joints=(Revolute(name=name, body=body, stiffness=5.0),))
    held = chorda.equilibrium(chorda.assemble(robot), hold={name: 0.1})
    made = chorda.workspace(held, {name: (0, 0.2, 3)})
    made.save(tmp_path / "map.nc")
    assert made.dataset()["code"].dims == (f"{name}_axis",)
    again = chorda.open_workspace(tmp_path / "map.nc")
    assert all(equal(again, made).values())
    assert again.names == (name,)
