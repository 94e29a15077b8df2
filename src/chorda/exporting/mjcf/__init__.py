"""A rigid mechanism with tendons as a MuJoCo model (MJCF)."""

from chorda.exporting.mjcf.document import document
from chorda.exporting.mjcf.posture import posture

__all__ = ["document", "posture"]
