"""Observed orders along the rod and in time."""

import numpy as np
import pytest

from chorda.continuous import Simple, Sliding, rod_dynamics, rod_statics
from tests.helpers.cosserat_robots import PULLS, everything, smooth, till

NODES = {"euler": (201, 401, 801), "rk4": (11, 21, 41), "gauss4": (9, 17, 33), "gauss6": (5, 9, 17)}
ORDER = {"euler": 1, "rk4": 4, "gauss4": 4, "gauss6": 6}


def order(tips):
    coarse, fine = np.linalg.norm(np.diff(tips, axis=0), axis=1)
    return np.log2(coarse / fine)


@pytest.mark.parametrize("kind", NODES)
def test_order_along_the_rod_at_rest(kind):
    tips = [
        rod_statics(till(), -0.016, integrator=kind, nodes=n, tolerance=1e-11).tip
        for n in NODES[kind]
    ]
    assert order(tips) == pytest.approx(ORDER[kind], abs=0.25)


@pytest.mark.parametrize("kind", NODES)
def test_order_along_the_rod_in_motion(kind):
    tips = [
        rod_dynamics(
            till(), smooth, duration=0.3, step=0.03, integrator=kind, nodes=n, tolerance=1e-11
        ).tip[-1]
        for n in NODES[kind]
    ]
    assert order(tips) == pytest.approx(ORDER[kind], abs=0.35)


def test_order_along_a_rod_with_jumps_is_kept():
    """Nodes lie where tendons end and disks sit: 0.13, 0.25 and 0.4 m."""
    tips = [
        rod_statics(everything(), PULLS, integrator="rk4", nodes=n, tolerance=1e-11).tip
        for n in (41, 81, 161)
    ]
    assert order(tips) == pytest.approx(4, abs=0.4)


@pytest.mark.parametrize("alpha", [0.0, -0.4])
def test_order_two_in_time(alpha):
    tips = [
        rod_dynamics(
            till(), smooth, duration=0.8, step=0.8 / n, integrator="gauss6", nodes=9, alpha=alpha
        ).tip[-1]
        for n in (80, 160, 320)
    ]
    assert order(tips) == pytest.approx(2, abs=0.15)


@pytest.mark.parametrize(
    "friction",
    [
        Simple(),
        Simple(moment="opposite", counted_from="actuator"),
        Sliding(speed=0.01),
        Sliding(speed=0.01, counted_from="actuator"),
    ],
)
def test_order_two_in_time_with_friction(friction):
    tips = [
        rod_dynamics(till(), smooth, duration=0.6, step=0.6 / n, nodes=21, friction=friction).tip[
            -1
        ]
        for n in (100, 200, 400)
    ]
    assert order(tips) == pytest.approx(2, abs=0.5)


def test_adaptive_steps_keep_what_they_promise():
    exact = rod_dynamics(till(), smooth, duration=0.8, step=5e-4, integrator="gauss6", nodes=9)
    errors, steps = [], []
    for wanted in (1e-5, 1e-6, 1e-7):
        run = rod_dynamics(
            till(), smooth, duration=0.8, step=0.1, integrator="gauss6", nodes=9, adaptive=wanted
        )
        assert run.status.ok
        assert run.time[-1] == pytest.approx(0.8)
        errors.append(np.linalg.norm(run.tip[-1] - exact.tip[-1]))
        steps.append(run.counts["steps"])
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-4
    assert 1.6 < steps[2] / steps[1] < 3  # the third root of 10
