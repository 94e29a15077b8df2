"""Deviations along a rod are derivatives: of both schemes, with all strains, weight and rest."""

import numpy as np
import pytest

from chorda.continuous.along_rods import Nodes
from chorda.continuous.assembly_structure import structure
from chorda.continuous.piece_schemes import euler, order8
from tests.helpers.assembly_robots import hand


@pytest.fixture
def rods():
    return structure(hand(False)).rods


@pytest.fixture
def start():
    rng = np.random.default_rng(3)
    return Nodes(
        np.array([0.3]),
        np.eye(3)[None, None],
        rng.normal(size=(1, 1, 3)),
        0.5 * rng.normal(size=(1, 1, 3)),
        2.0 * rng.normal(size=(1, 1, 3)),
    ).moved(rng.normal(size=(1, 1, 12)))


def test_moves_and_wrenches_along_a_rod_are_a_canonical_pair(rods, start):
    """With moments in axes half way through the turn: so fields in balance stay Lagrangian."""
    piece = order8(rods, start, np.array([0.05]))
    flow = piece.ends.to_world[0, 0] @ piece.flow[0, 0] @ np.linalg.inv(start.to_world[0, 0])
    pair = np.kron([[0, 1], [-1, 0]], np.eye(6))
    assert flow.T @ pair @ flow == pytest.approx(pair, abs=1e-11)


@pytest.mark.parametrize("scheme", [order8, euler])
def test_flow_is_the_derivative_of_a_piece(scheme, rods, start):
    h, step = np.array([0.2]), 1e-5
    flow = scheme(rods, start, h).flow[0, 0]
    middle = scheme(rods, start, h).ends
    for k in range(12):
        d = step * np.eye(12)[k].reshape(1, 1, 12)
        ends = [scheme(rods, start.moved(s * d), h).ends for s in (-1, 1)]
        slope = (middle.gaps(ends[1]) - middle.gaps(ends[0]))[0, 0] / (2 * step)
        assert slope == pytest.approx(flow[:, k], abs=1e-8)
