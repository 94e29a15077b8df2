"""Example 1 in motion: what moves, what the tendons pull, what the joints carry."""

import numpy as np
from scipy.integrate import cumulative_trapezoid

from chorda.mechanics import Array
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.recursive.choices import EQUATION_27, SUBSCRIPTS
from chorda.papers.recursive.example1 import DRUMS, SEGMENTS, STEP
from chorda.papers.recursive.study import Study
from chorda.papers.tolerance import below, unit
from chorda.results import Table
from chorda.tendons import accelerations

MOTION_TOLERANCE, TENSION_TOLERANCE = 1e-5, 1e-9  # [rad], [N]
FORCE_TOLERANCE, DIFFERENCE_TOLERANCE = 1e-9, 1e-3  # relative; of differences over time
THINNED = 100  # samples between those at which the recursion solves for accelerations
PULLEYS = {3: ("t23", "t36"), 4: ("t24", "t47")}  # intermediate links: towards link 2, a motor
SLIP = "eq. 27 has r3 for r2 and c23 for c24 in the tension of tendon 2,4"
BALANCES = {"link2": "26a", "link3": "26c", "link4": "26e", "link1": "26g"}
RADIAN = unit("rad")


def motion_table(study: Study) -> Comparison:
    """The printed equations in motion, and balances that they must keep."""
    run = study.example1.run()
    motions = {
        "eqs. 27-30 as in the text": (study.printed, (SUBSCRIPTS,), SLIP),
        "the same, t24 of eq. 27 as in Table 2": (study.derived, (SUBSCRIPTS, EQUATION_27), ""),
    }
    rows = [
        Row(f"angles of links 1-4, by {name}, less Chorda's", "0",
            float(np.abs(printed.angles - run.position).max()), below(MOTION_TOLERANCE),
            shown=RADIAN, helped_by=helped, why=why)
        for name, (printed, helped, why) in motions.items()
    ]  # fmt: skip
    rows += [_tensions(study), *_forces(study), *_own_checks(study)]
    return Comparison(
        "Example 1 in motion: equations, tensions and reactions",
        rows,
        "Largest differences over the motion. Forces: those of the joints by chorda.reactions "
        "against the paper's balances with Tables 1-3 and tangents of the pulleys by hand.",
    )


def _tensions(study: Study) -> Row:
    run = study.example1.run()
    by_hand = study.derived.evaluated(run.position, run.velocity)[1]
    ours = np.stack(list(study.example1.tensions().values()), 1)
    return Row(
        "tensions of all five segments, by Table 2, less Chorda's", "0",
        float(np.abs(by_hand - ours).max()), below(TENSION_TOLERANCE), shown=unit("N"),
        helped_by=(SUBSCRIPTS,),
    )  # fmt: skip


def _forces(study: Study) -> list[Row]:
    by_hand, ours = study.bodies.by_hand(), study.bodies.recursive()
    return [
        Row(f"force on {name} by its joint, by eq. {equation}, relative", "0",
            float(np.abs(by_hand[name] - ours[name]).max() / np.abs(ours[name]).max()),
            below(FORCE_TOLERANCE))
        for name, equation in BALANCES.items()
    ]  # fmt: skip


def _own_checks(study: Study) -> list[Row]:
    example, run = study.example1, study.example1.run()
    some = slice(None, None, THINNED)
    found = accelerations(example.system, run.position[some], run.velocity[some], run.input[some])
    lagrange = example.accelerations()[some]
    force, moment = study.bodies.missing_momentum()
    rows = [
        ("accelerations: Newton-Euler less Lagrange, relative",
         float(np.abs(found - lagrange).max() / np.abs(lagrange).max()), FORCE_TOLERANCE),
        ("all forces on the robot less the rate of its momentum, relative", force,
         DIFFERENCE_TOLERANCE),
        ("all moments about the base's axis less the rate of momentum, relative", moment,
         DIFFERENCE_TOLERANCE),
    ]  # fmt: skip
    for link, names in PULLEYS.items():
        gained = example.x[f"I{link}"] * run.velocity[:, link - 1] / example.x[f"r{link}"]
        summed = cumulative_trapezoid(across_pulley(study, link)[0], dx=STEP, initial=0)
        rows.append((
            f"{names[0]} - {names[1]} over time less I{link} times rate over r{link}, relative",
            float(np.abs(summed - gained).max() / np.abs(gained).max()), DIFFERENCE_TOLERANCE,
        ))  # fmt: skip
    return [own_check(name, value, below(high)) for name, value, high in rows]


def across_pulley(study: Study, link: int) -> tuple[Array, Array]:
    """Difference of tensions at an intermediate link, and what its inertia needs (n) [N].

    The acceleration is from differences of the rate over time, not from any equation.
    """
    example = study.example1
    tension, (distal, proximal) = example.tensions(), PULLEYS[link]
    x, rate = example.x, example.run().velocity[:, link - 1]
    needed = x[f"I{link}"] * np.gradient(rate, STEP) / x[f"r{link}"]
    return tension[distal] - tension[proximal], needed


def segments_table(study: Study) -> Table:
    """Tension of every segment, and the motors' torques that go with them."""
    example = study.example1
    drums = {name: i for i, name in DRUMS.items()}
    rows = []
    for name, tension in example.tensions().items():
        i = drums.get(name)
        torque = None if i is None else example.x[f"r{i}"] * float(tension.max())
        rows.append((
            name, SEGMENTS[name][0], example.x[f"t0{name[1:]}"], float(tension.min()),
            float(tension.mean()), float(tension.max()), 100 * float(np.mean(tension <= 0)), torque,
        ))  # fmt: skip
    steps = [
        (names, float(np.abs(across_pulley(study, i)[0]).max())) for i, names in PULLEYS.items()
    ]
    return Table(
        "Example 1 in motion: tension of every segment",
        ("segment", "in Chorda", "pretension [N]", "least [N]", "mean [N]", "largest [N]",
         "slack [% of the time]", "largest torque on its drum [N m]"),
        tuple(rows),
        "Segments of one tendon differ by what the pulley between them needs: "
        + ", ".join(f"{a} and {b} by {step:.2g} N at most" for (a, b), step in steps) + ".",
    )  # fmt: skip


def reactions_table(study: Study) -> Table:
    """What each joint carries over the motion."""
    time, found = study.example1.run().time, study.bodies.recursive()
    rows = []
    for name in sorted(found):
        size = np.linalg.norm(found[name], axis=1)
        k = int(np.argmax(size))
        rows.append((
            f"f{name[-1]},{1 if name == 'link2' else 0}", name, float(size.mean()), float(size[k]),
            float(time[k]), float(np.abs(found[name][:, 0]).max()),
            float(np.abs(found[name][:, 1]).max()),
        ))  # fmt: skip
    return Table(
        "Example 1 in motion: forces of the joints",
        ("force", "on", "mean [N]", "largest [N]", "at [s]", "largest along x [N]",
         "largest along y [N]"),
        tuple(rows),
        "Of the carrier on the link, in the plane of motion and the world's axes.",
    )  # fmt: skip
