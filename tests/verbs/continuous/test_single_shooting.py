"""Single shooting has the solutions of all nodes at once, and fails at short steps."""

import numpy as np
import pytest

from chorda.continuous import Simple, SingleShooting, Sliding, rod_dynamics, rod_statics
from chorda.errors import InputError
from chorda.numerics.levenberg import levenberg
from tests.helpers.cosserat_robots import PULLS, everything, ramp, smooth, till

START = 3.65  # [s] two milliseconds before the tendon is pulled


def pulled(step, method, duration=0.35):
    """Till's robot from just before the pull, in the chapter's discretisation."""
    return rod_dynamics(
        till(),
        lambda t: ramp(START + t),
        duration=duration,
        step=step,
        integrator="euler",
        nodes=200,
        tolerance=1e-6,
        method=method,
    )


@pytest.mark.parametrize("search", ["levenberg", "minpack"])
@pytest.mark.parametrize("integrator", ["euler", "rk4"])
def test_it_finds_the_equilibrium_of_all_nodes(search, integrator):
    options = {"integrator": integrator, "nodes": 60, "tolerance": 1e-10}
    expected = rod_statics(till(), -0.016, **options)
    found = rod_statics(till(), -0.016, method=SingleShooting(search), **options)
    assert found.status.ok
    assert found.tip == pytest.approx(expected.tip, abs=1e-8)
    assert found.tension == pytest.approx(expected.tension, abs=1e-7)


def test_it_marches_over_disks_ends_of_tendons_and_loads():
    options = {"integrator": "rk4", "nodes": 41, "tolerance": 1e-10}
    expected = rod_statics(everything(), PULLS, **options)
    found = rod_statics(everything(), PULLS, method=SingleShooting("minpack"), **options)
    assert found.status.ok
    assert found.strain == pytest.approx(expected.strain, abs=1e-7)
    assert found.position == pytest.approx(expected.position, abs=1e-8)


@pytest.mark.parametrize("friction", [None, Simple(4.0), Sliding(0.1)], ids=["none", "4", "0.1"])
def test_it_has_the_motion_of_all_nodes(friction):
    options = {"duration": 0.4, "step": 0.05, "integrator": "rk4", "nodes": 21, "alpha": -0.3}
    options |= {"friction": friction, "tolerance": 1e-10}
    expected = rod_dynamics(till(1.6e-3), smooth, **options)
    found = rod_dynamics(till(1.6e-3), smooth, method="single-shooting", **options)
    assert found.status.ok
    assert np.ptp(expected.tip[:, 0]) > 1e-3
    assert found.tip == pytest.approx(expected.tip, abs=1e-7)
    assert found.tension_along == pytest.approx(expected.tension_along, abs=1e-5)


def test_it_has_the_chapters_motion_at_50_ms_and_fails_at_6_25_ms():
    assert pulled(0.05, "single-shooting").status.ok
    found = pulled(6.25e-3, "single-shooting")
    assert found.status.code == "not-converged"
    assert 3.90 < START + found.time[-1] < 3.95
    assert "The step to 0.28125 s has no solution" in found.status.message
    assert "Single shooting" in found.status.message
    assert "method='all-nodes'" in found.status.message
    whole = pulled(6.25e-3, "all-nodes")
    assert whole.status.ok
    assert found.tip == pytest.approx(whole.tip[: len(found.tip)], abs=1e-4)


def test_it_does_not_fail_there_from_an_extrapolated_base():
    assert pulled(6.25e-3, SingleShooting("minpack", "extrapolated")).status.ok


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rod_statics(till(), method="shooting"), "^method: expected 'all-nodes', .* got "),
        (lambda: rod_statics(till(), method=3), "leave it out for all nodes at once"),
        (
            lambda: rod_dynamics(till(), duration=1, step=0.1, method=None),
            "^method: expected 'all-nodes', 'single-shooting' or SingleShooting",
        ),
        (
            lambda: rod_statics(till(), integrator="gauss6", method="single-shooting"),
            "^integrator: expected euler or rk4, .* use method='all-nodes'",
        ),
        (lambda: SingleShooting(search="newton"), "^method.search: .*levenberg"),
        (lambda: SingleShooting(start="first"), "^method.start: .*extrapolated"),
    ],
)
def test_bad_methods_are_refused_with_a_remedy(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_levenberg_ends_where_it_cannot_go_on():
    def flat(x):
        return x**2 + 1.0

    stuck = levenberg(flat, lambda x, r: np.diag(2 * x), np.ones(1), lambda r: False, 50)
    assert stuck.reason == "iterations"
    assert stuck.iterations == 50
    assert stuck.r[0] == pytest.approx(1.0, abs=1e-3)
    lost = levenberg(lambda x: x * np.nan, lambda x, r: np.eye(1), np.ones(1), lambda r: False)
    assert lost.reason == "not finite"
