"""Every motion knows how far its energy is from what inputs, loads and losses make of it."""

import numpy as np
import pytest

import chorda
from chorda.describe import KelvinVoigt, Winch
from tests.helpers.robots import hung_slider, slider
from tests.helpers.rod_robots import robot, rod

FREE = {"*.friction": 0.0, "*.dry_torque": 0.0, "*.damping": 0.0}


@pytest.fixture(scope="module")
def oscillator():
    """10 rad/s without damping."""
    return chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))


def test_the_energy_that_implicit_euler_loses_is_reported(oscillator):
    """In each step a linear oscillator loses the factor 1 + (h w)^2 of its energy."""
    h, n = 1e-3, 300
    run = chorda.simulate(
        oscillator, duration=n * h, step=h, scheme="implicit-euler-converged", initial=[0.1]
    )
    lost = 1 - (1 + (10 * h) ** 2) ** -n
    assert run.accuracy.energy == pytest.approx(lost, rel=1e-3)
    assert run.status.ok
    assert f"The energy balance is off by {100 * lost:.2g} %" in run.status.message


def test_a_scheme_that_keeps_the_energy_has_no_error_and_no_message(oscillator):
    run = chorda.simulate(oscillator, duration=2.0, step=1e-2, scheme="newmark", initial=[0.1])
    assert run.accuracy.energy < 1e-9
    assert "energy" not in run.status.message


def test_without_losses_the_error_is_the_drift_of_the_energy():
    run = chorda.simulate(
        chorda.assemble(chorda.neck(2)),
        duration=0.2,
        step=1e-3,
        scheme="implicit-euler",
        initial={"x1": 0.3},
        parameters=FREE,
    )
    E = np.sum(run.energy, axis=0)
    drift = np.max(np.abs(E - E[0])) / max(run.energy[0].max(), np.ptp(run.energy[1]))
    assert run.accuracy.energy == pytest.approx(drift, rel=1e-6)
    assert drift > 0.01
    assert "energy balance" in run.status.message


def test_a_winch_does_work_on_the_tendon_that_it_pays_out():
    law = KelvinVoigt(stiffness=2000.0, damping=5.0)
    system = chorda.assemble(hung_slider(Winch(name="winch"), law))
    run = chorda.simulate(
        system,
        duration=1.0,
        step=1e-3,
        scheme="newmark",
        inputs={"winch": lambda t: -0.05 * np.sin(3 * t)},
    )
    assert run.accuracy.energy < 2e-3


def test_inputs_of_a_controller_are_held_over_the_steps():
    system = chorda.assemble(chorda.neck(1))
    run = chorda.simulate(
        system,
        duration=0.1,
        step=1e-3,
        scheme="rosenbrock",
        initial={"x1": 0.2, "tension": 20.0},
        control=lambda t, q, v: -0.02 + 0.02 * np.sin(60 * t) * np.array([1, -1]),
    )
    assert run.accuracy.energy < 0.01


def test_an_undamped_rod_says_that_its_energy_is_wrong():
    """BDF2 damps what is fast."""
    system = chorda.assemble(robot(rod(), gravity=(0, -9.81, 0)))
    run = chorda.simulate(system, duration=0.3, step=1e-2, scheme="bdf2")
    E = np.sum(run.energy, axis=0)
    drift = np.max(np.abs(E - E[0])) / max(run.energy[0].max(), np.ptp(run.energy[1]))
    assert run.accuracy.energy == pytest.approx(drift, rel=0.5)
    assert drift > 0.01
    assert "energy balance" in run.status.message
