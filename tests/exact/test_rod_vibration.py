"""Natural frequencies of clamped rods against beam theory."""

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import chorda
from chorda.describe import Circle, Disk, Rectangle
from tests.helpers.rod_robots import EI, PRECISE, RHO, A, E, G, L, R, frequencies, robot, rod

BETA = np.array([1.8751040687, 4.6940911330, 7.8547574382])  # cos b cosh b = -1
EULER_BERNOULLI = BETA**2 / L**2 * math.sqrt(EI / (RHO * A))


@pytest.mark.parametrize("strain", ["bend_y", "bend_z"])
def test_thin_cantilever_has_the_frequencies_of_euler_and_bernoulli(strain):
    found = frequencies(chorda.assemble(robot(rod({strain: 7}))))[:3]
    assert found == pytest.approx(EULER_BERNOULLI, rel=1e-3)


def by_transfer(radius, shear, near):
    """Frequency of a clamped beam with rotary inertia, and shear if there is any, near a guess.

    Deflection, slope, moment and force are carried along the beam by a matrix exponential."""
    A, I = math.pi * radius**2, math.pi * radius**4 / 4  # noqa: E741
    flexible = 1 / (G * A) if shear else 0.0

    def gap(w):
        rate = np.array(
            [
                [0, 1, 0, flexible],
                [0, 0, 1 / (E * I), 0],
                [0, -RHO * I * w**2, 0, -1],
                [-RHO * A * w**2, 0, 0, 0],
            ]
        )
        free = expm(rate * L)[2:, 2:]
        return np.linalg.det(free)

    return brentq(gap, 0.9 * near, 1.1 * near, rtol=1e-14)


@pytest.mark.parametrize("shear", [False, True], ids=["Rayleigh", "Timoshenko"])
def test_thick_cantilever_has_the_frequencies_of_rayleigh_and_timoshenko(shear):
    radius = 0.02
    modes = {"bend_z": 8, "shear_y": 8 * shear, **PRECISE}
    made = rod(modes, section=Circle(radius=radius))
    found = frequencies(chorda.assemble(robot(made)))[:3]
    thick = EULER_BERNOULLI * radius / R
    for i, w in enumerate(found):
        expected = by_transfer(radius, shear, w)
        assert w == pytest.approx(expected, rel=(1e-10, 1e-7, 1e-5)[i])
        assert abs(w / thick[i] - 1) > 5e-4, "it can be told from a thin one"


WAVES = {"twist": math.sqrt(G / RHO), "stretch": math.sqrt(E / RHO)}


@pytest.mark.parametrize("strain", WAVES)
def test_rod_twists_and_stretches_with_a_quarter_of_a_wave(strain):
    found = frequencies(chorda.assemble(robot(rod({strain: 8, **PRECISE}))))[:3]
    waves = math.pi / 2 * np.array([1, 3, 5]) * WAVES[strain] / L
    assert found == pytest.approx(waves, rel=2e-5)
    assert found[0] == pytest.approx(waves[0], rel=1e-10)


def test_flat_bar_twists_slower_than_a_round_one():
    """Speed of a twist sqrt(G J / rho Ip), with Saint-Venant's constant of a 3 : 1 rectangle."""
    w, h = 0.012, 0.004
    flat = rod({"twist": 5}, section=Rectangle(width=w, height=h))
    found = frequencies(chorda.assemble(robot(flat)))
    J, polar = 0.263 * w * h**3, w * h * (w**2 + h**2) / 12
    assert found[0] == pytest.approx(math.pi / 2 / L * math.sqrt(G * J / (RHO * polar)), rel=2e-3)


def test_light_rod_with_a_heavy_disk_at_its_tip_is_a_spring_with_a_mass():
    """w^2 = 3 EI / ((m + 33/140 of the rod) L^3), Rayleigh's quotient."""
    mass, own = 0.5, RHO * A * L
    made = rod({"bend_z": 5}, disks=(Disk(name="end", at=L, radius=1e-3, mass=mass),))
    found = frequencies(chorda.assemble(robot(made)))[0]
    assert found == pytest.approx(math.sqrt(3 * EI / ((mass + 33 / 140 * own) * L**3)), rel=1e-5)


def test_weight_of_a_hanging_rod_makes_it_stiffer_and_of_a_standing_one_softer():
    hanging, standing = (
        frequencies(chorda.assemble(robot(rod({"bend_z": 4}), gravity=(g, 0, 0))))[0]
        for g in (2.0, -2.0)
    )
    assert hanging > EULER_BERNOULLI[0] > standing


def test_standing_rod_buckles_under_its_own_weight_at_greenhills_length():
    """rho A g L^3 = 7.8373 EI, the square of the first zero of a Bessel function times 9 / 4."""
    from scipy.special import jv

    zero = brentq(lambda x: jv(-1 / 3, x), 1.5, 2.2)
    g = 9 / 4 * zero**2 * EI / (RHO * A * L**3)
    system = chorda.assemble(robot(rod({"bend_z": 8, **PRECISE}), gravity=(-1.0, 0, 0)))

    def least(g):
        return np.linalg.eigvalsh(-chorda.linearize(system, parameters={"gravity.x": -g}).K)[0]

    assert brentq(least, 0.8 * g, 1.2 * g) == pytest.approx(g, rel=1e-8)
