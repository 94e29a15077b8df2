"""What the benchmark returns: tables of times, and a verdict for each target."""

from dataclasses import asdict, dataclass
from typing import Any

from chorda.results import Table


@dataclass(frozen=True)
class Verdict:
    """A target, what was measured, and whether it is met (None: not measured)."""

    what: str
    wanted: str
    measured: str
    met: bool | None

    @property
    def word(self) -> str:
        return {True: "met", False: "not met", None: "not measured"}[self.met]


@dataclass(frozen=True)
class Report:
    """Everything measured: for people in tables, for programs in `data` (SI units)."""

    machine: dict[str, str]
    tables: tuple[Table, ...]
    verdicts: tuple[Verdict, ...]
    data: dict[str, Any]

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "machine": self.machine,
            "targets": [{**asdict(v), "verdict": v.word} for v in self.verdicts],
            "measurements": self.data,
        }

    def verdict_table(self) -> Table:
        rows = tuple((v.what, v.wanted, v.measured, v.word) for v in self.verdicts)
        return Table("Targets", ("what", "target", "measured", "verdict"), rows)


def at_most(what: str, limit: float, value: float, unit: str) -> Verdict:
    return Verdict(what, f"<= {limit:g} {unit}", f"{value:.3g} {unit}", value <= limit)


def at_least(what: str, limit: float, value: float | None, unit: str) -> Verdict:
    if value is None:
        return Verdict(what, f">= {limit:g} {unit}", "-", None)
    return Verdict(what, f">= {limit:g} {unit}", f"{value:.3g} {unit}", value >= limit)
