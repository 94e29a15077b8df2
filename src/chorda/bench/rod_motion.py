"""The motion that all programs are timed on: Till's rod, pulled smoothly up against its weight.

The rod is that of the catalogue without drag and disks, which the others do not have. It starts
from rest under gravity; the tendon's tension rises to 3 N within 0.5 s and stays. A parallel
tendon under the tension T acts on the section like the moment T times its offset and a
compression T, both constant along the rod; the compression shortens this rod by 7 um, so programs
without tendons get the moment alone, at the tip. A force at the tip instead, follower or not,
would be another load: the sheath carries it sideways.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.catalogue import load
from chorda.describe import Circle, Modes, Robot, Rod
from chorda.mechanics import Array

DURATION, RISE, PULL = 2.0, 0.5, 3.0  # [s, s, N]
GRAVITY = 9.81  # [m/s^2] across the straight rod


def robot(modes: Modes | None = None) -> Robot:
    """The rod for Chorda; its input is the tension."""
    whole = load("till-tension")
    rod = whole.joints[0].model_copy(
        update={"drag": None, "disks": (), **({"modes": modes} if modes else {})}
    )
    return whole.model_copy(update={"joints": (rod,), "sources": {}})


def clipped(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def tension(t: Any, clip: Callable[[Any, float, float], Any] = clipped) -> Any:
    """[N] at the time t [s]; clip: that of other numbers than Python's.

    >>> tension(0.0), tension(0.25), tension(2.0)
    (0.0, 1.5, 3.0)
    """
    return PULL * risen(clip(t / RISE, 0.0, 1.0))


def risen(share: Any) -> Any:
    """From 0 to 1 with two derivatives that vanish at both ends; any kind of number."""
    return share**3 * (10 - 15 * share + 6 * share**2)


@dataclass(frozen=True)
class Section:
    """What programs without Chorda's descriptions are given, in SI units."""

    length: float
    radius: float
    young_modulus: float
    shear_modulus: float
    density: float
    bend_damping: float  # [N m^2 s] moment per rate of bend
    offset: float  # [m] of the tendon, above the rod

    @property
    def area(self) -> float:
        return math.pi * self.radius**2

    @property
    def inertia(self) -> float:
        """Second moment of area [m^4]."""
        return math.pi / 4 * self.radius**4


def section() -> Section:
    whole = robot()
    rod = whole.joints[0]
    assert isinstance(rod, Rod)
    assert isinstance(rod.section, Circle)
    return Section(
        length=rod.length,
        radius=rod.section.radius,
        young_modulus=rod.young_modulus,
        shear_modulus=rod.young_modulus / 2.6,
        density=rod.density,
        bend_damping=rod.bend_damping or 0.0,
        offset=-whole.tendons[0].sheaths[0].z[0],
    )


@dataclass(frozen=True)
class Path:
    """Where the tip goes: time (k) [s], place (k, 2) [m] along the straight rod and up."""

    time: Array
    place: Array

    def error(self, reference: "Path") -> float:
        """Largest distance to another motion at this one's times [m]; not a number: infinite."""
        there = [np.interp(self.time, reference.time, x) for x in reference.place.T]
        away = float(np.max(np.linalg.norm(self.place - np.transpose(there), axis=1)))
        return away if math.isfinite(away) else math.inf


@dataclass(frozen=True)
class Ready:
    """A program with everything built: `run` moves the rod, `tip` reads its answer."""

    run: Callable[[], Any]
    tip: Callable[[Any], Path] | None

    def path(self) -> Path:
        """Where the tip goes, of a program whose answer can be read."""
        assert self.tip is not None
        return self.tip(self.run())


@dataclass(frozen=True)
class Setting:
    """One way to run one program; `begin` builds and compiles."""

    program: str
    what: str
    begin: Callable[[], Ready]
    duration: float = DURATION
