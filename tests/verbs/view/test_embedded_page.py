"""The page of to_html inside a notebook is whole, in a frame of its own."""

from html import unescape

import pytest

import chorda
from chorda.errors import InputError
from chorda.view import embedded
from chorda.view.motion_page import motion_page
from tests.helpers.browser import browser, opened


@pytest.fixture(scope="module")
def run():
    system = chorda.assemble(chorda.neck(2))
    return chorda.simulate(system, duration=0.3, step=1e-2, initial={"x1": 0.3, "tension": 5.0})


def test_the_frame_has_the_page_and_may_run_its_script_only(run):
    frame = embedded(run, height=400)._repr_html_()
    assert unescape(frame.partition('srcdoc="')[2].rpartition('"')[0]) == motion_page(run)
    assert 'sandbox="allow-scripts"' in frame
    assert 'height="400"' in frame


def test_a_hostile_name_does_not_leave_the_frame(run):
    robot = run.system.robot.model_copy(update={"name": '"></iframe><script>alert(1)</script>'})
    rest = chorda.equilibrium(chorda.assemble(robot), tensions=5.0)
    frame = embedded(rest)._repr_html_()
    assert frame.count("<") == 2
    assert frame.endswith('"></iframe>')


@pytest.mark.parametrize("height", [0, 199, float("nan"), "tall"])
def test_a_height_that_shows_nothing_is_refused(run, height):
    with pytest.raises(InputError, match="height: expected"):
        embedded(run, height=height)


def test_the_robot_moves_inside_a_notebooks_page(run, tmp_path):
    """Also when the frame comes into sight only later: it has no size before."""
    page_of_notebook = tmp_path / "notebook.html"
    above = '<!doctype html><div style="height: 5000px"></div>'
    page_of_notebook.write_text(above + embedded(run)._repr_html_(), encoding="utf-8")
    with browser() as made, opened(made, page_of_notebook.as_uri()) as page:
        page.locator("iframe").scroll_into_view_if_needed()
        inside = page.frame_locator("iframe")
        inside.locator("body[data-playing='false']").wait_for(timeout=60_000)
        assert inside.locator("#now").text_content() == "t = 0.300 s"
        assert page.errors == []
        assert [x for x in page.requests if not x.startswith(("file:", "about:"))] == []
