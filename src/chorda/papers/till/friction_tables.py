"""Friction: what the chapter states, the program's motions, and slow cycles."""

import numpy as np

from chorda.continuous import RodMotion, rod_statics
from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.till.friction_study import CHOICES, DRY, PERIODS, SHARP
from chorda.papers.till.motion_tables import distance, swing
from chorda.papers.till.published import (
    ALPHA,
    BETA,
    DURATION,
    NODES,
    NU,
    PULLED,
    RAMP,
    SPEED,
    STEP,
    program,
)
from chorda.papers.till.study import Study
from chorda.papers.till.tables import METRES, NEWTONS, WHOSE
from chorda.papers.tolerance import YES, above, at_most, below, unit, within, words
from chorda.results import Table

FRICTION_TOLERANCE = 5e-5  # [m] of the program's solver in the motions with friction
EVEN_TENSION = 1e-4  # [N] a tension that changes less along the path is constant
TENSION_CHANGE = 1e-3  # [N] and one that changes more is not
REST_DISTANCE = 1e-3  # [m] from rest where a swing has ended
DAMPING_RATIO = 1.5  # times that without friction
TIMES = unit("times")
HELPED_BY = ("simple friction", "compliance"), ("sliding friction", "compliance")
LEFT_OUT = {
    "moment": "a moment against the force",
    "counted_from": "the winch's rate in the speed of sliding",
    "printed": "a factor in tau'",
}


def friction_table(study: Study) -> Comparison:
    """What the chapter states of both models, and what else they do."""
    found = study.frictions
    helped = dict(zip(("simple", "sliding"), HELPED_BY, strict=True))
    along = found.along[1]
    fall = {name: float(x[0] - x[-1]) for name, x in along.items()}
    constant = float(np.ptp(found.ramps["simple"].tension_along, axis=1).max())
    decay = _decays(found.ramps, RAMP[1:3])
    rest = rod_statics(found.robot, PULLED).tip
    held = {
        name: float(np.linalg.norm(run.tip[run.time < RAMP[2]][-1] - rest))
        for name, run in found.ramps.items()
    }
    ends = all(run.status.ok for run in (*found.ramps.values(), *found.choices.values()))
    pulled = "tension along the path while the tendon is pulled"
    rows = (
        Row("simple: largest change of tension along the path",
            "chapter: the tension is not affected", constant, below(EVEN_TENSION),
            shown=NEWTONS),
        Row("sliding: " + pulled + ", changes by", "chapter: tension varies along the path",
            abs(fall["pulled"]), above(TENSION_CHANGE), shown=NEWTONS,
            helped_by=helped["sliding"]),
        not_determined("tip trajectories: decay of the swing with simple friction",
                       "chapter: 'differ' from a figure elsewhere", decay["simple"],
                       "neither formula nor numbers of that model", shown=unit("1/s")),
        not_determined("tip trajectories: decay of the swing with sliding friction",
                       "chapter: an equation", decay["sliding"], "the numbers of that model",
                       shown=unit("1/s")),
        own_check("sliding: " + pulled + ", falls towards the tip by", fall["pulled"],
                  above(TENSION_CHANGE), shown=NEWTONS, expected="capstan",
                  helped_by=helped["sliding"]),
        own_check("sliding: while it is let go, rises towards the tip by", -fall["let go"],
                  above(TENSION_CHANGE), shown=NEWTONS, expected="capstan",
                  helped_by=helped["sliding"]),
        own_check("sliding: at rest, changes by", abs(fall["at rest"]), below(EVEN_TENSION),
                  shown=NEWTONS, expected="sat(0) = 0"),
        *(own_check(f"{name}: decay of the swing while held, over that without friction",
                    decay[name] / decay["none"], above(DAMPING_RATIO), shown=TIMES,
                    helped_by=helped[name])
          for name in helped),
        *(own_check(f"{name}: tip from rest before the release", held[name], below(REST_DISTANCE),
                    shown=METRES, expected="no force without speed", helped_by=helped[name])
          for name in helped),
        own_check("all runs complete", float(ends), YES, shown=words("no", "yes")),
    )  # fmt: skip
    return Comparison(
        "Friction in the ramp",
        rows,
        f"Numbers of both models are the public program's: compliance 1.6e-3 /N; simple: beta = "
        f"{BETA:g} s/m; sliding: nu = {NU:g}, alpha = {ALPHA:g}. In simple friction, force and "
        "moment are one wrench here, with the sign of the program's force; the model acts on the "
        "rod and leaves the tension as it is, so that its work need not be a loss.",
        paper=WHOSE,
    )


def _decays(runs: dict[str, RodMotion], within: tuple[float, float]) -> dict[str, float]:
    """Of the swing between two times, by model [1/s]."""
    return {name: swing(x.time, x.tip[:, 0], within=within).decay for name, x in runs.items()}


def steps_table(study: Study) -> Table:
    """What the program's steps cost with friction, and what the chapter's factor does."""
    found = study.frictions
    released = _decays(found.ramps, (RAMP[3], DURATION))
    gap = {
        name: _apart(found.choices[name, "none of them"], found.ramps[name])
        for name in ("simple", "sliding")
    }
    factor = _apart(found.choices["sliding", "printed"], found.choices["sliding", "none of them"])
    rows = (
        *((f"{name}: tip in steps of {STEP * 1e3:g} ms, Euler, from steps of "
           f"{found.step * 1e3:g} ms", f"{x * 1e3:.0f} mm") for name, x in gap.items()),
        ("sliding: tip with the chapter's factor s' of tau', from without it",
         f"{factor * 1e3:.1f} mm"),
        *((f"{name}: decay of the swing after the release, over that without friction",
           f"{released[name] / released['none']:.2f}") for name in ("simple", "sliding")),
    )  # fmt: skip
    return Table(
        "Friction: steps, the factor in tau', after the release",
        ("quantity", "value"),
        rows,
        "Largest distances over the ramp. The chapter multiplies tau' by s', the unstretched "
        "length of tendon per length of rod; the normal force is per length of rod already.",
    )


def choices_table(study: Study) -> Comparison:
    """How far from the program's motions each of its choices brings the tip."""
    rows = []
    for (name, taken), run in study.frictions.choices.items():
        quoted = program(name)
        n = len(quoted.time)
        apart = distance(run.tip[:n], quoted.tip)
        pull = float(np.abs(run.tension[:n, 0] - quoted.tension).max())
        left = [x for x in CHOICES[name] if x not in (taken, "none of them", "all")]
        met, all_of = below(FRICTION_TOLERANCE), taken == "all"
        lacks = " and ".join(LEFT_OUT[x] for x in left)
        rows.append(
            own_check(
                f"{name}, {taken}: tip from the program's", apart,
                met if all_of else above(FRICTION_TOLERANCE), shown=METRES,
                expected="program: its motion" if all_of else f"another motion: without {lacks}",
                helped_by=("friction of the program",) if all_of else (), beside=(f"{pull:.4f} N",),
            )
        )  # fmt: skip
    return Comparison(
        "Friction in the ramp, with the program's choices",
        rows,
        f"Largest differences over the ramp with its steps (Euler, {NODES} nodes, "
        f"{STEP * 1e3:g} ms). moment='opposite': the moment of simple friction against its force, "
        "which no force at the tendon has. counted_from='actuator': the speed of sliding as the "
        "rate of the length from the motor, so that the winch's rate is part of it. printed=True: "
        "tau' times the unstretched length of tendon per length of rod. None is a default.",
        columns=("tension away by",),
        paper=WHOSE,
    )


def loop_table(study: Study) -> Comparison:
    """Slow cycles: what vanishes with the speed is damping, what stays is dry friction."""
    short, long = PERIODS
    loops = study.frictions.loops
    area = {key: loop.area for key, loop in loops.items()}
    slower = {name: area[name, long] / area[name, short] for name, _ in loops}
    beside = {
        name: tuple(f"{area[name, T] * 1e6:.2f}" for T in PERIODS)
        + tuple(f"{loops[name, T].work * 1e3:.3f}" for T in PERIODS)
        for name, _ in loops
    }
    half, same = within(0.5, absolute=0.1), within(1.0, absolute=0.1)
    rows = [
        *(own_check(f"{name}: area in {long:g} s over that in {short:g} s", slower[name], half,
                    expected="viscous: half", beside=beside[name]) for name in ("none", "simple")),
        own_check(f"{DRY}: area in {long:g} s over that in {short:g} s", slower[DRY], same,
                  expected="dry: the same", beside=beside[DRY]),
        own_check(f"sliding: area in {long:g} s over that in {short:g} s", slower["sliding"],
                  at_most(1.0), expected="between both", beside=beside["sliding"]),
        *(own_check(f"{name}: area in {short:g} s over that without friction",
                    area[name, short] / area["none", short], above(3.0), shown=TIMES,
                    expected="a loop", beside=beside[name]) for name in ("sliding", DRY)),
    ]  # fmt: skip
    columns = [f"area, {T:g} s [mm^2]" for T in PERIODS] + [f"work, {T:g} s [mJ]" for T in PERIODS]
    return Comparison(
        "Hysteresis: tip x over paid-out length in slow cycles",
        rows,
        f"Second of two cycles of {short:g} and {long:g} s, from 0 to {PULLED * 1e3:g} mm. Work: "
        "of the winch in a cycle. Without friction it is the rod's own damping. The program rounds "
        f"the sign at {SPEED * 1e3:g} mm/s, the sharp one at {SHARP.speed * 1e3:g} mm/s.",
        columns=tuple(columns),
        first="friction",
        paper="expected",
    )


def _apart(a: RodMotion, b: RodMotion) -> float:
    """Largest distance of the tips [m] at the times of a, which are among those of b."""
    return distance(a.tip, b.tip[np.rint(a.time / (b.time[1] - b.time[0])).astype(int)])
