"""Shapes that are known: circles, helices, the elastica, and any rod by shooting."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chorda.describe import Rectangle
from tests.helpers.elastica import elastica
from tests.helpers.rod_robots import EI, PRECISE, L, balanced_tip, pose, pushed, robot, rod, settled
from tests.helpers.shooting import Clamped

TURNED = {"y": ("bend_y", (0, 1, 0)), "z": ("bend_z", (0, 0, 1))}


@pytest.mark.parametrize("axis", TURNED)
@pytest.mark.parametrize("turns", [0.1, 0.7, 2.3])
def test_moment_on_the_tip_bends_the_rod_into_a_circle(axis, turns):
    strain, about = TURNED[axis]
    k = 2 * math.pi * turns / L
    moment = tuple(EI * k * np.array(about))
    bent = settled(robot(rod({strain: 1}), loads=(pushed(moment=moment, follows=True),)))
    assert bent.q == pytest.approx([k], rel=1e-12)
    side = {"y": (0, 0, -1), "z": (0, 1, 0)}[axis]
    circle = math.sin(k * L) / k * np.array([1, 0, 0]) + (1 - math.cos(k * L)) / k * np.array(side)
    turn, tip = pose(bent.system, bent.q)
    assert np.allclose(tip, circle, rtol=0, atol=1e-12)
    assert np.allclose(
        turn, Rotation.from_rotvec(k * L * np.array(about)).as_matrix(), rtol=0, atol=1e-12
    )


def test_circle_needs_no_more_than_one_function_a_strain():
    moment = (0, 3 * EI, 4 * EI)
    bent = settled(robot(rod({"bend_y": 2, "bend_z": 2}), loads=(pushed(moment=moment),)))
    assert bent.q == pytest.approx([3, 0, 4, 0], abs=1e-10)


def test_moment_fixed_in_the_world_winds_a_round_rod_into_a_helix():
    """The moment is the same all along; the tangent turns about it at the rate |M| / EI."""
    moment = EI * np.array([1.0, 1.5, -1.0])
    made = rod({"twist": 1, "bend_y": 5, "bend_z": 5, "intervals": 8, "order": 6})
    tip = balanced_tip(robot(made, loads=(pushed(moment=tuple(moment)),)))
    s, w = np.polynomial.legendre.leggauss(30)
    turns = Rotation.from_rotvec(np.outer(L * (s + 1) / 2, moment / EI))
    helix = (L / 2 * w) @ turns.apply([1, 0, 0])
    assert np.allclose(tip, helix, rtol=0, atol=1e-8)


@pytest.mark.parametrize("alpha2", [0.5, 3.0, 8.0])
def test_force_on_the_tip_makes_the_elastica(alpha2):
    made = rod({"bend_z": 10, **PRECISE})
    tip = balanced_tip(robot(made, loads=(pushed((0, alpha2 * EI / L**2, 0)),)))
    assert np.allclose(tip / L, elastica(alpha2), rtol=0, atol=1e-8)


def test_heavy_tapered_curved_rod_with_all_strains_lies_as_shooting_says():
    """The tip against the differential equations, solved by SciPy."""
    w, h, taper, rho = 0.01, 0.006, 0.85, 1500.0
    E_, G_ = 1e8, 4e7
    rest = {"twist": 0.5, "bend_y": [1.0, -2.0], "bend_z": 0.7}
    bends = {"twist": 6, "bend_y": 7, "bend_z": 7, "stretch": 4, "shear_y": 4, "shear_z": 4}
    gravity, force = np.array([2.0, -7.0, 5.0]), np.array([0.01, 0.02, -0.01])
    made = rod(
        {**bends, "order": 6},
        section=Rectangle(width=w, height=h),
        taper=taper,
        young_modulus=E_,
        shear_modulus=G_,
        density=rho,
        rest=rest,
    )
    found = balanced_tip(robot(made, gravity=tuple(gravity), loads=(pushed(tuple(force)),)))
    thin = min(w, h) / max(w, h)
    J = max(w, h) * min(w, h) ** 3 * (1 / 3 - 0.21 * thin * (1 - thin**4 / 12))
    turning = np.array([G_ * J, E_ * w * h**3 / 12, E_ * h * w**3 / 12])
    sliding = w * h * np.array([E_, G_, G_])

    def size(s):
        return 1 - (1 - taper) * s / L

    g = np.linalg.norm(gravity)
    clamped = Clamped(
        L,
        lambda s: turning * size(s) ** 4,
        lambda s: sliding * size(s) ** 2,
        lambda s: np.array([0.5, 1.0 - 2.0 * s / L, 0.7]),
        lambda s: rho * w * h * g * L / (3 * (1 - taper)) * (size(s) ** 3 - taper**3),
        gravity / g,
    )
    tip, _, _ = clamped.solve(force)
    assert np.linalg.norm(tip - [L, 0, 0]) > 0.1 * L
    assert np.allclose(found, tip, rtol=0, atol=1e-8)
