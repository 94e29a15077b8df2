"""What an identification found, in sentences."""

from typing import get_args

import numpy as np

from chorda.identification.identified import Identification
from chorda.identification.parameter_estimates import Verdict
from chorda.results.table import percent

MAX_MISFIT = 0.6  # above which something is wrong

METHODS = {
    "least squares": "weighted least squares",
    "instruments": "instrumental variables",
    "refined": "simulation error",
}


def headline(identification: Identification) -> str:
    """What was found, how, and from how much."""
    prepared = identification.prepared
    rows = len(identification.equations.names)
    equations = "1 equation" if rows == 1 else f"{rows} equations"
    filtered = f"filtered at {prepared.cutoff:.3g} Hz" if prepared.cutoff else "not filtered"
    method = METHODS.get(identification.method, identification.method)
    return (
        f"{counted(identification)}, by {method} from {len(identification.samples)} samples of "
        f"{equations} at {prepared.used_rate:.3g} Hz, {filtered}. "
        f"{explained(identification)} {clocks(identification)} {losses(identification)}"
    )


def explained(identification: Identification) -> str:
    """How much of the log the model explains."""
    misfit = identification.misfit
    text = f"The model leaves {percent(misfit)} of what the equations' known part varies."
    if misfit > MAX_MISFIT:
        text += " That is much: check robot, signs and columns, or take another model."
    return text


def counted(identification: Identification) -> str:
    """How many parameters got which verdict."""
    verdicts = [x.verdict for x in identification.estimates]
    counts = {v: verdicts.count(v) for v in get_args(Verdict)}
    parts = [f"{n} {'is' if n == 1 else 'are'} {v}" for v, n in counts.items() if n]
    if len(parts) == 1:
        every = "The one parameter" if len(verdicts) == 1 else f"All {len(verdicts)} parameters"
        return f"{every} {parts[0].partition(' ')[2]}"
    return f"Of {len(verdicts)} parameters {_listed(parts)}"


def clocks(identification: Identification) -> str:
    """By how much each sensor's times are late, if several clocks were measured with."""
    parts = []
    for sensor, offset in identification.offsets.items():
        s = identification.offset_deviations.get(sensor)
        sure = f"standard deviation {1e3 * s:.2g} ms" if s is not None else "as given"
        side = "late" if offset >= 0 else "early"
        parts.append(f"those of {sensor} are {1e3 * abs(offset):.3g} ms {side} ({sure})")
    if not parts:
        return "All sensors share one clock."
    return f"Against the times of {identification.prepared.clock}, {_listed(parts)}."


def losses(identification: Identification) -> str:
    """Outliers and gaps."""
    outliers = sum(identification.prepared.removed.values())
    gaps = len(identification.prepared.log.about.get("gaps", ()))
    parts = [
        f"{count or 'no'} {word if count == 1 else f'{word}s'}"
        for count, word in ((outliers, "outlier"), (gaps, "gap"))
    ]
    return f"The log has {_listed(parts)}{', which are left out' if outliers + gaps else ''}."


def why_deviations_differ(identification: Identification) -> str:
    """Why the deviation of eq. 66 is not the one to trust, with this log's numbers."""
    pairs = [(x.deviation, x.white_deviation) for x in identification.estimates]
    ratios = [robust / white for robust, white in pairs if white > 0 and np.isfinite(white)]
    size = f"here {np.median(ratios):.2g} times (median)" if ratios else "here not known"
    return (
        "Deviation and interval allow for autocorrelated residuals; the deviation of "
        "[Fasquelle2021, eq. 66] takes each sample for new information, which filtered signals "
        f"and what the model lacks do not give. The first is {size} the second."
    )


def corrected(identification: Identification) -> str:
    """Which numbers the model of the figures does not take as they were identified; '' if none."""
    used, names = identification.parameters, identification.system.parameter_names
    # of refined parameters there are more, and none of them is negative
    pairs = zip(identification.estimates, identification.unknowns.rows, strict=False)
    moved = [
        item.name
        for item, rows in pairs
        if item.verdict != "not identifiable" and used[names[rows[0]]] != item.value
    ]
    kept = [x.name for x in identification.estimates if x.verdict == "not identifiable"]
    parts = []
    if moved:
        parts.append(f"{_listed(moved)} came out negative and cannot be: zero is used here.")
    if kept:
        parts.append(f"Of {_listed(kept)} the described value is used here.")
    return " ".join(parts)


def _listed(parts: list[str]) -> str:
    """
    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
