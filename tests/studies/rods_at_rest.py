"""python -m tests.studies.rods_at_rest: estimated and true errors of random rods at rest.

Straight, curved and twisted, tapered rods, two in series, with helical tendons and ones that end
inside, disks and loads; each by few functions, and by many and more for the truth. The truth of
helical tendons is the continuous model on many nodes.
"""

import argparse
import sys
from collections import Counter

import numpy as np

import chorda
from chorda.continuous import rod_statics
from chorda.describe import (
    Circle,
    Disk,
    Load,
    Modes,
    Point,
    Robot,
    Rod,
    Sheath,
    Strains,
    Tendon,
    TensionActuator,
)

KINDS = ("loaded", "curved", "tapered", "in series", "helical", "ending", "disks")
FINE, FINER = 14, 20  # functions a bend of the truth, and of its check
NODES, NODES_A_TURN = 121, 24  # of the continuous model
MAX_FACTOR, MAX_ABOVE = 10.0, 3.0
NOISE = 1e-9  # [m] errors below are not compared


def drawn(seed, number):
    """A kind, a function from modes to a robot, and what is given."""
    rng = np.random.default_rng([seed, number])
    kind = KINDS[number % len(KINDS)]
    L, radius = rng.uniform(0.2, 0.6), rng.uniform(0.6e-3, 1.5e-3)
    E = 10 ** rng.uniform(9.5, 11)
    bend = E * np.pi * radius**4 / 4
    direction = rng.normal(size=3)
    force = direction / np.linalg.norm(direction) * rng.uniform(0.2, 3) * bend / L**2
    more = {}
    if kind == "curved":
        more["rest"] = Strains(
            bend_y=[rng.uniform(-3, 3) / L, rng.uniform(-3, 3) / L], twist=rng.uniform(-4, 4) / L
        )
    if kind == "tapered":
        more["taper"] = rng.uniform(0.5, 1.5)
    if kind == "disks":
        more["disks"] = [
            Disk(name=f"d{k}", at=L * (k + 1) / 4, radius=0.01, mass=rng.uniform(1e-3, 1e-2))
            for k in range(3)
        ]
    turns = float(round(10 ** rng.uniform(0, 1.7))) if kind == "helical" else 0.0
    end = L * rng.uniform(0.3, 0.8) if kind == "ending" else None
    pull = rng.uniform(0.3, 2.0) * bend / (L * 0.008)

    def robot(modes):
        given = {
            "length": L,
            "section": Circle(radius=radius),
            "young_modulus": E,
            "density": rng_density,
            "modes": modes,
            **more,
        }
        joints = [Rod(name="rod", **given)]
        if kind == "in series":
            joints.append(Rod(name="second", parent="rod.tip", **given))
        last = joints[-1].name
        tendons, actuators = [], []
        if kind in ("helical", "ending"):
            sheath = Sheath(rod="rod", y=0.008, turns=turns, end=end)
            tendons.append(Tendon(name="pull", sheaths=[sheath], actuator="force"))
            actuators.append(TensionActuator(name="force"))
        push = Load(name="push", at=Point(frame=f"{last}.tip", point=(0, 0, 0)), force=tuple(force))
        return Robot(
            name="drawn", joints=joints, loads=[push], tendons=tendons, actuators=actuators
        )

    rng_density = rng.uniform(1000, 8000)
    count = int(rng.integers(1, 6))
    return kind, robot, count, {"tensions": pull} if kind in ("helical", "ending") else {}


def modes(count, twist=None, shear=0):
    more = {"shear_y": shear, "shear_z": shear}
    return Modes(twist=twist or max(1, count // 2), bend_y=count, bend_z=count, stretch=2, **more)


ROUGHLY, ROUGHLY_FAR = "not reliable, within 10", "not reliable, further off"


def examined(seed, number):
    """Kind, word, true and estimated error [m]."""
    kind, robot, count, given = drawn(seed, number)
    tip = "second.tip" if kind == "in series" else "rod.tip"
    few = robot(modes(count, shear=2 if kind == "helical" else 0))
    coarse = chorda.equilibrium(chorda.assemble(few), **given)
    at = [
        coarse.frame(tip)[0],
        *(truths(few, robot, coarse, given, tip) if coarse.status.ok else []),
    ]
    if len(at) < 3:
        return kind, "no equilibrium", np.nan, np.nan
    true, doubt = np.linalg.norm(at[0] - at[2]), np.linalg.norm(at[1] - at[2])
    accuracy = coarse.accuracy
    estimate = float(accuracy.error[accuracy.frames.index(tip)])
    if doubt > 0.1 * true and true > NOISE:
        return kind, "truth not resolved", true, estimate
    if max(true, estimate) < NOISE:
        return kind, "below 1 nm", true, estimate
    if not accuracy.reliable:
        near = true < MAX_FACTOR * estimate and estimate < MAX_FACTOR * true
        return kind, ROUGHLY if near else ROUGHLY_FAR, true, estimate
    if true > MAX_ABOVE * estimate:
        return kind, "too low", true, estimate
    return kind, "within 10" if estimate < MAX_FACTOR * true else "too high", true, estimate


def truths(few, robot, coarse, given, tip):
    """The tip, twice; none where no equilibrium is found."""
    sheaths = [x for tendon in few.tendons for x in tendon.sheaths]
    if any(x.turns for x in sheaths):
        nodes = max(NODES, *(round(NODES_A_TURN * x.turns) for x in sheaths))
        inputs = {"force": given["tensions"]}
        each = [rod_statics(few, inputs, nodes=n) for n in (nodes, 2 * nodes)]
        return [x.tip for x in each] if all(x.status.ok for x in each) else []
    found = []
    for many in (modes(FINE, 8), modes(FINER, 12)):
        start = started(coarse, robot(many))
        rest = chorda.equilibrium(chorda.assemble(robot(many)), **given, initial=start)
        if not rest.status.ok:
            return []
        found.append(rest.frame(tip)[0])
    return found


def started(coarse, robot):
    """The coarse configuration, by name: so that both are on one branch."""
    few = {x.name: x.modes for x in coarse.system.robot.joints}
    many = {x.name: x.modes for x in robot.joints}
    start = {}
    for name, value in coarse.position.items():
        rod, _, own = name.partition(".")
        strain = own.rstrip("0123456789")
        part, k = divmod(int(own[len(strain) :]), getattr(few[rod], strain))
        start[f"{rod}.{strain}{part * getattr(many[rod], strain) + k}"] = value
    return start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    words, ratios, bad = {kind: Counter() for kind in KINDS}, [], 0
    for number in range(arguments.count):
        kind, word, true, estimate = examined(arguments.seed, number)
        words[kind][word] += 1
        if word in ("within 10", "too low", "too high"):
            ratios.append(estimate / true)
        elif word == ROUGHLY_FAR:
            print(f"{number}: {kind}: true {true:.3g} m, roughly {estimate:.3g} m", flush=True)
        if word.startswith("too"):
            bad += 1
            print(f"{number}: {kind}: true {true:.3g} m, estimated {estimate:.3g} m", flush=True)
    print("| rods | outcomes |\n|---|---|")
    for kind, found in words.items():
        print(f"| {kind} | {', '.join(f'{n} {word}' for word, n in found.most_common())} |")
    if ratios:
        low, middle, high = np.percentile(ratios, [2.5, 50, 97.5])
        print(
            f"estimate over truth of {len(ratios)}: median {middle:.3f}, "
            f"95 % between {low:.3f} and {high:.3f}; {bad} beyond the limits"
        )
    total = sum(words.values(), Counter())
    within, far = total["within 10"] + total[ROUGHLY], bad + total[ROUGHLY_FAR]
    if within + far:
        print(f"{within} of {within + far} within a factor {MAX_FACTOR:g}, reliable or not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
