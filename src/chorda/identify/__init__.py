"""Parameters of a robot from measured data, with their uncertainty."""

from chorda.identify.comparison import Candidate, Comparison, compare
from chorda.identify.experiment import experiment
from chorda.identify.identification import Found, Identification
from chorda.identify.identify import identify
from chorda.identify.log import Channel, Log, signals
from chorda.identify.preparing import Preparation
from chorda.identify.reading import read_log, write_log
from chorda.identify.sensors import Sensors

__all__ = [
    "Candidate",
    "Channel",
    "Comparison",
    "Found",
    "Identification",
    "Log",
    "Preparation",
    "Sensors",
    "compare",
    "experiment",
    "identify",
    "read_log",
    "signals",
    "write_log",
]
