"""python -m tests.studies.rods_by_accuracy: what an accuracy costs, and whether it is met.

Each robot of the catalogue with rods, under loads that no choice was made for: true and estimated
errors of its tips, functions and intervals, and seconds, for the numbers of the catalogue and for
those that assemble(robot, accuracy=...) chooses.
"""

import argparse
import sys
import time

import numpy as np

import chorda
from chorda.describe import STRAINS, Rod
from tests.helpers.rod_loads import LOADS

ASKED = (None, 1e-3, 1e-4, 1e-5)  # [m]; None: the numbers of the catalogue
EXACT = 3e-7  # [m] of what errors are measured against
ALLOWED = 1.1  # times what was asked for, without a word in the status


def tips(found):
    names = [x.name for x in found.system.robot.joints if isinstance(x, Rod)]
    return np.array([found.frame(f"{name}.tip")[0] for name in names])


def functions(system):
    """Of the first rod, such as bend_y 4, stretch 1; 6."""
    modes = next(x.modes for x in system.robot.joints if isinstance(x, Rod))
    counts = ", ".join(f"{x} {n}" for x in STRAINS if (n := getattr(modes, x)))
    return f"{counts}; {modes.intervals}"


def examined(name, asked, truths):
    """A row, and whether an error was missed in silence."""
    robot = chorda.load(name)
    begin = time.perf_counter()
    system = chorda.assemble(robot, accuracy=asked)
    made = time.perf_counter()
    found = [chorda.equilibrium(system, **load) for load in LOADS[name]]
    solved = time.perf_counter()
    errors = [
        np.max(np.linalg.norm(tips(x) - truth, axis=1))
        for x, truth in zip(found, truths, strict=True)
    ]
    worst = int(np.argmax(errors))
    silent = asked is not None and any(
        error > ALLOWED * asked + EXACT and "was asked for" not in x.status.message
        for x, error in zip(found, errors, strict=True)
    )
    row = (
        name,
        "catalogue" if asked is None else f"{asked:.0e}",
        f"{errors[worst]:.1e}",
        f"{found[worst].accuracy.worst:.1e}",
        "" if asked is None else "silent" if silent else _met(errors, asked),
        functions(system),
        str(system.nq),
        f"{made - begin:.1f}",
        f"{(solved - made) / len(found):.2f}",
    )
    return row, silent


def _met(errors, asked):
    missed = sum(error > ALLOWED * asked + EXACT for error in errors)
    return f"{missed} reported" if missed else "met"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(LOADS))
    arguments = parser.parse_args()
    head = ("robot", "asked [m]", "true [m]", "estimate [m]", "", "functions; intervals", "nq")
    head += ("assemble [s]", "equilibrium [s]")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    bad = 0
    for name in arguments.names:
        exact = chorda.assemble(chorda.load(name))
        truths = [tips(chorda.equilibrium(exact, accuracy=EXACT, **x)) for x in LOADS[name]]
        for asked in ASKED:
            row, silent = examined(name, asked, truths)
            bad += silent
            print(f"| {' | '.join(row)} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
