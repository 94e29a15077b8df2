"""write_report: an identification as one HTML page."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from chorda.identification.identified import Identification, percentage
from chorda.identification.reconstruction import Reconstruction, reconstruct
from chorda.identification.reporting import estimate_figures, model_figures, residual_figures
from chorda.identification.reporting.signal_figures import plot_signals
from chorda.identification.reporting.wording import corrected, headline, why_deviations_differ
from chorda.results import Table
from chorda.view import Image, Section, write_page

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
    found = reconstruct(identification)
    yield _parameters(identification)
    yield _uncertainty(identification)
    yield _actuators(found, corrected(identification))
    yield _tensions(found)
    yield _residuals(identification)
    yield _signals(identification)


def _parameters(identification: Identification) -> Section:
    found, texts = identification.estimates, list(identification.notes)
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
    values = identification.table()
    values = Table("", values.header, values.rows, "Deviation: in percent of the value.")
    doubts = identification.doubts()
    beside = Table(
        "",
        ("parameter", "described", "least squares", "unit", "eq. 66 [%]"),
        tuple(
            (x.name, x.described, None if _same(x.least_squares, x.value) else x.least_squares,
             x.unit, percentage(x.white_deviation / abs(x.value) if x.value else np.nan))
            for x in found
        ),
        "Beside it: the value in the robot's description, that of least squares where it "
        "differs, the deviation of [Fasquelle2021, eq. 66] in percent.",
    )  # fmt: skip
    return Section("Parameters", texts, [values, *([doubts] if doubts.rows else []), beside])


def _same(least_squares: float, value: float) -> bool:
    return bool(np.isclose(least_squares, value, rtol=1e-4)) or not np.isfinite(value)


def _uncertainty(identification: Identification) -> Section:
    estimate = identification.regression
    text = (
        f"The condition number of the equations is {estimate.condition:.3g} with columns of unit "
        f"length and {estimate.raw_condition:.3g} as they are."
    )
    images = [
        Image(
            estimate_figures.plot_intervals(identification),
            "95 % confidence interval of each parameter relative to its value",
            "95 % confidence intervals; where they differ much, the axis is logarithmic.",
        )
    ]
    if len(estimate_figures.correlations(identification)[0]) > 1:
        images.append(
            Image(
                estimate_figures.plot_correlations(identification),
                "Correlation matrix of the estimates",
                "Correlation of the estimates: near 1 or -1, the log hardly tells two apart.",
            )
        )
    return Section("Uncertainty", [text], images=images)


def _actuators(found: Reconstruction, corrected: str) -> Section:
    heading, actuators = "Actuators' effect on the joints", found.actuators
    if actuators is None:
        return Section(heading, [f"This figure is left out: {found.no_actuators}."])
    measured, modelled = actuators.measured, actuators.modelled
    errors = np.array([np.sqrt(np.mean((measured - x) ** 2, axis=0)) for x in modelled.values()])
    columns = (actuators.names, actuators.units, np.std(measured, axis=0).tolist())
    table = Table(
        "",
        ("joint", "unit", "spread", *(f"error, {name}" for name in modelled)),
        tuple(zip(*columns, *errors.tolist(), strict=True)),
        "Root mean square over the whole log.",
    )
    texts = [
        "What the actuators' measured torques do to each joint, and what the measured motion takes "
        "according to the model [Fasquelle2021, fig. 6].",
        *([corrected] if corrected else []),
    ]
    figure = model_figures.plot_actuators(found)
    images = [Image(figure, "Measured and modelled effect of actuators on joints")]
    return Section(heading, texts, [table], images)


def _tensions(found: Reconstruction) -> Section:
    tensions = found.tensions
    if tensions is None:
        return Section("Tensions", [f"Figures of tensions are left out: {found.no_tensions}."])
    error = np.abs(tensions.error)
    columns = [f(x, axis=0) for x in (tensions.by_motor, error) for f in (np.mean, np.max)]
    table = Table(
        "",
        ("tendon", "mean [N]", "most [N]", "mean error [N]", "largest error [N]"),
        tuple(zip(tensions.names, *(x.tolist() for x in columns), strict=True)),
    )
    text = (
        "Each tension is known twice: from the motor's balance (torque less friction and "
        "inertia) and from the tendon's law (elongation and its rate). Their difference is "
        f"{np.mean(error):.3g} N in the mean [Fasquelle2021, figs. 7 and 8]. An error that "
        "grows with the tension calls for another law of the tendon."
    )
    images = [
        Image(model_figures.plot_tensions(found), "Tension by motor and by law over time"),
        Image(
            model_figures.plot_tension_errors(found),
            "Error of the tension by law against the tension by motor",
            "Error against tension; in each heading the mean of its magnitude.",
        ),
    ]
    return Section("Tensions", [text], [table], images)


def _residuals(identification: Identification) -> Section:
    cutoff, rows = identification.prepared.cutoff, []
    size = np.sqrt(np.mean(identification.equations.y**2, axis=0))
    for one, whole in zip(residual_figures.series(identification), size, strict=True):
        r = residual_figures.autocorrelation(one.value, residual_figures.lags(one, cutoff))
        spread = float(np.std(one.known))
        outside = float(np.mean(np.abs(r[1:]) > 1.96 / np.sqrt(len(one.known))))
        part = percentage(spread / whole if whole else np.nan)
        rows.append((one.name, one.unit, spread, part, float(r[1]), percentage(outside)))
    table = Table(
        "",
        ("equation", "unit", "deviation", "of the known part [%]", "first lag", "outside [%]"),
        tuple(rows),
        "Standard deviation, also in percent of the equation's known part; correlation at "
        "the first lag; part of the lags outside the band.",
    )
    text = (
        "What the model leaves of each equation. White residuals would stay in the band of "
        "the autocorrelation at 95 % of the lags; filtering alone makes neighbours alike, "
        "and a lasting wave is something that the model lacks."
    )
    images = [
        Image(
            residual_figures.plot_residuals(identification),
            "Residuals of every equation over time",
            "Residuals over time; shaded: 95 % of a normal distribution with their spread.",
        ),
        Image(
            residual_figures.plot_residual_properties(identification),
            "Distribution, autocorrelation and power spectrum of the residuals",
            "Distribution with the normal curve; autocorrelation with the 95 % band of white "
            "noise; power spectrum with the cut-off of the equations (dashed).",
        ),
    ]
    return Section("Residuals", [text], [table], images)


def _signals(identification: Identification) -> Section:
    prepared = identification.prepared
    rows = tuple(
        (c.name, c.sensor, len(c.time), 1 / float(np.median(np.diff(c.time))),
         prepared.cutoffs.get(c.name), prepared.removed.get(c.name, 0))
        for _, c in prepared.wanted
    )  # fmt: skip
    header = ("signal", "sensor", "samples", "rate [Hz]", "cut-off [Hz]", "outliers")
    text = (
        "Each signal loses what lies above its own cut-off, where it sinks into its noise; "
        "then the equations made of all signals are filtered once more, by one filter. Below: "
        "of each sensor and kind of signal the one with the narrowest band, in the middle of "
        "the log."
    )
    image = Image(plot_signals(identification), "Raw and filtered signals with their power")
    table = Table("", header, rows, "No cut-off: there is no noise to speak of.")
    return Section("Signals", [text], [table], [image])
