"""Mean errors of the tension, figure 8, and which law explains data that it was not fitted to."""

from collections.abc import Iterator

from chorda.identification import Comparison as Compared
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.averages import Averaged
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.tolerance import above, below, percent, unit, within

ERROR_TOLERANCE = 0.1  # of a mean error, and of the ratio of two
CHOICES: dict[str, tuple[str, ...]] = {
    "cables of model 1": (),
    "cables that stiffen": ("stiffening cables",),
}


def errors_table(study: Study) -> Comparison:
    """Mean errors of the three models beside the paper's."""
    fits = {
        "cables of model 1": (study.as_published, study.linear_truth),
        "cables that stiffen": (study.as_published_stiffening, study.stiffening_truth),
    }
    rows = [
        row
        for cables, (published_fits, compared) in fits.items()
        for row in (*_errors(cables, published_fits, compared), *_ratios(cables, published_fits))
    ]
    return Comparison(
        "Section 6.6.2: mean error of the tension",
        rows,
        "Magnitude of tension by law less tension by motor, by the paper's estimator on the data "
        "that it was fitted to. The column before: by instruments, on the last third of one log, "
        "which was not used for fitting.",
        columns=("held out",),
    )


def _errors(cables: str, fits: dict[str, Averaged], compared: Compared) -> Iterator[Row]:
    held_out = {s.name: s.tension_error for s in compared.scores}
    for name, paper in published.MEAN_ERRORS.items():
        yield Row(
            f"{cables}: {name}", f"{paper:.2f} N", fits[name].tension_error,
            within(paper, relative=ERROR_TOLERANCE), shown=unit("N", digits=".2f"),
            helped_by=("torque error", *CHOICES[cables]), beside=(f"{held_out[name]:.2f} N",),
        )  # fmt: skip


def _ratios(cables: str, fits: dict[str, Averaged]) -> Iterator[Row]:
    first = "model 1"
    for name, paper in published.MEAN_ERRORS.items():
        if name != first:
            ratio = paper / published.MEAN_ERRORS[first]
            yield Row(
                f"{cables}: {name} over {first}", f"{ratio:.3g}",
                fits[name].tension_error / fits[first].tension_error,
                within(ratio, relative=ERROR_TOLERANCE),
                helped_by=("torque error", *CHOICES[cables]), beside=("",),
            )  # fmt: skip


def growth_table(study: Study) -> Comparison:
    """'For each model and each cable, the error increases as the tension increases'."""
    linear, bent = study.as_published, study.as_published_stiffening
    rows = [
        Row(
            f"{name}, cable {k + 1}: {what}", "increases", float(getattr(bent[name], quantity)[k]),
            above(limit), helped_by=helped,
            beside=(f"{float(getattr(linear[name], quantity)[k]):.3g}",),
        )
        for quantity, what, limit, helped in (
            ("growth", "magnitude, at high over at low tensions", 1.0, ("stiffening cables",)),
            ("slope", "motor less law, slope over the tension", 0.0,
             ("stiffening cables", "torque error")),
        )
        for name in published.MEAN_ERRORS
        for k in range(len(published.TENDONS))
    ]  # fmt: skip
    always = sum(float(x) > 0 for name in published.MEAN_ERRORS for x in linear[name].slope)
    return Comparison(
        "Figure 8: the error over the tension, cables that stiffen",
        rows,
        "Two readings of the statement: the magnitude in the quarter of the highest tensions over "
        "that in the lowest, and the slope of the error with its sign. The column before: the same "
        f"with cables of model 1, where {always} of {len(rows) // 2} slopes are positive: an "
        "error of the motor's tension is on both axes.",
        columns=("cables of model 1",),
    )


def held_out_table(study: Study) -> Comparison:
    """Whether a law that stiffens is told from one that does not."""
    linear, bent = (
        {s.name: s.held_out_misfit for s in compared.scores}
        for compared in (study.linear_truth, study.stiffening_truth)
    )
    rows = [
        own_check(
            f"{cables}: misfit of {name} over that of the stiffening law",
            misfits[name] / misfits["stiffening"], allowed, expected=expected,
        )
        for cables, misfits, name, allowed, expected in (
            ("cables of model 1", linear, "model 1", below(1.02), "about 1"),
            ("cables that stiffen", bent, "model 1", above(1.0), "more than 1"),
            ("cables that stiffen", bent, "model 2", above(1.0), "more than 1"),
            ("cables that stiffen", bent, "model 3", above(1.0), "more than 1"),
        )
    ]  # fmt: skip
    return Comparison(
        "Which law explains data that it was not fitted to",
        rows,
        "By instruments, fitted to the first two thirds of a log and judged by the rest. Misfit: "
        "residual over what the equations' known part varies; of the stiffening law "
        f"{percent(linear['stiffening'])} with cables of model 1, {percent(bent['stiffening'])} "
        "with cables that stiffen.",
    )
