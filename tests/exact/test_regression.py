"""Weighted least squares: values, rank, deviations; with and without instruments."""

import numpy as np
import pytest
from scipy.signal import lfilter

from chorda.errors import LogError
from chorda.identification.parameter_estimates import combination, judged
from chorda.identification.unknowns import Unknowns
from chorda.numerics.regression import Equations, base_parameters, least_squares


def equations(W, y):
    names = tuple(f"row{k}" for k in range(W.shape[1]))
    return Equations(names, ("N m",) * len(names), W, y)


def random_W(rng, n=400, rows=2, m=3):
    return rng.normal(size=(n, rows, m)) * 10.0 ** np.arange(m)


def named(m):
    return Unknowns(tuple("abcdefgh"[:m]), ("N",) * m, tuple((k,) for k in range(m)))


# Values -------------------------------------------------------------------------------------


def test_rows_of_equal_spread_give_ordinary_least_squares():
    """Residuals are made equally large in both rows, so that the weights are."""
    rng = np.random.default_rng(0)
    W, theta = random_W(rng), np.array([2.0, -0.3, 0.04])
    noise = rng.normal(size=400)
    y = W @ theta + np.column_stack([noise, noise[::-1]])
    flat = np.linalg.lstsq(W.reshape(-1, 3), y.ravel(), rcond=None)[0]
    one_row = equations(W.reshape(-1, 1, 3), y.reshape(-1, 1))
    assert np.allclose(least_squares(one_row).theta, flat, rtol=1e-10)
    assert np.allclose(least_squares(equations(W, y)).theta, flat, rtol=1e-3)


def test_rows_are_weighted_by_the_spread_of_their_residuals():
    """The fixed point of the re-weighting is the least-squares solution with those weights."""
    rng = np.random.default_rng(1)
    W, theta = random_W(rng), np.array([2.0, -0.3, 0.04])
    y = W @ theta + rng.normal(size=(400, 2)) * [0.1, 30.0]
    found = least_squares(equations(W, y))
    scale = np.sqrt(np.mean((y - W @ found.theta) ** 2, axis=0))
    weighted = np.linalg.lstsq(
        (W / scale[:, None]).reshape(-1, 3), (y / scale).ravel(), rcond=None
    )[0]
    assert np.allclose(found.theta, weighted, rtol=1e-6)
    assert found.spread == pytest.approx([0.1, 30.0], rel=0.1)
    alone = least_squares(equations(W[:, :1], y[:, :1]))
    assert np.all(np.abs(found.theta - theta) < 4 * alone.deviation)


def test_units_of_an_equation_or_an_unknown_do_not_matter():
    rng = np.random.default_rng(2)
    W = random_W(rng)
    y = W @ [2.0, -0.3, 0.04] + rng.normal(size=(400, 2)) * [0.1, 3.0]
    one = least_squares(equations(W, y))
    rows, columns = np.array([1e3, 1.0]), np.array([1.0, 1e-6, 1e4])
    two = least_squares(equations(W * rows[:, None] * columns, y * rows))
    assert np.allclose(two.theta * columns, one.theta, rtol=1e-8)
    assert np.allclose(two.deviation * columns, one.deviation, rtol=1e-8)
    assert two.condition == pytest.approx(one.condition, rel=1e-6)


def test_exact_equations_give_exact_values_and_no_deviation():
    rng = np.random.default_rng(3)
    W, theta = random_W(rng), np.array([2.0, -0.3, 0.04])
    found = least_squares(equations(W, W @ theta))
    assert np.allclose(found.theta, theta, rtol=1e-12)
    assert np.all(found.deviation < 1e-12)


def test_condition_number_is_that_of_the_matrix():
    rng = np.random.default_rng(4)
    U = np.linalg.qr(rng.normal(size=(50, 3)))[0]
    V = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    W = U @ np.diag([100.0, 5.0, 2.0]) @ V.T
    found = least_squares(equations(W[:, None], rng.normal(size=(50, 1))))
    assert found.raw_condition == pytest.approx(50.0, rel=1e-9)
    scaled = W / np.linalg.norm(W, axis=0)
    assert found.condition == pytest.approx(np.linalg.cond(scaled), rel=1e-9)
    aligned = U @ np.diag([1e6, 1.0, 1e-3])
    found = least_squares(equations(aligned[:, None], rng.normal(size=(50, 1))))
    assert found.raw_condition == pytest.approx(1e9, rel=1e-6)
    assert found.condition == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(("n", "rows", "m", "needed"), [(2, 1, 3, 4), (2, 2, 4, 3), (0, 2, 3, 2)])
def test_too_few_samples_are_counted(n, rows, m, needed):
    W = np.ones((n, rows, m))
    with pytest.raises(LogError, match=f"{n} samples of {rows} equations for {m} unknowns") as e:
        least_squares(equations(W, np.ones((n, rows))))
    assert f"at least {needed} are needed" in str(e.value)


# What cannot be told apart ------------------------------------------------------------------


def test_dependent_columns_are_shared_out_to_those_before_them():
    rng = np.random.default_rng(5)
    A = rng.normal(size=(100, 3)) * [1.0, 1e3, 1e-4]
    W = np.column_stack([A[:, 0], A[:, 1], 2 * A[:, 0] - 3e-3 * A[:, 1], A[:, 2], 0 * A[:, 0]])
    base = base_parameters(W)
    assert base.kept == (0, 1, 3)
    assert base.others == (2,)
    assert base.idle == (4,)
    assert np.allclose(base.share, [[2.0], [-3e-3], [0.0]], rtol=1e-9, atol=1e-12)


def test_columns_without_effect_alone_leave_nothing_to_find():
    base = base_parameters(np.zeros((10, 2)))
    assert base.kept == base.others == ()
    assert base.idle == (0, 1)


def test_values_of_dependent_unknowns_are_those_of_their_combinations():
    rng = np.random.default_rng(6)
    A = rng.normal(size=(200, 1, 2))
    W = np.concatenate([A, 0.5 * A[..., :1], np.zeros((200, 1, 1))], axis=2)
    theta = np.array([3.0, -1.0, 4.0, 7.0])
    y = W @ theta + 1e-3 * rng.normal(size=(200, 1))
    found = least_squares(equations(W, y))
    assert found.theta[0] == pytest.approx(3.0 + 0.5 * 4.0, abs=1e-3)
    assert found.theta[1] == pytest.approx(-1.0, abs=1e-3)
    assert np.array_equal(np.isfinite(found.deviation), [True, True, False, False])
    told = judged(named(4), found, found, theta, theta)
    assert [f.verdict for f in told] == [
        "not identifiable",
        "well identified",
        "not identifiable",
        "not identifiable",
    ]
    assert told[0].why == "the value is that of the combination a + 0.5 c"
    assert told[0].truth == pytest.approx(5.0)  # of the combination
    assert told[2].why == "only in combination: a + 0.5 c"
    assert told[3].why == "it has no effect on this motion"
    assert np.isnan(told[2].value)
    assert np.isnan(told[3].value)
    assert not np.isfinite(told[2].relative)


def test_a_combination_is_told_in_words():
    W = np.eye(4)[:, :2]
    base = base_parameters(np.column_stack([W, W @ [1.0, -2.0], W @ [0.25, 0.0]]))
    assert combination(base, ("a", "b", "c", "d"), 0) == "a + c + 0.25 d"
    assert combination(base, ("a", "b", "c", "d"), 1) == "b - 2 c"


def test_a_deviation_of_more_than_a_tenth_is_poor():
    rng = np.random.default_rng(7)
    W = rng.normal(size=(400, 1, 2))
    y = W @ [1.0, 0.1] + 0.5 * rng.normal(size=(400, 1))
    found = least_squares(equations(W, y))
    one, two = judged(named(2), found, found, np.zeros(2), [None, None])
    assert one.verdict == "well identified"
    assert one.low < 1.0 < one.high
    assert one.high - one.low == pytest.approx(2 * found.coverage * one.deviation)
    assert two.verdict == "poorly identified"
    assert two.why.endswith("more than 10 %")
    assert two.truth is None


# Deviations ---------------------------------------------------------------------------------


def scatter(noise, trials=300, n=600):
    """(scatter of the estimates, mean deviation, mean white one, hits of the intervals)."""
    rng = np.random.default_rng(8)
    t = np.arange(n) / 50
    W = np.stack([np.sin(t), np.cos(2.3 * t), np.sign(np.sin(3 * t + 1))], axis=1)[:, None]
    theta = np.array([1.0, -2.0, 0.5])
    found = [least_squares(equations(W, W @ theta + noise(rng, n)[:, None])) for _ in range(trials)]
    values = np.array([f.theta for f in found])
    hits = [np.abs(f.theta - theta) < f.coverage * f.deviation for f in found]
    robust = np.mean([f.deviation for f in found], axis=0)
    white = np.mean([f.white_deviation for f in found], axis=0)
    return values.std(axis=0), robust, white, np.mean(hits, axis=0)


def test_both_deviations_are_the_scatter_for_white_noise():
    spread, robust, plain, hits = scatter(lambda rng, n: rng.normal(size=n))
    assert np.allclose(plain, spread, rtol=0.12)  # 300 trials: 4 % standard error
    assert np.allclose(robust, spread, rtol=0.15)
    assert np.all(np.abs(hits - 0.95) < 0.04)


@pytest.mark.parametrize("rho", [0.7, 0.9])
def test_deviation_allows_for_residuals_that_are_correlated_in_time(rho):
    def noise(rng, n):
        return lfilter([1.0], [1.0, -rho], rng.normal(size=n + 200))[200:]

    spread, robust, plain, hits = scatter(noise, n=1500)
    assert np.all(plain < 0.7 * spread)
    assert np.allclose(robust, spread, rtol=0.3)
    assert np.all(hits > 0.89)


# Instruments --------------------------------------------------------------------------------


def errors_in_variables(rng, n=3000):
    """True regressors, what noisy sensors make of them, and y."""
    t = np.arange(n) / 100
    true = np.stack([np.sin(t), np.cos(2.3 * t)], axis=1)[:, None]
    W = true + 0.5 * rng.normal(size=true.shape)
    return true, W, true @ [1.0, -2.0] + 0.1 * rng.normal(size=(n, 1))


def test_instruments_remove_the_bias_of_noise_in_the_regressor():
    """Least squares shrinks by 1 / (1 + noise power over signal power), here 2/3."""
    rng = np.random.default_rng(9)
    plain, better, hits = [], [], []
    for _ in range(60):
        true, W, y = errors_in_variables(rng)
        plain.append(least_squares(equations(W, y)).theta)
        found = least_squares(equations(W, y), instruments=0.8 * true)
        better.append(found.theta)
        hits.append(np.abs(found.theta - [1.0, -2.0]) < found.coverage * found.deviation)
    assert np.allclose(np.mean(plain, axis=0), np.array([1.0, -2.0]) * 2 / 3, rtol=0.02)
    assert np.allclose(np.mean(better, axis=0), [1.0, -2.0], rtol=0.01)
    assert np.mean(hits) > 0.89


def test_the_regressor_as_its_own_instrument_is_least_squares():
    _, W, y = errors_in_variables(np.random.default_rng(10))
    one, two = least_squares(equations(W, y)), least_squares(equations(W, y), instruments=W)
    assert np.allclose(one.theta, two.theta, rtol=1e-9)
    assert np.allclose(one.deviation, two.deviation, rtol=1e-9)
    assert np.allclose(one.white_deviation, two.white_deviation, rtol=1e-9)
