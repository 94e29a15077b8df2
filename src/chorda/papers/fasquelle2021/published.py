"""What Fasquelle2021 prints: tables 1 and 2, the formulas of section 4, and what had to be assumed.

Frictions are forces at the cable [N]; times drum radius over gear ratio they are torques at the
motor.
"""

import casadi as ca

from chorda.mechanics.frames import Expr

DRUM, GEAR = 0.02, 25.0  # [m] and -, of the motors
RADIUS = 0.005  # [m] of the pulleys, assumed
PAY = DRUM / GEAR  # [m] of cable per radian of a motor
TENDONS = ("right1", "right2", "right3", "left")

FRICTION = {"right1": 14.42, "right2": 17.65, "right3": 18.77, "left": 16.18}  # f_s [N]
DAMPING = {"right1": 805.0, "right2": 333.0, "right3": 0.0, "left": 370.0}  # c_a [N s/m]

Cell = tuple[float, float]  # value, relative standard deviation [%]
Printed = dict[str, tuple[Cell, ...]]
TABLE_1: Printed = {  # f_s [N], f_v [N s/rad]
    "dry_torque": ((12.91, 5.62), (16.72, 4.55), (18.11, 4.25), (16.09, 1.85)),
    "friction": ((4.68e-2, 56.85), (4.63e-2, 72.11), (4.64e-2, 83.42), (0.72e-2, 105.96)),
}
TABLE_1_DRY: Printed = {"dry_torque": ((14.13, 2.52), (17.70, 2.02), (18.97, 1.88), (16.29, 1.25))}
TABLE_2: dict[str, Printed] = {  # f_s [N], k [N/m], c_a [N s/m], E [GPa], c [MPa s]
    "model 1": {
        "dry_torque": ((14.42, 1.68), (17.65, 1.38), (18.77, 1.32), (16.18, 0.88)),
        "stiffness": ((10454.0, 1.37), (9256.0, 1.60), (8319.0, 1.85), (5336.0, 1.28)),
        "damping": ((805.0, 30.5), (333.0, 68.7), (-218.0, 94.3), (370.0, 64.3)),
    },
    "model 2": {
        "dry_torque": ((14.38, 1.73), (17.49, 1.44), (18.41, 1.38), (16.32, 0.90)),
        "young_modulus": ((4.04, 0.83),),
        "damping_modulus": ((139.8, 45.5),),
    },
    "model 3": {
        "dry_torque": ((14.32, 1.72), (17.48, 1.42), (18.48, 1.35), (16.29, 0.89)),
        "young_modulus": ((1.23, 0.81),),
        "damping_modulus": ((57.4, 32.88),),
    },
}
MEAN_ERRORS = {"model 1": 6.88, "model 2": 9.84, "model 3": 9.64}  # of the tension [N]

SECTION = 1e-6  # [m^2], assumed: not printed
WHOLE_LENGTH = 0.5  # [m], not printed: tuned to E of model 2
ASSUMED = (
    "The paper gives no data. So the experiment is repeated on a virtual neck whose true "
    "parameters are those of the paper's tables, seen by encoders at 500 Hz and by a camera at 30 "
    "Hz; what else had to be chosen is listed.",
    "The paper's estimator runs as published: signals filtered by a Butterworth filter forward and "
    "backward, decimated or interpolated to 31.25 Hz, two-point differences, eqs. 60-61 with W = "
    "100, deviations by eq. 66. Beside it stands Chorda's, which filters the equations, finds the "
    "camera's delay, takes simulated motions as instruments and allows for residuals that are "
    "correlated in time.",
)


def lengths(alpha: Expr, L: float, b: float, r: float) -> dict[str, Expr]:
    """Cable lengths of the four wiring cases, up to constants [Fasquelle2021, eqs. 19-30].

    Eq. 19 drops the term -r alpha/2 of eq. 18, which is put back here. psi stands at
    alpha/2 + pi - delta, with cos(delta) = b cos(alpha/2) / L.
    """
    d = ca.sqrt(L**2 - b**2 * ca.cos(alpha / 2) ** 2)
    left, right = d - b * ca.sin(alpha / 2), d + b * ca.sin(alpha / 2)  # eqs. 5-6

    def tangent(length: Expr) -> Expr:
        return ca.sqrt(length**2 - r**2)

    psi = alpha / 2 + ca.pi - ca.acos(b * ca.cos(alpha / 2) / L)
    return {
        "1": tangent(left) + r * (ca.pi - ca.atan(tangent(left) / r) - alpha / 2),
        "2": tangent(right) + r * (ca.pi + alpha / 2 - ca.atan(tangent(right) / r)),
        "3": left + r * (2 * ca.pi - alpha),
        "4": r * (2 * psi - alpha),
    }
