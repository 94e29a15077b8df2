"""Work for workers: functions that their processes import by name."""

import os
import time
from pathlib import Path


def squared(x):
    print("this does not disturb the answers")
    return x * x


def doubled(data):
    return data + data


def environment(name):
    return os.environ.get(name), os.getpid()


def refusing(x):
    if x == 3:
        raise ValueError("three is refused")
    return x


class Loaded:
    """Writes a line into a file whenever it arrives in a process."""

    def __init__(self, path):
        self.path = path

    def __setstate__(self, state):
        self.__dict__ = state
        with Path(self.path).open("a") as file:
            file.write(f"{os.getpid()}\n")

    def __call__(self, x):
        return x


class Dying:
    """Ends its process at a task, always or only the first time."""

    def __init__(self, at, flag=None):
        self.at, self.flag = at, flag

    def __call__(self, x):
        if x == self.at and not (self.flag and Path(self.flag).exists()):
            if self.flag:
                Path(self.flag).touch()
                os.kill(os.getpid(), 9)
            os._exit(7)
        return x


def sleeping(path):
    """Says in a file that it is at work, and then does not end by itself."""
    part = Path(f"{path}.part")
    part.write_text(str(os.getpid()))
    part.rename(path)
    time.sleep(600)
