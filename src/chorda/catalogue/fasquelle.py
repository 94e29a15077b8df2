"""The bird neck of Fasquelle2021: three X-joints, four tendons, with or without pulleys."""

from chorda.catalogue.necks import neck
from chorda.describe import DryFriction, KelvinVoigt, Motor, Point, Pulley, Robot, Tendon
from chorda.errors import InputError

RADIUS = 0.005  # of the pulleys [m]
DRUM, GEAR = 0.02, 25.0
FRICTION = {"right1": 14.42, "right2": 17.65, "right3": 18.77, "left": 16.18}  # f_s [N]
STIFFNESS = {"right1": 10454.0, "right2": 9256.0, "right3": 8319.0, "left": 5336.0}  # k [N/m]
DAMPING = {"right1": 805.0, "right2": 333.0, "right3": 0.0, "left": 370.0}  # c_a [N s/m]
DOUBT = "badly identified: relative deviation"
SOURCES = {
    "actuators.*.drum_radius": "Testard2023, section 2: R_d = 0.02 m (same prototype; not printed "
    "in Fasquelle2021)",
    "actuators.*.gear_ratio": "Fasquelle2021, section 5.1: R = 25",
    "actuators.*.inertia": "assumed: not printed; 1e-5 kg m^2 is that of a small DC motor's rotor",
    "actuators.*.dry_friction.torque": "Fasquelle2021, Table 2, model 1: f_s times drum radius "
    "over gear ratio",
    "actuators.*.dry_friction.slope": "Fasquelle2021, after eq. 48: c_m = 0.5",
    "actuators.*.friction": "Fasquelle2021, section 6.6: viscous friction is neglected",
    "tendons.*.law.stiffness": "Fasquelle2021, Table 2, model 1: k",
    "tendons.0.law.damping": f"Fasquelle2021, Table 2, model 1: c_a; {DOUBT} 30.5 %",
    "tendons.1.law.damping": f"Fasquelle2021, Table 2, model 1: c_a; {DOUBT} 68.7 %",
    "tendons.2.law.damping": "assumed: none; Fasquelle2021, Table 2, model 1 prints -218, which "
    f"is not physical ({DOUBT} 94.3 %)",
    "tendons.3.law.damping": f"Fasquelle2021, Table 2, model 1: c_a; {DOUBT} 64.3 %",
}
PULLEY_SOURCES = {
    "tendons.*.path.*.radius": "assumed: not printed in Fasquelle2021; 5 mm suits bars of 50 mm",
    "tendons.*.path.*.normal.*": "geometry: the neck moves in the x-y plane",
}


def fasquelle_neck(pulleys: bool) -> Robot:
    """The neck with the parameters that Fasquelle2021 identified; geometry and masses as neck(3).

    pulleys: cables run around pulleys on the pivots [Fasquelle2021, eqs. 31-34]; else through the
    pivots themselves [eqs. 7-10].

    >>> fasquelle_neck(pulleys=True).tendons[2].path[1].side
    'right'
    """
    if not isinstance(pulleys, bool):
        raise InputError(f"pulleys: expected True or False, got {pulleys!r}")
    base = neck(3)
    sources = {**base.sources, **SOURCES}
    if pulleys:
        del sources["tendons.*.lead"]
        sources |= PULLEY_SOURCES
    return Robot(
        name=f"fasquelle-3{'-pulleys' * pulleys}",
        title=f"Bird neck of 3 X-joints and 4 tendons, {'with' if pulleys else 'without'} pulleys",
        gravity=base.gravity,
        joints=base.joints,
        springs=base.springs,
        actuators=tuple(
            Motor(
                name=f"motor-{name}",
                inertia=1e-5,
                drum_radius=DRUM,
                gear_ratio=GEAR,
                dry_friction=DryFriction(kind="arctan", torque=f_s * DRUM / GEAR, slope=0.5),
                friction=0.0,
            )
            for name, f_s in FRICTION.items()
        ),
        tendons=tuple(
            Tendon(
                name=old.name,
                path=_around_pulleys(old.name) if pulleys else old.path,
                lead=0.0 if pulleys else old.lead,
                law=KelvinVoigt(stiffness=STIFFNESS[old.name], damping=DAMPING[old.name]),
                actuator=f"motor-{old.name}",
            )
            for old in base.tendons
        ),
        sources=sources,
    )


def _around_pulleys(name: str) -> tuple[Point | Pulley, ...]:
    if name == "left":  # the third case twice, then the first
        rests = ("x1.base", "x1.top", "x2.top")
        return (*(_pulley(x, "left", "right") for x in rests), Point(frame="x3.top", point="left"))
    top = int(name.removeprefix("right"))
    path: list[Point | Pulley] = [_pulley("x1.base", "right", "left")]
    for j in range(1, top):  # along a diagonal, over its end, under the bar's other end: case 4
        path += [_pulley(f"x{j}.top", "left", "right"), _pulley(f"x{j}.top", "right", "left")]
    return (*path, Point(frame=f"x{top}.top", point="right"))


def _pulley(frame: str, point: str, side: str) -> Pulley:
    return Pulley(frame=frame, point=point, radius=RADIUS, side=side, leave=False)
