"""The published JSON schema of robot files."""

from typing import Any

from chorda.describe.robot import Robot

VERSION = 1


def schema() -> dict[str, Any]:
    """JSON schema of a robot's description; every number names its unit in `unit`.

    Returns
    -------
    dict
        The schema, which editors use to complete and to check files.

    See Also
    --------
    read : checks a file against it, and more.

    Examples
    --------
    >>> schema()["properties"]["gravity"]["unit"]
    'm/s^2'
    """
    data = Robot.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"chorda-robot-{VERSION}",
        "version": VERSION,
        **data,
    }
