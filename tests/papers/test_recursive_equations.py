"""The printed equations of motion of the recursive paper's first example."""

import numpy as np
import pytest

import chorda
from chorda.papers.recursive.equation_tables import equations_table
from chorda.papers.recursive.equations import Case, error, random_cases
from chorda.papers.recursive.published import TERMS
from chorda.papers.recursive.study import Study
from tests.helpers.evaluate import lengths


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_every_derived_term_is_what_newton_euler_gives(seed):
    cases = random_cases(seed)
    for term in TERMS:
        assert error(term, term.derived or term.printed, cases) < 1e-10, term


def test_printed_terms_agree_but_for_these():
    rows = {row.quantity: row for row in equations_table(Study()).rows}
    words = {key: row.verdict for key, row in rows.items()}
    assert {key for key, word in words.items() if word != "reproduced"} == {
        "27: stiffness t24",
        "27: damping t24",
        "30: t15",
        "14: x of an eccentric pulley",
        "14: y of an eccentric pulley",
    }
    assert words["30: t15"] == "not determined"
    assert "r3 may be r2" in rows["27: damping t24"].text
    assert rows["14: y of an eccentric pulley"].value == pytest.approx(1.0)
    assert all(words[f"30: v{i} v{j}"] == "reproduced" for i, j in ((1, 1), (1, 2), (2, 2)))
    assert {row.tolerance.high for row in rows.values() if row.tolerance} == {1e-9}


def test_terms_with_damaged_subscripts_name_the_reading():
    rows = equations_table(Study()).rows
    helped = {row.quantity for row in rows if row.helped_by}
    assert {"28: t23", "Table 2: tension t47", "30: t24"} <= helped
    assert not {"27: dd1", "30: v1 v2", "Table 1: x of link 2"} & helped


def test_terms_that_the_equations_leave_out_are_zero():
    case = Case(np.random.default_rng(0))
    listed = {(t.equation, t.of) for t in TERMS}
    products = [f"v{i} v{j}" for i in range(1, 8) for j in range(i, 8)]
    parts = [*(f"dd{i}" for i in range(1, 8)), "t23", "t24", "t36", "t47", "t15", *products]
    for equation in ("27", "28", "29", "30"):
        for part in parts:
            if (equation, part) not in listed:
                term = type(TERMS[0])(equation, part, "0")
                assert abs(case.measured(term)) < 1e-12, term


def test_elongations_are_those_of_the_system():
    case = Case(np.random.default_rng(0))
    system = chorda.assemble(case.robot)
    stretch = lengths(system, case.q) - lengths(system, 0 * case.q)
    for x, tendon in zip(stretch, case.robot.tendons, strict=True):
        found = case.tension(tendon.name)["stiffness"]
        assert np.isclose(found, tendon.law.stiffness * x, rtol=1e-12)
