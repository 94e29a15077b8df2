"""Ctrl-C in a child process, once it computes."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

STEPS = """
from chorda.numerics.progress import Progress

def announce(self, done, update=Progress.update):
    if done >= 100:
        Progress.update = update
        print("computing", flush=True)

Progress.update = announce
"""
INSIDE = """
import importlib

def watch(module, path):
    *owners, name = path.split(".")
    place = importlib.import_module(module)
    for owner in owners:
        place = getattr(place, owner)
    original = getattr(place, name)

    first = [True]

    def announced(*arguments, **options):
        if first and first.pop():
            print("computing", flush=True)
        return original(*arguments, **options)

    setattr(place, name, announced)

watch(*{inside!r}.split(":"))
"""


@dataclass(frozen=True)
class Answer:
    """How a child ended after SIGINT, and how long that took [s]."""

    code: int
    out: str
    errors: str
    seconds: float


def interrupted(code, *arguments, inside=None, group=False, **options):
    """Run Python code and send SIGINT once it computes.

    inside: 'module:function' that says so when it is called; without it, the loop does after a
    hundred steps. group: the signal goes to all children as well, as that of a terminal does.
    """
    first = STEPS if inside is None else INSIDE.format(inside=inside)
    with subprocess.Popen(
        [sys.executable, "-c", first + code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=group,
        **options,
    ) as process:
        try:
            line = process.stdout.readline()
            assert line == "computing\n", line + process.stderr.read()
            begin = time.perf_counter()
            if group:
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=600)
            seconds = time.perf_counter() - begin
        finally:
            process.kill()
    return Answer(process.returncode, out, errors, seconds)
