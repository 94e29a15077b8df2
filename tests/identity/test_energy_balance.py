"""Over a simulated motion, energy at the end = energy at the start + work put in - losses."""

import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import energy_gap

B, DRY, SLOPE, DAMPING, F_V, L, BAR = 0.02 / 25, 0.008, 0.5, 100.0, 0.001, 0.1, 0.05
TORQUES = [-0.016, -0.012, -0.016, -0.02]


def losses(run, tendons):
    """Power that friction and tendon damping take [W], from the motion alone."""
    alpha, rate = run.position[:, :3], run.velocity[:, :3]
    d = np.sqrt(L**2 - (BAR * np.cos(alpha / 2)) ** 2)
    e = BAR * np.sin(alpha / 2) / (2 * d)
    taken = (F_V * (1 + 4 * e**2) * rate**2).sum(axis=1)
    w = run.outputs["motor_rate"]
    taken += (2 / np.pi * DRY * np.arctan(SLOPE * w) * w).sum(axis=1)
    if tendons == "elastic":
        d_slope = BAR**2 * np.sin(alpha / 2) * np.cos(alpha / 2) / (2 * d)
        sway = BAR * np.cos(alpha / 2) / 2
        right, left = (d_slope + sway) * rate, ((d_slope - sway) * rate).sum(axis=1)
        stretching = np.column_stack([right, left]) - B * w
        taken += (DAMPING * stretching**2).sum(axis=1)
    return taken


@pytest.mark.parametrize("tendons", ["elastic", "rigid"])
def test_work_of_the_motors_goes_into_energy_and_losses(tendons):
    system = chorda.assemble(chorda.neck(3), tendons=tendons)
    wound = {"tension": 20.0} if tendons == "elastic" else {}
    run = chorda.simulate(
        system,
        duration=0.2,
        step=2.5e-5,
        scheme="rk4",
        inputs=TORQUES,
        initial={"x1": 0.3, "x2": -0.2, "x3": 0.1, **wound},
        strict=True,
    )
    gap, lost = energy_gap(run, TORQUES, losses(run, tendons))
    assert abs(gap) < 1e-8 * lost


def test_without_losses_and_inputs_energy_is_kept():
    system = chorda.assemble(chorda.neck(3))
    none = {"*.friction": 0.0, "*.dry_torque": 0.0, "*.damping": 0.0}
    run = chorda.simulate(
        system,
        duration=0.5,
        step=1e-5,
        scheme="rk4",
        initial={"x1": 0.3, "x2": -0.2},
        parameters=none,
        every=500,
        strict=True,
    )
    T, V = run.energy
    assert np.ptp(T) > 1e-2
    assert np.ptp(T + V) < 1e-8 * np.ptp(T)
