"""The printed terms of example 1 against Newton-Euler, and the statements on example 2."""

import numpy as np

from chorda.papers.recursive.equations import Case as Mechanism
from chorda.papers.recursive.equations import error, random_cases
from chorda.papers.recursive.published import PRETENSIONS, TERMS, Term
from chorda.papers.recursive.study import STIFFNESSES, Case, Study
from chorda.papers.verdicts import table, verdict
from chorda.results import Table

LOW, HIGH = PRETENSIONS
AGREEMENT_TOLERANCE = 1e-9  # relative error of a printed term that agrees


def equations_table(_: Study) -> Table:
    """Printed against derived terms of eqs. 27-30, and of the tables they rest on.

    >>> [row for row in equations_table(Study()).rows if row[0] == "28"][0]
    ('28', 'dd3', '-I3', '-I3', 'agrees')
    """
    cases = random_cases()
    return table(
        "Example 1 of the recursive method: printed terms and Newton-Euler",
        ("equation", "term", "printed", "derived", "verdict"),
        (
            (x.equation, x.of, x.printed or "?", x.derived or x.printed, _agreement(x, cases))
            for x in TERMS
        ),
        "Terms of eqs. 27-30 are coefficients on the right-hand side, the inertia moved there; "
        "dd1, v1: acceleration and rate of theta 1,0. Eq. 14 takes the centre of mass of an "
        "intermediate link along with its carrier: true for balanced pulleys, as the example's.",
    )


def _agreement(term: Term, cases: list[Mechanism]) -> str:
    if not term.printed:
        return "not legible"
    agrees = error(term, term.printed, cases) < AGREEMENT_TOLERANCE
    return ("agrees" if agrees else "differs") + (f" ({term.doubt})" if term.doubt else "")


def statements_table(study: Study) -> Table:
    """The statements of section 'Example 2', figures 10-14."""
    least, free = (float(np.min(study.tension(Case(x, LOW)))) for x in (True, False))
    gaps = study.differences()
    slack = [study.slack_share(Case(True, T)) for T in PRETENSIONS]
    held = [f"{100 * (1 - x):.0f} %" for x in slack]
    rows = (
        ("without O+ some tensions are negative (fig. 11)", f"least tension {free:.2f} N",
         verdict(free, "no tension gets negative", below=0)),
        ("with O+ none is (fig. 11)", f"least tension {least:.2f} N",
         verdict(least, "a tension is negative", at_least=0)),
        ("the stiffer the tendons, the more alike both models (fig. 10)",
         f"difference {gaps[0]:.2g} rad at {STIFFNESSES[0]:g} N/m, {gaps[-1]:.2g} rad at "
         f"{STIFFNESSES[-1]:g} N/m",
         verdict(np.diff(gaps).max(), "the difference does not shrink", below=0)),
        (f"with {LOW:g} N of pretension tendons get slack (figs. 13-14)",
         f"slack for {100 * slack[0]:.0f} % of the time",
         verdict(slack[0], "none gets slack", above=0)),
        (f"with {HIGH:g} N they do not", f"slack for {100 * slack[1]:.0f} % of the time",
         verdict(slack[1], "some get slack", at_most=0)),
        ("more pretension makes the system stiffer (fig. 12)",
         f"both cables hold the joint for {held[0]} and {held[1]} of the time",
         verdict(slack[1], "they hold it alike", below=slack[0])),
    )  # fmt: skip
    return table("Example 2: what the paper says", ("statement", "here", "verdict"), rows)


def stiffness_table(study: Study) -> Table:
    return table(
        "Difference of both models by stiffness",
        ("stiffness", "largest difference of the angle"),
        (
            (f"{k:g} N/m", f"{gap:.3g} rad")
            for k, gap in zip(STIFFNESSES, study.differences(), strict=True)
        ),
        f"Angle of the joint with and without O+, pretension {LOW:g} N.",
    )
