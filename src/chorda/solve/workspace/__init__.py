"""Workspaces: postures at rest over a region of what is prescribed."""

from chorda.solve.workspace.mapping import workspace
from chorda.solve.workspace.opening import open_workspace

__all__ = ["open_workspace", "workspace"]
