"""Names of a robot as identifiers of a program."""

import re
from collections.abc import Iterable

LONGEST = 40  # characters, so that other names can begin with it
TAKEN = ("test", "example", "check", "chorda", "casadi")  # names of other files and functions


def prefix(name: str) -> str:
    """A robot's name as the start of names of files and functions.

    >>> prefix("neck-3"), prefix("3-rfr")
    ('neck_3', 'robot_3_rfr')
    """
    word = re.sub(r"\W", "_", name, flags=re.ASCII).lower()[:LONGEST]
    return word if word[:1].isalpha() and word not in TAKEN else f"robot_{word}"


def constants(start: str, names: Iterable[str]) -> list[str]:
    """A constant's name for each, all different.

    >>> constants("ARM_Q", ["x-1", "x_1"])
    ['ARM_Q_X_1', 'ARM_Q_X_1_2']
    """
    taken: set[str] = set()
    out = []
    for name in names:
        word = wanted = f"{start}_{re.sub(r'[^A-Za-z0-9]', '_', name).upper()}"
        number = 2
        while word in taken:
            word, number = f"{wanted}_{number}", number + 1
        taken.add(word)
        out.append(word)
    return out
