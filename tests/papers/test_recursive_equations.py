"""The printed equations of motion of the recursive paper's first example."""

import numpy as np
import pytest

import chorda
from chorda.papers.recursive.equations import Case, error, random_cases
from chorda.papers.recursive.published import TERMS
from chorda.papers.recursive.study import Study
from chorda.papers.recursive.tables import equations_table
from tests.helpers.evaluate import lengths


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_every_derived_term_is_what_newton_euler_gives(seed):
    cases = random_cases(seed)
    for term in TERMS:
        assert error(term, term.derived or term.printed, cases) < 1e-10, term


def test_printed_terms_agree_but_for_these():
    verdicts = {(row[0], row[1]): row[4] for row in equations_table(Study()).rows}
    assert {key for key, text in verdicts.items() if not text.startswith("agrees")} == {
        ("27", "stiffness t24"),
        ("27", "damping t24"),
        ("30", "t15"),
        ("14", "x of an eccentric pulley"),
        ("14", "y of an eccentric pulley"),
    }
    assert verdicts["30", "t15"] == "not legible"
    assert all(verdicts["30", f"v{i} v{j}"] == "agrees" for i, j in ((1, 1), (1, 2), (2, 2)))


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
