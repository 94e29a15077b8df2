"""Lengths of tendons in their sheaths, and what they do when they pull."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Point, Sheath, Tendon, TensionActuator
from tests.helpers.evaluate import lengths
from tests.helpers.rod_robots import EI, A, E, G, I, L, balanced, pose, robot, rod

D = 0.01  # [m] offset of the sheaths
ALL = {"twist": 1, "bend_y": 1, "bend_z": 1, "stretch": 1, "order": 6}
TWIST, BEND_Y, BEND_Z, STRETCH = range(4)


def pulled(*sheaths, modes=ALL, path=(), lead=0.0, **fields):
    """A rod with a tendon that is pulled with a given force."""
    tendon = Tendon(name="cable", sheaths=sheaths, path=path, actuator="pull", lead=lead)
    actuator = TensionActuator(name="pull")
    return chorda.assemble(robot(rod(modes, **fields), actuators=(actuator,), tendons=(tendon,)))


def strained(**strains):
    q = np.zeros(4)
    for name, value in strains.items():
        q[{"twist": TWIST, "bend_y": BEND_Y, "bend_z": BEND_Z, "stretch": STRETCH}[name]] = value
    return q


@pytest.mark.parametrize("k", [-5.0, 0.0, 2.0, 20.0])
def test_parallel_sheath_on_a_circle_is_an_arc_of_its_own_radius(k):
    """(1 - offset times curvature) L, the offset towards the centre of the circle."""
    beside, above = pulled(Sheath(rod="rod", y=D)), pulled(Sheath(rod="rod", z=D))
    assert lengths(beside, strained(bend_z=k)) == pytest.approx((1 - D * k) * L, rel=1e-12)
    assert lengths(above, strained(bend_y=k)) == pytest.approx((1 + D * k) * L, rel=1e-12)
    assert lengths(beside, strained(bend_y=k)) == pytest.approx(L, rel=1e-12)


def test_stretched_rod_stretches_its_sheaths():
    system = pulled(Sheath(rod="rod", y=D, z=0.3 * D))
    assert lengths(system, strained(stretch=0.02)) == pytest.approx(1.02 * L, rel=1e-12)


@pytest.mark.parametrize("turns", [1, 2.5, -1])
def test_helical_sheath_is_as_long_as_a_helix(turns):
    system = pulled(Sheath(rod="rod", y=0.6 * D, z=0.8 * D, turns=turns))
    per_length = 2 * math.pi * turns / L
    assert lengths(system, np.zeros(4)) == pytest.approx(
        math.hypot(1, per_length * D) * L, rel=1e-12
    )
    twist = 3.0
    assert lengths(system, strained(twist=twist)) == pytest.approx(
        math.hypot(1, (per_length + twist) * D) * L, rel=1e-12
    )


def test_converging_sheath_is_a_straight_line_on_a_straight_rod():
    system = pulled(Sheath(rod="rod", y=[D, -0.7 * D], z=[0, 0.3 * D]))
    assert lengths(system, np.zeros(4)) == pytest.approx(
        math.sqrt(L**2 + (0.7 * D) ** 2 + (0.3 * D) ** 2), rel=1e-12
    )


def test_sheath_that_ends_inside_is_as_long_as_its_part():
    system = pulled(Sheath(rod="rod", y=D, start=0.1, end=0.32))  # three parts
    bent = np.array([4.0 * ("bend_z" in name) for name in system.coordinate_names])
    assert lengths(system, bent) == pytest.approx((1 - 4 * D) * 0.22, rel=1e-12)


def test_path_before_a_sheath_and_lead_add_their_lengths():
    path = (Point(point=(-0.1, D, 0.2)), Point(point=(0, D, 0)))
    system = pulled(Sheath(rod="rod", y=D), path=path, lead=0.3)
    assert lengths(system, np.zeros(4)) == pytest.approx(0.3 + math.hypot(0.1, 0.2) + L, rel=1e-12)


def test_curved_sheath_on_a_curved_rod_is_as_long_as_the_line_through_its_places():
    """Against the points that are drawn, as a fine polygon."""
    sheath = Sheath(rod="rod", y=[D, D, -2 * D], z=[0, D], turns=0.7)
    system = pulled(sheath, modes={**ALL, "intervals": 60})
    q = strained(twist=2.0, bend_y=3.0, bend_z=-5.0, stretch=0.01)
    cable = next(line for line in system.picture.lines if line.kind == "tendon")
    points = system.drawing(q, system.parameters()).full()[:, list(cable.points)]
    chords = np.linalg.norm(np.diff(points, axis=1), axis=0).sum()
    between = lengths(system, q)[0]
    assert chords == pytest.approx(between, rel=1e-3)


@pytest.mark.parametrize("tension", [0.5, 5.0])
def test_pulled_tendon_bends_the_rod_into_a_circle(tension):
    """Curvature T d / EI, stretch -T / EA, whatever the number of functions."""
    system = pulled(Sheath(rod="rod", y=D), modes={"bend_z": 3, "stretch": 2})
    q = balanced(system, u=np.array([tension]))
    k = tension * D / EI
    assert q == pytest.approx([k, 0, 0, -tension / (E * A), 0], rel=1e-9, abs=1e-10)
    shorter = 1 - tension / (E * A)
    assert np.allclose(
        pose(system, q)[1],
        shorter / k * np.array([math.sin(k * L), 1 - math.cos(k * L), 0]),
        rtol=0,
        atol=1e-9,
    )


def test_equilibrium_under_a_tension_is_that_circle():
    system = pulled(Sheath(rod="rod", z=D), modes={"bend_y": 2})
    found = chorda.equilibrium(system, inputs=[2.0], strict=True)
    assert found.stable
    assert found.q == pytest.approx([-2.0 * D / EI, 0], rel=1e-9, abs=1e-9)
    assert found.tension == pytest.approx([2.0])


def test_tendon_that_ends_inside_bends_only_the_part_before_its_end():
    modes = {"bend_z": 1, "breaks": (0.3,)}
    system = pulled(Sheath(rod="rod", y=D, end=0.3), modes=modes)
    q = balanced(system, u=np.array([1.0]))
    assert q == pytest.approx([D / EI, 0], rel=1e-9, abs=1e-9)


def test_two_tendons_opposite_each_other_only_press_the_rod():
    tendons = [
        Tendon(name=name, sheaths=(Sheath(rod="rod", y=y),), actuator="pull")
        for name, y in (("left", D), ("right", -D))
    ]
    described = robot(
        rod({"bend_z": 2, "stretch": 1}), actuators=(TensionActuator(name="pull"),), tendons=tendons
    )
    q = balanced(chorda.assemble(described), u=np.array([1.0]))
    assert q == pytest.approx([0, 0, -2 / (E * A)], abs=1e-11)


@pytest.mark.parametrize("hand", [1, -1])
def test_helical_tendon_twists_and_bends_the_rod(hand):
    """For a small tension: twist -T d^2 w / (GJ ds/dx), bend T d / EI / (ds/dx) that turns with
    the sheath; w is the rate of its turns."""
    tension, w = 1e-4, math.pi * hand / L
    modes = {"twist": 1, "bend_y": 6, "bend_z": 6, "order": 6}
    system = pulled(Sheath(rod="rod", y=D, turns=0.5 * hand), modes=modes)
    q = balanced(system, u=np.array([tension]))
    longer = math.hypot(1, D * w)
    assert q[0] == pytest.approx(-tension * D**2 * w / longer / (2 * G * I), rel=1e-4)
    x = np.linspace(0, 1, 9)
    functions = np.polynomial.legendre.legvander(2 * x - 1, 5)
    k = tension * D / EI / longer
    assert functions @ q[1:7] == pytest.approx(-k * np.sin(w * L * x), abs=2e-3 * k)
    assert functions @ q[7:] == pytest.approx(k * np.cos(w * L * x), abs=2e-3 * k)


def test_tendon_through_two_rods_bends_both_alike():
    lower = rod({"bend_z": 1}, name="lower")
    upper = rod({"bend_z": 1}, name="upper", parent="lower.tip")
    sheaths = tuple(Sheath(rod=name, y=D) for name in ("lower", "upper"))
    tendon = Tendon(name="cable", sheaths=sheaths, actuator="pull")
    described = robot(lower, upper, actuators=(TensionActuator(name="pull"),), tendons=(tendon,))
    q = balanced(chorda.assemble(described), u=np.array([1.0]))
    assert q == pytest.approx([D / EI, D / EI], rel=1e-10)
