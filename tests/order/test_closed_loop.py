"""Every scheme keeps its order on a closed loop; the exact motion is that of the X-joint kind."""

import numpy as np
import pytest
from convergence import Problem, observed_order
from robots import bars_from_alpha, x_joint, x_joint_of_bars

import chorda
from chorda.solve.schemes import SCHEMES

ALPHA, RATE, DURATION = 0.8, -2.0, 0.06
NONE = np.zeros(0)


@pytest.fixture(scope="module")
def loop():
    start = np.concatenate(bars_from_alpha(ALPHA, RATE))
    bars = Problem(chorda.assemble(x_joint_of_bars(0.5)), start, DURATION, NONE, NONE)
    whole = Problem(chorda.assemble(x_joint(0.5)), np.array([ALPHA, RATE]), DURATION, NONE, NONE)
    return bars, np.concatenate(bars_from_alpha(*whole.reference()))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_keeps_its_order_on_a_closed_loop(loop, scheme):
    bars, exact = loop
    assert observed_order(bars.end, exact, scheme) == pytest.approx(SCHEMES[scheme].order, abs=0.15)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_loop_stays_closed(loop, scheme):
    """Implicit schemes close it in each step, the others drift and are pulled back."""
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
    gap = np.array(
        [bars.system.closing(q, [], run.parameters)[0].full().ravel() for q in run.position]
    )
    bound = {"implicit-euler": 1e-5}.get(scheme, 1e-11 if SCHEMES[scheme].iterates else 1e-5)
    assert np.abs(gap).max() < bound
