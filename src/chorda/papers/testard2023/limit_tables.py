"""What the paper leaves open and its limit steps depend on: inertia, gains, amplitude."""

from itertools import product

import numpy as np

from chorda.papers.comparison import Comparison, Row, not_determined
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.inertia import inertia_ratio
from chorda.papers.testard2023.loops import FASTEST_TIME
from chorda.papers.testard2023.motions import Case, Setting
from chorda.papers.testard2023.published import (
    FREQUENCY,
    IMPLICIT,
    INERTIA,
    LIGHT_INERTIA,
    STEP,
    STRAIGHT_FREQUENCY,
)
from chorda.papers.testard2023.study import Study
from chorda.papers.testard2023.tables import COMPLETION, MILLISECONDS
from chorda.papers.tolerance import at_most, below, percent, within
from chorda.results import Table

NEGLIGIBLE_INERTIA = 0.1  # of the motors' inertia: an order of magnitude
SHARES = (0.05, 0.2, 0.5, 1.0)  # of the chosen motion


def inertia_table(study: Study) -> Comparison:
    """The manipulator's inertia beside the motors'."""
    rows = [
        *(Row(f"neck-3, motors of {x:g} kg m^2", "negligible", inertia_ratio("neck-3", x),
              at_most(NEGLIGIBLE_INERTIA), shown=percent,
              helped_by=("inertia",) if x == INERTIA else (),
              why="such motors are too light")
          for x in (INERTIA, LIGHT_INERTIA)),
        Row(f"fasquelle-3-pulleys, motors of {INERTIA:g} kg m^2", "negligible",
            inertia_ratio("fasquelle-3-pulleys", INERTIA), at_most(NEGLIGIBLE_INERTIA),
            shown=percent, helped_by=("inertia",)),
        not_determined(f"neck-4, motors of {INERTIA:g} kg m^2", "-",
                       inertia_ratio("neck-4", INERTIA),
                       "Fasquelle2021 has 3 joints", shown=percent),
    ]  # fmt: skip
    return Comparison(
        "Fasquelle2021, section 5.1: inertia of the manipulator / inertia of its motors",
        rows,
        "The largest ratio of kinetic energies that any motion of the straight neck has. The ratio "
        "is as 1 to the motors' inertia.",
        paper="Fasquelle2021",
    )


def limits_over_inertia(study: Study) -> Table:
    """The limit step over the motors' inertia."""
    three, four = (study.loops.over_inertia(n, study.inertias) for n in (3, 4))
    rising = np.maximum.accumulate(three)
    met = np.exp(np.interp(np.log(published.LIMITS[3]), np.log(rising), np.log(study.inertias)))
    return Table(
        "Explicit limit step against motor inertia, constant torques, straight neck (linear)",
        ("motor inertia [kg m^2]", "3 joints [ms]", "4 joints [ms]"),
        tuple(
            (f"{x:.2e}", *y) for x, *y in zip(study.inertias, three * 1e3, four * 1e3, strict=True)
        ),
        f"The paper's 0.4 ms for 3 joints would need {met:.1e} kg m^2 here; the least of 4 joints "
        f"at any of these inertias is {four.min() * 1e3:.3g} ms.",
    )


def limits_over_gains(study: Study) -> Table:
    """The limit step over the controller's gains."""
    columns = [
        study.loops.over_gains(n, study.frequencies, moving) * 1e3
        for moving in (False, True)
        for n in (3, 4)
    ]
    return Table(
        f"Explicit limit step against control gains, motors of {INERTIA:g} kg m^2 (linear)",
        ("frequency of the error dynamics [rad/s]", "at rest, 3 joints [ms]", "4 joints [ms]",
         "in motion, 3 joints [ms]", "4 joints [ms]"),
        tuple(
            (x, *(y or "none" for y in row))
            for x, *row in zip(study.frequencies, *columns, strict=True)
        ),
        "None: the loop itself is unstable. Computed torque assumes rigid tendons; with elastic "
        f"ones high gains destabilise the loop. In motion: at t = {FASTEST_TIME:.2f} s.",
    )  # fmt: skip


def amplitudes_table(study: Study) -> Comparison:
    """Explicit limits over the amplitude of the motion, with both gains."""
    rows = []
    for frequency, share, n in product((FREQUENCY, STRAIGHT_FREQUENCY), SHARES, (3, 4)):
        setting = Setting(frequency, share)
        key = "gains" if frequency == FREQUENCY else "straight gains"
        implicit = study.observed.completes(Case(n, "elastic", IMPLICIT, STEP), setting)
        tolerance = (
            within(published.LIMITS[3], absolute=published.LIMIT_ROUNDING)
            if n == 3
            else below(published.LIMITS[4])
        )
        rows.append(
            Row(f"{frequency:g} rad/s, {percent(share)} of the motion, {n} joints",
                published.LIMITS_AS_PRINTED[n], study.observed.explicit_limit(n, setting),
                tolerance, shown=MILLISECONDS, helped_by=(key, "inertia", "convergence"),
                beside=(COMPLETION(implicit),))
        )  # fmt: skip
    return Comparison(
        "Table 3, explicit limit step: gains and amplitude of the motion",
        rows,
        "Observed: the largest step that converges; 0: not even 0.025 ms does.",
        columns=("implicit at 2 ms",),
        first="gains, amplitude",
    )
