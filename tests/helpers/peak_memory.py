"""The most memory that a piece of Python takes, in a process of its own."""

import subprocess
import sys

END = """
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def peak(code):
    """[bytes] of a process that runs this code."""
    words = [sys.executable, "-c", code + END]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])
