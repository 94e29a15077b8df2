"""Single shooting, the chapter's method: where it has the motion, where it fails, and why."""

import sys

from chorda.continuous import SingleShooting
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.till.motion_tables import distance
from chorda.papers.till.published import FAILING_STEP, STEP, program
from chorda.papers.till.shooting_study import EXTRAPOLATED_START, SAME_TOLERANCE, TOLERANCE
from chorda.papers.till.study import Study
from chorda.papers.till.tables import METRES, WHOSE
from chorda.papers.tolerance import NO, YES, at_least, at_most, below, number, seconds, words
from chorda.results import Table

SOLVER_GAP = 1e-6  # [m] between two ways to one solution
FULL_DIGITS = 1 / sys.float_info.epsilon  # condition number with which all digits are lost
ENDING = words("fails", "completes")


def shooting_table(study: Study) -> Comparison:
    """The chapter's method at its own step and at shorter ones."""
    found, shots = study.shooting, study.shooting.shots
    shot, nodes = found.ramp("single-shooting"), found.ramp("all-nodes")
    same = distance(shot.tip, nodes.tip[: len(shot.tip)])
    failing = [x.step for x in shots if not x.ok]
    working = [x.step for x in shots if x.ok]
    at = {x.step: x for x in shots}[FAILING_STEP]
    n = min(len(shot.time), len(program().time))
    theirs = distance(shot.tip[:n], program().tip[:n])
    shorter = [x for x in shots if x.step <= FAILING_STEP]
    others = {
        "from an extrapolated base": found.pull(FAILING_STEP, EXTRAPOLATED_START),
        "by scipy's Levenberg-Marquardt": found.pull(FAILING_STEP, SingleShooting("minpack")),
        "all nodes at once": found.pull(FAILING_STEP, "all-nodes"),
    }
    rows = [
        Row(f"{STEP * 1e3:g} ms, {found.compared:g} s of the ramp", "chapter: its own setting",
            float(shot.status.ok), YES, shown=ENDING),
        own_check(f"{STEP * 1e3:g} ms: tip away from that of all nodes at once by", same,
                  below(SOLVER_GAP), shown=METRES),
        own_check(f"{STEP * 1e3:g} ms: tip away from the program's by", theirs, below(3e-4),
                  expected="program: its motion", shown=METRES),
        *(own_check(f"{x.step * 1e3:g} ms", float(x.ok), NO,
                    expected=f"program: fails at {FAILING_STEP * 1e3:g} ms and less", shown=ENDING)
          for x in shorter),
        own_check("longest step of the list that fails", max(failing, default=0.0),
                  at_least(FAILING_STEP), shown=seconds,
                  expected=f"program: {FAILING_STEP * 1e3:g} ms, or more"),
        own_check("shortest step of the list that completes", min(working, default=STEP),
                  at_most(2 * FAILING_STEP), shown=seconds),
        own_check(f"{FAILING_STEP * 1e3:g} ms: condition number, against 1 / rounding",
                  at.condition, below(FULL_DIGITS), shown=number),
        *(own_check(f"{FAILING_STEP * 1e3:g} ms, {name}", float(run.status.ok), YES, shown=ENDING)
          for name, run in others.items()),
    ]  # fmt: skip
    return Comparison(
        "Single shooting, the chapter's method",
        rows,
        "As published: Euler along 200 nodes, BDF2, the base of the last step as the first guess, "
        "Levenberg's method with the chapter's numbers and derivatives by differences. Scaled "
        f"tolerance {SAME_TOLERANCE:g} at {STEP * 1e3:g} ms, {TOLERANCE:g} at shorter steps, which "
        f"are taken until {found.latest:g} s. {_reason(at.left, shots[0].left, at.condition)}",
        paper=WHOSE,
    )


def _reason(left: float, long: float, condition: float) -> str:
    digits = "Rounding" if condition > FULL_DIGITS else "It is not the rounding"
    return (
        f"{digits} that stops it at {FAILING_STEP * 1e3:g} ms (condition number {condition:.1e}): "
        f"the base of one step leaves up to {left:.3g} N at the tip of the next one, where steps "
        f"of {STEP * 1e3:g} ms leave {long:.2g} N."
    )


def reasons_table(study: Study) -> Table:
    """What grows as the steps shrink."""
    rows = (
        (f"{x.step * 1e3:g} ms", "completes" if x.ok else f"fails at {x.end + x.step:.3f} s",
         x.iterations, x.growth, f"{x.condition:.1e}", x.left)
        for x in study.shooting.shots
    )  # fmt: skip
    return Table(
        "Single shooting by step",
        ("step", f"to {study.shooting.latest:g} s", "iterations a step", "growth along the rod",
         "condition number", "force left by the last base [N]"),
        tuple(rows),
        "Growth: the largest eigenvalue of the march from base to tip, in the first step. "
        "Condition number: of what is left at the tip by the base, scaled, there. Force left: by a "
        "march from the base of the step before, the largest along the motion. Each run starts "
        "at the last multiple of its step before the tendon is pulled.",
    )  # fmt: skip
