"""What the benchmark measures: groups of rows, with targets; and the report of all of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from chorda.results import Table


@dataclass(frozen=True)
class Target:
    """A target, what was measured, and whether it is met (None: not measured)."""

    what: str
    wanted: str
    measured: str
    met: bool | None

    @property
    def word(self) -> str:
        return {True: "met", False: "not met", None: "not measured"}[self.met]


def at_most(what: str, limit: float, value: float | None, unit: str) -> Target:
    if value is None:
        return Target(what, f"<= {limit:g} {unit}", "-", None)
    return Target(what, f"<= {limit:g} {unit}", f"{value:.3g} {unit}", value <= limit)


def at_least(what: str, limit: float, value: float | None, unit: str) -> Target:
    if value is None:
        return Target(what, f">= {limit:g} {unit}", "-", None)
    return Target(what, f">= {limit:g} {unit}", f"{value:.3g} {unit}", value >= limit)


@dataclass(frozen=True)
class Group:
    """A table for people, its targets, and the same measurements for programs (SI units)."""

    table: Table
    targets: tuple[Target, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """Everything measured on a machine."""

    machine: dict[str, str]
    groups: tuple[Group, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """One a group, and that of the targets."""
        rows = tuple((t.what, t.wanted, t.measured, t.word) for t in self.targets)
        summary = Table("Targets", ("what", "target", "measured", "verdict"), rows)
        return (*(group.table for group in self.groups), summary)

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(target for group in self.groups for target in group.targets)

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "machine": self.machine,
            "targets": [{**asdict(t), "verdict": t.word} for t in self.targets],
            "measurements": {k: v for group in self.groups for k, v in group.data.items()},
        }


def step_table(title: str, seconds: Mapping[str, float], note: str) -> Table:
    """The time of a step by each program and scheme, and its ratio to the first."""
    first = next(iter(seconds.values()))
    rows = tuple((name, us(t), f"{t / first:.3g}") for name, t in seconds.items())
    return Table(title, ("program and scheme", "time a step", "ratio"), rows, note)


def us(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} us"


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
