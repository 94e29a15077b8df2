"""A hand of five fingers, 20 joints, 40 tendons and 25 motors, for both programs.

A finger is a chain as that of chain.py: abduction about x, then three joints that flex about z.
Tendons run over pulleys on the joints' axes, so that moment arms are constant and MuJoCo's tendons
are "fixed" ones with the same coefficients. Three flexors and an extensor have a motor each; one
motor winds both tendons of the abduction; two ligaments have none.
"""

from typing import Any

import numpy as np

from chorda.describe import Body, KelvinVoigt, Motor, Placement, Point, Pulley, Revolute, Robot
from chorda.describe import Tendon as Cable
from chorda.mechanics import Array, System, assemble
from chorda.results.observe import accelerations

FINGERS, FLEXING = 5, 3
SPACING, KNUCKLE = 0.022, 0.02  # between fingers, abduction to flexion [m]
LENGTHS, MASSES = (0.045, 0.028, 0.022), (0.03, 0.02, 0.012)  # of the phalanges [m, kg]
FRICTION = 2e-3  # [N m s/rad]
RADIUS = 0.004  # [m] of the smallest pulley
STIFFNESS, DAMPING, PRETENSION = 2e4, 40.0, 5.0  # [N/m, N s/m, N]
DRUM, ROTOR = 0.01, 1e-4  # [m, kg m^2]
GRAVITY = -9.81  # [m/s^2] along the straight fingers, away from the palm: they hang
STEP = 1e-3  # [s]
PATHS = {  # moment arms at the joints that flex [radius]
    "flexor1": (1, 0, 0),
    "flexor2": (1, 1, 0),
    "flexor3": (1, 1, 1),
    "extensor": (-3, -2, -1),
    "ligament1": (-1, -1, -1),
    "ligament2": (1, 1, 1),
}
MOTORS = ("flexor1", "flexor2", "flexor3", "extensor")


def _inertia(mass: float, length: float) -> tuple[float, float, float]:
    across = mass * length**2 / 12
    return across, across / 10, across


def _links(f: int) -> list[tuple[str, str, tuple[float, float, float], tuple[int, int, int], Any]]:
    """Name, parent, position, axis, and (mass, length) of a finger's bodies."""
    knuckle = (f"f{f}a", "world", (0.0, 0.0, SPACING * (f - 2)), (1, 0, 0), (0.01, KNUCKLE))
    out = [knuckle]
    drop = KNUCKLE
    for name, parent, mass, length in zip("bcd", "abc", MASSES, LENGTHS, strict=True):
        out.append((f"f{f}{name}", f"f{f}{parent}", (0.0, -drop, 0.0), (0, 0, 1), (mass, length)))
        drop = length
    return out


def _bodies(f: int) -> tuple[Revolute, ...]:
    return tuple(
        Revolute(
            name=name,
            parent=parent,
            placement=Placement(position=at),
            axis=axis,
            body=Body(
                mass=mass, center=(0, -length / 2, 0), inertia=(*_inertia(mass, length), 0, 0, 0)
            ),
            friction=FRICTION,
        )
        for name, parent, at, axis, (mass, length) in _links(f)
    )


def _flexing(f: int, row: tuple[int, ...]) -> tuple[Point | Pulley, ...]:
    """Over the pulleys on the axes; the last is a drum of its phalanx."""
    used = [i for i, arm in enumerate(row) if arm]
    side: Any = "left" if row[0] < 0 else "right"
    start = Point(frame=f"f{f}a", point=(RADIUS * row[0], 0.0, 0.0))
    rims = (
        Pulley(frame=f"f{f}{'bcd'[i]}", radius=RADIUS * abs(row[i]), side=side, leave=i == used[-1])
        for i in used
    )
    return (start, *rims)


def _abducting(f: int, sign: int) -> tuple[Point | Pulley, ...]:
    """From the palm to a drum on the knuckle, on either side."""
    side: Any = "left" if sign > 0 else "right"
    at = (0.0, 0.03, SPACING * (f - 2) + sign * RADIUS)
    return Point(point=at), Pulley(frame=f"f{f}a", radius=RADIUS, side=side, normal=(1, 0, 0))


def robot() -> Robot:
    """The hand, its fingers hanging along -y."""
    law = KelvinVoigt(stiffness=STIFFNESS, damping=DAMPING, pretension=PRETENSION)
    motors, cables = [], []
    for f in range(FINGERS):
        motors += [f"f{f}-{name}" for name in (*MOTORS, "abduction")]
        for name, row in PATHS.items():
            motor = f"f{f}-{name}" if name in MOTORS else None
            cables.append(
                Cable(name=f"f{f}-{name}-cable", path=_flexing(f, row), law=law, actuator=motor)
            )
        for sign in (1, -1):
            cables.append(
                Cable(
                    name=f"f{f}-abduction{1 if sign > 0 else 2}",
                    path=_abducting(f, sign),
                    law=law,
                    actuator=f"f{f}-abduction",
                    winding=sign,
                )
            )
    return Robot(
        name="hand-20",
        gravity=(0, GRAVITY, 0),
        joints=tuple(x for f in range(FINGERS) for x in _bodies(f)),
        actuators=tuple(Motor(name=x, inertia=ROTOR, drum_radius=DRUM) for x in motors),
        tendons=tuple(cables),
    )


def pull(system: System) -> Array:
    """Torques that balance the pretension, a little more on some motors [N m]."""
    names = [x.name for x in system.inputs]
    held = [0.0 if "abduction" in x else -DRUM * PRETENSION for x in names]
    return np.array([t * (1.1 if k % 3 == 0 else 1.0) for k, t in enumerate(held)])


def mujoco_xml(integrator: str = "implicit", step: float = STEP) -> str:
    """The same hand: hinges for the motors, fixed tendons with the arms as coefficients."""
    bodies, coefficients = "", list[dict[str, float]]()
    for f in range(FINGERS):
        links = _links(f)
        for name, _, at, axis, (mass, length) in links:
            bodies += (
                f'<body pos="{_numbers(at)}"><joint name="{name}" axis="{_numbers(axis)}" '
                f'damping="{FRICTION}"/><inertial pos="0 {-length / 2} 0" mass="{mass}" '
                f'diaginertia="{_numbers(_inertia(mass, length))}"/>'
            )
        bodies += "</body>" * len(links)
        for name, row in PATHS.items():
            arms = {f"f{f}{x}": -RADIUS * arm for x, arm in zip("bcd", row, strict=True) if arm}
            coefficients.append(arms | ({f"f{f}-{name}": -DRUM} if name in MOTORS else {}))
        for sign in (1, -1):
            coefficients.append({f"f{f}a": sign * RADIUS, f"f{f}-abduction": -sign * DRUM})
    motors = [f"f{f}-{name}" for f in range(FINGERS) for name in (*MOTORS, "abduction")]
    rotors = "".join(
        f'<body><joint name="{x}" axis="0 0 1"/><inertial pos="0 0 0" mass="1" '
        f'diaginertia="{ROTOR} {ROTOR} {ROTOR}"/></body>'
        for x in motors
    )
    torques = "".join(f'<motor joint="{x}"/>' for x in motors)
    slack = -PRETENSION / STIFFNESS
    cables = "".join(
        f'<fixed stiffness="{STIFFNESS}" damping="{DAMPING}" springlength="-1e3 {slack}">'
        + "".join(f'<joint joint="{name}" coef="{value}"/>' for name, value in arms.items())
        + "</fixed>"
        for arms in coefficients
    )
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="{integrator}" '
        f'gravity="0 {GRAVITY} 0"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{bodies}{rotors}</worldbody><tendon>{cables}</tendon>"
        f"<actuator>{torques}</actuator></mujoco>"
    )


def _numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def load(integrator: str = "implicit") -> tuple[Any, Any]:
    """MuJoCo's model and data, straight and at rest."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_xml(integrator))
    data = mujoco.MjData(model)
    data.ctrl[:] = pull(assemble(robot()))
    return model, data


def likeness(seed: int = 0) -> float:
    """Largest difference of accelerations in a bent configuration in motion, over the largest."""
    import mujoco

    system = assemble(robot())
    rng = np.random.default_rng(seed)
    q, v = 0.003 * rng.normal(size=system.nq), 0.01 * rng.normal(size=system.nv)
    model, data = load()
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(model, data)
    u, p = data.ctrl[None].copy(), system.parameters()[:, None]
    ours = accelerations(system, q[None], v[None], u, p)[0][0]
    return float(np.max(np.abs(ours - data.qacc)) / np.max(np.abs(ours)))
