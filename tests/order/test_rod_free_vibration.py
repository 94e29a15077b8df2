"""Over time: a rod without losses keeps its energy, and schemes lose it with their order."""

import numpy as np
import pytest
from scipy.linalg import eigh

import chorda
from tests.helpers.evaluate import observed_orders
from tests.helpers.rod_robots import frequencies, robot, rod

START = {"rod.bend_z0": 3.0, "rod.bend_z1": -2.0, "rod.stretch0": 1e-3}
SOFT = {"bend_z": 2, "stretch": 1, "intervals": 6}


@pytest.fixture(scope="module")
def system():
    """A rod so soft along itself that its fastest motion is not much faster than its slowest."""
    made = rod(SOFT, young_modulus=1e6, section={"kind": "circle", "radius": 0.02})
    return chorda.assemble(robot(made, gravity=(0, -3.0, 0)))


def drift(system, scheme, step, duration=0.4):
    run = chorda.simulate(
        system,
        duration=duration,
        step=step,
        scheme=scheme,
        initial=START,
        strict=True,
        tolerance=1e-12 if scheme != "rk4" else None,
    )
    T, V = run.energy
    return np.abs(T + V - (T + V)[0]).max() / np.ptp(T)


@pytest.mark.parametrize(("scheme", "order"), [("rk4", 4), ("newmark", 2), ("bdf2", 2)])
def test_energy_of_a_free_vibration_drifts_with_the_order_of_the_scheme(system, scheme, order):
    slow = (0.4 if scheme == "rk4" else 0.05) / frequencies(system)[-1]
    errors = [drift(system, scheme, h) for h in (slow, slow / 2, slow / 4)]
    assert errors[0] < 0.05
    assert observed_orders(errors)[-1] > order - 0.3


def test_small_swing_has_the_period_of_the_linear_system():
    made = chorda.assemble(robot(rod(SOFT)))
    w = frequencies(made)[0]
    linear = chorda.linearize(made)
    shape = eigh(-linear.K, linear.M)[1][:, 0]
    start = 1e-3 * shape / np.abs(shape).max()
    run = chorda.simulate(
        made, duration=2 * np.pi / w, step=2 * np.pi / w / 400, scheme="newmark", initial=start
    )
    assert np.allclose(run.position[-1], start, rtol=0, atol=2e-4 * np.abs(start).max())
    assert np.allclose(run.position[200], -start, rtol=0, atol=2e-4 * np.abs(start).max())
