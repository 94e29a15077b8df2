"""Contacts against closed forms: impacts, pressing, slopes, rolling; and what cannot be."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Bore,
    Capsule,
    Contact,
    ContactFriction,
    Plane,
    Prismatic,
    Revolute,
    Robot,
    RodTube,
    Sphere,
)
from chorda.describe.contact_records import dissipation_of
from chorda.errors import ChordaError, InputError
from tests.helpers.touching_robots import block

MASS, RADIUS = 0.5, 0.1


def falling(height=0.3, gravity=0.0, **law):
    """A ball on a vertical slide above a floor, its lowest point at a height."""
    slide = Prismatic(name="y", axis=(0, 1, 0), body=Body(mass=MASS))
    return Robot(
        name="ball",
        gravity=(0, -gravity, 0),
        joints=[slide],
        shapes=[
            Sphere(name="ball", frame="y", center=(0, height + RADIUS, 0), radius=RADIUS),
            Plane(name="floor"),
        ],
        contacts=[Contact(name="touch", first="floor", second="ball", **law)],
    )


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
def test_a_ball_rebounds_with_the_restitution_of_the_law(exponent):
    speed, restitution = 2.0, 0.6
    law = {"stiffness": 1e4, "exponent": exponent, "restitution": restitution}
    system = chorda.assemble(falling(0.01, impact_speed=speed, **law))
    start = {"y.rate": -speed} if "y.rate" in dict(system.velocities) else None
    assert start, system.velocities
    ends = []
    for step in (4e-5, 2e-5):
        run = chorda.simulate(system, duration=0.4, step=step, scheme="rk4", initial=start)
        assert [x.kind for x in run.events] == ["touches", "leaves"]
        ends.append(run.velocity[-1, 0] / speed)
    assert ends[-1] == pytest.approx(restitution, abs=2e-6)


def test_the_dissipation_solves_the_relation_of_hunt_and_crossley():
    for e in (0.05, 0.3, 0.9, 0.999):
        c, v = dissipation_of(e, 1.7), 1.7
        assert c * v * (1 + e) == pytest.approx(np.log((1 + c * v) / (1 - c * v * e)), rel=1e-9)


def test_a_pressed_ball_sinks_as_the_law_says():
    k = 2e6
    rest = chorda.equilibrium(
        chorda.assemble(falling(0.0, 9.81, stiffness=k, exponent=1.5)), initial={"y": -1e-5}
    )
    depth = (MASS * 9.81 / k) ** (2 / 3)
    assert rest.status.ok
    assert rest.position["y"] == pytest.approx(-depth, rel=1e-6)


def test_a_steel_ball_on_glass_sinks_approaches_and_is_as_stiff_as_hertz_says():
    """F = 4/3 E* sqrt(R) x^1.5, of two elastic bodies [Hertz]: the law's exponent 1.5."""
    reduced = 1 / ((1 - 0.3**2) / 210e9 + (1 - 0.22**2) / 70e9)
    k = 4 / 3 * reduced * RADIUS**0.5
    system = chorda.assemble(falling(0.0, 9.81, stiffness=k, exponent=1.5))
    for factor in (1.0, 100.0, 1e4):
        weight = {"gravity.y": -9.81 * factor}
        F = MASS * 9.81 * factor
        depth = (9 * F**2 / (16 * RADIUS * reduced**2)) ** (1 / 3)
        rest = chorda.equilibrium(system, initial={"y": -0.5 * depth}, parameters=weight)
        assert rest.status.ok, rest.status
        assert rest.normal_forces["touch"] == pytest.approx(F, rel=1e-9)
        assert -rest.gaps["touch"] == pytest.approx(depth, rel=1e-5)
        area = (3 * F * RADIUS / (4 * reduced)) ** (1 / 3)  # radius of what touches [m]
        stiffness = chorda.stability(rest)["locked"].eigenvalues[0]
        assert stiffness == pytest.approx(2 * reduced * area, rel=1e-5)


def sloped(angle, coefficient, kind="smooth", spins=True):
    """A ball on a slope, in its plane: sliding along it, or rolling down."""
    g = 9.81
    more = {"deflection": 1e-5, "relaxation": 1e-3} if kind == "bristle" else {"slip_speed": 1e-4}
    along = Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=1e-6))
    across = Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=1e-6))
    inertia = 0.4 * MASS * RADIUS**2 if spins else 1e3
    turn = Revolute(name="turn", parent="y", body=Body(mass=MASS, inertia=(0, 0, inertia, 0, 0, 0)))
    return Robot(
        name="slope",
        gravity=(g * np.sin(angle), -g * np.cos(angle), 0),
        joints=[along, across, turn],
        shapes=[
            Sphere(name="ball", frame="turn", radius=RADIUS),
            Plane(name="slope", point=(0, -RADIUS, 0)),
        ],
        contacts=[
            Contact(
                name="touch",
                first="slope",
                second="ball",
                stiffness=1e5,
                dissipation=5.0,
                friction=ContactFriction(kind=kind, coefficient=coefficient, **more),
            )
        ],
    )


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
def test_a_ball_rolls_down_a_slope_at_five_sevenths(kind):
    angle = 0.2
    run = chorda.simulate(chorda.assemble(sloped(angle, 0.8, kind)), duration=0.5, step=2e-4)
    expected = 5 / 7 * 9.81 * np.sin(angle) * 0.5
    assert run.velocity[-1, 0] == pytest.approx(expected, rel=5e-3)
    assert run.velocity[-1, 2] * RADIUS == pytest.approx(-run.velocity[-1, 0], rel=5e-3)


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
@pytest.mark.parametrize("factor", [0.5, 0.99])
def test_a_body_slides_where_the_slope_is_steeper_than_the_friction(factor, kind):
    """With what friction leaves of its weight, once it does not stick any more."""
    angle = 0.4
    robot = sloped(angle, factor * np.tan(angle), kind, spins=False)
    run = chorda.simulate(chorda.assemble(robot), duration=1.0, step=2e-4, strict=True)
    half = len(run.time) // 2
    acceleration = (run.velocity[-1, 0] - run.velocity[half, 0]) / (run.time[-1] - run.time[half])
    assert acceleration == pytest.approx((1 - factor) * 9.81 * np.sin(angle), rel=5e-3)


@pytest.mark.parametrize("factor", [1.01, 1.5])
def test_a_body_stays_where_the_slope_is_less_steep_than_the_friction(factor):
    angle = 0.4
    friction = ContactFriction(
        kind="bristle", coefficient=factor * np.tan(angle), deflection=1e-5, relaxation=1e-3
    )
    system = chorda.assemble(block(angle, friction))
    run = chorda.simulate(system, duration=1.0, step=2e-4, strict=True)
    late = run.time > 0.5
    assert np.abs(run.velocity[late, 0]).max() < 1e-7
    assert np.ptp(run.position[late, 0]) < 1e-8


def neck_by_a_post(**law):
    robot = chorda.load("neck-3")
    shapes = [
        Capsule(name=f"bar{k}", frame=f"x{k}.top", start="left", end="right", radius=0.01)
        for k in (1, 2, 3)
    ] + [Sphere(name="post", center=(0.16, 0.2, 0.0), radius=0.03)]
    contact = Contact(name="leans", first="x1", second="post", stiffness=1e4, **law)
    fields = {x: getattr(robot, x) for x in robot.model_fields_set}
    return Robot(**fields | {"shapes": shapes, "contacts": [contact]})


def test_forces_of_frictionless_contacts_are_slopes_of_their_energy():
    system = chorda.assemble(neck_by_a_post())
    assert len(system.touches) == 3
    d, rng = system.dynamics, np.random.default_rng(1)
    given = [system.q, system.v, system.u, system.p]
    F = ca.Function("F", given, [d.F, d.potential, system.touch_gap])
    p, at = system.parameter_table.values.copy(), list(system.parameter_table.names)
    p[at.index("post.radius")] = 0.19  # so that all three touch
    still = np.zeros(system.nv), np.zeros(len(system.inputs)), p
    q = system.start + 0.1 * rng.normal(size=system.nq)
    force, _, gaps = (np.array(x).ravel() for x in F(q, *still))
    assert gaps.max() < 0
    h = 1e-6
    slopes = [
        (float(F(q - h * e, *still)[1]) - float(F(q + h * e, *still)[1])) / (2 * h)
        for e in np.eye(system.nq)
    ]
    assert force == pytest.approx(np.array(slopes), abs=1e-5 * np.abs(force).max())


def test_what_cannot_touch_is_refused_by_name():
    base = falling(stiffness=1e4)
    fields = {x: getattr(base, x) for x in base.model_fields_set}

    def changed(**more):
        return Robot(**fields | more)

    twice = Contact(name="c", first="ball", second="ball", stiffness=1.0)
    with pytest.raises(ChordaError, match="does not touch itself"):
        changed(contacts=[twice])
    wrong = Contact(name="c", first="ball", second="roof", stiffness=1.0)
    with pytest.raises(ChordaError, match=r"contacts\.0\.second\.0: 'roof' is no shape"):
        changed(contacts=[wrong])
    shapes = [*base.shapes, Sphere(name="stone", center=(1, 0, 0), radius=0.1)]
    fixed = Contact(name="c", first="stone", second="floor", stiffness=1.0)
    with pytest.raises(ChordaError, match="cannot move against each other"):
        changed(shapes=shapes, contacts=[fixed])
    with pytest.raises(ChordaError, match=r"shapes\.1\.frame: 'nowhere'"):
        changed(shapes=[base.shapes[0], Plane(name="floor", frame="nowhere")])
    with pytest.raises(ChordaError, match="greater than 0"):
        Sphere(name="ball", radius=-0.1)
    with pytest.raises(InputError, match="overlap by 10 mm in the starting configuration"):
        chorda.assemble(falling(-0.01, stiffness=1e4))
    with pytest.raises(ChordaError, match="is no rod of this robot"):
        changed(shapes=[*base.shapes, RodTube(name="skin", rod="y")])
    bore = Bore(name="hole", points=((0, 0, 0), (0, 1, 0)), radius=0.2)
    pair = Contact(name="c", first="hole", second="floor", stiffness=1.0)
    with pytest.raises(ChordaError, match="a bore and a plane cannot touch"):
        changed(shapes=[*base.shapes, bore], contacts=[pair])
    with pytest.raises(ChordaError, match="bend_radius: this field is missing"):
        Bore(name="hole", points=((0, 0, 0), (0, 1, 0), (1, 1, 0)), radius=0.2)
    with pytest.raises(ChordaError, match=r"bends of 2 m need 2 m between points 0 and 1"):
        Bore(name="hole", points=((0, 0, 0), (0, 1, 0), (1, 1, 0)), bend_radius=2, radius=0.2)


def spinning(names):
    """A ball that spins about the normal of a floor, pressed on it and pushed along it with less
    than friction holds."""
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    body = Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))
    law = ContactFriction(kind="bristle", coefficient=0.5, deflection=1e-3, relaxation=1e-2)
    return Robot(
        name="spinning",
        gravity=(2.0, -9.81, 0),
        joints=[
            Prismatic(name="x", axis=x),
            Prismatic(name="z", parent="x", axis=z),
            Prismatic(name="y", parent="z", axis=y),
            Revolute(name="spin", parent="y", axis=y, body=body),
        ],
        shapes=[
            Sphere(name="ball", frame="spin", radius=0.05),
            Plane(name="floor", point=(0, -0.05, 0)),
        ],
        contacts=[
            Contact(
                name="touch",
                first=names[0],
                second=names[1],
                stiffness=1e5,
                dissipation=3.0,
                friction=law,
            )
        ],
    )


@pytest.mark.parametrize("names", [("floor", "ball"), ("ball", "floor")])
def test_bristles_hold_a_ball_that_spins_whichever_shape_is_named_first(names):
    """They turn with the floor, not with the ball: bent by 2 m/s^2 of the 4.9 that they hold."""
    system = chorda.assemble(spinning(names))
    start = {"y": -9.81e-5, "spin.rate": 20.0}
    run = chorda.simulate(system, duration=1.0, step=5e-4, initial=start)
    bent = run.data["position"].sel(coordinate=["touch.bristle.x", "touch.bristle.z"]).values[-1]
    assert np.abs(bent) == pytest.approx([2 / (0.5 * 9.81) * 1e-3, 0], abs=1e-8)
    assert np.abs(run.velocity[-1, :2]).max() < 1e-6
