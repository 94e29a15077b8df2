"""Friction in sheaths: strain modes against the continuous model through a pull and a release."""

import numpy as np
import pytest

import chorda
from chorda.continuous import Simple, Sliding, rod_dynamics
from chorda.describe import Capstan, Viscous
from chorda.errors import InputError

NU, SPEED, STEP, END = 0.3, 1e-3, 5e-3, 3.0


def tension(t):
    """From 0.5 N to 2.5 N and back."""
    return 0.5 + 2.0 * np.clip(np.minimum(t, END - t) / 1.5, 0, 1)


def rubbing_till(intervals, bend, friction=None):
    robot = chorda.load("till-tension")
    modes = robot.joints[0].modes.model_copy(update={"intervals": intervals, "bend_y": bend})
    rod = robot.joints[0].model_copy(update={"modes": modes})
    rubs = {"friction": friction or Capstan(coefficient=NU, speed=SPEED)}
    tendons = (robot.tendons[0].model_copy(update=rubs),)
    return robot.model_copy(update={"joints": (rod,), "tendons": tendons})


def tips_by_modes(intervals, bend, friction=None):
    system = chorda.assemble(rubbing_till(intervals, bend, friction))
    rest = chorda.equilibrium(system, tensions={"tendon": 0.5})
    run = chorda.simulate(
        system, duration=END, step=STEP, initial=rest, inputs={"winch": tension}, strict=True
    )
    tip = system.function("tip", "q p", system.frames["rod.tip"].p)
    return np.array([tip(q, run.parameters).full().ravel() for q in run.position])


@pytest.fixture(scope="module")
def continuous():
    how = {"duration": END, "step": STEP, "integrator": "gauss6", "nodes": 21}
    robot, inputs = chorda.load("till-tension"), {"winch": tension}
    return {
        x: rod_dynamics(robot, inputs, friction=x, **how).tip for x in (None, Sliding(NU, SPEED))
    }


def test_the_tip_goes_where_the_continuous_model_has_it(continuous):
    """Within 0.1 mm where grids are refined; friction moves it by centimetres."""
    smooth, rubbing = continuous.values()
    apart = {
        setting: np.linalg.norm(tips_by_modes(*setting) - rubbing, axis=1).max()
        for setting in ((12, 6), (48, 8))
    }
    assert np.linalg.norm(smooth - rubbing, axis=1).max() > 0.03
    assert apart[48, 8] < 1e-4
    assert apart[48, 8] < apart[12, 6] / 3


@pytest.mark.parametrize("moment", ["consistent", pytest.param("opposite", marks=pytest.mark.slow)])
def test_viscous_friction_is_the_simple_one_of_the_continuous_model(continuous, moment):
    """Within 0.05 mm, where it moves the tip by 2 mm; a described one is taken by default."""
    viscous, robot = Viscous(coefficient=4.0, moment=moment), chorda.load("till-tension")
    how = {"duration": END, "step": STEP, "integrator": "gauss6", "nodes": 21}
    inputs = {"winch": tension}
    simple = rod_dynamics(robot, inputs, friction=Simple(4.0, moment=moment), **how).tip
    assert np.linalg.norm(simple - continuous[None], axis=1).max() > 1e-3
    assert np.linalg.norm(tips_by_modes(24, 8, viscous) - simple, axis=1).max() < 5e-5
    described = rod_dynamics(rubbing_till(12, 6, viscous), inputs, **how).tip
    np.testing.assert_array_equal(described, simple)


def test_the_continuous_model_has_no_bristles():
    robot = rubbing_till(12, 6, Capstan(coefficient=NU, deflection=1e-4))
    with pytest.raises(InputError, match="bristles are not part of the continuous problem"):
        rod_dynamics(robot, {"winch": 1.0}, duration=0.1, step=0.05)


def test_stability_beside_viscous_friction_is_judged_by_the_motion():
    """It may feed a motion: the energy alone would call every such equilibrium stable."""
    robot = rubbing_till(12, 6, Viscous(coefficient=4.0, moment="opposite"))
    system = chorda.assemble(robot)
    rest = chorda.equilibrium(system, tensions={"tendon": 1.0})
    growth = chorda.linearize(system, rest.q, u=rest.u).eigenvalues.real.max()
    assert "the eigenvalues of the motion decide" in rest.status.message
    assert (rest.stability == "stable") == (growth < 0)
