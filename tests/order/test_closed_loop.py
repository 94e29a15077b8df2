"""Every scheme keeps its order on a closed loop; the exact motion is that of the X-joint kind."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.robots import bars_from_alpha, x_joint, x_joint_of_bars

ALPHA, RATE, DURATION = 0.8, -2.0, 0.1
NONE = np.zeros(0)


@pytest.fixture(scope="module")
def loop():
    start = np.concatenate(bars_from_alpha(ALPHA, RATE))
    bars = Problem(
        chorda.assemble(x_joint_of_bars(0.5)), start, DURATION, NONE, NONE, steps={5: 320}
    )
    whole = Problem(chorda.assemble(x_joint(0.5)), np.array([ALPHA, RATE]), DURATION, NONE, NONE)
    return bars, np.concatenate(bars_from_alpha(*whole.reference()))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_keeps_its_order_on_a_closed_loop(loop, scheme):
    bars, exact = loop
    assert observed_order(bars, exact, scheme) == pytest.approx(SCHEMES[scheme].order, abs=0.15)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_loop_stays_closed_to_rounding_or_to_the_accuracy_of_the_scheme(loop, scheme):
    """Newton's method closes it in each step; the others drift and are pulled back."""
    bars, _ = loop
    run = chorda.simulate(
        bars.system,
        duration=1.0,
        step=1e-4,
        scheme=scheme,
        initial=bars.start,
        strict=True,
        every=100,
    )
    gap = [bars.system.closing(q, [], run.parameters)[0].full() for q in run.position]
    drift = {1: 2e-4, 2: 1e-6, 4: 1e-11, 5: 1e-11}[SCHEMES[scheme].order]  # m, bars of 100 mm
    assert np.abs(gap).max() < (1e-15 if SCHEMES[scheme].iterates else drift)
