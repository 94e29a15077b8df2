"""How well each unknown is identified, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chorda.identification.unknowns import Unknowns
from chorda.mechanics import Array
from chorda.numerics.regression import BaseParameters, Estimate
from chorda.results.table import percent

Verdict = Literal["well identified", "poorly identified", "not identifiable"]
WELL_DEVIATION = 0.10  # relative standard deviation of what is well identified, at the most
NEGATIVE = (
    "it came out negative, which it cannot be: check the signs of the inputs, the columns of the "
    "log, and the model"
)


@dataclass(frozen=True)
class ParameterEstimate:
    """One identified number.

    Attributes
    ----------
    name, unit : str
        The parameter, or the pattern that ties several.
    value : float
        In SI units; NaN if the data do not determine it.
    deviation : float
        Standard deviation that allows for autocorrelated residuals.
    white_deviation : float
        Standard deviation for independent residuals, as [Fasquelle2021, eq. 66] has it.
    low, high : float
        Bounds of the 95 % confidence interval.
    verdict, why : str
        How well it is identified, and the reason.
    described, least_squares : float
        The value in the robot's description, and that without instruments.
    truth : float or None
        The true value, if the log is that of a virtual experiment.

    See Also
    --------
    identify : computes them.
    """

    name: str
    unit: str
    value: float
    deviation: float
    white_deviation: float
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


def judged(
    unknowns: Unknowns,
    estimate: Estimate,
    plain: Estimate,
    described: Array,
    truth: Sequence[float | None],
    signed: Sequence[bool] = (),
) -> tuple[ParameterEstimate, ...]:
    """A row for each unknown, with its verdict; signed: whether it may be negative (yes)."""
    base = estimate.base

    def one(j: int) -> ParameterEstimate:
        s = float(estimate.deviation[j])
        value = np.nan if j in base.idle or j in base.others else float(estimate.theta[j])
        low, high = value - estimate.coverage * s, value + estimate.coverage * s
        verdict, why = _verdict(unknowns, estimate, j)
        if signed and not signed[j] and high < 0:
            verdict, why = "poorly identified", NEGATIVE
        return ParameterEstimate(
            name=unknowns.names[j],
            unit=unknowns.units[j],
            value=value,
            deviation=s,
            white_deviation=float(estimate.white_deviation[j]),
            low=low,
            high=high,
            verdict=verdict,
            why=why,
            described=float(described[j]),
            least_squares=float(plain.theta[j]),
            truth=_combined(base, truth, j),
        )

    return tuple(one(j) for j in range(len(unknowns)))


def verdict_of(value: float, deviation: float) -> tuple[Verdict, str]:
    """By the relative standard deviation, as the paper judges [Fasquelle2021, sec. 6.6]."""
    if deviation <= WELL_DEVIATION * abs(value):
        return "well identified", f"relative deviation {percent(deviation / abs(value))}"
    relative = percent(deviation / abs(value)) if value else "infinite"
    return (
        "poorly identified",
        f"relative deviation {relative}: more than {percent(WELL_DEVIATION)}",
    )


def combination(base: BaseParameters, names: tuple[str, ...], kept: int) -> str:
    """The combination that a base parameter stands for, in words."""
    terms = [names[kept]]
    for other, share in zip(base.others, base.share[base.kept.index(kept)], strict=True):
        if share:
            factor = "" if abs(abs(share) - 1) < 1e-6 else f"{abs(share):.4g} "
            terms.append(f"{'+' if share > 0 else '-'} {factor}{names[other]}")
    return " ".join(terms)


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
        partners = np.flatnonzero(base.share[:, base.others.index(j)])
        known = "; ".join(combination(base, names, base.kept[i]) for i in partners)
        return "not identifiable", f"only in combination: {known}"
    if base.share.size and np.any(base.share[base.kept.index(j)]):
        known = combination(base, names, j)
        return "not identifiable", f"the value is that of the combination {known}"
    return verdict_of(float(estimate.theta[j]), float(estimate.deviation[j]))
