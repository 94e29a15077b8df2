"""Studies for tests, and what is done to those who compute them."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chorda.sweeps.computing import Work
from tests.helpers.waiting import until


def motions(stiffnesses=3, starts=4, samples=5, **compute):
    """Swings of one joint: a grid, a list and samples."""
    return {
        "name": "swings",
        "robot": "neck-1",
        "vary": [
            {
                "name": "*.stiffness",
                "kind": "grid",
                "low": 1e4,
                "high": 1e5,
                "count": stiffnesses,
                "spacing": "log",
            },
            {"name": "initial.x1", "kind": "list", "at": np.linspace(-0.2, 0.3, starts).tolist()},
            {"name": "left.damping", "kind": "random", "low": 5.0, "high": 50.0},
        ],
        "samples": {"count": samples, "seed": 3},
        "compute": {
            "kind": "simulate",
            "duration": 0.05,
            "step": 1e-3,
            "initial": {"tension": 20.0},
            **compute,
        },
    }


def equilibria(tensions=(5.0, 10.0, 20.0, 40.0), **compute):
    return {
        "name": "rests",
        "robot": "neck-3",
        "vary": [{"name": "tensions", "kind": "list", "at": list(tensions)}],
        "compute": {"kind": "equilibrium", **compute},
    }


def written(study, folder):
    """The study as a file; JSON is YAML."""
    path = folder / "study.yaml"
    path.write_text(json.dumps(study, indent=1), encoding="utf-8")
    return path


def contents(store):
    """Every file of a store, with its bytes."""
    return {
        x.relative_to(store).as_posix(): x.read_bytes() for x in store.rglob("*") if x.is_file()
    }


def finished(store):
    """Files of the chunks that are done, and when they were written."""
    files = (store / "status" / "c").glob("[0-9]*")
    return {x.name: x.stat().st_mtime_ns for x in files if x.name.isdigit()}


@dataclass(frozen=True)
class DeadlyWork(Work):
    """At a value of the second quantity it raises an error, is killed once, or ends its process."""

    value: float = 0.0
    flag: Path | None = None  # there once it was killed
    error: str = ""

    def __call__(self, rows):
        if (rows[:, 1] == self.value).any():
            if self.error:
                raise SystemError(self.error)
            if self.flag is None:
                os._exit(7)
            if not self.flag.exists():
                self.flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(rows)


def command(study, store, *more):
    """chorda sweep in a session of its own, so that a Ctrl-C can reach it and its workers alone."""
    words = [sys.executable, "-m", "chorda", "sweep", str(study), "--output", str(store), *more]
    return subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def killed_at_random(study, store, kills, chunks, seed, at_start=1):
    """Run the command and kill it, again and again: `at_start` times when it has just begun to
    write, else after some more chunks. Returns how many chunks were done at each kill."""
    dice = random.Random(seed)
    done = []

    def files():
        return set(store.parent.glob(f"*{store.name}*"))

    for kill in range(kills):
        before, there = finished(store), files()
        process = command(study, store, "--jobs", str(1 + kill % 2))
        more = dice.randint(1, max(1, 2 * chunks // (3 * kills)))

        def is_time(begun=kill < at_start, before=before, there=there, more=more, process=process):
            new = len(finished(store)) - len(before)
            begun = begun and (new or files() - there)
            return begun or new >= more or process.poll() is not None

        until(is_time)
        time.sleep(dice.uniform(0.0, 0.02))  # at any moment of what it is doing
        process.send_signal(signal.SIGKILL)
        error = process.communicate()[1]
        assert process.returncode == -signal.SIGKILL, error
        after = finished(store)
        assert {k: after[k] for k in before} == before  # what was done is not done again
        done.append(len(after))
    return done
