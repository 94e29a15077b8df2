"""What `identify` returns: parameters with their uncertainty, and what they rest on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chorda.identification.preparing import Prepared, Samples
from chorda.identification.regression import BaseParameters, Equations, Estimate
from chorda.identification.regressors import Unknowns
from chorda.mechanics import Array, System
from chorda.results import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["well identified", "poorly identified", "not identifiable"]
WELL = 0.10  # relative standard deviation up to which a parameter counts as well identified


@dataclass(frozen=True)
class Found:
    """One identified number. low and high bound its 95 % confidence interval.

    deviation allows for residuals that are correlated in time; plain takes them for white noise,
    as [Fasquelle2021, eq. 66] does. least_squares is the value without instruments.
    """

    name: str
    unit: str
    value: float
    deviation: float
    plain: float
    low: float
    high: float
    verdict: Verdict
    why: str
    described: float
    least_squares: float
    truth: float | None = None

    @property
    def relative(self) -> float:
        """Relative standard deviation; infinite for a value of zero."""
        if not np.isfinite(self.deviation):
            return np.inf
        return self.deviation / abs(self.value) if self.value else np.inf


@dataclass(frozen=True, eq=False)
class Identification:
    """Parameters from a log.

    found: one row a number, in the order of `unknowns`; offsets [s]: what each sensor's clock is
    ahead, with its deviation; samples and equations are what the estimate rests on.
    """

    system: System
    unknowns: Unknowns
    found: tuple[Found, ...]
    estimate: Estimate
    plain_estimate: Estimate
    method: Literal["least squares", "instruments", "refined"]
    offsets: Mapping[str, float]
    offset_deviations: Mapping[str, float]
    prepared: Prepared
    samples: Samples  # those that are used
    equations: Equations
    notes: tuple[str, ...]
    seconds: float
    refined: Any = None
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def misfit(self) -> float:
        """Residuals of the equations over the spread of their known part, all rows together."""
        known = np.std(self.equations.y, axis=0)
        rows = known > 0
        return float(np.sqrt(np.mean((self.estimate.spread[rows] / known[rows]) ** 2)))

    @property
    def parameters(self) -> dict[str, float]:
        """Identified parameters by name, for `simulate(..., parameters=...)`.

        Numbers that the data do not determine keep the described value; those that came out
        negative although they cannot be are set to zero.
        """
        values: dict[str, float] = {}
        for item, rows in zip(self.found, self.unknowns.rows, strict=False):
            for row in rows:
                value = item.described if item.verdict == "not identifiable" else item.value
                signed = self.system.parameter_table.signed[row]
                values[self.system.parameter_names[row]] = value if signed else max(value, 0.0)
        return values | (dict(self.refined.values) if self.refined is not None else {})

    def __getitem__(self, name: str) -> Found:
        for item in self.found:
            if item.name == name:
                return item
        raise KeyError(f"{name}: not among {', '.join(x.name for x in self.found)}")

    def table(self) -> Table:
        """The parameters for people."""
        known = any(x.truth is not None for x in self.found)
        header = ["parameter", "value", "unit", "deviation", "95 % interval", "verdict"]
        rows = []
        for x in self.found:
            row = [x.name, number(x.value), x.unit, percent(x.relative), interval(x), x.verdict]
            if known:
                row.insert(3, "-" if x.truth is None else number(x.truth))
            rows.append(tuple(row))
        if known:
            header.insert(3, "truth")
        return Table(
            f"Parameters of {self.system.robot.name} from {self.prepared.log.source}",
            tuple(header),
            tuple(rows),
            " ".join(self.notes),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "robot": self.system.robot.name,
            "log": self.prepared.log.source,
            "method": self.method,
            "parameters": [
                {
                    **{k: _plain(v) for k, v in vars(x).items()},
                    "relative_deviation": _plain(x.relative),
                }
                for x in self.found
            ],
            "misfit": _plain(self.misfit),
            "condition_number": _plain(self.estimate.condition),
            "condition_number_unscaled": _plain(self.estimate.raw_condition),
            "samples": len(self.samples),
            "rate_hz": self.prepared.fast / (self.prepared.every * self.prepared.stride),
            "cutoff_hz": self.prepared.cutoff,
            "clock_offsets_s": {k: _plain(v) for k, v in self.offsets.items()},
            "clock_offset_deviations_s": {k: _plain(v) for k, v in self.offset_deviations.items()},
            "outliers": dict(self.prepared.removed),
            "residual": {
                name: {"unit": unit, "standard_deviation": _plain(s)}
                for name, unit, s in zip(
                    self.equations.names, self.equations.units, self.estimate.spread, strict=True
                )
            },
            "notes": list(self.notes),
            "seconds": self.seconds,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Model beside measurement as a matplotlib Figure; written to `path` if given."""
        from chorda.identification.reporting.figures import plot_identification

        return plot_identification(self, path)

    def report(self, path: str | Path) -> Path:
        """Write a self-contained HTML page: table, figures, residuals."""
        from chorda.identification.reporting.report import write_report

        return write_report(self, path)


def number(x: float) -> str:
    return f"{x:.4g}" if np.isfinite(x) else "-"


def percent(x: float) -> str:
    if not np.isfinite(x):
        return "-"
    if x > 10:
        return "> 1000 %"
    return f"{100 * x:.2g} %" if x < 0.995 else f"{100 * x:.0f} %"


def interval(x: Found) -> str:
    return f"{x.low:.4g} to {x.high:.4g}" if np.isfinite(x.low) else "-"


def _plain(value: Any) -> Any:
    """Numbers that JSON knows: nothing that is not finite."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value


def judged(
    unknowns: Unknowns,
    estimate: Estimate,
    plain: Estimate,
    described: Array,
    truth: Sequence[float | None],
    signed: Sequence[bool] = (),
) -> tuple[Found, ...]:
    """A row for each unknown, with its verdict; signed: whether it may be negative (yes)."""
    wide, base, out = estimate.coverage, estimate.base, []
    for j, name in enumerate(unknowns.names):
        value, s = float(estimate.theta[j]), float(estimate.deviation[j])
        verdict, why = _verdict(unknowns, estimate, j)
        if j in base.idle or j in base.others:
            value = np.nan
        if signed and not signed[j] and value + wide * s < 0:
            verdict = "poorly identified"
            why = (
                "it came out negative, which it cannot be: check the signs of the inputs, the "
                "columns of the log, and the model"
            )
        out.append(
            Found(
                name=name,
                unit=unknowns.units[j],
                value=value,
                deviation=s,
                plain=float(estimate.white_deviation[j]),
                low=value - wide * s,
                high=value + wide * s,
                verdict=verdict,
                why=why,
                described=float(described[j]),
                least_squares=float(plain.theta[j]),
                truth=_combined(base, truth, j),
            )
        )
    return tuple(out)


def _combined(base: BaseParameters, truth: Sequence[float | None], j: int) -> float | None:
    """The true value of what is estimated: of the combination, where only that is known."""
    true = truth[j]
    if true is None or j not in base.kept or not base.share.size:
        return true
    others = [truth[k] for k in base.others]
    if any(x is None for x in others):
        return None
    return float(true + base.share[base.kept.index(j)] @ np.array(others, float))


def _verdict(unknowns: Unknowns, estimate: Estimate, j: int) -> tuple[Verdict, str]:
    base, names = estimate.base, unknowns.names
    if j in base.idle:
        return "not identifiable", "it has no effect on this motion"
    if j in base.others:
        k = base.others.index(j)
        partners = [base.kept[i] for i in np.flatnonzero(base.share[:, k])]
        return "not identifiable", "only in combination: " + "; ".join(
            combination(base, names, i) for i in partners
        )
    i = base.kept.index(j)
    if base.share.size and np.any(base.share[i]):
        return (
            "not identifiable",
            f"the value is that of the combination {combination(base, names, j)}",
        )
    return verdict_of(float(estimate.theta[j]), float(estimate.deviation[j]))


def verdict_of(value: float, deviation: float) -> tuple[Verdict, str]:
    """By the relative standard deviation, as the paper judges [Fasquelle2021, sec. 6.6]."""
    if deviation <= WELL * abs(value):
        return "well identified", f"relative deviation {percent(deviation / abs(value))}"
    said = percent(deviation / abs(value)) if value else "infinite"
    return "poorly identified", f"relative deviation {said}: more than {percent(WELL)}"


def combination(base: Any, names: tuple[str, ...], kept: int) -> str:
    """The combination that a base parameter stands for, in words."""
    i = base.kept.index(kept)
    terms = [names[kept]]
    for k, other in enumerate(base.others):
        share = base.share[i, k]
        if share:
            factor = "" if abs(abs(share) - 1) < 1e-6 else f"{abs(share):.4g} "
            terms.append(f"{'+' if share > 0 else '-'} {factor}{names[other]}")
    return " ".join(terms)
