"""Tables 1 and 2 with truth, estimate, relative deviation and the paper's; and what follows."""

import numpy as np

from chorda.identification import Comparison, Identification, ParameterEstimate
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.coverage import WAYS, coverage
from chorda.papers.fasquelle2021.published import Cell, Printed
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.verdicts import same, table
from chorda.results import Table
from chorda.results.table import percent

HEADER = (
    "parameter", "truth", "estimate", "error", "deviation", "eq. 66", "paper", "paper's deviation",
    "verdict", "beside the paper",
)  # fmt: skip
NOTE = (
    "Deviation: relative standard deviation, with correlation of the residuals in time; eq. 66: "
    "without, as the paper computes it."
)
WELL_DEVIATION = 10.0  # [%] as in the paper's section 6.6
QUANTITIES = {  # symbol, unit, size of the unit, and whose parameter it is
    "dry_torque": ("f_s", "N", published.PAY, "motor-{}"),
    "friction": ("f_v", "N s/rad", published.PAY, "motor-{}"),
    "stiffness": ("k", "N/m", 1.0, "{}"),
    "damping": ("c_a", "N s/m", 1.0, "{}"),
    "young_modulus": ("E", "GPa", 1e9, "*"),
    "damping_modulus": ("c", "MPa s", 1e6, "*"),
}
Row = tuple[str, ...]


def table1(study: Study) -> Table:
    """Dry and viscous friction, together and dry friction alone."""
    rows = _rows("{}", study.frictions["dry and viscous"], published.TABLE_1)
    rows += _rows("{} alone", study.frictions["dry only"], published.TABLE_1_DRY, comparable=False)
    note = "f_s alone takes up what viscous friction there is, here as in the paper."
    return table("Table 1: friction", HEADER, rows, f"{NOTE} {note}")


def table2(study: Study) -> Table:
    """Dry friction and elasticity by the three models."""
    rows = [
        row
        for name, printed in published.TABLE_2.items()
        for row in _rows(f"{name}: {{}}", study.laws[name], printed)
    ]
    note = (
        "The truth is model 1, so that E and c of the others have none. "
        "Their published values rest on a section and a length that are not printed."
    )
    return table("Table 2: friction and elasticity", HEADER, rows, f"{NOTE} {note}")


def _rows(label: str, made: Identification, printed: Printed, comparable: bool = True) -> list[Row]:
    """label: with room for the symbol. comparable: whether the truth is one of this model."""
    rows = []
    for quantity, column in printed.items():
        symbol, unit, size, owner = QUANTITIES[quantity]
        for k, cell in enumerate(column):
            found = made[f"{owner.format(published.TENDONS[k])}.{quantity}"]
            index = f"({k + 1})" if len(column) > 1 else ""
            text = f"{label.format(symbol)}{index} [{unit}]"
            rows.append(_row(text, found, size, cell, comparable))
    return rows


def _row(label: str, x: ParameterEstimate, size: float, paper: Cell, comparable: bool) -> Row:
    well = x.verdict == "well identified"
    reason = "the sensors' errors are assumed" if well else "this motion excites it less"
    return (
        label,
        "-" if x.truth is None else f"{x.truth / size:.4g}",
        f"{x.value / size:.4g}",
        percent(abs(x.value / x.truth - 1)) if x.truth and comparable else "-",
        percent(x.relative),
        percent(x.white_deviation / abs(x.value)),
        f"{paper[0]:.4g}",
        f"{paper[1]:.3g} %",
        x.verdict,
        same(well, paper[1] <= WELL_DEVIATION, reason),
    )


def errors_table(study: Study) -> Table:
    """How well each model rebuilds the tension, on data that it was not fitted to."""
    linear, bent = (_scores(c) for c in (study.linear_truth, study.stiffening_truth))
    return table(
        "Section 6.6.2: mean error of the tension, and misfit, on held-out data",
        ("model", "error", "misfit", "error, stiffening cables", "misfit", "paper's error"),
        (
            (name, *linear[name], *bent[name],
             f"{published.MEAN_ERRORS[name]:.2f} N" if name in published.MEAN_ERRORS else "-")
            for name in study.models
        ),
        "Fitted to the first two thirds, judged by the rest. First with cables that obey model 1: "
        "what is left for it is sensor noise, and models 2 and 3 fail because one modulus cannot "
        "give four published stiffnesses. Then with cables that stiffen: all three models fail, as "
        "in the paper, and the stiffening law does not. Its error of 6.88 N for model 1 suggests "
        "cables that stiffen more than these.",
    )  # fmt: skip


def _scores(comparison: Comparison) -> dict[str, tuple[str, str]]:
    return {
        s.name: (f"{s.tension_error:.2f} N", percent(s.held_out_misfit)) for s in comparison.scores
    }


def coverage_table(study: Study) -> Table:
    """How often 95 % intervals hold the truth, and how far off estimates are on average."""
    found = coverage(study.experiments)
    rows = []
    for symbol, ending in {"f_s": "dry_torque", "k": "stiffness", "c_a": "damping"}.items():
        at = [i for i, name in enumerate(found.names) if name.endswith(ending)]
        hits = np.mean(found.inside[:, :, at], axis=(0, 2))
        real = [i for i in at if found.truth[i] != 0]
        off = np.mean(found.error[:, :, real], axis=0) / found.truth[real]
        worst = (f"{100 * x[np.argmax(np.abs(x))]:+.2g} %" for x in off)
        rows.append((symbol, *map(percent, hits), *worst))
    rows.append(("all", *map(percent, np.mean(found.inside, axis=(0, 2))), "", ""))
    return table(
        f"95 % intervals over {len(found.inside)} virtual experiments",
        ("parameters", *WAYS, "largest mean error, instruments", "least squares"),
        rows,
        "Columns 2 to 4: how often the interval holds the truth; 95 % is right. Residuals of "
        "filtered signals are correlated in time, which eq. 66 does not know: its intervals are "
        "several times too narrow. Camera noise in the elongation's rate biases the damping by "
        "least squares; instruments remove that.",
    )
