"""Distances between shapes against coal, against a search along the segment, and by differences."""

import itertools

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chorda.describe.contact_checks import refusal
from chorda.errors import InputError
from chorda.mechanics.contacts.distances import KINDS, touches
from chorda.mechanics.contacts.distances import PAIRS as ALL_PAIRS
from chorda.mechanics.contacts.placed_shapes import (
    PlacedBox,
    PlacedCapsule,
    PlacedCylinder,
    PlacedPlane,
    PlacedSphere,
)
from chorda.mechanics.contacts.segment_distances import CROWN, DEEPEST

coal = pytest.importorskip("coal")

PAIRS = [x for x in ALL_PAIRS if "bore" not in x]  # hollow: held against a search elsewhere
COUNT = 10_000
SIZES = {"sphere": 4, "capsule": 7, "plane": 6, "box": 16, "cylinder": 8}
# Normals: GJK of coal leaves those of segments beside flat faces and rims off by 5e-9 and 2e-4. A
# search along the segment has these to 1e-9, with 10,000 pairs of its own (ours change by 1e-14
# with more steps).
SEEN_BY_COAL = {("box", "capsule"): 1e-8, ("cylinder", "capsule"): 1e-3}
# What lies on a line and overlaps is crowned: almost no random pair does.
LINES = [("capsule", "capsule"), ("box", "capsule"), ("cylinder", "capsule")]


def units(rng, n):
    x = rng.normal(size=(3, n))
    return x / np.linalg.norm(x, axis=0)


def draw(kind, rng, n):
    """Shapes of a hand's size, one a column: often apart, often overlapping."""
    at = rng.uniform(-0.06, 0.06, (3, n))
    radius = rng.uniform(0.005, 0.04, (1, n))
    match kind:
        case "sphere":
            return np.vstack([at, radius])
        case "capsule":
            return np.vstack([at, rng.uniform(-0.06, 0.06, (3, n)), radius])
        case "plane":
            return np.vstack([at, units(rng, n)])
        case "box":
            R = Rotation.random(n, rng=rng).as_matrix()  # stacked by columns below
            half = rng.uniform(0.005, 0.05, (3, n))
            rounding = rng.uniform(0, 0.01, (1, n)) * (rng.random((1, n)) < 0.5)
            return np.vstack([at, R.transpose(2, 1, 0).reshape(9, n), half, rounding])
        case "cylinder":
            return np.vstack([at, units(rng, n), rng.uniform(0.005, 0.08, (1, n)), radius])


def place(kind, x):
    """The shape in symbols, of a column as `draw` makes it."""
    match kind:
        case "sphere":
            return PlacedSphere(x[:3], x[3])
        case "capsule":
            return PlacedCapsule(x[:3], x[3:6], x[6])
        case "plane":
            return PlacedPlane(x[:3], x[3:6])
        case "box":
            return PlacedBox(x[:3], ca.reshape(x[3:12], 3, 3), x[12:15], x[15])
        case "cylinder":
            return PlacedCylinder(x[:3], x[3:6], x[6], x[7])


def aligned(axis):
    """A rotation that takes the third axis to the given one."""
    other = np.eye(3)[np.argmin(np.abs(axis))]
    first = np.cross(other, axis)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def in_coal(kind, x):
    match kind:
        case "sphere":
            return coal.Sphere(x[3]), coal.Transform3s(np.eye(3), x[:3])
        case "capsule":
            along = x[3:6] - x[:3]
            length = np.linalg.norm(along)
            pose = coal.Transform3s(aligned(along / length), (x[:3] + x[3:6]) / 2)
            return coal.Capsule(x[6], length), pose
        case "plane":
            return coal.Halfspace(x[3:6], x[3:6] @ x[:3]), coal.Transform3s()
        case "box":
            box = coal.Box(*(2 * x[12:15]))
            box.setSweptSphereRadius(x[15])
            return box, coal.Transform3s(x[3:12].reshape(3, 3).T, x[:3])
        case "cylinder":
            return coal.Cylinder(x[7], 2 * x[6]), coal.Transform3s(aligned(x[3:6]), x[:3])


def by_coal(pair, first, second):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 500
    request.epa_tolerance, request.epa_max_iterations = 1e-10, 500
    gaps, normals = [], []
    for x, y in zip(first.T, second.T, strict=True):
        result.clear()
        args = (*in_coal(pair[0], x), *in_coal(pair[1], y))
        gaps.append(coal.distance(*args, request, result))
        normals.append(np.array(result.normal))
    return np.array(gaps), np.array(normals).T


def symbols(pair):
    x, y = ca.SX.sym("x", SIZES[pair[0]]), ca.SX.sym("y", SIZES[pair[1]])
    return x, y, touches(place(pair[0], x), place(pair[1], y))


def of_all(pair, first, second):
    """Gaps (touches x n), normals and points (touches x 3 x n)."""
    x, y, found = symbols(pair)
    parts = [
        ca.vertcat(*[t.gap for t in found]),
        ca.vertcat(*[t.normal for t in found]),
        ca.vertcat(*[t.point for t in found]),
    ]
    n = first.shape[1]
    gap, normal, point = (a.full() for a in ca.Function("f", [x, y], parts).map(n)(first, second))
    return gap, normal.reshape(-1, 3, n), point.reshape(-1, 3, n)


def closest(pair, first, second):
    """The touch with the least gap, of each column."""
    gap, normal, point = of_all(pair, first, second)
    k, columns = np.argmin(gap, axis=0), np.arange(first.shape[1])
    return gap[k, columns], normal[k, :, columns].T, point[k, :, columns].T


def swollen(pair, first, second):
    """What the shapes are thicker than a point, a segment, an inner box or a cylinder."""
    return sum(x[-1] for kind, x in zip(pair, (first, second), strict=True) if kind != "cylinder")


def thin(pair, first, second):
    """Shapes whose lines do not overlap unless they cross: nothing is crowned."""
    if pair in LINES:
        second[-1] = 0
        if pair[0] != "cylinder":
            first[-1] = 0
    return first, second


def from_solid(kind, x, p):
    """Distance of points from an inner box or a cylinder; 0 inside."""
    d = p - x[:3]
    if kind == "box":
        q = np.einsum("ijn,in->jn", x[3:12].reshape(3, 3, -1).transpose(1, 0, 2), d)
        return np.linalg.norm(np.maximum(np.abs(q) - x[12:15], 0), axis=0)
    z = np.sum(x[3:6] * d, axis=0)
    r = np.linalg.norm(d - z * x[3:6], axis=0)
    return np.hypot(np.maximum(np.abs(z) - x[6], 0), np.maximum(r - x[7], 0))


def depth(kind, x, p):
    """Of points inside an inner box or a cylinder, to the nearest face."""
    d = p - x[:3]
    if kind == "box":
        q = np.einsum("ijn,in->jn", x[3:12].reshape(3, 3, -1).transpose(1, 0, 2), d)
        return np.min(x[12:15] - np.abs(q), axis=0)
    z = np.sum(x[3:6] * d, axis=0)
    return np.minimum(x[6] - np.abs(z), x[7] - np.linalg.norm(d - z * x[3:6], axis=0))


def skewers(kind, x, capsule):
    """Whether the ends of a segment are beyond opposite flat faces."""
    axes = x[3:12].reshape(3, 3, -1) if kind == "box" else x[None, 3:6]
    half = x[12:15] if kind == "box" else x[None, 6]
    a, b = (np.einsum("kin,in->kn", axes, p - x[:3]) for p in (capsule[:3], capsule[3:6]))
    return np.any((np.minimum(np.abs(a), np.abs(b)) > half) & (a * b < 0), axis=0)


def onto_solid(kind, x, p):
    """The points of an inner box or a cylinder that are nearest to others."""
    d = p - x[:3]
    if kind == "box":
        axes = x[3:12].reshape(3, 3, -1)  # axis, component, column
        q = np.clip(np.einsum("ijn,jn->in", axes, d), -x[12:15], x[12:15])
        return x[:3] + np.einsum("ijn,in->jn", axes, q)
    z = np.sum(x[3:6] * d, axis=0)
    across = d - z * x[3:6]
    r = np.maximum(np.linalg.norm(across, axis=0), 1e-300)
    return x[:3] + np.clip(z, -x[6], x[6]) * x[3:6] + np.minimum(1, x[7] / r) * across


def by_search(kind, solid, capsule):
    """How far a segment is from a solid, and in which direction: half the square of the distance
    is convex along the segment, and its slope is halved in."""
    low, high = np.zeros(solid.shape[1]), np.ones(solid.shape[1])
    start, along = capsule[:3], capsule[3:6] - capsule[:3]
    for _ in range(60):
        t = (low + high) / 2
        at = start + t * along
        rises = np.sum(along * (at - onto_solid(kind, solid, at)), axis=0) > 0
        low, high = np.where(rises, low, t), np.where(rises, t, high)
    at = start + (low + high) / 2 * along
    away = at - onto_solid(kind, solid, at)
    distance = np.linalg.norm(away, axis=0)
    return distance, away / np.maximum(distance, 1e-300)


def pairs(seed, pair, n=COUNT):
    rng = np.random.default_rng(seed)
    return draw(pair[0], rng, n), draw(pair[1], rng, n)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_gaps_and_normals_are_those_of_coal(pair):
    first, second = pairs(1, pair)
    gap, normal, _ = closest(pair, first, second)
    expected, directions = by_coal(pair, first, second)
    clear = np.full(COUNT, True)
    if pair[0] in ("box", "cylinder"):  # inside, coal's penetration is another quantity
        clear = gap + swollen(pair, first, second) > 1e-6
    assert np.mean(gap < 0) > 0.1
    assert np.mean(gap[clear] > 0) > 0.1
    turned = SEEN_BY_COAL.get(pair, 1e-9)
    if pair in LINES:
        less = gap - expected  # of a crown, at most half its height
        lying = (less > 1e-9) | (np.max(np.abs(normal - directions), axis=0) > turned)
        lying &= clear & (gap < 0)
        assert 0 < np.mean(lying) < 0.01
        assert np.all((less < CROWN * DEEPEST / 2 * swollen(pair, first, second))[lying])
        clear &= ~lying
    np.testing.assert_allclose(gap[clear], expected[clear], rtol=0, atol=1e-9)
    np.testing.assert_allclose(normal[:, clear], directions[:, clear], rtol=0, atol=turned)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=0), 1, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_capsules_are_as_far_and_where_a_search_along_the_segment_finds_them(kind):
    pair = (kind, "capsule")
    first, second = thin(pair, *pairs(2, pair, 10 * COUNT))
    gap, normal, _ = closest(pair, first, second)
    expected, direction = by_search(kind, first, second)
    apart, found = expected > 1e-12, gap + swollen(pair, first, second)
    assert 0.5 < np.mean(apart) < 0.9
    np.testing.assert_allclose(found[apart], expected[apart], rtol=0, atol=1e-9)
    assert np.all(found[~apart] <= 1e-9)
    clear = expected > 1e-4  # [m]: nearer, what rounds off the gap turns the normal by more
    np.testing.assert_allclose(normal[:, clear], direction[:, clear], rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_a_centre_inside_is_as_deep_as_the_nearest_face(kind):
    pair = (kind, "sphere")
    first, second = pairs(3, pair)
    second[:3] = first[:3] + 0.2 * second[:3]
    gap, normal, _ = closest(pair, first, second)
    found, inside = gap + swollen(pair, first, second), from_solid(kind, first, second[:3]) == 0
    assert np.mean(inside) > 0.2
    faces = depth(kind, first, second[:3])
    np.testing.assert_allclose(found[inside], -faces[inside], rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=0), 1, atol=1e-9)
    second[:3] += normal * (faces + 1e-3)
    np.testing.assert_allclose(from_solid(kind, first, second[:3])[inside], 1e-3, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_a_segment_through_a_solid_is_pushed_out_unless_it_skewers_it(kind):
    """In small steps along the normals; between opposite faces a skewer's middle stays midway."""
    pair = (kind, "capsule")
    first, second = pairs(4, pair)
    through = by_search(kind, first, second)[0] < 1e-12
    assert np.mean(through) > 0.1
    first, second = first[:, through], second[:, through]
    for _ in range(60):
        gap, normal, _ = closest(pair, first, second)
        inside = gap + swollen(pair, first, second) < 0
        for part in (slice(0, 3), slice(3, 6)):
            second[part] += 2e-3 * inside * normal
    assert not np.any(inside & ~skewers(kind, first, second))
    assert np.mean(inside) < 0.03


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_other_order_turns_the_normal(pair):
    first, second = thin(pair, *pairs(5, pair, 100))
    for mine, theirs, sign in zip(
        of_all(pair, first, second), of_all(pair[::-1], second, first), (1, -1, 1), strict=True
    ):
        if pair[0] == pair[1]:
            np.testing.assert_allclose(mine, sign * theirs, rtol=0, atol=1e-9)
        else:
            np.testing.assert_array_equal(mine, sign * theirs)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_point_is_midway(pair):
    """A sphere without radius there is half the gap away from both shapes."""
    first, second = pairs(6, pair, 2000)
    gap, _, point = closest(pair, first, second)
    ball = np.vstack([point, np.zeros(len(gap))])
    apart = gap > 1e-6
    for kind, shape in zip(pair, (first, second), strict=True):
        half, _, _ = closest((kind, "sphere"), shape, ball)
        np.testing.assert_allclose(half[apart], gap[apart] / 2, rtol=0, atol=1e-8)


def outside(pair, first, second, by):
    """Where the skeletons are apart."""
    if pair[0] == "plane":
        return np.full(first.shape[1], True)
    return closest(pair, first, second)[0] + swollen(pair, first, second) > by


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_derivatives_are_those_of_differences(pair):
    first, second = thin(pair, *pairs(7, pair, 2000))
    clear = outside(pair, first, second, 2e-3)
    rng, n, step = np.random.default_rng(8), first.shape[1], 1e-6
    ways = [rng.normal(size=a.shape) for a in (first, second)]
    x, y, found = symbols(pair)
    z, gaps = ca.vertcat(x, y), ca.vertcat(*[t.gap for t in found])
    way = ca.SX.sym("way", z.numel())
    rate = ca.jtimes(gaps, z, way)
    again = ca.jtimes(rate, z, way)
    f = ca.Function("f", [z, way], [gaps, rate, again]).map(n)
    at, way = np.vstack([first, second]), np.vstack(ways)
    _, rates, seconds = (a.full() for a in f(at, way))
    (ahead, ahead_rate, _), (back, back_rate, _) = (
        [a.full() for a in f(at + s * step * way, way)] for s in (1, -1)
    )
    assert np.all(np.isfinite(seconds))
    slopes = (ahead - back) / (2 * step)
    np.testing.assert_allclose(rates[:, clear], slopes[:, clear], rtol=1e-6, atol=5e-4)
    bends = (ahead_rate - back_rate) / (2 * step)
    off = np.abs(seconds - bends) / (1 + np.abs(bends))
    assert np.median(off[:, clear]) < 1e-6
    assert np.mean(off[:, clear] < 1e-3) > 0.98  # the rest have a kink of the slope in the step


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_normal_is_the_slope_over_the_position(pair):
    first, second = thin(pair, *pairs(9, pair, 2000))
    x, y, found = symbols(pair)
    for touch, normal in zip(found, of_all(pair, first, second)[1], strict=True):
        g = ca.gradient(touch.gap, y)
        moved = g[:3] + g[3:6] if pair[1] == "capsule" else g[:3]
        slope = ca.Function("f", [x, y], [moved]).map(first.shape[1])(first, second).full()
        clear = outside(pair, first, second, 1e-4)
        np.testing.assert_allclose(slope[:, clear], normal[:, clear], rtol=0, atol=1e-6)


E = np.eye(3).ravel()
BOX = np.array([0, 0, 0, *E, 0.1, 0.2, 0.3, 0.0])
FLAT_BOX = np.array([0, 0, 0, *E, 0.1, 0.2, 0.0, 0.01])
CYLINDER = np.array([0, 0, 0, 0, 0, 1, 0.1, 0.05])
CAPSULE = np.array([0, 0, 0, 0.1, 0, 0, 0.01])
FLOOR = np.array([0, 0, 0, 0, 0, 1.0])
SPHERES = [
    *itertools.product((0, 0.1, 0.15), (0, 0.2, 0.25), (0, 0.3, 0.35)),
    (0.05, 0, 0.1),
    (0.05, 0, 0.2),
]
SEGMENTS = [
    ((-0.05, 0.3, 0), (0.05, 0.3, 0)),  # parallel to an edge, over a face
    ((-0.5, 0.3, 0), (0.5, 0.3, 0)),
    ((-0.5, 0, 0), (0.5, 0, 0)),  # through the middle
    ((0.1, 0.2, -1), (0.1, 0.2, 1)),  # along an edge
    ((0.2, 0.2, 0.3), (0.1, 0.3, 0.3)),
    ((0.1, 0, 0), (0.2, 0, 0)),  # end to end
    ((0, 0.05, 0), (0.1, 0.05, 0)),  # parallel to the capsule and the cylinder's end
    ((0.05, 0, 0.1), (0.05, 0, -0.1)),  # on the side
    ((0.07, 0, 0.3), (0.07, 0, -0.3)),
    ((0.05, -0.1, 0.1), (0.05, 0.1, 0.1)),  # tangent to the rim
    ((0.0, 0, 0.2), (0, 0, 0.5)),  # on the axis
    ((0.05, 0, 0), (0.05, 0.1, 0)),  # crossing the capsule
    ((0, 0, 0), (0.1, 0, 0)),  # the capsule itself
    ((0.3, 0.3, 0.3), (0.3, 0.3, 0.3)),  # a sphere
]
BALLS = [np.array([*c, 0.01]) for c in SPHERES]
RODS = [np.array([*a, *b, 0.01]) for a, b in SEGMENTS]
DEGENERATE = {
    ("sphere", "sphere"): ([BALLS[0]], BALLS),
    ("capsule", "sphere"): ([CAPSULE], BALLS),
    ("plane", "sphere"): ([FLOOR], BALLS),
    ("box", "sphere"): ([BOX, FLAT_BOX], BALLS),
    ("cylinder", "sphere"): ([CYLINDER], BALLS),
    ("capsule", "capsule"): ([CAPSULE, *RODS], RODS),
    ("plane", "capsule"): ([FLOOR], RODS),
    ("box", "capsule"): ([BOX, FLAT_BOX], RODS),
    ("cylinder", "capsule"): ([CYLINDER], RODS),
    ("plane", "box"): ([FLOOR], [BOX, FLAT_BOX]),
    ("plane", "cylinder"): ([FLOOR, np.array([0, 0, 0, 1, 0, 0])], [CYLINDER]),
}


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_degenerate_arrangements_have_two_finite_derivatives(pair):
    x, y, found = symbols(pair)
    z = ca.vertcat(x, y)
    gaps = ca.vertcat(*[t.gap for t in found])
    rest = ca.veccat(*[a for t in found for a in (t.normal, t.point)])
    slopes = ca.jacobian(gaps, z)
    parts = [gaps, rest, slopes, ca.jacobian(rest, z), ca.jacobian(ca.vec(slopes), z)]
    f = ca.Function("f", [x, y], parts)
    for first, second in itertools.product(*DEGENERATE[pair]):
        gap, *others = (a.full() for a in f(first, second))
        assert all(np.all(np.isfinite(a)) for a in others), (first, second)
        assert np.all(np.abs(gap) < 2)


def test_degenerate_gaps_are_exact():
    def gap(pair, first, second):
        return closest(pair, first[:, None], second[:, None])[0][0]

    ball = dict(zip(SPHERES, BALLS, strict=True))
    rod = [gap(("box", "capsule"), BOX, r) for r in RODS]
    assert gap(("box", "sphere"), BOX, ball[0.1, 0.2, 0.35]) == pytest.approx(0.04, abs=1e-9)
    assert gap(("box", "sphere"), BOX, ball[0.1, 0.2, 0.3]) == pytest.approx(-0.01, abs=1e-9)
    assert gap(("sphere", "sphere"), BALLS[0], BALLS[0]) == pytest.approx(-0.02, abs=1e-9)
    assert rod[:4] == pytest.approx([0.09, 0.09, -0.11, -0.01], abs=1e-9)
    across = [gap(("capsule", "capsule"), CAPSULE, r) for r in RODS]
    assert across[5:7] == pytest.approx([-0.02, 0.03], abs=1e-9)
    assert across[11:13] == pytest.approx([-0.02, -0.02], abs=1e-9)
    side = [gap(("cylinder", "capsule"), CYLINDER, r) for r in RODS]
    assert side[7:11] == pytest.approx([-0.01, 0.01, -0.01, 0.09], abs=1e-9)


def test_a_standing_cylinder_is_supported_by_three_points_and_a_lying_one_by_two():
    standing = np.array([0, 0, 0.1, 0, 0, 1, 0.1, 0.05])
    gap, _, point = of_all(("plane", "cylinder"), FLOOR[:, None], standing[:, None])
    np.testing.assert_allclose(gap.ravel(), [0, 0, 0, 0.2, 0.2, 0.2], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(point[:3, :2, 0], axis=1), 0.05, rtol=1e-6)
    np.testing.assert_allclose(np.sum(point[:3, :2, 0], axis=0), 0, atol=1e-9)
    lying = np.array([0, 0, 0.05, 1, 0, 0, 0.1, 0.05])
    gap, _, _ = of_all(("plane", "cylinder"), FLOOR[:, None], lying[:, None])
    np.testing.assert_allclose(gap.ravel(), [0, 0.075, 0.075, 0, 0.075, 0.075], atol=1e-9)


def planar(kind, name):
    """A shape of a planar robot: no third component, discs for cylinders."""

    def point(part):
        return ca.sparsify(ca.vertcat(ca.SX.sym(name + part, 2), 0))

    a, r = ca.SX.sym(f"{name}a"), ca.SX.sym(f"{name}r")
    c, s = ca.cos(a), ca.sin(a)
    match kind:
        case "sphere":
            return PlacedSphere(point("c"), r)
        case "capsule":
            return PlacedCapsule(point("c"), point("e"), r)
        case "plane":
            return PlacedPlane(point("c"), ca.sparsify(ca.vertcat(-s, c, 0)))
        case "box":
            R = ca.sparsify(ca.blockcat([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
            return PlacedBox(point("c"), R, ca.SX.sym(f"{name}h", 3), r)
        case "cylinder":
            axis = ca.sparsify(ca.SX([0, 0, 1]))
            return PlacedCylinder(point("c"), axis, ca.SX.sym(f"{name}l"), r)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_planar_shapes_touch_within_the_plane(pair):
    for touch in touches(planar(pair[0], "a"), planar(pair[1], "b")):
        assert touch.normal.nnz() == 2
        if not touch.label or pair[1] == "capsule":
            assert touch.point.nnz() == 2


def test_refusals_name_the_remedy():
    refused = {
        frozenset(p) for p in itertools.product(KINDS.values(), repeat=2) if refusal(*p) is not None
    }
    kinds = [("box", "box"), ("box", "cylinder"), ("cylinder", "cylinder"), ("plane", "plane")]
    kinds += [("bore", x) for x in ("bore", "plane", "box", "cylinder")]
    assert refused == {frozenset(p) for p in kinds}
    every = {frozenset(p) for p in itertools.product(KINDS.values(), repeat=2)}
    assert every - refused == {frozenset(p) for p in ALL_PAIRS}
    x = ca.SX.sym("x", SIZES["box"])
    with pytest.raises(InputError, match="describe one of them by capsules or spheres"):
        touches(place("box", x), place("box", x))
