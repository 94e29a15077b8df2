"""Units of logs, and their factors to SI."""

import math

SI: dict[str, dict[str, float]] = {
    "rad": {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180, "turn": 2 * math.pi},
    "m": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6},
    "N": {"N": 1.0, "mN": 1e-3, "kN": 1e3},
    "N m": {"N m": 1.0, "mN m": 1e-3, "N cm": 1e-2, "N mm": 1e-3, "kN m": 1e3},
    "V": {"V": 1.0, "mV": 1e-3},
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0},
    "-": {"-": 1.0},
}
SPELLINGS = {
    "radian": "rad",
    "radians": "rad",
    "degree": "deg",
    "degrees": "deg",
    "°": "deg",
    "turns": "turn",
    "rev": "turn",
    "revolution": "turn",
    "revolutions": "turn",
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "µs": "us",
    "μs": "us",
    "µm": "um",
    "μm": "um",
    "1": "-",
    "": "-",
    **{
        f"{force}{dot}{arm}": f"{force} {arm}"
        for force, arm in (("N", "m"), ("mN", "m"), ("kN", "m"), ("N", "cm"), ("N", "mm"))
        for dot in ("", ".", "*", "·", "-")
    },
}


def spelled(unit: str) -> str:
    """The unit as the tables here spell it.

    >>> spelled("N.m"), spelled("degrees"), spelled("mm")
    ('N m', 'deg', 'mm')
    """
    text = " ".join(unit.split())
    return SPELLINGS.get(text, SPELLINGS.get(text.replace(" ", ""), text))


def is_unit(text: str) -> bool:
    return any(spelled(text) in factors for factors in SI.values())


def factor(unit: str, si: str) -> float | None:
    """What turns numbers in `unit` into the SI unit; none if it measures something else.

    >>> factor("mm", "m"), factor("mm", "rad")
    (0.001, None)
    """
    return SI.get(si, {si: 1.0}).get(spelled(unit))
