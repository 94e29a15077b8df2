"""Within what a number counts as that of a paper; and how numbers are written in rows."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from chorda.results.table import cell_text
from chorda.results.table import percent as percent_text

RATIO_LIMIT = 10.0  # differences above this many times the number are given as a factor


@dataclass(frozen=True)
class Shown:
    """How a number is written.

    Attributes
    ----------
    text : callable
        From a number to text.
    differences : bool
        Whether the difference of two such numbers can be written in the same way.
    """

    text: Callable[[float], str]
    differences: bool = True

    def __call__(self, value: float) -> str:
        return self.text(value) if math.isfinite(value) else "none"


def unit(name: str, scale: float = 1.0, digits: str = ".3g") -> Shown:
    """In a unit, which is the number times `scale`.

    >>> unit("mm", 1e3)(0.0123), unit("N", digits=".2f")(3)
    ('12.3 mm', '3.00 N')
    """
    return Shown(lambda x: f"{x * scale:{digits}} {name}".rstrip())


def words(no: str, yes: str) -> Shown:
    """One of two words, of 0 and 1; any other number, which is neither, as it is.

    >>> words("diverges", "completes")(1.0), words("diverges", "completes")(2.0)
    ('completes', '2')
    """
    text = {0.0: no, 1.0: yes}
    return Shown(lambda x: text.get(float(x), f"{x:.3g}"), differences=False)


def _seconds(value: float) -> str:
    for factor, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if abs(value) >= factor:
            return f"{value / factor:.3g} {name}"
    return f"{value:.3g} s"


number, percent = unit(""), Shown(percent_text)
count = Shown(cell_text)
seconds = Shown(_seconds)


@dataclass(frozen=True)
class Tolerance:
    """An interval, with its ends; what is not a number is in none.

    Attributes
    ----------
    low, high : float
        The ends, each infinite where there is none.
    target : float, optional
        The number that is met or not; None where there is a bound alone.
    relative : float, optional
        How wide the interval is, over the target.

    Examples
    --------
    >>> met = within(0.4, relative=0.1)
    >>> met.holds(0.43), met.holds(0.45), met.holds(float("nan"))
    (True, False, False)
    >>> met.text(number), below(2e-3).text(unit("mm", 1e3)), between(0.5, 2).text(number)
    ('within 10 %', 'below 2 mm', '0.5 to 2')
    """

    low: float = -inf
    high: float = inf
    target: float | None = None
    relative: float | None = None
    open_ends: bool = False

    def holds(self, value: float) -> bool:
        if self.open_ends:
            return self.low < value < self.high
        return self.low <= value <= self.high

    def text(self, shown: Shown) -> str:
        """The interval in words, for the column of tolerances."""
        if self.relative is not None:
            return f"within {percent_text(self.relative)}"
        if self.low == self.high:
            return "equal"
        if self.target is not None:
            return f"within {shown(self.high - self.target)}"
        if self.low == -inf:
            return f"{'below' if self.open_ends else 'at most'} {shown(self.high)}"
        if self.high == inf:
            return f"{'above' if self.open_ends else 'at least'} {shown(self.low)}"
        return f"{shown(self.low)} to {shown(self.high)}"

    def beyond(self, value: float, shown: Shown) -> str:
        """By how much a value is not in the interval.

        >>> within(0.4, relative=0.1).beyond(0.6, number), below(2).beyond(3, unit("N"))
        ('by 50 %', 'by 1 N')
        """
        if not math.isfinite(value):
            return ""
        if self.target:
            away = value / self.target
            if away > RATIO_LIMIT:
                return f"by a factor of {away:.3g}"
            return f"by {percent_text(abs(away - 1))}"
        if not shown.differences:
            return ""
        return f"by {shown(max(self.low - value, value - self.high))}"


def within(
    target: float, *, relative: float | None = None, absolute: float | None = None
) -> Tolerance:
    """So near to a number: relative to it, or in its unit."""
    half = abs(target) * relative if relative is not None else absolute
    assert half is not None
    return Tolerance(target - half, target + half, target, relative)


def printed(text: str, relative: float = 0.0) -> Tolerance:
    """Near to a number that is printed so, which stands for all that are rounded to it.

    >>> allowed = printed("0.13", relative=0.1)
    >>> round(allowed.low, 4), round(allowed.high, 4)
    (0.1125, 0.1485)
    """
    target = float(text)
    mantissa, _, power = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(power or 0) - digits)
    low, high = abs(target) - half, abs(target) + half
    ends = (low * (1 - relative), high * (1 + relative))
    low, high = ends if target >= 0 else (-ends[1], -ends[0])
    return Tolerance(low, high, target, relative or None)


def below(high: float) -> Tolerance:
    return Tolerance(high=high, open_ends=True)


def above(low: float) -> Tolerance:
    return Tolerance(low=low, open_ends=True)


def at_most(high: float) -> Tolerance:
    return Tolerance(high=high)


def at_least(low: float) -> Tolerance:
    return Tolerance(low=low)


def between(low: float, high: float) -> Tolerance:
    return Tolerance(low=low, high=high)


def equal(target: float) -> Tolerance:
    """The same number: of counts, and of yes (1) and no (0)."""
    return Tolerance(target, target, target)


YES, NO = equal(1.0), equal(0.0)
