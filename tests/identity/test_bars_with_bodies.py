"""Bars of X-joints with bodies of their own: as slender bars, and as bodies fixed to them."""

import numpy as np
import pytest

import chorda
from chorda.cli.robot_tables import robot_tables
from chorda.describe import Body, Fixed, Robot, XJoint, dump, parse
from tests.helpers.evaluate import close, forces, jacobian, random_state
from tests.helpers.refusals import refused_robot

SIZES = {"diagonal_length": 0.1, "bar_length": 0.05}
UNIFORM = {"diagonal_mass": 0.064, "bar_mass": 0.032}
LEFT = Body(mass=0.05, center=(0.01, 0.004, 0.002), inertia=(2e-6, 3e-5, 3.1e-5, 1e-6, 0, 0))
RIGHT = Body(mass=0.08, center=(-0.02, 0.001, -0.002), inertia=(1e-6, 5e-5, 5e-5, 0, 2e-6, 0))
TOP = Body(mass=0.2, center=(0.003, 0.03, 0), inertia=(1e-4, 4e-5, 1.2e-4, 0, 0, 1e-6))
CAD = {"left_diagonal": LEFT, "right_diagonal": RIGHT, "top": TOP}


def slender(mass, length):
    J = mass * length**2 / 12
    return Body(mass=mass, inertia=(0, J, J, 0, 0, 0))


def neck(*more, first=CAD, second=UNIFORM, **fields):
    joints = (
        XJoint(name="x1", **SIZES, **first),
        XJoint(name="x2", parent="x1.top", **SIZES, **second),
    )
    return Robot(name="neck", joints=(*joints, *more), **fields)


def same(a, b, seed=0):
    one, two = chorda.assemble(a), chorda.assemble(b)
    q, v, _, _ = random_state(one, np.random.default_rng(seed))
    for x, y in zip(forces(one, q, v), forces(two, q, v), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-14)


def test_a_slender_body_is_a_uniform_bar():
    d, b = slender(0.064, 0.1), slender(0.032, 0.05)
    same(neck(first={"left_diagonal": d, "right_diagonal": d, "top": b}), neck(first=UNIFORM))
    same(neck(first={"left_diagonal": d, **UNIFORM}), neck(first=UNIFORM))


def test_a_body_of_a_bar_is_a_body_fixed_to_it():
    """Bars that weigh next to nothing carry the bodies as fixed joints."""
    light = {"x1.diagonal_mass": 1e-12, "x1.bar_mass": 1e-12}
    carried = [Fixed(name=f"on-{x}", parent=f"x1.{x}", body=body) for x, body in CAD.items()]
    one, two = chorda.assemble(neck()), chorda.assemble(neck(*carried, first=UNIFORM))
    q, v, _, _ = random_state(one, np.random.default_rng(1))
    for x, y in zip(forces(one, q, v), forces(two, q, v, changes=light), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-7, atol=1e-11)


def test_inertia_is_that_of_the_kinetic_energy_and_gravity_that_of_the_potential_one():
    system = chorda.assemble(neck())
    q, v, _, _ = random_state(system, np.random.default_rng(2))
    p, still = system.parameters(), np.zeros(2)
    M = forces(system, q, v)[0]
    assert float(system.energies(q, v, [], p)[0]) == pytest.approx(v @ M @ v / 2, rel=1e-12)

    def energy(d):
        return np.array([float(system.energies(q + d, still, [], p)[1])])

    assert close(forces(system, q, still)[1], -jacobian(energy, 2).ravel())


def test_a_robot_with_them_is_written_and_read_again():
    assert parse(dump(neck())) == neck()


def test_their_numbers_are_parameters():
    system = chorda.assemble(neck())
    assert {"x1.left_diagonal.mass", "x1.top.center.y", "x1.right_diagonal.inertia.xz"} <= set(
        system.parameter_names
    )
    assert "x1.diagonal_mass" not in system.parameter_names


def test_tables_show_the_masses_of_all_bars():
    table = next(x for x in robot_tables(chorda.assemble(neck())) if x.title == "Bodies")
    rows = dict(table.rows)
    assert rows["x1.left_diagonal"] == "0.05 kg"
    assert rows["x1.top"] == "0.2 kg"
    assert rows["x2: two diagonals"] == "0.064 kg each"
    assert rows["x2: top bar"] == "0.032 kg"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bar_mass": 0.03}, "diagonal_mass: this field is missing; give the mass of a uniform"),
        ({**UNIFORM, "top": {"mass": 0.1}}, "bar_mass: expected none where top has a body"),
        ({"diagonal_mass": 0.06}, "bar_mass: this field is missing"),
    ],
)
def test_each_bar_has_its_mass_once(fields, message):
    joint = {"name": "x", "kind": "x", **SIZES, **fields}
    assert message in refused_robot(joints=[joint])
