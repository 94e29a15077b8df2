"""A linear estimate refined by simulation error, with parameters that enter as they like."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.identification.identified import Identification
from chorda.identification.instruments import measured_start, physical, replayed
from chorda.identification.parameter_estimates import ParameterEstimate, verdict_of
from chorda.identification.refining.fit_problem import Measured
from chorda.identification.refining.refinement import Refined, refine
from chorda.identification.unknowns import choose
from chorda.mechanics import Array
from chorda.numerics.filtering import noise_floor
from chorda.results import Code

MIN_NOISE = 1e-6  # of a channel over its spread
NORMAL_COVERAGE = 1.96
MAX_EVALUATIONS = 100
CONTRADICTION = 3.0  # deviations between the linear and the refined estimate


def refined(
    linear: Identification, names: Sequence[str], progress: bool | None = None
) -> Identification:
    """The same unknowns and those of `names` ('*' matching many), for which the simulated motion
    is nearest to the measured one.

    Unknowns that the data do not determine keep the described value.
    """
    system, prepared = linear.system, linear.prepared
    p = system.parameters(linear.parameters)
    q, u = prepared.columns(linear.offsets)
    fixed = [x.name for x in linear.estimates if x.verdict == "not identifiable"]
    groups = [
        [system.parameter_names[row] for row in rows]
        for name, rows in zip(linear.unknowns.names, linear.unknowns.rows, strict=True)
        if name not in fixed
    ]
    single = [group[0] for group in groups if len(group) == 1]
    extra = choose(system, names).names if names else ()
    moving = [s for s in prepared.sensors if s in linear.offset_deviations]
    made = refine(
        system,
        [*single, *[x for x in extra if x not in single and x not in fixed]],
        tied=[group for group in groups if len(group) > 1],
        time=prepared.grid,
        inputs=u,
        measured=_measured(linear, p, q, u),
        start=physical(system, p),
        initial=measured_start(prepared, q, u),
        clocks=moving,
        max_evaluations=MAX_EVALUATIONS,
        progress=progress,
    )
    return replace(
        linear,
        estimates=(*[_updated(x, linear, made) for x in linear.estimates], *_added(linear, made)),
        method="refined",
        offsets={**linear.offsets, **{s: linear.offsets[s] + made.offsets[s] for s in moving}},
        refined=made,
        notes=(*linear.notes, _summary(made)),
    )


def _measured(linear: Identification, p: Array, q: Array, u: Array) -> list[Measured]:
    """Channels weighted by what is left of them now: sensor noise and what noisy inputs do."""
    prepared, parameters = linear.prepared, physical(linear.system, p)
    run = replayed(prepared, q, u, parameters, scheme="rosenbrock", inputs=u)
    if not run.status.ok:
        raise InputError(
            "refine: the model with the linear estimate does not complete the measured motion: "
            f"{run.status.message}"
        )
    out = []
    for signal, channel in prepared.wanted:
        if signal.kind == "input":
            continue
        time = channel.time - linear.offsets.get(channel.sensor, 0.0)
        rate = 1 / float(np.median(np.diff(time)))
        floor = noise_floor(channel.value, rate)[2]
        rest = run.position[:, signal.row] - q[:, signal.row]
        least = MIN_NOISE * float(np.std(channel.value))
        sigma = max(np.sqrt(floor * rate / 2), float(np.std(rest)), least)
        out.append(Measured(signal.name, time, channel.value, sigma, channel.sensor))
    return out


def _updated(x: ParameterEstimate, linear: Identification, made: Refined) -> ParameterEstimate:
    rows = linear.unknowns.rows[linear.unknowns.names.index(x.name)]
    name = linear.system.parameter_names[rows[0]]
    if name not in made.values:
        return x
    now = replace(x, **_numbers(made, name))
    if abs(now.value - x.value) <= CONTRADICTION * np.hypot(now.deviation, x.deviation):
        return now
    why = (
        f"the equations of motion give {x.value:.4g} with a deviation of {x.deviation:.2g}, the "
        f"simulated motion {now.value:.4g} with {now.deviation:.2g}: they contradict each other, "
        "as errors of the measured inputs make them"
    )
    return replace(now, verdict="poorly identified", why=why)


def _numbers(made: Refined, name: str) -> dict[str, Any]:
    value, s = made.values[name], made.deviation[name]
    verdict, why = verdict_of(value, s)
    if made.status.code != Code.CONVERGED:
        verdict, why = "poorly identified", f"the fit is not finished: {made.status.message}"
    return {
        "value": value,
        "deviation": s,
        "white_deviation": made.white_deviation[name],
        "low": value - NORMAL_COVERAGE * s,
        "high": value + NORMAL_COVERAGE * s,
        "verdict": verdict,
        "why": why,
    }


def _added(linear: Identification, made: Refined) -> list[ParameterEstimate]:
    """Parameters that only the refinement has."""
    table = linear.system.parameter_table
    known = {table.names[row] for rows in linear.unknowns.rows for row in rows}
    return [
        ParameterEstimate(
            name=name,
            unit=table.units[table.names.index(name)],
            described=float(table.values[table.names.index(name)]),
            least_squares=np.nan,
            truth=linear.prepared.log.truth.get(name),
            **_numbers(made, name),
        )
        for name in made.values
        if name not in known
    ]


def _summary(made: Refined) -> str:
    before, after = made.rms_before, made.rms
    changes = ", ".join(f"{name} {before[name]:.3g} to {after[name]:.3g}" for name in after)
    return (
        f"Refined by simulation error in {made.evaluations} evaluations; rms of the difference to "
        f"the measured motion: {changes}. {made.status.message} The intervals take the measured "
        "inputs for exact; where those have errors, they are too narrow."
    )
