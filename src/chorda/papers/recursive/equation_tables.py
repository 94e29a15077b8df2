"""The printed terms of example 1 against Newton-Euler."""

from chorda.papers.comparison import Comparison, Row, not_determined
from chorda.papers.recursive.choices import SUBSCRIPTS
from chorda.papers.recursive.equations import Case, error, random_cases
from chorda.papers.recursive.published import TERMS, Term
from chorda.papers.recursive.study import Study
from chorda.papers.tolerance import below

AGREEMENT_TOLERANCE = 1e-9  # relative error of a printed term that agrees


def equations_table(_: Study) -> Comparison:
    """Printed against derived terms of eqs. 27-30, and of the tables they rest on.

    >>> [(x.paper, x.text) for x in equations_table(Study()).rows if x.quantity == "28: dd3"]
    [('-I3', 'reproduced')]
    """
    cases = random_cases()
    return Comparison(
        "Example 1: printed terms and Newton-Euler",
        [_row(term, cases) for term in TERMS],
        "Chorda's column is the largest error of the printed term over the largest value of the "
        f"right one, for {len(cases)} random mechanisms in random motion. Terms of eqs. 27-30 are "
        "coefficients on the right-hand side, the inertia moved there; dd1, v1: acceleration and "
        "rate of theta 1,0. Printed terms are those of the paper's extracted text.",
        columns=("derived",),
        first="equation: term",
        paper="printed",
    )


def _row(term: Term, cases: list[Case]) -> Row:
    name, derived = f"{term.equation}: {term.of}", term.derived or term.printed
    if not term.printed:
        left = error(term, derived, cases)
        return not_determined(name, "?", left, "not legible", beside=(derived,))
    return Row(
        name,
        term.printed,
        error(term, term.printed, cases),
        below(AGREEMENT_TOLERANCE),
        why=term.doubt,
        helped_by=(SUBSCRIPTS,) if term.of_a_tendon else (),
        beside=(derived,),
    )
