"""A process that surveys for another one: a setup and pieces come in, what was found goes out."""

import os
import pickle
import signal
import sys
import traceback
from typing import Any

from chorda.describe import parse
from chorda.mechanics import assemble
from chorda.statics.problem import Problem
from chorda.statics.workspace.pieces import Surveyor, unpacked


def serve() -> None:
    """Until the input ends. What is printed on the way goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process hears it, and stops us
    into, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    surveyor = None
    while True:
        try:
            message = pickle.load(into)
        except EOFError:
            return
        try:
            if surveyor is None:
                surveyor = _surveyor(message)
                continue
            answer: Any = surveyor.survey(unpacked(message))
        except Exception:  # told to the other process, which raises it
            answer = traceback.format_exc(limit=3)
        pickle.dump(answer, out, pickle.HIGHEST_PROTOCOL)
        out.flush()


def _surveyor(setup: dict[str, Any]) -> Surveyor:
    system = assemble(parse(setup["robot"], "robot"), setup["tendons"])
    problem = Problem(system, setup["prescription"], setup["u"], setup["p"])
    return Surveyor(problem, setup["columns"], setup["start"], setup["leaps"])
