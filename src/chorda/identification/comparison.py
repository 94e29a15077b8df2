"""Which model explains data that it was not fitted to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from chorda.describe import Robot
from chorda.errors import InputError, LogError
from chorda.identification.identified import Identification
from chorda.identification.identify import identify
from chorda.identification.logs.column_map import Columns
from chorda.identification.logs.log import Log
from chorda.identification.logs.log_files import as_log
from chorda.identification.preparing import Preparation, Prepared
from chorda.identification.reconstruction import tensions
from chorda.identification.regressors import Regressor, relaxed
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Table
from chorda.statics import assemble


@dataclass(frozen=True)
class Candidate:
    """A model to compare: a robot and what of it is unknown.

    Attributes
    ----------
    robot : Robot or System
        Its description, or the assembled system.
    parameters : sequence of str, optional
        Names of unknowns, as of `identify`.
    tied : sequence of str
        Patterns; all that match one are a single unknown.

    See Also
    --------
    compare : takes several, with an example.
    """

    robot: Robot | System
    parameters: Sequence[str] | None = None
    tied: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Score:
    """How well a model does.

    Attributes
    ----------
    name : str
        Of the model.
    fitted : Identification
        Its parameters, from the first part of the log.
    misfit, held_out_misfit : float
        Residual's rms over that of the equations' known part, where it was fitted and on the rest.
    tension_error : float
        Mean of \\|tension by the law - tension by the motor\\| on held-out data [N]; NaN where no
        tendon has a motor of its own.
    """

    name: str
    fitted: Identification
    misfit: float
    held_out_misfit: float
    tension_error: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of models, the best on held-out data first.

    Attributes
    ----------
    scores : tuple of Score
        One for each model.
    held_out : float
        The part of the log that was kept for judging.

    See Also
    --------
    compare : computes it.
    """

    scores: tuple[Score, ...]
    held_out: float

    @property
    def best(self) -> Score:
        """The score of the model that explains the held-out data best."""
        return self.scores[0]

    def table(self) -> Table:
        """The scores for people.

        Returns
        -------
        Table
            It prints itself.
        """
        header = ("model", "unknowns", "misfit [%]", "held out [%]", "tension error [N]")
        rows = tuple(
            (s.name, len(s.fitted.estimates),
             100 * s.misfit, 100 * s.held_out_misfit, s.tension_error)
            for s in self.scores
        )  # fmt: skip
        note = (
            f"Fitted to the first {100 * (1 - self.held_out):.0f} % of the log, held out: the rest."
        )
        return Table("Models compared", header, rows, note)


@interruptible()
def compare(
    log: Log | str | Path,
    models: Mapping[str, Candidate | Robot | System],
    *,
    held_out: float = 1 / 3,
    prepare: Preparation | None = None,
    columns: Columns = None,
    **options: Any,
) -> Comparison:
    """Fit each model to the first part of a log and judge it by the rest.

    Parameters
    ----------
    log : Log, str or Path
        The measured signals, or a file of them: see `read_log`.
    models : mapping
        Robots, systems or candidates (a robot with its unknowns) by name.
    held_out : float
        Part of the log's time that is kept for judging, between 0.05 and 0.95.
    prepare : Preparation, optional
        As of `identify`.
    columns : mapping, str or Path, optional
        As of `identify`.
    **options
        As of `identify`.

    Returns
    -------
    Comparison
        The scores, the best on held-out data first.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    LogError
        Where a model cannot be fitted to the log; the message names it.

    See Also
    --------
    identify : one model.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.load("neck-1")
    >>> log = chorda.experiment(chorda.assemble(neck), duration=10.0)
    >>> models = {"each": neck, "alike": chorda.identification.Candidate(neck, tied=["*.damping"])}
    >>> len(chorda.compare(log, models).scores)
    2
    """
    if not models:
        raise InputError("models: expected at least one")
    if not 0.05 <= held_out <= 0.95:
        raise InputError(f"held_out: expected a part between 0.05 and 0.95, got {held_out!r}")
    scores = []
    for name, given in models.items():
        model = given if isinstance(given, Candidate) else Candidate(given)
        system = model.robot if isinstance(model.robot, System) else assemble(model.robot)
        try:
            measured = as_log(log, system, columns)
        except LogError as refused:
            raise LogError(f"model '{name}': {refused}") from None
        first, second = split(measured, 1 - held_out)
        fitted = identify(
            first, system, model.parameters, tied=model.tied, prepare=prepare, **options
        )
        how = replace(
            prepare or Preparation(), cutoff=fitted.prepared.cutoff, offsets=fitted.offsets
        )
        misfit, _ = _misfit(fitted, fitted.prepared)
        scores.append(Score(name, fitted, misfit, *_misfit(fitted, Prepared(system, second, how))))
    return Comparison(tuple(sorted(scores, key=lambda s: s.held_out_misfit)), held_out)


def _misfit(fitted: Identification, prepared: Prepared) -> tuple[float, float]:
    """Residual over known part, both weighted alike, and the mean error of the tensions [N]."""
    system, p = fitted.system, fitted.system.parameters(fitted.parameters)
    samples = prepared.samples(fitted.offsets)
    keep = prepared.kept(samples.time, fitted.offsets)
    equations = Regressor(relaxed(system))
    off = replace(samples, u=np.zeros_like(samples.u))

    def filtered(y: Array) -> Array:
        return prepared.smooth(y)[keep]

    residual = filtered(equations(samples, p).y)
    known = filtered(equations(off, p).y) - residual
    size = np.sqrt(np.mean(known**2, axis=0))
    rows = size > 0
    misfit = np.sqrt(np.mean((residual[:, rows] / size[rows]) ** 2))
    try:
        error = float(np.mean(np.abs(tensions(system, samples.at(keep), p).error)))
    except InputError:
        error = np.nan
    return float(misfit), error


def split(log: Log, part: float) -> tuple[Log, Log]:
    """The log up to a part of its time, and the rest."""
    channels = log.channels.values()
    first = max(float(c.time[0]) for c in channels)
    last = min(float(c.time[-1]) for c in channels)
    if not last > first:
        raise LogError(f"{log.source}: the sensors have no time in common")
    middle = first + part * (last - first)

    early = {name: c.at(c.time <= middle) for name, c in log.channels.items()}
    late = {name: c.at(c.time > middle) for name, c in log.channels.items()}
    return replace(log, channels=early), replace(log, channels=late)
