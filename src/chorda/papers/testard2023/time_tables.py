"""Tables 1-3: computing times, which are shown, and operations, which are compared."""

from chorda.papers.comparison import Comparison, Row
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.motions import Case
from chorda.papers.testard2023.published import EXPLICIT, IMPLICIT, STEP, STEPS
from chorda.papers.testard2023.study import Study
from chorda.papers.tolerance import above, at_most, seconds
from chorda.results import Table

INSIGNIFICANT_RATIO = 22 / 18  # the larger of Table 2, which the paper calls not significant
RIGID, ELASTIC = "rigid", "elastic"


def times_table(study: Study) -> Table:
    """Computing times for 6.3 s of motion."""
    paper = {Case(n, RIGID, x, STEP): t for (n, x), t in published.TABLE1.items()}
    for scheme, both in published.TABLE2.items():
        paper |= {
            Case(3, x, scheme, STEPS[scheme]): t
            for x, t in zip((RIGID, ELASTIC), both, strict=True)
        }
    paper |= {Case(n, ELASTIC, x, STEPS[x]): t for (n, x), t in published.TABLE3.items()}
    found = study.times.spreads(paper)
    return Table(
        "Tables 1-3: computing time for 6.3 s of motion",
        ("integration", "paper (MATLAB)", "Chorda, median", "least", "largest"),
        tuple(
            (f"{c.joints} joints, {c.tendons} tendons, {c.scheme}, {c.step * 1e3:g} ms",
             f"{t:g} s", *(seconds(y) for y in (x.median, x.least, x.largest)))
            for (c, t), x in zip(paper.items(), found.values(), strict=True)
        ),
        f"{study.times.repeats} rounds, each of which runs all integrations once. Times depend on "
        "the machine, on what else it does, and on the language: no verdict rests on them.",
    )  # fmt: skip


def operations_table(study: Study) -> Comparison:
    """What tables 1-3 are to show, in operations."""
    count = study.times.operations
    one, two, three = published.TABLE1, published.TABLE2, published.TABLE3
    rows = [
        *(_ratio(f"{n} joints, rigid tendons: implicit / explicit", one[n, IMPLICIT],
                 one[n, EXPLICIT], count(n, RIGID, IMPLICIT), count(n, RIGID, EXPLICIT))
          for n in (3, 4)),
        *(_ratio(f"rigid tendons, {x}: 4 joints / 3 joints", one[4, x], one[3, x],
                 count(4, RIGID, x), count(3, RIGID, x)) for x in (EXPLICIT, IMPLICIT)),
        _ratio("elastic tendons, implicit-euler: 4 joints / 3 joints", three[4, IMPLICIT],
               three[3, IMPLICIT], count(4, ELASTIC, IMPLICIT), count(3, ELASTIC, IMPLICIT)),
        *(Row(f"3 joints, {x}: with / without elasticity", _seconds(b / a),
              count(3, ELASTIC, x) / count(3, RIGID, x), at_most(INSIGNIFICANT_RATIO))
          for x, (a, b) in two.items()),
        _slowest(study),
    ]  # fmt: skip
    return Comparison(
        "Tables 1-3: cost of the integrations in operations",
        rows,
        "Operations of a step with its control, times the steps of the motion. The paper's ratios "
        "are of seconds. It states: explicit integration is faster; time grows with the number of "
        "joints; elasticity does not cost significantly more (it calls a ratio of 22 / 18 so); "
        "for 4 joints the explicit time is much higher than the implicit one.",
        first="ratio",
    )


def _seconds(ratio: float) -> str:
    return f"{ratio:.3g} in seconds"


def _ratio(label: str, a: float, b: float, found: float, other: float) -> Row:
    return Row(label, f"above 1: {_seconds(a / b)}", found / other, above(1.0))


def _slowest(study: Study) -> Row:
    explicit, implicit = (
        study.times.motion_operations(Case(4, ELASTIC, x, h))
        for x, h in ((EXPLICIT, published.LIMITS[4]), (IMPLICIT, STEP))
    )
    bound = published.SLOWEST_TIME / published.TABLE3[4, IMPLICIT]
    return Row(
        "4 joints, elastic tendons: explicit at 0.025 ms / implicit at 2 ms",
        f"above {_seconds(bound)}",
        explicit / implicit,
        above(bound),
    )
