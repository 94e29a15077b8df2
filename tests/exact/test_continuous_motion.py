"""Motions of the continuous rod: the published program, short steps, frequencies, friction."""

import math
from pathlib import Path

import numpy as np
import pytest

from chorda.continuous import Simple, Sliding, rod_dynamics, rod_statics
from chorda.describe import (
    Disk,
    KelvinVoigt,
    Robot,
    Sheath,
    Tendon,
    TensionActuator,
)
from chorda.errors import InputError
from tests.helpers.cosserat_robots import PULLS, arc, beam, everything, ramp, till

REFERENCE = Path(__file__).parents[1] / "data" / "till-ramp-euler200-dt50ms.csv"


def test_friction_is_a_record_with_positive_numbers():
    with pytest.raises(InputError, match=r"friction: expected Simple\(...\)"):
        rod_dynamics(till(), 0.0, duration=0.1, step=0.05, friction=0.9)
    with pytest.raises(InputError, match=r"friction.nu: expected a positive number, got -1"):
        Sliding(-1)


def test_the_trajectory_of_the_published_program():
    """Euler along 200 nodes, BDF2 in steps of 50 ms, 25 s: same discretisation, same motion."""
    rows = np.loadtxt(REFERENCE, delimiter=",", skiprows=2)  # the first row is the equilibrium
    run = rod_dynamics(till(), ramp, duration=24.95, step=0.05, integrator="euler", nodes=200)
    assert run.status.ok
    assert run.residual < 1e-9
    assert run.time == pytest.approx(rows[:, 1], abs=1e-9)
    assert np.abs(run.tip - rows[:, 3:6]).max() < 3e-4
    assert np.abs(run.tension[:, 0] - rows[:, 6]).max() < 5e-3


@pytest.mark.parametrize("step", [6.25e-3, 1e-3, 5e-4, 2e-5])
@pytest.mark.parametrize(("kind", "nodes"), [("euler", 200), ("rk4", 41), ("gauss6", 11)])
def test_short_steps_work(step, kind, nodes):
    """Where a march through the whole rod loses all digits."""
    duration = min(0.2, 100 * step)
    run = rod_dynamics(
        till(),
        lambda t: ramp(t + 3.652),
        duration=duration,
        step=step,
        integrator=kind,
        nodes=nodes,
    )
    assert run.status.ok
    assert run.residual < 1e-9
    assert len(run.time) == round(duration / step) + 1


def test_collocation_takes_steps_shorter_than_waves_need_for_an_interval():
    run = rod_dynamics(
        till(),
        lambda t: ramp(t + 3.652),
        duration=2e-5,
        step=1e-6,
        integrator="gauss6",
        nodes=21,
    )
    assert run.status.ok
    assert run.residual < 1e-9
    assert len(run.time) == 21
    assert 0 < np.abs(run.tip - run.tip[0]).max() < 1e-8  # waves have come no farther yet
    assert run.tension[-1, 0] > run.tension[0, 0]


def test_short_and_long_steps_agree():
    tips = [
        rod_dynamics(till(), lambda t: ramp(t + 3.652), duration=0.2, step=h, nodes=41).tip[-1]
        for h in (6.25e-3, 1e-3, 5e-4)
    ]
    assert np.linalg.norm(tips[0] - tips[2]) < 1e-3
    assert np.linalg.norm(tips[1] - tips[2]) < 3e-5


def test_a_rod_at_rest_stays_there():
    run = rod_dynamics(everything(), PULLS, duration=0.1, step=0.01, nodes=31)
    assert run.status.ok
    assert np.abs(run.centre - run.centre[0]).max() < 1e-8


EI, LINE = 2e11 * math.pi * 2e-3**4 / 4, 7800 * math.pi * 2e-3**2
PERIOD = 2 * math.pi / (1.8751041**2 * math.sqrt(EI / LINE))  # of a cantilever of 1 m
WEIGHTED = 2 * math.pi * math.sqrt((1.0 + 33 / 140 * LINE) / (3 * EI))  # with 1 kg at its tip


def let_go(period, *disks):
    """A beam bent by a tendon beside it, which lets go slowly enough to spare higher modes."""
    robot = Robot(
        name="beam",
        gravity=(0, 0, 0),
        joints=(beam(disks=disks).joints[0],),
        actuators=(TensionActuator(name="pull"),),
        tendons=(Tendon(name="t", actuator="pull", sheaths=(Sheath(rod="rod", y=0.01),)),),
    )

    def pull(t):
        return 0.5 * math.cos(math.pi * t / 4 / period) ** 2 if t < 2 * period else 0.0

    run = rod_dynamics(robot, pull, duration=6 * period, step=period / 400, nodes=15)
    assert run.status.ok
    return run


@pytest.mark.parametrize(
    ("period", "disks"),
    [(PERIOD, ()), (WEIGHTED, (Disk(name="weight", at=1.0, radius=0.011, mass=1.0),))],
)
def test_a_cantilever_swings_at_the_frequency_of_textbooks(period, disks):
    run = let_go(period, *disks)
    y = run.tip[run.time > 2.2 * period, 1]
    t = run.time[run.time > 2.2 * period]
    up = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    crossings = t[up] - y[up] * (t[up + 1] - t[up]) / (y[up + 1] - y[up])
    assert np.diff(crossings).mean() == pytest.approx(period, rel=5e-3)


def test_a_disk_just_below_the_tip_swings_as_one_at_the_tip():
    """The jump of the internal wrench does what the condition at the end does."""
    at_tip, below = (
        let_go(WEIGHTED, Disk(name="weight", at=at, radius=0.02, mass=1.0)) for at in (1.0, 0.9999)
    )
    assert np.abs(at_tip.tip - below.tip).max() < 2e-3 * np.abs(at_tip.tip[:, 1]).max()


@pytest.mark.parametrize("angle", [1.0, 3.0])
def test_tension_falls_by_the_law_of_the_capstan(angle):
    """Pulled through a rigid arc, faster than where friction is rounded: T_end = T exp(-nu a)."""
    run = rod_dynamics(
        arc(angle),
        lambda t: -0.05 * t,
        duration=0.2,
        step=0.01,
        integrator="gauss6",
        nodes=41,
        friction=Sliding(nu=0.2, speed=1e-5),
    )
    assert run.status.ok
    assert run.tension[-1, 0] > 5
    ratio = run.end_tension[-1, 0] / run.tension[-1, 0]
    assert ratio == pytest.approx(math.exp(-0.2 * angle), rel=2e-3)


def test_tension_rises_towards_the_tip_where_the_tendon_is_paid_out():
    run = rod_dynamics(
        arc(2.0),
        lambda t: -0.05 * t if t < 0.2 else -0.01 + 0.05 * (t - 0.2),
        duration=0.36,
        step=0.005,
        nodes=21,
        friction=Sliding(nu=0.1, speed=1e-5),
    )
    assert run.status.ok
    pulled = run.time < 0.2
    assert np.all(run.end_tension[pulled][2:] < run.tension[pulled][2:])
    assert run.end_tension[-1, 0] > run.tension[-1, 0] > 0


def swing(run):
    late = (run.time > 6.5) & (run.time < 8)
    return np.ptp(run.tip[late, 0])


def test_friction_damps_and_leaves_the_equilibrium():
    how = {"duration": 10.0, "step": 0.05, "nodes": 31}
    robot = till(compliance=1.6e-3)
    free, simple = (rod_dynamics(robot, ramp, **how, friction=f) for f in (None, Simple()))
    ringing, sliding = (
        rod_dynamics(robot, ramp, **how, friction=f, alpha=-0.4) for f in (None, Sliding())
    )
    assert all(run.status.ok for run in (free, simple, ringing, sliding))
    assert swing(simple) < 0.5 * swing(free)
    assert swing(sliding) < 0.8 * swing(ringing)
    rest = rod_statics(robot, ramp(10.0)).tip
    assert simple.tip[-1] == pytest.approx(rest, abs=1e-3)
    assert sliding.tip[-1] == pytest.approx(rest, abs=1e-3)


def test_no_friction_is_the_limit_of_little():
    how = {"duration": 4.2, "step": 0.05, "nodes": 21}
    free = rod_dynamics(till(), ramp, **how)
    for friction in (Simple(beta=1e-9), Sliding(nu=1e-9)):
        little = rod_dynamics(till(), ramp, **how, friction=friction)
        assert np.abs(little.tip - free.tip).max() < 1e-6


def test_a_step_that_fails_is_said_and_what_was_found_is_kept():
    run = rod_dynamics(till(), lambda t: 0.0 if t < 0.1 else -0.75, duration=0.3, step=0.05)
    assert not run.status.ok
    assert len(run.time) == 2
    assert "residual" in run.status.message


def test_recording_every_few_steps_gives_the_same_motion():
    how = {"duration": 4.0, "step": 0.05, "nodes": 11}
    all_of_it, some = (rod_dynamics(till(), ramp, **how, every=k) for k in (1, 20))
    assert some.time == pytest.approx(all_of_it.time[::20])
    assert np.array_equal(some.tip, all_of_it.tip[::20])
    assert some.counts["steps"] == all_of_it.counts["steps"]


def test_arguments_that_make_no_sense_are_refused():
    damped = till().tendons[0].model_copy(update={"law": KelvinVoigt(stiffness=1e3, damping=1)})
    with pytest.raises(InputError, match="damping of tendons"):
        rod_dynamics(till(tendons=(damped,)), duration=1.0, step=0.1)
    with pytest.raises(InputError, match="alpha"):
        rod_dynamics(till(), duration=1.0, step=0.1, alpha=0.2)
    with pytest.raises(InputError, match="alpha"):
        rod_dynamics(till(), duration=1.0, step=0.1, alpha=-0.2, adaptive=1e-5)
    with pytest.raises(InputError, match="step"):
        rod_dynamics(till(), duration=1.0, step=0.0)
