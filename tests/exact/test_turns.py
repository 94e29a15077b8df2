"""Cables that turn about their pulleys more than half a turn: counted on, or the motion ends."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Rigid,
    Robot,
    Tendon,
    TensionActuator,
    Winch,
)
from chorda.errors import InputError
from chorda.results.status import OF_EXIT
from tests.helpers.evaluate import arms, lengths
from tests.helpers.pulley_robots import LINK, chain, pulled, random_robot

SCHEMES = ["explicit-euler", "implicit-euler", "rk4", "rk45", "bdf2", "rosenbrock", "cvodes"]
LAW = KelvinVoigt(stiffness=2.0, damping=0.1, pretension=0.1)


def changes(system, rows):
    """Of the first tendon's length from the reference configuration, at rows of joint
    coordinates."""
    index = [o.name for o in system.outputs].index("length")
    zeros = [np.zeros(n) for n in (system.nv, system.nv, system.nc, system.nu)]
    found = system.observe(rows.T, *zeros, system.parameters())[index].full()
    return found[0] - lengths(system, system.rest)[0]


# Counted ---------------------------------------------------------------------------------------


def test_a_finger_winds_its_radii_through_many_turns():
    system = chorda.assemble(chorda.load("finger-2n"))
    rest = lengths(system, system.rest)
    for q in np.random.default_rng(0).uniform(-20, 20, (10, 2)):
        wound = [-0.008 * q[0], 0.008 * q[0], -0.008 * q[0] - 0.006 * q[1]]
        wound.append(-wound[2])
        found = lengths(system, [*q, 0, 0, 0, 0]) - rest
        assert np.allclose(found, wound, rtol=0, atol=1e-14)
    assert not system.tendons.windings


def test_a_winch_without_a_carrier_turns_as_its_cable_is_wound():
    disc = Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5, 0, 0, 0))
    drum = Pulley(frame="drum", radius=0.01, side="left", wound=8.0)
    cable = Tendon(
        name="cable", path=(Point(point=(-0.1, 0, 0)), drum), law=Rigid(), actuator="winch"
    )
    robot = Robot(
        name="winch",
        joints=(Revolute(name="drum", body=disc),),
        actuators=(Winch(name="winch"),),
        tendons=(cable,),
    )
    system = chorda.assemble(robot)
    inputs = {"winch": lambda t: -0.03 * t}
    run = chorda.simulate(system, duration=2.0, step=1e-3, inputs=inputs, strict=True)
    assert run.position[-1, 0] == pytest.approx(-6.0, abs=0.05)


@pytest.mark.parametrize("reach", [0.1, 0.6])
def test_a_point_that_goes_round_a_pulley_by_two_joints_is_followed(reach):
    """Whichever link is the longer, the cable turns with it but for less than a quarter turn."""
    path = (Pulley(radius=0.02, side="left"), Point(frame="j2", point=(reach, 0, 0)))
    system = chorda.assemble(pulled(chain(2), path))
    assert not system.tendons.windings
    for direction in ((1.0, 0.0), (0.0, 1.0), (-1.0, 3.0)):
        rows = np.linspace(0, 15, 6000)[:, None] * direction
        slopes = arms(system, rows.T).T @ direction
        found = changes(system, rows)
        h = rows[1] @ direction / np.dot(direction, direction)
        wanted = -np.concatenate([[0], np.cumsum((slopes[1:] + slopes[:-1]) / 2 * h)])
        assert np.allclose(found, wanted, rtol=0, atol=1e-5)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_lengths_have_no_jump_where_none_is_told(seed, planar):
    system = chorda.assemble(random_robot(seed, joints=2, leave=False, planar=planar))
    rng = np.random.default_rng(seed)
    checked = 0
    for direction in rng.uniform(-1, 1, (4, 2)):
        rows = np.linspace(0, 12, 4000)[:, None] * direction
        found = changes(system, rows)
        p = system.parameter_values
        turns = system.winding(rows.T, p).full().T
        whole = np.isfinite(found[1:]) & np.isfinite(found[:-1])
        jumps = (np.abs(np.diff(found)) > 0.02) & whole
        told = (np.abs(np.diff(turns, axis=0)) > np.pi).any(axis=1)
        assert not np.any(jumps & ~told)
        checked += whole.sum()
    assert checked > 1000


# Ended -----------------------------------------------------------------------------------------


def gantry(law=None, low=None):
    """A point on two slides that flies over a pulley and comes down behind it."""
    body = Body(mass=1.0)
    joints = (
        Prismatic(name="x", axis=(1, 0, 0), body=body, placement=Placement(position=(LINK, 0, 0))),
        Prismatic(
            name="y",
            parent="x",
            axis=(0, 1, 0),
            body=body,
            range=None if low is None else (low, 1.0),
        ),
    )
    path = (Pulley(radius=0.02, side="left"), Point(frame="y"))
    cable = Tendon(name="cable", path=path, law=law or Rigid(), actuator=None if law else "pull")
    actuators = () if law else (TensionActuator(name="pull"),)
    parts = {"gravity": (0, -4, 0), "joints": joints, "actuators": actuators, "tendons": (cable,)}
    return chorda.assemble(Robot(name="gantry", **parts))


THROWN = {"x.rate": -1.0, "y.rate": 1.0}


@pytest.mark.parametrize("step", [1e-3, 5e-2])
@pytest.mark.parametrize("law", [None, LAW], ids=["pulled", "elastic"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_motion_ends_before_its_cable_has_turned_too_far(scheme, law, step):
    run = chorda.simulate(gantry(law), duration=2.0, step=step, scheme=scheme, initial=THROWN)
    assert run.status.code == "winding-limit"
    message = run.status.message
    assert message.startswith(
        "Tendon 'cable' has turned by half a turn about element 0 (pulley of radius 0.02 m at "
        "world "
        "origin) "
    )
    assert "t = " in message
    assert "Give the joints a range" in message
    assert 0.35 < run.time[-1] < 0.6
    assert np.isfinite(run.data.length.values).all()
    assert np.abs(np.diff(run.data.length.values.ravel())).max() < 1.5 * step


def test_a_range_that_ends_before_is_told_first():
    system = gantry(low=0.1)
    start = {**THROWN, "y": 0.2}
    run = chorda.simulate(system, duration=2.0, step=1e-3, scheme="rk4", initial=start)
    assert run.status.code == "out-of-range"
    assert run.status.message.startswith("y = 0.0992 m left its range 0.1 to 1")


def test_a_start_beyond_is_refused_and_one_before_is_not():
    system = gantry(LAW)
    for verb in (
        lambda start: chorda.simulate(system, duration=1e-3, step=1e-3, initial=start),
        lambda start: chorda.equilibrium(system, initial=start),
        lambda start: chorda.step_limits(system, initial=start),
        lambda start: chorda.linearize(system, [start["x"], start["y"]]),
        lambda start: chorda.rollout(
            system, duration=1e-3, step=1e-3, initial={k: np.full(2, x) for k, x in start.items()}
        ),
    ):
        with pytest.raises(
            InputError,
            match=r"(initial|q): .*endon 'cable' has turned by half a turn about element 0 .* on "
            r"the way from the reference configuration \(x = -0.6 m, y = 0.01 m\).*Give the joints",
        ):
            verb({"x": -0.6, "y": 0.01})
        verb({"x": -0.6, "y": 0.3})


def test_a_run_goes_on_from_the_end_of_another():
    system = gantry()
    first = chorda.simulate(system, duration=0.4, step=1e-3, scheme="rk4", initial=THROWN)
    assert first.status.ok
    second = chorda.simulate(system, duration=0.4, step=1e-3, scheme="rk4", initial=first)
    assert second.status.code == "winding-limit"
    assert 0.05 < second.time[-1] < 0.2


def test_a_fast_swing_that_stays_within_half_a_turn_goes_on():
    system = gantry()
    start = {"x": -0.6, "y": 0.3, "x.rate": 12.0, "y.rate": -2.0}
    run = chorda.simulate(system, duration=0.1, step=0.1, scheme="rk4", initial=start)
    assert run.status.ok
    turn = [float(system.winding(q, system.parameter_values)) for q in run.position]
    assert abs(turn[1] - turn[0]) > np.pi / 2


def test_an_equilibrium_counts_from_the_reference_configuration_wherever_it_starts():
    system = gantry(KelvinVoigt(stiffness=40.0, pretension=1.0))
    found = [chorda.equilibrium(system, initial=x) for x in ({}, {"x": -0.6, "y": 0.3})]
    assert all(x.status.ok for x in found)
    assert found[0].q == pytest.approx(found[1].q, abs=1e-6)


@pytest.mark.parametrize("every", [None, 50])
def test_a_batch_ends_its_members_before_they_have_turned_too_far(every):
    """The first one stays where it is, the second is thrown over the pulley."""
    system = gantry()
    start = {
        name: np.array([{"x": -0.6, "y": 0.3}.get(name, 0.0), x]) for name, x in THROWN.items()
    }
    found = chorda.rollout(
        system, duration=1.0, step=1e-3, scheme="rk4", initial=start, every=every
    )
    assert [OF_EXIT[x] for x in found.code] == ["completed", "winding-limit"]
    assert np.isfinite(found.position[0]).all()
    assert np.isnan(found.position[1, -1]).all()


def test_equilibria_beyond_are_left_out():
    system = gantry(KelvinVoigt(stiffness=40.0, pretension=1.0))
    for x in chorda.equilibria(system, starts=60, progress=False):
        turns = abs(float(system.winding(x.q, system.parameter_values)))
        assert turns < np.pi
        straight = np.linspace(0, 1, 400)[:, None] * (x.q - system.rest) + system.rest
        seen = np.array([float(system.winding(q, system.parameter_values)) for q in straight])
        assert np.abs(np.diff(seen)).max() < np.pi
