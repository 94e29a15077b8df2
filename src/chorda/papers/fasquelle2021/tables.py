"""Tables 1 and 2 by the paper's own estimator: values, deviations by eq. 66, and classes."""

from collections.abc import Iterator
from dataclasses import dataclass

from chorda.identification import ParameterEstimate
from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.tolerance import (
    Tolerance,
    above,
    at_least,
    at_most,
    between,
    count,
    equal,
    percent,
    unit,
    within,
    words,
)

WELL_DEVIATION = 0.10  # as in the paper's section 6.6
CONFIDENCE = 2.0  # deviations, as below eq. 66
LARGEST_TOLERANCE = 0.2  # of a value: an interval wider than that says nothing
DEVIATION_FACTOR = 2.0  # within which a deviation counts as the paper's
QUANTITIES = {  # symbol, unit, size of the unit, and whose parameter it is
    "dry_torque": ("f_s", "N", published.PAY, "motor-{}"),
    "friction": ("f_v", "N s/rad", published.PAY, "motor-{}"),
    "stiffness": ("k", "N/m", 1.0, "{}"),
    "damping": ("c_a", "N s/m", 1.0, "{}"),
    "young_modulus": ("E", "GPa", 1e9, "*"),
    "damping_modulus": ("c", "MPa s", 1e6, "*"),
}
TABLES = {
    "dry and viscous": published.TABLE_1,
    "dry only": published.TABLE_1_DRY,
    **published.TABLE_2,
}
CLASS = words("poorly", "well")
LEAST_HELD = 0.8  # part of the intervals of one log: they are few, and may fail together
TRUE_MODELS = (
    "dry and viscous",
    "model 1",
)  # their printed numbers are what the data are made with
MODULI = ("young_modulus", "damping_modulus")
NO_DAMPING = "no cable has negative damping; the truth has none"
NOT_PRINTED = "the paper prints neither the sensors' errors nor the motion nor how long it is"


@dataclass(frozen=True)
class Entry:
    """A printed number beside ours.

    value, deviation: by the paper's estimator, the latter relative, by eq. 66; other: Chorda's.
    """

    fit: str
    quantity: str
    tendon: str
    label: str
    size: float
    paper: float
    paper_deviation: float
    value: float
    deviation: float
    other: ParameterEstimate

    @property
    def made_with(self) -> bool:
        """Whether the data are made with the printed number."""
        return self.fit in TRUE_MODELS and self.paper >= 0

    @property
    def confidence(self) -> float:
        """Half of the paper's interval of confidence, over the value."""
        return CONFIDENCE * self.paper_deviation

    @property
    def well(self) -> bool:
        """Whether it is well identified in the paper."""
        return self.paper_deviation <= WELL_DEVIATION

    @property
    def deviations(self) -> Tolerance:
        """Deviations that count as the paper's."""
        return between(
            self.paper_deviation / DEVIATION_FACTOR, self.paper_deviation * DEVIATION_FACTOR
        )

    @property
    def near(self) -> Tolerance:
        """Values that count as the paper's."""
        return within(self.paper, relative=min(self.confidence, LARGEST_TOLERANCE))


def entries(study: Study) -> Iterator[Entry]:
    """All numbers of Tables 1 and 2, in order."""
    for fit, printed in TABLES.items():
        ours, other = study.as_published[fit], study.identified[fit]
        for quantity, column in printed.items():
            symbol, name, size, owner = QUANTITIES[quantity]
            for k, (value, deviation) in enumerate(column):
                tendon = published.TENDONS[k] if len(column) > 1 else ""
                own = f"{owner.format(tendon)}.{quantity}"
                found, spread = ours[own]
                label = f"{fit}: {symbol}{f'({k + 1})' if tendon else ''} [{name}]"
                yield Entry(
                    fit, quantity, tendon, label, size, value, deviation / 100,
                    found / size, spread / abs(found), other[own],
                )  # fmt: skip


def values_table(study: Study) -> Comparison:
    """What the paper's estimator finds."""
    return Comparison(
        "Tables 1 and 2: values by the paper's estimator",
        [_value_row(x) for x in entries(study)],
        "Where the data are made with the printed number, the row checks whether the estimator "
        "returns it, within two deviations as printed. Elsewhere the tolerance is that, but "
        f"{percent(LARGEST_TOLERANCE)} at most. The unit of c is printed as MPa/s; by eq. 57 it "
        f"is MPa s. Means over {study.repeats} logs that differ in the sensors' errors; the column "
        "before is one log by Chorda's estimator.",
        columns=("by instruments",),
        first="parameter",
    )


def _value_row(x: Entry) -> Row:
    shown, beside = unit("", digits=".4g"), (f"{x.other.value / x.size:.4g}",)
    paper = f"{x.paper:g}"
    if x.quantity in MODULI:
        missing = "the section and the whole length of the cables are not printed"
        return not_determined(x.label, paper, x.value, missing, shown=shown, beside=beside)
    if x.made_with:
        allowed = within(x.paper, relative=x.confidence)
        return own_check(x.label, x.value, allowed, expected=paper, shown=shown, beside=beside)
    why = NO_DAMPING if x.paper < 0 else ""
    helped = ("truth", "motion", "eq. 51") if x.fit == "dry only" else ("truth",)
    return Row(
        x.label, paper, x.value, x.near, shown=shown, why=why, helped_by=helped, beside=beside
    )


def deviations_table(study: Study) -> Comparison:
    """Relative standard deviations as the paper computes them."""
    rows = [
        Row(
            x.label, f"{100 * x.paper_deviation:.4g} %", x.deviation, x.deviations,
            shown=percent, why=NO_DAMPING if x.paper < 0 else NOT_PRINTED,
            helped_by=("torque error", "motion", "duration"),
            beside=(percent(white(x.other)), percent(x.other.relative)),
        )
        for x in entries(study)
    ]  # fmt: skip
    return Comparison(
        "Tables 1 and 2: relative standard deviations by eq. 66",
        rows,
        f"Tolerance: a factor of {DEVIATION_FACTOR:g} to both sides. The two columns before are "
        "Chorda's estimator on one log: by eq. 66, and with the residuals' autocorrelation, which "
        "eq. 66 leaves out.",
        columns=("by instruments, eq. 66", "by instruments, autocorrelated"),
        first="parameter",
    )


def classes_table(study: Study) -> Comparison:
    """Well or poorly identified, as the paper judges."""
    rows = [
        Row(
            x.label, CLASS(x.well), x.deviation,
            at_most(WELL_DEVIATION) if x.well else above(WELL_DEVIATION),
            shown=percent, why=NOT_PRINTED, helped_by=("torque error",),
            beside=tuple(CLASS(y <= WELL_DEVIATION) for y in (white(x.other), x.other.relative)),
        )
        for x in entries(study)
    ]  # fmt: skip
    return Comparison(
        "Tables 1 and 2: identified well or poorly",
        rows,
        f"Well: a relative deviation by eq. 66 of {percent(WELL_DEVIATION)} at most.",
        columns=("by instruments, eq. 66", "by instruments, autocorrelated"),
        first="parameter",
    )


def instruments_table(study: Study) -> Comparison:
    """How much of Tables 1 and 2 is met by Chorda's own estimator."""
    all_entries = list(entries(study))
    free = [x for x in all_entries if not x.made_with and x.quantity not in MODULI]
    made_with = [x for x in all_entries if x.made_with]
    held = sum(x.other.low <= x.paper * x.size <= x.other.high for x in made_with)
    rows = (
        _counted("values that the data are not made with", free,
                 [x.near.holds(x.other.value / x.size) for x in free]),
        _counted("deviations by eq. 66", all_entries,
                 [x.deviations.holds(white(x.other)) for x in all_entries]),
        _counted("classes by eq. 66", all_entries,
                 [(white(x.other) <= WELL_DEVIATION) == x.well for x in all_entries]),
        own_check(
            "values that the data are made with, in their 95 % intervals", held / len(made_with),
            at_least(LEAST_HELD), expected=percent(0.95), shown=percent,
        ),
    )  # fmt: skip
    return Comparison(
        "Tables 1 and 2 by Chorda's estimator",
        rows,
        "By instruments, on one log, with the tolerances of the tables above.",
    )


def _counted(what: str, among: list[Entry], met: list[bool]) -> Row:
    return Row(
        f"{what}: how many are the paper's", f"all {len(among)}", sum(met), equal(len(among)),
        shown=count, why="one log, another filter and other weights",
        helped_by=("truth", "torque error", "motion"),
    )  # fmt: skip


def white(x: ParameterEstimate) -> float:
    """Relative deviation by eq. 66."""
    return x.white_deviation / abs(x.value)
