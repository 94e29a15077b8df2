"""A rigid mechanism with tendons as a MuJoCo model (MJCF)."""

from chorda.exporting.mjcf.document import document
from chorda.exporting.mjcf.key_frame import configuration

__all__ = ["configuration", "document"]
