"""A log: what sensors measured, each signal with times of its own, in SI units."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chorda.mechanics import Array, Input, System

INPUT_SUFFIX = {
    "motor": ".torque",
    "tension": ".tension",
    "winch": ".displacement",
    "effort": ".effort",
    "joint-motor": ".torque",
    "motion": ".motion",
    "rate": "",  # its input is called winch.rate
    "wrench": "",  # push.fx, push.mz
}


@dataclass(frozen=True, eq=False)
class Channel:
    """One measured signal.

    Attributes
    ----------
    name : str
        A coordinate (x1, motor-left) or an input (motor-left.torque), as `signals` names them.
    unit : str
        Its SI unit.
    time, value : array (n,)
        Increasing times of the sensor's clock [s], and what was measured then.
    sensor : str
        Channels of one sensor share a clock: encoder, camera ...

    See Also
    --------
    Log : several of them.
    signals : what they may be called.
    """

    name: str
    unit: str
    time: Array
    value: Array
    sensor: str

    def at(self, rows: Any) -> "Channel":
        """Take some of the samples.

        Parameters
        ----------
        rows : slice or array
            Which of them.

        Returns
        -------
        Channel
            With these alone.
        """
        return replace(self, time=self.time[rows], value=self.value[rows])


@dataclass(frozen=True, eq=False, repr=False)
class Log:
    """Measured signals of a robot.

    Attributes
    ----------
    channels : mapping
        A `Channel` for each signal, by name.
    source : str
        The file, or another word for where the log comes from.
    truth : mapping
        The true parameters by name, if the log is that of a virtual experiment.
    about : mapping
        What else is known: robot, motion, sensors, gaps ...

    See Also
    --------
    read_log : from a file.
    experiment : of a virtual robot.
    """

    channels: Mapping[str, Channel]
    source: str
    truth: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Log {self.source}: {', '.join(self.channels)}>"


@dataclass(frozen=True)
class LogSignal:
    """A signal that identification needs: its name in a log, its unit, and where it goes."""

    name: str
    unit: str
    kind: str  # "joint", "motor" or "input"
    row: int  # in q or in u


def signals(system: System) -> tuple[LogSignal, ...]:
    """List every coordinate and every input of a system, as logs name them.

    States of first order are not measured.

    Parameters
    ----------
    system : System
        The robot.

    Returns
    -------
    tuple of LogSignal
        Names, units and kinds.

    See Also
    --------
    read_log : reads them.

    Examples
    --------
    >>> import chorda
    >>> [x.name for x in signals(chorda.assemble(chorda.load("recursive-2")))][:2]
    ['link3', 'actuator1.displacement']
    """
    coordinates = [
        LogSignal(c.name, c.unit, "motor" if c.kind == "motor" else "joint", i)
        for i, c in enumerate(system.coordinates)
        if c.kind != "state"
    ]
    inputs = [
        LogSignal(f"{u.name}{_suffix(u)}", u.unit, "input", i) for i, u in enumerate(system.inputs)
    ]
    return (*coordinates, *inputs)


def _suffix(item: Input) -> str:
    """Motors with a winding are given voltages."""
    return ".voltage" if item.unit == "V" else INPUT_SUFFIX[item.kind]
