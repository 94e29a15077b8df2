"""Cables around pulleys against closed forms: the cases of Fasquelle2021, drums, leaving cables."""

from itertools import combinations, pairwise

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import brentq

import chorda
from chorda.describe import Point, Pulley
from tests.helpers.evaluate import arms, lengths, outputs
from tests.helpers.pulley_robots import LINK, chain, held, pulled, x_joints

L, B, R = 0.1, 0.05, 0.005
ALPHAS = np.linspace(-2.5, 2.5, 26)


def published():
    """Partial lengths of the four cases as functions of alpha [Fasquelle2021, eqs. 19-30]."""
    a = ca.SX.sym("alpha")
    d = ca.sqrt(L**2 - B**2 * ca.cos(a / 2) ** 2)
    left, right = (ca.sqrt((d + s * B * ca.sin(a / 2)) ** 2 - R**2) for s in (-1, 1))
    psi = a / 2 + np.pi - ca.acos(B * ca.cos(a / 2) / L)
    cases = (
        left + R * (np.pi - ca.atan(left / R) - a / 2),  # eq. 19 drops eq. 18's -alpha/2
        right + R * (np.pi + a / 2 - ca.atan(right / R)),
        d - B * ca.sin(a / 2) + R * (2 * np.pi - a),
        2 * np.sqrt((L / 2) ** 2 - R**2)
        + 2 * np.sqrt((B / 2) ** 2 - R**2)
        + R * (2 * psi - a - 2 * np.arctan(L / (2 * R)) - 2 * np.arctan(B / (2 * R)) + 2 * np.pi),
    )
    return [ca.Function(f"case{k}", [a], [x, ca.jacobian(x, a)]) for k, x in enumerate(cases, 1)]


CASES = dict(enumerate(published(), 1))
PATHS = {
    1: (held("x1.base", "left", "right"), Point(frame="x1.top", point="left")),
    2: (held("x1.base", "right", "left"), Point(frame="x1.top", point="right")),
    3: (held("x1.base", "left", "right"), held("x1.top", "left", "right")),
    4: (
        held("x1.base", "right", "left"),
        held("x1.top", "left", "right"),
        held("x1.top", "right", "left"),
    ),
}


@pytest.fixture(scope="module")
def systems():
    return {case: chorda.assemble(x_joints(path)) for case, path in PATHS.items()}


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("fasquelle-3-pulleys"))


@pytest.mark.parametrize("case", CASES)
def test_lengths_of_the_four_cases_are_those_published_but_for_a_constant(systems, case):
    ours = [lengths(systems[case], [a])[0] - lengths(systems[case], [0.0])[0] for a in ALPHAS]
    theirs = [float(CASES[case](a)[0] - CASES[case](0.0)[0]) for a in ALPHAS]
    assert np.allclose(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_moment_arms_of_the_four_cases_are_the_slopes_of_the_published_lengths(systems, case):
    ours = [arms(systems[case], [a])[0, 0] for a in ALPHAS]
    theirs = [-float(CASES[case](a)[1]) for a in ALPHAS]
    assert np.ptp(theirs) > 1e-3
    assert np.allclose(ours, theirs, rtol=0, atol=1e-12)


def test_moment_arms_of_the_whole_neck_are_composed_as_published(neck):
    """[Fasquelle2021, eqs. 31-37], with Z = -dl/dq."""
    rng = np.random.default_rng(0)
    for alpha in rng.uniform(-1.5, 1.5, (5, 3)):
        slope = {(c, j): -float(CASES[c](alpha[j])[1]) for c in CASES for j in range(3)}
        expected = [
            [slope[2, 0], slope[4, 0], slope[4, 0], slope[3, 0]],
            [0, slope[2, 1], slope[4, 1], slope[3, 1]],
            [0, 0, slope[2, 2], slope[1, 2]],
        ]
        assert np.allclose(arms(neck, alpha), expected, rtol=0, atol=1e-12)


def test_strut_routed_length_is_even_in_alpha(systems):
    for alpha in ALPHAS:
        assert lengths(systems[4], [alpha]) == pytest.approx(
            lengths(systems[4], [-alpha]), abs=1e-15
        )


def test_left_and_right_are_mirror_images(systems):
    for alpha in ALPHAS:
        assert lengths(systems[1], [alpha]) == pytest.approx(
            lengths(systems[2], [-alpha]), abs=1e-15
        )


def test_small_pulleys_give_the_path_through_points(neck):
    points = chorda.assemble(chorda.load("fasquelle-3"))
    q = [0.4, -0.7, 0.5]
    exact = arms(points, q)
    errors = [
        np.abs(arms(neck, q, {"*.radius": r}) - exact).max() for r in (1e-3, 1e-4, 1e-5, 1e-6)
    ]
    assert errors[0] > 1e-4
    ratios = np.array(errors[:-1]) / errors[1:]
    assert np.allclose(ratios, 10, rtol=0.05)


def test_a_radius_is_a_parameter_of_its_tendon_alone(neck):
    q = [0.4, -0.7, 0.5]
    change = arms(neck, q, {"right2.path1.radius": 0.004}) - arms(neck, q)
    assert abs(change[0, 1]) > 1e-5
    assert not np.any(change[:, [0, 2, 3]])


# Drums ---------------------------------------------------------------------------------------

TURNS = np.linspace(-3.1, 3.1, 63)


@pytest.mark.parametrize(("side", "sign"), [("left", 1), ("right", -1)])
def test_a_drum_on_a_joint_winds_its_angle_through_half_a_turn_to_both_sides(side, sign):
    drum = Pulley(frame="j1", radius=0.03, side=side)
    system = chorda.assemble(pulled(chain(1), (Point(point=(-LINK, 0, 0)), drum)))
    start = lengths(system, [0.0])[0]
    wound = [lengths(system, [q])[0] - start for q in TURNS]
    assert np.allclose(wound, sign * 0.03 * TURNS, rtol=0, atol=1e-14)
    assert arms(system, [3.1])[0, 0] == pytest.approx(-sign * 0.03, abs=1e-14)


def test_a_finger_over_an_idler_and_a_drum_has_constant_moment_arms():
    path = (
        Point(point=(-LINK, 0.05, 0)),
        Pulley(frame="world", radius=0.04, side="right", leave=False),
        Pulley(frame="j2", radius=0.02, side="right"),
    )
    system = chorda.assemble(pulled(chain(2), path))
    start = lengths(system, [0.0, 0.0])[0]
    for q in np.random.default_rng(1).uniform(-3.1, 3.1, (20, 2)):
        change = -0.04 * q[0] - 0.02 * q[1]
        assert lengths(system, q)[0] - start == pytest.approx(change, abs=1e-14)
        assert arms(system, q).ravel() == pytest.approx([0.04, 0.02], abs=1e-14)


def test_a_drum_has_the_wound_angle_at_the_reference_configuration():
    def robot(wound):
        drum = Pulley(frame="j1", radius=0.03, side="left", wound=wound)
        return chorda.assemble(pulled(chain(1), (Point(point=(-LINK, 0, 0)), drum)))

    for wound, expected in ((None, np.pi / 2), (7.0, 7.0)):
        assert outputs(robot(wound), [0.0])["wrap_angle"] == pytest.approx([expected])
    more = lengths(robot(7.0), [0.3]) - lengths(robot(None), [0.3])
    assert more == pytest.approx([0.03 * (7.0 - np.pi / 2)])


@pytest.mark.parametrize(("wound", "turns"), [(None, 0), (0.0, 0), (7.0, 1), (-6.0, -1)])
def test_the_wound_angle_chooses_the_number_of_turns(wound, turns):
    def angle(wound):
        path = (
            Point(point=(-LINK, 0, 0)),
            Pulley(radius=0.03, side="right", leave=False, wound=wound),
            Point(frame="j1", point=(LINK, 0, 0)),
        )
        return outputs(chorda.assemble(pulled(chain(1), path)), [0.0])["wrap_angle"][0]

    assert angle(wound) == pytest.approx(2 * np.arcsin(0.03 / LINK) + 2 * np.pi * turns, abs=1e-14)


def test_tangent_points_lie_on_the_rim_and_the_cable_is_perpendicular_there(neck):
    q = [0.4, -0.7, 0.5]
    places = outputs(neck, q)["tangent_point"].reshape(-1, 2, 3)
    labels = neck.outputs[[o.name for o in neck.outputs].index("wrap_angle")].labels
    row = {label: k for k, label in enumerate(labels)}
    leaves, comes = places[row["right3.path1"], 1], places[row["right3.path2"], 0]
    arrives = places[row["right3.path1"], 0]
    chord = leaves - arrives
    angle = outputs(neck, q)["wrap_angle"][row["right3.path1"]]
    assert np.linalg.norm(chord) == pytest.approx(2 * R * abs(np.sin(angle / 2)), rel=1e-12)
    bar = np.sqrt(B**2 - (2 * R) ** 2)  # between the upper pulleys, crossing
    assert np.linalg.norm(comes - leaves) == pytest.approx(bar, rel=1e-12)


# Cables that leave ----------------------------------------------------------------------------

START, END, RIM = (-0.2, 0.02, 0), (0.25, 0.0, 0), 0.03


def over(leave):
    """A cable over a pulley under it, to a link that turns about the pulley's centre."""
    pulley = Pulley(radius=RIM, side="right", leave=leave)
    path = (Point(point=START), pulley, Point(frame="j1", point=END))
    return chorda.assemble(pulled(chain(1), path))


@pytest.fixture(scope="module")
def free():
    return over(True)


@pytest.fixture(scope="module")
def guarded():
    return over(False)


@pytest.fixture(scope="module")
def lift_off(guarded):
    return brentq(lambda q: outputs(guarded, [q])["wrap_angle"][0], 0.0, 1.0, xtol=1e-15)


def distance(q):
    return np.linalg.norm(np.subtract([END[0] * np.cos(q), END[0] * np.sin(q), 0], START))


def test_before_it_leaves_the_cable_is_that_of_a_guarded_pulley(free, guarded, lift_off):
    for q in np.linspace(-1.5, lift_off - 1e-9, 20):
        assert lengths(free, [q]) == lengths(guarded, [q])
        assert outputs(free, [q])["contact"] == [1]
        assert outputs(free, [q])["wrap_angle"] > 0


def test_after_it_left_the_cable_is_straight(free, guarded, lift_off):
    for q in np.linspace(lift_off + 1e-9, 2.5, 20):
        assert lengths(free, [q]) == pytest.approx([distance(q)], abs=1e-15)
        assert outputs(free, [q])["contact"] == [0]
        assert outputs(free, [q])["wrap_angle"] == [0]
    assert lengths(guarded, [2.0]) > lengths(free, [2.0]) + 0.1  # a guard holds it down


def test_length_and_moment_arm_are_continuous_where_the_cable_leaves(free, lift_off):
    for gap in (1e-3, 1e-4, 1e-5):
        before, after = (arms(free, [lift_off + s * gap])[0, 0] for s in (-1, 1))
        assert before == pytest.approx(after, abs=2 * gap)
        step = lengths(free, [lift_off + gap])[0] - lengths(free, [lift_off - gap])[0]
        assert step == pytest.approx(-gap * (before + after), abs=gap**2)


def taut(start, end, pulleys):
    """Length of a taut cable past disks (centre, radius, sign): the longest over sets of them.

    Each disk only lengthens the shortest path, so that of all is the longest of those of subsets
    that bend everywhere the right way.
    """
    longest = 0.0
    for size in range(len(pulleys) + 1):
        for some in combinations(pulleys, size):
            stops = [(start, 0.0, 1), *some, (end, 0.0, 1)]
            total, headings = 0.0, []
            for (c, r, s), (d, t, u) in pairwise(stops):
                far, e = np.hypot(*(d - c)), u * t - s * r
                total += np.sqrt(far**2 - e**2)
                headings.append(np.arctan2(*(d - c)[::-1]) - np.arcsin(e / far))
            bends = [
                s * ((b - a + np.pi) % (2 * np.pi) - np.pi)
                for a, b, (_, _, s) in zip(headings[:-1], headings[1:], some, strict=True)
            ]
            if min(bends, default=0.0) >= 0:
                arcs = sum(r * b for (_, r, _), b in zip(some, bends, strict=True))
                longest = max(longest, total + arcs)
    return longest


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_a_cable_past_several_pulleys_touches_those_that_the_shortest_way_touches(seed, count):
    rng = np.random.default_rng(seed)
    disks = [
        (np.array([0.1 + 0.12 * i, rng.uniform(-0.04, 0.04)]), rng.uniform(0.01, 0.04), s)
        for i, s in enumerate(rng.choice([-1, 1], count))
    ]
    path = [
        Point(point=(-0.2, 0, 0)),
        *(Pulley(point=(*c, 0), radius=r, side="left" if s > 0 else "right") for c, r, s in disks),
        Point(frame="j1", point=(0.65, 0, 0)),
    ]
    system = chorda.assemble(pulled(chain(1), path))
    seen = set()
    for q in np.linspace(-0.9, 0.9, 61):
        end = 0.65 * np.array([np.cos(q), np.sin(q)])
        assert lengths(system, [q])[0] == pytest.approx(
            taut(np.array([-0.2, 0.0]), end, disks), abs=1e-12
        )
        seen.add(tuple(outputs(system, [q])["contact"]))
    assert len(seen) > 1
