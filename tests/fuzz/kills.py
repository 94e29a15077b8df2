"""Kills at random moments: what was complete is there afterwards, and what is not is reported."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import chorda
from tests.fuzz.record import Outcome
from tests.helpers.small_maps import equal
from tests.helpers.small_studies import contents, killed_at_random, motions, written

DEFAULT_COUNT = 12
Random = np.random.Generator
MAP = """
import sys, chorda
legs = chorda.assemble(chorda.load("rfrfr"))
bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
bent = chorda.equilibrium(legs, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
from chorda.statics.workspace import mapping
mapping.EVERY = 0.05
print("begins", flush=True)
over = {"motor1": (2.3, 2.8, 7), "motor2": (0.3, 0.8, 7)}
chorda.workspace(bent, over, jobs=1, save=sys.argv[1], progress=False)
print("ends", flush=True)
"""
RUN = """
import sys, chorda
system = chorda.assemble(chorda.load("neck-1"))
run = chorda.simulate(system, duration=0.5, step=1e-3, initial={"x1": float(sys.argv[2])})
print("begins", flush=True)
for _ in range(200):
    run.save(sys.argv[1])
print("ends", flush=True)
"""


def cases(
    folder: Path, count: int | None = None, seed: int = 0
) -> Iterator[tuple[int, Callable[[], Outcome]]]:
    """Kills by number: of a sweep, a map, and a run that is written."""
    folder = folder / "kills"
    folder.mkdir(exist_ok=True)
    kinds = (_sweep, _map, _run)
    for i in range(DEFAULT_COUNT if count is None else count):
        rng = np.random.default_rng([seed, i])
        yield i, partial(kinds[i % len(kinds)], rng, folder / f"{i}")


def _killed(code: list[str], delay: float, begins: bool = True) -> bool:
    """Start Python, kill it after a delay (from where it begins); whether it was killed."""
    with subprocess.Popen(
        [sys.executable, *code],
        stdout=subprocess.PIPE if begins else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=_interpreted(),
    ) as process:
        if begins and process.stdout is not None:
            process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    return process.returncode == -signal.SIGKILL


def _interpreted() -> dict[str, str]:
    """The environment of all processes: to the last bit, compiled kernels give other results."""
    return {**os.environ, "CHORDA_COMPILER": "none"}


def _sweep(rng: Random, folder: Path) -> Outcome:
    """What was complete is not computed again, and the end is that of a sweep without a kill."""
    folder.mkdir(parents=True)
    study, store = written(motions(3, 4, 5), folder), folder / "store.zarr"
    seed = int(rng.integers(1000))
    try:
        done = killed_at_random(study, store, kills=3, chunks=60, seed=seed, at_start=1)
    except AssertionError as error:
        return Outcome("sweep", "lost", str(error)[:300])
    found = chorda.open_sweep(store)
    complete = found.counts.get("completed", 0)
    if complete < done[-1] or (complete < 60 and found.status.ok):
        return Outcome("sweep", "lost", f"{done[-1]} were complete, {found.counts} are opened")
    chorda.sweep(study, store, jobs=1)
    chorda.sweep(study, folder / "whole.zarr", jobs=1)
    same = contents(store) == contents(folder / "whole.zarr")
    left = [x.name for x in folder.iterdir() if x.name.startswith(".")]
    shutil.rmtree(folder)
    if not same or left:
        return Outcome("sweep", "differs", f"from a sweep that was not killed; left behind: {left}")
    return Outcome("sweep", "kept", f"3 kills, with {done} of 60 pieces complete")


def _map(rng: Random, folder: Path) -> Outcome:
    """What the file had before a kill it has after it, and the survey goes on to the same end."""
    folder.mkdir(parents=True)
    path, kills, before = folder / "map.nc", 0, 0
    for _ in range(2):
        kills += _killed(["-c", MAP, str(path)], float(rng.uniform(0.0, 1.5)), begins=True)
        if path.exists():
            now = int(chorda.open_workspace(path).reached.sum())
            if now < before:
                return Outcome("map", "lost", f"{before - now} cells")
            before = now
    whole = folder / "whole.nc"
    for file in (path, whole):
        words = [sys.executable, "-c", MAP, str(file)]
        done = subprocess.run(words, capture_output=True, text=True, env=_interpreted())
        if "ends" not in done.stdout:
            return Outcome("map", "raw", done.stderr[-300:])
    same = equal(chorda.open_workspace(path), chorda.open_workspace(whole))
    shutil.rmtree(folder)
    if not all(same.values()):
        return Outcome("map", "differs", str([x for x, ok in same.items() if not ok]))
    return Outcome("map", "kept", f"{kills} kills, {before} cells were there")


def _run(rng: Random, folder: Path) -> Outcome:
    """A file is the old one or the new one, whole."""
    folder.mkdir(parents=True)
    path, kills = folder / "run.nc", 0
    for start in (0.1, 0.2, 0.3):
        old = chorda.open(path).position[0, 0] if path.exists() else None
        kills += _killed(
            ["-c", RUN, str(path), str(start)], float(rng.uniform(0, 0.6)), begins=True
        )
        if path.exists():
            found = chorda.open(path).position[0, 0]
            if found not in (start, old):
                return Outcome("run", "wrong", f"{found}")
        elif old is not None:
            return Outcome("run", "lost", "the old file is gone")
    chorda.simulate(chorda.assemble(chorda.load("neck-1")), duration=0.01, step=1e-3).save(path)
    left = [x.name for x in folder.iterdir() if x.name != path.name]
    shutil.rmtree(folder)
    if left:
        return Outcome("run", "lost", f"parts are left behind: {left}")
    return Outcome("run", "kept", f"{kills} kills")
