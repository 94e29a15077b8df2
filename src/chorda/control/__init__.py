"""Controllers and reference motions; symbolic, so that they are compiled into the step."""

from chorda.control.controller import Controller
from chorda.control.joint_control import JointControl
from chorda.control.motor_control import MotorPD
from chorda.control.references import Fourier, PointToPoint, Reference, Sine, Table, from_file
from chorda.control.tension_distribution import distribute

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
