"""From a log to positions, velocities, accelerations and inputs on one clock at one rate.

Each signal goes to the clock and the rate of the fastest sensor and loses the noise above its own
bandwidth there; then it is differentiated. The equations made of the signals are filtered once
more, all by one filter, and thinned out: what holds between the signals still holds after it,
while a filter for each signal alone would bend what is not linear, such as friction. This is the
decimation and interpolation of [Fasquelle2021, sec. 6.5], done on the equations.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from chorda.checks import check_choice, number
from chorda.errors import InputError, LogError
from chorda.identification.logs.log import Channel, Log, LogSignal, signals
from chorda.identification.samples import Samples, along
from chorda.identification.unknowns import refuse_states
from chorda.mechanics import Array, System
from chorda.numerics import filtering

BANDWIDTH_MARGIN = 2.0  # cut-off of a signal above its bandwidth
MAX_CUTOFF_RATIO = 10.0  # widest cut-off of a signal over that of the equations
RATE_RATIO = 3.0  # rate at which equations are made, over the widest cut-off
LOWEST = 1e-6  # [Hz] of a rate or a cut-off that is not zero


@dataclass(frozen=True)
class Preparation:
    """How to treat a log; what is None follows from the data.

    Attributes
    ----------
    cutoff : float, optional
        Of the zero-phase Butterworth filter of the equations [Hz]; 0: none.
    rate : float, optional
        Of the samples that are used [Hz].
    interpolation : str
        Between samples of slower sensors.
    stencil : int
        Points of the central differences: 2, 4, 6 or 8.
    remove_outliers : bool
        Whether single outliers are left out.
    offsets : mapping, optional
        Of sensors' clocks: what to subtract from their times [s].

    See Also
    --------
    identify : takes it.
    """

    cutoff: float | None = None
    rate: float | None = None
    stencil: int = 8
    interpolation: Literal["cubic", "linear"] = "cubic"
    offsets: Mapping[str, float] = field(default_factory=dict)
    remove_outliers: bool = True

    def __post_init__(self) -> None:
        if self.stencil not in filtering.STENCILS:
            raise InputError(f"stencil: expected 2, 4, 6 or 8, got {self.stencil!r}")
        for name in ("cutoff", "rate"):
            value = getattr(self, name)
            if value is not None and number(name, value, least=0, unit="Hz"):
                number(name, value, least=LOWEST, unit="Hz")
        check_choice("interpolation", self.interpolation, ("cubic", "linear"))

    @classmethod
    def as_published(cls, cutoff: float | None = None) -> "Preparation":
        """31.25 Hz, linear interpolation, two-point differences [Fasquelle2021, sec. 6.5].

        Parameters
        ----------
        cutoff : float, optional
            Of the filter [Hz].

        Returns
        -------
        Preparation
            With these choices.
        """
        return cls(cutoff=cutoff, rate=31.25, stencil=2, interpolation="linear")


class Prepared:
    """A log brought into shape once; `samples` shifts a sensor's clock at little cost."""

    def __init__(self, system: System, log: Log, how: Preparation) -> None:
        refuse_states(system)
        self.system, self.log, self.how = system, log, how
        self.removed: dict[str, int] = {}
        self.wanted = [(w, self._channel(w)) for w in signals(system)]
        rates = {c.name: 1 / float(np.median(np.diff(c.time))) for _, c in self.wanted}
        fastest = max((c for _, c in self.wanted), key=lambda c: rates[c.name])
        self.clock, self.fast = fastest.sensor, rates[fastest.name]  # the reference clock
        self.slow = min(rates.values())
        self.sensors = tuple(dict.fromkeys(c.sensor for _, c in self.wanted))
        self.bandwidths = {
            c.name: filtering.bandwidth(*filtering.even(c.time, c.value)) for _, c in self.wanted
        }
        self.cutoff = self._cutoff()
        widest = MAX_CUTOFF_RATIO * self.cutoff or np.inf
        self.cutoffs = {
            name: min(BANDWIDTH_MARGIN * width, widest, 0.4 * rates[name])
            for name, width in self.bandwidths.items()
            if width is not None
        }
        self.rate = self._rate()
        self.stride, self.every = self._strides()
        self.grid = self._span(how.offsets)
        self._still: dict[str, Array] = {}

    def _channel(self, wanted: LogSignal) -> Channel:
        """The signal without its outliers."""
        if wanted.name not in self.log.channels:
            raise LogError(
                f"{self.log.source}: '{wanted.name}' is not in the log; this model needs "
                f"{', '.join(w.name for w in signals(self.system))}"
            )
        channel = self.log.channels[wanted.name]
        bad = filtering.outliers(channel.value, channel.time)
        if not self.how.remove_outliers or not len(bad):
            return channel
        self.removed[channel.name] = len(bad)
        return channel.at(np.delete(np.arange(len(channel.time)), bad))

    def _cutoff(self) -> float:
        """Of the equations [Hz]: where the first signal sinks into its noise; 0: no filter."""
        if self.how.cutoff is None:
            return min((b for b in self.bandwidths.values() if b is not None), default=0.0)
        if self.how.cutoff >= self.fast / 2:
            raise InputError(
                f"cutoff: expected less than half the rate of the log ({self.fast:g} Hz), "
                f"got {self.how.cutoff:g} Hz"
            )
        length = max(float(c.time[-1] - c.time[0]) for _, c in self.wanted)
        if self.how.cutoff and self.how.cutoff * length < 1:
            raise InputError(
                f"cutoff: expected a period within the {length:g} s of the log, got "
                f"{self.how.cutoff:g} Hz; 0 is no filter"
            )
        return float(self.how.cutoff)

    def _rate(self) -> float:
        if self.how.rate:
            return min(float(self.how.rate), self.fast)
        if self.slow < 0.9 * self.fast:
            return self.slow
        return min(self.fast, 10 * self.cutoff) if self.cutoff else self.fast

    def _strides(self) -> tuple[int, int]:
        """Steps of the fast clock from equation to equation, and equations from used to used."""
        fine = RATE_RATIO * max(self.cutoffs.values(), default=self.fast)
        most = max(1, int(self.fast / fine))
        if not self.how.rate:
            return most, max(1, round(self.fast / most / self.rate))
        whole = max(1, round(self.fast / self.rate))
        step = max(k for k in range(1, min(most, whole) + 1) if whole % k == 0)
        return step, whole // step

    def _span(self, offsets: Mapping[str, float]) -> Array:
        """Times of the fast rate that every channel covers, with room for the filter."""
        shift = {s: offsets.get(s, 0.0) for s in self.sensors}
        first = max(float(c.time[0]) - shift[c.sensor] for _, c in self.wanted)
        last = min(float(c.time[-1]) - shift[c.sensor] for _, c in self.wanted)
        return first + np.arange(int((last - first) * self.fast) + 1) / self.fast

    def samples(self, offsets: Mapping[str, float]) -> Samples:
        """Evenly spaced samples at which the equations are made."""
        return self.differentiated(*self.columns(offsets))

    def columns(self, offsets: Mapping[str, float]) -> tuple[Array, Array]:
        """Positions and inputs on the grid of the fastest sensor."""
        x = [self._column(c, offsets.get(c.sensor, 0.0)) for _, c in self.wanted]
        nq = self.system.nq
        return np.column_stack(x[:nq]), np.array(x[nq:]).reshape(-1, len(self.grid)).T.copy()

    def differentiated(self, q: Array, u: Array) -> Samples:
        """Samples from positions and inputs on the whole grid."""
        v, a = filtering.differences(q, 1 / self.fast, self.how.stencil)
        if self.system.quaternions:
            [N] = along(self.system.kinematics, [q])  # a quaternion has four rates
            v = np.einsum("tij,tj->ti", np.linalg.pinv(N), v)  # for three velocities
            a = filtering.differences(v, 1 / self.fast, self.how.stencil)[0]
        reach = self._reach()
        use = slice(reach, len(q) - reach, self.stride)
        return Samples(self.grid[use], q[use], v[use], a[use], u[use])

    def smooth(self, x: Array, every: int = 1) -> Array:
        """The filter of the equations, on each `every`-th of them."""
        rate = self.fast / (self.stride * every)
        return filtering.low_pass(x, self.cutoff, rate) if 0 < self.cutoff < 0.45 * rate else x

    def _column(self, c: Channel, shift: float) -> Array:
        """A channel on the grid; those of the reference clock never move and are kept."""
        if shift:
            return self._resampled(c, self.grid + shift)
        if c.name not in self._still:
            self._still[c.name] = self._resampled(c, self.grid)
        return self._still[c.name]

    def _resampled(self, c: Channel, t: Array) -> Array:
        if self.how.interpolation == "linear" or len(c.time) < 4:
            x = np.interp(t, c.time, c.value)
        else:
            from scipy.interpolate import CubicSpline

            x = CubicSpline(c.time, c.value)(np.clip(t, c.time[0], c.time[-1]))
        cutoff = self.cutoffs.get(c.name)
        return filtering.low_pass(x, cutoff, self.fast) if cutoff else np.asarray(x)

    @property
    def used_rate(self) -> float:
        """Rate of the samples that are used [Hz]."""
        return self.fast / (self.every * self.stride)

    def _reach(self) -> int:
        return self.how.stencil // 2 * (2 if self.system.quaternions else 1)

    @property
    def room(self) -> float:
        """How far the filter of the equations, or the differences, reach [s]."""
        return 1 / self.cutoff if self.cutoff else self._reach() / self.fast

    def kept(self, time: Array, offsets: Mapping[str, float]) -> Array:
        """Which of the samples are used: thinned out, without gaps and the filter's transients."""
        room = self.room
        keep = np.arange(0, len(time), self.every)
        at = time[keep]
        good = (at >= self.grid[0] + room) & (at <= self.grid[-1] - room)
        for _, c in self.wanted:
            seen, steps = at + offsets.get(c.sensor, 0.0), np.diff(c.time)
            good &= (seen >= c.time[0]) & (seen <= c.time[-1])
            for k in np.flatnonzero(steps > filtering.GAP_PERIODS * np.median(steps)):
                good &= (seen < c.time[k] - room) | (seen > c.time[k + 1] + room)
        return keep[good]
