"""Which model explains data that it was not fitted to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from chorda.describe import Robot
from chorda.errors import InputError, LogError
from chorda.identification.identification import Identification, number, percent
from chorda.identification.identify import identify
from chorda.identification.logs.log import Channel, Log
from chorda.identification.preparing import Preparation, Prepared
from chorda.identification.reconstruction import tensions
from chorda.identification.regressors import Regressor, Unknowns, relaxed
from chorda.mechanics import Array, System, assemble
from chorda.results import Table


@dataclass(frozen=True)
class Candidate:
    """A model to compare: a robot and what of it is unknown; see `identify`."""

    robot: Robot | System
    parameters: Sequence[str] | None = None
    tied: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Score:
    """How a model does: misfit is the residual's rms over that of the equations' known part.

    tension_error is the mean of |tension by the law - tension by the motor| on held-out data [N].
    """

    name: str
    fitted: Identification
    misfit: float
    held_out_misfit: float
    tension_error: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of models, the best on held-out data first."""

    scores: tuple[Score, ...]
    held_out: float

    @property
    def best(self) -> Score:
        return self.scores[0]

    def table(self) -> Table:
        header = ("model", "unknowns", "misfit", "misfit held out", "tension error held out")
        rows = tuple(
            (
                s.name,
                str(len(s.fitted.found)),
                percent(s.misfit),
                percent(s.held_out_misfit),
                f"{number(s.tension_error)} N" if np.isfinite(s.tension_error) else "-",
            )
            for s in self.scores
        )
        note = (
            f"Fitted to the first {100 * (1 - self.held_out):.0f} % of the log, held out: the rest."
        )
        return Table("Models compared", header, rows, note)


def compare(
    log: Log | str | Path,
    models: Mapping[str, Candidate | Robot | System],
    *,
    held_out: float = 1 / 3,
    prepare: Preparation | None = None,
    columns: Mapping[str, Any] | None = None,
    **options: Any,
) -> Comparison:
    """Fit each model to the first part of a log and judge it by the rest.

    held_out: share of the log that is kept for judging; options as of `identify`.
    """
    if not models:
        raise InputError("models: expected at least one")
    if not 0.05 <= held_out <= 0.95:
        raise InputError(f"held_out: expected a share between 0.05 and 0.95, got {held_out!r}")
    found = [
        _score(name, _candidate(model), log, held_out, prepare, columns, options)
        for name, model in models.items()
    ]
    return Comparison(tuple(sorted(found, key=lambda s: s.held_out_misfit)), held_out)


def _candidate(model: Candidate | Robot | System) -> Candidate:
    return model if isinstance(model, Candidate) else Candidate(model)


def _score(
    name: str,
    model: Candidate,
    log: Log | str | Path,
    held_out: float,
    prepare: Preparation | None,
    columns: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Score:
    system = model.robot if isinstance(model.robot, System) else assemble(model.robot)
    if not isinstance(log, Log):
        from chorda.identification.logs.log_files import read_log

        try:
            log = read_log(log, system, columns)
        except LogError as refused:
            raise LogError(f"model '{name}': {refused}") from None
    first, second = split(log, 1 - held_out)
    fitted = identify(first, system, model.parameters, tied=model.tied, prepare=prepare, **options)
    p = system.parameters(fitted.parameters)
    here, _ = _misfit(system, fitted.prepared, fitted.offsets, p)
    how = replace(prepare or Preparation(), cutoff=fitted.prepared.cutoff, offsets=fitted.offsets)
    there, error = _misfit(system, Prepared(system, second, how), fitted.offsets, p)
    return Score(name, fitted, here, there, error)


def _misfit(
    system: System, prepared: Prepared, offsets: Mapping[str, float], p: Array
) -> tuple[float, float]:
    """Residual over known part, both weighted alike, and the mean error of the tensions [N]."""
    samples = prepared.samples(offsets)
    keep = prepared.kept(samples.time, offsets)
    made = Regressor(relaxed(system), Unknowns((), (), ()))
    residual = prepared.smooth(made(samples, p).y, prepared.stride)[keep]
    still = replace(samples, u=np.zeros_like(samples.u))
    actuated = prepared.smooth(made(still, p).y, prepared.stride)[keep] - residual
    size = np.sqrt(np.mean(actuated**2, axis=0))
    rows = size > 0
    misfit = np.sqrt(np.mean((residual[:, rows] / size[rows]) ** 2))
    try:
        error = float(np.mean(np.abs(tensions(system, samples.at(keep), p).error)))
    except InputError:
        error = np.nan
    return float(misfit), error


def split(log: Log, share: float) -> tuple[Log, Log]:
    """The log up to a share of its time, and the rest."""
    first = max(float(c.time[0]) for c in log.channels.values())
    last = min(float(c.time[-1]) for c in log.channels.values())
    middle = first + share * (last - first)
    if not last > first:
        raise LogError(f"{log.source}: the sensors have no time in common")

    def part(channel: Channel, rows: Any) -> Channel:
        return replace(channel, time=channel.time[rows], value=channel.value[rows])

    before = {k: part(c, c.time <= middle) for k, c in log.channels.items()}
    after = {k: part(c, c.time > middle) for k, c in log.channels.items()}
    return replace(log, channels=before), replace(log, channels=after)
