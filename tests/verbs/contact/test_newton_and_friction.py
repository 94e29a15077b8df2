"""Newton's method goes through stops of what slides, in steps that are long beside them."""

import numpy as np
import pytest

import chorda
from chorda.compile import find
from chorda.describe import ContactFriction
from tests.helpers.touching_robots import GRAVITY, block

SLOPE, MU = 0.3, 0.5


@pytest.fixture(params=["compiled", "interpreted"])
def way(request, monkeypatch):
    if request.param == "interpreted":
        monkeypatch.setenv("CHORDA_COMPILER", "none")
    elif find() is None:
        pytest.skip("no C compiler")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha", "implicit-euler-converged"])
@pytest.mark.parametrize("slip_speed", [1e-3, 1e-4])
def test_a_block_slides_to_a_stop(scheme, slip_speed):
    """Between the two directions Newton's corrections turn back and forth."""
    friction = ContactFriction(coefficient=MU, slip_speed=slip_speed)
    system = chorda.assemble(block(SLOPE, friction))
    how = {"duration": 0.7, "step": 4e-3, "initial": {"x.rate": 1.0}, "progress": False}
    run = chorda.simulate(system, scheme=scheme, **how)
    assert run.status.ok, run.status
    slowing = GRAVITY * (MU * np.cos(SLOPE) - np.sin(SLOPE))
    assert run.position[-1, 0] == pytest.approx(1 / (2 * slowing), abs=2e-3)
    assert abs(run.velocity[-1, 0]) < slip_speed


def test_an_arm_that_is_pulled_around_a_post_stops_sliding_as_the_pull_stops():
    system = chorda.assemble(chorda.load("arm-post"))
    pull = {"winch-left": -0.022, "winch-right": 0.022}
    inputs = {name: lambda t, x=x: x * min(1.0, t / 0.3) for name, x in pull.items()}
    run = chorda.simulate(system, duration=0.5, step=2e-3, inputs=inputs, progress=False)
    assert run.status.ok, run.status
    assert run.outputs["normal_force"].max() > 2
    assert run.counts["iterations"] < 12 * run.counts["steps"]
