"""What a rod exerts on its base, from the equations of a base that could move."""

import numpy as np
import pytest

import chorda
from chorda.describe import Disk, Free
from tests.helpers.rod_robots import EI, PRECISE, RHO, A, E, G, I, L, balanced, pushed, robot, rod
from tests.helpers.shooting import Clamped

GRAVITY, FORCE = np.array([3.0, -8.0, 4.0]), np.array([0.004, 0.01, -0.006])
MODES = {"twist": 3, "bend_y": 7, "bend_z": 7, "stretch": 2, **PRECISE}


@pytest.fixture(scope="module")
def clamped():
    """Tip of the rod, force and moment that its base exerts, by shooting."""
    g = np.linalg.norm(GRAVITY)
    return Clamped(
        L,
        lambda s: np.array([2 * G * I, EI, EI]),
        lambda s: np.array([E * A, np.inf, np.inf]),
        lambda s: np.zeros(3),
        lambda s: RHO * A * g * (L - s),
        GRAVITY / g,
    ).solve(FORCE)


def test_base_carries_the_weight_and_the_moment_that_shooting_finds(clamped):
    """On a free joint the rows of M a - F at rest are what would have to hold the base."""
    _, force, moment = clamped
    load = (pushed(tuple(FORCE)),)
    held = chorda.assemble(robot(rod(MODES), gravity=tuple(GRAVITY), loads=load))
    q = balanced(held)
    loose = chorda.assemble(
        robot(Free(name="base"), rod(MODES, parent="base"), gravity=tuple(GRAVITY), loads=load)
    )
    still = np.zeros(loose.nv)
    configuration = np.concatenate([loose.rest[:7], q])
    need = loose.residual(configuration, still, still, [], loose.parameters()).full().ravel()
    assert need[3:6] == pytest.approx(-force, abs=1e-10)
    assert need[:3] == pytest.approx(-moment, abs=1e-8)
    assert np.allclose(need[6:], 0, rtol=0, atol=1e-12)


def test_disks_and_rods_carry_each_other():
    """Two rods in series with disks weigh on the base with all that they are."""
    disks = (Disk(name="end", at=L, radius=0.01, mass=0.02),)
    lower = rod({"bend_z": 2}, name="lower", parent="base", disks=disks)
    upper = rod({"bend_y": 2, "twist": 1}, name="upper", parent="lower.end")
    system = chorda.assemble(robot(Free(name="base"), lower, upper, gravity=tuple(GRAVITY)))
    still = np.zeros(system.nv)
    q = np.concatenate([system.rest[:7], np.linspace(-1, 2, system.nq - 7)])
    need = system.residual(q, still, still, [], system.parameters()).full().ravel()
    assert need[3:6] == pytest.approx(-GRAVITY * (2 * RHO * A * L + 0.02), rel=1e-12)
