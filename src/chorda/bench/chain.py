"""A planar chain of seven revolute joints with eight one-sided tendons, for both programs.

Tendons 1 to 7 run over pulleys of radius r on the joints' axes, tendon k to link k, all on the same
side; the eighth runs to the last link on the other side, over pulleys of radius 7 r to r, so that
equal tensions balance (an N+1 arrangement). Moment arms are constant. In MuJoCo the tendons are
therefore "fixed" ones with the same coefficients, which spares it all geometry of paths; Chorda
lays them over the pulleys. MuJoCo rectifies the spring alone, Chorda spring and damper together:
they agree while tendons are taut.
"""

from typing import Any

import numpy as np

from chorda.describe import Body, KelvinVoigt, Motor, Placement, Point, Pulley, Revolute, Robot
from chorda.describe import Tendon as Cable
from chorda.mechanics import Array

JOINTS = 7
TENDONS = JOINTS + 1
LENGTH, MASS, FRICTION = 0.06, 0.05, 2e-3  # of a link [m, kg], of a joint [N m s/rad]
INERTIA = MASS * LENGTH**2 / 12  # [kg m^2]
RADIUS = 0.004  # [m] of the smallest pulley
STIFFNESS, DAMPING, PRETENSION = 2e4, 40.0, 20.0  # [N/m, N s/m, N]
DRUM, ROTOR = 0.01, 1e-4  # [m, kg m^2]
GRAVITY = -9.81  # [m/s^2] along the straight chain, towards its base: it hangs
MUJOCO_STEP = 2e-4  # [s]
PULL = tuple(-DRUM * PRETENSION * (1.1 if k % 3 == 0 else 1.0) for k in range(TENDONS))  # [N m]


def arms() -> Array:
    """Moment arms (tendons, joints) [m]: torque on a joint for each newton in a tendon."""
    B = np.tril(np.full((TENDONS, JOINTS), RADIUS))
    B[-1] = -RADIUS * np.arange(JOINTS, 0, -1)
    return B


def robot() -> Robot:
    """The chain, hanging along -y."""
    joints = tuple(
        Revolute(
            name=f"j{i + 1}",
            parent=f"j{i}" if i else "world",
            placement=Placement(position=(0, -LENGTH, 0)) if i else Placement(),
            body=Body(mass=MASS, center=(0, -LENGTH / 2, 0), inertia=(0, 0, INERTIA, 0, 0, 0)),
            friction=FRICTION,
        )
        for i in range(JOINTS)
    )
    law = KelvinVoigt(stiffness=STIFFNESS, damping=DAMPING, pretension=PRETENSION, one_sided=True)
    return Robot(
        name="chain-7",
        gravity=(0, GRAVITY, 0),
        joints=joints,
        actuators=tuple(
            Motor(name=f"m{k + 1}", inertia=ROTOR, drum_radius=DRUM) for k in range(TENDONS)
        ),
        tendons=tuple(
            Cable(name=f"t{k + 1}", path=_path(row), law=law, actuator=f"m{k + 1}")
            for k, row in enumerate(arms())
        ),
    )


def _path(row: Array) -> tuple[Point | Pulley, ...]:
    """Over the pulleys on the axes: those before the last stay, the last is a drum of its link."""
    used = [i for i, arm in enumerate(row) if arm]
    side: Any = "left" if row[0] < 0 else "right"
    radii = np.abs(row)
    start = Point(point=(float(row[0]), LENGTH, 0))
    return (
        start,
        *(
            Pulley(frame=f"j{i + 1}", radius=float(radii[i]), side=side, leave=i == used[-1])
            for i in used
        ),
    )


def mujoco_xml(step: float = MUJOCO_STEP, integrator: str = "implicit") -> str:
    """The same chain: hinges for the motors, fixed tendons with the arms as coefficients."""
    open_links = "".join(
        f'<body pos="0 {-LENGTH if i else 0} 0"><joint name="j{i + 1}" axis="0 0 1" '
        f'damping="{FRICTION}"/><inertial pos="0 {-LENGTH / 2} 0" mass="{MASS}" '
        f'diaginertia="{INERTIA} {INERTIA} {INERTIA}"/>'
        for i in range(JOINTS)
    )
    rotors = "".join(
        f'<body><joint name="m{k + 1}" axis="0 0 1"/><inertial pos="0 0 0" mass="1" '
        f'diaginertia="{ROTOR} {ROTOR} {ROTOR}"/></body>'
        for k in range(TENDONS)
    )
    slack = -PRETENSION / STIFFNESS
    cables = "".join(
        f'<fixed name="t{k + 1}" stiffness="{STIFFNESS}" damping="{DAMPING}" '
        f'springlength="-1e3 {slack}">'
        + "".join(f'<joint joint="j{i + 1}" coef="{-arm}"/>' for i, arm in enumerate(row) if arm)
        + f'<joint joint="m{k + 1}" coef="{-DRUM}"/></fixed>'
        for k, row in enumerate(arms())
    )
    motors = "".join(f'<motor joint="m{k + 1}"/>' for k in range(TENDONS))
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="{integrator}" '
        f'gravity="0 {GRAVITY} 0"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{open_links}{'</body>' * JOINTS}{rotors}</worldbody>"
        f"<tendon>{cables}</tendon><actuator>{motors}</actuator></mujoco>"
    )


def load(timestep: float = MUJOCO_STEP, integrator: str = "implicit") -> tuple[Any, Any]:
    """MuJoCo's model and data, at rest under `PULL`."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_xml(timestep, integrator))
    data = mujoco.MjData(model)
    data.ctrl[:] = PULL
    return model, data
