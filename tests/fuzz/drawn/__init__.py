"""Random robots: trees, closed loops, robots with tendons around pulleys, robots with rods."""

from tests.fuzz.drawn.families import FAMILIES, draw

__all__ = ["FAMILIES", "draw"]
