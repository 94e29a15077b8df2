"""A crown takes nothing from a foot that rocks, and gives it nothing."""

import numpy as np
import pytest

import chorda
from chorda.mechanics.contacts.segment_distances import CROWN
from tests.exact.test_line_contact import HIGH, MASS, WEIGHT, foot

K = 1e5


@pytest.mark.parametrize(("lift", "tilt"), [(5e-5, 1e-5), (0.0, 5e-5), (0.0, 3e-4), (2e-4, 1e-3)])
def test_energy_of_a_rocking_foot_stays_within_the_crown(lift, tilt):
    """Its share of what is stored, in each of some hundred cycles, without a drift."""
    system = foot(stiffness=K, dissipation=0.0)
    start = {"y": -WEIGHT / K - lift, "tilt": tilt}
    run = chorda.simulate(
        system, duration=0.5, step=2e-5, scheme="rk4", initial=start, progress=False
    )
    (_, _, a), (vx, vy, w) = run.position.T, run.velocity.T
    speed = (vx - HIGH * np.cos(a) * w) ** 2 + (vy - HIGH * np.sin(a) * w) ** 2
    depth = np.maximum(-run.data["gap"].values[:, 0], 0)
    high = run.position[:, 1] + HIGH * np.cos(a)
    E = MASS * speed / 2 + 0.002 * w**2 / 2 + WEIGHT * high + K * depth**2 / 2
    stored = K * depth.max() ** 2 / 2
    off = (E - E[0]) / stored
    n = len(off) // 4
    assert np.sum(np.diff(np.sign(a)) != 0) > 50
    assert np.max(np.abs(off)) < 2 * CROWN
    assert abs(np.mean(off[-n:]) - np.mean(off[n : 2 * n])) < 0.1 * CROWN
