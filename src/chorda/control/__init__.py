"""Controllers and reference motions; symbolic, so that they are compiled into the step."""

from chorda.control.computed_torque import JointControl
from chorda.control.distribution import distribute
from chorda.control.law import Controller
from chorda.control.motors import MotorPD
from chorda.control.references import Fourier, PointToPoint, Reference, Sine, Table, from_file

__all__ = [
    "Controller",
    "Fourier",
    "JointControl",
    "MotorPD",
    "PointToPoint",
    "Reference",
    "Sine",
    "Table",
    "distribute",
    "from_file",
]
