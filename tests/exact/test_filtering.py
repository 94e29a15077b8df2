"""Filters shift nothing, differences have their order, and only outliers are called outliers."""

from dataclasses import replace

import numpy as np
import pytest

from chorda.identification import Preparation
from chorda.identification.preparing import Prepared
from chorda.numerics.filtering import bandwidth, differences, low_pass, outliers
from tests.helpers.evaluate import observed_orders
from tests.helpers.logs import neck, two_rates

RATE = 500.0
T = np.arange(5000) / RATE


def smooth(t):
    return np.sin(2 * t) + 0.4 * np.cos(5.3 * t + 1) + 0.1 * t


@pytest.mark.parametrize("stencil", [2, 4, 6, 8])
def test_central_differences_have_the_order_of_their_stencil(stencil):
    reach, errors = stencil // 2, []
    for n in (20, 40, 80):
        t = np.linspace(0, 2, n + 1)
        got = differences(np.sin(6 * t), t[1], stencil)
        exact = 6 * np.cos(6 * t), -36 * np.sin(6 * t)
        errors.append([np.abs(x - y)[reach:-reach].max() for x, y in zip(got, exact, strict=True)])
    for column in np.array(errors).T:
        assert observed_orders(column)[-1] == pytest.approx(stencil, abs=0.25)


@pytest.mark.parametrize("stencil", [2, 4, 6, 8])
def test_differences_are_exact_for_polynomials_and_do_not_invent_the_ends(stencil):
    t = np.linspace(-1, 1, 21)
    v, a = differences(np.column_stack([t**2, t**stencil]), t[1] - t[0], stencil)
    inside = slice(stencil // 2, -stencil // 2)
    exact = (
        [2 * t, stencil * t ** (stencil - 1)],
        [2 + 0 * t, stencil * (stencil - 1) * t ** (stencil - 2)],
    )
    for got, columns in zip((v, a), exact, strict=True):
        assert np.allclose(got[inside], np.column_stack(columns)[inside], rtol=0, atol=1e-11)
        assert np.all(np.isnan(got[: stencil // 2]))
        assert np.all(np.isnan(got[-stencil // 2 :]))


def test_low_pass_keeps_phase_and_amplitude_in_the_band():
    for frequency in (0.5, 2.0, 4.0):
        x = np.sin(2 * np.pi * frequency * T + 0.3)
        middle = slice(500, -500)
        kept = low_pass(x, 10.0, RATE)[middle]
        wave = np.exp(2j * np.pi * frequency * T[middle])
        ratio = np.vdot(wave, kept) / np.vdot(wave, x[middle])
        # two passes of a fourth-order Butterworth filter: 1 / (1 + (f / f_c)^8), no phase
        assert abs(ratio) == pytest.approx(1 / (1 + (frequency / 10) ** 8), rel=1e-3)
        assert np.angle(ratio) == pytest.approx(0, abs=1e-4)


def test_low_pass_takes_what_is_a_decade_above_and_leaves_a_line_alone():
    gone = low_pass(np.sin(2 * np.pi * 100 * T), 10.0, RATE)
    assert np.abs(gone[500:-500]).max() < 1e-7
    line = 3 + 2 * T
    assert np.allclose(low_pass(line, 10.0, RATE), line, rtol=0, atol=1e-4)


def test_low_pass_filters_columns_as_it_filters_each():
    x = np.random.default_rng(0).normal(size=(600, 2, 3))
    all_at_once = low_pass(x, 20.0, RATE)
    assert np.allclose(all_at_once[:, 1, 2], low_pass(x[:, 1, 2], 20.0, RATE), atol=1e-14)


def noisy(kind):
    x = smooth(T)
    if kind == "noisy":
        return x + 0.01 * np.random.default_rng(1).normal(size=len(x))
    return np.round(x / 0.003) * 0.003 if kind == "quantised" else x


@pytest.mark.parametrize("kind", ["clean", "noisy", "quantised"])
def test_outliers_are_found_where_they_are_and_nowhere_else(kind):
    x = noisy(kind)
    assert len(outliers(x, T)) == 0
    at = np.array([30, 700, 706, 2500, 4969])
    x[at] += np.array([0.5, -0.8, 0.3, 1.0, -0.4])
    assert np.array_equal(outliers(x, T), at)


@pytest.mark.parametrize("sigma", [1e-4, 1e-2, 0.3])
def test_noise_alone_has_no_outliers(sigma):
    for seed in range(20):
        noise = sigma * np.random.default_rng(seed).normal(size=3000)
        assert len(outliers(smooth(T[:3000]) + noise, T[:3000])) == 0


def test_few_samples_have_no_outliers():
    assert len(outliers(np.array([0.0, 0, 0, 9, 0, 0, 0, 0]), T[:8])) == 0


def with_gap(log, name, start, end):
    c = log.channels[name]
    keep = (c.time < start) | (c.time > end)
    return replace(
        log, channels={**log.channels, name: replace(c, time=c.time[keep], value=c.value[keep])}
    )


@pytest.mark.parametrize("name", ["x1", "motor-left"])
@pytest.mark.parametrize("length", [0.02, 0.1, 0.15, 0.3, 0.6])
def test_the_edges_of_a_gap_are_no_outliers(name, length):
    log = with_gap(two_rates(), name, 1.503, 1.503 + length)
    assert Prepared(neck(), log, Preparation()).removed == {}


def test_an_outlier_away_from_a_gap_is_still_found_and_left_out():
    log = with_gap(two_rates(), "motor-left", 1.5, 1.8)
    c = log.channels["motor-left"]
    value = c.value.copy()
    value[[100, 600]] += 3.0
    spoiled = replace(log, channels={**log.channels, c.name: replace(c, value=value)})
    prepared = Prepared(neck(), spoiled, Preparation())
    assert prepared.removed == {"motor-left": 2}
    clean = Prepared(neck(), log, Preparation()).samples({})
    assert np.allclose(prepared.samples({}).q, clean.q, rtol=0, atol=2e-4)
    kept = Prepared(neck(), spoiled, Preparation(remove_outliers=False))
    assert kept.removed == {}
    assert np.abs(kept.samples({}).q - clean.q).max() > 1


def test_samples_in_a_gap_are_not_used():
    log = with_gap(two_rates(), "motor-left", 1.5, 1.8)
    prepared = Prepared(neck(), log, Preparation(cutoff=20.0))
    samples = prepared.samples({})
    used = samples.time[prepared.kept(samples.time, {})]
    assert not np.any((used > 1.5 - 0.04) & (used < 1.8 + 0.04))
    assert np.any(used < 1.4)
    assert np.any(used > 1.9)


def test_a_clean_signal_has_no_bandwidth():
    assert bandwidth(np.sin(2 * np.pi * 1.5 * T), RATE) is None


@pytest.mark.parametrize("band", [3.0, 10.0, 40.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_bandwidth_of_a_band_limited_signal_in_noise_is_found(band, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(20000) / RATE
    spectrum = np.zeros(len(t) // 2 + 1, complex)
    f = np.fft.rfftfreq(len(t), 1 / RATE)
    inside = (f > 0) & (f < band)
    spectrum[inside] = rng.normal(size=inside.sum()) + 1j * rng.normal(size=inside.sum())
    x = np.fft.irfft(spectrum, len(t))
    x = x / x.std() + 0.01 * rng.normal(size=len(t))
    assert bandwidth(x, RATE) == pytest.approx(band, abs=0.1 * band + 0.6)
