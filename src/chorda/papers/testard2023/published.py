"""What Testard2023 prints of its necks, and what had to be assumed.

Times are those of 6.3 s of motion in MATLAB [s]. The paper prints neither the wanted motion nor the
gains, the lowest tension or the motors' inertia. 6.3 s is one period of a sine of 1 rad/s.
"""

EXPLICIT, IMPLICIT = "explicit-euler", "implicit-euler"
DURATION = 6.3  # [s]
TABLE1 = {  # joints and scheme, dt = 2 ms, rigid tendons
    (3, EXPLICIT): 4.0,
    (4, EXPLICIT): 5.0,
    (3, IMPLICIT): 18.0,
    (4, IMPLICIT): 30.0,
}
TABLE2 = {(EXPLICIT, 4e-4): (17.0, 20.0), (IMPLICIT, 2e-3): (18.0, 22.0)}  # rigid, elastic
LIMITS = {3: 0.4e-3, 4: 0.025e-3}  # [s] Table 3, explicit steps; the second is an upper bound
LIMITS_AS_PRINTED = {3: "0.4 ms", 4: "< 0.025 ms"}
IMPLICIT_TIMES = {3: 22.0, 4: 35.0}  # Table 3, dt = 2 ms
EXPLICIT_TIMES = {3: "20 s (0.4 ms)", 4: "> 700 s (0.025 ms)"}

AMPLITUDE = {3: (0.6, 0.5, 0.4), 4: (0.6, 0.4, 0.3, 0.2)}  # [rad] assumed
FREQUENCY = 10.0  # [rad/s] assumed: error dynamics of the computed torque
MINIMUM = 5.0  # [N] assumed: lowest tension
INERTIA = 1e-5  # [kg m^2] assumed: of the motors, as in the catalogue
ASSUMED = (
    "Assumed, as the paper does not say: motor inertia 1e-5 kg m^2; wanted motion "
    "A/2 (1 - cos t) with A = 0.6, 0.5, 0.4 rad (3 joints) and 0.6, 0.4, 0.3, 0.2 rad (4 joints); "
    f"computed torque with error dynamics of {FREQUENCY:g} rad/s, critically damped; tensions of "
    f"{MINIMUM:g} N or more; the neck stands up."
)
