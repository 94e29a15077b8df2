"""Bird necks of Testard2023: stacks of X-joints, one tendon left, one right for each joint."""

from chorda.checks import whole_number
from chorda.describe import (
    DryFriction,
    KelvinVoigt,
    Motor,
    Point,
    Robot,
    Spring,
    Tendon,
    XJoint,
)

MOST_JOINTS = 12
L, B = 0.1, 0.05  # lengths of diagonals and bars [m]
PUBLISHED_STIFFNESS = {3: (600.0, 600.0, 200.0), 4: (800.0, 600.0, 200.0, 200.0)}
SOURCES = {
    "gravity.*": "assumed: the paper does not say which way is up; the neck stands up",
    "joints.*.diagonal_length": "Testard2023, section 2: 0.1 m",
    "joints.*.bar_length": "Testard2023, section 2: 0.05 m",
    "joints.*.diagonal_mass": "Testard2023, section 2: 64 g",
    "joints.*.bar_mass": "Testard2023, section 2: 32 g",
    "joints.*.friction": "Testard2023, section 2: f_v = 0.001 N m/(rad/s)",
    "joints.*.range.*": "geometry: the bars fold flat at half a turn",
    "springs.*.free_length": "Testard2023, section 2: 46 mm",
    "actuators.*.drum_radius": "Testard2023, section 2: R_d = 0.02 m",
    "actuators.*.gear_ratio": "Testard2023, section 2: r_g = 25",
    "actuators.*.dry_friction.torque": "Testard2023, section 2: Gamma_s = 0.008 N m",
    "actuators.*.dry_friction.slope": "Testard2023, section 2: c_s = 0.5",
    "actuators.*.inertia": "assumed: not printed; Fasquelle2021, section 5.1: the neck's inertia "
    "is negligible beside the motors'; with 1e-4 kg m^2 it is at most 4.5 % of theirs (3 joints, "
    "straight), with 1e-5 45 %",
    "tendons.*.law.stiffness": "Testard2023, section 2: k_c = 1e5 N/m",
    "tendons.*.law.damping": "Testard2023, section 2: d_c = 100",
    "tendons.*.lead": "Fasquelle2021, eqs. 7-10: a strut-routed part of L + b per joint below",
}
STIFFNESS_SOURCE = {
    True: "Testard2023, section 2",
    False: "assumed: grows with the weight above and the height below, so that the neck stands "
    "straight without tension",
}


def spring_stiffness(joints: int) -> tuple[float, ...]:
    """Stiffness of the springs from bottom to top [N/m]: published, or assumed.

    A spring that carries m of n joints is assumed to have 20 n m^2, at least 200: the moment of
    the leaning weight above grows with m^2, and every joint below adds to the lean.
    """
    if joints in PUBLISHED_STIFFNESS:
        return PUBLISHED_STIFFNESS[joints]
    return tuple(max(200.0, 20.0 * joints * carried**2) for carried in range(joints, 0, -1))


def neck(joints: int) -> Robot:
    """The neck with 1 to 12 X-joints; 3 and 4 are those of Testard2023.

    Upright they are stable without tension, but for the published springs of 4 joints: those need
    2 N in every tendon.

    Parameters
    ----------
    joints : int
        How many.

    Returns
    -------
    Robot
        Its description.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    load : the same by name, 'neck-3'.

    Examples
    --------
    >>> neck(3).tendons[-1].name
    'left'
    """
    whole_number("joints", joints, 1, MOST_JOINTS)
    order = range(1, joints + 1)
    below = {j: f"x{j}.base" if j == 1 else f"x{j - 1}.top" for j in order}
    sides = [(j, side) for j in order for side in ("left", "right")]
    right = [
        (
            f"right{j}",
            (Point(frame=below[j], point="right"), Point(frame=f"x{j}.top", point="right")),
        )
        for j in order
    ]
    left = (
        Point(frame="x1.base", point="left"),
        *(Point(frame=f"x{j}.top", point="left") for j in order),
    )
    cables = [*right, ("left", left)]
    stiffness = spring_stiffness(joints)
    return Robot(
        name=f"neck-{joints}",
        title=f"Bird neck of {joints} X-joint{'s' * (joints > 1)} and {joints + 1} tendons",
        joints=tuple(
            XJoint(
                name=f"x{j}",
                parent="world" if j == 1 else f"x{j - 1}.top",
                diagonal_length=L,
                bar_length=B,
                diagonal_mass=0.064,
                bar_mass=0.032,
                friction=0.001,
            )
            for j in order
        ),
        springs=tuple(
            Spring(
                name=f"spring{j}-{side}",
                start=Point(frame=below[j], point=side),
                end=Point(frame=f"x{j}.top", point=side),
                stiffness=stiffness[j - 1],
                free_length=0.046,
            )
            for j, side in sides
        ),
        actuators=tuple(
            Motor(
                name=f"motor-{name}",
                inertia=1e-4,
                drum_radius=0.02,
                gear_ratio=25.0,
                dry_friction=DryFriction(kind="arctan", torque=0.008, slope=0.5),
            )
            for name, _ in cables
        ),
        tendons=tuple(
            Tendon(
                name=name,
                path=path,
                lead=(i * (L + B) if name != "left" else 0.0),
                law=KelvinVoigt(stiffness=1e5, damping=100.0, one_sided=False),  # eq. 2 is linear
                actuator=f"motor-{name}",
            )
            for i, (name, path) in enumerate(cables)
        ),
        sources={**SOURCES, "springs.*.stiffness": STIFFNESS_SOURCE[joints in PUBLISHED_STIFFNESS]},
    )
