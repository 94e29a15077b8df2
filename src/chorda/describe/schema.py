"""The published JSON schema of robot files."""

from typing import Any

from chorda.describe.robot import Robot

VERSION = 1


def schema() -> dict[str, Any]:
    """JSON schema of a robot's description; every number names its unit in `unit`."""
    data = Robot.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"chorda-robot-{VERSION}",
        "version": VERSION,
        **data,
    }
