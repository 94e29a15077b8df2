"""Robots with pulleys in their tendons' paths, and numbers out of them."""

import numpy as np
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Placement,
    Point,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
)
from tests.helpers.robots import unit

LINK = 0.3


def pulled(joints, path, name="pulled", **parts):
    """Joints and one tendon with a prescribed tension."""
    tendon = Tendon(name="cable", path=path, actuator="pull", **parts)
    return Robot(
        name=name, joints=joints, actuators=(TensionActuator(name="pull"),), tendons=(tendon,)
    )


def x_joints(path, count=1):
    """Stacked X-joints with one tendon."""
    return pulled(chorda.neck(count).joints, path)


def held(frame, point, side, radius=0.005, **parts):
    """A pulley that the cable never leaves."""
    return Pulley(frame=frame, point=point, side=side, radius=radius, leave=False, **parts)


def chain(joints, turn=None):
    """Links of equal length in a row, in the x-y plane or in a turned one."""
    R = np.eye(3) if turn is None else turn.as_matrix()
    body = Body(mass=0.5, center=tuple(R @ [LINK / 2, 0, 0]), inertia=(1e-3,) * 3 + (0,) * 3)
    return tuple(
        Revolute(
            name=f"j{i}",
            parent="world" if i == 1 else f"j{i - 1}",
            placement=Placement(position=tuple(R @ [LINK * (i > 1), 0, 0])),
            axis=unit(*R[:, 2]),
            body=body,
        )
        for i in range(1, joints + 1)
    )


def random_robot(seed, joints=3, leave=None, planar=True):
    """A chain with a cable that wanders around pulleys on its links; leave: None is at random."""
    rng = np.random.default_rng(seed)
    turn = None if planar else Rotation.random(random_state=seed)
    R = np.eye(3) if planar else turn.as_matrix()
    path = []
    for i in range(joints + 1):
        frame = "world" if i == 0 else f"j{i}"
        at = tuple(R @ [rng.uniform(0.4, 0.6) * LINK, rng.uniform(-0.1, 0.1), 0])
        if i == 0:
            at = tuple(R @ [-LINK, rng.uniform(-0.1, 0.1), 0])
        if i in (0, joints) and rng.random() < 0.5:
            path.append(Point(frame=frame, point=at))
            continue
        # a normal that points the other way exchanges left and right: both must work
        flip = rng.choice([-1, 1])
        path.append(
            Pulley(
                frame=frame,
                point=at,
                radius=rng.uniform(0.01, 0.05),
                side=rng.choice(["left", "right"]),
                normal=unit(*flip * R[:, 2]),
                leave=bool(rng.random() < 0.5) if leave is None else leave,
            )
        )
    law = KelvinVoigt(stiffness=1e3, damping=5.0, pretension=3.0, one_sided=False)
    robot = pulled(chain(joints, turn), path)
    elastic = robot.tendons[0].model_copy(update={"law": law, "actuator": None})
    return robot.model_copy(update={"actuators": (), "tendons": (elastic,)})
