"""Robots by name, or from a file."""

import re
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from chorda.catalogue.necks import MOST_JOINTS, neck
from chorda.checks import file_path
from chorda.describe import Robot, parse, read
from chorda.errors import InputError


def names() -> list[str]:
    """List the names that `load` knows (the necks of 1 to 12 joints are made on request).

    Returns
    -------
    list of str
        Sorted.

    See Also
    --------
    load : takes one of them.

    Examples
    --------
    >>> "till" in names()
    True
    """
    shipped = sorted(f.name[:-5] for f in files(__package__).iterdir() if f.name.endswith(".yaml"))
    return shipped


def load(robot: str | Path) -> Robot:
    """A robot by catalogue name, or from a YAML file.

    Parameters
    ----------
    robot : str or Path
        A name ('neck-3'), or a file.

    Returns
    -------
    Robot
        Its description.

    Raises
    ------
    DescriptionError
        Where the file is not a robot: field, what was expected, what came, and the remedy.

    See Also
    --------
    names : what is in the catalogue.
    assemble : the next step.

    Examples
    --------
    >>> load("neck-3").name
    'neck-3'
    """
    if not isinstance(robot, str | Path):
        raise InputError(
            f"robot: expected a catalogue name or the path of a .yaml file, got {robot!r:.60}"
        )
    text = str(file_path("robot", robot)) if isinstance(robot, Path) else robot
    shipped = files(__package__).joinpath(f"{text}.yaml")
    if re.fullmatch(r"[A-Za-z0-9-]{1,60}", text) and shipped.is_file():
        return parse(shipped.read_text(encoding="utf-8"), text)
    if (match := re.fullmatch(r"neck-([0-9]{1,3})", text)) and 1 <= int(match[1]) <= MOST_JOINTS:
        return neck(int(match[1]))
    if isinstance(robot, Path) or text.endswith((".yaml", ".yml")) or "/" in text:
        return read(robot)
    near = [] if match else get_close_matches(text, names(), n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise InputError(
        f"robot: '{text:.60}' is neither in the catalogue nor a .yaml file; {hint}"
        f"the catalogue has {', '.join(names())} (and neck-1 to neck-{MOST_JOINTS})"
    )
