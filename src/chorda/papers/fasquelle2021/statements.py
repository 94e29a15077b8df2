"""What the paper concludes from Tables 1 and 2, and its equations as printed."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from chorda.identification import Log
from chorda.mechanics import Array
from chorda.papers.comparison import Comparison, Row
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.published_estimator import CUTOFF, friction_as_printed
from chorda.papers.fasquelle2021.study import SENSORS, Study, seen
from chorda.papers.fasquelle2021.tables import CONFIDENCE, QUANTITIES
from chorda.papers.tolerance import above, at_most, below, percent, unit, within
from chorda.results import Table

SHIFT_TOLERANCE = 0.5  # of the shift of dry friction
RATIO_TOLERANCE = 0.2  # of c over E
CLEARLY_CLOSER = 2.0  # error of the torque without friction over that with it
SMALL_CHANGE = 1.05  # of that error by viscous friction
SIMILAR_FRICTION = 0.03  # largest spread between models of what is similar
OTHER_CUTOFFS = (2.5, 10.0)  # [Hz]
BENT_BY_FILTER = "filtering the signals moves friction from f_s to f_v, the more the lower it cuts"


def friction_table(study: Study) -> Comparison:
    """What viscous friction does, and eqs. 62-63 as printed."""
    both, dry = (study.as_published[x] for x in ("dry and viscous", "dry only"))
    torques = [
        Row(
            "figure 6: error of the torques without friction, over that with dry friction",
            "clearly larger", dry.known_torque / dry.torque_error, above(CLEARLY_CLOSER),
            helped_by=("torque error",),
        ),
        Row(
            "figure 6: error with dry friction alone, over that with viscous friction too",
            "not a lot larger", dry.torque_error / both.torque_error, below(SMALL_CHANGE),
            helped_by=("torque error",),
        ),
    ]  # fmt: skip
    return Comparison(
        "Section 6.6.1: dry and viscous friction",
        [*_shifts(study), *torques, *_as_printed(study)],
        "By the paper's estimator. Eqs. 62-63 as printed drop the tension t_c; Table 1 is "
        "compared by eq. 51, from which tensions are eliminated.",
    )


def _shifts(study: Study) -> Iterator[Row]:
    """By how much dry friction alone is more than dry friction beside viscous friction."""
    both, dry = (study.as_published[x] for x in ("dry and viscous", "dry only"))
    printed = zip(published.TABLE_1["dry_torque"], published.TABLE_1_DRY["dry_torque"], strict=True)
    for k, ((beside, _), (alone, _)) in enumerate(printed):
        name = f"motor-{published.TENDONS[k]}.dry_torque"
        paper = alone / beside - 1
        yield Row(
            f"f_s({k + 1}) is more without viscous friction by", percent(paper),
            dry[name][0] / both[name][0] - 1, within(paper, relative=SHIFT_TOLERANCE),
            shown=percent, helped_by=("truth", "motion"), why=BENT_BY_FILTER,
        )  # fmt: skip


def _as_printed(study: Study) -> Iterator[Row]:
    logs = [seen(study.friction_run, study.seed + k) for k in range(study.repeats)]
    found = [friction_as_printed(log, study.system, SENSORS.camera_latency) for log in logs]
    f_s = np.mean(found, axis=0)[0]
    for k, (value, deviation) in enumerate(published.TABLE_1["dry_torque"]):
        yield Row(
            f"f_s({k + 1}) by eqs. 62-63 as printed", f"{value:g} N", float(f_s[k]),
            within(value, relative=CONFIDENCE * deviation / 100), shown=unit("N", digits=".4g"),
            why="the tension is missing in them",
        )  # fmt: skip


def models_table(study: Study) -> Comparison:
    """What Table 2 tells of the three models together."""
    fits = [study.as_published[name] for name in published.TABLE_2]
    printed = np.array(
        [[x for x, _ in table["dry_torque"]] for table in published.TABLE_2.values()]
    )
    ours = np.array([[fit[f"motor-{t}.dry_torque"][0] for t in published.TENDONS] for fit in fits])
    rows = [
        Row(
            "largest spread of f_s between the three models",
            f"similar: {percent(_spread(printed))}", _spread(ours), at_most(SIMILAR_FRICTION),
            shown=percent,
        ),
        *(_relaxation(study, name) for name in ("model 2", "model 3")),
    ]  # fmt: skip
    return Comparison(
        "Section 6.6.2: the three models together",
        rows,
        "By the paper's estimator. E and c rest on a section and a length that are not printed; "
        "in c over E both cancel.",
    )


def _spread(friction: Array) -> float:
    return float(np.max(np.ptp(friction, axis=0) / np.mean(friction, axis=0)))


def _relaxation(study: Study, name: str) -> Row:
    [(E, _)], [(c, _)] = (published.TABLE_2[name][x] for x in ("young_modulus", "damping_modulus"))
    fit = study.as_published[name]
    paper = c * 1e6 / (E * 1e9)
    return Row(
        f"{name}: c over E", f"{1e3 * paper:.3g} ms",
        fit["*.damping_modulus"][0] / fit["*.young_modulus"][0],
        within(paper, relative=RATIO_TOLERANCE), shown=unit("ms", 1e3),
        helped_by=("truth", "motion", "cut-off"),
    )  # fmt: skip


def settings_table(study: Study) -> Table:
    """What the paper's estimator makes of model 1 with other settings, on the same log."""
    made = _with_settings(study, "model 1", study.log, ("stiffness", "damping"))
    negative = sum(float(x) < 0 for x in made.rows[-1][-len(published.TENDONS) :] if x)
    return replace(
        made,
        note="The paper prints no cut-off and names no delay of the video. With the camera's delay "
        f"of {1e3 * SENSORS.camera_latency:g} ms left in, {negative} of {len(published.TENDONS)} "
        "dampings come out negative, as one does in Table 2.",
    )


def friction_settings_table(study: Study) -> Table:
    """What it makes of dry and viscous friction."""
    made = _with_settings(study, "dry and viscous", study.friction_log, ("dry_torque", "friction"))
    note = "Dry friction of a filtered speed is not filtered dry friction: see the first rows."
    return replace(made, note=note)


def _with_settings(study: Study, fit: str, log: Log, quantities: tuple[str, ...]) -> Table:
    delay = f"{CUTOFF:g} Hz, the camera's delay left in"
    settings: dict[str, dict[str, float]] = {
        **{f"{x:g} Hz": {"cutoff": x} for x in sorted((CUTOFF, *OTHER_CUTOFFS))},
        delay: {"delay": 0.0},
    }
    header, rows = ["cut-off"], []
    for quantity in quantities:
        symbol, unit_name, _, _ = QUANTITIES[quantity]
        header += [f"{symbol}({k + 1}) [{unit_name}]" for k in range(len(published.TENDONS))]
    for name, options in settings.items():
        found = study.estimator(fit, **options)(log)
        values = dict(zip(found.names, found.theta.tolist(), strict=True))
        cells = [
            values[f"{owner.format(tendon)}.{quantity}"] / size
            for quantity in quantities
            for _, _, size, owner in (QUANTITIES[quantity],)
            for tendon in published.TENDONS
        ]
        rows.append((name, *(f"{x:.4g}" for x in cells)))
    title = f"The paper's estimator with other settings: {fit}"
    return Table(title, tuple(header), tuple(rows))
