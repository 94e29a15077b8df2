"""What Testard2023 prints of its necks, and what had to be chosen.

Times are those of 6.3 s of motion in MATLAB [s]. The paper prints neither the wanted motion nor the
gains, the lowest tension or the motors' inertia. 6.3 s is one period of a sine of 1 rad/s.
"""

from math import pi

from chorda.papers.comparison import Choice
from chorda.papers.tolerance import percent

EXPLICIT, IMPLICIT = "explicit-euler", "implicit-euler"
DURATION = 6.3  # [s]
STEP = 2e-3  # [s] of all implicit runs, and of the explicit ones with rigid tendons
STEPS = {IMPLICIT: STEP, EXPLICIT: 4e-4}  # [s] with elastic tendons
TABLE1 = {  # joints and scheme, dt = 2 ms, rigid tendons
    (3, EXPLICIT): 4.0,
    (4, EXPLICIT): 5.0,
    (3, IMPLICIT): 18.0,
    (4, IMPLICIT): 30.0,
}
TABLE2 = {EXPLICIT: (17.0, 20.0), IMPLICIT: (18.0, 22.0)}  # rigid, elastic
TABLE3 = {(3, EXPLICIT): 20.0, (3, IMPLICIT): 22.0, (4, IMPLICIT): 35.0}  # elastic
LIMITS = {3: 0.4e-3, 4: 0.025e-3}  # [s] Table 3, explicit steps; the second is an upper bound
LIMITS_AS_PRINTED = {3: "0.4 ms", 4: "< 0.025 ms"}
LIMIT_ROUNDING = 0.05e-3  # [s] what is printed as 0.4 ms
SLOWEST_TIME = 700.0  # [s] Table 3: 4 joints, explicit, more than this at 0.025 ms
DRY_TORQUE, DRY_SLOPE = 0.008, 0.5  # [N m], [s/rad] Gamma_s, c_s
FRICTION_SLOPE = 2 / pi * DRY_SLOPE * DRY_TORQUE  # [N m s/rad] of a motor at rest

AMPLITUDE = {3: (0.6, 0.5, 0.4), 4: (0.6, 0.4, 0.3, 0.2)}  # [rad]
FREQUENCY = 7.5  # [rad/s] error dynamics of the computed torque
STRAIGHT_FREQUENCY = 17.2  # [rad/s] the same, chosen by the neck that stands straight
MINIMUM = 5.0  # [N] lowest tension
INERTIA, LIGHT_INERTIA = 1e-4, 1e-5  # [kg m^2] of the motors; ten times too light
NEGLIGIBLE_SHARE = 0.01  # of the amplitude
CHOICES = (
    Choice(
        "inertia",
        f"motors of {INERTIA:g} kg m^2",
        "Fasquelle2021, section 5.1, of the sister prototype: the manipulator's inertia is "
        "negligible beside the motors'; no number of this paper",
    ),
    Choice(
        "motion",
        "A/2 (1 - cos t), A = 0.6, 0.5, 0.4 rad and 0.6, 0.4, 0.3, 0.2 rad",
        "6.3 s is one period of 1 rad/s; amplitudes as one would draw them, no number",
    ),
    Choice(
        "gains",
        f"computed torque, error dynamics of {FREQUENCY:g} rad/s, critically damped",
        "Table 3: 0.4 ms as the limit step of 3 joints, explicit",
    ),
    Choice(
        "straight gains",
        f"the same with {STRAIGHT_FREQUENCY:g} rad/s",
        "Table 3: 0.4 ms, by the straight neck linearised; in the table of amplitudes alone",
    ),
    Choice("tension", f"lowest tension of {MINIMUM:g} N", "tendons stay taut; no number"),
    Choice("gravity", "the neck stands up", "as a bird's neck; no number"),
    Choice(
        "convergence",
        f"a motion converges that completes within {percent(NEGLIGIBLE_SHARE)} of the amplitude of "
        f"implicit Euler's at {STEP * 1e3:g} ms",
        "figure 4, whose explicit motion at 0.4 ms is called that near; a row counts what "
        "completes at all",
    ),
    Choice(
        "friction",
        "J^T Gamma is held over an implicit step",
        "section 3.3: dry friction is constant at step i; Gamma alone, as eq. 9 is printed, has "
        "its own table",
    ),
)
