"""Motions against SciPy's integrators, fed with M and F."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chorda
from tests.helpers.evaluate import forces
from tests.helpers.robots import everything


def by_scipy(system, q, v, u, times, changes=None):
    def rate(_, x):
        M, F = forces(system, x[: system.nq], x[system.nq :], u, changes)
        N = system.kinematics(x[: system.nq]).full()
        return np.concatenate([N @ x[system.nq :], np.linalg.solve(M, F)])

    found = solve_ivp(
        rate, (0, times[-1]), np.concatenate([q, v]), "DOP853", times, rtol=1e-12, atol=1e-12
    )
    assert found.success
    return found.y.T


def compare(system, q, v, u, scheme, step, duration, tolerance=None, changes=None):
    run = chorda.simulate(
        system,
        duration=duration,
        step=step,
        scheme=scheme,
        tolerance=tolerance,
        initial=np.concatenate([q, v]),
        inputs=u,
        parameters=changes,
        strict=True,
    )
    every = max(1, (len(run.time) - 1) // 10)
    x = by_scipy(system, q, v, u, run.time[::every], changes)
    return np.abs(np.hstack([run.position, run.velocity])[::every] - x).max()


SOFT = {"right*.stiffness": 2000.0, "left.stiffness": 2000.0, "*.damping": 5.0}
CASES = [("rk4", 2.5e-5, None), ("rk45", 1e-2, 1e-12), ("cvodes", 1e-2, 1e-13)]


@pytest.mark.parametrize(("scheme", "step", "tolerance"), CASES, ids=[c[0] for c in CASES])
def test_neck_moves_as_integrated_by_scipy(scheme, step, tolerance):
    system = chorda.assemble(chorda.neck(2))
    q = np.array([0.4, -0.3, 1.0, -2.0, 3.0])
    u = np.array([-0.02, 0.01, -0.03])
    off = compare(system, q, np.zeros(5), u, scheme, step, 0.3, tolerance, SOFT)
    assert off < 1e-9


def test_robot_with_every_kind_of_joint_moves_as_integrated_by_scipy():
    system = chorda.assemble(everything())
    rng = np.random.default_rng(3)
    q = system.rest + 0.1 * rng.normal(size=system.nq)
    q[:4] /= np.linalg.norm(q[:4])
    u = np.array([0.2, -0.1, 3.0, 0.02, -0.05])  # the last: rate of the winch
    assert compare(system, q, np.zeros(system.nv), u, "cvodes", 0.02, 0.2, 1e-12) < 1e-8
