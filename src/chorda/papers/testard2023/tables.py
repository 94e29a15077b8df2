"""Table 3, what the paper states of rigid tendons and of its figures, and eq. 9 as printed."""

import numpy as np

from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.loops import FASTEST_TIME
from chorda.papers.testard2023.motions import BASE, Case, Setting, amplitude, at_times, controller
from chorda.papers.testard2023.observed import LONGEST_STEP, SHORTEST_STEP
from chorda.papers.testard2023.printed_scheme import apart_in_one_step, moved_as_printed
from chorda.papers.testard2023.published import (
    EXPLICIT,
    FREQUENCY,
    IMPLICIT,
    NEGLIGIBLE_SHARE,
    STEP,
    STEPS,
)
from chorda.papers.testard2023.study import Study
from chorda.papers.tolerance import (
    NO,
    YES,
    above,
    at_least,
    at_most,
    below,
    between,
    percent,
    seconds,
    unit,
    within,
    words,
)

MILLISECONDS, NARROW = unit("ms", 1e3), unit("%", 100)
COMPLETION = words("does not complete", "completes")
CONVERGENCE = words("does not converge", "converges")
FIGURE_FACTOR = 2.0  # within which differences are called similar
OTHER_FREQUENCY = 10.0  # [rad/s] gains of a remark
LONG_STEP = 0.1  # [s] of the same remark
CHOSEN = ("inertia", "motion", "gains", "tension")
READING_SHARE = 1e-4  # of the amplitude, by which the two readings of eq. 9 may differ
READING_RATE = 3e-5  # [rad/s] the same of v in one step
TORQUES_HELD = "the control's torques are held over the step"


def table3(study: Study) -> Comparison:
    """Limit steps with elasticity."""
    seen = study.observed
    limits = {n: seen.explicit_limit(n) for n in (3, 4)}
    met = within(published.LIMITS[3], absolute=published.LIMIT_ROUNDING)
    shortest = Case(4, "elastic", EXPLICIT, published.LIMITS[4])
    rows = [
        Row("3 joints, explicit: largest step that converges", published.LIMITS_AS_PRINTED[3],
            limits[3], met, shown=MILLISECONDS, helped_by=(*CHOSEN, "convergence")),
        Row("3 joints, explicit: largest step that completes", published.LIMITS_AS_PRINTED[3],
            seen.explicit_limit(3, completing=True), met, shown=MILLISECONDS, helped_by=CHOSEN,
            why="motions that sway by more than "
            f"{percent(NEGLIGIBLE_SHARE)} of the amplitude are counted too"),
        Row("4 joints, explicit at 0.025 ms: motion", "does not converge",
            seen.converges(shortest), NO, shown=CONVERGENCE, helped_by=(*CHOSEN, "convergence")),
        Row("4 joints, explicit at 0.025 ms: all steps", "does not converge",
            seen.completes(shortest), NO, shown=COMPLETION, helped_by=CHOSEN),
        Row("explicit limit step, 4 joints / 3 joints", "smaller", limits[4] / limits[3],
            below(1.0), helped_by=(*CHOSEN, "convergence")),
        *(row for n in (3, 4) for row in _implicit_limits(study, n)),
        *(row for n in (3, 4) for row in _loops_in_motion(study, n)),
        own_check("3 joints, linear: implicit limit step, constant torques, no dry friction",
                  study.loops.plain_limit("elastic"), at_least(LONGEST_STEP), expected="none",
                  shown=seconds),
        own_check("3 joints, linear: implicit limit step, constant torques, dry friction",
                  study.loops.friction_limit(), within(_friction_limit(), relative=0.01),
                  expected=f"2 I / slope = {seconds(_friction_limit())}", shown=seconds),
    ]  # fmt: skip
    return Comparison(
        "Table 3: limit steps with elastic tendons, 6.3 s of motion",
        rows,
        "Implicit steps are tried from 2 ms up to 1 s and down to 0.025 ms; the last before the "
        "first that does not complete is given. Linear: the loop of neck and computed torque at "
        f"t = {FASTEST_TIME:.2f} s, where the motion is fastest and dry friction nearly constant. "
        "A loop that grows by itself follows no motion with any step that is short enough; long "
        "implicit steps damp it.",
    )


def _friction_limit() -> float:
    """2 I / slope [s]: beyond, friction that is held over the step turns motors too far back."""
    return 2 * published.INERTIA / published.FRICTION_SLOPE


def _implicit_limits(study: Study, n: int) -> list[Row]:
    seen, growth = study.observed, study.loops.in_motion(n, FREQUENCY).growth
    at = Case(n, "elastic", IMPLICIT, STEP)
    return [
        Row(f"{n} joints, implicit at 2 ms", "completes", seen.completes(at), YES,
            shown=COMPLETION, helped_by=CHOSEN),
        Row(f"{n} joints, implicit: limit step", "none", seen.longest(n, "elastic", IMPLICIT),
            at_least(LONGEST_STEP), shown=seconds, why=TORQUES_HELD),
        Row(f"{n} joints, implicit: shortest step that completes", "none",
            seen.shortest(n, "elastic", IMPLICIT), at_most(SHORTEST_STEP), shown=seconds,
            why=f"the loop itself grows by {growth:.2g} /s in motion"),
    ]  # fmt: skip


def _loops_in_motion(study: Study, n: int) -> list[Row]:
    rest, moving = study.loops.at_rest(n, FREQUENCY), study.loops.in_motion(n, FREQUENCY)
    rate = unit("/s")
    sign, text = (below(0.0), "decays") if n == 3 else (above(0.0), "grows")
    return [
        own_check(f"{n} joints, linear: rate of the loop at rest", rest.growth, below(0.0),
                  expected="decays", shown=rate),
        own_check(f"{n} joints, linear: rate of the loop in motion", moving.growth, sign,
                  expected=text, shown=rate),
        own_check(f"{n} joints, linear: growth over an implicit step of 2 ms in motion",
                  moving.implicit, below(1.0), expected="below 1", shown=unit("", digits=".4f")),
    ]  # fmt: skip


def rigid_table(study: Study) -> Comparison:
    """Whether both schemes are stable at any step with rigid tendons."""
    rows = []
    for n in (3, 4):
        for scheme in (EXPLICIT, IMPLICIT):
            label, linear = f"{n} joints, {scheme}", study.loops.rigid_limit(n, scheme, FREQUENCY)
            longest = study.observed.longest(n, "rigid", scheme)
            shortest = study.observed.shortest(n, "rigid", scheme)
            rows += [
                Row(f"{label}: limit step", "none", longest, at_least(LONGEST_STEP),
                    shown=seconds, beside=(seconds(linear),), why=TORQUES_HELD),
                Row(f"{label}: shortest step that completes", "none", shortest,
                    at_most(SHORTEST_STEP), shown=seconds, beside=("-",)),
            ]  # fmt: skip
        rows.append(
            own_check(f"{n} joints, explicit-euler, linear: limit step / (2 / frequency)",
                      study.loops.rigid_limit(n, EXPLICIT, FREQUENCY) * FREQUENCY / 2,
                      within(1.0, relative=0.01), expected=1.0, beside=("-",))
        )  # fmt: skip
    rows.append(
        own_check("3 joints, linear: implicit limit step, constant torques, no dry friction",
                  study.loops.plain_limit("rigid"), at_least(LONGEST_STEP), expected="none",
                  shown=seconds, beside=("-",))
    )  # fmt: skip
    return Comparison(
        "Section 3.3: rigid tendons, steps that are increased and decreased from 2 ms",
        rows,
        f"Linear: the straight neck. {_remark(study)}",
        columns=("linear limit",),
    )


def _remark(study: Study) -> str:
    setting = Setting(OTHER_FREQUENCY)
    ends = {
        scheme: COMPLETION(study.observed.completes(Case(3, "rigid", scheme, LONG_STEP), setting))
        for scheme in (EXPLICIT, IMPLICIT)
    }
    return (
        f"With gains of {OTHER_FREQUENCY:g} rad/s and steps of {LONG_STEP:g} s, 3 joints: "
        + ", ".join(f"{scheme} {end}" for scheme, end in ends.items())
        + "."
    )


def figures_table(study: Study) -> Comparison:
    """What the paper states of figures 3-5."""
    moved = study.motions
    apart = {n: _share(moved.schemes_apart(n), n) for n in (3, 4)}
    elastic = {x: _share(moved.elasticity(3, x), 3) for x in STEPS}
    four = _share(moved.elasticity(4, IMPLICIT), 4)
    similar = between(1 / FIGURE_FACTOR, FIGURE_FACTOR)
    small = below(NEGLIGIBLE_SHARE)
    (time, implicit), (other, explicit) = (moved.elongation(scheme) for scheme in STEPS)
    stretch = np.abs(implicit - at_times(time, other, explicit)).max() / implicit.max()
    missing = "the motion, the gains and the lowest tension are missing"
    rows = [
        *(Row(f"figure 3, {n} joints: |explicit - implicit| / amplitude", "negligible", x, small,
              shown=percent) for n, x in apart.items()),
        *(Row(f"figure 4, {x}: |elastic - rigid| / amplitude", "negligible", y, small,
              shown=percent, helped_by=CHOSEN if x == EXPLICIT else ())
          for x, y in elastic.items()),
        Row("figure 4: |elastic - rigid|, explicit / implicit", "similar",
            elastic[EXPLICIT] / elastic[IMPLICIT], similar,
            why=f"0.4 ms is near the limit of {MILLISECONDS(study.observed.explicit_limit(3))}, "
            "and the motion sways"),
        Row("section 4.3, 4 joints, implicit: |elastic - rigid| / amplitude", "similar motions",
            four, small, shown=percent),
        not_determined("figure 5: largest elongation, implicit", "a plot", implicit.max() * 1e-3,
                       missing, shown=unit("mm", 1e3)),
        not_determined("figure 5: |implicit - explicit| / largest elongation", "two plots",
                       stretch, missing, shown=percent),
    ]  # fmt: skip
    return Comparison(
        "Figures 3-5: what they show",
        rows,
        f"Negligible: below {percent(NEGLIGIBLE_SHARE)} of the largest amplitude; similar: within "
        f"a factor of {FIGURE_FACTOR:g}.",
    )


def _share(angles: np.ndarray, joints: int) -> float:
    return float(np.abs(angles).max() / amplitude(joints))


def printed_scheme_table(study: Study) -> Comparison:
    """Eq. 9 with Gamma held, as printed, beside J^T Gamma held."""
    rows = []
    for n in (3, 4):
        run = study.motions.run(Case(n, "rigid", IMPLICIT, STEP))
        printed = moved_as_printed(run, STEP, controller(n, BASE))
        explicit = study.motions.angles(Case(n, "rigid", EXPLICIT, STEP))
        one = float(np.abs(apart_in_one_step(run, STEP)).max())
        ours = _share(study.motions.schemes_apart(n), n)
        rows += [
            Row(f"figure 3, {n} joints, as printed: |explicit - implicit| / amplitude",
                "negligible", _share(explicit - printed, n), below(NEGLIGIBLE_SHARE),
                shown=NARROW, beside=(NARROW(ours),)),
            own_check(f"{n} joints: |as printed - ours| / amplitude",
                      _share(printed - run.position, n), below(READING_SHARE),
                      beside=("-",)),
            own_check(f"{n} joints: |as printed - ours| of v after one step", one,
                      below(READING_RATE), shown=unit("rad/s"), beside=("-",)),
        ]  # fmt: skip
    return Comparison(
        "Eq. 9: dry friction Gamma held over the step as printed, or J^T Gamma as by Chorda",
        rows,
        f"Rigid tendons, steps of {STEP * 1e3:g} ms; one step: the largest difference from any "
        "state of the motion.",
        columns=("J^T Gamma held",),
        paper="paper, or expected",
    )
