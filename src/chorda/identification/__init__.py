"""Parameters of a robot from measured data, with their uncertainty."""

from chorda.identification.comparison import Candidate, Comparison, compare
from chorda.identification.designing.candidates import Limits
from chorda.identification.designing.design import Design, design
from chorda.identification.identified import Identification
from chorda.identification.identify import identify
from chorda.identification.logs.log import Channel, Log, signals
from chorda.identification.logs.log_files import read_log, write_log
from chorda.identification.parameter_estimates import ParameterEstimate
from chorda.identification.preparing import Preparation
from chorda.identification.refining.fit_problem import Measured
from chorda.identification.refining.refinement import Refined, refine
from chorda.identification.virtual.experiment import experiment
from chorda.identification.virtual.sensors import Sensors

__all__ = [
    "Candidate",
    "Channel",
    "Comparison",
    "Design",
    "Identification",
    "Limits",
    "Log",
    "Measured",
    "ParameterEstimate",
    "Preparation",
    "Refined",
    "Sensors",
    "compare",
    "design",
    "experiment",
    "identify",
    "read_log",
    "refine",
    "signals",
    "write_log",
]
