"""Along the rod: the integration has its order, more functions converge, bases agree."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chorda
from chorda.describe import Modes
from chorda.mechanics.rods.bases import BASES, values
from tests.helpers.elastica import elastica
from tests.helpers.evaluate import observed_orders
from tests.helpers.rod_robots import EI, PRECISE, L, balanced_tip, pose, pushed, robot, rod
from tests.helpers.shooting import hat

STRAINS = {"twist": [4.0, 6.0], "bend_y": [3.0, -8.0, 5.0], "bend_z": [-2.0, 9.0], "shear_y": 0.1}


@pytest.fixture(scope="module")
def followed():
    """Tip of a rod with these strains, by SciPy."""

    def rate(s, x):
        X = s / L
        u = [4 + 6 * X, 3 - 8 * X + 5 * X**2, -2 + 9 * X]
        R = x[3:].reshape(3, 3)
        return np.concatenate([R @ [1, 0.1, 0], (R @ hat(u)).ravel()])

    start = np.concatenate([np.zeros(3), np.eye(3).ravel()])
    end = solve_ivp(rate, (0, L), start, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return end[:3], end[3:].reshape(3, 3)


@pytest.mark.parametrize("order", [4, 6])
def test_place_and_turn_of_the_tip_converge_with_the_order_of_the_integration(followed, order):
    errors = []
    for intervals in (10, 20, 40):
        made = rod({"bend_z": 1, "intervals": intervals, "order": order}, rest=STRAINS)
        R, p = pose(chorda.assemble(robot(made)), [0.0])
        assert np.allclose(R @ R.T, np.eye(3), rtol=0, atol=1e-13), "a rotation whatever the error"
        errors.append([np.linalg.norm(p - followed[0]), np.linalg.norm(R - followed[1])])
    assert np.array(errors)[0].max() < 1e-2
    assert observed_orders(errors)[-1] == pytest.approx([order, order], abs=0.4)


def test_statics_converge_by_more_than_ten_with_each_pair_of_functions():
    force = 2 * EI / L**2
    errors = []
    for n in (1, 3, 5, 7, 9):
        made = rod({"bend_z": n, **PRECISE})
        tip = balanced_tip(robot(made, loads=(pushed((0, force, 0)),)))
        errors.append(np.linalg.norm(tip / L - elastica(2.0)))
    falling = np.array(errors[:-1]) / errors[1:]
    assert all(f > 10 or e < 1e-10 for f, e in zip(falling, errors[1:], strict=True))
    assert errors[-1] < 1e-9


@cache
def heavy_tip(**modes):
    made = rod({"bend_y": 4, "bend_z": 4, "twist": 1, **modes})
    return balanced_tip(robot(made, gravity=(1.0, -2.0, 1.5)))


@pytest.mark.parametrize("basis", ["chebyshev", "monomial", "bspline"])
def test_four_functions_of_any_polynomial_basis_describe_the_same_rod(basis):
    """Four cubic splines on one piece are the cubics."""
    assert np.allclose(heavy_tip(basis=basis), heavy_tip(basis="legendre"), rtol=0, atol=1e-10)


def test_constants_on_parts_are_one_function_between_breaks():
    modes = {"bend_y": 2, "bend_z": 2, "twist": 0, "intervals": 12}
    ones = {"bend_y": 1, "bend_z": 1, "twist": 0, "intervals": 12}
    pieces = heavy_tip(basis="piecewise", **modes)
    assert np.allclose(pieces, heavy_tip(breaks=(L / 2,), **ones), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("basis", "count", "gain"), [("piecewise", 4, 3), ("bspline", 4, 8)])
def test_local_bases_converge_too(basis, count, gain):
    """Constants on parts with order two, cubic splines faster."""
    plane = {"bend_y": 0, "twist": 0, "intervals": 48, "order": 6}
    exact = heavy_tip(bend_z=9, **plane)
    errors = [
        np.linalg.norm(heavy_tip(bend_z=n, basis=basis, **plane) - exact)
        for n in (count, 2 * count)
    ]
    assert errors[0] / errors[1] > gain


def test_functions_of_a_basis_are_one_on_the_whole_and_follow_their_parts():
    x = np.linspace(0, 1, 21)
    for basis in ("piecewise", "bspline"):
        for count in (1, 2, 5):
            table = BASES[basis](x, count)
            assert table.shape == (21, count)
            assert np.allclose(table.sum(axis=1), 1, rtol=0, atol=1e-14)
    parted = values(Modes(breaks=(0.2,)), 0.5, 2, x)
    assert parted.shape == (21, 4)
    assert np.all(parted[x < 0.4, 2:] == 0)
    assert np.all(parted[x >= 0.4, :2] == 0)
