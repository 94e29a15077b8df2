"""HOW a robot moves: expressions only. Joints, bodies, tendons, actuators, and the assembler."""

from chorda.mechanics.assembler import assemble
from chorda.mechanics.records import Array, Input, Line, Output, check_names, numeric, unknown
from chorda.mechanics.system import System

__all__ = [
    "Array",
    "Input",
    "Line",
    "Output",
    "System",
    "assemble",
    "check_names",
    "numeric",
    "unknown",
]
