"""Workspaces: configurations at rest over a region of what is prescribed."""

from chorda.statics.workspace.mapping import workspace
from chorda.statics.workspace.stored_workspace import open_workspace

__all__ = ["open_workspace", "workspace"]
