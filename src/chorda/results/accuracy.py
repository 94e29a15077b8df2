"""Accuracy: how exact a result is, as far as that was estimated."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import floor, log10
from typing import Any

from chorda.results.space_accuracy import UNKNOWN, SpaceAccuracy

LARGE_ENERGY = 0.01  # of the energy that is exchanged: the status of a motion says it from here on
LARGE_ERROR = 0.01  # of the robot's size


@dataclass(frozen=True)
class ErrorInTime:
    """What the steps of a scheme leave, estimated by the same motion in other steps.

    Attributes
    ----------
    coordinate : float
        The largest error of any coordinate over its scale: 1 rad, 1 m, or a bend of 1 rad.
    position : float
        The largest error of any point of the robot [m]: of tips, frames and what is drawn.
    size : float
        Of the robot [m].
    step : float
        Of the motion [s].
    order : float
        In which the error is taken to shrink with the step: between 1 and that of the scheme, or 1
        where the steps are too long to show more.
    reliable : bool
        Whether steps are short enough to show the order; if not, it is an order of magnitude.
    """

    coordinate: float
    position: float
    size: float
    step: float
    order: float
    reliable: bool

    @property
    def relative(self) -> float:
        """The error of positions over the robot's size; of a robot without one 0."""
        return self.position / self.size if self.size > 0 else 0.0

    def step_for(self, error: float) -> float:
        """A step [s], of one digit, with which the error of positions is about this one [m]."""
        wanted = self.step * min(1.0, error / self.position) ** (1 / self.order)
        digit = 10.0 ** floor(log10(wanted))
        return float(f"{floor(wanted / digit * (1 + 1e-9)) * digit:.1g}")


@dataclass(frozen=True)
class ImpactError:
    """An impact whose rebound is decided by the step: it lasts too few of them.

    Attributes
    ----------
    contact : str
        Which point touches.
    time : float
        When [s].
    met : float
        The speed with which the shapes meet [m/s].
    parted : float
        That with which they part in the motion [m/s].
    expected : float
        The same in steps sixteen times shorter [m/s].
    step : float
        Of the motion [s].
    """

    contact: str
    time: float
    met: float
    parted: float
    expected: float
    step: float

    def message(self) -> str:
        """Put it into words, for a status."""
        return (
            f"Contact {self.contact} meets at t = {self.time:.3g} s with {self.met:.2g} m/s and "
            f"parts with {self.parted:.2g} m/s, in shorter steps with {self.expected:.2g} m/s: the "
            f"impact lasts too few steps. Try step={self.step / 10:.1g}."
        )


@dataclass(frozen=True)
class Accuracy:
    """Estimates of the errors of a result; None where there is none.

    Attributes
    ----------
    time : ErrorInTime or None
        Of the steps in time. There is none for schemes that choose their own steps, which have a
        tolerance, with controllers, whose output is held over each step, and where the motion does
        not come to its end in longer steps.
    tried : bool
        Whether longer steps were tried for it.
    energy : float or None
        Of a motion without losses: the largest change of its energy, which should be none, over
        what kinetic and potential energy exchange.
    space : SpaceAccuracy or None
        Of rods: what their functions leave at the time when they are strained most, an order of
        magnitude. There is none beside cables around pulleys.
    rods : bool
        Whether there are rods.
    impact : ImpactError or None
        Of the fastest impacts, one whose rebound the step and not the law of contact decides. It is
        looked for where the error of time is not large, and under controllers.

    See Also
    --------
    chorda.Run : has it as `accuracy`.
    """

    time: ErrorInTime | None = None
    energy: float | None = None
    tried: bool = False
    space: SpaceAccuracy | None = None
    rods: bool = False
    impact: ImpactError | None = None

    def data(self) -> dict[str, Any]:
        """Give it as plain data, for files.

        Returns
        -------
        dict
            Numbers, words and None by name.
        """
        space = None if self.space is None else self.space.to_dict()
        return asdict(replace(self, space=None)) | {"space": space}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Accuracy":
        """The accuracy of such data.

        Parameters
        ----------
        data : mapping
            As `data()` makes it.

        Returns
        -------
        Accuracy
            The record.
        """
        time = data.get("time")
        found = None if time is None else ErrorInTime(**time)
        space = data.get("space")
        rods = None if space is None else SpaceAccuracy.of(space)
        flags = data.get("tried", False), data.get("rods", False)
        hit = data.get("impact")
        impact = None if hit is None else ImpactError(**hit)
        return cls(found, data.get("energy"), flags[0], rods, flags[1], impact)

    def message(self) -> str:
        """Put estimates that are large into words, for a status.

        Returns
        -------
        str
            A sentence for each; empty where none is large.
        """
        impact = "" if self.impact is None else self.impact.message()
        each = self._of_time(), impact, self._of_energy(), self._of_space()
        return " ".join(x for x in each if x)

    def _of_space(self) -> str:
        if self.space is None:
            return UNKNOWN if self.rods else ""
        return self.space.message() if self.space.is_large() else ""

    def _of_time(self) -> str:
        if self.time is None and self.tried:
            return (
                "The error that the step leaves is not known: the motion does not come to its end "
                "in steps twice as long."
            )
        if self.time is None or self.time.relative <= LARGE_ERROR:
            return ""
        found = self.time
        return (
            f"The step leaves an error of about {found.position:.1g} m, "
            f"{100 * found.relative:.2g} % of the robot's size: try "
            f"step={found.step_for(LARGE_ERROR / 2 * found.size):g}."
        )

    def _of_energy(self) -> str:
        if self.energy is None or self.energy <= LARGE_ENERGY:
            return ""
        return (
            f"Nothing is lost in this motion, yet its energy changes by {100 * self.energy:.2g} % "
            "of what is exchanged: try a smaller step, or a scheme of higher order or with other "
            "damping."
        )
