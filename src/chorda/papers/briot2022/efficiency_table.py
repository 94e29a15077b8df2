"""How efficient the modes are beside the continuous model: in operations, without a clock."""

from chorda.papers.briot2022.published import PRINTED_MODES, SOLVERS, TABLE3_S
from chorda.papers.briot2022.robot_study import RobotStudy
from chorda.papers.comparison import Comparison, Row, not_determined
from chorda.papers.tolerance import between, count

ELEMENTS = 1000


def efficiency_table(study: RobotStudy) -> Comparison:
    """The paper's 'as computational efficient as the continuous model', without a clock."""
    modes, shooting = study.published(PRINTED_MODES), study.published(None)
    ratios = [one / two for one, two, _ in TABLE3_S.values()]
    allowed = between(1 / max(ratios), max(ratios))
    paper = f"{min(ratios):.2g} to {max(ratios):.2g} in time"
    each = [x.counts.numbers / x.counts.slopes for x in (modes, shooting)]
    elastic = 2 * ELEMENTS / (2 * PRINTED_MODES)
    rows = [
        Row("as efficient as the continuous model: right-hand sides of ode45, modes / continuous",
            paper, modes.counts.slopes / shooting.counts.slopes, allowed, helped_by=(SOLVERS,),
            beside=(f"{modes.counts.slopes} / {shooting.counts.slopes}",)),
        Row("the same in numbers that these give", paper,
            modes.counts.numbers / shooting.counts.numbers, allowed, helped_by=(SOLVERS,),
            why=f"a leg takes {each[0]:.0f} numbers with its derivatives, {each[1]:.0f} by "
            "shooting",
            beside=(f"{modes.counts.numbers} / {shooting.counts.numbers}",)),
        not_determined(f"{ELEMENTS} elements take more than 100 times as long: elastic variables, "
                       "elements / modes", "> 100 in time", elastic,
                       "how the finite differences' linear systems are stored and solved",
                       shown=count, beside=(f"{2 * ELEMENTS} / {2 * PRINTED_MODES}",)),
    ]  # fmt: skip
    return Comparison(
        "Section VI.A.2: RFRFR, operations of both models as published, 50 steps",
        rows,
        "In an interpreted language a right-hand side costs much the same however many numbers it "
        f"gives. Allowed is what the paper calls as efficient: its times differ by a factor of up "
        f"to {max(ratios):.2g}. Levenberg-Marquardt takes {modes.iterations} iterations by modes "
        f"and {shooting.iterations} by shooting.",
        columns=("counts",),
    )
