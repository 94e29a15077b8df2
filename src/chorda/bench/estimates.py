"""What estimates of errors cost, beside the calls whose results they are about."""

from collections.abc import Callable
from functools import partial
from typing import Any

from chorda.bench.groups import Group, at_most, ms
from chorda.catalogue import load
from chorda.dynamics import simulate
from chorda.mechanics import System, assemble
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import SPATIAL
from chorda.papers.till.study import Study, modes
from chorda.results import Table
from chorda.statics import equilibrium

MODES, POINTS = (5, 10), 50  # modes a bending and leg; a step is so small a part of the path
DURATION, STEP, RAMP_STEP = 6.3, 2e-3, 0.01  # [s] of the neck; of Till's ramp
TENSION = {"tension": 8.0}  # [N] at the start
LARGEST_SHARE = 30.0  # [%] of call and estimate together


def estimates_group(neck: System, repeats: int) -> Group:
    """Calls, and the same with `accuracy` read, in turns; a motion takes fewer repeats."""
    rows, targets, data = [], [], {}
    for what, (call, times) in _calls(neck, repeats).items():
        read = partial(_with_estimate, call)
        read()  # functions are made and compiled
        turns = {"call": partial(seconds, call), "both": partial(seconds, read)}
        best = best_in_turns(turns, times)
        estimate = best["both"] - best["call"]
        share = 100 * estimate / best["both"]
        rows.append((what, ms(best["call"]), ms(estimate), f"{share:.0f} %"))
        targets.append(at_most(f"estimate of {what}", LARGEST_SHARE, share, "% of both"))
        data[what] = {**best, "share": share / 100}
    table = Table(
        "Estimates of errors",
        ("result", "call", "estimate", "of both"),
        tuple(rows),
        "Best of several, a call without and a call with its estimate read in turns. An estimate "
        "is computed when it is first read. Functions were made and compiled before.",
    )
    return Group(table, tuple(targets), {"estimate_seconds": data})


def _with_estimate(call: Callable[[], Any]) -> object:
    return call().accuracy


def _calls(neck: System, repeats: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """Calls by what they are, and how often each is repeated."""
    calls: dict[str, tuple[Callable[[], Any], int]] = {}
    for count in MODES:
        study = RobotStudy(SPATIAL)
        previous, hold = study.start(count, CATALOGUE_INTERVALS), study.case.angles(1 / POINTS)
        warm = partial(equilibrium, previous.system, hold=hold, initial=previous, strict=True)
        calls[f"a warm equilibrium, 6-rfs, {count} modes"] = warm, 10 * repeats
    rod = assemble(load("till"))
    calls["an equilibrium from nothing, till"] = partial(equilibrium, rod, inputs=[-0.01]), repeats
    motion = partial(simulate, neck, duration=DURATION, step=STEP, initial=TENSION)
    calls["a motion of 6.3 s, neck-3"] = motion, 4 * repeats
    ramp = partial(Study().strain_run, modes(RAMP_STEP))
    calls["Till's ramp of 25 s, 10 ms steps"] = ramp, repeats
    return calls
