"""Compiled kernels and CasADi's virtual machine compute the same motion."""

import numpy as np
import pytest

import chorda
from chorda.compile import find
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES

TORQUES = [-0.016, -0.02]


def motion(scheme, **more):
    system = chorda.assemble(chorda.neck(1))  # a new one: kernels are kept with their system
    run = chorda.simulate(
        system,
        duration=0.02,
        step=2e-4,
        scheme=scheme,
        initial={"x1": 0.3, "tension": 5.0},
        **({"inputs": TORQUES} | more),
    )
    assert run.status.ok
    return SchemeLoop(system, SCHEMES[scheme]).kernel.compiled, np.hstack(
        [run.position, run.velocity]
    )


def ramp(t):
    return [-0.016 - 2 * t, -0.02 + t]


@pytest.mark.skipif(find() is None, reason="there is no C compiler")
@pytest.mark.parametrize("inputs", [TORQUES, ramp], ids=["constant", "ramp"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_compiled_motion_equals_the_interpreted_one(scheme, inputs, monkeypatch):
    compiled, fast = motion(scheme, inputs=inputs)
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted, slow = motion(scheme, inputs=inputs)
    assert compiled
    assert not interpreted
    scale = np.abs(slow).max(axis=0)
    assert np.max(np.abs(fast - slow) / scale) < 1e-12
