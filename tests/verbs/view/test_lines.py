"""Curves and their names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from chorda.errors import InputError
from chorda.view import plot_lines
from chorda.view.display_units import display_unit
from chorda.view.labels import spread

T = np.linspace(0, 1, 20)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_names_never_overlap_and_stay_in_the_panel(wanted):
    gap = 0.12
    placed = spread(np.array(wanted), gap)
    assert np.all(np.diff(np.sort(placed)) >= gap - 1e-9)
    assert placed.min() >= -1e-9
    assert placed.max() <= 1 + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8, unique=True))
def test_names_with_room_stay_at_their_curves(tenths):
    wanted = np.array(tenths) / 9
    np.testing.assert_allclose(spread(wanted, 0.1), wanted, atol=1e-12)


def test_names_stand_in_the_order_of_the_ends():
    ax = plot_lines(T, {"low": 0 * T, "high": T, "middle": 0.5 * T})
    height = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert height["high"] > height["middle"] > height["low"]


def test_axes_made_elsewhere_get_the_same_look():
    ours, other = plot_lines(T, {"a": T}), Figure().add_subplot()
    plot_lines(T, {"a": T}, ax=other)
    for ax in (ours, other):
        assert [side for side, spine in ax.spines.items() if spine.get_visible()] == [
            "left",
            "bottom",
        ]
        assert ax.xaxis.get_gridlines()[0].get_visible()


def test_series_may_have_their_own_times():
    ax = plot_lines(T, {"ours": T, "published": (np.array([0.0, 2.0]), np.array([0.0, 1.0]))})
    assert ax.get_xlim() == (0.0, 2.0)


def test_values_of_another_length_are_refused_by_name():
    with pytest.raises(InputError, match="'ours' has values of shape"):
        plot_lines(T, {"ours": T[:-1]})


def test_a_constant_is_not_magnified_to_its_rounding_errors():
    ax = plot_lines(T, {"constant": 5 + 1e-14 * np.sin(50 * T)})
    low, high = ax.get_ylim()
    assert low < 4.95
    assert high > 5.05


def test_values_that_are_not_finite_leave_a_gap():
    y = np.where(T < 0.5, T, np.nan)
    ax = plot_lines(T, {"a": y, "nothing": np.full(20, np.inf)})
    assert [text.get_text() for text in ax.texts] == ["a"]
    assert np.all(np.isfinite(ax.get_ylim()))


@pytest.mark.parametrize(
    ("unit", "value", "expected"),
    [
        ("rad", 1.0, "°"),
        ("m", 2e-4, "mm"),
        ("m", 3.0, "m"),
        ("m", 0.0, "mm"),
        ("N", 20.0, "N"),
        ("N m", 0.016, "mN m"),
        ("1/m", 2.0, "1/m"),
        ("-", 1.0, ""),
    ],
)
def test_quantities_are_shown_in_the_unit_people_read(unit, value, expected):
    assert display_unit(unit, np.array([value])).unit == expected


def test_a_constant_zero_has_an_axis_of_a_sensible_size():
    t = np.linspace(0, 1, 5)
    assert plot_lines(t, {"zero": 0 * t}).get_ylim() == (-1, 1)
