"""Pages and figures show what strangers wrote, and run none of it."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

import chorda
from chorda.describe import parse
from chorda.results import Table
from chorda.view import Section, plot_run
from chorda.view.page import page
from tests.helpers.hostile_texts import HOSTILE, harmless

VISIBLE = [kind for kind, text in HOSTILE.items() if harmless(text) and "\n" not in text]


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, sorted(name for name, _ in attributes)))

    def handle_comment(self, data):
        self.found.append(("comment", data))


def made(text):
    table = Table(text, (text, "b"), ((text, 1.0),), text)
    return page(text, [Section(text, (text,), (table,))] * 3, text)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_page_has_the_same_tags_whatever_its_texts(kind):
    text = made(HOSTILE[kind])
    assert Tags(text).found == Tags(made("plain")).found
    assert harmless(text)


@pytest.fixture(scope="module")
def run():
    return chorda.simulate(chorda.assemble(chorda.load("neck-1")), duration=0.01, step=1e-3)


@pytest.mark.parametrize("kind", VISIBLE)
def test_a_figure_shows_the_robots_name(run, kind, tmp_path):
    robot = run.system.robot.model_copy(update={"name": HOSTILE[kind]})
    named = chorda.simulate(chorda.assemble(robot), duration=0.01, step=1e-3)
    plot_run(named, path=tmp_path / "run.svg")
    tags = {x.tag.rpartition("}")[2] for x in ET.parse(tmp_path / "run.svg").iter()}
    assert not tags & {"script", "img", "image", "PWNED", "mujoco"}


@pytest.mark.parametrize("kind", VISIBLE)
def test_a_run_is_saved_and_read_whatever_the_name(run, kind, tmp_path):
    robot = run.system.robot.model_copy(update={"name": HOSTILE[kind], "title": "\0\x1b"})
    named = chorda.simulate(chorda.assemble(robot), duration=0.01, step=1e-3)
    named.save(tmp_path / "run.nc")
    named.to_csv(tmp_path / "run.csv")
    named.to_mat(tmp_path / "run.mat")
    again = chorda.open(tmp_path / "run.nc").system.robot
    assert again == robot == parse(chorda.describe.dump(robot))
