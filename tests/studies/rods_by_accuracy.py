"""python -m tests.studies.rods_by_accuracy: what an accuracy costs, and whether it is met.

Each robot of the catalogue with rods, under loads that no choice was made for: true and estimated
errors of its tips, functions and intervals, and seconds, for the numbers of the catalogue and for
those that assemble(robot, accuracy=...) chooses. Then Till's rod along its ramp of 25 s: with given
numbers and steps, and with those that assemble and simulate choose for an accuracy.
"""

import argparse
import sys
import time

import numpy as np

import chorda
from chorda.describe import STRAINS, Modes, Rod
from chorda.papers.till.published import DURATION, STEP, ramp
from tests.helpers.rod_loads import LOADS, with_modes

ASKED = (None, 1e-3, 1e-4, 1e-5)  # [m]; None: the numbers of the catalogue
EXACT = 3e-7  # [m] of what errors are measured against
ALLOWED = 1.1  # times what was asked for, without a word in the status
RAMP, TILL = "ramp", "till"
SCHEME, FIXED, FINE_STEP = "generalized-alpha", (0.01, 0.0025), 2.5e-4  # [s]
FINE = Modes(twist=0, bend_y=16, bend_z=0, stretch=5, shear_z=5, intervals=40)


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


def moved(system, **steps):
    """The tip of Till's rod along its ramp at the times of the program, the run and its seconds."""
    rest = chorda.equilibrium(system, inputs=[0.0])
    given = {"inputs": {"winch": ramp}, "initial": rest, "scheme": SCHEME, "progress": False}
    chorda.simulate(system, duration=STEP, step=STEP, **given)  # gets the kernel
    begin = time.perf_counter()
    run = chorda.simulate(system, duration=DURATION, **given, **steps)
    spent = time.perf_counter() - begin
    return run.frame("rod.tip")[0], run, spent


def ramp_rows():
    """Rows of the ramp, and whether an accuracy was missed."""
    robot = chorda.load(TILL)
    fine = chorda.assemble(with_modes(robot, FINE))
    truth, *_ = moved(fine, step=FINE_STEP, every=round(STEP / FINE_STEP))
    for asked in (*FIXED, *ASKED[1:]):
        fixed = asked in FIXED
        system = chorda.assemble(robot, accuracy=None if fixed else asked)
        steps = {"step": asked, "every": round(STEP / asked)}
        tip, run, spent = moved(system, **(steps if fixed else {"step": STEP, "accuracy": asked}))
        error = float(np.max(np.linalg.norm(tip - truth, axis=1)))
        missed = not fixed and error > ALLOWED * asked
        row = (
            f"{1e3 * asked:g} ms steps" if fixed else f"accuracy {asked:.0e} m",
            f"{error:.1e}",
            f"{run.accuracy.time.position:.1e}",
            "" if fixed else "missed" if missed else "met",
            functions(system),
            f"{run.counts['steps']:.0f}",
            f"{spent:.2f}",
        )
        yield row, missed


def _met(errors, asked):
    missed = sum(error > ALLOWED * asked + EXACT for error in errors)
    return f"{missed} reported" if missed else "met"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*LOADS, RAMP])
    arguments = parser.parse_args()
    bad, names = 0, [x for x in arguments.names if x != RAMP]
    head = ("robot", "asked [m]", "true [m]", "estimate [m]", "", "functions; intervals", "nq")
    if names:
        _print_head(*head, "assemble [s]", "equilibrium [s]")
    for name in names:
        exact = chorda.assemble(chorda.load(name))
        truths = [tips(chorda.equilibrium(exact, accuracy=EXACT, **x)) for x in LOADS[name]]
        for asked in ASKED:
            row, silent = examined(name, asked, truths)
            bad += silent
            print(f"| {' | '.join(row)} |", flush=True)
    if RAMP in arguments.names:
        what = (
            "true [m]",
            "estimate of steps [m]",
            "",
            "functions; intervals",
            "steps",
            "time [s]",
        )
        _print_head("Till's ramp of 25 s", *what)
        for row, missed in ramp_rows():
            bad += missed
            print(f"| {' | '.join(row)} |", flush=True)
    return 1 if bad else 0


def _print_head(*names):
    print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
