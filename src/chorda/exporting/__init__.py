"""Robots as code that runs without Chorda: C99 for controllers, CasADi functions, MuJoCo models."""

from chorda.exporting.export import FORMATS, Exported, export

__all__ = ["FORMATS", "Exported", "export"]
