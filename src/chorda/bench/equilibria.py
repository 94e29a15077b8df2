"""Equilibria of the two continuum parallel robots of Briot2022 along their printed paths.

Chorda's time is that of the compiled path from a known first configuration: 51 configurations in
one call. The continuous model by shooting and the finite differences run in the same process and
start each configuration from the one before; they are in NumPy, as references are.
"""

from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.bench.groups import Group, at_least, at_most, ms
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.briot2022.published import TABLE3_S, TABLE6_S
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, STEPS, CompiledPath, RobotStudy
from chorda.papers.briot2022.robots import PLANAR, SPATIAL
from chorda.results import Table
from chorda.results.spectra import KINDS
from chorda.statics.branch import state_of
from chorda.statics.follow import problem_from
from chorda.statics.hessians import spectra
from chorda.statics.prescribe import read

ELEMENTS = 1000
CIRCLE, TILT, CIRCLE_POINTS = 0.05, 0.1, 500  # [m], [rad], configurations of the platform's path
MODELS = {
    "modes": "modes (Mod 1)",
    "stability": "modes, with both kinds of stability",
    "continuous": "continuous, shooting (Mod 2)",
    "elements": f"finite differences, {ELEMENTS} elements (Mod 3)",
}
PRINTED = {  # [s] for 51 configurations
    "rfrfr": dict(zip(("modes", "continuous", "elements"), TABLE3_S[STEPS], strict=True)),
    "6-rfs": dict(zip(("modes", "continuous"), TABLE6_S[STEPS], strict=True)),
}


def equilibria_group(quick: bool, repeats: int) -> Group:
    """quick: without the spatial robot's reference."""
    planar, spatial = RobotStudy(PLANAR), RobotStudy(SPATIAL)
    timed = {study.case.name: _by_modes(study, repeats) for study in (planar, spatial)}
    timed["rfrfr"]["continuous"] = seconds(planar.continuous_run(STEPS))
    timed["rfrfr"]["elements"] = planar.elements(ELEMENTS).seconds
    if not quick:
        timed["6-rfs"]["continuous"] = seconds(spatial.continuous_run(STEPS))
    circle = inverse(spatial)
    circle()  # compiles
    rate = CIRCLE_POINTS / best_in_turns({"inverse": partial(seconds, circle)}, repeats)["inverse"]
    rows = tuple(
        (robot, MODELS[model], ms(t), f"{t / times['modes']:.3g}",
         f"{PRINTED[robot][model]:g} s" if model in PRINTED[robot] else "-")
        for robot, times in timed.items()
        for model, t in times.items()
    )  # fmt: skip
    table = Table(
        "51 equilibria along the paths of Briot2022, each from the one before",
        ("robot", "model", "time", "ratio", "printed (MATLAB)"),
        rows,
        "5 modes a bending and leg.",
    )
    one, six = timed["rfrfr"], timed["6-rfs"]
    both = (STEPS + 1) / one["stability"]
    targets = (
        at_most("rfrfr, 5 modes, 51 configurations", 20.0, one["modes"] * 1e3, "ms"),
        at_most("6-rfs, 5 + 5 modes, 51 configurations", 0.4, six["modes"], "s"),
        at_least("6-rfs, inverse problem, warm", 500.0, rate, "Hz"),
        at_least("6-rfs, inverse problem, warm: aim", 2000.0, rate, "Hz"),
        at_least("rfrfr, equilibria with both kinds of stability", 1000.0, both, "a second"),
    )
    return Group(table, targets, {"equilibria_seconds": timed, "inverse_rate": rate})


def _by_modes(study: RobotStudy, repeats: int) -> dict[str, float]:
    """Seconds for all configurations, without and with stability."""
    path = study.compiled(STEPS)

    def stability() -> None:
        found = path()
        matrices = path.problem.linearised(found.states, found.targets)[1]
        for kind in KINDS:
            spectra(path.problem, found.states, matrices, kind)

    stability()  # compiles
    contenders = {"modes": partial(seconds, path), "stability": partial(seconds, stability)}
    return best_in_turns(contenders, repeats)


def inverse(study: RobotStudy) -> CompiledPath:
    """The platform on a circle, turning as it goes."""
    first = study.start(5, CATALOGUE_INTERVALS)
    p, R = first.frame("platform")
    pose = {"x": p[0], "y": p[1], "z": p[2], "rotation": R}
    request = read(first.system, first.parameters, poses={"platform": pose})
    problem, _ = problem_from(first, request, study.case.motors)
    a = np.linspace(0, 2 * np.pi, CIRCLE_POINTS)
    shift = CIRCLE * np.stack([np.sin(a), 1 - np.cos(a), np.sin(2 * a) / 2], 1)
    turn = Rotation.from_rotvec(TILT * np.stack([np.sin(a), 0 * a, 1 - np.cos(a)], 1)).as_matrix()
    rows = np.hstack([p + shift, (turn @ R).transpose(0, 2, 1).reshape(-1, 9)])
    return CompiledPath(problem, state_of(problem, first), rows)
