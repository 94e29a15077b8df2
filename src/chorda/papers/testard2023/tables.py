"""Tables 1-3 of the paper beside ours."""

import numpy as np

from chorda.dynamics import linearize
from chorda.dynamics.schemes import find
from chorda.dynamics.stable_step import limit
from chorda.mechanics import Array
from chorda.papers.report import NOT_DETERMINED, Table, differs, row, seconds, verdict
from chorda.papers.testard2023 import limits
from chorda.papers.testard2023.motions import EXPLICIT, IMPLICIT, Case, Necks
from chorda.results import Run

FITTED = "by this choice"  # of inertia and gains, made to meet the paper
SPEED = "Computing times depend on machine and language (the paper: MATLAB); only ratios compare."


def _faster(paper: float, ours: float) -> str:
    return differs(f"this is compiled code on another machine: {paper / ours:.0f} times faster")


def table1(necks: Necks) -> Table:
    """Computation time for 6.3 s with dt = 2 ms, rigid tendons."""
    paper = {(3, EXPLICIT): 4.0, (4, EXPLICIT): 5.0, (3, IMPLICIT): 18.0, (4, IMPLICIT): 30.0}
    ours = {key: necks.run(Case(key[0], "rigid", key[1], 2e-3)).seconds for key in paper}
    rows = [
        row(
            f"{n} joints, {scheme}",
            f"{paper[n, scheme]:g} s",
            seconds(ours[n, scheme]),
            _faster(paper[n, scheme], ours[n, scheme]),
        )
        for n, scheme in paper
    ]
    for n in (3, 4):
        rows.append(
            row(
                f"{n} joints, implicit / explicit",
                paper[n, IMPLICIT] / paper[n, EXPLICIT],
                ours[n, IMPLICIT] / ours[n, EXPLICIT],
                verdict(
                    ours[n, IMPLICIT] > ours[n, EXPLICIT],
                    "explicit is not faster here",
                    "in kind (explicit is faster), not in the ratio",
                ),
            )
        )
    rows.append(
        row(
            "implicit, 4 joints / 3 joints",
            paper[4, IMPLICIT] / paper[3, IMPLICIT],
            ours[4, IMPLICIT] / ours[3, IMPLICIT],
            verdict(
                ours[4, IMPLICIT] > ours[3, IMPLICIT],
                "time does not grow with joints here",
                "in kind (time grows with joints)",
            ),
        )
    )
    return Table(
        "Table 1: computing time for 6.3 s of motion, dt = 2 ms, rigid tendons",
        ("integration", "paper", "Chorda", "verdict"),
        tuple(rows),
        SPEED,
    )


def table2(necks: Necks) -> Table:
    """Computation time with and without elasticity, 3 joints."""
    paper = {
        (EXPLICIT, 4e-4): (17.0, 20.0),
        (IMPLICIT, 2e-3): (18.0, 22.0),
    }
    rows = []
    for (scheme, step), (rigid, elastic) in paper.items():
        ours = [
            necks.run(Case(3, tendons, scheme, step)).seconds for tendons in ("rigid", "elastic")
        ]
        ratio = ours[1] / ours[0]
        rows.append(
            row(
                f"{scheme}, dt = {step * 1e3:g} ms",
                f"{rigid:g} s / {elastic:g} s",
                f"{seconds(ours[0])} / {seconds(ours[1])}",
                elastic / rigid,
                ratio,
                verdict(
                    ratio < 1.5,
                    "elasticity costs more than half as much again",
                    "in kind (elasticity costs little)",
                ),
            )
        )
    return Table(
        "Table 2: computing time without / with elasticity, 3 joints, 6.3 s of motion",
        ("integration", "paper", "Chorda", "paper's ratio", "our ratio", "verdict"),
        tuple(rows),
        "The paper's statement is that elasticity does not cost significantly more. Here it is "
        "even cheaper: with rigid tendons the motors' inertia couples all joints. " + SPEED,
    )


def table3(necks: Necks) -> Table:
    """Limit steps and times with elasticity, under the base assumptions."""
    rows = []
    for n in (3, 4):
        base = limits.loop(necks, n, 1e-5, 10.0)
        paper = "0.4 ms" if n == 3 else "< 0.025 ms"
        rows.append(
            row(
                f"{n} joints, explicit: limit step",
                paper,
                seconds(base.step),
                f"{NOT_DETERMINED} (motor inertia and gains are missing); see the limit tables",
            )
        )
        implicit = necks.run(Case(n, "elastic", IMPLICIT, 2e-3))
        rows.append(
            row(
                f"{n} joints, implicit: limit step",
                "none",
                "none seen at 2 ms",
                verdict(implicit.run.status.ok, implicit.run.status.message)
                + "; but see the note on dry friction",
            )
        )
        coarse = necks.run(Case(n, "elastic", IMPLICIT, 2e-2)).run
        rows.append(
            row(
                f"{n} joints, implicit at 20 ms",
                "stable",
                _ended(coarse),
                verdict(coarse.status.ok, coarse.status.message),
            )
        )
        paper_time = {3: 22.0, 4: 35.0}[n]
        rows.append(
            row(
                f"{n} joints, implicit: time, dt = 2 ms",
                f"{paper_time:g} s",
                seconds(implicit.seconds),
                _faster(paper_time, implicit.seconds),
            )
        )
        explicit = necks.run(Case(n, "elastic", EXPLICIT, 4e-4))
        rows.append(
            row(
                f"{n} joints, explicit: time",
                "20 s (0.4 ms)" if n == 3 else "> 700 s (0.025 ms)",
                f"{seconds(explicit.seconds)} (0.4 ms)",
                _faster(20.0, explicit.seconds)
                if n == 3
                else differs("0.4 ms is stable here, so that smaller steps are not needed"),
            )
        )
    held = _dry_friction_limit(necks)
    return Table(
        "Table 3: explicit and implicit integration with elasticity, 6.3 s of motion",
        ("quantity", "paper", "Chorda", "verdict"),
        tuple(rows),
        "The linearised implicit scheme holds dry friction over the step, as the paper does, and "
        f"that part is explicit: at rest it bears steps up to {held * 1e3:.2g} ms (2 I / slope). "
        "Beyond, the motors chatter but do not diverge, as friction is bounded.",
    )


def _dry_friction_limit(necks: Necks) -> float:
    return limit(find(IMPLICIT), linearize(necks.system(3, "elastic"))).step


def limit_tables(necks: Necks) -> tuple[list[Table], dict[str, dict[int, Array]]]:
    """The limit step over inertia and gains, and the assumption that meets the paper."""
    inertia = {n: limits.over_inertia(necks, n) for n in (3, 4)}
    met = float(np.exp(np.interp(np.log(0.4e-3), np.log(inertia[3]), np.log(limits.INERTIAS))))
    t_inertia = Table(
        "Explicit limit step against motor inertia, constant torques",
        ("motor inertia [kg m^2]", "3 joints [ms]", "4 joints [ms]"),
        tuple(
            row(f"{x:.2e}", inertia[3][i] * 1e3, inertia[4][i] * 1e3)
            for i, x in enumerate(limits.INERTIAS)
        ),
        f"The paper's 0.4 ms for 3 joints is met at an inertia of {met:.1e} kg m^2; its "
        "'< 0.025 ms' for 4 joints by none: without control both necks bear about the same step.",
    )
    chosen = limits.MEETS[0]
    gains = {n: limits.over_gains(necks, n, chosen) for n in (3, 4)}
    t_gains = Table(
        f"Explicit limit step against control gains, motor inertia {chosen:g} kg m^2",
        ("frequency of the error dynamics [rad/s]", "3 joints [ms]", "4 joints [ms]"),
        tuple(
            row(
                x,
                *[
                    f"{g * 1e3:.3g}" if g else "none: the loop itself is unstable"
                    for g in (gains[3][i], gains[4][i])
                ],
            )
            for i, x in enumerate(limits.FREQUENCIES)
        ),
        "Computed torque assumes rigid tendons; with elastic ones high gains destabilise the loop "
        "itself, with 4 joints sooner than with 3.",
    )
    return [t_inertia, t_gains, _meeting(necks)], {"inertia": inertia, "gains": gains}


def _ended(run: Run) -> str:
    return "completes" if run.status.ok else f"{run.status.code} at {run.time[-1]:.2f} s"


def _meeting(necks: Necks) -> Table:
    """The assumption that meets both limits of the paper, in the linear model and observed."""
    rows = []
    for n in (3, 4):
        found = limits.loop(necks, n, *limits.MEETS)
        ours = seconds(found.step) if found.step else "none: the loop is unstable"
        paper = "0.4 ms" if n == 3 else "< 0.025 ms"
        holds = abs(found.step - 0.4e-3) < 0.1e-3 if n == 3 else found.step < 0.025e-3
        rows.append(
            row(
                f"{n} joints, explicit: limit step (linear)",
                paper,
                ours,
                verdict(holds, "the linear limit is another", FITTED),
            )
        )
        rows.append(
            row(
                f"{n} joints, implicit at 2 ms: growth a step (linear)",
                "stable",
                f"{found.implicit:.4f}",
                verdict(found.implicit < 1, "deviations grow", FITTED),
            )
        )
        for step, completes in {3: ((3e-4, True), (5e-4, False)), 4: ((2.5e-5, False),)}[n]:
            run = limits.observed(necks, n, EXPLICIT, step)
            rows.append(
                row(
                    f"{n} joints, explicit at {step * 1e3:g} ms (observed)",
                    "completes" if completes else "diverges",
                    _ended(run),
                    verdict(
                        run.status.ok == completes,
                        "the motion does not follow the linear model",
                        FITTED,
                    ),
                )
            )
        run = limits.observed(necks, n, IMPLICIT, 2e-3)
        rows.append(
            row(
                f"{n} joints, implicit at 2 ms (observed)",
                "completes",
                _ended(run),
                verdict(run.status.ok, "it leaves the linear range and diverges", FITTED),
            )
        )
    inertia, frequency = limits.MEETS
    return Table(
        f"A choice that meets the paper: inertia {inertia:g} kg m^2, gains {frequency:g} rad/s",
        ("quantity", "paper", "Chorda", "verdict"),
        tuple(rows),
        "Then the controlled 3-joint neck bears 0.4 ms, while the loop of the 4-joint neck is "
        "unstable in itself: no explicit step helps, and the implicit scheme at 2 ms stays calm "
        "only through its numerical damping. The paper's '< 0.025 ms' would then be a property of "
        f"the controlled robot, not of the scheme. Observed: {limits.SMALL:.0%} of the motion.",
    )
