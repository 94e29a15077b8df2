"""Waiting for other processes: until something is so, never for a fixed time."""

import time

# what a child runs first, so that it prints a line once it is well within the loop of a verb
ANNOUNCE = """
from chorda.numerics.progress import Progress

update = Progress.update

def announce(self, done):
    if done > 2000:
        Progress.update = update
        print("running", flush=True)

Progress.update = announce
"""


def until(condition, seconds=120):
    """Returns once the condition holds; it is asked often."""
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.002)
