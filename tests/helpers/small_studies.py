"""Studies for tests, and what is done to those who compute them."""

import json
import random
import signal
import subprocess
import sys
import time

import numpy as np


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


def command(study, store, *more):
    words = [sys.executable, "-m", "chorda", "sweep", str(study), "--output", str(store), *more]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def killed_at_random(study, store, kills, chunks, seed, at_start=1):
    """Run the command and kill it, again and again: `at_start` times in its first two seconds,
    else after some more chunks. Returns how many chunks were done at each kill."""
    dice = random.Random(seed)
    done = []
    for kill in range(kills):
        before = finished(store)
        process = command(study, store, "--jobs", str(1 + kill % 2))
        if kill < at_start:
            time.sleep(dice.uniform(0.0, 2.0))
        else:
            wanted = len(before) + dice.randint(1, max(1, 2 * chunks // (3 * kills)))
            give_up = time.monotonic() + 120
            while len(finished(store)) < wanted and process.poll() is None:
                assert time.monotonic() < give_up
                time.sleep(0.002)
            time.sleep(dice.uniform(0.0, 0.02))
        process.send_signal(signal.SIGKILL)
        error = process.communicate()[1]
        assert process.returncode == -signal.SIGKILL, error
        after = finished(store)
        assert {k: after[k] for k in before} == before  # what was done is not done again
        done.append(len(after))
    return done
