"""What Briot2022 prints: tables as they stand there, digits included; and what it leaves open.

Numbers are text, so that what rounding hides is known: 0.13 stands for 0.125 to 0.135.
"""

from chorda.papers.comparison import Choice

NAMES = {"rfrfr": "RFRFR", "6-rfs": "6-RFS"}
LEAST, LARGEST, MEAN = "least", "largest", "mean"
KINDS = (LEAST, LARGEST, MEAN)

# modes: least, largest, mean
TABLE1_MM = {
    3: ("0.11", "9.22", "1.50"),
    4: ("4.5e-3", "2.68", "0.68"),
    5: ("6.5e-5", "0.13", "0.029"),
}
TABLE1_MDEG = {
    3: ("13.75", "18.50", "16.13"),
    4: ("3.10", "3.18", "3.14"),
    5: ("1.40e-2", "0.15", "8.12e-2"),
}
# elements: least, largest, mean
TABLE2_MM = {
    50: ("1.50", "53.44", "12.94"),
    100: ("0.72", "27.76", "6.59"),
    500: ("0.14", "5.71", "1.34"),
    1000: ("0.07", "2.86", "0.67"),
}
# steps along the path: Mod. 1, 2 and 3 [s]
TABLE3_S = {
    50: (2.8, 1.9, 325.0),
    30: (1.6, 1.1, 202.0),
    15: (0.8, 0.7, 105.0),
    10: (0.6, 0.4, 87.0),
    5: (0.3, 0.3, 57.0),
}
TABLE4_MM = {
    3: ("0.09", "4.49", "1.14"),
    4: ("0.02", "1.04", "0.28"),
    5: ("3.0e-4", "0.14", "3.6e-2"),
}
TABLE4_DEG = {
    3: ("0.10", "1.24", "0.37"),
    4: ("6.8e-3", "0.30", "0.08"),
    5: ("1.8e-3", "0.04", "0.01"),
}
# motor by motor, with 5 modes [mdeg]
TABLE5_MDEG = {
    LEAST: ("1.5e-2", "0.33", "8.9e-4", "3.7e-4", "9.2e-4", "4.1e-3"),
    LARGEST: ("52.22", "36.59", "31.59", "13.80", "3.68", "176.84"),
    MEAN: ("10.58", "4.17", "2.47", "1.62", "0.77", "19.06"),
}
# steps along the path: Mod. 1 and 2 [s]
TABLE6_S = {
    50: (130.0, 191.0),
    30: (80.0, 124.0),
    15: (46.0, 62.0),
    10: (27.0, 41.0),
    5: (13.0, 26.0),
}

# Where the pin is at 0, 25 and 50 of 50 steps: no print, but an independent solution [m]
PIN = {0: (0.00039493, 0.83903214), 25: (-0.68205512, 0.41559150), 50: (0.00050057, -0.91007367)}

CONJUGATE_POINTS = {"rfrfr": 2, "6-rfs": 1}  # at the end of the paths of figures 7 and 13
PRINTED_MODES = 5  # of the figures
AXIS = (-0.025, 0.02)  # of figure 7
SINGULAR = {"rfrfr": 1e-4, "6-rfs": 5e-4}  # inverse condition number that figures 6, 12 paint red
FIGURES = {"rfrfr": 6, "6-rfs": 12}  # of the workspaces

BRANCH, LEGS, ELEMENTS, LOCKED_MOTORS = "branch", "legs", "elements", "locked motors"
NEAREST, SOLVERS, SHEET, RED = "nearest solution", "solvers", "sheet", "red"
CHOICES = (
    Choice(
        BRANCH,
        "motor 1 is the left one; both legs of the RFRFR bulge outwards without an inflection",
        "the errors of Tables I and II, by an independent solution of the continuous problem",
    ),
    Choice(
        LEGS,
        "legs 1, 2 of the 6-RFS start at A1, 3, 4 at A2, 5, 6 at A3 and end at B3, B1, B1, B2, B2, "
        "B3; a negative motor angle points up",
        "the errors of Table IV: the drawing of figure 9 does not say",
    ),
    Choice(
        ELEMENTS,
        "positions by explicit Euler steps, the energy of the elements stationary",
        "Table II, the better of two readings: with moments by explicit Euler steps as well the "
        "mean errors are twice the printed ones",
    ),
    Choice(
        LOCKED_MOTORS,
        "figures 6-8 and 12-14 are of the Hessian with the motors locked",
        "the axis of figure 7, and conjugate points; eqs. 54-59 as they stand let the motors turn "
        "under constant torque, which is shown beside it",
    ),
    Choice(
        NEAREST,
        "inverse problems start from the configuration that has the motor angles of the forward "
        "one",
        "where the branch leads; near the singularity of Table V another solution is near",
    ),
    Choice(
        SOLVERS,
        "RK45 of SciPy with relative and absolute tolerances of 1e-3 and 1e-6, steps up to a tenth "
        "of a leg; damping 0.1, step tolerance 1e-6",
        "MATLAB's defaults of ode45 and fsolve, which the paper states; no number of it",
    ),
    Choice(
        SHEET,
        "where the flooded branch of figure 12 has come round the hole and lies over itself, cells "
        "that the path does not enter are hatched and not judged",
        "a map of one sheet, without a seam; no number of the paper",
    ),
    Choice(
        RED,
        "an eigenvalue of the Hessian changes its sign, instead of an inverse condition number "
        "below 1e-4 and 5e-4",
        "a limit that does not depend on units, on the basis of strains, nor on a threshold; no "
        "number of the paper",
    ),
)
