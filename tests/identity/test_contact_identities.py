"""Contacts of bodies in any pose: gaps change at the rate that velocities say, the power of their
forces is that of pressing and rubbing, and without losses it comes from their energy."""

import itertools

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Box,
    Capsule,
    Contact,
    ContactFriction,
    Cylinder,
    Free,
    Placement,
    Plane,
    Prismatic,
    Revolute,
    Robot,
    Sphere,
)
from chorda.describe.contact_checks import refusal
from tests.helpers.touching_robots import changed

A, B = (-0.1, 0.0, 0.05), (0.1, 0.03, 0.0)
SHAPES = {
    "sphere": lambda name, frame: Sphere(name=name, frame=frame, center=(0, 0.02, 0), radius=0.1),
    "capsule": lambda name, frame: Capsule(name=name, frame=frame, start=A, end=B, radius=0.05),
    "box": lambda name, frame: Box(name=name, frame=frame, size=(0.2, 0.15, 0.1), rounding=0.02),
    "cylinder": lambda name, frame: Cylinder(name=name, frame=frame, start=A, end=B, radius=0.05),
    "plane": lambda name, frame: Plane(name=name, frame=frame, point=(0, -0.2, 0)),
}
PAIRS = [x for x in itertools.product(SHAPES, SHAPES) if refusal(*x) is None]
DEEPEST = 0.04  # [m]: segments stay outside of solids
RUBBING = ContactFriction(coefficient=0.5, slip_speed=0.1)
STILL = ("plane", "cylinder")  # its points beside the deepest one do not turn with the cylinder


def two_bodies(pair):
    """Free in space, near each other."""
    body = Body(mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    joints = [
        Free(name="a", body=body),
        Free(name="b", placement=Placement(position=(0.3, 0, 0)), body=body),
    ]
    shapes = [SHAPES[kind](f"{kind}-{at}", at) for kind, at in zip(pair, "ab", strict=True)]
    return Robot(name="two", joints=joints, shapes=shapes, contacts=[touch(*shapes)])


def touch(first, second, friction=RUBBING):
    names = {"first": first.name, "second": second.name}
    return Contact(name="touch", stiffness=1e4, dissipation=1.0, friction=friction, **names)


def bent_neck():
    """Two of its bars, which touch each other where it is bent far."""
    robot = chorda.load("neck-3")
    bars = [
        Capsule(name=f"bar{k}", frame=f"x{k}.top", start="left", end="right", radius=0.03)
        for k in (1, 3)
    ]
    return changed(robot, shapes=bars, contacts=[touch(*bars)])


def values(system):
    """(q, v) -> gaps, their rates, normal forces, friction and sliding (3 n), F, energy."""
    x = system.touches
    columns = [[y.gap for y in x], [y.rate for y in x], [y.pressing for y in x]]
    vectors = [[y.friction for y in x], [y.sliding for y in x]]
    d = system.dynamics
    results = [ca.densify(ca.vertcat(*each)) for each in (*columns, *vectors)]
    f = system.function("touching", "q v u p", *results, ca.densify(d.F), ca.densify(d.potential))
    rest = np.zeros(system.nu), system.parameter_values
    return lambda q, v: [np.array(y).ravel() for y in f(q, v, *rest)]


def configurations(system, spread, count, rng):
    """Around where it starts, with quaternions of length 1."""
    names = list(system.coordinate_names)
    turns = [[names.index(f"{x[:-2]}e{k}") for k in "wxyz"] for x in names if x.endswith("ew")]
    for _ in range(count):
        q = system.start + spread * rng.normal(size=system.nq)
        for k in turns:
            q[k] /= np.linalg.norm(q[k])
        yield q, rng.normal(size=system.nv)


def check(robot, spread, count=400, rates=True):
    """At configurations in which shapes touch, and are not deep in each other."""
    system, apart = (chorda.assemble(x) for x in (robot, changed(robot, contacts=[])))
    of, without = values(system), values(apart)
    rng, touched, h = np.random.default_rng(4), 0, 1e-7
    for q, v in configurations(system, spread, count, rng):
        gap, rate, N, friction, sliding, F, _ = of(q, v)
        if not -DEEPEST < gap.min() < 0:
            continue
        touched += 1
        way = h * (system.kinematics(q).full() @ v)
        ahead, back = of(q + way, v), of(q - way, v)
        if rates:
            np.testing.assert_allclose(rate, (ahead[0] - back[0]) / (2 * h), atol=1e-7)
        own = F - without(q, v)[5]
        power = N @ rate + friction @ sliding
        assert own @ v == pytest.approx(power, rel=1e-12, abs=1e-12 * np.abs(own).max())
        resting = (of(q, 0 * v)[5] - without(q, 0 * v)[5]) @ v
        stored = [
            x[6] - y[6] for x, y in ((ahead, without(q + way, v)), (back, without(q - way, v)))
        ]
        change = (stored[0] - stored[1]).item() / (2 * h)
        assert resting == pytest.approx(-change, rel=1e-5, abs=1e-5)
    assert touched > 5


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_forces_between_free_bodies_do_the_work_of_their_gaps_and_of_sliding(pair):
    check(two_bodies(pair), 0.1, rates=set(pair) != set(STILL))


def test_forces_between_bars_of_one_neck_do_the_work_of_their_gap_and_of_sliding():
    check(bent_neck(), 1.4)


def test_a_ball_that_spins_out_of_the_plane_of_its_slides_is_braked():
    """Its centre stays in a plane, what touches does not."""
    radius, mass, mu, g = 0.1, 1.0, 0.5, 9.81
    inertia = 0.4 * mass * radius**2
    ball, floor = (
        Sphere(name="ball", frame="spin", radius=radius),
        Plane(name="floor", point=(0, -radius, 0)),
    )
    robot = Robot(
        name="top",
        joints=[
            Prismatic(name="x", axis=(1, 0, 0)),
            Prismatic(name="y", parent="x", axis=(0, 1, 0)),
            Revolute(
                name="spin",
                parent="y",
                axis=(1, 0, 0),
                body=Body(mass=mass, inertia=(inertia, inertia, inertia, 0, 0, 0)),
            ),
        ],
        shapes=[ball, floor],
        contacts=[touch(floor, ball, ContactFriction(coefficient=mu, slip_speed=1e-4))],
    )
    depth, speed = mass * g / 1e4, 20.0
    run = chorda.simulate(
        chorda.assemble(robot),
        duration=0.1,
        step=1e-4,
        scheme="rk4",
        initial={"y": -depth, "spin.rate": speed},
    )
    lost = mu * mass * g * (radius - depth / 2) / inertia * 0.1
    assert run.velocity[-1, 2] == pytest.approx(speed - lost, rel=1e-6)
    assert np.abs(run.velocity[-1, :2]).max() < 1e-9
