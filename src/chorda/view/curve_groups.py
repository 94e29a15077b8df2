"""Many curves as groups of a few: by what their names have in common, or in their order."""

import re
from collections.abc import Callable

FEW_CURVES, MANY_CURVES = (
    6,
    12,
)  # curves that one panel of a group shows; more than MANY_CURVES are divided
STEMS: tuple[Callable[[str], str], ...] = (
    lambda name: re.split(r"[.\-_: ]", name)[0],
    lambda name: re.sub(r"[\d.]+$", "", name),
    lambda name: re.sub(r"[A-Za-z]+$", "", name),
    lambda name: re.split(r"[.\-_: ]", name)[-1],
)


def grouped(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Rows of names by group: those with a common stem, in pieces; else in their order.

    >>> grouped(tuple(f"{f}.{k}" for f in ("thumb", "index", "ring") for k in range(5)))
    {'thumb': [0, 1, 2, 3, 4], 'index': [5, 6, 7, 8, 9], 'ring': [10, 11, 12, 13, 14]}
    >>> list(grouped(tuple(f"t{k}" for k in range(1, 14))))
    ['t1 to t6', 't7 to t12', 't13']
    """
    for stem in STEMS:
        found: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            found.setdefault(stem(name), []).append(row)
        sizes = [len(rows) for rows in found.values()]
        if "" not in found and len(found) > 1 and max(sizes) >= 2 and min(sizes) > 1:
            return _pieces(names, found)
    return _pieces(names, {"": list(range(len(names)))})


def shortened(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names without the words that all of them begin with.

    >>> shortened(("grip.skin.x", "grip.skin.y")), shortened(("left1", "left2"))
    (('x', 'y'), ('left1', 'left2'))
    """
    if len(names) < 2:
        return names
    parts = [re.split(r"(?<=[.\-_: ])", name) for name in names]
    alike = 0
    while all(len(x) > alike + 1 and x[alike] == parts[0][alike] for x in parts):
        alike += 1
    return tuple("".join(x[alike:]) for x in parts)


def _pieces(names: tuple[str, ...], groups: dict[str, list[int]]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for stem, rows in groups.items():
        parts = [rows[k : k + FEW_CURVES] for k in range(0, len(rows), FEW_CURVES)]
        for part in parts:
            first, last = names[part[0]], names[part[-1]]
            ends = first if len(part) == 1 else f"{first} to {shortened((first, last))[1]}"
            out[stem if len(parts) == 1 and stem else ends] = part
    return out
