"""Equilibria of the two continuum parallel robots of Briot2022 along their printed paths.

Chorda's time is that of the compiled path from a known first configuration: 51 configurations in
one
call. The continuous model by shooting and the finite differences run in the same process, in turns,
and start each configuration from the one before; they are in numpy, as references are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.bench.report import Verdict, at_least, at_most
from chorda.bench.timing import best_in_turns, seconds
from chorda.catalogue.parallel import rfrfr, six_rfs
from chorda.continuous import assembly as assemblies
from chorda.describe import Robot
from chorda.mechanics import Array, System, assemble
from chorda.results import Equilibrium, Table
from chorda.results.spectra import KINDS
from chorda.statics import equilibrium
from chorda.statics.branch import solve_along, state_of
from chorda.statics.follow import problem_from
from chorda.statics.hessians import spectra
from chorda.statics.prescribe import Request, read
from chorda.statics.problem import Problem

PLANAR = ((2.59, 0.55), (5.76, 3.67))  # motor angles [rad] where the path begins and ends
SPATIAL = (
    (5.86, 5.56, 5.86, 5.46, 5.86, 5.26),
    (7.95, 7.65, 4.29, 3.89, 3.77, 3.17),
)
POINTS, ELEMENTS = 51, 1000
CIRCLE, TILT, AROUND = 0.05, 0.1, 500  # [m], [rad], configurations of the platform's way
PRINTED = {"rfrfr": (2.8, 1.9, 325.0), "6-rfs": (130.0, 191.0, None)}  # [s] for 51 configurations


@dataclass(frozen=True, eq=False)
class Way:
    """A robot's path of motor angles, and its first configuration."""

    robot: Robot
    system: System
    first: Equilibrium
    problem: Problem
    targets: Array

    @property
    def motors(self) -> tuple[str, ...]:
        return self.problem.prescription.held

    def angles(self, i: int) -> dict[str, float]:
        return dict(zip(self.motors, self.targets[i].tolist(), strict=True))

    def modes(self) -> float:
        """Seconds for all configurations by modes."""
        x = state_of(self.problem, self.first)
        return seconds(lambda: solve_along(self.problem, x, self.targets[0], self.targets))

    def judged(self) -> float:
        """Seconds for all configurations with both verdicts on stability."""

        def work() -> None:
            x = state_of(self.problem, self.first)
            found = solve_along(self.problem, x, self.targets[0], self.targets)
            _, matrices = self.problem.linearised(found.states, found.targets)
            for kind in KINDS:
                spectra(self.problem, matrices, kind)

        return seconds(work)

    def shooting(self, count: int) -> Callable[[], float]:
        """Seconds for all configurations by the continuous model, from `count` of them."""
        start = assemblies.shooting(self.robot, hold=self.angles(0), initial=self.first)
        rows = [self.angles(i) for i in range(1, count + 1)]

        def work() -> float:
            took = seconds(lambda: assemblies.follow(self.robot, hold=rows, initial=start))
            return took * POINTS / count

        return work

    def differences(self, count: int) -> Callable[[], float]:
        """The same by finite differences."""
        settings: dict[str, Any] = {"elements": ELEMENTS}
        start = assemblies.finite_differences(
            self.robot, hold=self.angles(0), initial=self.first, **settings
        )

        def work() -> float:
            def each() -> None:
                last = start
                for i in range(1, count + 1):
                    last = assemblies.finite_differences(
                        self.robot, hold=self.angles(i), initial=last, **settings
                    )

            return seconds(each) * POINTS / count

        return work


def way(robot: Robot, ends: tuple[tuple[float, ...], tuple[float, ...]]) -> Way:
    system = assemble(robot)
    names = [f"motor{k + 1}" for k in range(len(ends[0]))]
    first = equilibrium(system, hold=dict(zip(names, ends[0], strict=True)), strict=True)
    problem, _ = problem_from(first, Request())
    return Way(robot, system, first, problem, np.linspace(*ends, POINTS))


def inverse(way: Way) -> tuple[Problem, Array, Array, Array]:
    """A platform on a circle, turning as it goes: problem, state, first row, rows of targets."""
    from scipy.spatial.transform import Rotation

    place, R = way.first.frame("platform")
    at = {"x": place[0], "y": place[1], "z": place[2], "rotation": R}
    request = read(way.system, way.first.parameters, poses={"platform": at})
    problem, _ = problem_from(way.first, request, way.motors)
    a = np.linspace(0, 2 * np.pi, AROUND)
    shift = CIRCLE * np.stack([np.sin(a), 1 - np.cos(a), np.sin(2 * a) / 2], 1)
    turn = Rotation.from_rotvec(TILT * np.stack([np.sin(a), 0 * a, 1 - np.cos(a)], 1)).as_matrix()
    rows = np.hstack([place + shift, (turn @ R).transpose(0, 2, 1).reshape(-1, 9)])
    return problem, state_of(problem, way.first), rows[0], rows


def measure_equilibria(quick: bool) -> tuple[list[Table], list[Verdict], dict[str, Any]]:
    """The table, its targets and its data; quick: without the spatial robot's references."""
    repeats = 3 if quick else 10
    planar, spatial = way(rfrfr(), PLANAR), way(six_rfs(), SPATIAL)
    timed = {
        "rfrfr": best_in_turns({"modes": planar.modes, "judged": planar.judged}, repeats),
        "6-rfs": best_in_turns({"modes": spatial.modes, "judged": spatial.judged}, repeats),
    }
    few = 2 if quick else 10
    timed["rfrfr"] |= best_in_turns(
        {"shooting": planar.shooting(few), "differences": planar.differences(min(few, 3))}, 1
    )
    if not quick:
        timed["6-rfs"] |= best_in_turns({"shooting": spatial.shooting(3)}, 1)
    problem, x, here, rows = inverse(spatial)
    solve_along(problem, x, here, rows[:2])  # compiles
    turns = best_in_turns(
        {"inverse": lambda: seconds(lambda: solve_along(problem, x, here, rows))}, repeats
    )
    rate = AROUND / turns["inverse"]
    verdicts = [
        at_most("rfrfr, 5 modes, 51 configurations", 20.0, timed["rfrfr"]["modes"] * 1e3, "ms"),
        at_most("6-rfs, 5 + 5 modes, 51 configurations", 0.4, timed["6-rfs"]["modes"], "s"),
        at_least("6-rfs, inverse problem, warm", 500.0, rate, "Hz"),
        at_least("6-rfs, inverse problem, warm: aim", 2000.0, rate, "Hz"),
        at_least(
            "rfrfr, equilibria with both verdicts",
            1000.0,
            POINTS / timed["rfrfr"]["judged"],
            "a second",
        ),
    ]
    return [_table(timed)], verdicts, {"equilibria_seconds": timed, "inverse_rate": rate}


def _table(timed: Mapping[str, Mapping[str, float]]) -> Table:
    names = {
        "modes": "modes (Mod 1)",
        "judged": "modes, with both verdicts on stability",
        "shooting": "continuous, shooting (Mod 2)",
        "differences": f"finite differences, {ELEMENTS} elements (Mod 3)",
    }
    rows = []
    for robot, times in timed.items():
        printed = dict(zip(("modes", "shooting", "differences"), PRINTED[robot], strict=True))
        for key, t in times.items():
            own = printed.get(key)
            said = "-" if own is None else f"{own:g} s"
            rows.append((robot, names[key], f"{t * 1e3:.3g} ms", f"{t / times['modes']:.3g}", said))
    return Table(
        "51 equilibria along the paths of Briot2022, each from the one before",
        ("robot", "model", "time", "ratio", "printed (MATLAB)"),
        tuple(rows),
        "Times of the references are scaled from a few configurations. 5 modes a bending and leg.",
    )
