"""Sections 4 and 5.1: cables around pulleys against the paper's formulas, and the inertia."""

from collections.abc import Callable, Sequence
from itertools import product

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from chorda.catalogue import load
from chorda.catalogue.necks import B, L
from chorda.describe import Point, Pulley, Robot, Tendon, TensionActuator, XJoint
from chorda.mechanics import Array, System, assemble
from chorda.papers.comparison import Comparison, Row
from chorda.papers.fasquelle2021.published import PAY, RADIUS, lengths
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.tolerance import Shown, below, count, equal, percent, unit

EQUATIONS = {"1": "eq. 18 in 14", "2": "eq. 20", "3": "eq. 25", "4": "eq. 30"}
ANGLE_RANGE = 2.5  # [rad] to both sides
TOLERANCE = below(1e-12)  # [m], or [m/rad]
NEGLIGIBLE = 0.1  # part of the inertia, at the most
CONFIGURATIONS = (-0.5, -0.25, 0.0, 0.25, 0.5)  # [rad] of each joint, as in the motion
MIRRORED = "4 mirrored"
meters: Shown = unit("m", digits=".2g")


def one_joint(radius: float = RADIUS) -> Robot:
    """An X-joint with a cable for each of the four cases [Fasquelle2021, fig. 2].

    The fourth is there twice, the second time with left and right exchanged.
    """

    def pulley(frame: str, point: str, side: str) -> Pulley:
        return Pulley(frame=f"x.{frame}", point=point, radius=radius, side=side, leave=False)

    def strut(near: str, far: str) -> tuple[Pulley, ...]:
        return pulley("base", near, far), pulley("top", far, near), pulley("top", near, far)

    paths: dict[str, tuple[Point | Pulley, ...]] = {
        "1": (pulley("base", "left", "right"), Point(frame="x.top", point="left")),
        "2": (pulley("base", "right", "left"), Point(frame="x.top", point="right")),
        "3": (pulley("base", "left", "right"), pulley("top", "left", "right")),
        "4": strut("right", "left"),
        MIRRORED: strut("left", "right"),
    }
    names = {case: case.replace(" ", "-") for case in paths}
    return Robot(
        name="four-cases",
        joints=(
            XJoint(name="x", diagonal_length=L, bar_length=B, diagonal_mass=0.064, bar_mass=0.032),
        ),
        actuators=tuple(TensionActuator(name=f"pull{names[case]}") for case in paths),
        tendons=tuple(
            Tendon(name=f"case{names[case]}", path=path, actuator=f"pull{names[case]}")
            for case, path in paths.items()
        ),
    )


def wiring_table(_: Study) -> Comparison:
    """Moment arms and lengths of the general paths beside the paper's formulas."""
    grid = np.linspace(-ANGLE_RANGE, ANGLE_RANGE, 1001)
    formulas = lengths(ca.SX.sym("alpha"), L, B, RADIUS)
    arms, paths = _general(assemble(one_joint()), grid)
    paper_arms, paper_paths = _printed(grid)
    rows = []
    for k, case in enumerate(formulas):
        for what, ours, theirs in (
            ("moment arm", arms[k], paper_arms[k]),
            ("length", paths[k], _relative(paper_paths[k])),
        ):
            off = float(np.max(np.abs(ours - theirs)))
            text = f"case {case}: largest gap in {what}"
            rows.append(Row(text, EQUATIONS[case], off, TOLERANCE, shown=meters))
    # eq. 19 drops -r alpha/2, whose part in the arm is r/2
    as_printed = float(np.max(np.abs(arms[0] - (paper_arms[0] - RADIUS / 2))))
    why = "it drops the term -r alpha/2 of eq. 18"
    rows += [
        Row("case 1: largest gap in moment arm", "eq. 19 as printed", as_printed, TOLERANCE,
            shown=meters, why=why),
        Row("case 4: largest gap between alpha and -alpha", "symmetrical in alpha",
            float(np.max(np.abs(paths[3] - paths[3][::-1]))), TOLERANCE, shown=meters),
        Row("case 4: largest gap to the one with left and right exchanged", "the same length",
            float(np.max(np.abs(paths[3] - paths[4]))), TOLERANCE, shown=meters),
    ]  # fmt: skip
    return Comparison(
        "Section 4: moment arms and lengths of the four wiring cases",
        [*rows, *_whole_neck()],
        f"General paths around pulleys against the paper's formulas, alpha from -{ANGLE_RANGE:g} "
        f"to {ANGLE_RANGE:g} rad; lengths up to a constant (eqs. 24-25 and the caption of figure 4 "
        "differ by r pi).",
    )


def _general(system: System, grid: Array) -> tuple[Array, Array]:
    """Arms and lengths (tendons, angles) of paths that know nothing of the paper's formulas."""
    n, p = len(grid), np.repeat(system.parameter_values[:, None], len(grid), 1)
    length = next(o.expression for o in system.outputs if o.name == "length")
    ours = system.function("ours", "q p", system.tendons.Z.T, length)
    arms, paths = (x.full() for x in ours.map(n)(grid[None], p))
    return arms, np.array([_relative(x) for x in paths])


def _printed(grid: Array) -> tuple[Array, Array]:
    alpha = ca.SX.sym("alpha")
    paths = ca.vertcat(*lengths(alpha, L, B, RADIUS).values())
    made = ca.Function("paper", [alpha], [-ca.jacobian(paths, alpha), paths])
    arms, values = made.map(len(grid))(grid[None])
    return arms.full(), values.full()


def _relative(length: Array) -> Array:
    """Less that at the middle of the angles."""
    return np.asarray(length - length[len(length) // 2])


def _whole_neck() -> Sequence[Row]:
    """Z of the neck by eqs. 31-37; and how many of its entries are not zero, eqs. 12-13 and 36."""
    alpha = ca.SX.sym("alpha", 3)
    c1, c2, c3, c4 = (
        [lengths(alpha[i], L, B, RADIUS)[case] for i in range(3)] for case in ("1", "2", "3", "4")
    )
    unwound = ca.vertcat(
        c2[0], c4[0] + c2[1], c4[0] + c4[1] + c2[2], c3[0] + c3[1] + c1[2]
    )  # eqs. 31-34
    printed = ca.Function("Z", [alpha], [-ca.jacobian(unwound, alpha).T])
    with_pulleys, points = (_matrices(assemble(load(f"fasquelle-3{x}"))) for x in ("-pulleys", ""))
    angles = [np.array(x) for x in product((-0.7, 0.3, 0.9), repeat=3)]
    ours = [with_pulleys(x)[1] for x in angles]
    gap = max(
        float(np.max(np.abs(Z - printed(x).full()))) for Z, x in zip(ours, angles, strict=True)
    )
    entries = [int(np.sum(np.abs(at(angles[0])[1]) > 1e-9)) for at in (points, with_pulleys)]
    return (
        Row("whole neck: largest gap in Z", "eqs. 31-37", gap, TOLERANCE, shown=meters),
        Row("whole neck: entries of Z that are not zero, without pulleys", "6 (eqs. 11-13)",
            entries[0], equal(6), shown=count),
        Row("whole neck: the same with pulleys", "9 (eqs. 35-37)", entries[1], equal(9),
            shown=count),
    )  # fmt: skip


def _matrices(system: System) -> Callable[[Array], tuple[Array, Array]]:
    """From angles to M of all coordinates and Z of the joints."""
    function = system.function("inertia", "q p", system.dynamics.M, system.tendons.Z)

    def at(angles: Array) -> tuple[Array, Array]:
        q = system.rest
        q[: len(angles)] = angles
        M, Z = function(q, system.parameter_values)
        return M.full(), Z.full()[: len(angles)]

    return at


def inertia_table(study: Study) -> Comparison:
    """Section 5.1: what the manipulator's inertia is beside that of the motors."""
    at, inertia = _matrices(study.system), _motor_inertia(study.system)
    ratios = [_inertia_ratio(*at(np.array(x))) for x in product(CONFIGURATIONS, repeat=3)]
    row = Row(
        "largest inertia of the manipulator over that of the motors", "negligible", max(ratios),
        below(NEGLIGIBLE), shown=percent, helped_by=("motor inertia",),
        why=f"it needs motors of more than {inertia * max(ratios) / NEGLIGIBLE:.2g} kg m^2",
    )  # fmt: skip
    return Comparison(
        "Section 5.1: the inertia",
        (row,),
        "Along any direction of the joints, each of them within "
        f"{max(CONFIGURATIONS):g} rad: M_m against I_a (R/r_d)^2 Z Z^T of eq. 39, with I_a = "
        f"{inertia:g} kg m^2.",
    )


def _motor_inertia(system: System) -> float:
    named = dict(zip(system.parameter_names, system.parameter_values.tolist(), strict=True))
    return float(named["motor-left.inertia"])


def _inertia_ratio(M: Array, Z: Array) -> float:
    """The largest of M_m over that of the motors, along any direction [Fasquelle2021, eq. 39]."""
    n = len(Z)
    motors = np.diag(np.diag(M)[n:]) / PAY**2
    return float(eigh(M[:n, :n], Z @ motors @ Z.T, eigvals_only=True)[-1])
