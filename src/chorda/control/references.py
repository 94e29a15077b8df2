"""Reference motions: wanted positions, velocities and accelerations over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from chorda.checks import number, whole_number
from chorda.data_table import read_csv
from chorda.errors import InputError
from chorda.mechanics import Array


class Reference(Protocol):
    """A motion of n coordinates: t (m,) [s] -> positions, velocities, accelerations, each (m, n).

    See Also
    --------
    Sine, PointToPoint, Fourier, Table, from_file : some of them.
    """

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        """Positions, velocities, accelerations, each (len(t), n)."""
        ...


@dataclass(frozen=True)
class Sine:
    """A sine of each coordinate: offset + amplitude * sin(pulsation * t + phase).

    `Sine.from_rest` gives amplitude / 2 * (1 - cos(pulsation * t)), which starts at rest at zero.

    Parameters
    ----------
    amplitude : sequence of float
        Of each coordinate, in its unit.
    pulsation : float
        [rad/s].
    phase : float
        [rad].
    offset : float or sequence of float
        Of all coordinates or of each.

    See Also
    --------
    Fourier : several harmonics.

    Examples
    --------
    >>> x, v, a = Sine([0.5])(np.array([0.0, np.pi / 2]))
    >>> x.ravel().tolist()
    [0.0, 0.5]
    """

    amplitude: Sequence[float]
    pulsation: float = 1.0  # [rad/s]
    phase: float = 0.0
    offset: Sequence[float] | float = 0.0

    @classmethod
    def from_rest(cls, amplitude: Sequence[float], pulsation: float = 1.0) -> "Sine":
        """A sine that starts at rest at zero: amplitude / 2 * (1 - cos(pulsation * t)).

        Parameters
        ----------
        amplitude : sequence of float
            Of each coordinate, from zero to the far end.
        pulsation : float
            [rad/s].

        Returns
        -------
        Sine
            The motion.
        """
        half = tuple(a / 2 for a in amplitude)
        return cls(half, pulsation, phase=-np.pi / 2, offset=half)

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        a, w = np.asarray(self.amplitude, float), self.pulsation
        angle = w * np.asarray(t, float)[:, None] + self.phase
        offset = np.broadcast_to(np.asarray(self.offset, float), a.shape)
        return (
            offset + a * np.sin(angle),
            a * w * np.cos(angle),
            -a * w**2 * np.sin(angle),
        )


@dataclass(frozen=True)
class PointToPoint:
    """Minimum-jerk motion from start to end, then rest.

    Parameters
    ----------
    start, end : sequence of float
        Of each coordinate.
    duration : float
        [s].

    See Also
    --------
    Table : through more points.

    Examples
    --------
    >>> x, v, a = PointToPoint([0.0], [1.0], 2.0)(np.array([0.0, 1.0, 3.0]))
    >>> x.ravel().tolist()
    [0.0, 0.5, 1.0]
    """

    start: Sequence[float]
    end: Sequence[float]
    duration: float

    def __post_init__(self) -> None:
        number("duration", self.duration, above=0, unit="seconds")
        if len(self.start) != len(self.end):
            raise InputError(
                "start and end: expected equally many values, "
                f"got {len(self.start)} and {len(self.end)}"
            )

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        T = self.duration
        s = np.clip(np.asarray(t, float) / T, 0, 1)[:, None]
        x0, dx = np.asarray(self.start, float), np.subtract(self.end, self.start)
        return (
            x0 + dx * s**3 * (10 - 15 * s + 6 * s**2),
            dx / T * 30 * s**2 * (1 - s) ** 2,
            dx / T**2 * 60 * s * (1 - s) * (1 - 2 * s),
        )


@dataclass(frozen=True)
class Fourier:
    """A periodic motion of several harmonics that swells from rest within `fade` seconds.

    offset + fade-in * sum over k of sine[k] sin((k + 1) w t) + cosine[k] cos((k + 1) w t), in the
    coordinates' units; w = pulsation. The fade-in has three continuous derivatives, so that jerk
    stays finite and torques start smoothly.

    Parameters
    ----------
    sine, cosine : sequence of sequence of float
        A row for each harmonic, a column for each coordinate.
    pulsation : float
        Of the first harmonic [rad/s].
    fade : float
        [s].
    offset : float or sequence of float
        Of all coordinates or of each.

    See Also
    --------
    Sine : one harmonic.

    Examples
    --------
    >>> x, v, a = Fourier.random(2, amplitude=0.5, frequency=0.1, seed=1)(np.array([0.0, 7.0]))
    >>> bool(np.all(x[0] == 0) and np.all(np.abs(x) <= 0.5))
    True
    """

    sine: Sequence[Sequence[float]]  # a row for each harmonic, a column for each coordinate
    cosine: Sequence[Sequence[float]]
    pulsation: float
    fade: float = 2.0
    offset: Sequence[float] | float = 0.0

    def __post_init__(self) -> None:
        shapes = np.shape(self.sine), np.shape(self.cosine)
        if shapes[0] != shapes[1] or len(shapes[0]) != 2 or not shapes[0][0]:
            raise InputError(
                "sine and cosine: expected a row for each harmonic, a column for each "
                f"coordinate, in both; got {shapes[0]} and {shapes[1]}"
            )
        for name in ("pulsation", "fade"):
            number(name, getattr(self, name), above=0)

    @classmethod
    def random(
        cls,
        n: int,
        amplitude: Sequence[float] | float = 0.5,
        frequency: float = 0.1,
        harmonics: int = 5,
        seed: int = 0,
        fade: float = 2.0,
        offset: Sequence[float] | float = 0.0,
    ) -> "Fourier":
        """Random phases; every coordinate reaches its amplitude in each period.

        Harmonics share the speed equally: the k-th has 1/k of the first one's travel.

        Parameters
        ----------
        n : int
            How many coordinates.
        amplitude : float or sequence of float
            Of all coordinates or of each.
        frequency : float
            Of the first harmonic [Hz].
        harmonics : int
            How many.
        seed : int
            Of the phases.
        fade : float
            [s].
        offset : float or sequence of float
            Of all coordinates or of each.

        Returns
        -------
        Fourier
            The motion.
        """
        whole_number("n", n)
        whole_number("harmonics", harmonics)
        phase = np.random.default_rng(seed).uniform(0, 2 * np.pi, (harmonics, n))
        order = np.arange(1, harmonics + 1)
        size = 1 / order[:, None]
        angle = 2 * np.pi * np.linspace(0, 1, 4000)[:, None, None] * order[:, None]
        travel = np.abs(np.sum(size * np.sin(angle + phase), axis=1)).max(axis=0)
        size = size * np.broadcast_to(np.asarray(amplitude, float), n) / travel
        rows = [
            tuple(map(tuple, (size * part).tolist())) for part in (np.cos(phase), np.sin(phase))
        ]
        return cls(rows[0], rows[1], 2 * np.pi * frequency, fade, offset)

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        t = np.asarray(t, float)
        A, B = np.asarray(self.sine, float), np.asarray(self.cosine, float)
        w = self.pulsation * np.arange(1, len(A) + 1)
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        x, v, a = s @ A + c @ B, (c * w) @ A - (s * w) @ B, -(s * w**2) @ A - (c * w**2) @ B
        f, f1, f2 = (part[:, None] for part in _fade(t, self.fade))
        offset = np.broadcast_to(np.asarray(self.offset, float), A.shape[1])
        return offset + f * x, f * v + f1 * x, f * a + 2 * f1 * v + f2 * x


def _fade(t: Array, T: float) -> tuple[Array, Array, Array]:
    """From 0 to 1 within T seconds, three derivatives being zero at both ends."""
    s = np.clip(t / T, 0, 1)
    return (
        s**4 * (35 - 84 * s + 70 * s**2 - 20 * s**3),
        140 / T * s**3 * (1 - s) ** 3,
        420 / T**2 * s**2 * (1 - s) ** 2 * (1 - 2 * s),
    )


@dataclass(frozen=True)
class Table:
    """A motion from samples: a smooth cubic spline through rows of positions.

    Parameters
    ----------
    times : sequence of float
        Increasing [s]; before the first and after the last one the motion rests.
    rows : sequence of sequence of float
        Positions at each of them.

    See Also
    --------
    from_file : the same from a file.

    Examples
    --------
    >>> x, v, a = Table([0, 1, 2, 3], [[0], [1], [0], [1]])(np.array([1.0]))
    >>> x.ravel().tolist()
    [1.0]
    """

    times: Sequence[float]
    rows: Sequence[Sequence[float]]

    def __post_init__(self) -> None:
        t, x = np.asarray(self.times, float), np.asarray(self.rows, float)
        if x.ndim != 2 or len(x) != len(t) or len(t) < 4:
            raise InputError(f"reference: expected at least 4 times with a row each, got {x.shape}")
        if not (np.all(np.isfinite(t)) and np.all(np.isfinite(x))):
            raise InputError("reference: expected finite numbers, got NaN or infinity")
        if not np.all(np.diff(t) > 0):
            raise InputError("reference: times must increase from row to row")

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(self.times, np.asarray(self.rows, float))
        inside = np.clip(t, self.times[0], self.times[-1])
        held = np.asarray((t < self.times[0]) | (t > self.times[-1]))[:, None]
        return (
            spline(inside),
            np.where(held, 0, spline(inside, 1)),
            np.where(held, 0, spline(inside, 2)),
        )


def from_file(path: str | Path) -> Table:
    r"""Read a motion from a CSV file: a header line, then time [s] and one column per coordinate.

    Parameters
    ----------
    path : str or Path
        Of the file.

    Returns
    -------
    Table
        A spline through its rows.

    Raises
    ------
    InputError
        Where it has no such columns.

    See Also
    --------
    Table : the same from numbers.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "motion.csv"
    ...     _ = file.write_text("time,x1\n0,0\n1,0.1\n2,0.3\n3,0.2\n")
    ...     from_file(file).rows[1][0].item()
    0.1
    """
    try:
        columns = read_csv(Path(path)).columns
    except InputError as error:
        raise InputError(f"reference: {error}") from None
    time, *rows = columns.values()
    if not rows:
        raise InputError(f"reference: {path} has 1 column; expected time and positions")
    return Table(tuple(time), tuple(zip(*rows, strict=True)))
