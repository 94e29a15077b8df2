"""python -m tests.studies.rods_in_motion: estimated and true errors of random motions.

Sliders, necks, fingers and rods that are let go or pulled, by several schemes in random steps. The
truth of the steps is the same motion in a sixteenth of them, that of a rod's functions the same
motion with many of them.
"""

import argparse
import sys
from collections import Counter

import numpy as np

import chorda
from chorda.dynamics.time_error import difference
from tests.helpers.robots import slider
from tests.helpers.rod_robots import robot, rod

SCHEMES = ("implicit-euler", "bdf2", "rosenbrock", "generalized-alpha", "newmark")
KINDS = ("slider", "neck", "finger", "rod", "two rods")
FINER = 16  # times as many steps
MANY = 8  # functions a bend
MAX_FACTOR, MAX_ABOVE = 10.0, 3.0
NOISE = 1e-9  # [m] errors below are not compared
GRAVITY = (0, -9.81, 0)


def wire(count):
    return robot(rod({"bend_z": count}), gravity=GRAVITY)


def wires(count):
    modes = {"bend_y": count, "bend_z": count, "twist": 1}
    return robot(rod(modes), rod(modes, name="second", parent="rod.tip"), gravity=GRAVITY)


def drawn(seed, number):
    """A kind, its system, the same with many functions or None, and the arguments of simulate."""
    rng = np.random.default_rng([seed, number])
    kind = KINDS[number % len(KINDS)]
    given = {
        "duration": float(rng.uniform(0.2, 0.8)),
        "scheme": str(rng.choice(SCHEMES)),
    }
    count, fine = int(rng.integers(1, 4)), None
    if kind == "slider":
        made = slider(joint={"stiffness": 200.0, "friction": float(rng.choice([0.0, 1.0, 8.0]))})
        given["initial"] = [float(rng.uniform(-0.1, 0.1))]
    elif kind == "neck":
        made = chorda.neck(int(rng.integers(1, 4)))
        given["initial"] = {"x1": float(rng.uniform(-0.4, 0.4)), "tension": 20.0}
    elif kind == "finger":
        made = chorda.load("finger-3")
        given["initial"] = {"joint1": float(rng.uniform(0.1, 0.6)), "tension": 5.0}
    elif kind == "rod":
        made, fine = wire(count), wire(MANY)
        given["parameters"] = {"rod.young_modulus": float(10 ** rng.uniform(9.3, 10.7))}
    else:
        made, fine = wires(count), wires(4)
        modulus = float(10 ** rng.uniform(9.7, 10.7))
        given["parameters"] = dict.fromkeys(("rod.young_modulus", "second.young_modulus"), modulus)
    given["step"] = given["duration"] / int(10 ** rng.uniform(1.4, 2.6))
    return kind, chorda.assemble(made), None if fine is None else chorda.assemble(fine), given


def word(true, estimate):
    if max(true, estimate) < NOISE:
        return "below 1 nm"
    if true > MAX_FACTOR * estimate:
        return "too low"
    return "within 10" if estimate < MAX_FACTOR * true else "too high"


def of_steps(system, given):
    """A word, and whether it was called reliable, true and estimated error [m]."""
    run = chorda.simulate(system, **given)
    if not run.status.ok:
        return "no motion", False, np.nan, np.nan
    found = run.accuracy.time
    if found is None:
        return "not known", False, np.nan, np.nan
    fine = chorda.simulate(system, **{**given, "step": given["step"] / FINER, "every": FINER})
    if not fine.status.ok:
        return "no truth", False, np.nan, found.position
    true = difference(system, run.position, fine.position, run.parameters).position
    return word(true, found.position), found.reliable, true, found.position


def of_functions(few, many, given):
    run, fine = (chorda.simulate(x, **given) for x in (few, many))
    if not (run.status.ok and fine.status.ok):
        return "no motion", False, np.nan, np.nan
    space = run.accuracy.space
    tip = space.frames[int(np.argmax(space.error))]
    a, b = (x.frame(tip)[0] for x in (run, fine))
    true = float(np.max(np.linalg.norm(a - b, axis=1)))
    return word(true, space.worst), space.reliable, true, space.worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rows = {f"{kind}, {what}": Counter() for kind in KINDS for what in ("steps", "functions")}
    every, broken = {"steps": Counter(), "functions": Counter()}, 0
    for number in range(arguments.count):
        kind, system, fine, given = drawn(arguments.seed, number)
        found = {"steps": of_steps(system, given)}
        if fine is not None:
            found["functions"] = of_functions(system, fine, given)
        for what, (outcome, reliable, true, estimate) in found.items():
            rows[f"{kind}, {what}"][outcome] += 1
            every[what][outcome] += 1
            above = reliable and true > max(MAX_ABOVE * estimate, NOISE)
            if outcome.startswith("too") or above:
                sure = "reliable" if reliable else "not called reliable"
                broken += above
                text = f"{number}: {kind}, {what}, {given['scheme']}, {given['step']:.2g} s: "
                print(f"{text}true {true:.3g} m, estimated {estimate:.3g} m, {sure}", flush=True)
    print("| motions | outcomes |\n|---|---|")
    for kind, counts in (rows | {f"all, {what}": x for what, x in every.items()}).items():
        if counts:
            print(f"| {kind} | {', '.join(f'{n} {x}' for x, n in counts.most_common())} |")
    for what, counts in every.items():
        compared = sum(counts[x] for x in ("within 10", "too low", "too high"))
        if compared:
            print(f"{what}: {counts['within 10'] / compared:.0%} of {compared} within a factor 10")
    print(f"{broken} errors above {MAX_ABOVE:g} times an estimate that is called reliable")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
