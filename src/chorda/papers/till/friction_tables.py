"""What the chapter states about friction; and slow cycles."""

import numpy as np

from chorda.continuous import RodMotion, rod_statics
from chorda.papers.till.friction_study import CHOICES, DRY, PERIODS
from chorda.papers.till.published import (
    ALPHA,
    BETA,
    DURATION,
    NODES,
    NU,
    PULLED,
    RAMP,
    STEP,
    program,
)
from chorda.papers.till.study import Study
from chorda.papers.till.tables import TIP_TOLERANCE, distance, swing
from chorda.papers.verdicts import NOT_DETERMINED, same, table, verdict
from chorda.results import Table

FRICTION_TOLERANCE = 5e-5  # [m] of the program's solver in the motions with friction
LEFT_OUT = {
    "moment": "a moment against the force",
    "counted_from": "the winch's rate in the speed of sliding",
    "printed": "a factor in tau'",
}
EXPECTED = {
    "none": "no loop when slow",
    "simple": "force ~ speed: no loop when slow",
    "sliding": "a loop",
    DRY: "a loop at any speed",
}


def friction_table(study: Study) -> Table:
    """What the chapter states about both models."""
    found = study.frictions
    decay, released = (
        {
            name: swing(run.time, run.tip[:, 0], within=within).decay
            for name, run in found.ramps.items()
        }
        for within in (RAMP[1:3], (RAMP[3], DURATION))
    )
    along = found.along[1]
    fall = {name: float(x[0] - x[-1]) for name, x in along.items()}
    rest = rod_statics(found.robot, PULLED).tip
    held = {
        name: float(np.linalg.norm(run.tip[run.time < RAMP[2]][-1] - rest))
        for name, run in found.ramps.items()
    }
    stepped = {name: found.choices[name, "none of them"] for name in ("simple", "sliding")}
    gap = {name: _apart(run, found.ramps[name]) for name, run in stepped.items()}
    factor = _apart(found.choices["sliding", "printed"], stepped["sliding"])
    ends = all(run.status.ok for run in (*found.ramps.values(), *found.choices.values()))
    rows = (
        ("tip trajectories", "no numbers",
         f"decay of the swing: none {decay['none']:.3f}, simple {decay['simple']:.3f}, "
         f"sliding {decay['sliding']:.3f} 1/s", NOT_DETERMINED),
        ("all runs end", "yes", "yes" if ends else "no", same(ends, True, "a step failed")),
        *((f"friction damps the swing: {name}", "more than none",
           f"{decay[name] / decay['none']:.1f} times",
           verdict(decay[name], "it does not", above=1.5 * decay["none"]))
          for name in ("simple", "sliding")),
        ("friction damps the swing: after the tendon is let go", "-",
         f"simple {released['simple'] / released['none']:.1f} times, sliding "
         f"{released['sliding'] / released['none']:.1f} times", NOT_DETERMINED),
        ("simple friction leaves the equilibrium where it is", "force ~ speed",
         f"{held['simple'] * 1e3:.2f} mm from it at {RAMP[2]:g} s",
         verdict(held["simple"], "the swing goes on", below=1e-3)),
        ("sliding friction with a rounded sign too", "sat(0) = 0",
         f"{held['sliding'] * 1e3:.2f} mm from it",
         verdict(held["sliding"], "the swing goes on", below=1e-3)),
        ("tension along the path, at rest", "constant", f"falls by {fall['at rest']:.4f} N",
         verdict(abs(fall["at rest"]), "it changes", below=1e-4)),
        ("while the tendon is pulled", "falls towards the tip", f"falls by {fall['pulled']:.3f} N",
         verdict(fall["pulled"], "it does not fall", above=1e-3)),
        ("while it is let go", "rises towards the tip", f"rises by {-fall['let go']:.3f} N",
         verdict(fall["let go"], "it does not rise", below=-1e-3)),
        ("the chapter's steps (Euler, 50 ms), simple", "-",
         f"{gap['simple'] * 1e3:.0f} mm from {found.step * 1e3:g} ms steps",
         verdict(gap["simple"], "of steps of 50 ms and BDF2", below=TIP_TOLERANCE)),
        ("and sliding", "-",
         f"{gap['sliding'] * 1e3:.0f} mm from {found.step * 1e3:g} ms steps",
         verdict(gap["sliding"], "of steps of 50 ms", below=TIP_TOLERANCE)),
        ("the printed factor of tau' alone", "unstretched length over that of the rod",
         f"{factor * 1e3:.1f} mm at the tip",
         verdict(factor, "with it Euler's law of the capstan does not hold", below=TIP_TOLERANCE)),
    )  # fmt: skip
    return table(
        "Friction in the ramp",
        ("statement", "chapter", "here", "verdict"),
        rows,
        f"Compliance 1.6e-3 /N; simple: beta = {BETA:g}; sliding: nu = {NU:g}, alpha = {ALPHA:g}. "
        "In simple friction, force and moment are one wrench here, with the sign of the public "
        "program's force; the model acts on the rod and leaves the tension as it is, so that its "
        "work need not be a loss: it does not damp every swing.",
    )


def choices_table(study: Study) -> Table:
    """How far from the program's motions each of its choices brings the tip."""
    rows = []
    for (name, taken), run in study.frictions.choices.items():
        quoted = program(name)
        n = len(quoted.time)
        apart = distance(run.tip[:n], quoted.tip)
        pull = float(np.abs(run.tension[:n, 0] - quoted.tension).max())
        left = [x for x in CHOICES[name] if x not in (taken, "none of them", "all")]
        why = f"the program has {' and '.join(LEFT_OUT[x] for x in left)}"
        judged = verdict(apart, why, below=FRICTION_TOLERANCE)
        rows.append((name, taken, f"{apart * 1e3:.3f} mm", f"{pull:.4f} N", judged))
    return table(
        "Friction in the ramp, with the program's choices",
        ("friction", "choices taken", "tip from the program's", "tension", "verdict"),
        rows,
        f"Largest differences over the ramp with its steps (Euler, {NODES} nodes, "
        f"{STEP * 1e3:g} ms). moment='opposite': the moment of simple friction against its force, "
        "which no force at the tendon has. counted_from='actuator': the speed of sliding as the "
        "rate of the length from the motor, so that the winch's rate is part of it; while the "
        "winch winds in, the tension then rises towards the tip. printed=True: tau' times the "
        "unstretched length of tendon per length of rod. None is a default. What is left with all "
        "of them is the tolerance of the program's solver.",
    )


def loop_table(study: Study) -> Table:
    """Slow cycles: what vanishes with the speed is damping, what stays is dry friction."""
    short, long = PERIODS
    loops = study.frictions.loops
    reference = loops["none", short].area
    rows = []
    for name, expected in EXPECTED.items():
        a, b = (loops[name, T] for T in PERIODS)
        ratio, otherwise = b.area / a.area, "the areas say otherwise"
        judged = {
            "none": verdict(ratio, otherwise, below=0.6),
            "simple": verdict(ratio, otherwise, below=0.6),
            "sliding": verdict(a.area, otherwise, above=3 * reference),
            DRY: verdict(min(ratio / 0.9, 0.3 * a.area / reference), otherwise, above=1),
        }[name]
        areas = (f"{x.area * 1e6:.2f}" for x in (a, b))
        works = (f"{x.work * 1e3:.3f}" for x in (a, b))
        rows.append((name, expected, *areas, *works, judged))
    columns = [f"area, {T:g} s [mm^2]" for T in PERIODS] + [f"work, {T:g} s [mJ]" for T in PERIODS]
    return table(
        "Hysteresis: tip x over paid-out length in slow cycles",
        ("friction", "expected", *columns, "verdict"),
        rows,
        f"Second of two cycles of {short:g} and {long:g} s, from 0 to {PULLED * 1e3:g} mm. Work: "
        "of the winch in a cycle. Without friction it is the rod's own damping; a loop that halves "
        "when the cycle takes twice as long is viscous. The published rounding of the sign "
        "(1 mm/s) makes sliding friction in part viscous too; with 0.01 mm/s it is dry. Simple "
        "friction with the program's sign, and no change of tension, takes less work from the "
        "winch than none: it is no dry friction of a tendon.",
    )


def _apart(a: RodMotion, b: RodMotion) -> float:
    """Largest distance of the tips [m] at the times of a, which are among those of b."""
    return distance(a.tip, b.tip[np.rint(a.time / (b.time[1] - b.time[0])).astype(int)])
