"""Backlash of a gear against closed forms."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Prismatic, Revolute, Robot
from tests.helpers.actuated_robots import wheel
from tests.helpers.motor_robots import GEAR, ROTOR, WHEEL, motor, spun

GAP, STIFF = 0.04, 80.0  # [rad, N m/rad] at the joint


def test_within_the_play_the_rotor_turns_alone():
    torque = 1e-3
    run = chorda.simulate(
        spun(backlash={"gap": GAP, "stiffness": STIFF}),
        duration=0.2,
        step=1e-4,
        scheme="rk4",
        inputs={"m": torque},
        strict=True,
    )
    meets = np.sqrt(2 * GEAR * GAP / 2 * ROTOR / torque)
    alone = run.time < meets - 1e-4
    assert np.all(run.position[alone, 0] == 0.0)
    exact = torque / ROTOR * run.time[alone] ** 2 / 2
    np.testing.assert_allclose(run.position[alone, 1], exact, rtol=1e-9)
    assert not alone[-1]
    assert run.position[-1, 0] > 1e-4


@pytest.mark.parametrize(("smoothing", "shift"), [(None, 0.0), (2e-3, 1e-3)])
@pytest.mark.parametrize("way", [1, -1])
def test_beyond_the_play_a_load_is_carried_with_the_stiffness_of_the_teeth(smoothing, shift, way):
    joint = wheel(stiffness=2.0)
    system = spun(joint, backlash={"gap": GAP, "stiffness": STIFF, "smoothing": smoothing})
    torque = way * 0.01
    rest = chorda.equilibrium(system, inputs={"m": torque}, strict=True)
    assert rest.position["wheel"] == pytest.approx(GEAR * torque / 2.0, rel=1e-9)
    ahead = rest.position["m"] / GEAR - rest.position["wheel"]
    exact = way * (GAP / 2 + shift + abs(GEAR * torque) / STIFF)
    assert ahead == pytest.approx(exact, rel=1e-9)


def test_without_a_gap_the_gear_is_a_spring_between_rotor_and_joint():
    """Both swing against each other at sqrt(k / J1 + k / J2), J1 being the rotor's at the joint."""
    system = spun(backlash={"gap": 0.0, "stiffness": STIFF})
    twist = 1e-3
    start = {"wheel": twist, "m": -GEAR * twist * WHEEL / (GEAR**2 * ROTOR)}
    run = chorda.simulate(
        system, duration=0.05, step=1e-5, scheme="rk4", initial=start, strict=True
    )
    swing = np.sqrt(STIFF / (GEAR**2 * ROTOR) + STIFF / WHEEL)
    np.testing.assert_allclose(run.position[:, 0], twist * np.cos(swing * run.time), atol=1e-7)


def test_stiff_teeth_without_a_gap_turn_as_a_gear_that_does_not_give():
    tight = spun(backlash={"gap": 0.0, "stiffness": 1e6})
    options = {"duration": 0.2, "step": 1e-4, "scheme": "bdf2", "inputs": {"m": 0.01}}
    one, other = (chorda.simulate(x, strict=True, **options) for x in (tight, spun()))
    np.testing.assert_allclose(one.position[:, 0], other.position[:, 0], rtol=1e-4, atol=1e-7)


def test_the_play_of_a_slide_is_a_length():
    slide = Prismatic(name="wheel", axis=(0, 1, 0), body=Body(mass=2.0))
    made = motor(backlash={"gap": 1e-3, "stiffness": 1e4})
    system = chorda.assemble(Robot(name="lift", joints=(slide,), actuators=(made,)))
    rest = chorda.equilibrium(system, angles={"m": 3.0}, strict=True)
    assert rest.position["wheel"] == pytest.approx(3.0 / GEAR - 0.5e-3 - 2.0 * 9.81 / 1e4)
    assert rest.efforts["m"] == pytest.approx(2.0 * 9.81 / GEAR)
    units = dict(zip(system.parameter_names, system.parameter_table.units, strict=True))
    assert units["m.backlash.gap"] == "m"
    assert units["m.backlash.stiffness"] == "N/m"


def test_a_rotor_that_is_not_named_starts_with_its_joint():
    system = spun(backlash={"gap": GAP, "stiffness": STIFF})
    start = {"wheel": 0.3, "wheel.rate": 2.0}
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=start, strict=True)
    np.testing.assert_allclose(run.position[:, 1], GEAR * run.position[:, 0], rtol=1e-12)
    np.testing.assert_allclose(run.outputs["play"], 0.0, atol=1e-12)
    many = chorda.rollout(
        system,
        duration=0.1,
        step=1e-3,
        every=1,
        initial={"wheel": np.array([0.3, -0.2]), "wheel.rate": 2.0},
    )
    np.testing.assert_allclose(many.position[:, :, 1], GEAR * many.position[:, :, 0], atol=1e-9)
    np.testing.assert_allclose(many.position[0], run.position[1:], atol=1e-12)


def test_reactions_are_what_the_teeth_give():
    body = Body(mass=0.5, center=(0, -0.2, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    joint = Revolute(name="wheel", body=body)
    system = spun(joint, backlash={"gap": GAP, "stiffness": STIFF})
    run = chorda.simulate(system, duration=0.2, step=1e-3, scheme="bdf2", inputs={"m": 0.01})
    ahead = run.outputs["play"][:, 0]
    teeth = STIFF * (np.maximum(ahead - GAP / 2, 0) - np.maximum(-ahead - GAP / 2, 0))
    assert np.max(teeth) > 0.1
    found = chorda.reactions(run)["effort"].sel(coordinate="wheel").values
    np.testing.assert_allclose(found, teeth, atol=1e-8)
