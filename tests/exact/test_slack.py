"""Slack and taut instants against closed forms, and the rounded one-sided law."""

import numpy as np
import pytest

import chorda
from chorda.describe import KelvinVoigt, Material, Stiffening
from chorda.errors import DescriptionError
from tests.helpers.evaluate import energies, forces, observed_orders, slope
from tests.helpers.robots import hung_slider

MASS, G, K, V0 = 2.0, 9.81, 800.0, 2.0
FLIGHT = 2 * V0 / G


def thrown(scheme, steps, law=None, **options):
    """The hung mass thrown upward at V0 from where its tendon is just not taut."""
    system = chorda.assemble(hung_slider(None, law or KelvinVoigt(stiffness=K, one_sided=True)))
    return chorda.simulate(
        system,
        duration=1.3,
        step=1.3 / steps,
        scheme=scheme,
        initial={"s.rate": V0},
        strict=True,
        **options,
    )


def exact_times():
    """Taut after the flight, slack after the swing on the spring, taut after the next flight."""
    w = np.sqrt(K / MASS)
    phase = np.arctan2(V0 / w, G / w**2)
    swing = (2 * np.pi - 2 * phase) / w
    return np.array([FLIGHT, FLIGHT + swing, 2 * FLIGHT + swing])


@pytest.mark.parametrize("scheme", ["rk4", "heun", "bdf2", "newmark", "rosenbrock"])
def test_event_times_converge_with_second_order_to_the_closed_form(scheme):
    errors = []
    for steps in (370, 740, 1480, 2960):
        found = thrown(scheme, steps).events[:3]
        assert [e.kind for e in found] == ["taut", "slack", "taut"]
        assert {e.name for e in found} == {"cable"}
        errors.append(np.max(np.abs(np.array([e.time for e in found]) - exact_times())))
    assert errors[-1] < 5e-6
    assert np.log2(errors[0] / errors[-1]) / 3 > 1.6  # each instant hits the steps elsewhere
    h = 1.3 / np.array([370, 740, 1480, 2960])
    assert np.all(np.array(errors) < 30 * h**2)


def test_the_end_of_a_flight_is_located_far_within_a_step():
    """The state is a parabola up to there; only the tendon's pull in the same step bends it."""
    for steps in (131, 217, 333):
        run = thrown("rk4", steps)
        assert run.events[0].time == pytest.approx(FLIGHT, abs=5 * (1.3 / steps) ** 3)
        assert np.min(np.abs(run.time - FLIGHT)) > 1e-4


@pytest.mark.parametrize("scheme", ["implicit-euler", "implicit-euler-converged"])
def test_schemes_of_first_order_give_instants_of_first_order(scheme):
    errors = [abs(thrown(scheme, n).events[0].time - FLIGHT) for n in (370, 740, 1480)]
    assert observed_orders(errors) == pytest.approx(1.0, abs=0.25)


def test_damping_in_the_tendon_lets_go_before_the_stretch_is_gone():
    """Unrectified tension k x + d x_dot changes sign while x > 0."""
    d = 8.0
    run = thrown("rk4", 4000, KelvinVoigt(stiffness=K, damping=d, one_sided=True))
    gone = next(e.time for e in run.events if e.kind == "slack" and e.time > 0.1)
    x, rate = (np.interp(gone, run.time, -y[:, 0]) for y in (run.position, run.velocity))
    assert x > 0
    assert K * x + d * rate == pytest.approx(0, abs=1e-3)


def test_two_sided_and_taut_tendons_have_no_events():
    assert thrown("rk4", 400, KelvinVoigt(stiffness=K, one_sided=False)).events == ()
    law = KelvinVoigt(stiffness=K, pretension=1e3, one_sided=True)
    assert thrown("rk4", 400, law).events == ()


def test_rounding_at_zero_tension_is_no_event():
    """At rest without gravity on a tendon that just does not pull."""
    law = KelvinVoigt(stiffness=K, one_sided=True)
    system = chorda.assemble(hung_slider(None, law, gravity=(0, 0, 0)))
    assert chorda.simulate(system, duration=0.1, step=1e-3).events == ()


def test_events_are_kept_in_files_and_in_the_dataset(tmp_path):
    run = thrown("rk4", 400)
    again = chorda.open(run.save(tmp_path / "run.nc"))
    assert again.events == run.events
    assert list(run.data["event_name"].values) == ["cable"] * len(run.events)
    assert run.data["event_time"].values == pytest.approx([e.time for e in run.events])


@pytest.mark.parametrize("scheme", ["implicit-euler-converged", "bdf2", "newmark"])
@pytest.mark.parametrize("damping", [0.0, 100.0, 1e4])
def test_newton_converges_through_slack_of_a_stiff_tendon_at_large_steps(scheme, damping):
    law = KelvinVoigt(stiffness=1e6, damping=damping, one_sided=True)
    for steps in (26, 130, 1300):
        run = thrown(scheme, steps, law)
        assert run.status.ok
        assert run.counts["iterations"] < 4 * steps


# The rounded law -----------------------------------------------------------------------------

LAWS = {
    "kelvin-voigt": lambda **x: KelvinVoigt(stiffness=K, damping=5.0, **x),
    "stiffening": lambda **x: Stiffening(stiffness=K, stiffening=2e4, damping=5.0, **x),
    "material": lambda **x: Material(
        young_modulus=1e9, damping_modulus=1e6, section=1e-6, over="total", **x
    ),
}


def pull(law, stretch, rate=0.0):
    _, F = forces(chorda.assemble(hung_slider(None, law)), [-stretch], [-rate])
    return F[0] + MASS * G


@pytest.mark.parametrize("kind", LAWS)
def test_rounded_tension_is_the_smooth_root_of_the_unrectified_one(kind):
    s = 0.5
    for x, rate in ((-0.03, 0.0), (0.0, 0.0), (1e-4, -0.02), (0.05, 0.1)):
        free = pull(LAWS[kind](one_sided=False), x, rate)
        smooth = pull(LAWS[kind](one_sided=True, smoothing=s), x, rate)
        assert smooth == pytest.approx((free + np.sqrt(free**2 + 4 * s**2)) / 2, rel=1e-9)
        assert smooth > 0


def test_rounding_vanishes_with_first_order_at_the_corner_and_second_away_from_it():
    def gap(x, s):
        return pull(LAWS["kelvin-voigt"](one_sided=True, smoothing=s), x) - pull(
            LAWS["kelvin-voigt"](one_sided=True), x
        )

    sizes = 0.4 / 2.0 ** np.arange(4)
    assert observed_orders([gap(0.0, s) for s in sizes]) == pytest.approx(1.0, abs=1e-9)
    for x in (-0.02, 0.02):
        assert observed_orders([gap(x, s) for s in sizes]) == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("kind", LAWS)
def test_energy_of_the_rounded_law_gives_its_tension(kind):
    s = 0.3
    system = chorda.assemble(hung_slider(None, LAWS[kind](one_sided=True, smoothing=s)))
    loose = 0.04 * s if kind == "stiffening" else 1e-6  # its stiffness varies: see the law's text
    for x in (-0.01, -1e-3, 0.0, 1e-3, 0.01):
        force = -slope(lambda d, x=x: energies(system, [-x + d], [0.0], [])[1], step=1e-5)
        _, F = forces(system, [-x])
        assert force == pytest.approx(F[0], abs=loose)


def test_motion_of_the_rounded_law_converges_to_the_rectified_one():
    exact = thrown("rk4", 4000).position[:, 0]
    gaps = []
    for s in (0.4, 0.2, 0.1, 0.05):
        law = KelvinVoigt(stiffness=K, one_sided=True, smoothing=s)
        gaps.append(np.max(np.abs(thrown("rk4", 4000, law).position[:, 0] - exact)))
    assert np.all(observed_orders(gaps) > 1.5)


def test_a_rounded_tendon_can_be_wound_to_a_tension():
    from chorda.describe import Winch

    law = KelvinVoigt(stiffness=K, pretension=1.0, one_sided=True, smoothing=0.5)
    system = chorda.assemble(hung_slider(Winch(name="w"), law))
    for wanted in (0.1, 3.0):
        x = float(system.stretched([wanted], [0.0], system.parameters()))
        run_tension = pull(law, x)
        assert run_tension == pytest.approx(wanted, rel=1e-9)


def test_a_smoothing_set_to_zero_is_the_rectified_law():
    law = KelvinVoigt(stiffness=K, one_sided=True, smoothing=0.5)
    system = chorda.assemble(hung_slider(None, law))
    for x, expected in ((-0.01, 0.0), (0.0, 0.0), (0.01, 8.0)):
        _, F = forces(system, [-x], changes={"cable.smoothing": 0.0})
        assert F[0] + MASS * G == pytest.approx(expected, abs=1e-12)
        _, V = energies(system, [-x], [0.0], [], {"cable.smoothing": 0.0})
        assert V - MASS * G * -x == pytest.approx(expected**2 / (2 * K), abs=1e-12)


def test_smoothing_without_a_corner_is_refused():
    with pytest.raises(DescriptionError, match="one_sided: false"):
        KelvinVoigt(stiffness=K, smoothing=0.1, one_sided=False)
