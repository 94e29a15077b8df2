"""What follows from the states of a run, computed with a progress bar, and Ctrl-C."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interrupts
from chorda.numerics.pacing import by_columns, pieces
from chorda.numerics.progress import Progress
from chorda.results.accuracy import Accuracy
from chorda.results.events import Event, States, events, in_order, watched
from chorda.results.late import Late
from chorda.results.observe import observed
from chorda.results.run import Run
from chorda.results.status import Code, Status


def with_outputs(run: Run, progress: bool | None, events_only: bool = False) -> Run:
    """The run with its estimates, outputs, energies and events; after Ctrl-C, cut where they end.

    They are kept where the properties of the run look for them. events_only: the others can wait.
    """
    run = _with_accuracy(run)
    system, n, p = run.system, len(run.time), run.parameters
    size = 0 if events_only else n
    outputs = {o.name: np.empty((size, len(o.labels))) for o in system.outputs}
    energy, looked = np.empty((2, size)), watched(system)
    values = [np.empty((n, len(of.names))) for of in looked]
    until: list[float] = []
    with Progress(n, progress, f"{system.robot.name}, outputs") as bar, interrupts() as seen:
        done = 0
        for at in pieces(n):
            part = run.position[at], run.velocity[at], run.input[at]
            for of, rows in zip(looked, values, strict=True):
                rows[at] = of.values(*part, p)
            if not events_only:
                for name, rows in observed(system, *part, p).items():
                    outputs[name][at] = rows
                energies = by_columns(system.energies, *(x.T for x in part), p[:, None])
                energy[:, at] = np.vstack(energies)
            done = at.stop
            bar.update(done)
            if seen:
                break

        def stopping(time: Array) -> Callable[[int], bool]:
            def stop(row: int) -> bool:
                bar.update(int(n * row / len(time)))
                until.extend([float(time[row])] if seen else [])
                return bool(seen)

            return stop

        run = run if done == n else _cut(run, done)
        found, states, between = list[Event](), _states(run), run.between
        for of, rows in zip(looked, values, strict=True):
            x, known = (states, rows[:done]) if between is None else (between, None)
            found += events(system, of, *x, p, None, known, stopping(x.time))
        for of, signal in run.control_limits:
            found += events(system, of, *states, p, signal[:done], None, stopping(states.time))
    if until:
        end = f"{until[0]:g} s"
        run = _ended(run, f"Interrupted while events were looked for, at t = {end}.")
    kept: dict[str, Any] = {"events": tuple(in_order(found))}
    if not events_only:
        kept["outputs"] = {name: rows[:done] for name, rows in outputs.items()}
        kept["energy"] = energy[0, :done], energy[1, :done]
    vars(run).update(kept)
    return run


def _states(run: Run) -> States:
    return States(run.time, run.position, run.velocity, run.input)


def _with_accuracy(run: Run) -> Run:
    """With its estimates; after Ctrl-C without them."""
    try:
        with interrupts():
            run.accuracy  # noqa: B018
    except KeyboardInterrupt:
        none = Late.known(Accuracy())
        status = Status(Code.INTERRUPTED, f"{run.status.sentence} Interrupted after that.")
        return replace(run, estimate=none, status=status)
    return run


def _cut(run: Run, count: int) -> Run:
    """The first rows of a run whose outputs were interrupted."""
    arrays: dict[str, Any] = {
        x: getattr(run, x)[:count].copy() for x in ("time", "position", "velocity", "input")
    }
    sentence = (
        f"Interrupted while outputs were computed, at t = {run.time[count - 1]:g} s of "
        f"{run.time[-1]:g} s; what was computed is kept."
    )
    between = run.between and run.between.until(float(run.time[count - 1]))
    return _ended(replace(run, **arrays, between=between), sentence)


def _ended(run: Run, sentence: str) -> Run:
    """An interrupted run; of one that ended otherwise, what its message said."""
    before = "" if run.status.ok else f" {run.status.message}"
    return replace(run, status=Status(Code.INTERRUPTED, sentence + before))
