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
    assert "describe it beside the range: 'stop: {stiffness: ..., damping: ...}'." in str(
        run.status.message
    )


@pytest.mark.parametrize("scheme", ["rk4", "rk45", "implicit-euler", "bdf2", "cvodes"])
def test_a_stop_holds_the_joint_that_would_fold_over(scheme: str) -> None:
    neck = chorda.load("neck-1")
    stop = {"stiffness": 500.0, "damping": 2.0, "smoothing": 0.05}
    held = neck.joints[0].model_copy(update={"range": (-1.0, 1.0), "stop": stop})
    system = chorda.assemble(neck.model_copy(update={"joints": (held,)}), "rigid")
    run = chorda.simulate(
        system, duration=0.5, step=1e-4, scheme=scheme, inputs=[0.0, -1.0], initial={"x1": 0.1}
    )
    assert run.status.ok
    assert 1.0 < run.position.max() < 1.6
    beyond = chorda.simulate(system, duration=0.01, step=1e-4, initial={"x1": 1.1})
    assert beyond.status.ok
