"""Energy through slack: what is damped never gains any, and schemes keep their order between."""

import numpy as np
import pytest

import chorda
from chorda.bench import chain
from chorda.describe import Body, KelvinVoigt, Placement, Point, Prismatic, Robot, Tendon
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.evaluate import observed_orders

MASS, K, D, N = 0.5, 2000.0, 1.0, 4
DISSIPATIVE = ("implicit-euler", "implicit-euler-converged", "bdf2", "generalized-alpha")
ACCURATE = ("rk4", "rk45", "heun", "rosenbrock", "newmark")


def row(damping=D):
    """Masses on a line between two walls, joined by tendons that are just not taut."""
    law = KelvinVoigt(stiffness=K, damping=damping, one_sided=True)
    frames = ["world", *(f"s{i}" for i in range(N)), "world"]
    places = [(0, 0, 0), *[(0, 0, 0)] * N, (N + 1, 0, 0)]
    ends = [Point(frame=f, point=x) for f, x in zip(frames, places, strict=True)]
    return Robot(
        name="row",
        gravity=(0, 0, 0),
        joints=tuple(
            Prismatic(
                name=f"s{i}",
                axis=(1, 0, 0),
                placement=Placement(position=(i + 1, 0, 0)),
                body=Body(mass=MASS),
            )
            for i in range(N)
        ),
        tendons=tuple(
            Tendon(name=f"t{i}", path=(ends[i], ends[i + 1]), law=law) for i in range(N + 1)
        ),
    )


START = [0.05, -0.02, 0.04, -0.06, 0.5, -1.0, 1.5, -0.3]


def moved(scheme, step, duration=0.6, damping=D, tolerance=None):
    return chorda.simulate(
        chorda.assemble(row(damping)),
        duration=duration,
        step=step,
        scheme=scheme,
        initial=START,
        tolerance=tolerance,
        strict=True,
    )


@pytest.mark.parametrize("scheme", DISSIPATIVE + ACCURATE)
def test_energy_never_increases_through_slack_events_of_a_damped_chain(scheme):
    run = moved(scheme, 1e-3 if scheme in DISSIPATIVE else 2e-4)
    assert len(run.events) > 20
    energy = np.sum(run.energy, axis=0)
    gain = np.max(np.diff(energy))
    assert gain < 1e-6 * energy[0] if scheme in ACCURATE else gain < 1e-3 * energy[0]
    assert energy[-1] < 0.9 * energy[0]


@pytest.mark.parametrize("step", [1e-3, 1e-2, 5e-2])
def test_implicit_euler_loses_energy_at_every_step_however_large(step):
    """The step minimises a convex energy: no step may gain."""
    energy = np.sum(moved("implicit-euler-converged", step, duration=2.0).energy, axis=0)
    assert np.max(np.diff(energy)) <= 1e-9 * energy[0]


@pytest.mark.parametrize("scheme", [n for n, s in SCHEMES.items() if s.iterates])
def test_newton_converges_on_chains_and_fingers_with_stiff_tendons(scheme):
    """Semismooth Newton without damping: a few iterations a step, whatever goes slack in it."""
    rng = np.random.default_rng(3)
    line, finger = chorda.assemble(row()), chorda.assemble(chain.robot())
    for step in (1e-3, 1e-2):
        for system, ties in ((line, {"t*.damping": 10.0}), (finger, {"t*.pretension": 2.0})):
            q = np.zeros(system.nq)
            q[:4] = rng.uniform(-0.05, 0.05, 4)
            if system is finger:  # motors wound so that tensions scatter about the pretension
                pulls = rng.uniform(-20, 20, chain.TENDONS)
                q[chain.JOINTS :] = -(chain.arms() @ q[: chain.JOINTS] + pulls / 1e6) / chain.DRUM
            run = chorda.simulate(
                system,
                duration=100 * step,
                step=step,
                scheme=scheme,
                initial=q,
                parameters={"t*.stiffness": 1e6, **ties},
            )
            assert run.status.ok, run.status
            assert run.events
            assert run.counts["iterations"] < 8 * run.counts["steps"]


def test_without_damping_energy_is_kept_through_all_events():
    run = moved("rk4", 1e-4, damping=0.0)
    energy = np.sum(run.energy, axis=0)
    assert len(run.events) > 20
    assert np.ptp(energy) < 1e-5 * energy[0]


@pytest.mark.parametrize("scheme", [n for n, s in SCHEMES.items() if not s.adaptive])
def test_schemes_keep_their_order_between_events(scheme):
    """From the start, with some tendons taut and some slack, until just before the first event."""
    first = moved("rk45", 1e-3, duration=0.1).events[0].time
    duration = 0.9 * first
    taut = moved("rk45", duration, duration=duration).outputs["tension"] > 0
    assert 0 < np.sum(taut[0]) < N + 1
    exact = moved("rk45", duration, duration=duration, tolerance=1e-14)
    end = np.r_[exact.position[-1], exact.velocity[-1]]
    tight = 1e-14 if SCHEMES[scheme].iterates else None
    errors = []
    for steps in (64, 128, 256):
        run = moved(scheme, duration / steps, duration=duration, tolerance=tight)
        errors.append(np.max(np.abs(np.r_[run.position[-1], run.velocity[-1]] - end)))
    assert observed_orders(errors)[-1] == pytest.approx(SCHEMES[scheme].order, abs=0.3)


@pytest.mark.parametrize("scheme", ["rk4", "heun", "bdf2", "newmark", "rosenbrock"])
def test_through_events_second_order_is_left(scheme):
    """A corner of the force costs any scheme of higher order its surplus, not more."""
    exact = moved("rk45", 0.1, duration=0.1, tolerance=1e-13)
    steps = 1e-3 / 2.0 ** np.arange(7)
    errors = [
        np.max(np.abs(moved(scheme, h, duration=0.1).position[-1] - exact.position[-1]))
        for h in steps
    ]
    # where in a step an event falls scatters single errors of schemes of high order
    assert np.all(errors < 1000 * steps**2)
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] > 1.7
