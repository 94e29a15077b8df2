"""What `identify` returns: parameters with their uncertainty, and what they rest on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic_core import from_json, to_json

from chorda.identification.parameter_estimates import ParameterEstimate
from chorda.identification.preparing import Prepared
from chorda.identification.samples import Samples
from chorda.identification.unknowns import Unknowns
from chorda.mechanics import System
from chorda.numerics.regression import Equations, Estimate
from chorda.results import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from chorda.identification.refining.refinement import Refined

MAX_RELATIVE = 1000.0  # deviation over value up to which a percentage means something


@dataclass(frozen=True, eq=False)
class Identification:
    """Parameters from a log.

    Attributes
    ----------
    system : System
        The robot.
    unknowns : Unknowns
        Names, units and rows of the linear unknowns.
    estimates : tuple of ParameterEstimate
        One for each number, in the order of `unknowns`; refined parameters follow.
    regression, least_squares : Estimate
        The linear regression on the equations of motion, and that without instruments.
    method : str
        "least squares", "instruments" or "refined".
    offsets, offset_deviations : mapping
        What each sensor's clock is ahead, and the standard deviation of that [s].
    prepared : Prepared
        The log on one clock, filtered.
    samples : Samples
        Those that are used.
    equations : Equations
        What the estimate rests on.
    notes : tuple of str
        What was left out or assumed.
    seconds : float
        Time that it took.
    refined : Refined or None
        The fit of the simulated motion.

    See Also
    --------
    identify : computes it.
    """

    system: System
    unknowns: Unknowns
    estimates: tuple[ParameterEstimate, ...]
    regression: Estimate
    least_squares: Estimate
    method: Literal["least squares", "instruments", "refined"]
    offsets: Mapping[str, float]
    offset_deviations: Mapping[str, float]
    prepared: Prepared
    samples: Samples
    equations: Equations
    notes: tuple[str, ...]
    seconds: float
    refined: "Refined | None" = None

    @property
    def misfit(self) -> float:
        """Residuals of the equations over the spread of their known part, all rows together."""
        known = np.std(self.equations.y, axis=0)
        rows = known > 0
        return float(np.sqrt(np.mean((self.regression.spread[rows] / known[rows]) ** 2)))

    @property
    def parameters(self) -> dict[str, float]:
        """Identified parameters by name, for `simulate(..., parameters=...)`.

        Numbers that the data do not determine keep the described value; those that came out
        negative although they cannot be are set to zero, or keep the described value where zero
        makes no sense either, such as an inertia.
        """
        table, values = self.system.parameter_table, dict[str, float]()
        for item, rows in zip(self.estimates, self.unknowns.rows, strict=False):
            for row in rows:
                value = item.described if item.verdict == "not identifiable" else item.value
                if value <= 0 and not table.signed[row]:
                    value = item.described if table.positive[row] else 0.0
                values[table.names[row]] = value
        return values | (dict(self.refined.values) if self.refined is not None else {})

    def __getitem__(self, name: str) -> ParameterEstimate:
        for item in self.estimates:
            if item.name == name:
                return item
        raise KeyError(f"{name}: not among {', '.join(x.name for x in self.estimates)}")

    def table(self) -> Table:
        """The parameters for people; with their error, where the truth is known.

        Returns
        -------
        Table
            It prints itself.
        """
        known = any(x.truth is not None for x in self.estimates)
        truth = ("truth", "error [%]") if known else ()
        header = ("parameter", "value", "unit", *truth, "deviation [%]", "95 %: from", "to")
        rows = tuple(
            (
                *(x.name, x.value, x.unit, *((x.truth, _error(x)) if known else ())),
                *(percentage(x.relative), x.low, x.high, x.verdict),
            )
            for x in self.estimates
        )
        title = f"Parameters of {self.system.robot.name} from {self.prepared.log.source}"
        return Table(title, (*header, "verdict"), rows, " ".join(self.notes))

    def doubts(self) -> Table:
        """List the parameters that are not well identified, and why.

        Returns
        -------
        Table
            It prints itself.
        """
        header = ("parameter", "verdict", "why")
        doubtful = (x for x in self.estimates if x.verdict != "well identified")
        rows = tuple((x.name, x.verdict, x.why) for x in doubtful)
        return Table("Not well identified", header, rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with None for numbers that it does not know.

        Returns
        -------
        dict
            By name.
        """
        prepared, equations, spread = self.prepared, self.equations, self.regression.spread
        data = {
            "robot": self.system.robot.name,
            "log": prepared.log.source,
            "method": self.method,
            "parameters": [{**asdict(x), "relative_deviation": x.relative} for x in self.estimates],
            "misfit": self.misfit,
            "condition_number": self.regression.condition,
            "condition_number_unscaled": self.regression.raw_condition,
            "samples": len(self.samples),
            "rate_hz": prepared.used_rate,
            "cutoff_hz": prepared.cutoff,
            "clock_offsets_s": dict(self.offsets),
            "clock_offset_deviations_s": dict(self.offset_deviations),
            "outliers": dict(prepared.removed),
            "residual": {
                name: {"unit": unit, "standard_deviation": float(s)}
                for name, unit, s in zip(equations.names, equations.units, spread, strict=True)
            },
            "notes": list(self.notes),
            "seconds": self.seconds,
        }
        return dict(from_json(to_json(data, inf_nan_mode="null")))

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Model beside measurement.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.identification.reporting.model_figures import plot_identification

        return plot_identification(self, path)

    def report(self, path: str | Path) -> Path:
        """Write a self-contained HTML page: table, figures, residuals.

        Parameters
        ----------
        path : str or Path
            Of the file, .html.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.identification.reporting.html_report import write_report

        return write_report(self, path)


def percentage(ratio: float) -> float | None:
    """Empty for the deviation of what is as good as zero."""
    return 100 * ratio if ratio < MAX_RELATIVE else None


def _error(x: ParameterEstimate) -> float | None:
    """Of a number that stands for itself [%]."""
    if not x.truth or x.verdict == "not identifiable":
        return None
    return 100 * (x.value / x.truth - 1)
