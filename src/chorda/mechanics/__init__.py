"""HOW a robot moves: expressions only. Joints, bodies, tendons, actuators, and the assembler."""

from chorda.mechanics.assembler import assemble
from chorda.mechanics.system import Array, Input, Line, Output, System

__all__ = [
    "Array",
    "Input",
    "Line",
    "Output",
    "System",
    "assemble",
]
