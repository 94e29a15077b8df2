"""The tip at rest; and error against wall time over the ramp."""

import math
from typing import NamedTuple

import numpy as np

from chorda.catalogue import load
from chorda.continuous import RodEquilibrium, rod_statics
from chorda.describe import Robot
from chorda.mechanics import assemble
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.till import published
from chorda.papers.till.published import CONVERGED, EULER, INEXTENSIBLE, Tip, program
from chorda.papers.till.study import Point, Study
from chorda.papers.tolerance import YES, below, seconds, unit, words
from chorda.results import Equilibrium, Table
from chorda.statics import equilibrium

WHOSE = "chapter or program"  # name of the column that tells whose a number is
METRES, NEWTONS = unit("mm", 1e3), unit("N")
NEWTON_PER_METRE = 10.0  # tensions are held within as many newtons as this times the metres


class _Known(NamedTuple):
    """A static solution, whose it is, and within what it is met [m]."""

    tip: Tip
    whose: str
    within: float


def static_table(study: Study) -> Comparison:
    """Tip and tension at rest by both formulations, and by single shooting."""
    solution = "an independent solution"
    quoted = program()
    first: Tip = (quoted.tip[0, 0], quoted.tip[0, 2], quoted.tension[0])
    converged, marched = _Known(CONVERGED, solution, 1e-6), _Known(EULER, solution, 1e-5)
    shot, without = study.shooting.statics, equilibrium(assemble(inextensible()), inputs=[0.0])
    euler = _continuous(rod_statics(study.robot, 0.0, integrator="euler", nodes=published.NODES))
    rk4, gauss6 = (
        _continuous(rod_statics(study.robot, 0.0, integrator=name, nodes=nodes))
        for name, nodes in (("rk4", 61), ("gauss6", 21))
    )
    modes = _by_modes(study.rest)
    ways = (
        ("continuous, euler, 200 nodes", euler, marched),
        ("continuous, euler, 200 nodes", euler, _Known(first, "program", 1e-5)),
        ("single shooting, euler, 200 nodes", _continuous(shot), _Known(first, "program", 1e-5)),
        ("continuous, rk4, 61 nodes", rk4, converged),
        ("continuous, gauss6, 21 nodes", gauss6, converged),
        ("strain modes", modes, converged),
        ("strain modes, neither stretch nor shear", _by_modes(without),
         _Known(INEXTENSIBLE, solution, 1e-5)),
    )  # fmt: skip
    solved = Row(
        "single shooting solves the static problem from a guess of zero",
        "chapter: 'with relative ease'",
        float(shot.status.ok),
        YES,
        shown=words("fails", "solved"),
        beside=(f"{shot.iterations} iterations",),
    )
    return Comparison(
        "Static tip and tension",
        (solved, *(row for way in ways for row in _static_rows(*way))),
        f"With Euler's {published.NODES} nodes the tip is {_apart(euler, modes) * 1e3:.2f} mm from "
        "where strain modes have it; without stretch and shear it is "
        f"{_apart(_by_modes(without), modes) * 1e3:.2f} mm from there.",
        columns=("x, z, tension here",),
        paper=WHOSE,
    )


def inextensible() -> Robot:
    robot = load("till")
    rod = robot.joints[0]
    modes = rod.modes.model_copy(update={"stretch": 0, "shear_z": 0})  # type: ignore[union-attr]
    return robot.model_copy(update={"joints": (rod.model_copy(update={"modes": modes}),)})


def _continuous(found: RodEquilibrium) -> Tip:
    return found.tip[0], found.tip[2], found.tension[0]


def _by_modes(found: Equilibrium) -> Tip:
    x, _, z = found.frame("rod.tip")[0]
    return x, z, found.tension[0]


def _apart(ours: Tip, known: Tip) -> float:
    """Of the tips, in what is known of both [m]."""
    return math.hypot(*np.nan_to_num(np.subtract(ours[:2], known[:2])))


def _static_rows(label: str, ours: Tip, known: _Known) -> list[Row]:
    """The tip, and the tension where it is known."""
    x, z, tension = known.tip
    there = ", ".join(f"{a:.7g}" for a in (x, z) if not math.isnan(a))
    rows = [
        own_check(
            f"{label}: tip away by", _apart(ours, known.tip), below(known.within), shown=METRES,
            expected=f"{known.whose}: {there} m", beside=(f"{ours[0]:.7f}, {ours[1]:.7f} m",),
        )
    ]  # fmt: skip
    if not math.isnan(tension):
        limit = below(NEWTON_PER_METRE * known.within)
        rows.append(
            own_check(
                f"{label}: tension away by", abs(ours[2] - tension), limit, shown=NEWTONS,
                expected=f"{known.whose}: {tension:.7g} N", beside=(f"{ours[2]:.6f} N",),
            )
        )  # fmt: skip
    return rows


def precision_table(points: list[Point]) -> Table:
    """Error of the tip over the whole ramp, and wall time."""
    quoted = points[0]
    rows = (
        (x.label, f"{x.step * 1e3:g} ms", seconds(x.wall), f"{x.error * 1e3:.3g} mm",
         published.DURATION / x.wall, quoted.error / x.error)
        for x in points
    )  # fmt: skip
    return Table(
        "Work and precision: the ramp of 25 s",
        ("formulation", "step", "wall time", "largest error", "times real time",
         "the program's error over it"),
        tuple(rows),
        "Error of the tip against the limit of short steps; wall times of this run, without the "
        "building of kernels. The program's time is quoted, from another machine: times are not "
        "compared here.",
    )  # fmt: skip
