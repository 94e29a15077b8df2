"""Conjugate points: Euler's columns, and negative eigenvalues of the model with modes."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.continuous import conjugate_points, follow, shooting
from chorda.describe import Modes
from chorda.errors import InputError
from tests.helpers.assembly_robots import (
    EI,
    SIX,
    SIX_BULGE,
    SIX_MOTORS,
    TWO,
    TWO_BULGE,
    TWO_MOTORS,
    cantilever,
    column,
    hand,
    two_angles,
)

CLAMPED_PINNED = (4.493409457909064, 7.725251836937707)  # tan x = x
NEAR = 3e-6  # half of the last span that places are divided into


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 8.9, 9.1, 26.0])
def test_a_clamped_column_falls_beyond_each_critical_load(share):
    """A column of length (1 - u) L has critical loads ((2 k + 1) pi / 2)^2 EI / ((1 - u) L)^2."""
    found = conjugate_points(shooting(cantilever(force=(-share * math.pi**2 / 4 * EI, 0, 0))))
    expected = [1 - (2 * k + 1) / math.sqrt(share) for k in range(3)]
    expected = [u for u in expected if u > 0]
    assert found.count == len(expected)
    assert found.positions == pytest.approx(expected, abs=NEAR)


def test_a_round_column_in_space_falls_in_two_directions_at_once():
    strains = Modes(twist=2, stretch=0)
    for share, count in ((0.99, 0), (1.01, 2), (9.1, 4)):
        robot = cantilever(strains, force=(-share * math.pi**2 / 4 * EI, 0, 0))
        found = conjugate_points(shooting(robot))
        assert found.count == count
        assert found.positions[0::2] == pytest.approx(found.positions[1::2], abs=1e-9)


@pytest.mark.parametrize("x", [4.4, 4.6, 7.6, 7.8])
def test_a_column_on_a_pin_falls_where_tan_x_is_x(x):
    found = conjugate_points(shooting(column(x**2 * EI, hinged=False)))
    expected = [1 - root / x for root in CLAMPED_PINNED if root < x]
    assert found.positions == pytest.approx(expected, abs=NEAR)
    assert found.count == len(expected)


@pytest.mark.parametrize("x", [3.1, 3.2, 4.4, 4.6, 6.2, 6.4])
def test_a_column_on_two_pins_falls_at_each_half_wave(x):
    """Its hinge adds what the clamped column does not have."""
    found = conjugate_points(shooting(column(x**2 * EI, hinged=True)))
    assert found.count == int(x / math.pi)
    assert len(found.positions) == sum(root < x for root in CLAMPED_PINNED)


def way_down(count):
    """The path of Briot2022, figure 7: the pin from (0, 0.8) to (0, -0.2)."""
    return [{"leg1.tip": {"x": 0.0, "y": float(y)}} for y in np.linspace(0.8, -0.2, count)]


def go_down(count):
    start = shooting(TWO, hold=two_angles(0), initial=TWO_BULGE, strict=True)
    return follow(TWO, poses=way_down(count), actuated=TWO_MOTORS, initial=start, strict=True)


@pytest.fixture(scope="module")
def down():
    return go_down(26)


@pytest.mark.parametrize("count", [26, pytest.param(50, marks=pytest.mark.slow)])
def test_conjugate_points_are_negative_eigenvalues_of_the_model_with_modes(down, count):
    system = chorda.assemble(TWO)
    start = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    found = chorda.equilibrium(system, hold=two_angles(0), initial=start, strict=True)
    seen = []
    for place, here in zip(way_down(count), down if count == 26 else go_down(count), strict=True):
        found = chorda.equilibrium(
            system, poses=place, actuated=TWO_MOTORS, initial=found, strict=True
        )
        seen.append(conjugate_points(here).count)
        assert seen[-1] == np.sum(found.eigenvalues < 0)
    assert seen == sorted(seen)
    assert set(seen) == {0, 1, 2}


def test_a_conjugate_point_comes_in_at_the_base(down):
    """From there it moves along the rods as the robot becomes less stable."""
    found = [conjugate_points(x) for x in down[18:22]]
    first = [x.positions[0] for x in found if x.positions]
    assert 0 < first[0] < 0.1
    assert first == sorted(first)


def test_the_determinant_changes_its_sign_at_each_conjugate_point(down):
    for x in down[::4]:
        found = conjugate_points(x)
        inside = found.determinant[1:]
        assert np.sum(np.diff(np.sign(inside)) != 0) == len(found.positions)
        assert inside[0] > 0


def test_free_motors_fall_no_later_than_locked_ones(down):
    locked, free = (
        [conjugate_points(x, motors=m).count for x in down[::4]] for m in ("locked", "free")
    )
    assert all(a <= b <= a + 2 for a, b in zip(locked, free, strict=True))
    assert free != locked


def test_a_load_that_follows_has_no_second_variation():
    found = shooting(hand(True), hold={"slide": 0.2, "motor": -0.3})
    with pytest.raises(InputError, match=r"loads\.load: follows its body and has no energy"):
        conjugate_points(found)


@pytest.mark.slow
def test_a_spatial_robot_loses_its_stability_once_on_the_printed_path():
    """Briot2022, figure 13: from (-0.4, 0) to (-0.4, 0.2) with one negative eigenvalue at last."""
    start = shooting(SIX, hold=dict.fromkeys(SIX_MOTORS, 5.86), initial=SIX_BULGE, strict=True)
    first, last = start.frame("platform")[0], np.array([-0.4, 0, 0.635])

    def placed(p, angles):
        R = Rotation.from_euler("ZYZ", angles).as_matrix()
        return {"platform": dict(zip("xyz", p, strict=True)) | {"rotation": R}}

    eighth, third = math.pi / 8, math.pi / 3
    there = [
        placed(first + t * (last - first), (eighth, t * third, (t - 1) * eighth))
        for t in np.linspace(0.1, 1, 10)
    ]
    path = [placed((-0.4, y, 0.635), (eighth, third, 0)) for y in np.linspace(0, 0.2, 50)]
    found = follow(SIX, poses=there + path, actuated=SIX_MOTORS, initial=start, strict=True)[10:]
    counts = [conjugate_points(x).count for x in found]
    assert sorted(counts) == counts
    assert set(counts) == {0, 1}

    system = chorda.assemble(SIX)
    for k in (counts.index(1) - 2, counts.index(1) + 1):
        assert np.sum(with_modes(system, found[k]).eigenvalues < 0) == counts[k]


def with_modes(system, here):
    """The same configuration in the model with modes; placed in part, so that it is not left."""
    values = dict(here.position)
    for k in range(1, 7):
        s, strain = here.strains(f"leg{k}")
        for column_, name in ((1, "bend_y"), (2, "bend_z")):
            c = np.polynomial.legendre.legfit(2 * s - 1, strain[:, column_], 7)
            values |= {f"leg{k}.{name}{j}": value for j, value in enumerate(c.tolist())}
    p = here.frame("platform")[0]
    return chorda.equilibrium(
        system,
        hold={name: here.position[name] for name in SIX_MOTORS[:3]},
        poses={"platform": dict(zip("xyz", p.tolist(), strict=True))},
        actuated=SIX_MOTORS,
        initial=values,
        strict=True,
    )
