"""Runge-Kutta steps from many starts: their orders, and that their flow is their derivative."""

import numpy as np
import pytest

from chorda.numerics.runge_kutta_steps import (
    ORDER_8,
    TABLEAUS,
    collocation_stages,
    explicit_stages,
    weighted,
)

METHODS = {**TABLEAUS, "dop853": ORDER_8}
ORDERS = {"euler": 1, "rk4": 4, "gauss4": 4, "gauss6": 6, "dop853": 8}


def pendulum(y):
    """Slopes and their derivative of (angle, rate)."""
    J = np.zeros((*y.shape, 2))
    J[..., 0, 1], J[..., 1, 0] = 1, -np.cos(y[..., 0])
    return np.stack([y[..., 1], -np.sin(y[..., 0])], -1), J


def step(method, y, h):
    """The ends of one step from each start, and the flow to them."""
    if method.explicit:
        stages = explicit_stages(method, lambda _, Y: pendulum(Y), y, h)
    else:
        k = np.repeat(pendulum(y)[0][None], len(method.b), 0)
        for _ in range(20):
            stages = collocation_stages(method, pendulum, y, k, h)
            S, N, n = k.shape
            missing = stages.missing.swapaxes(0, 1).reshape(N, S * n, 1)
            k = k + (stages.inverse @ missing).reshape(N, S, n).swapaxes(0, 1)
        stages = collocation_stages(method, pendulum, y, k, h)
    return y + h[:, None] * weighted(method.b, stages.k), stages.flow


def after(method, steps, time=2.0):
    y = np.array([[0.4, 0.9], [1.0, -0.5]])  # two starts at once
    for _ in range(steps):
        y, _ = step(method, y, np.full(2, time / steps))
    return y


@pytest.mark.parametrize("name", METHODS)
def test_observed_order(name):
    few = {"euler": 200, "dop853": 4}.get(name, 10)
    exact = after(ORDER_8, 200)
    errors = [np.abs(after(METHODS[name], n) - exact).max() for n in (few, 2 * few)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(ORDERS[name], abs=0.35)


@pytest.mark.parametrize("name", METHODS)
def test_flow_is_the_derivative_of_the_step(name):
    y, h, d = np.array([[0.4, 0.9], [1.0, -0.5]]), np.array([0.3, 0.7]), 1e-6
    flow = step(METHODS[name], y, h)[1]
    for k in range(2):
        ends = [step(METHODS[name], y + s * d * np.eye(2)[k], h)[0] for s in (-1, 1)]
        assert (ends[1] - ends[0]) / (2 * d) == pytest.approx(flow[:, :, k], abs=1e-9)
