"""A motion starts with its closures shut, whatever coordinates were given."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from tests.helpers.robots import parallelogram


def test_what_is_named_is_held_and_the_rest_gives_way() -> None:
    system = chorda.assemble(parallelogram())
    run = chorda.simulate(
        system, duration=0.01, step=1e-3, initial={"crank": 0.4, "crank.rate": 1.0}
    )
    assert run.position[0] == pytest.approx([0.4, -0.4, 0.4], abs=1e-10)
    assert run.velocity[0] == pytest.approx([1.0, -1.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "generalized-alpha", "rosenbrock"])
def test_energy_is_kept_from_such_a_start(scheme: str) -> None:
    system = chorda.assemble(parallelogram())
    run = chorda.simulate(
        system, duration=0.5, step=2.5e-4, scheme=scheme, initial={"crank": 0.4}, strict=True
    )
    T, V = run.energy
    exchanged = float(np.ptp(V))
    assert exchanged > 0.01
    assert np.abs(T + V - (T + V)[0]).max() < 2e-3 * exchanged


def test_a_start_that_cannot_be_closed_is_refused() -> None:
    system = chorda.assemble(parallelogram())
    with pytest.raises(
        InputError, match=r"closures cannot be shut from here: pin\.[xy] stays open"
    ):
        chorda.simulate(
            system, duration=0.01, step=1e-3, initial={"crank": 0.4, "rocker": -1.2, "coupler": 0.0}
        )
