"""Ctrl-C in a child process, once it computes."""

import signal
import subprocess
import sys

ANNOUNCED = """
from chorda.numerics.progress import Progress

def announce(self, done, update=Progress.update):
    if done >= 100:
        Progress.update = update
        print("computing", flush=True)

Progress.update = announce
"""


def interrupted(code, *arguments, **options):
    """Run Python code and send SIGINT once its loop reports a hundred steps.

    Returns the exit code, stdout and stderr.
    """
    with subprocess.Popen(
        [sys.executable, "-c", ANNOUNCED + code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    ) as process:
        try:
            line = process.stdout.readline()
            assert line == "computing\n", line + process.stderr.read()
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=600)
        finally:
            process.kill()
    return process.returncode, out, errors
