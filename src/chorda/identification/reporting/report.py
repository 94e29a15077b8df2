"""write_report: an identification as one HTML page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chorda.identification.identification import Found, Identification
from chorda.identification.reporting import figures
from chorda.identification.reporting.figures.estimates import MOST, correlations
from chorda.identification.reporting.figures.residuals import autocorrelation, lags, series
from chorda.identification.reporting.rebuilt import Rebuilt, rebuilt
from chorda.identification.reporting.wording import corrected, headline, why_deviations_differ
from chorda.mechanics import Array
from chorda.view import Image, Section, Table, write_page
from chorda.view.page import Cell

TITLE = "Identification of "


def write_report(identification: Identification, path: str | Path) -> Path:
    """Write the page (.html): parameters, model beside measurement, residuals, signals."""
    return write_page(
        path,
        f"{TITLE}{identification.system.robot.name}",
        list(_sections(identification)),
        f"{headline(identification)} Log: {identification.prepared.log.source}.",
    )


def is_report(path: Path) -> bool:
    """Whether a file is a page that `write_report` wrote."""
    with path.open("rb") as file:
        return f"<title>{TITLE}".encode() in file.read(2000)


def _sections(identification: Identification) -> Iterator[Section]:
    found = rebuilt(identification)
    yield _parameters(identification)
    yield _uncertainty(identification)
    yield _actuators(found, corrected(identification))
    yield _tensions(found)
    yield _residuals(identification)
    yield _signals(identification)


def _parameters(identification: Identification) -> Section:
    texts = list(identification.notes)
    if identification.method == "instruments":
        texts.append(
            "The estimate uses instruments, regressors along a simulated motion: unlike least "
            "squares it is not biased by noise in the measured regressors."
        )
    if identification.method == "refined":
        texts.append(
            "Parameters and their deviations are those for which the simulated motion is nearest "
            "to the measured one. Condition number and residuals below are those of the linear "
            "estimate from which the search began."
        )
    texts.append(why_deviations_differ(identification))
    tables = [_values(identification.found), _beside(identification.found)]
    doubtful = [x for x in identification.found if x.verdict != "well identified"]
    if doubtful:
        reasons = [(x.name, _whole(x.verdict), x.why) for x in doubtful]
        tables.insert(1, Table(("parameter", "verdict", "why"), reasons))
    return Section("Parameters", texts, tables)


def _values(found: Sequence[Found]) -> Table:
    header = ("parameter", "value", "unit", "deviation [%]", "95 %: from", "to", "verdict")
    rows = [
        (
            x.name, _number(x.value), _whole(x.unit), _percent(x.relative), _number(x.low),
            _number(x.high), _whole(x.verdict),
        )
        for x in found
    ]  # fmt: skip
    return Table(header, rows, "Deviation: standard deviation in percent of the value.")


def _beside(found: Sequence[Found]) -> Table:
    """What else is known of each number."""
    header = ["parameter", "described", "least squares", "unit", "eq. 66 [%]"]
    caption = (
        "Beside it: the value in the robot's description, that of least squares where it "
        "differs, the deviation of [Fasquelle2021, eq. 66] in percent"
    )
    known = any(x.truth is not None for x in found)
    rows = []
    for x in found:
        row: list[Cell] = [
            x.name, _number(x.described), _least_squares(x), _whole(x.unit),
            _percent(x.plain / abs(x.value) if x.value else np.nan),
        ]  # fmt: skip
        rows.append([*row, _number(x.truth), _error(x)] if known else row)
    if known:
        header += ["truth", "error [%]"]
        caption += ", the true value of the virtual experiment and the error of the identified one"
    return Table(header, rows, f"{caption}.")


def _uncertainty(identification: Identification) -> Section:
    estimate = identification.estimate
    text = (
        f"The condition number of the equations is {estimate.condition:.3g} with columns of unit "
        f"length and {estimate.raw_condition:.3g} as they are."
    )
    images = [
        Image(
            figures.plot_intervals(identification),
            "95 % confidence interval of each parameter relative to its value",
            "95 % confidence intervals; where they differ much, the axis is logarithmic.",
        )
    ]
    if len(correlations(identification)[0]) > 1:
        images.append(
            Image(
                figures.plot_correlations(identification),
                "Correlation matrix of the estimates",
                "Correlation of the estimates: near 1 or -1, the log hardly tells two apart.",
            )
        )
    return Section("Uncertainty", [text], images=images)


def _actuators(found: Rebuilt, corrected: str) -> Section:
    heading = "Actuators' effect on the joints"
    actuators = found.actuators
    if actuators is None:
        return Section(heading, [f"This figure is left out: {found.why_no_actuators}."])
    rows: list[list[Cell]] = [
        [name, unit, _number(np.std(actuators.measured[:, j])),
         *(_number(_rms(actuators.measured[:, j] - x[:, j])) for x in actuators.modelled.values())]
        for j, (name, unit) in enumerate(zip(actuators.names, actuators.units, strict=True))
    ]  # fmt: skip
    header = ("joint", "unit", "spread", *(f"error, {m}" for m in actuators.modelled))
    return Section(
        heading,
        [
            "What the actuators' measured torques do to each joint, and what the model says that "
            "the "
            "measured motion takes [Fasquelle2021, fig. 6].",
            *([corrected] if corrected else []),
        ],
        [Table(header, rows, "Root mean square over the whole log.")],
        [
            Image(
                figures.plot_actuators(found), "Measured and modelled effect of actuators on joints"
            )
        ],
    )


def _tensions(found: Rebuilt) -> Section:
    heading = "Tensions"
    tensions = found.tensions
    if tensions is None:
        return Section(heading, [f"Figures of tensions are left out: {found.why_no_tensions}."])
    error = np.abs(tensions.error)
    rows: list[list[Cell]] = [
        [name, _number(np.mean(tensions.by_motor[:, i])), _number(np.max(tensions.by_motor[:, i])),
         _number(np.mean(error[:, i])), _number(np.max(error[:, i]))]
        for i, name in enumerate(tensions.names)
    ]  # fmt: skip
    return Section(
        heading,
        [
            "Each tension is known twice: from the motor's balance (torque less friction and "
            "inertia) and from the tendon's law (elongation and its rate). Their difference is "
            f"{np.mean(error):.3g} N in the mean [Fasquelle2021, figs. 7 and 8]. An error that "
            "grows with the tension calls for another law of the tendon."
        ],
        [Table(("tendon", "mean [N]", "most [N]", "mean error [N]", "largest error [N]"), rows)],
        [
            Image(figures.plot_tensions(found), "Tension by motor and by law over time"),
            Image(
                figures.plot_tension_errors(found),
                "Error of the tension by law against the tension by motor",
                "Error against tension; in each heading the mean of its magnitude.",
            ),
        ],
    )


def _residuals(identification: Identification) -> Section:
    cutoff, rows = identification.prepared.cutoff, []
    size = np.sqrt(np.mean(identification.equations.y**2, axis=0))
    for one, whole in zip(series(identification), size, strict=True):
        r = autocorrelation(one.value, lags(one, cutoff))
        spread = float(np.std(one.known))
        outside = float(np.mean(np.abs(r[1:]) > 1.96 / np.sqrt(len(one.known))))
        rows.append([
            one.name, one.unit, _number(spread), _percent(spread / whole if whole else np.nan),
            _number(float(r[1]), 2), _percent(outside),
        ])  # fmt: skip
    header = (
        "equation", "unit", "deviation", "of the known part [%]", "first lag", "outside [%]",
    )  # fmt: skip
    return Section(
        "Residuals",
        [
            "What the model leaves of each equation. White residuals would stay in the band of "
            "the autocorrelation at 95 % of the lags; filtering alone makes neighbours alike, "
            "and a lasting wave is something that the model lacks."
        ],
        [
            Table(
                header,
                rows,
                "Standard deviation, also in percent of the equation's known part; correlation at "
                "the first lag; share of the lags outside the band.",
            )
        ],
        [
            Image(
                figures.plot_residuals(identification),
                "Residuals of every equation over time",
                "Residuals over time; shaded: 95 % of a normal distribution with their spread.",
            ),
            Image(
                figures.plot_residual_properties(identification),
                "Distribution, autocorrelation and power spectrum of the residuals",
                "Distribution with the normal curve; autocorrelation with the 95 % band of white "
                "noise; power spectrum with the cut-off of the equations (dashed).",
            ),
        ],
    )


def _signals(identification: Identification) -> Section:
    prepared = identification.prepared
    rows: list[list[Cell]] = [
        [
            c.name, c.sensor, len(c.time), _number(1 / float(np.median(np.diff(c.time))), 3),
            _number(prepared.cutoffs.get(c.name), 3), prepared.removed.get(c.name, 0),
        ]
        for _, c in prepared.wanted
    ]  # fmt: skip
    header = ("signal", "sensor", "samples", "rate [Hz]", "cut-off [Hz]", "outliers")
    return Section(
        "Signals",
        [
            "Each signal loses what lies above its own cut-off, where it sinks into its noise; "
            "then the equations made of all signals are filtered once more, by one filter. Below: "
            "of each sensor and kind of signal the one with the narrowest band, in the middle of "
            "the log."
        ],
        [Table(header, rows, "No cut-off: there is no noise to speak of.")],
        [Image(figures.plot_signals(identification), "Raw and filtered signals with their power")],
    )


def _whole(text: str) -> str:
    """Text that no line breaks."""
    return text.replace(" ", "\u00a0")


def _least_squares(x: Found) -> Cell:
    """Only where it is another value."""
    same = np.isclose(x.least_squares, x.value, rtol=1e-4) or not np.isfinite(x.value)
    return None if same else _number(x.least_squares)


def _error(x: Found) -> Cell:
    """Of a number that stands for itself."""
    if not x.truth or x.verdict == "not identifiable":
        return None
    return _number(100 * (x.value / x.truth - 1), 2)


def _percent(x: float) -> Cell:
    """Empty for a deviation of what is as good as zero."""
    return _number(100 * x, 3) if x < MOST else None


def _number(x: float | np.floating[Any] | None, digits: int = 4) -> Cell:
    """With a few digits; an empty cell where there is none."""
    return None if x is None or not np.isfinite(x) else float(f"{x:.{digits}g}")


def _rms(x: Array) -> float:
    return float(np.sqrt(np.mean(x**2)))
