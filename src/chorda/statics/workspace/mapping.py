"""workspace: configurations at rest over a region of prescribed values, from one that is known."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from chorda.checks import check_choice, whole_number
from chorda.errors import InputError
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.one_thread import one_thread
from chorda.numerics.progress import Progress
from chorda.plurals import many
from chorda.results import Code, Equilibrium, Status, Workspace
from chorda.results.cells import NOT_TRIED, REACHED, WORDS
from chorda.results.provenance import provenance
from chorda.results.region import Region
from chorda.results.workspace import quantity_names
from chorda.results.workspace_file import checked, load, save
from chorda.statics.ranges import tightened, workspace_limits
from chorda.statics.workspace.layout import lay_out
from chorda.statics.workspace.peaks import gauges
from chorda.statics.workspace.region_survey import Rounds, Survey
from chorda.statics.workspace.stored_workspace import differs

WAYS = ("flooding", "grid")
MAX_JOBS = 1000
EVERY = 5.0  # [s] between files, or longer where writing one takes long
SHARE = 0.05  # of the time, at most, for writing


@interruptible()
@one_thread()
def workspace(
    start: Equilibrium | Sequence[Equilibrium],
    over: Mapping[str, Any],
    *,
    actuated: Sequence[str] | None = None,
    way: str = "flooding",
    limits: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    save: str | Path | None = None,
    progress: bool | None = None,
) -> Workspace:
    """Where a robot can rest: configurations over a grid of one to three prescribed quantities.

    Parameters
    ----------
    start : Equilibrium or sequence of Equilibrium
        Where the survey begins; several for `way="grid"`.
    over : mapping
        (low, high, count) or values, by name: a held coordinate (motor1), an effort
        (motor1.effort), an axis of a placed frame (leg1.tip.x). Everything else that `start`
        prescribes stays as it is.
    actuated : sequence of str, optional
        Where `start` does not prescribe what is in `over`, the joints that are actuated for it
        (else those that `start` holds, if they are as many); they are held no longer.
    way : {"flooding", "grid"}
        "flooding" goes from the start outward, each cell from a neighbour, in shorter steps where
        that is needed and never across a singularity, so that one branch is followed; "grid" tries
        every cell, from the nearest that is solved, on whatever branch, and takes several starts.
        Angles count turns along the way on which a cell was reached.
    limits : mapping, optional
        (low, high), or one number for both sides, by name: coordinates, efforts (motor1.effort),
        stress [Pa] and strain of all rods, or of one (leg1.stress). The joints' own ranges count
        too. Cells beyond are reached all the same, and told apart.
    jobs : int, optional
        Processes; by default all cores where the work is long.
    save : str or Path, optional
        A file (.nc) that is written every few seconds; if it is there and of the same problem, the
        survey goes on from it. Ctrl-C ends a survey with what is there.
    progress : bool, optional
        Whether a progress bar is shown; by default on terminals, after a second.

    Returns
    -------
    Workspace
        Every cell with its code, its configuration and its stability.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    open_workspace : reads one from a file.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> workspace(first, {"motor1": (2.4, 2.8, 5), "motor2": (0.3, 0.7, 3)})
    <Workspace of rfrfr over motor1, motor2: 5 x 3, 100% reached, 100% usable; completed>
    """
    starts: list[Any] = list(start) if isinstance(start, Sequence) else [start]
    _check(starts, way, jobs)
    problem, region, x = lay_out(starts[0], over, actuated)
    states, rows = [x], [region.base]
    for other in starts[1:]:
        also, place, state = lay_out(other, over, actuated)
        if also.prescription != problem.prescription or other.system is not starts[0].system:
            raise InputError("start: expected equilibria of one system that prescribe the same")
        states.append(state)
        rows.append(place.base)
    survey = Survey(problem, region, states, rows, way)
    rods = {gauge.name: gauge.young_modulus for gauge in survey.surveyor.gauges}
    allowed = tightened(
        problem.limits,
        workspace_limits(problem.system, problem.prescription, tuple(rods), limits),
    )
    made_from = provenance(problem.system, way=way, starts=len(starts))

    def result(status: Status) -> Workspace:
        return Workspace(
            **vars(region),
            system=problem.system,
            prescription=problem.prescription,
            start=x,
            cells=survey.cells,
            rods=rods,
            limits=allowed,
            u=problem.base_inputs,
            parameters=problem.p,
            status=status,
            survey=asdict(survey.rounds),
            provenance=dict(made_from),
        )

    keeper = _Keeper(save, result)
    keeper.resume(survey)
    title = f"workspace of {problem.system.robot.name}"
    with Progress(region.count, progress, title) as bar, interrupts() as seen:
        try:
            complete = survey.run(jobs, lambda: bool(seen), bar, keeper.now_and_then)
        except BaseException:
            keeper.write(Status(Code.STOPPED, "The survey was broken off; run it again to go on."))
            raise
        found = result(_status(survey, region, complete, save))
        keeper.write(found.status)  # a Ctrl-C waits for it
    return found


def names_to_come(
    start: Equilibrium, over: Mapping[str, Any], actuated: Sequence[str] | None
) -> tuple[str, ...]:
    """The quantities that a workspace will have, before any of it is surveyed."""
    problem, region, _ = lay_out(start, over, actuated)
    rods = [gauge.name for gauge in gauges(problem.system, problem.p)]
    return quantity_names(problem.system, problem.prescription, region.names, rods)


class _Keeper:
    """Writes the survey to its file now and then, and reads what is there."""

    def __init__(self, path: str | Path | None, result: Any) -> None:
        self._path, self._result = path, result
        self._last, self._wait = time.perf_counter(), EVERY
        if path is None:
            return
        if not checked(path, "save").resolve().parent.is_dir():
            raise InputError(f"save: the folder {Path(path).parent} does not exist; make it first")

    def resume(self, survey: Survey) -> None:
        if self._path is None or not Path(self._path).exists():
            return
        stored = load(self._path)
        if what := differs(stored, self._result(Status(Code.STOPPED, ""))):
            raise InputError(
                f"save: {self._path} holds another workspace, with {what}; give another "
                "name, or remove the file to start anew"
            )
        survey.cells, survey.rounds = stored.cells, Rounds(**stored.known["survey"])

    def now_and_then(self) -> None:
        if self._path is not None and time.perf_counter() - self._last > self._wait:
            self.write(Status(Code.STOPPED, "The survey is not complete; run it again to go on."))

    def write(self, status: Status) -> None:
        if self._path is None:
            return
        begin = time.perf_counter()
        save(self._result(status), self._path)
        self._last = time.perf_counter()
        self._wait = max(EVERY, (self._last - begin) / SHARE)


def _check(starts: Sequence[Any], way: str, jobs: int | None) -> None:
    check_choice("way", way, WAYS)
    if not starts:
        raise InputError("start: expected an equilibrium, got none")
    if len(starts) > 1 and way != "grid":
        raise InputError(
            f"start: flooding follows the branch of one start, got {len(starts)}; way='grid' takes "
            "several"
        )
    if jobs is not None:
        whole_number("jobs", jobs, 1, MAX_JOBS)


def _status(survey: Survey, region: Region, complete: bool, path: str | Path | None) -> Status:
    codes = np.bincount(survey.cells.code, minlength=len(WORDS))
    n, reached = len(survey.cells), int(codes[REACHED])
    if not complete:
        again = (
            f"run it again with {path} as its file to go on"
            if path
            else "with a file to save to, it could go on from here"
        )
        return Status(
            Code.INTERRUPTED,
            f"Interrupted: {survey.done} of {many(n, 'cell')} were tried, {reached} reached; "
            f"{again}.",
        )
    if not reached:
        cell = region.nearest(survey.rows[0])
        named = zip(region.names, region.point(cell), strict=True)
        at = ", ".join(f"{k} = {v:.4g}" for k, v in named)
        return Status(
            Code.STOPPED,
            f"The cell nearest to the start ({at}) was not reached "
            f"({WORDS[survey.cells.code[cell]]}); take a start inside the region.",
        )
    failed = list(zip(codes.tolist(), WORDS, strict=True))[REACHED + 1 :]
    why = ", ".join(f"{count} {word}" for count, word in failed if count)
    left = f"{codes[NOT_TRIED]} not tried, beyond those" if codes[NOT_TRIED] else ""
    parts = [f"{reached} of {many(n, 'cell')} were reached", why, left]
    return Status(Code.COMPLETED, "; ".join(part for part in parts if part) + ".")
