"""Tension distribution is exact: forces met, bounds kept, no tension larger than needed."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from chorda.control import distribute
from chorda.errors import InputError

SEEDS = st.integers(0, 2**32 - 1)


def antagonistic(seed: int, n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Random moment arms that some positive tensions hold in balance, and wanted forces."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, m))
    shared = rng.uniform(0.5, 2.0, m)
    Z -= np.outer(Z @ shared, shared) / (shared @ shared)
    return Z, rng.normal(size=n)


@given(seed=SEEDS, n=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_one_spare_tendon_meets_forces_with_the_least_total_tension(seed: int, n: int) -> None:
    Z, tau = antagonistic(seed, n, n + 1)
    assume(np.linalg.cond(Z) < 1e4)
    t = distribute(Z, tau, 2.0)
    assert Z @ t == pytest.approx(tau, abs=1e-7)
    assert t.min() == pytest.approx(2.0, abs=1e-7)
    best = linprog(np.ones(n + 1), A_eq=Z, b_eq=tau, bounds=(2.0, None))
    assert t.sum() == pytest.approx(best.fun, rel=1e-6)


@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_two_tendons_for_each_joint_meet_forces_and_bounds(seed: int) -> None:
    Z, tau = antagonistic(seed, 2, 4)
    t = distribute(Z, tau, 1.0)
    assert Z @ t == pytest.approx(tau, abs=1e-6)
    assert t.min() >= 1.0 - 1e-6


def test_a_quadratic_program_takes_the_smallest_tensions() -> None:
    # two pulls the same way, one against: the two share the load equally
    t = distribute(np.array([[1.0, 1.0, -1.0]]), np.array([4.0]), 1.0)
    assert t == pytest.approx([2.5, 2.5, 1.0], abs=1e-6)


def test_forces_that_no_pull_can_give_are_not_a_number() -> None:
    one_way = np.array([[1.0, 1.0]])
    assert np.isnan(distribute(one_way, np.array([-1.0]), 0.0)).all()


def test_minimum_may_differ_by_tendon() -> None:
    t = distribute(np.array([[1.0, -1.0]]), np.array([0.0]), np.array([1.0, 5.0]))
    assert t == pytest.approx([5.0, 5.0])


@given(seed=SEEDS, n=st.integers(1, 3), spare=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_between_two_limits_tensions_are_the_smallest_or_none_exist(
    seed: int, n: int, spare: int
) -> None:
    Z, tau = antagonistic(seed, n, n + spare)
    assume(np.linalg.cond(Z) < 1e3)
    high = np.random.default_rng(seed + 1).uniform(2.0, 6.0)
    t = distribute(Z, tau, 1.0, high)
    wide, tight = (
        linprog(np.ones(n + spare), A_eq=Z, b_eq=tau, bounds=(1.0 - e, high + e)).success
        for e in (1e-6, -1e-6)
    )
    assume(wide == tight)
    if not wide:
        assert np.isnan(t).all()
        return
    assert Z @ t == pytest.approx(tau, abs=1e-6)
    assert t.min() >= 1.0 - 1e-7
    assert t.max() <= high + 1e-7
    if spare > 1:  # t - 0 is normal to what can be changed: t = cut off Z^T y
        free = (t > 1.0 + 1e-6) & (t < high - 1e-6)
        y = np.linalg.lstsq(Z[:, free].T, t[free], rcond=None)[0] if free.any() else np.zeros(n)
        if np.sum(free) >= n:
            assert np.clip(Z.T @ y, 1.0, high) == pytest.approx(t, abs=1e-5)


def test_a_minimum_above_its_maximum_is_refused() -> None:
    with pytest.raises(InputError, match="expected at least the minimum of 3 N, got 2 N"):
        distribute(np.array([[1.0, -1.0]]), np.array([0.0]), 3.0, np.array([5.0, 2.0]))
