"""Numbers of things in sentences: '1 motion', '2 motions'."""


def many(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in the singular for one; plural: where it is not noun + s.

    >>> many(1, "step"), many(20, "step"), many(2, "equilibrium", "equilibria")
    ('1 step', '20 steps', '2 equilibria')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def percentage(part: int, whole: int) -> str:
    """A part of a whole in percent, where neither a few of many is 0% nor nearly all is 100%.

    >>> percentage(1, 900), percentage(450, 900), percentage(899, 900), percentage(0, 900)
    ('<1%', '50%', '>99%', '0%')
    """
    share = 100 * part / whole if whole else 0.0
    if 0 < part < whole and not 1 <= share <= 99:
        return "<1%" if share < 1 else ">99%"
    return f"{share:.0f}%"
