"""Contact along rods against beam theory, the elastica, and a rod that lies in a tube."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import chorda
from chorda.describe import (
    Bore,
    Capsule,
    Circle,
    Contact,
    Load,
    Modes,
    Placement,
    Plane,
    Point,
    Robot,
    Rod,
    RodTube,
)
from chorda.describe.bent_lines import bent_line
from chorda.mechanics.contacts.bore_distances import from_wall
from chorda.mechanics.contacts.placed_shapes import PlacedBore
from chorda.mechanics.frames import SX, Pose

L, RHO, E_MODULUS, DENSITY = 0.4, 0.001, 2e11, 7800.0
EI = E_MODULUS * np.pi * RHO**4 / 4
WEIGHT = DENSITY * np.pi * RHO**2 * 9.81  # [N/m]


def rod(breaks=(), bends=6, **more):
    """A steel wire along x that bends in the x-y plane."""
    return Rod(
        name="rod",
        length=L,
        section=Circle(radius=RHO),
        young_modulus=E_MODULUS,
        density=DENSITY,
        bend_damping=1e-5,
        modes=Modes(bend_z=bends, bend_y=0, twist=0, stretch=0, breaks=breaks, **more),
    )


def over_a_peg(force, at, radius, stiffness=1e6, gravity=0.0, **modes):
    """Pulled down at its tip over a round peg across it, which it touches when straight."""
    y = -(radius + RHO)
    return Robot(
        name="strip",
        gravity=(0, -gravity, 0),
        joints=[rod(**modes)],
        loads=[Load(name="pull", at=Point(frame="rod.tip", point="origin"), force=(0, -force, 0))],
        shapes=[
            RodTube(name="skin", rod="rod"),
            Capsule(name="peg", start=(at, y, -0.05), end=(at, y, 0.05), radius=radius),
        ],
        contacts=[Contact(name="lies", first="peg", second="skin", stiffness=stiffness)],
    )


def test_a_strip_over_a_peg_is_a_beam_on_a_support():
    a, force = 0.25, 0.01
    rest = chorda.equilibrium(chorda.assemble(over_a_peg(force, a, 0.005, breaks=(a,))))
    assert rest.status.ok, rest.status
    carried = sum(rest.normal_forces.values())
    assert carried == pytest.approx(force * (3 * L - a) / (2 * a), rel=2e-4)
    tip = rest.frame("rod.tip")[0]
    reaction = force * (3 * L - a) / (2 * a)
    expected = -(force * L**3 / 3 - reaction * a**2 * (3 * L - a) / 6) / EI
    assert tip[1] == pytest.approx(expected, rel=1e-3)


def elastica(force, at, radius):
    """Normal force of the peg, its place along the rod and the tip, by shooting from the tip."""
    away = radius + RHO

    def slopes(_, state, F):
        theta, moment = state[2], state[3]  # towards the base
        c, s = np.cos(theta), np.sin(theta)
        return [-c, -s, -moment / EI, c * F[1] - s * F[0]]

    def shoot(unknown):
        end, place, N = unknown[0], unknown[1] * L, unknown[2]
        pull = np.array([0.0, -force])
        options = {"rtol": 1e-11, "atol": 1e-13}
        outer = solve_ivp(slopes, (0, L - place), [0, 0, end, 0], args=(pull,), **options).y[:, -1]
        normal = np.array([-np.sin(outer[2]), np.cos(outer[2])])
        inner = solve_ivp(slopes, (0, place), outer, args=(pull + N * normal,), **options).y[:, -1]
        peg = outer[:2] - inner[:2] - away * normal
        return inner[2], *(peg - [at, -away]), -inner[:2]

    start = -0.9 * force * (L - at) ** 2 / EI, at / L * 1.02, 2 * force
    residual = lambda x: [shoot(x)[0], shoot(x)[1] / L, shoot(x)[2] / L]  # noqa: E731
    found, _, ok, message = fsolve(residual, start, full_output=True, xtol=1e-11)
    assert ok == 1, message
    return found[2], found[1] * L, shoot(found)[3]


def test_the_elastica_itself_is_right_for_small_bends():
    a, force = 0.25, 1e-3
    N, place, tip = elastica(force, a, 0.005)
    assert force * (3 * L - a) / (2 * a) == pytest.approx(N, rel=1e-5)
    assert place == pytest.approx(a, rel=1e-4)
    assert tip[0] == pytest.approx(L, rel=1e-4)


def test_a_strip_bent_far_over_a_peg_is_an_elastica():
    a, force, radius = 0.2, 5.0, 0.01
    N, place, tip = elastica(force, a, radius)
    assert tip[1] < -0.25 * L  # bent far
    robot = over_a_peg(force, a, radius, bends=8, breaks=(place,), intervals=24)
    rest = chorda.equilibrium(chorda.assemble(robot))
    assert rest.status.ok, rest.status
    assert sum(rest.normal_forces.values()) == pytest.approx(N, rel=2e-3)
    assert rest.frame("rod.tip")[0][:2] == pytest.approx(tip, abs=5e-4 * L)
    assert rest.accuracy is None or rest.accuracy.error[0] < 0.01 * L  # not that of a leap


@pytest.mark.parametrize("crossing", ["peg", "rod"])
def test_a_rod_presses_alike_wherever_it_is_met_between_slices_and_at_them(crossing):
    """As stiff as one contact, also where capsules meet; and forces are slopes of an energy."""
    robot, k, depth = over_a_peg(0.0, 0.25, 0.005, breaks=(0.25,)), 1e6, 1e-4
    moving = ("peg.start.x", "peg.end.x")
    if crossing == "rod":  # which is met at slices of its own, too
        across = Placement(position=(0.25, -(0.005 + RHO), -0.2), axis=(0, 1, 0), angle=-np.pi / 2)
        other = rod().model_copy(update={"name": "other", "placement": across})
        skin = RodTube(name="peg", rod="other", radius=0.005)
        fields = {x: getattr(robot, x) for x in robot.model_fields_set}
        more = {"joints": [*robot.joints, other], "shapes": [robot.shapes[0], skin]}
        robot, moving = Robot(**fields | more), ("other.position.x",)
    system = chorda.assemble(robot)
    at, p = list(system.parameter_names), system.parameter_values.copy()
    p[at.index("peg.radius")] += depth
    pressing = ca.vertcat(*[x.pressing for x in system.touches])
    given = [system.q, system.v, system.u, system.p]
    F = ca.Function("F", given, [pressing, system.dynamics.F, system.dynamics.potential])
    still, q = (np.zeros(system.nv), np.zeros(system.nu)), system.start
    for x in np.linspace(0.2, 0.26, 31):
        p[[at.index(name) for name in moving]] = x
        N = np.array(F(q, *still, p)[0]).ravel()
        assert N.sum() == pytest.approx(k * depth, rel=1e-9)
        assert N.min() >= -1e-12 * k * depth
    bent, h = q + 1e-3 * np.cos(np.arange(system.nq)), 1e-6
    N, force, _ = (np.array(y).ravel() for y in F(bent, *still, p))
    slopes = [
        float(F(bent - h * e, *still, p)[2] - F(bent + h * e, *still, p)[2]) / (2 * h)
        for e in np.eye(system.nq)
    ]
    assert N.max() > 0
    assert force == pytest.approx(np.array(slopes), abs=1e-5 * np.abs(force).max())


def in_a_tube(clearance, gravity=9.81, bends=8, intervals=20):
    return Robot(
        name="wire",
        gravity=(0, -gravity, 0),
        joints=[rod(bends=bends, intervals=intervals)],
        shapes=[
            RodTube(name="skin", rod="rod"),
            Bore(name="tube", points=((-0.1, 0, 0), (0.6, 0, 0)), radius=RHO + clearance),
        ],
        contacts=[Contact(name="inside", first="tube", second="skin", stiffness=1e7)],
    )


def test_a_rod_that_sags_in_a_tube_leans_on_it_with_its_tip():
    clearance = 4 * WEIGHT * L**4 / (72 * EI)
    rest = chorda.equilibrium(chorda.assemble(in_a_tube(clearance)))
    assert rest.status.ok, rest.status
    N = np.array(list(rest.normal_forces.values()))
    expected = 3 * WEIGHT * L / 8 - 3 * EI * clearance / L**3
    assert N[-1] == pytest.approx(expected, rel=2e-3)
    assert np.all(N[:-1] == 0)


def test_a_rod_that_sags_further_lies_on_the_tube_from_where_it_touches_down():
    clearance = 0.2 * WEIGHT * L**4 / (72 * EI)
    free = (72 * EI * clearance / WEIGHT) ** 0.25
    system = chorda.assemble(in_a_tube(clearance, bends=24, intervals=60))
    rest = chorda.equilibrium(system)
    assert rest.status.ok, rest.status
    N = np.array(list(rest.normal_forces.values()))
    assert np.count_nonzero(N) > 5
    assert N.sum() == pytest.approx(WEIGHT * (L - free) + WEIGHT * free / 3, rel=1e-2)


def test_a_rod_lies_on_a_floor_with_its_weight():
    robot = in_a_tube(0.01)
    fields = {x: getattr(robot, x) for x in robot.model_fields_set}
    floor = Plane(name="floor", point=(0, -RHO - 1e-4, 0))
    contact = Contact(name="lies", first="floor", second="skin", stiffness=1e6)
    flat = Robot(**fields | {"shapes": [robot.shapes[0], floor], "contacts": [contact]})
    rest = chorda.equilibrium(chorda.assemble(flat))
    assert rest.status.ok, rest.status
    assert 0 < sum(rest.normal_forces.values()) < WEIGHT * L


def test_a_bent_bore_is_measured_from_its_line():
    corners, bend, radius = ((0, 0, 0), (0.5, 0, 0), (0.5, 0.4, 0.3)), 0.1, 0.05
    pieces = tuple(bent_line(corners, bend))
    assert len(pieces) == 3
    x = SX.sym("x", 3)
    found = from_wall(PlacedBore(pieces, Pose(SX.eye(3), SX(3, 1)), SX(radius)), x)
    wall = ca.Function("wall", [x], [found.distance, found.normal])
    rng = np.random.default_rng(3)
    points = rng.uniform((0.02, -0.06, -0.06), (0.56, 0.36, 0.27), (100_000, 3)).T
    offset = nearest_offset(pieces, bend, points)
    away = np.linalg.norm(offset, axis=0)
    ends = [np.linalg.norm(points.T - x, axis=1) for x in (pieces[0].start, pieces[-1].end)]
    inside = (away > 1e-3) & (away < 0.06) & (away < np.minimum(*ends) - 1e-6)
    assert inside.sum() > 10_000
    distance, normal = (x.full() for x in wall.map(points.shape[1])(points))
    np.testing.assert_allclose(distance[0, inside], (radius - away)[inside], rtol=0, atol=1e-9)
    expected = -offset[:, inside] / away[inside]
    np.testing.assert_allclose(normal[:, inside], expected, rtol=0, atol=1e-9)


def test_on_the_line_of_a_bore_its_wall_is_a_radius_away():
    """There is no normal there, and nothing is divided by its length."""
    radius = 0.05
    pieces = tuple(bent_line(((0, 0, 0), (0.5, 0, 0), (0.5, 0.4, 0.3)), 0.1))
    x = SX.sym("x", 3)
    found = from_wall(PlacedBore(pieces, Pose(SX.eye(3), SX(3, 1)), SX(radius)), x)
    wall = ca.Function("wall", [x], [found.distance, ca.norm_2(found.normal)])
    for piece in pieces:
        for at in np.linspace(0.05, 0.95, 7) * (1.0 if piece.centre is None else piece.sweep):
            on, _ = on_piece(piece, 0.1, np.array([at]))
            distance, length = (float(value) for value in wall(on[:, 0]))
            assert distance == pytest.approx(radius, abs=1e-9)
            assert length <= 1 + 1e-12


def nearest_offset(pieces, bend, points):
    """Of points (3, n) from a line of straight pieces and arcs: slopes of distances are halved
    in along each piece."""
    best = np.full(points.shape, np.inf)
    for piece in pieces:
        most = 1.0 if piece.centre is None else piece.sweep
        low, high = np.zeros(points.shape[1]), np.full(points.shape[1], most)
        for _ in range(60):
            at, way = on_piece(piece, bend, (low + high) / 2)
            rises = np.sum(way * (at - points), axis=0) > 0
            low, high = (
                np.where(rises, low, (low + high) / 2),
                np.where(rises, (low + high) / 2, high),
            )
        offset = points - on_piece(piece, bend, (low + high) / 2)[0]
        nearer = np.sum(offset**2, axis=0) < np.sum(best**2, axis=0)
        best = np.where(nearer, offset, best)
    return best


def on_piece(piece, bend, s):
    """Points of a piece, and the ways in which they move along it (3, n)."""
    column = lambda x: np.asarray(x, float)[:, None]  # noqa: E731
    if piece.centre is None:
        way = column(piece.end) - column(piece.start)
        return column(piece.start) + s * way, way
    outward, along = column(piece.outward), column(piece.along)
    at = column(piece.centre) + bend * (np.cos(s) * outward + np.sin(s) * along)
    return at, np.cos(s) * along - np.sin(s) * outward
