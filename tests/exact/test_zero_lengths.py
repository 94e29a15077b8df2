"""Springs and cables at length zero: forces, frequencies and lengths are what their limits are."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Spring,
    Tendon,
    TensionActuator,
)

K, MASS = 100.0, 2.0


def sprung(free_length=0.0, damping=None):
    """A mass that slides along x and y, tied to the origin, where it is in the reference."""
    joints = (
        Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=1e-3)),
        Prismatic(name="y", axis=(0, 1, 0), parent="x", body=Body(mass=MASS)),
    )
    spring = Spring(
        name="spring",
        start=Point(),
        end=Point(frame="y"),
        stiffness=K,
        free_length=free_length,
        damping=damping,
    )
    return Robot(name="sprung", joints=joints, springs=(spring,), gravity=(0, 0, 0))


@pytest.mark.parametrize("damping", [None, 1.0])
def test_a_spring_without_free_length_holds_at_length_zero(damping):
    system = chorda.assemble(sprung(damping=damping))
    found = chorda.equilibrium(system, strict=True)
    assert found.stability == "stable"
    assert found.eigenvalues == pytest.approx([K, K], rel=1e-12)
    linear = chorda.linearize(system)
    assert pytest.approx(-K * np.eye(2), rel=1e-12) == linear.K


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "rosenbrock", "cvodes"])
def test_it_swings_through_zero_as_an_oscillator(scheme):
    system = chorda.assemble(sprung())
    run = chorda.simulate(
        system, duration=1.0, step=1e-3, initial={"y": 0.1}, scheme=scheme, strict=True
    )
    wanted = 0.1 * np.cos(np.sqrt(K / MASS) * run.time)
    assert run.position[:, 1] == pytest.approx(wanted, abs=2e-5)
    assert run.position[:, 0] == pytest.approx(0, abs=1e-12)


def finger(twice):
    """Two links; the cable passes the second joint's axis, given once or in two frames."""
    link = Body(mass=0.1, center=(0.05, 0, 0), inertia=(1e-5, 1e-4, 1e-4, 0, 0, 0))
    middle = [Point(frame="a", point=(0.1, 0, 0))] + [Point(frame="b")] * twice
    return Robot(
        name="finger",
        joints=(
            Revolute(name="a", body=link, friction=0.01),
            Revolute(
                name="b",
                parent="a",
                placement=Placement(position=(0.1, 0, 0)),
                body=link,
                stiffness=0.5,
                friction=0.01,
            ),
        ),
        actuators=(TensionActuator(name="pull"),),
        tendons=(
            Tendon(
                name="cable",
                path=(
                    Point(point=(-0.05, 0.02, 0)),
                    *middle,
                    Point(frame="b", point=(0.1, 0.02, 0)),
                ),
                law=KelvinVoigt(stiffness=1e4),
                actuator="pull",
            ),
        ),
    )


def test_a_cable_through_a_point_given_in_two_frames_is_one_through_that_point():
    once, twice = (chorda.assemble(finger(k)) for k in (False, True))
    q, how = {"a": 0.3, "b": -0.4}, {"duration": 0.2, "step": 1e-3, "inputs": {"pull": 5.0}}
    for scheme in ("bdf2", "rk4"):
        a, b = (
            chorda.simulate(s, initial=q, scheme=scheme, strict=True, **how) for s in (once, twice)
        )
        assert b.position == pytest.approx(a.position, abs=1e-9)
        assert b.outputs["length"] == pytest.approx(a.outputs["length"], abs=1e-9)
    rests = [chorda.equilibrium(s, tensions=5.0, strict=True) for s in (once, twice)]
    assert rests[1].stability == rests[0].stability == "stable"
    assert rests[1].q == pytest.approx(rests[0].q, abs=1e-9)
    assert rests[1].eigenvalues == pytest.approx(rests[0].eigenvalues, rel=1e-6)


def test_reactions_of_a_cable_through_one_point_twice_are_finite():
    system = chorda.assemble(finger(True))
    run = chorda.simulate(system, duration=0.01, step=1e-3, inputs={"pull": 5.0}, strict=True)
    found = chorda.reactions(run)
    assert np.all(np.isfinite(found.force.values))
    assert np.abs(found.effort.values).max() < 1e-9
