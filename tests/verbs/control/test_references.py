"""Reference motions: velocities and accelerations are derivatives of positions."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from chorda.control import Fourier, PointToPoint, Sine, Table, from_file
from chorda.errors import InputError

T = np.linspace(0, 2.0, 9)
ROWS = np.column_stack([np.sin(T), T**2])
MOTIONS = [
    Sine([0.3, -0.2], 2.0, 0.4, [0.1, 0.0]),
    Sine.from_rest([0.3, 0.2]),
    PointToPoint([0.0, 1.0], [0.5, -1.0], 1.5),
    Table(tuple(T), tuple(map(tuple, ROWS))),
    Fourier.random(2, (0.5, 0.2), frequency=0.4, fade=0.8, offset=(0.1, 0.0)),
]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda m: type(m).__name__)
def test_velocity_and_acceleration_are_derivatives(motion: object) -> None:
    t, h = np.linspace(0.11, 1.37, 23), 1e-5
    x, v, a = motion(t)
    before, after = motion(t - h), motion(t + h)
    assert v == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-7)
    assert a == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-6)
    assert x.shape == (23, 2)


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    x, v, a = PointToPoint([0.0], [1.0], 2.0)(np.array([0.0, 1.0, 2.0, 3.0]))
    assert x.ravel() == pytest.approx([0, 0.5, 1, 1])
    assert v.ravel() == pytest.approx([0, 15 / 16, 0, 0])
    assert a.ravel() == pytest.approx([0, 0, 0, 0])


def test_a_fourier_motion_starts_at_rest_repeats_and_reaches_its_amplitude() -> None:
    motion = Fourier.random(2, (0.5, 0.2), frequency=0.1, harmonics=5, seed=4, offset=(0.1, 0.0))
    t = np.linspace(0, 10, 4001)
    x = motion(t + 10)[0]
    assert np.max(np.abs(x - [0.1, 0.0]), axis=0) == pytest.approx([0.5, 0.2], rel=1e-4)
    assert motion(t + 20)[0] == pytest.approx(x)
    start = motion(np.zeros(1))
    assert start[0].ravel() == pytest.approx([0.1, 0.0])
    assert np.all(start[1] == 0)
    assert np.all(start[2] == 0)
    assert not np.allclose(x, Fourier.random(2, (0.5, 0.2), seed=5, offset=(0.1, 0.0))(t + 10)[0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Fourier([[1.0]], [[1.0, 2.0]], 1.0), "a row for each harmonic"),
        (lambda: Fourier([[1.0]], [[1.0]], 0.0), "pulsation: expected a positive"),
        (lambda: Fourier.random(0), "n: expected a whole number"),
    ],
)
def test_a_bad_fourier_motion_is_explained(make: Callable[[], Fourier], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_a_motion_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    np.savetxt(path, np.column_stack([T, ROWS]), delimiter=",", header="time,x1,x2", comments="")
    assert from_file(path)(T)[0] == pytest.approx(ROWS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time\n1\n", "expected time and positions"),
        ("t,x\n0,a\n", "line 2, column 'x': expected a number"),
        ("t,x\n0,1\n1,2\n0.5,3\n2,1\n", "times must increase"),
    ],
)
def test_a_bad_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        from_file(path)
