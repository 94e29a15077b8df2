"""What the chapter says of friction, as verdicts; and slow cycles."""

import numpy as np

from chorda.continuous import RodMotion, rod_statics
from chorda.papers.report import NOT_DETERMINED, Table, differs, verdict
from chorda.papers.till.friction import DRY, PERIODS, Frictions
from chorda.papers.till.motions import swing
from chorda.papers.till.published import ALPHA, BETA, DURATION, NU, PULLED, RAMP

SAID = {
    "none": "no loop when slow",
    "simple": "force ~ speed: no loop when slow",
    "sliding": "a loop",
    DRY: "a loop at any speed",
}


def friction_table(found: Frictions) -> Table:
    """What the chapter says of both models."""
    swings = {name: swing(run.time, run.tip[:, 0]) for name, run in found.ramps.items()}
    decay = {name: x.decay for name, x in swings.items()}
    released = {
        name: swing(run.time, run.tip[:, 0], within=(RAMP[3], DURATION)).decay
        for name, run in found.ramps.items()
    }
    along = found.along[1]
    fall = {name: float(x[0] - x[-1]) for name, x in along.items()}
    rest = rod_statics(found.robot, PULLED).tip
    held = {
        name: float(np.linalg.norm(run.tip[run.time < RAMP[2]][-1] - rest))
        for name, run in found.ramps.items()
    }
    gap = {name: _apart(found.printed[name], found.ramps[name]) for name in ("simple", "sliding")}
    factor = _apart(found.printed["sliding"], found.printed["without the factor"])
    ends = all(run.status.ok for run in (*found.ramps.values(), *found.printed.values()))
    rows = (
        ("tip trajectories", "no numbers",
         f"decay of the swing: none {decay['none']:.3f}, simple {decay['simple']:.3f}, "
         f"sliding {decay['sliding']:.3f} 1/s", NOT_DETERMINED),
        ("all runs end", "yes", "yes" if ends else "no", verdict(ends, "a step failed")),
        ("friction damps the swing: simple", "more than none",
         f"{decay['simple'] / decay['none']:.1f} times",
         verdict(decay["simple"] > 1.5 * decay["none"], "it does not")),
        ("friction damps the swing: sliding", "more than none",
         f"{decay['sliding'] / decay['none']:.1f} times",
         verdict(decay["sliding"] > 1.5 * decay["none"], "it does not")),
        ("friction damps the swing: after the tendon is let go", "-",
         f"simple {released['simple'] / released['none']:.1f} times, sliding "
         f"{released['sliding'] / released['none']:.1f} times", NOT_DETERMINED),
        ("simple friction leaves the equilibrium where it is", "force ~ speed",
         f"{held['simple'] * 1e3:.2f} mm from it at {RAMP[2]:g} s",
         verdict(held["simple"] < 1e-3, "the swing goes on")),
        ("sliding friction with a rounded sign too", "sat(0) = 0",
         f"{held['sliding'] * 1e3:.2f} mm from it",
         verdict(held["sliding"] < 1e-3, "the swing goes on")),
        ("tension along the path, at rest", "constant", f"falls by {fall['at rest']:.4f} N",
         verdict(abs(fall["at rest"]) < 1e-4, "it changes")),
        ("while the tendon is pulled", "falls towards the tip", f"falls by {fall['pulled']:.3f} N",
         verdict(fall["pulled"] > 1e-3, "it does not fall")),
        ("while it is let go", "rises towards the tip", f"rises by {-fall['let go']:.3f} N",
         verdict(fall["let go"] < -1e-3, "it does not rise")),
        ("the chapter's steps (Euler, 50 ms), simple", "-",
         f"{gap['simple'] * 1e3:.0f} mm from {found.step * 1e3:g} ms steps",
         differs("of steps of 50 ms and BDF2")),
        ("and sliding, tau' with the printed factor", "-",
         f"{gap['sliding'] * 1e3:.0f} mm from {found.step * 1e3:g} ms steps",
         differs("of steps of 50 ms")),
        ("the printed factor of tau' alone", "unstretched length over that of the rod",
         f"{factor * 1e3:.1f} mm at the tip",
         differs("with it Euler's law of the capstan does not hold")),
    )  # fmt: skip
    return Table(
        "Friction in the ramp",
        ("statement", "chapter", "here", "verdict"),
        rows,
        f"Compliance 1.6e-3 /N; simple: beta = {BETA:g}; sliding: nu = {NU:g}, alpha = {ALPHA:g}. "
        "In simple friction, force and moment are one wrench here; the public program gives them "
        "opposite signs. Both follow from its force here; the model acts on the rod and leaves the "
        "tension as it is, so that its work need not be a loss: it does not damp every swing.",
    )


def loop_table(found: Frictions) -> Table:
    """Slow cycles: what vanishes with the speed is damping, what stays is dry friction."""
    short, long = PERIODS
    rows = []
    reference = found.loops["none", short].area
    for name, statement in SAID.items():
        a, b = (found.loops[name, T] for T in PERIODS)
        holds = {
            "none": b.area < 0.6 * a.area,
            "simple": b.area < 0.6 * a.area,
            "sliding": a.area > 3 * reference,
            DRY: b.area > 0.9 * a.area > 3 * reference,
        }
        rows.append(
            (
                name,
                statement,
                f"{a.area * 1e6:.2f}",
                f"{b.area * 1e6:.2f}",
                f"{a.work * 1e3:.3f}",
                f"{b.work * 1e3:.3f}",
                verdict(holds[name], "the areas say otherwise"),
            )
        )
    areas = [f"area, {T:g} s [mm^2]" for T in PERIODS]
    works = [f"work, {T:g} s [mJ]" for T in PERIODS]
    return Table(
        "Hysteresis: tip x over paid-out length in slow cycles",
        ("friction", "expected", *areas, *works, "verdict"),
        tuple(rows),
        f"Second of two cycles of {short:g} and {long:g} s, from 0 to {PULLED * 1e3:g} mm. Work: "
        "of the winch in a cycle. Without friction it is the rod's own damping; a loop that halves "
        "when the cycle takes twice as long is viscous. The published rounding of the sign "
        "(1 mm/s) makes sliding friction in part viscous too; with 0.01 mm/s it is dry. Simple "
        "friction with the program's sign, and no change of tension, takes less work from the "
        "winch than none: it is no dry friction of a tendon.",
    )


def _apart(a: RodMotion, b: RodMotion) -> float:
    """Largest distance of the tips [m] at the times of a, which are among those of b."""
    k = np.rint(a.time / (b.time[1] - b.time[0])).astype(int)
    return float(np.linalg.norm(a.tip - b.tip[k], axis=1).max())
