"""What the paper leaves open, and what was chosen."""

from chorda.catalogue import load
from chorda.describe import Motor
from chorda.papers.comparison import Choice
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.published_estimator import CUTOFF, WEIGHT
from chorda.papers.fasquelle2021.study import AMPLITUDE, BASE, DURATION, HARMONICS, SENSORS


def _speeds() -> str:
    """Of the motors in the paper's experiment, from what f_s takes up without f_v [rad/s]."""
    dry, viscous = published.TABLE_1["dry_torque"], published.TABLE_1["friction"]
    alone = published.TABLE_1_DRY["dry_torque"]
    found = [(a[0] - b[0]) / f[0] for a, b, f in zip(alone, dry, viscous, strict=True)]
    return f"{min(found):.0f} to {max(found):.0f} rad/s"


def _motor_inertia() -> float:
    """Of the catalogue's neck [kg m^2]."""
    return next(x.inertia for x in load("fasquelle-3-pulleys").actuators if isinstance(x, Motor))


CHOICES = (
    Choice(
        "truth", "Table 1, dry and viscous; Table 2, model 1",
        "the paper gives no data: they are made with its own numbers, so that these rows check "
        "the estimator and what follows from them is compared",
    ),
    Choice(
        "motion", f"{HARMONICS} harmonics of {BASE:g} Hz, {AMPLITUDE[0]:g} rad",
        "the speed of the motors that Table 1 implies by what f_s takes up without f_v, "
        f"{_speeds()}",
    ),
    Choice("duration", f"{DURATION:g} s", "not printed; a round number"),
    Choice(
        "torque error",
        f"{SENSORS.current_ripple / published.PAY:g} N at the cables, correlated over "
        f"{SENSORS.ripple_time:g} s",
        f"the mean error of model 1, {published.MEAN_ERRORS['model 1']:g} N: it stands for all "
        "that the models lack",
    ),
    Choice(
        "other sensors",
        f"encoders of {SENSORS.encoder_counts} counts, a camera with {SENSORS.camera_noise:g} rad "
        f"of noise, {1e3 * SENSORS.camera_latency:g} ms of delay and "
        f"{100 * SENSORS.camera_dropped:g} % of the frames lost",
        "not printed; usual ones. The delay is known to the paper's estimator and found by "
        "Chorda's",
    ),
    Choice(
        "cut-off", f"{CUTOFF:g} Hz",
        "the paper refers to Pham et al. 2001 and prints none: five times the highest frequency of "
        "the motion",
    ),
    Choice(
        "weight", f"{WEIGHT:g} times eq. 51",
        "eqs. 60-61, and coefficients of Z of the order of 1e-2; the text names eq. 56",
    ),
    Choice("eq. 51", "for Table 1", "eqs. 62-63 as printed drop the tension t_c"),
    Choice("unit of c", "MPa s", "eq. 57; MPa/s is printed"),
    Choice(
        "whole length", f"{published.WHOLE_LENGTH:g} m",
        "E of model 2, 4.04 GPa: tuned to it in steps of 0.1 m. No verdict rests on it",
    ),
    Choice(
        "section", f"{1e6 * published.SECTION:g} mm^2",
        "not printed; a round number. No verdict rests on it",
    ),
    Choice(
        "stiffening cables", "half of the tension at 5 mm is by stiffening",
        "that the error grows with the tension; the other half is the published stiffness",
    ),
    Choice("damping of cable 3", "none", "Table 2 prints a negative one, which is not physical"),
    Choice("pulley radius", f"{1e3 * published.RADIUS:g} mm", "not printed; suits bars of 50 mm"),
    Choice(
        "motor inertia", f"{_motor_inertia():g} kg m^2",
        "section 5.1: the manipulator's inertia is negligible beside the gear motors'",
    ),
    Choice("drum radius", f"{1e3 * published.DRUM:g} mm", "that of Testard2023, its prototype"),
    Choice("least tension", "20 N", "not printed; no cable goes slack"),
)  # fmt: skip
