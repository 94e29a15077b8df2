"""A coordinate that leaves its range ends the motion there, by every integrator."""

import pytest

import chorda


@pytest.mark.parametrize("scheme", ["rk4", "rk45", "implicit-euler", "bdf2", "cvodes"])
def test_a_joint_that_folds_over_is_reported(scheme: str) -> None:
    system = chorda.assemble(chorda.load("neck-1"), "rigid")
    run = chorda.simulate(
        system, duration=2.0, step=1e-3, scheme=scheme, inputs=[0.0, -1.0], initial={"x1": 0.1}
    )
    assert run.status.code == "out-of-range"
    assert 0 < run.time[-1] < 2.0
    assert run.position.max() < 3.1416
