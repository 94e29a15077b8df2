"""Sensors of a virtual experiment: what encoders, a camera and current sensors make of a motion."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from chorda.checks import number
from chorda.errors import InputError
from chorda.identification.logs.log import Channel, LogSignal, signals
from chorda.identification.logs.log_files import CAMERA, ENCODER
from chorda.mechanics import Array, System
from chorda.numerics.memory import refuse_beyond
from chorda.results import Run

NUMBERS = 4  # of a sample while it is made: time, value, error and rounding
RATES = 1e-3, 1e6  # [Hz] of sensors


@dataclass(frozen=True)
class Sensors:
    """Rates and errors: motors and inputs at one rate, joints by a camera.

    The rates are those of [Fasquelle2021, sec. 6.5]; the paper does not print the errors, so that
    those are assumed. Ripple stands for cogging, gears and whatever else makes the torque differ
    from the current.

    Attributes
    ----------
    encoder_rate : float
        Of motor angles and inputs [Hz].
    encoder_counts : int
        Per turn of the motor, to which angles are rounded; 0: exact.
    camera_rate : float
        Of joints [Hz]; 0: no camera, joints come with the encoders.
    camera_noise : float
        Standard deviation, in the joint's unit [rad or m].
    camera_latency : float
        A frame that is stamped t shows the configuration at t - camera_latency [s].
    camera_dropped : float
        Part of the frames that are lost.
    current_noise, current_resolution : float
        Standard deviation and rounding of a motor's torque [N m]; 0: exact.
    current_ripple, ripple_time : float
        Standard deviation of a slow error of the torque [N m], and the time over which it is
        correlated [s].

    See Also
    --------
    experiment : takes them.
    """

    encoder_rate: float = 500.0
    encoder_counts: int = 2000
    camera_rate: float = 30.0
    camera_noise: float = 0.005
    camera_latency: float = 0.04
    camera_dropped: float = 0.02
    current_noise: float = 1e-3
    current_resolution: float = 5e-5
    current_ripple: float = 1.2e-3
    ripple_time: float = 0.1

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            number(f"sensors.{name}", getattr(self, name), least=0)
        rates = {"encoder_rate": self.encoder_rate}
        if self.camera_rate:
            rates["camera_rate"] = self.camera_rate
        for name, rate in rates.items():
            number(f"sensors.{name}", rate, least=RATES[0], most=RATES[1], unit="samples a second")
        if self.camera_dropped > 0.9:
            raise InputError(
                "sensors.camera_dropped: expected the part of the frames that are lost, at most "
                f"0.9, got {self.camera_dropped:g}"
            )

    @classmethod
    def ideal(cls, rate: float = 500.0) -> "Sensors":
        """Everything exact, at one rate on one clock.

        Parameters
        ----------
        rate : float
            [Hz].

        Returns
        -------
        Sensors
            Without errors.
        """
        return cls(rate, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def check_samples(system: System, sensors: Sensors, duration: float) -> None:
    """Refuse rates and durations whose samples would not fit in memory, before any work.

    Each channel has times, values and errors; for a moment all coordinates are there as well.
    """
    kinds = Counter("motor" if s.kind == "input" else s.kind for s in signals(system))
    joints, others = kinds["joint"], kinds["motor"]
    if not sensors.camera_rate:
        joints, others = 0, joints + others
    for name, rate, count in (
        ("encoder_rate", sensors.encoder_rate, others),
        ("camera_rate", sensors.camera_rate, joints),
    ):
        samples = float(rate) * float(duration)
        what = f"{samples:.3g} samples ({rate:g} Hz over {duration:g} s) of {count} signals"
        size = 8.0 * samples * (NUMBERS * count + system.nq)
        refuse_beyond(f"sensors.{name}", what, size, "lower the rate, or shorten the duration")
    if sensors.encoder_rate * duration < 1:
        raise InputError(
            f"sensors.encoder_rate: expected at least two samples, got one, as {duration:g} s are "
            f"shorter than the period of {sensors.encoder_rate:g} Hz; raise the rate, or lengthen "
            "the duration"
        )
    if sensors.camera_rate and joints and duration < sensors.camera_latency:
        raise InputError(
            "sensors.camera_latency: expected less than the duration, so that a frame is seen in "
            f"it, got {sensors.camera_latency:g} s of {duration:g} s; lengthen the duration"
        )


def measured(run: Run, sensors: Sensors, seed: int = 0) -> dict[str, Channel]:
    """Channels for all signals of a run's system, the same ones for the same seed.

    Each error has its own stream of random numbers: changing one leaves the others as they are.
    """
    from scipy.interpolate import CubicSpline

    frames, blur, current, slow = np.random.default_rng(seed).spawn(4)
    end = float(run.time[-1])
    if sensors.camera_rate and sensors.camera_latency > end:
        raise InputError(
            f"sensors.camera_latency: expected less than the {end:g} s of the motion, got "
            f"{sensors.camera_latency:g}; move longer, or take a faster camera"
        )
    ticks = _ticks(sensors.encoder_rate, end)
    seen = _frames(sensors, end, frames) if sensors.camera_rate else ticks
    late = sensors.camera_latency if sensors.camera_rate else 0.0
    motion, torque = CubicSpline(run.time, run.position), _acting(run)

    def channel(s: LogSignal) -> Channel:
        time, sensor, k = ticks, ENCODER, s.row
        if s.kind == "input":
            value = np.interp(ticks, run.time, torque[:, k])
            if run.system.inputs[k].kind == "motor" and s.unit == "N m":
                value = value + sensors.current_noise * current.standard_normal(len(ticks))
                value += _ripple(sensors, len(ticks), slow)
                value = _rounded(value, sensors.current_resolution)
        elif s.kind == "motor":
            value = motion(ticks)[:, k]
            if sensors.encoder_counts:
                value = _rounded(value, 2 * np.pi / sensors.encoder_counts)
        else:
            value = motion(seen)[:, k] + sensors.camera_noise * blur.standard_normal(len(seen))
            time, sensor = seen + late, CAMERA if sensors.camera_rate else ENCODER
        return Channel(s.name, s.unit, time, value, sensor)

    return {s.name: channel(s) for s in signals(run.system)}


def _acting(run: Run) -> Array:
    """The input that acted around each time.

    A controller's output is held from a time to the next one: before it acted the last, after it
    this one. Their mean is what the acceleration at that time answers to, to second order.
    """
    u = run.input.copy()
    u[1:-1] = (run.input[:-2] + run.input[1:-1]) / 2
    return u


def _ripple(sensors: Sensors, n: int, random: np.random.Generator) -> Array:
    """A first-order autoregression: correlated over the ripple's time, of its deviation."""
    from scipy.signal import lfilter

    keep = float(np.exp(-1 / (sensors.encoder_rate * max(sensors.ripple_time, 1e-9))))
    push = np.sqrt(1 - keep**2) * random.standard_normal(n)
    push[0] /= np.sqrt(1 - keep**2)
    return sensors.current_ripple * np.asarray(lfilter([1.0], [1.0, -keep], push))


def _ticks(rate: float, end: float) -> Array:
    return np.arange(int(np.floor(end * rate + 1e-6)) + 1) / rate


def _frames(sensors: Sensors, end: float, random: np.random.Generator) -> Array:
    """Times at which the camera looked; a late stamp must still be within the recording."""
    looked = _ticks(sensors.camera_rate, end - sensors.camera_latency)
    return looked[random.random(len(looked)) >= sensors.camera_dropped]


def _rounded(value: Array, step: float) -> Array:
    return np.asarray(np.round(value / step) * step, float) if step else value
