"""transmission: what the tendons of a robot can hold, at a posture and over many."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chorda.analyse.holding import Wiring, least_tensions, obstacle
from chorda.describe import Pulley, Robot
from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Run, Status, Table
from chorda.solve.initial import Initial, check, initial_state

RANK = 1e-9  # of the largest singular value
Bound = float | Sequence[float] | Array


@dataclass(frozen=True)
class Distribution:
    """Tensions that hold a torque (NaN where there are none), and the sentence."""

    tension: dict[str, float]  # by tendon [N]
    torque: dict[str, float]  # by joint [N m, or N]
    status: Status


@dataclass(frozen=True, eq=False)
class Transmission:
    """The tendons' structure at a posture: torques on the joints tau = B^T t.

    B (lines, joints): moment arms [m] of each line, a line being a tendon or tendons in series
    over free pulleys; ties (tendons, lines): tension of each tendon for one newton in each line
    (named by its tendon nearest to a drive). load: torques that hold the posture at rest against
    gravity, springs and loads.
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

    @cached_property
    def rank(self) -> int:
        """Number of independent torques."""
        closed = self.wiring.loops[: len(self.joints)]
        return _rank(np.hstack([self.B.T, closed])) - _rank(closed)

    @cached_property
    def freedoms(self) -> int:
        """Independent motions of the joints."""
        return len(self.joints) - _rank(self.wiring.loops[: len(self.joints)])

    @cached_property
    def null_space(self) -> Array:
        """Line tensions that make no torque, as orthonormal columns (lines, n)."""
        from scipy.linalg import null_space

        return np.asarray(null_space(self.B.T, rcond=RANK), float)

    @cached_property
    def arrangement(self) -> str:
        """How many lines there are for N freedoms: 'N', 'N+1', '2N' or a count.

        Endless tendons, whose two sides share a drive, count by drives: 'N, endless'.
        """
        n, m = self.freedoms, len(self.lines)
        drives = [t.drive for t in self.system.robot.tendons if t.drive is not None]
        if len(set(drives)) < len(drives):
            count = len(set(drives))
            return "N, endless" if count == n else f"{count} drives for {n}, endless"
        if n == 1 and m == 2:
            return "antagonistic pair (N+1 and 2N)"
        return {n: "N", n + 1: "N+1", 2 * n: "2N"}.get(m, f"{m} for {n}")

    @cached_property
    def balanced(self) -> dict[str, float] | None:
        """The least tensions, one newton or more in every tendon, that make no torque."""
        m = len(self.tendons)
        found = self._least(np.zeros(len(self.joints)), np.ones(m), np.full(m, np.inf))
        return None if found is None else dict(zip(self.tendons, found.tolist(), strict=True))

    @cached_property
    def holds_any_torque(self) -> bool:
        """Whether pulling tendons give every torque: rank N and a positive null vector."""
        return self.rank == self.freedoms and self.balanced is not None

    @cached_property
    def verdict(self) -> str:
        """One sentence: any torque can be held, or what cannot."""
        count = f"lines {len(self.lines)}, freedoms {self.freedoms} ({self.arrangement})"
        if self.holds_any_torque:
            return f"Every torque can be held with tendons that pull: {count}."
        none, most = np.zeros(len(self.tendons)), np.full(len(self.tendons), np.inf)
        unit = np.eye(len(self.joints))
        reasons = [obstacle(self.wiring, torque, none, most) for torque in (*unit, *-unit)]
        plainest = min(filter(None, reasons), key=lambda x: len(x.direction), default=None)
        if plainest is None:
            return f"Every torque can be held, though not with all tendons taut: {count}."
        return f"Not every torque can be held: {plainest.sentence(self._units)}; {count}."

    def distribute(
        self,
        torque: Mapping[str, float] | Array | Sequence[float] | None = None,
        low: Bound = 0.0,
        high: Bound = np.inf,
    ) -> Distribution:
        """The tensions of the smallest sum, low <= t <= high [N], that give a torque.

        torque: by joint (others 0) or in order [N m, or N]; none: what holds the posture at rest.
        """
        tau = self._torque(torque)
        least, most = self._bound("low", low), self._bound("high", high)
        if np.any(least > most) or np.any(np.isinf(least)):
            raise InputError(
                f"low: expected finite tensions not above high, got {low} and high {high}"
            )
        found = self._least(tau, least, most)
        if found is not None:
            status = Status("completed", "The torque is held within the bounds.")
        else:
            reason = obstacle(self.wiring, tau, least, most)
            why = "the bounds are too narrow" if reason is None else reason.sentence(self._units)
            status = Status("not-holdable", f"{why[0].upper()}{why[1:]}.")
        values = np.full(len(self.tendons), np.nan) if found is None else found
        return Distribution(
            dict(zip(self.tendons, values.tolist(), strict=True)),
            dict(zip(self.joints, tau.tolist(), strict=True)),
            status,
        )

    def table(self) -> Table:
        """B, a row for each line, in metres."""
        series = [
            [name for name, x in zip(self.tendons, column, strict=True) if abs(x) > RANK]
            for column in self.ties.T
        ]
        rows = tuple(
            (" + ".join(group) or name, *(f"{arm:.6g}" if abs(arm) > 1e-12 else "0" for arm in row))
            for name, group, row in zip(self.lines, series, self.B, strict=True)
        )
        note = f"Rank {self.rank}, null space of dimension {self.null_space.shape[1]}."
        if self.pulleys:
            note += f" Free pulleys in balance: {', '.join(self.pulleys)}."
        header = ("tendon", *(f"{x} [m]" if u == "N m" else x for x, u in self._units.items()))
        title = f"{self.system.robot.name}: torque on each joint for one newton in each tendon"
        return Table(title, header, rows, note)

    @property
    def _units(self) -> dict[str, str]:
        return dict(zip(self.joints, self.units, strict=True))

    def _least(self, torque: Array, low: Array, high: Array) -> Array | None:
        return least_tensions(self.wiring, torque, low, high)

    def _torque(self, torque: Any) -> Array:
        if torque is None:
            return self.load
        if isinstance(torque, Mapping):
            tau = np.zeros(len(self.joints))
            for name, value in torque.items():
                if name not in self.joints:
                    raise InputError(unknown("torque", name, self.joints))
                tau[self.joints.index(name)] = numeric(f"torque.{name}", value)
            return tau
        tau = numeric("torque", torque).ravel()
        if len(tau) != len(self.joints):
            raise InputError(f"torque: expected {len(self.joints)} values, got {len(tau)}")
        return tau

    def _bound(self, name: str, value: Bound) -> Array:
        given = numeric(name, value)
        if given.shape not in ((), (len(self.tendons),)) or np.any(np.isnan(given)):
            count = len(self.tendons)
            raise InputError(f"{name}: expected 1 or {count} tensions, got {value!r:.60}")
        return np.asarray(np.broadcast_to(given, len(self.tendons)), float)


def transmission(
    system: System,
    q: Initial = None,
    *,
    free: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Transmission:
    """What the tendons can hold at a posture q (as `initial` of simulate; default: rest).

    free: joints that only pass tensions on (pulleys between segments of a tendon) and are
    eliminated by their balance; default: see `free_pulleys`.

    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> found = transmission(assemble(load("neck-3")))
    >>> found.arrangement, found.holds_any_torque
    ('N+1', True)
    """
    check(system)
    if not system.robot.tendons:
        raise InputError(f"{system.robot.name}: has no tendons, so there is no transmission")
    p = system.parameters(parameters)
    posture, _ = initial_state(system, q, p)
    return _at(system, posture, p, free_pulleys(system.robot) if free is None else tuple(free))


def free_pulleys(robot: Robot) -> tuple[str, ...]:
    """Joints that do nothing but pass tensions on from one tendon to the next.

    Nothing stands on them or is fastened to them but drums of two tendons or more, of which one at
    least has no drive; they are not sprung, and their mass is balanced about their axis.
    """
    carrying = {joint.parent.partition(".")[0] for joint in robot.joints}
    fastened: list[Any] = [*robot.springs, *robot.dampers, *robot.closures]
    for item in fastened:
        carrying |= {end.frame.partition(".")[0] for end in (item.start, item.end)}
    carrying |= {load.at.frame.partition(".")[0] for load in robot.loads}
    carrying |= {t.carrier for t in robot.tendons if t.carrier is not None}
    found = []
    for joint in robot.joints:
        if joint.kind != "revolute" or joint.name in carrying or joint.stiffness:
            continue
        on = [(t, k) for t in robot.tendons for k, x in enumerate(t.path) if x.frame == joint.name]
        drums = all(isinstance(t.path[k], Pulley) and k in (0, len(t.path) - 1) for t, k in on)
        center = np.zeros(3) if joint.body is None else np.array(joint.body.center)
        offset = np.linalg.norm(np.cross(joint.axis, center))
        tied = any(t.drive is None for t, _ in on)
        if drums and len(on) > 1 and tied and offset < 1e-9:
            found.append(joint.name)
    return tuple(found)


def _at(system: System, q: Array, p: Array, free: tuple[str, ...]) -> Transmission:
    robot = system.robot
    motors = sum(c.kind == "motor" for c in system.coordinates)
    rows = list(range(system.nv - motors))
    names = [system.velocities[i][0].removesuffix(".rate") for i in rows]
    for name in free:
        if name not in names:
            raise InputError(unknown("free", name, tuple(names)))
    idle = [i for i in rows if names[i] in free]
    kept = [i for i in rows if names[i] not in free]
    if not kept:
        raise InputError(f"free: leaves no joint; name fewer of {', '.join(names)}")
    Z, force, J = (x.full() for x in _geometry(system)(q, np.zeros(system.nu), p))
    cords = {f"{t.name}.length" for t in robot.tendons}
    loops = J[[i for i, name in enumerate(system.closure_names) if name not in cords]].T
    joints = tuple(names[i] for i in kept)
    wiring = Wiring(joints, Z[kept], Z[idle], loops[[*kept, *idle]])
    driven = [t.drive is not None for t in robot.tendons]
    lines, ties = _lines(Z[idle], driven)
    tendons = tuple(t.name for t in robot.tendons)
    return Transmission(
        system=system,
        q=q,
        joints=joints,
        units=tuple("N" if system.velocities[i][1] == "m/s" else "N m" for i in kept),
        pulleys=tuple(names[i] for i in idle),
        tendons=tendons,
        lines=tuple(tendons[i] for i in lines),
        B=(Z[kept] @ ties).T,
        ties=ties,
        load=-force.ravel()[kept],
        wiring=wiring,
    )


def _geometry(system: System) -> Any:
    return system.once(
        "transmission",
        lambda: system.function("geometry", "q u p", system.Z, system.slack_force, system.J),
    )


def _rank(matrix: Array) -> int:
    """Of a matrix whose entries may be small, as moment arms are."""
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > RANK * values[0])) if values[0] > 0 else 0


def _lines(idle: Array, driven: list[bool]) -> tuple[list[int], Array]:
    """Tendons whose tension can be chosen, driven ones first, and what it makes of all.

    The balance of the pulleys, idle @ t = 0, gives the others: columns are eliminated from those
    that no drive pulls.
    """
    m = idle.shape[1]
    if not len(idle):
        return list(range(m)), np.eye(m)
    order = [i for i in range(m) if not driven[i]] + [i for i in range(m) if driven[i]]
    given: list[int] = []
    for i in order:  # columns that are independent of those before
        if _rank(idle[:, [*given, i]]) > len(given):
            given.append(i)
    chosen = [i for i in range(m) if i not in given]
    ties = np.zeros((m, len(chosen)))
    ties[chosen, range(len(chosen))] = 1.0
    ties[given] = np.linalg.lstsq(idle[:, given], -idle[:, chosen], rcond=None)[0]
    ties[np.abs(ties) < RANK] = 0.0
    return chosen, ties


@dataclass(frozen=True)
class Unheld:
    """A posture that no tensions within the bounds hold at rest."""

    row: int  # of the postures, or time of the run
    position: dict[str, float]
    reason: str


def unheld(
    system: System,
    postures: Run | Array | Mapping[str, Sequence[float]],
    low: Bound = 0.0,
    high: Bound = np.inf,
    *,
    parameters: Mapping[str, float] | None = None,
) -> tuple[Unheld, ...]:
    """Postures that tensions within [low, high] N do not hold against gravity, springs and loads.

    postures: rows of q, a Run, or values by coordinate that span a grid (others at rest).
    """
    check(system)
    p = postures.parameters if isinstance(postures, Run) else system.parameters(parameters)
    free = free_pulleys(system.robot)
    found = []
    for row, q in enumerate(_rows(system, postures)):
        held = _at(system, q, p, free).distribute(None, low, high)
        if not held.status.ok:
            position = dict(zip(system.coordinate_names, q.tolist(), strict=True))
            found.append(Unheld(row, position, held.status.message))
    return tuple(found)


def _rows(system: System, postures: Any) -> Array:
    if isinstance(postures, Run):
        return postures.position
    if not isinstance(postures, Mapping):
        rows = np.atleast_2d(numeric("postures", postures))
        if rows.shape[1] != system.nq:
            raise InputError(f"postures: expected {system.nq} columns, got {rows.shape[1]}")
        return rows
    for name in postures:
        if name not in system.coordinate_names:
            raise InputError(unknown("postures", name, system.coordinate_names))
    grid = np.array(list(itertools.product(*postures.values())), float)
    rows = np.repeat(system.rest[None], len(grid), 0)
    rows[:, [system.coordinate_names.index(name) for name in postures]] = grid
    return rows
