"""The statements on example 2: the operator O+, stiffness and pretension."""

import math
from dataclasses import replace

import numpy as np

from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.recursive.choices import LINK, SIGNS, START
from chorda.papers.recursive.example2 import DURATION, GAINS, STEP, STIFFNESS, STIFFNESSES, Case
from chorda.papers.recursive.pretension import GRID, LARGE_LOAD, PERIOD, SMALL_LOAD
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.recursive.study import Study
from chorda.papers.tolerance import above, at_least, at_most, below, percent, unit, within
from chorda.results import Table

LOW, HIGH = PRETENSIONS
MIDDLE = 1.0  # [N], a pretension that is enough here
MOTION_TOLERANCE = 1e-4  # [rad]; more than the steps leave
ROUNDING = 1e-12  # [rad]
STIFFER = 1.01  # times as stiff, at least, is what counts as stiffer
STIFF = 2  # index of the stiffness from which on the difference falls as one over it
MASS_RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0)
NEWTON, RADIAN = unit("N"), unit("rad")


def statements_table(study: Study) -> Comparison:
    """The statements of section 'Example 2', figures 10-14."""
    one = study.example2
    least, free = (float(np.min(one.tension(Case(x, LOW)))) for x in (True, False))
    gaps, (low, high) = one.differences(), (one.slack_share(Case(True, T)) for T in PRETENSIONS)
    rows = [
        Row(f"least tension without O+, {LOW:g} N (fig. 11)", "negative", free, below(0),
            shown=NEWTON, helped_by=(LINK,)),
        Row(f"least tension with O+, {LOW:g} N (fig. 11)", "not negative", least, at_least(0),
            shown=NEWTON),
        Row("difference of both models over that at the next lower stiffness, largest (fig. 10)",
            "below 1: the stiffer, the more alike", float((gaps[1:] / gaps[:-1]).max()), below(1)),
        Row(f"time with a slack cable, {LOW:g} N (figs. 13, 14)", "some", low, above(0),
            shown=percent, helped_by=(LINK,)),
        Row(f"time with a slack cable, {HIGH:g} N (figs. 13, 14)", "none", high, at_most(0),
            shown=percent, helped_by=(LINK, START)),
        *_dependence_rows(study),
        *_printed_rows(study),
        *_open_rows(study),
        *_own_rows(study),
    ]  # fmt: skip
    return Comparison("Example 2: what the paper says", rows)


def _dependence_rows(study: Study) -> list[Row]:
    """'The results will depend on the stiffness of tendon as well as [the] gains' (fig. 10)."""
    plain, (K_p, K_v) = Case(True, LOW), GAINS
    changes = {
        "stiffness": replace(plain, stiffness=STIFFNESS / 2),
        "K_p": replace(plain, gains=(K_p / 2, K_v)),
        "K_v": replace(plain, gains=(K_p, K_v / 2)),
    }
    return [
        Row(f"change of the angle with half the {name}, largest", "the output depends on it",
            study.example2.difference(plain, other), above(MOTION_TOLERANCE), shown=RADIAN)
        for name, other in changes.items()
    ]  # fmt: skip


def _printed_rows(study: Study) -> list[Row]:
    one = study.example2
    return [
        Row(f"angle by eq. 31 as printed, {name} O+, {T:g} N, less Chorda's", "0",
            float(np.abs(one.printed(rectified, T) - one.angle(Case(rectified, T))).max()),
            below(MOTION_TOLERANCE), shown=RADIAN, helped_by=(SIGNS,))
        for rectified, name in ((True, "with"), (False, "without")) for T in PRETENSIONS
    ]  # fmt: skip


def _open_rows(study: Study) -> list[Row]:
    one, missing = study.example2, "inertia, radii, stiffness and gains"
    found = {"largest angle (figs. 10, 12)": (float(one.angle(Case(True, HIGH)).max()), RADIAN)}
    for T in PRETENSIONS:
        largest = float(one.tension(Case(True, T)).max())
        found[f"largest tension, {T:g} N (figs. 13, 14)"] = largest, NEWTON
    drawn = "drawn, without numbers"
    return [
        not_determined(name, drawn, value, missing, shown=shown)
        for name, (value, shown) in found.items()
    ]


def _own_rows(study: Study) -> list[Row]:
    one = study.example2
    gaps, finer = one.differences(), one.differences(STEP / 2)
    slope = float(np.polyfit(np.log(STIFFNESSES[STIFF:]), np.log(gaps[STIFF:]), 1)[0])
    errors = [
        np.abs(one.printed(True, LOW) - one.angle(Case(True, LOW, step=STEP / n))).max()
        for n in (1, 4)
    ]
    same = one.difference(Case(True, HIGH), Case(False, HIGH))
    return [
        own_check("difference of both models, power of the stiffness from "
                  f"{STIFFNESSES[STIFF]:g} N/m on", slope, within(-1, absolute=0.05),
                  expected="-1"),
        own_check("change of these differences with half the step, relative",
                  float(np.abs(finer / gaps - 1).max()), below(0.1), expected="0", shown=percent),
        own_check(f"difference of both models, {HIGH:g} N, where no cable is slack", same,
                  at_most(ROUNDING), expected="0", shown=RADIAN),
        own_check("order of the steps, the control being held over each",
                  math.log(errors[0] / errors[1], 4), within(1, absolute=0.1), expected="1"),
    ]  # fmt: skip


def pretension_table(study: Study) -> Comparison:
    """'The higher the pretension is, the stiffer the system is' (fig. 12), measured."""
    tip, one = study.tip, study.example2
    since = DURATION - PERIOD
    shares = {T: 100 * one.slack_share(Case(True, T), since) for T in (MIDDLE, HIGH)}
    why = "linear cables that stay taut are as stiff with any pretension"
    moving = {T: tip.in_motion(T) for T in (LOW, MIDDLE, HIGH)}
    small, large = ([tip.at_rest(T, F) for T in PRETENSIONS] for F in (SMALL_LOAD, LARGE_LOAD))
    first = tip.at_rest(LOW, LARGE_LOAD), tip.at_rest(LOW, 2 * LARGE_LOAD)
    softer = LARGE_LOAD / (2 * LARGE_LOAD / first[1] - LARGE_LOAD / first[0])
    claims = [
        (f"in motion, load {SMALL_LOAD:g} N: {HIGH:g} N over {LOW:g} N",
         moving[HIGH] / moving[LOW], "", (LINK,)),
        (f"in motion, load {SMALL_LOAD:g} N: {HIGH:g} N over {MIDDLE:g} N",
         moving[HIGH] / moving[MIDDLE],
         f"a cable is slack for {shares[MIDDLE]:.2g} % and {shares[HIGH]:.2g} % of that period; "
         + why,
         ()),
        (f"at rest, load {SMALL_LOAD:g} N: {HIGH:g} N over {LOW:g} N", small[1] / small[0], why,
         ()),
        (f"at rest, load {LARGE_LOAD:g} N: {HIGH:g} N over {LOW:g} N", large[1] / large[0], "", ()),
    ]  # fmt: skip
    rows = [
        Row(
            f"tip stiffness {name}",
            "above 1",
            value,
            at_least(STIFFER),
            why=reason,
            helped_by=helped,
        )
        for name, value, reason, helped in claims
    ]  # fmt: skip
    rows += [
        own_check("tip stiffness at rest, both cables taut", small[0],
                  within(tip.taut, relative=1e-4), expected="2 k r3 (r3 + r1 K_p) / a^2",
                  shown=unit("N/m", digits=".5g")),
        own_check("the same with one slack, over that", softer / tip.taut,
                  within(0.5, relative=1e-4), expected="1/2"),
    ]  # fmt: skip
    return Comparison(
        "Example 2: is it stiffer with more pretension (fig. 12)?",
        rows,
        "Load across the link at its tip over deflection, in motion by the mean over the last "
        f"period. Stiffer is {STIFFER:g} times as stiff or more.",
    )


def tip_table(study: Study) -> Table:
    """Tip stiffness by pretension."""
    curves = study.tip.curves()
    rows = zip(GRID.tolist(), *(x.tolist() for x in curves.values()), strict=True)
    since = DURATION - PERIOD
    shares = [100 * study.example2.slack_share(Case(True, float(T)), since) for T in GRID]
    return Table(
        "Example 2: tip stiffness by pretension [N/m]",
        ("pretension [N]", *curves, "load that makes a cable slack at rest [N]",
         "slack in the last period [% of the time]"),
        tuple((*row, study.tip.slack_load(row[0]), share)
              for row, share in zip(rows, shares, strict=True)),
        f"Both cables taut it is {study.tip.taut:.4g} N/m in closed form.",
    )  # fmt: skip


def slack_table(study: Study) -> Table:
    """What figures 13 and 14 show, for other masses of the link and a start from rest."""
    plain = [Case(True, T) for T in PRETENSIONS]
    cases = {f"{2 * r:g} kg": [replace(x, mass_ratio=r) for x in plain] for r in MASS_RATIOS}
    cases["2 kg, from rest"] = [replace(x, rate=0.0) for x in plain]
    slack = study.example2.slack_share
    rows = tuple((name, 100 * slack(x), 100 * slack(y)) for name, (x, y) in cases.items())
    return Table(
        "Example 2: time with a slack cable, by what was chosen",
        ("link", *(f"{T:g} N [% of the time]" for T in PRETENSIONS)),
        rows,
    )


def stiffness_table(study: Study) -> Table:
    """The difference of both models by stiffness."""
    rows = zip(STIFFNESSES, study.example2.differences().tolist(), strict=True)
    return Table(
        "Example 2: difference of both models by stiffness",
        ("stiffness [N/m]", "largest difference of the angle [rad]"),
        tuple(rows),
        f"Angle of the joint with and without O+, pretension {LOW:g} N.",
    )
