"""HOW a robot moves: expressions only. Joints, bodies, tendons, actuators, and the assembler."""

from chorda.mechanics.assembler import assemble
from chorda.mechanics.records import check_choice, check_names, matching
from chorda.mechanics.system import Array, Input, Line, Output, System, numeric, unknown

__all__ = [
    "Array",
    "Input",
    "Line",
    "Output",
    "System",
    "assemble",
    "check_choice",
    "check_names",
    "matching",
    "numeric",
    "unknown",
]
