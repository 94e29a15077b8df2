"""How the texts of options become numbers; what cannot be read is refused with its option."""

from chorda.checks import shown
from chorda.errors import InputError


def number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option}: expected a number, got {shown(text)}") from None


def whole(text: str, option: str) -> int:
    try:
        return int(text)
    except ValueError:  # also of more digits than Python reads
        raise InputError(f"{option}: expected a whole number, got {shown(text)}") from None


def by_name(items: list[str] | None, option: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Texts by name; `form` is what a message expects.

    >>> by_name(["x1=0:1:5"], "--over")
    {'x1': '0:1:5'}
    """
    found: dict[str, str] = {}
    for item in items or []:
        name, equals, text = item.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"{option}: expected {form}, got {shown(item)}")
        if name in found:
            raise InputError(f"{option}: {shown(name)} is given twice; keep one")
        found[name] = text
    return found


def assignments(items: list[str] | None, option: str) -> dict[str, float]:
    """
    >>> assignments(["x1=0.3", "tension=20"], "--set")
    {'x1': 0.3, 'tension': 20.0}
    """
    texts = by_name(items, option)
    return {name: number(text, f"{option} {name}") for name, text in texts.items()}


def values(items: list[str] | None, option: str) -> float | list[float] | dict[str, float] | None:
    """One number for all, a list in order, or values by name.

    >>> values(["20"], "--tension"), values(["1,2"], "--tension"), values(["left=3"], "--tension")
    (20.0, [1.0, 2.0], {'left': 3.0})
    """
    if not items:
        return None
    parts = [part for item in items for part in item.split(",")]
    if any("=" in part for part in parts):
        return assignments(parts, option)
    numbers = [number(part, option) for part in parts]
    return numbers[0] if len(numbers) == 1 else numbers
