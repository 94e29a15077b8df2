"""Verdicts on what a paper states, from numbers; and tables of them."""

from collections.abc import Iterable
from math import inf

from chorda.results import Table

REPRODUCED = "reproduced"
NOT_DETERMINED = "not determined by the paper"


def verdict(
    value: float,
    otherwise: str,
    how: str = "",
    *,
    above: float = -inf,
    below: float = inf,
    at_least: float = -inf,
    at_most: float = inf,
) -> str:
    """'reproduced' if the value keeps the bounds (`how` says in what sense), else the reason.

    What is not a number keeps no bounds.

    >>> verdict(0.8, "they differ", below=1.0)
    'reproduced'
    >>> verdict(float("nan"), "they differ", below=1.0)
    'differs because they differ'
    """
    holds = above < value < below and at_least <= value <= at_most
    return f"{REPRODUCED} {how}".rstrip() if holds else f"differs because {otherwise}"


def same(found: object, expected: object, otherwise: str, how: str = "") -> str:
    """The verdict on things that are equal or not.

    >>> same([0, 1], [0, 1, 2], "another number comes in")
    'differs because another number comes in'
    """
    return verdict(float(found == expected), otherwise, how, at_least=1.0)


def table(
    title: str, header: Iterable[str], rows: Iterable[Iterable[str | float]], note: str = ""
) -> Table:
    """A table whose cells may be numbers: those are printed with three digits."""
    text = (tuple(x if isinstance(x, str) else f"{x:.3g}" for x in row) for row in rows)
    return Table(title, tuple(header), tuple(text), note)


def seconds(value: float) -> str:
    """A time with three digits in a fitting unit.

    >>> seconds(0.0123), seconds(2.5)
    ('12.3 ms', '2.5 s')
    """
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g} s"
