"""What the paper says of example 2, as verdicts."""

import numpy as np

from chorda.papers.recursive.study import (
    PRETENSIONS,
    STIFFNESSES,
    Case,
    differences,
    slack_share,
    tension,
)
from chorda.papers.report import Table, row, verdict

LOW, HIGH = PRETENSIONS


def claims() -> Table:
    """The claims of section 'Example 2', figures 10-14."""
    with_O, without = Case(True, LOW), Case(False, LOW)
    least, free = float(np.min(tension(with_O))), float(np.min(tension(without)))
    gaps = differences()
    shares = [slack_share(Case(True, T)) for T in PRETENSIONS]
    rows = (
        row(
            "without O+ some tensions are negative (fig. 11)",
            f"least tension {free:.2f} N",
            verdict(free < 0, "no tension gets negative"),
        ),
        row(
            "with O+ none is (fig. 11)",
            f"least tension {least:.2f} N",
            verdict(least >= 0, "a tension is negative"),
        ),
        row(
            "the stiffer the tendons, the more alike both models (fig. 10)",
            f"difference {gaps[0]:.2g} rad at {STIFFNESSES[0]:g} N/m, {gaps[-1]:.2g} rad at "
            f"{STIFFNESSES[-1]:g} N/m",
            verdict(bool(np.all(np.diff(gaps) < 0)), "the difference does not shrink"),
        ),
        row(
            f"with {LOW:g} N of pretension tendons get slack (figs. 13-14)",
            f"slack for {100 * shares[0]:.0f} % of the time",
            verdict(shares[0] > 0, "none gets slack"),
        ),
        row(
            f"with {HIGH:g} N they do not",
            f"slack for {100 * shares[1]:.0f} % of the time",
            verdict(shares[1] == 0, "some get slack"),
        ),
        row(
            "more pretension makes the system stiffer (fig. 12)",
            f"both cables hold the joint for {100 * (1 - shares[0]):.0f} % and "
            f"{100 * (1 - shares[1]):.0f} % of the time",
            verdict(shares[1] < shares[0], "they hold it alike"),
        ),
    )
    return Table("Example 2: what the paper says", ("statement", "here", "verdict"), rows)


def stiffness_table() -> Table:
    rows = tuple(
        row(f"{k:g} N/m", f"{gap:.3g} rad")
        for k, gap in zip(STIFFNESSES, differences(), strict=True)
    )
    return Table(
        "Difference of both models by stiffness",
        ("stiffness", "largest difference of the angle"),
        rows,
        f"Angle of the joint with and without O+, pretension {LOW:g} N.",
    )
