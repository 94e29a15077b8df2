"""MuJoCo as an outside oracle: trees of hinges, slides, free and fixed joints, without the rest."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import chorda
from tests.fuzz.case import Case, Pair
from tests.fuzz.plain.differences import turned

try:
    import mujoco
except ImportError:  # an optional peer
    mujoco = None


def mujoco_twin(case: Case) -> Iterator[Pair]:
    """M, and the accelerations under gravity, springs and friction of the joints."""
    robot = case.robot
    plain = all(x.kind in ("revolute", "prismatic", "fixed", "free") for x in robot.joints)
    if mujoco is None or not plain or robot.closures or case.rng.random() > 0.5:
        return
    if any(x.kind != "fixed" and x.body is None for x in robot.joints):
        return
    bodies = [x.body for x in robot.joints if x.body is not None]
    if any(not all(x.inertia[:3]) for x in bodies):
        return  # planar bodies
    if any(x.kind == "free" and x.parent != "world" for x in robot.joints):
        return  # MuJoCo has none there
    bare = {"springs": (), "dampers": (), "loads": (), "tendons": (), "actuators": ()}
    alone = robot.model_copy(update=bare)
    system = chorda.assemble(alone)
    model = mujoco.MjModel.from_xml_string(_document(alone))
    data = mujoco.MjData(model)
    q, v = case.qv[0][: system.nq], case.qv[1][: system.nv]
    k = case.plain.kinematics
    frames = k.frames(q)
    S = np.zeros((model.nv, system.nv))  # MuJoCo's velocities of ours
    for joint in robot.joints:
        if joint.kind == "fixed":
            continue
        i, at, _ = k.rows[joint.name]
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
        address, first = model.jnt_qposadr[number], model.jnt_dofadr[number]
        if joint.kind != "free":
            data.qpos[address] = q[i]
            S[first, at] = 1.0
            continue
        R, p = frames[joint.name]
        x, y, z, w = Rotation.from_matrix(R).as_quat()
        data.qpos[address : address + 7] = *p, w, x, y, z
        base = turned(joint.placement.axis, joint.placement.angle)
        S[first : first + 3, at + 3 : at + 6] = base  # linear in the world's axes
        S[first + 3 : first + 6, at : at + 3] = R.T @ base  # angular in the body's
    data.qvel[:] = S @ v
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, M, data.qM) if hasattr(data, "qM") else _full(model, data, M)
    ours, F, *_ = (x.full() for x in system.equations(q, v, np.zeros(0), system.parameters()))
    theirs = S.T @ M @ S
    yield "MuJoCo's M", ours, theirs, float(np.abs(theirs).max())
    force = data.qfrc_passive - data.qfrc_bias
    bias = np.zeros(model.nv)  # S turns with a free body
    for joint in robot.joints:
        if joint.kind == "free":
            _, at, _ = k.rows[joint.name]
            number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
            first = model.jnt_dofadr[number]
            w = S[first + 3 : first + 6, at : at + 3] @ v[at : at + 3]
            bias[first + 3 : first + 6] = -np.cross(w, w)
    theirs = S.T @ (force - M @ bias)
    yield "MuJoCo's forces", F.ravel(), theirs, max(case.here.scale, float(np.abs(theirs).max()))


def _full(model: Any, data: Any, M: Any) -> None:
    """The inertia matrix, column by column, where the version has no mj_fullM of it."""
    for k in range(model.nv):
        column = np.zeros((1, model.nv))
        column[0, k] = 1.0
        out = np.zeros((1, model.nv))
        mujoco.mj_mulM(model, data, out[0], column[0])
        M[:, k] = out[0]


def _document(robot: Any) -> str:
    """The robot as MJCF, written here."""
    texts: dict[str, tuple[str, str]] = {}
    children: dict[str, list[str]] = {}

    def numbers(x: Any) -> str:
        return " ".join(repr(float(v)) for v in x)

    for x in robot.joints:
        R = turned(x.placement.axis, x.placement.angle)
        p = np.array(x.placement.position)
        name, _, tip = x.parent.partition(".")
        if tip:  # a link's far end
            link = robot.named(name).link
            Rz, Rx = turned((0, 0, 1), link.theta), turned((1, 0, 0), link.alpha)
            origin = np.array([0, 0, link.d]) + Rz @ [link.a, 0, 0]
            R, p = Rz @ Rx @ R, origin + Rz @ Rx @ p
        i, j, k, w = Rotation.from_matrix(R).as_quat()
        own = f'<body name="{x.name}" pos="{numbers(p)}" quat="{numbers((w, i, j, k))}">'
        if x.kind == "free":
            own += f'<freejoint name="{x.name}"/>'
        elif x.kind != "fixed":
            kind = "hinge" if x.kind == "revolute" else "slide"
            own += (
                f'<joint name="{x.name}" type="{kind}" axis="{numbers(x.axis)}" '
                f'stiffness="{x.stiffness or 0.0!r}" springref="{x.rest!r}" '
                f'damping="{x.friction or 0.0!r}"/>'
            )
        if x.body is not None:
            own += (
                f'<inertial pos="{numbers(x.body.center)}" mass="{x.body.mass!r}" '
                f'fullinertia="{numbers(x.body.inertia)}"/>'
            )
        texts[x.name] = own, "</body>"
        children.setdefault(name, []).append(x.name)

    def nested(name: str) -> str:
        begin, end = texts.get(name, ("", ""))
        return begin + "".join(nested(x) for x in children.get(name, [])) + end

    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false" boundmass="0" '
        f'autolimits="true"/><option gravity="{numbers(robot.gravity)}"/>'
        f"<worldbody>{nested('world')}</worldbody></mujoco>"
    )
