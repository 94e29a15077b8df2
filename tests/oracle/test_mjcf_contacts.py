"""Exported robots that touch, run in MuJoCo: forces, depths, rebounds and friction as Chorda's."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Bore,
    Box,
    Capsule,
    Contact,
    ContactFriction,
    Cylinder,
    Free,
    Plane,
    Prismatic,
    Robot,
    Sphere,
)
from chorda.errors import InputError
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import configuration, document
from chorda.exporting.mjcf.inverse_weights import inverse_weights
from tests.exact.test_contact_robots import ramp
from tests.helpers.touching_robots import GRAVITY, MASS, ball, block, changed, leaning_neck

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")


def exported(system, step, q=None):
    """MuJoCo's model, and its data at a configuration."""
    model = mujoco.MjModel.from_xml_string(document(discrete_model(system, None, step)))
    data = mujoco.MjData(model)
    for name, value in configuration(system, system.start if q is None else q).items():
        start = model.joint(name).qposadr[0]
        data.qpos[start : start + len(value)] = value
    mujoco.mj_forward(model, data)
    return model, data


def test_the_file_says_at_which_speed_of_impact_a_damper_is_matched():
    def text(**law):
        return document(discrete_model(chorda.assemble(ball(**law)), None, 1e-3))

    slow = text(material="rubber-hard")
    assert "touch: matched at 0.1 m/s, where an impact ends with" in slow
    assert "it has no impact_speed" in slow
    fast = text(stiffness=1e4, restitution=0.6, impact_speed=2.0)
    assert "touch: matched at 2 m/s, where an impact ends with 0.6 of its speed." in fast
    assert "touch: matched at" not in text(stiffness=1e4)


def pressing(model, data):
    """(normal force, friction, depth) by the names of both shapes."""
    found, force = {}, np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, force)
        pair = tuple(model.geom(g).name for g in data.contact[k].geom)
        depth = data.contact[k].includemargin - data.contact[k].dist
        N, rubs, _ = found.get(pair, (0.0, 0.0, 0.0))
        found[pair] = N + force[0], rubs + np.linalg.norm(force[1:3]), depth
    return found


ROBOTS = [
    ball(0.02, stiffness=1e3),
    block(),
    leaning_neck(),
    chorda.load("finger-grasp"),
    chorda.load("neck-obstacle"),
]


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda x: x.name)
def test_inverse_weights_of_bodies_are_mujocos(robot):
    """Of all bodies on which something that touches is."""
    text = document(discrete_model(chorda.assemble(robot), None, 1e-5))
    model = mujoco.MjModel.from_xml_string(text)
    world = ET.fromstring(text[text.index("<mujoco") :]).find("worldbody")
    ours = inverse_weights(world)
    bodies = {model.body(model.geom(x.name).bodyid[0]).name for x in robot.shapes}
    for name in bodies - {"world"}:
        assert ours[name] == pytest.approx(model.body(name).invweight0[0], rel=1e-9), name


@pytest.mark.parametrize("stiffness", [1e3, 1e5])
def test_a_ball_sinks_as_deep(stiffness):
    system = chorda.assemble(ball(0.0, stiffness=stiffness, dissipation=20.0))
    model, data = exported(system, 2e-4)
    mujoco.mj_step(model, data, nstep=20000)
    ((normal, _, depth),) = pressing(model, data).values()
    assert normal == pytest.approx(MASS * GRAVITY, rel=1e-3)
    assert depth == pytest.approx(MASS * GRAVITY / stiffness, rel=1e-3)


@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_a_ball_rebounds_as_fast_at_the_speed_of_its_restitution(restitution):
    speed = 0.7
    law = {"stiffness": 1e4, "restitution": restitution, "impact_speed": speed}
    system = chorda.assemble(ball(0.001, gravity=0.0, **law))
    model, data = exported(system, 2e-5)
    data.qvel[0] = -speed
    mujoco.mj_step(model, data, nstep=5000)
    assert data.ncon == 0
    assert data.qvel[0] / speed == pytest.approx(restitution, abs=2e-3)


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
@pytest.mark.parametrize("angle", [0.1, 0.6])
def test_a_block_slides_or_sticks_as_it_should(kind, angle):
    more = {"deflection": 1e-5, "relaxation": 1e-3} if kind == "bristle" else {"slip_speed": 1e-4}
    friction = ContactFriction(kind=kind, coefficient=0.4, **more)
    system = chorda.assemble(block(angle, friction))
    model, data = exported(system, 2e-4)
    mujoco.mj_step(model, data, nstep=2500)
    missing = max(GRAVITY * (np.sin(angle) - 0.4 * np.cos(angle)), 0)
    run = chorda.simulate(system, duration=0.5, step=2e-4)
    assert run.velocity[-1, 0] == pytest.approx(missing * 0.5, abs=0.02)
    assert data.qvel[0] == pytest.approx(run.velocity[-1, 0], abs=0.02)


def test_the_neck_leans_on_its_post_with_the_same_forces():
    """Motors pull at constant torques until it rests."""
    system = chorda.assemble(chorda.load("neck-obstacle"))
    torques = np.array([-0.038, -0.038, -0.044, -0.010])
    pull = ramp([-0.02] * 4, torques, 3.0)
    run = chorda.simulate(
        system, duration=6.0, step=1e-3, inputs=pull, initial={"tension": 25.0}, strict=True
    )
    model, data = exported(system, 2e-4, run.position[-1])
    data.ctrl[:] = torques
    mujoco.mj_step(model, data, nstep=5000)
    ours = dict(
        zip([x.first for x in system.touches], run.outputs["normal_force"][-1], strict=True)
    )
    theirs = {first: normal for (first, _), (normal, *_) in pressing(model, data).items()}
    for name, force in ours.items():
        assert theirs.get(name, 0.0) == pytest.approx(force, rel=0.03, abs=0.05)
    assert max(ours.values()) > 4


SHAPES = {
    "sphere": Sphere(name="thing", frame="body", radius=0.05),
    "capsule": Capsule(
        name="thing", frame="body", start=(-0.1, 0, 0), end=(0.1, 0, 0), radius=0.05
    ),
    "cylinder": Cylinder(
        name="thing", frame="body", start=(0, -0.05, 0), end=(0, 0.05, 0), radius=0.08
    ),
    "box": Box(name="ground", center=(0, -0.1, 0), size=(1, 0.2, 1), rounding=0.02),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_of_all_kinds_lie_where_they_lie_here(kind):
    """On a floor, which is a rounded box for a ball."""
    thing = SHAPES["sphere" if kind == "box" else kind]
    floor = SHAPES["box"] if kind == "box" else Plane(name="ground")
    body = {"mass": MASS, "inertia": (1e-3, 1e-3, 1e-3, 0, 0, 0)}
    contact = Contact(name="lies", first="ground", second="thing", stiffness=5e3, dissipation=5.0)
    robot = Robot(
        name="thing",
        joints=[
            Prismatic(name="rail", axis=(0, 1, 0), friction=20.0, body=body)
            if kind == "box"
            else Free(name="body", placement={"position": (0, 0.05, 0)}, body=body)
        ],
        shapes=[
            thing.model_copy(update={"frame": "rail", "center": (0, 0.05, 0)})
            if kind == "box"
            else thing,
            floor,
        ],
        contacts=[contact],
    )
    system = chorda.assemble(robot)
    run = chorda.simulate(system, duration=2.0, step=1e-3, strict=True)
    model, data = exported(system, 2e-4)
    mujoco.mj_step(model, data, nstep=10000)
    total = sum(normal for normal, *_ in pressing(model, data).values())
    assert total == pytest.approx(MASS * GRAVITY, rel=2e-3)
    row = 0 if kind == "box" else 1
    height = run.position[:, system.coordinate_names.index("rail" if kind == "box" else "body.y")]
    sunk = height[0] - height[-1]
    points = {"capsule": 2, "cylinder": 3}.get(kind, 1)
    most = 1.5 if kind == "cylinder" else 1.02  # MuJoCo has four points below a cylinder
    deep = MASS * GRAVITY / 5e3 / points
    assert sunk == pytest.approx(deep, rel=0.02)
    assert deep / most < -(data.qpos[row] - model.qpos0[row]) < deep * most


def test_what_mujoco_cannot_express_is_refused_by_name():
    base = ball(0.01, stiffness=1e4)
    plain = base.contacts[0]

    def refused(words, robot, step=1e-3):
        with pytest.raises(InputError, match=words):
            document(discrete_model(chorda.assemble(robot), None, step))

    hertz = plain.model_copy(update={"exponent": 1.5})
    refused(
        r"contacts\.touch\.exponent: MuJoCo's contacts are linear", changed(base, contacts=[hertz])
    )
    stiff = plain.model_copy(update={"stiffness": 1e7})
    refused(
        r"contacts\.touch\.stiffness: with 1e\+07 N/m .* step of 0.00022 s",
        changed(base, contacts=[stiff]),
    )
    bore = Bore(name="hole", points=((0, -1, 0), (0, 1, 0)), radius=0.3)
    inside = Contact(name="in", first="hole", second="ball", stiffness=1e3)
    refused(
        "shapes.hole: MuJoCo has no bores",
        changed(base, shapes=[*base.shapes, bore], contacts=[inside]),
    )
    falling = [
        Plane(name="lid", frame="y", normal=(0, -1, 0)),
        Sphere(name="stone", center=(0, -1, 0), radius=0.1),
    ]
    lands = Contact(name="lands", first="lid", second="stone", stiffness=1e3)
    refused(
        "shapes.lid: MuJoCo's planes do not move",
        changed(base, shapes=[*base.shapes, *falling], contacts=[lands]),
    )


def test_robots_without_contacts_collide_with_nothing():
    text = document(discrete_model(chorda.assemble(chorda.load("neck-3")), None, 1e-3))
    assert '<flag contact="disable"' in text
    assert "<contact>" not in text
