"""The reproduction of Recursive: what the paper says of tendons that cannot push holds here."""

import re

import numpy as np
import pytest

from chorda.papers import PAPERS
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.recursive.study import STIFFNESSES, Case, Study

LOW, HIGH = PRETENSIONS
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return PAPERS["recursive"](tmp_path_factory.mktemp("paper"), quick=True, progress=False)


@pytest.fixture(scope="module")
def study():
    return Study()


def test_every_statement_is_reproduced(made):
    table = next(t for t in made.tables if t.title.startswith("Example 2"))
    numbers = [[float(x) for x in NUMBER.findall(row[1])] for row in table.rows]
    (without,), (with_it,), gaps, (slack,), (none,), held = numbers
    assert without == pytest.approx(-1.56, abs=0.05)
    assert with_it == 0
    assert gaps == pytest.approx([2e-3, 1e3, 1.4e-5, 3e5], rel=0.05)
    assert slack == pytest.approx(69, abs=2)
    assert none == 0
    assert held == pytest.approx([31, 100], abs=2)
    assert {row[-1] for row in table.rows} == {"reproduced"}


def test_tensions_are_negative_without_the_operator_and_never_with_it(study):
    assert np.min(study.tension(Case(False, LOW))) < -0.5
    for pretension in PRETENSIONS:
        assert np.min(study.tension(Case(True, pretension))) >= 0


def test_half_a_newton_lets_the_tendons_get_slack_and_3_5_do_not(study):
    late = study.run(Case(True, LOW)).time > 6.0  # not only at the start
    assert np.all(np.any(study.tension(Case(True, LOW))[late] == 0, axis=0))
    assert np.min(study.tension(Case(True, HIGH))) > 0.5


def test_both_models_get_alike_as_one_over_the_stiffness(study):
    gaps = study.differences()
    slope = np.polyfit(np.log(STIFFNESSES), np.log(gaps), 1)[0]
    assert slope == pytest.approx(-1.0, abs=0.15)


def test_taut_tendons_do_not_know_the_operator(study):
    with_it, without = (study.run(Case(x, HIGH)).position for x in (True, False))
    assert with_it == pytest.approx(without, abs=1e-12)


def test_figures_and_a_page_are_written(made):
    names = {f.name for f in made.files}
    figures = {"figure10.png", "figure11.png", "figure12.png", "figures13-14.png"}
    assert figures | {"stiffness.png", "index.html"} == names
