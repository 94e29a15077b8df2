"""The mouths of bores: a rounded rim in a flat face, whose distances and normals are those of a
solid, so that what leaves a bore neither gains nor loses energy."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Bore,
    Capsule,
    Contact,
    Free,
    Placement,
    Robot,
    Sphere,
)
from chorda.describe.bent_lines import bent_line
from chorda.mechanics.contacts.bore_distances import from_wall
from chorda.mechanics.contacts.placed_shapes import PlacedBore
from chorda.mechanics.frames import SX, Pose

LENGTH, R = 0.2, 0.03
LINES = {
    "straight": (((0, 0, 0), (LENGTH, 0, 0)), None),
    "bent": (((0, 0, 0), (LENGTH, 0, 0), (LENGTH, 0.2, 0.1)), 0.06),
}


def wall(line, radius=R):
    """point -> gap, the slope of the gap, normal."""
    pieces = tuple(bent_line(*LINES[line]))
    x = SX.sym("x", 3)
    found = from_wall(PlacedBore(pieces, Pose(SX.eye(3), SX(3, 1)), SX(radius)), x)
    slope = ca.gradient(found.distance, x)
    return ca.Function("wall", [x], [found.distance, slope, found.normal])


@pytest.mark.parametrize("line", LINES)
def test_the_normal_of_a_bore_is_the_gradient_of_its_gap_inside_and_beyond_its_mouths(line):
    rng = np.random.default_rng(5)
    points = rng.uniform((-0.1, -0.1, -0.1), (0.3, 0.3, 0.2), (50_000, 3)).T
    gap, slope, normal = (y.full() for y in wall(line).map(points.shape[1])(points))
    shallow = np.abs(gap[0]) < R  # on the line, and a whole radius inside the wall, are kinks
    assert np.count_nonzero(shallow & (points[0] < 0)) > 500
    np.testing.assert_allclose(normal[:, shallow], slope[:, shallow], rtol=0, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(normal[:, shallow], axis=0), 1, rtol=0, atol=1e-7)


def test_the_rim_of_a_bore_is_a_quarter_of_a_ring_and_then_a_flat_face():
    gap = wall("straight")

    def at(beyond, away):
        return float(gap([LENGTH + beyond, away, 0])[0])

    for angle in np.linspace(0, np.pi / 2, 7):
        for reach in (0.5 * R, R, 1.4 * R):
            x, y = reach * np.sin(angle), 2 * R - reach * np.cos(angle)
            assert at(x, y) == pytest.approx(reach - R, abs=1e-9)
    assert at(1.5 * R, 5 * R) == pytest.approx(0.5 * R, abs=1e-9)
    assert at(-1e-9, 0.7 * R) == pytest.approx(at(1e-9, 0.7 * R), abs=1e-8)
    assert at(0.01, 0.0) > at(-0.01, 0.0) == pytest.approx(R, abs=1e-9)


def leaving(shape, start, line="straight"):
    """A body that floats in a bore and leaves it."""
    points, bend = LINES[line]
    body = Body(mass=0.2, inertia=(2e-4, 3e-4, 4e-4, 0, 0, 0))
    return Robot(
        name="leaving",
        gravity=(0, 0, 0),
        joints=[Free(name="b", placement=Placement(position=start), body=body)],
        shapes=[shape, Bore(name="bore", points=points, bend_radius=bend, radius=R)],
        contacts=[
            Contact(name="wall", first="bore", second="b", stiffness=1e5, exponent=1.5),
        ],
    )


BALL = Sphere(name="ball", frame="b", radius=0.02)
PIN = Capsule(name="pin", frame="b", start=(-0.02, 0, 0), end=(0.02, 0, 0), radius=0.015)


@pytest.mark.parametrize(
    ("shape", "start", "velocity"),
    [
        (BALL, (0.19, 0, 0), {"b.vx": 0.5, "b.vy": 1.0}),
        (BALL, (0.197, 0.005, 0), {"b.vx": 1.0, "b.vy": 2.0}),
        (PIN, (0.19, 0, 0), {"b.vx": 0.5, "b.vy": 0.3, "b.wz": 20.0}),
    ],
    ids=["ball", "fast ball", "pin"],
)
def test_what_leaves_a_bore_without_friction_keeps_its_energy(shape, start, velocity):
    system = chorda.assemble(leaving(shape, start))
    run = chorda.simulate(system, duration=0.08, step=2e-5, scheme="rk4", initial=velocity)
    assert run.outputs["normal_force"][run.position[:, 0] > LENGTH - start[0]].max() > 10
    assert run.outputs["gap"][-1].min() > 0
    energy = np.sum(run.energy, axis=0)
    assert np.ptp(energy) < 1e-6 * energy[0]
