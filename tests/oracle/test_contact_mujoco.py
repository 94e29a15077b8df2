"""Contact beside MuJoCo: forces that statics determines whatever the law, sliding, and rolling."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Capsule,
    Contact,
    ContactFriction,
    Free,
    JointMotor,
    Placement,
    Plane,
    Revolute,
    Robot,
    Sphere,
)

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

MASS, RADIUS, G = 0.5, 0.05, 9.81
LAW = {"stiffness": 2e4, "dissipation": 5.0}
OPTION = (
    '<option timestep="2e-4" integrator="implicit" cone="elliptic" tolerance="1e-14" '
    'iterations="200" impratio="{impratio}" gravity="{gravity}"/>'
)
SOFT = 'solref="0.004 1" solimp="0.95 0.99 0.001"'
HARD = 'solref="0.0006 1" solimp="0.999 0.9999 0.0001"'  # depths change the finger's levers


def document(bodies, gravity=(0, -G, 0), impratio=1, more=""):
    option = OPTION.format(gravity=" ".join(map(repr, map(float, gravity))), impratio=impratio)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" autolimits="true"/>{option}'
        f"<worldbody>{bodies}</worldbody>{more}</mujoco>"
    )


def settled(model, duration):
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=round(duration / model.opt.timestep))
    return data


def pressing(model, data):
    """Normal forces by the names of both shapes."""
    found, force = {}, np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, force)
        pair = frozenset(model.geom(g).name for g in data.contact[k].geom)
        found[pair] = found.get(pair, 0.0) + force[0]
    return found


def ours(run, k=-1):
    """The same of a run."""
    found = {}
    for touch, force in zip(run.system.touches, run.data["normal_force"].values[k], strict=True):
        pair = frozenset((touch.first, touch.second))
        found[pair] = found.get(pair, 0.0) + float(force)
    return found


def simulated(robot, duration, **more):
    return chorda.simulate(chorda.assemble(robot), duration=duration, step=2e-4, **more)


def alike(mine, theirs, rel):
    assert set(mine) == set(theirs)
    for pair, force in mine.items():
        assert force == pytest.approx(theirs[pair], rel=rel)


def ball(inertia=0.4 * MASS * RADIUS**2):
    return Body(mass=MASS, inertia=(inertia,) * 3 + (0, 0, 0))


def test_a_ball_in_a_groove_presses_both_sides_as_statics_requires():
    left, right = 0.4, 0.9  # [rad] slopes of the sides
    normals = [(np.sin(left), np.cos(left), 0.0), (-np.sin(right), np.cos(right), 0.0)]
    # both sides touch the ball, whose centre is the origin
    sides = [
        Plane(name=name, point=tuple(-RADIUS * np.array(n)), normal=n)
        for name, n in zip(("left", "right"), normals, strict=True)
    ]
    contact = Contact(name="lies", first=("left", "right"), second="ball", **LAW)
    robot = Robot(
        name="groove",
        joints=[Free(name="body", body=ball())],
        shapes=[*sides, Sphere(name="ball", frame="body", radius=RADIUS)],
        contacts=[contact],
    )
    run = simulated(robot, 1.5, strict=True)
    planes = "".join(
        f'<geom name="{x.name}" type="plane" size="1 1 1" pos="{x.point[0]} {x.point[1]} 0" '
        f'zaxis="{x.normal[0]} {x.normal[1]} 0" condim="1" {SOFT}/>'
        for x in sides
    )
    sphere = f'<geom name="ball" size="{RADIUS}" mass="{MASS}" condim="1" {SOFT}/>'
    model = document(f"{planes}<body><freejoint/>{sphere}</body>")
    theirs = pressing(model, settled(model, 1.5))
    alike(ours(run), theirs, 1e-4)
    both = MASS * G / np.sin(left + right)
    assert ours(run)[frozenset(("left", "ball"))] == pytest.approx(both * np.sin(right), rel=1e-5)
    assert ours(run)[frozenset(("right", "ball"))] == pytest.approx(both * np.sin(left), rel=1e-5)


def test_a_beam_on_two_supports_presses_them_as_levers_require():
    """A capsule along x whose centre of mass is not in the middle, on two capsules across it."""
    off, half, r, height = 0.03, 0.2, 0.02, 0.01
    supports = [(-0.11, 0.0), (0.14, 0.0)]
    inertia = (2e-4, 8e-3, 8e-3)
    law = ContactFriction(coefficient=0.5, kind="bristle", deflection=1e-4, relaxation=1e-3)
    shapes = [
        Capsule(name="beam", frame="body", start=(-half, 0, 0), end=(half, 0, 0), radius=r),
        *(
            Capsule(name=f"support{k}", start=(x, 0, -0.1), end=(x, 0, 0.1), radius=height)
            for k, (x, _) in enumerate(supports)
        ),
    ]
    robot = Robot(
        name="beam",
        joints=[
            Free(
                name="body",
                placement=Placement(position=(0, r + height, 0)),
                body=Body(mass=MASS, center=(off, 0, 0), inertia=(*inertia, 0, 0, 0)),
            )
        ],
        shapes=shapes,
        contacts=[
            Contact(name="lies", first=("support0", "support1"), second="beam", friction=law, **LAW)
        ],
    )
    run = simulated(robot, 2.0, strict=True)
    fixed = "".join(
        f'<geom name="support{k}" type="capsule" size="{height}" '
        f'fromto="{x} 0 -0.1 {x} 0 0.1" friction="0.5" {SOFT}/>'
        for k, (x, _) in enumerate(supports)
    )
    model = document(
        f'{fixed}<body pos="0 {r + height} 0"><freejoint/>'
        f'<inertial pos="{off} 0 0" mass="{MASS}" diaginertia="{inertia[0]} {inertia[1]} '
        f'{inertia[2]}"/><geom name="beam" type="capsule" size="{r}" '
        f'fromto="{-half} 0 0 {half} 0 0" friction="0.5" {SOFT}/></body>'
    )
    theirs = pressing(model, settled(model, 2.0))
    alike(ours(run), theirs, 1e-3)
    lever = MASS * G * (0.14 - off) / 0.25
    assert ours(run)[frozenset(("support0", "beam"))] == pytest.approx(lever, rel=1e-3)


def test_a_finger_of_two_links_presses_two_posts_as_its_torques_require():
    lengths, r, post = (0.05, 0.04), 0.006, 0.01
    torques = (0.10, 0.03)  # [N m]
    at = ((0.030, 0.025), (0.075, 0.047))  # left of where each link will rest
    joints = [
        Revolute(
            name=f"j{k}",
            parent="j0" if k else "world",
            placement=Placement(position=(lengths[0], 0, 0) if k else (0, 0, 0)),
            body=Body(mass=0.02, center=(length / 2, 0, 0), inertia=(1e-7, 1e-5, 1e-5, 0, 0, 0)),
            friction=2e-3,
        )
        for k, length in enumerate(lengths)
    ]
    shapes = [
        *(
            Capsule(name=f"link{k}", frame=f"j{k}", start="origin", end=(x, 0, 0), radius=r)
            for k, x in enumerate(lengths)
        ),
        *(
            Capsule(name=f"post{k}", start=(*x, -0.05), end=(*x, 0.05), radius=post)
            for k, x in enumerate(at)
        ),
    ]
    hard = LAW | {"stiffness": 1e6}
    contacts = [
        Contact(name=f"touch{k}", first=f"post{k}", second=f"link{k}", **hard) for k in range(2)
    ]
    robot = Robot(
        name="finger",
        gravity=(0, 0, -G),
        joints=joints,
        actuators=[JointMotor(name=f"m{k}", joint=f"j{k}", inertia=1e-9) for k in range(2)],
        shapes=shapes,
        contacts=contacts,
    )
    run = simulated(robot, 2.0, inputs=list(torques), strict=True)
    links = "".join(
        f'<body pos="{lengths[0] if k else 0} 0 0"><joint name="j{k}" axis="0 0 1" damping="2e-3" '
        f'armature="1e-9"/><inertial pos="{x / 2} 0 0" mass="0.02" diaginertia="1e-7 1e-5 1e-5"/>'
        f'<geom name="link{k}" type="capsule" size="{r}" fromto="0 0 0 {x} 0 0" condim="1" '
        f'contype="{k + 1}" conaffinity="{k + 1}" {HARD}/>'
        for k, x in enumerate(lengths)
    )
    posts = "".join(
        f'<geom name="post{k}" type="capsule" size="{post}" fromto="{x} {y} -0.05 {x} {y} 0.05" '
        f'condim="1" contype="{k + 1}" conaffinity="{k + 1}" {HARD}/>'
        for k, (x, y) in enumerate(at)
    )
    motors = '<actuator><motor joint="j0"/><motor joint="j1"/></actuator>'
    model = document(f"{posts}{links}</body></body>", gravity=(0, 0, -G), more=motors)
    data = mujoco.MjData(model)
    data.ctrl[:] = torques
    mujoco.mj_step(model, data, nstep=10000)
    alike(ours(run), pressing(model, data), 2e-4)
    np.testing.assert_allclose(run.position[-1, :2], data.qpos, atol=1e-4)


def on_slope(angle, coefficient, tumbles):
    """A free ball on a slope that falls along x; the same in MuJoCo. Or one that hardly turns."""
    inertia = 0.4 * MASS * RADIUS**2 if tumbles else 1e3
    gravity = G * np.sin(angle), -G * np.cos(angle), 0.0
    friction = ContactFriction(
        kind="bristle", coefficient=coefficient, deflection=1e-5, relaxation=1e-3
    )
    robot = Robot(
        name="slope",
        gravity=gravity,
        joints=[Free(name="body", body=ball(inertia))],
        shapes=[
            Sphere(name="ball", frame="body", radius=RADIUS),
            Plane(name="slope", point=(0, -RADIUS, 0)),
        ],
        contacts=[Contact(name="touch", first="slope", second="ball", friction=friction, **LAW)],
    )
    rubbing = f'friction="{coefficient} 0 0" condim="3" {SOFT}'
    moves = (
        "<freejoint/>"
        if tumbles
        else "".join(f'<joint type="slide" axis="{x}"/>' for x in ("1 0 0", "0 1 0", "0 0 1"))
    )
    model = document(
        f'<geom type="plane" size="9 9 1" pos="0 {-RADIUS} 0" zaxis="0 1 0" {rubbing}/>'
        f'<body>{moves}<inertial pos="0 0 0" mass="{MASS}" '
        f'diaginertia="{inertia} {inertia} {inertia}"/><geom size="{RADIUS}" {rubbing}/></body>',
        gravity,
        impratio=100,
    )
    return robot, model


def downhill(angle, coefficient, tumbles):
    """Mean acceleration along the slope from 0.3 s on, and the last speed, here and in MuJoCo.

    MuJoCo's contacts that slide open and close, so that means over short times differ.
    """
    robot, model = on_slope(angle, coefficient, tumbles)
    run = simulated(robot, 0.5, strict=True)
    column = [name for name, _ in run.system.velocities].index("body.vx")
    mine = run.velocity[[np.searchsorted(run.time, 0.3 - 1e-9), -1], column]
    data, theirs = mujoco.MjData(model), []
    for steps in (1500, 20000):
        mujoco.mj_step(model, data, nstep=steps)
        theirs.append(data.qvel[0])
    return np.diff(mine)[0] / 0.2, np.diff(theirs)[0] / 4.0, mine[-1], theirs[-1]


@pytest.mark.parametrize("factor", [0.5, 0.9])
def test_a_body_slides_down_a_slope_as_in_mujoco(factor):
    angle = 0.4
    mine, theirs, *_ = downhill(angle, factor * np.tan(angle), tumbles=False)
    whole = G * np.sin(angle)
    assert mine == pytest.approx((1 - factor) * whole, rel=1e-4)
    assert whole - mine == pytest.approx(whole - theirs, rel=5e-3)  # what friction takes away


def test_a_body_does_not_slide_where_friction_is_more_than_the_slope():
    """Bristles hold it; MuJoCo's friction creeps, less with a larger impratio."""
    _, _, mine, theirs = downhill(0.4, 1.1 * np.tan(0.4), tumbles=False)
    assert abs(mine) < 1e-5  # a ball of 1000 kg m^2 that friction turns, and so it rolls
    assert abs(theirs) < 1e-3


def test_a_ball_rolls_down_a_slope_as_in_mujoco():
    """Five sevenths of sliding, but for the depth: the point of contact is halfway in it."""
    mine, theirs, *_ = downhill(0.2, 0.8, tumbles=True)
    arm = RADIUS - MASS * G * np.cos(0.2) / LAW["stiffness"] / 2
    assert mine == pytest.approx(G * np.sin(0.2) / (1 + 0.4 * (RADIUS / arm) ** 2), rel=1e-5)
    assert mine == pytest.approx(5 / 7 * G * np.sin(0.2), rel=2e-3)
    assert mine == pytest.approx(theirs, rel=2e-3)
