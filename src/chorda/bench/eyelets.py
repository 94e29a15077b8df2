"""A chain of hinges with alternating axes and four cables through eyelets, for both programs.

It hangs; each cable runs through an eyelet of every link and is wound by a winch. In MuJoCo the
cables are spatial tendons, each pulled by an actuator with the same stiffness and damping, which
cannot push. The motion is the same while no cable is slack: `likeness` compares accelerations.
"""

import math
from typing import Any

import numpy as np

from chorda.describe import Body, KelvinVoigt, Placement, Point, Revolute, Robot, Tendon, Winch
from chorda.mechanics import Array, System, assemble
from chorda.results.observe import accelerations

CABLES = 4
LENGTH, MASS, CENTER = 0.03, 0.02, (0.0, 0.0, -0.015)  # of a link [m, kg, m]
INERTIA = (3e-6, 3e-6, 2e-6)  # [kg m^2]
FRICTION, SPRING = 2e-3, 0.3  # of a hinge [N m s/rad, N m/rad]
OFFSET = 0.01  # [m] of the eyelets from the axis
STIFFNESS, DAMPING, PRETENSION = 2e4, 40.0, 20.0  # [N/m, N s/m, N]
GRAVITY = -9.81  # [m/s^2]
STEP = 1e-3  # [s]
WOUND = (-1e-4, 0.0, 1e-4, 0.0)  # [m] paid out by the winches


def axis(joint: int) -> tuple[int, int, int]:
    return (1, 0, 0) if joint % 2 == 0 else (0, 1, 0)


def eyelet(cable: int, link: int) -> tuple[float, float, float]:
    """In the frame of a link; link 0 is the world."""
    angle = 2 * math.pi * cable / CABLES + 0.3
    height = LENGTH / 2 if link == 0 else -LENGTH / 2
    return OFFSET * math.cos(angle), OFFSET * math.sin(angle), height


def robot(joints: int) -> Robot:
    """The chain, hanging along -z."""
    links = tuple(
        Revolute(
            name=f"j{i + 1}",
            parent=f"j{i}" if i else "world",
            placement=Placement(position=(0, 0, -LENGTH)) if i else Placement(),
            axis=axis(i),
            body=Body(mass=MASS, center=CENTER, inertia=(*INERTIA, 0, 0, 0)),
            friction=FRICTION,
            stiffness=SPRING,
        )
        for i in range(joints)
    )
    law = KelvinVoigt(stiffness=STIFFNESS, damping=DAMPING, pretension=PRETENSION)
    return Robot(
        name=f"eyelets-{joints}",
        gravity=(0, 0, GRAVITY),
        joints=links,
        actuators=tuple(Winch(name=f"w{k + 1}") for k in range(CABLES)),
        tendons=tuple(
            Tendon(
                name=f"t{k + 1}",
                path=tuple(
                    Point(frame=f"j{i}" if i else "world", point=eyelet(k, i))
                    for i in range(joints + 1)
                ),
                law=law,
                actuator=f"w{k + 1}",
            )
            for k in range(CABLES)
        ),
    )


def inputs(system: System) -> Array:
    """The winches' displacements, and their rates."""
    return np.array([*WOUND, *[0.0] * (system.nu - CABLES)])


def _numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def mujoco_xml(joints: int, integrator: str = "implicit", step: float = STEP) -> str:
    """The same chain: spatial tendons, pulled by actuators that answer to their length."""
    sites = [
        "".join(f'<site name="s{k}_{i}" pos="{_numbers(eyelet(k, i))}"/>' for k in range(CABLES))
        for i in range(joints + 1)
    ]
    links = "".join(
        f'<body pos="0 0 {-LENGTH if i else 0}"><joint axis="{_numbers(axis(i))}" '
        f'damping="{FRICTION}" stiffness="{SPRING}"/><inertial pos="{_numbers(CENTER)}" '
        f'mass="{MASS}" diaginertia="{_numbers(INERTIA)}"/>{sites[i + 1]}'
        for i in range(joints)
    )
    cables = "".join(
        f'<spatial name="t{k + 1}">'
        + "".join(f'<site site="s{k}_{i}"/>' for i in range(joints + 1))
        + "</spatial>"
        for k in range(CABLES)
    )
    winches = "".join(
        f'<general tendon="t{k + 1}" gainprm="{STIFFNESS}" biastype="affine" '
        f'biasprm="0 {-STIFFNESS} {-DAMPING}" forcelimited="true" forcerange="-1e6 0"/>'
        for k in range(CABLES)
    )
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="{integrator}" '
        f'gravity="0 0 {GRAVITY}"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{sites[0]}{links}{'</body>' * joints}</worldbody>"
        f"<tendon>{cables}</tendon><actuator>{winches}</actuator></mujoco>"
    )


def load(joints: int, integrator: str = "implicit") -> tuple[Any, Any]:
    """MuJoCo's model and data, straight and at rest."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_xml(joints, integrator))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    # its actuators are springs whose rest length is their input
    data.ctrl[:] = data.ten_length - PRETENSION / STIFFNESS + np.array(WOUND)
    return model, data


def likeness(joints: int, seed: int = 0) -> float:
    """Largest difference of accelerations in a bent configuration in motion, over the largest."""
    import mujoco

    rng = np.random.default_rng(seed)
    q, v = 0.02 * rng.normal(size=joints), 0.1 * rng.normal(size=joints)
    model, data = load(joints)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(model, data)
    system = assemble(robot(joints))
    u, p = inputs(system), system.parameters()[:, None]
    ours = accelerations(system, q[None], v[None], u[None], p)[0][0]
    return float(np.max(np.abs(ours - data.qacc)) / np.max(np.abs(ours)))
