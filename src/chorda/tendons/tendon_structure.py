"""Transmission: torques that tendons make at a configuration, and tensions that hold torques."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chorda.checks import check_names, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results import Code, Status, Table
from chorda.tendons.commanded_tensions import CommandedTensions
from chorda.tendons.feasibility import Wiring, least_tensions, obstacle
from chorda.tendons.tendon_lines import RANK_TOLERANCE, rank_of

Bound = float | Sequence[float] | Array


@dataclass(frozen=True)
class Distribution:
    """Tensions that hold torques, and the sentence.

    Attributes
    ----------
    tension : dict
        By tendon [N]; NaN where no tensions hold the torques.
    torque : dict
        By joint [N m, or N].
    status : Status
        Whether there are such tensions, and if not which joint fails.

    See Also
    --------
    Transmission.distribute : makes it.
    """

    tension: dict[str, float]
    torque: dict[str, float]
    status: Status


@dataclass(frozen=True, eq=False)
class Transmission:
    """The tendons' structure at a configuration: torques on the joints tau = B^T t.

    A line is a tendon, or tendons in series over free pulleys, named by the one that is nearest to
    an actuator.

    Attributes
    ----------
    system : System
        The robot.
    q : array of shape (nq,)
        The configuration.
    joints, units : tuple of str
        On which torques act, and the units of these.
    pulleys : tuple of str
        That turn freely.
    tendons, lines : tuple of str
        Rows of `ties` and of `B`.
    B : array of shape (lines, joints)
        Moment arms of each line [m].
    ties : array of shape (tendons, lines)
        Tension of each tendon for one newton in each line.
    load : array of shape (joints,)
        Torques that hold the configuration at rest against gravity, springs and loads.
    wiring : Wiring
        Which actuator pulls which tendon.
    commands : CommandedTensions
        How the actuators change the tensions.
    normal_forces : dict
        With which contacts press at the configuration [N]; they are part of `load`.

    See Also
    --------
    transmission : computes it, with an example.
    """

    system: System
    q: Array
    joints: tuple[str, ...]
    units: tuple[str, ...]  # of the torques
    pulleys: tuple[str, ...]  # that turn freely
    tendons: tuple[str, ...]
    lines: tuple[str, ...]
    B: Array
    ties: Array
    load: Array
    wiring: Wiring
    commands: CommandedTensions
    normal_forces: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def rank(self) -> int:
        """Number of independent torques that the tendons can make, whoever pulls them."""
        return self._independent(self.B.T)

    @cached_property
    def commanded(self) -> int:
        """Number of independent torques that the actuators can change."""
        return self._independent(self.wiring.A @ self.commands.changes)

    @cached_property
    def passive(self) -> tuple[str, ...]:
        """Tendons whose tension no actuator can command."""
        return _where(self.tendons, self.commands.passive)

    def _independent(self, torques: Array) -> int:
        closed = self.wiring.loops[: len(self.joints)]
        return rank_of(np.hstack([torques, closed])) - rank_of(closed)

    @cached_property
    def degrees_of_freedom(self) -> int:
        """Number of independent motions of the joints."""
        return len(self.joints) - rank_of(self.wiring.loops[: len(self.joints)])

    @cached_property
    def null_space(self) -> Array:
        """Line tensions that make no torque, as orthonormal columns (lines, n)."""
        from scipy.linalg import null_space

        return np.asarray(null_space(self.B.T, rcond=RANK_TOLERANCE), float)

    @cached_property
    def arrangement(self) -> str:
        """Number of lines that actuators command for N degrees of freedom: 'N', 'N+1', '2N' ...

        Endless tendons, whose two sides share an actuator, count by actuators: 'N, endless'.
        Tendons that one actuator winds alike are 'on shared actuators'.
        """
        n, m = self.degrees_of_freedom, len(self._pulled)
        if self._shared:
            return "on shared actuators"
        if self.endless:
            more = self._actuators - n
            return (
                "N, endless" if not more else f"{'fewer' if more < 0 else 'more'} than N, endless"
            )
        if n == 1 and m == 2:
            return "antagonistic pair (N+1 and 2N)"
        known = {n: "N", n + 1: "N+1", 2 * n: "2N"}
        between = "fewer than N" if m < n else "more than 2N" if m > 2 * n else "N+1 to 2N"
        return known.get(m, between)

    @cached_property
    def endless(self) -> tuple[str, ...]:
        """Sides of endless tendons: where one gains the other loses."""
        tendons = self.system.robot.tendons
        wound = {(t.actuator, t.winding) for t in tendons}
        tied = np.array([t.actuator is None for t in tendons])
        gains, losses = (sign * self.commands.changes[tied] > RANK_TOLERANCE for sign in (1, -1))
        both = np.any(gains, axis=0) & np.any(losses, axis=0)
        sides = np.array([(t.actuator, -t.winding) in wound for t in tendons])
        sides[tied] = np.any((gains | losses)[:, both], axis=1)
        return _where(self.tendons, sides)

    @cached_property
    def balanced(self) -> dict[str, float] | None:
        """The least tensions, one newton or more in every tendon, that make no torque.

        Tendons that no actuator commands count as slack.
        """
        commanded = ~self.commands.passive
        most = np.where(commanded, np.inf, 0.0)
        none = np.zeros(len(self.joints))
        found = least_tensions(self.wiring, none, commanded.astype(float), most)
        return None if found is None else dict(zip(self.tendons, found.tolist(), strict=True))

    @cached_property
    def wrench_closure(self) -> bool:
        """Whether the actuators give every torque with tendons that pull.

        They can change N independent torques, and there is a positive null vector.
        """
        return self.commanded == self.degrees_of_freedom > 0 and self.balanced is not None

    @cached_property
    def summary(self) -> str:
        """One sentence: every torque can be held, or which one cannot."""
        count = self._counted
        if self.passive:
            count += f"; no actuator commands {', '.join(self.passive)}"
        if self.wrench_closure:
            given = ", given enough pretension" if self._preloaded else ""
            return f"Every torque can be held with tendons that pull{given}: {count}."
        none = np.zeros(len(self.tendons))
        most = np.where(self.commands.passive, 0.0, np.inf)
        unit = np.eye(len(self.joints))
        reasons = [obstacle(self.wiring, torque, none, most) for torque in (*unit, *-unit)]
        plainest = min(filter(None, reasons), key=lambda x: len(x.direction), default=None)
        if plainest is None:
            return f"Every torque can be held, though not with all tendons taut: {count}."
        return f"Not every torque can be held: {plainest.sentence(self._units)}; {count}."

    @property
    def _pulled(self) -> tuple[str, ...]:
        """Lines that actuators command."""
        return tuple(name for name in self.lines if name not in self.passive)

    @property
    def _actuators(self) -> int:
        return int(np.sum(np.any(self.commands.changes != 0, axis=0)))

    @property
    def _shared(self) -> bool:
        """Whether an actuator winds two tendons alike, or pulls two with one tension."""
        wound = [
            (t.actuator, t.winding) for t in self.system.robot.tendons if t.actuator is not None
        ]
        return len(set(wound)) < len(wound)

    @property
    def _counted(self) -> str:
        n, m = self.degrees_of_freedom, len(self._pulled)
        what = _several(m, "line")
        if self.endless or self._shared:
            what = _several(self._actuators, "actuator")
        return f"{what} for N = {_several(n, 'degree', ' of freedom')} ({self.arrangement})"

    def distribute(
        self,
        torque: Mapping[str, float] | Array | Sequence[float] | None = None,
        low: Bound = 0.0,
        high: Bound = np.inf,
    ) -> Distribution:
        """Find the tensions of the smallest sum that give a torque.

        Tendons that no actuator commands have the tension that the configuration gives them. The
        sum of the two sides of an endless tendon is a matter of its pretension, which is taken to
        suit.

        Parameters
        ----------
        torque : mapping or array of shape (joints,), optional
            By joint (others 0) or in order [N m, or N]; by default what holds the configuration at
            rest.
        low, high : float or array of shape (tendons,)
            Bounds of the tensions [N].

        Returns
        -------
        Distribution
            Tensions by tendon, NaN with a status that tells why where there are none.
        """
        tau = self._torque(torque)
        least, most = self._bound("low", low), self._bound("high", high)
        if np.any(least > most) or np.any(np.isinf(least)):
            raise InputError(
                f"low: expected finite tensions not above high, got {low} and high {high}"
            )
        given = self.commands.passive & np.isfinite(self.commands.resting)
        least = np.where(given, self.commands.resting, least)
        most = np.where(given, self.commands.resting, most)
        found = least_tensions(self.wiring, tau, least, most)
        if found is not None:
            message = f"The torque is held within the bounds.{self._provided}"
            status = Status(Code.COMPLETED, message)
        else:
            reason = obstacle(self.wiring, tau, least, most)
            why = "the bounds are too narrow" if reason is None else reason.sentence(self._units)
            status = Status(Code.INFEASIBLE, f"{why[0].upper()}{why[1:]}.")
            found = np.full(len(self.tendons), np.nan)
        return Distribution(
            dict(zip(self.tendons, found.tolist(), strict=True)),
            dict(zip(self.joints, tau.tolist(), strict=True)),
            status,
        )

    def table(self) -> Table:
        """Show B, a row for each line: torques per newton in the tendon named first.

        Returns
        -------
        Table
            It prints itself.
        """
        rows = tuple(
            (self._series(k), *(f"{arm:.6g}" if abs(arm) > 1e-12 else "0" for arm in row))
            for k, row in enumerate(self.B)
        )
        note = f"Rank {self.rank}, null space of dimension {self.null_space.shape[1]}."
        if self.pulleys:
            note += f" Free pulleys in balance: {', '.join(self.pulleys)}."
        if np.any(np.all(np.abs(self.B) < 1e-12, axis=1)):
            note += " A row of zeros is tension that makes no torque: pretension within a loop."
        if self.passive:
            note += f" No actuator commands {', '.join(self.passive)}."
        per = {"N m": "m", "N": "N/N"}
        header = ("tendon", *(f"{name} [{per[unit]}]" for name, unit in self._units.items()))
        what = "torque (force on slides)" if "N" in self.units else "torque"
        where = "each tendon"
        if np.any(np.sum(np.abs(self.ties) > RANK_TOLERANCE, axis=0) > 1):
            where = "the first tendon of a row, which the others follow"
        title = f"{self.system.robot.name}: {what} on each joint for one newton in {where}"
        return Table(title, header, rows, note)

    def _series(self, k: int) -> str:
        """A line as its tendons, each with its tension for one newton in the first."""
        column = dict(zip(self.tendons, self.ties[:, k].tolist(), strict=True))
        text = self.lines[k]
        for name, x in column.items():
            if name != self.lines[k] and abs(x) > RANK_TOLERANCE:
                factor = "" if abs(abs(x) - 1) < 1e-6 else f"{abs(x):.4g} "
                text += f" {'-' if x < 0 else '+'} {factor}{name}"
        return text

    @property
    def _preloaded(self) -> bool:
        """Whether some tensions that make no torque are set by mounting, not by actuators."""
        wiring, given = self.wiring, self.commands
        bound = rank_of(wiring.idle) + (0 if wiring.coupling is None else len(wiring.coupling))
        return rank_of(given.changes) < int(np.sum(~given.passive)) - bound

    @property
    def _provided(self) -> str:
        if not self._preloaded:
            return ""
        if self.endless:
            return (
                f" Among the sides of endless tendons ({', '.join(self.endless)}) actuators change "
                "only differences; the sums are those of the pretension, which is taken to suit."
            )
        return " Actuators change some tensions only together; the pretension is taken to suit."

    @property
    def _units(self) -> dict[str, str]:
        return dict(zip(self.joints, self.units, strict=True))

    def _torque(self, torque: Any) -> Array:
        if torque is None:
            return self.load
        if isinstance(torque, Mapping):
            tau = np.zeros(len(self.joints))
            check_names("torque", torque, self.joints)
            for name, value in torque.items():
                number = numeric(f"torque.{name}", value)
                if number.ndim or not np.isfinite(number):
                    raise InputError(
                        f"torque.{name}: expected one finite number, got {value!r:.60}"
                    )
                tau[self.joints.index(name)] = number
            return tau
        tau = numeric("torque", torque).ravel()
        if len(tau) != len(self.joints):
            raise InputError(
                f"torque: expected {len(self.joints)} values ({', '.join(self.joints)}), got "
                f"{len(tau)}"
            )
        if not np.all(np.isfinite(tau)):
            raise InputError(f"torque: expected finite numbers, got {torque!r:.60}")
        return tau

    def _bound(self, name: str, value: Bound) -> Array:
        given, count = numeric(name, value), len(self.tendons)
        if given.shape not in ((), (count,)):
            raise InputError(
                f"{name}: expected 1 or {count} tensions ({', '.join(self.tendons)}), got "
                f"{given.size}"
            )
        if not np.all(given >= 0):
            raise InputError(
                f"{name}: expected tensions of 0 N or more, got {value!r:.60}; tendons only pull"
            )
        return np.asarray(np.broadcast_to(given, count), float)


def _where(names: tuple[str, ...], which: Any) -> tuple[str, ...]:
    return tuple(name for name, yes in zip(names, which, strict=True) if yes)


def _several(count: int, what: str, more: str = "") -> str:
    return f"{count} {what}{'s' * (count != 1)}{more}"
