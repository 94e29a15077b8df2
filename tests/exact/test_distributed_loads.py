"""Loads along rods against closed forms: beams, columns that buckle and that flutter."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import chorda
from chorda.describe import DistributedLoad
from tests.helpers.rod_robots import EI, PRECISE, L, pose, robot, rod, settled

LEIPHOLZ = 40.05 * EI / L**3  # [Leipholz 1962]
OWN_WEIGHT = 7.8373 * EI / L**3  # of a column that begins to buckle [Greenhill 1881]
BENDS = {"bend_z": 6, **PRECISE}


def along(name="wind", **fields):
    return DistributedLoad(name=name, rod="rod", **fields)


def deflection(**fields):
    """Of the tip of a cantilever, and its slope."""
    rest = settled(robot(rod(BENDS), distributed_loads=(along(**fields),)))
    turn, tip = pose(rest.system, rest.q)
    return tip[1], turn[1, 0]


W = 1e-3 * EI / L**3  # a small load


@pytest.mark.parametrize("follows", [False, True])
def test_a_beam_under_an_even_load_bends_by_w_l4_over_8_ei(follows):
    tip, slope = deflection(fy=W, follows=follows)
    assert tip == pytest.approx(W * L**4 / (8 * EI), rel=1e-6)
    assert slope == pytest.approx(W * L**3 / (6 * EI), rel=1e-6)


def test_a_load_that_grows_to_the_tip_bends_by_11_120_w_l4_over_ei():
    assert deflection(fy=(0, W))[0] == pytest.approx(11 * W * L**4 / (120 * EI), rel=1e-6)


def test_a_load_on_the_first_part_bends_that_part_alone():
    """w a^4 / 8 EI there, and straight on with the slope w a^3 / 6 EI."""
    a = 0.3 * L
    tip, slope = deflection(fy=W, end=a)
    assert slope == pytest.approx(W * a**3 / (6 * EI), rel=2e-3)
    assert tip == pytest.approx(W * a**4 / (8 * EI) + slope * (L - a), rel=2e-3)


def test_parts_of_a_load_make_the_whole():
    both = along("near", fy=W, end=0.2 * L), along("far", fy=W, start=0.2 * L)
    rest = settled(robot(rod(BENDS), distributed_loads=both))
    whole = deflection(fy=W)[0]
    assert pose(rest.system, rest.q)[1][1] == pytest.approx(whole, rel=1e-10)


def test_an_even_moment_bends_by_m_l3_over_3_ei():
    """Moment m (L - s) at s: a slope of m L^2 / 2 EI at the tip."""
    m = 1e-3 * EI / L**2
    tip, slope = deflection(mz=m)
    assert tip == pytest.approx(m * L**3 / (3 * EI), rel=1e-6)
    assert slope == pytest.approx(m * L**2 / (2 * EI), rel=1e-6)


def heavy(x):
    """Tip of the elastica under an even dead load of x EI / L^3 across, by shooting [scipy]."""

    def slope(s, y):  # EI theta'' = -w (1 - s) cos(theta)
        return np.array([y[1], -x * (1 - s) * np.cos(y[0])])

    s = np.linspace(0, 1, 201)
    bent = np.array([1.2 * s, 0 * s])
    found = solve_bvp(slope, lambda a, b: [a[0], b[1]], s, bent, tol=1e-10)
    theta = found.sol(np.linspace(0, 1, 4001))[0]
    step = 1 / 4000
    weights = step / 3 * np.array([1, *([4, 2] * 2000)[:-1], 1])
    return L * weights @ np.cos(theta), L * weights @ np.sin(theta)


@pytest.mark.parametrize("share", [5.0, 40.0])
def test_a_beam_under_a_large_dead_load_is_an_elastica(share):
    made = robot(rod({"bend_z": 9, **PRECISE}), distributed_loads=(along(fy=share * EI / L**3),))
    rest = settled(made)
    tip = pose(rest.system, rest.q)[1]
    np.testing.assert_allclose(tip[:2], heavy(share), atol=1e-6)
    assert rest.accuracy.worst < 1e-5


def changes(start, end, **fields):
    """Loads at which the straight column's stability changes."""
    system = chorda.assemble(robot(rod(BENDS), distributed_loads=(along(fx=-1.0, **fields),)))
    rest = chorda.equilibrium(system, parameters={"wind.fx0": start})
    path = chorda.follow(rest, hold={"wind.fx0": np.linspace(start, end, 6)})
    assert path.status.ok
    locked = [x for x in path.changes if x.kind == "locked"]
    return [(float(x.at.target[0]), x.criterion, x.instability) for x in locked]


def test_a_column_buckles_under_an_even_dead_load_as_under_its_own_weight():
    ((load, criterion, how),) = changes(-0.5 * OWN_WEIGHT, -1.5 * OWN_WEIGHT)
    assert (criterion, how) == ("energy", "divergence")
    assert load == pytest.approx(-OWN_WEIGHT, rel=1e-4)


def test_the_column_of_leipholz_flutters_under_an_even_load_that_follows():
    ((load, criterion, how),) = changes(-0.8 * LEIPHOLZ, -1.2 * LEIPHOLZ, follows=True)
    assert (criterion, how) == ("motion", "flutter")
    assert load == pytest.approx(-LEIPHOLZ, rel=1e-3)
