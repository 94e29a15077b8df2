"""Stiffness and mass of round, hollow, flat and tapered rods against formulas by hand."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Circle, Disk, Placement, Prismatic, Rectangle, Revolute, Tube
from tests.helpers.evaluate import forces
from tests.helpers.rod_robots import (
    EI,
    RHO,
    A,
    E,
    G,
    I,
    L,
    R,
    balanced_tip,
    pose,
    pushed,
    robot,
    rod,
    settled,
)

ALL = {"twist": 1, "bend_y": 1, "bend_z": 1, "stretch": 1, "shear_y": 1, "shear_z": 1}
W, H = 0.012, 0.005


def rectangle_torsion(w, h):
    """Saint-Venant's constant, by its series."""
    a, b = max(w, h), min(w, h)
    n = np.arange(1, 40, 2)
    return (
        a
        * b**3
        * (1 / 3 - 64 / math.pi**5 * b / a * (np.tanh(n * math.pi * a / 2 / b) / n**5).sum())
    )


AREAS = {
    "circle": (Circle(radius=R), A, I, I, 2 * I),
    "tube": (
        Tube(radius=5e-3, inner_radius=3e-3),
        math.pi * (25e-6 - 9e-6),
        math.pi / 4 * (5e-3**4 - 3e-3**4),
        math.pi / 4 * (5e-3**4 - 3e-3**4),
        math.pi / 2 * (5e-3**4 - 3e-3**4),
    ),
    "flat": (
        Rectangle(width=W, height=H),
        W * H,
        W * H**3 / 12,
        H * W**3 / 12,
        rectangle_torsion(W, H),
    ),
    "upright": (
        Rectangle(width=H, height=W),
        W * H,
        H * W**3 / 12,
        W * H**3 / 12,
        rectangle_torsion(W, H),
    ),
    "square": (Rectangle(width=H, height=H), H**2, H**4 / 12, H**4 / 12, 0.1406 * H**4),
}


@pytest.mark.parametrize("kind", AREAS)
def test_stiffness_is_modulus_times_moment_of_area(kind):
    section, area, Iy, Iz, J = AREAS[kind]
    system = chorda.assemble(robot(rod(ALL, section=section)))
    K = -chorda.linearize(system).K / L
    expected = [G * J, E * Iy, E * Iz, E * area, G * area, G * area]
    assert np.diag(K)[1:] == pytest.approx(expected[1:], rel=1e-12)
    assert K[0, 0] == pytest.approx(G * J, rel=1e-12 if kind in ("circle", "tube") else 5e-3)
    assert np.allclose(K, np.diag(np.diag(K)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("taper", [0.4, 1.0, 2.5])
def test_tapered_rod_has_the_stiffness_and_mass_of_a_cone(taper):
    t = taper
    made = rod(ALL, taper=taper, parent="slide")
    system = chorda.assemble(robot(Prismatic(name="slide"), made))
    linear = chorda.linearize(system)
    fourth, second = (sum(t**k for k in range(n + 1)) / (n + 1) for n in (4, 2))
    expected = [2 * G * I * fourth, EI * fourth, EI * fourth, E * A * second]
    expected += 2 * [G * A * second]
    assert -np.diag(linear.K)[1:] / L == pytest.approx(expected, rel=1e-12)
    assert linear.M[0, 0] == pytest.approx(RHO * A * L * second, rel=1e-12)


def test_cone_bends_under_a_force_on_its_tip_as_by_hand():
    """f = F L^3 / (3 E I_base taper)."""
    taper, force = 0.5, 1e-5
    made = rod({"bend_z": 12, "order": 6}, taper=taper)
    tip = balanced_tip(robot(made, loads=(pushed((0, force, 0)),)))
    assert tip[1] == pytest.approx(force * L**3 / (3 * EI * taper), rel=1e-6)


def test_shear_modulus_is_that_of_a_metal_unless_it_is_given():
    system = chorda.assemble(robot(rod({"twist": 1}, shear_modulus=3e9)))
    assert -chorda.linearize(system).K[0, 0] == pytest.approx(3e9 * 2 * I * L, rel=1e-12)


def on_a_hinge(axis, *disks, modes=None):
    made = rod(modes or {"bend_z": 1}, parent="hinge", disks=disks)
    return chorda.assemble(robot(Revolute(name="hinge", axis=axis), made))


def test_rod_on_a_hinge_has_the_inertia_of_a_bar():
    """m L^2 / 3 and what its thickness adds."""
    m = RHO * A * L
    across = on_a_hinge((0, 0, 1))
    assert across.M_at(across.rest)[0, 0] == pytest.approx(m * (L**2 / 3 + R**2 / 4), rel=1e-12)
    along = on_a_hinge((1, 0, 0))
    assert along.M_at(along.rest)[0, 0] == pytest.approx(m * R**2 / 2, rel=1e-12)


def test_very_stiff_rod_on_a_hinge_is_a_pendulum():
    """w^2 = 3 g / (2 L), for a bar that is thin."""
    made = rod({"bend_z": 2}, parent="hinge", young_modulus=1e12)
    system = chorda.assemble(robot(Revolute(name="hinge"), made, gravity=(9.81, 0, 0)))
    linear = chorda.linearize(system)
    slowest = np.abs(linear.eigenvalues).min()
    assert slowest == pytest.approx(math.sqrt(1.5 * 9.81 / L), rel=1e-4)


PLACES = {"middle": 0.2, "tip": L, "base": 0.0}


@pytest.mark.parametrize("where", PLACES)
def test_disk_adds_its_inertia_where_it_sits(where):
    at, mass, radius = PLACES[where], 0.05, 0.02
    disk = Disk(name="disk", at=at, radius=radius, mass=mass)
    for axis, expected in (
        ((0, 0, 1), mass * (at**2 + radius**2 / 4)),
        ((1, 0, 0), mass * radius**2 / 2),
    ):
        system = on_a_hinge(axis, disk)
        bare = on_a_hinge(axis)
        added = system.M_at(system.rest)[0, 0] - bare.M_at(bare.rest)[0, 0]
        assert added == pytest.approx(expected, rel=1e-10)
        v = np.array([1.0, 0.0])
        energy = system.energies(system.rest, v, [], system.parameters())[0]
        assert 2 * float(energy) == pytest.approx(system.M_at(system.rest)[0, 0], rel=1e-12)


def test_disks_at_one_place_weigh_together():
    disks = [Disk(name=n, at=0.3, radius=0.02, mass=0.05) for n in "ab"]
    system, bare = on_a_hinge((0, 0, 1), *disks), on_a_hinge((0, 0, 1))
    added = system.M_at(system.rest)[0, 0] - bare.M_at(bare.rest)[0, 0]
    assert added == pytest.approx(0.1 * (0.09 + 1e-4), rel=1e-10)


def test_disk_without_mass_changes_nothing():
    disk = Disk(name="disk", at=0.2, radius=0.02)
    system, bare = on_a_hinge((0, 0, 1), disk), on_a_hinge((0, 0, 1))
    assert np.allclose(system.M_at(system.rest), bare.M_at(bare.rest), rtol=1e-9)


def test_disk_stands_where_the_rod_is_cut():
    made = rod({"bend_z": 1}, disks=(Disk(name="disk", at=0.2, radius=0.02),))
    k = 3.0
    turn, at = pose(chorda.assemble(robot(made)), [k], "rod.disk")
    assert np.allclose(
        at, [math.sin(0.2 * k) / k, (1 - math.cos(0.2 * k)) / k, 0], rtol=0, atol=1e-13
    )
    assert np.allclose(turn[:, 0], [math.cos(0.2 * k), math.sin(0.2 * k), 0], rtol=0, atol=1e-13)


def test_weight_of_rod_and_disks_hangs_on_a_spring():
    """A slide with a spring sinks by the weight over its stiffness, however the rod bends."""
    disks = (
        Disk(name="a", at=0.1, radius=0.02, mass=0.03),
        Disk(name="b", at=L, radius=0.02, mass=0.02),
    )
    slide = Prismatic(name="slide", axis=(0, 1, 0), stiffness=50.0)
    made = rod({"bend_z": 4}, parent="slide", disks=disks)
    found = settled(robot(slide, made, gravity=(0, -9.81, 0)))
    assert found.q[0] == pytest.approx(-9.81 * (RHO * A * L + 0.05) / 50.0, rel=1e-9)


def test_body_of_a_slice_does_not_depend_on_where_the_rod_is_put():
    placed = rod({"bend_z": 2}, placement=Placement(position=(1, 2, 3), axis=(0, 1, 0), angle=1.0))
    here, there = (chorda.assemble(robot(x)) for x in (rod({"bend_z": 2}), placed))
    q = np.array([2.0, -1.0])
    assert np.allclose(forces(here, q)[0], forces(there, q)[0], rtol=1e-12)
