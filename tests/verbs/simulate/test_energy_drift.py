"""Every motion without losses knows how far its energy drifts."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Contact,
    ContactFriction,
    KelvinVoigt,
    Plane,
    Prismatic,
    Robot,
    SlidingStop,
    Sphere,
    Winch,
)
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
    assert f"yet its energy changes by {100 * lost:.2g} %" in run.status.message


def test_a_scheme_that_keeps_the_energy_has_no_error_and_no_message(oscillator):
    run = chorda.simulate(oscillator, duration=2.0, step=1e-2, scheme="newmark", initial=[0.1])
    assert run.accuracy.energy < 1e-9
    assert "energy" not in run.status.message


def test_without_losses_the_error_is_the_drift_of_the_energy():
    run = chorda.simulate(
        chorda.assemble(chorda.neck(2)),
        duration=0.5,
        step=1e-3,
        scheme="implicit-euler",
        initial={"x1": 0.3, "tension": 5.0},
        parameters=FREE,
    )
    E = np.sum(run.energy, axis=0)
    drift = np.max(np.abs(E - E[0])) / max(run.energy[0].max(), np.ptp(run.energy[1]))
    assert run.accuracy.energy == pytest.approx(drift, rel=1e-6)
    assert drift > 0.01
    assert "yet its energy changes" in run.status.message


def test_where_something_does_work_there_is_no_drift_to_speak_of(oscillator):
    law = KelvinVoigt(stiffness=2000.0, damping=5.0)
    damped = chorda.assemble(hung_slider(Winch(name="winch"), law))
    assert chorda.simulate(damped, duration=0.1, step=1e-3).accuracy.energy is None
    law = KelvinVoigt(stiffness=2000.0)
    wound = chorda.assemble(hung_slider(Winch(name="winch"), law))
    held = chorda.simulate(wound, duration=0.1, step=1e-3, scheme="newmark")
    assert held.accuracy.energy < 1e-3
    moved = {"winch": lambda t: -0.05 * np.sin(3 * t)}
    assert chorda.simulate(wound, duration=0.1, step=1e-3, inputs=moved).accuracy.energy is None


def bouncing(**contact):
    """A ball of 0.1 m that falls 0.3 m onto a floor, and may slide along it."""
    joints = [
        Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=0.01)),
        Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=0.5)),
    ]
    shapes = [Sphere(name="ball", frame="y", center=(0, 0.4, 0), radius=0.1), Plane(name="floor")]
    hit = Contact(name="hit", first="floor", second="ball", stiffness=1e5, **contact)
    return chorda.assemble(
        Robot(name="bouncing", gravity=(0, -9.81, 0), joints=joints, shapes=shapes, contacts=[hit])
    )


def fall(system, every=1, duration=0.5, **parameters):
    settings = {"step": 1e-4, "scheme": "rk4", "initial": {"x.rate": 1.0}, "every": every}
    return chorda.simulate(system, duration=duration, parameters=parameters, **settings)


@pytest.mark.parametrize("every", [1, 100])
@pytest.mark.parametrize(
    "loss",
    [
        {"restitution": 0.5, "impact_speed": 2.4},
        {"friction": ContactFriction(coefficient=0.5, slip_speed=1e-2)},
    ],
    ids=["restitution", "friction"],
)
def test_a_ball_that_loses_energy_as_it_bounces_has_no_drift(loss, every):
    """The fastest state is in the air, and few states are of the 5 ms in which it touches."""
    run = fall(bouncing(**loss), every)
    assert run.events or every > 1
    assert run.accuracy.energy is None
    assert "energy" not in run.status.message


def test_a_contact_that_loses_nothing_or_is_not_met_leaves_the_drift():
    lossy = bouncing(restitution=0.5, impact_speed=2.4)
    assert fall(lossy, duration=0.2).accuracy.energy < 1e-6  # in the air
    assert fall(lossy, **{"hit.dissipation": 0.0}).accuracy.energy < 1e-2
    assert fall(bouncing()).accuracy.energy < 1e-2


@pytest.mark.parametrize(("damping", "known"), [(20.0, False), (0.0, True)])
def test_a_stop_that_damps_loses_energy_where_it_is_met(damping, known):
    stop = SlidingStop(stiffness=1e5, damping=damping, smoothing=1e-4)
    joint = Prismatic(name="s", axis=(0, 1, 0), body=Body(mass=0.5), range=(-0.3, 0.3), stop=stop)
    system = chorda.assemble(Robot(name="stopped", gravity=(0, -9.81, 0), joints=[joint]))
    run = chorda.simulate(system, duration=0.4, step=1e-4, scheme="rk4", every=20)
    assert (run.accuracy.energy is not None) == known
    assert ("yet its energy changes" in run.status.message) <= known
    short = chorda.simulate(system, duration=0.2, step=1e-4, scheme="rk4")
    assert short.accuracy.energy < 1e-6


def test_newmark_on_two_undamped_rods_is_told():
    """A spatial arm of two rods at 1 ms: the energy zigzags far from what it was."""
    modes = {"bend_y": 3, "bend_z": 3, "twist": 2}
    arm = rod(modes), rod(modes, name="second", parent="rod.tip")
    system = chorda.assemble(robot(*arm, gravity=(0, -9.81, 0)))
    bent = {"rod.bend_z0": 1.5, "rod.bend_y0": 1.0, "second.bend_z0": -1.5, "rod.twist0": 0.7}
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="newmark", initial=bent)
    assert run.accuracy.energy > 0.1
    assert "yet its energy changes by" in run.status.message


def test_an_undamped_rod_says_that_its_energy_is_wrong():
    """BDF2 damps what is fast."""
    system = chorda.assemble(robot(rod(), gravity=(0, -9.81, 0)))
    run = chorda.simulate(system, duration=0.3, step=1e-2, scheme="bdf2")
    E = np.sum(run.energy, axis=0)
    drift = np.max(np.abs(E - E[0])) / max(run.energy[0].max(), np.ptp(run.energy[1]))
    assert run.accuracy.energy == pytest.approx(drift, rel=0.5)
    assert drift > 0.01
    assert "yet its energy changes" in run.status.message
