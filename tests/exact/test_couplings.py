"""Coordinates that are tied linearly: a pair of gears is one inertia, and shares its torque."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Coupling, Prismatic, Revolute, Robot

J1, J2, RATIO, SPRING = 0.02, 0.005, -1.5, 3.0  # [kg m^2, kg m^2, -, N m/rad]


def wheel(name, inertia, **fields):
    return Revolute(name=name, body=Body(mass=1.0, inertia=(0, 0, inertia, 0, 0, 0)), **fields)


def gears(offset=None):
    """The second wheel turns by `RATIO` times the turn of the first, less the offset."""
    return Robot(
        name="gears",
        gravity=(0, 0, 0),
        joints=(wheel("one", J1, stiffness=SPRING), wheel("two", J2)),
        couplings=(Coupling(name="mesh", factors={"one": RATIO, "two": -1.0}, offset=offset),),
    )


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "generalized-alpha"])
def test_gears_swing_as_one_inertia_and_the_mesh_carries_the_other_wheel(scheme):
    start, step = 0.3, 1e-3
    run = chorda.simulate(
        chorda.assemble(gears()),
        duration=1.0,
        step=step,
        scheme=scheme,
        initial={"one": start, "two": RATIO * start},
        strict=True,
    )
    omega = np.sqrt(SPRING / (J1 + RATIO**2 * J2))
    exact = start * np.cos(omega * run.time)
    atol = 1e-6 if scheme == "rk4" else 3e-4
    np.testing.assert_allclose(run.position[:, 0], exact, atol=atol)
    np.testing.assert_allclose(run.position[:, 1], RATIO * run.position[:, 0], atol=1e-9)
    mesh = run.data["reaction"].sel(closure="mesh.coupling").values
    accelerated = -(omega**2) * run.position[:, 0] * RATIO  # of the second wheel
    np.testing.assert_allclose(-mesh, J2 * accelerated, atol=1e-3 * J2 * omega**2 + 1e-9)


def test_a_coupled_robot_rests_where_the_coupling_lets_it():
    """two = RATIO one - offset; the spring of `one` alone stores energy, so that one = 0."""
    rest = chorda.equilibrium(chorda.assemble(gears(0.2)))
    assert rest.status.ok
    np.testing.assert_allclose(rest.q, [0.0, -0.2], atol=1e-9)


def test_a_rack_that_a_wheel_pushes_rests_by_the_ratio_of_its_springs():
    """x = r q: with springs k (q - q0) and K x at rest k (q - q0) + K r^2 q = 0."""
    r, k, K, q0 = 0.04, 2.0, 900.0, 0.5
    rack = Prismatic(name="rack", axis=(1, 0, 0), body=Body(mass=0.3), stiffness=K)
    robot = Robot(
        name="rack",
        gravity=(0, 0, 0),
        joints=(wheel("pinion", J1, stiffness=k, rest=q0), rack),
        couplings=(Coupling(name="teeth", factors={"pinion": r, "rack": -1.0}),),
    )
    rest = chorda.equilibrium(chorda.assemble(robot))
    assert rest.q[0] == pytest.approx(k * q0 / (k + K * r**2), abs=1e-10)
    assert rest.q[1] == pytest.approx(r * rest.q[0], abs=1e-12)
    assert rest.stability == "stable"


def test_a_coupling_that_repeats_another_is_left_out():
    once = gears()
    again = Coupling(name="again", factors={"one": 2 * RATIO, "two": -2.0})
    system = chorda.assemble(once.model_copy(update={"couplings": (*once.couplings, again)}))
    assert len(system.constraints.names) == 1
