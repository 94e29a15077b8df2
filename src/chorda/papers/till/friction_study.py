"""Friction of the tendon in the ramp and in slow cycles: the two models that the chapter names.

The numbers of both, and the formula of the simple one, are the public program's: the chapter has
none of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chorda.continuous import Friction, RodMotion, Simple, Sliding, rod_dynamics
from chorda.describe import Robot
from chorda.mechanics import Array
from chorda.papers.till import published
from chorda.papers.till.published import ALPHA, BETA, NU, ramp

INTEGRATOR, COARSE_NODES = "gauss6", 11  # nodes
MODELS: dict[str, Friction] = {"none": None, "simple": Simple(BETA), "sliding": Sliding(NU)}
SHARP = Sliding(NU, speed=1e-5)  # friction of full size from 0.01 mm/s on
DRY = "sliding, sharp sign"
CYCLED: dict[str, Friction] = {**MODELS, DRY: SHARP}
CHOICES: dict[str, dict[str, Friction]] = {  # of the program, each alone and all
    "simple": {
        "none of them": Simple(BETA),
        "moment": Simple(BETA, moment="opposite"),
        "counted_from": Simple(BETA, counted_from="actuator"),
        "all": Simple(BETA, moment="opposite", counted_from="actuator"),
    },
    "sliding": {
        "none of them": Sliding(NU),
        "printed": Sliding(NU, printed=True),
        "counted_from": Sliding(NU, counted_from="actuator"),
        "all": Sliding(NU, printed=True, counted_from="actuator"),
    },
}
PROGRAM_ALPHA = {"simple": 0.0, "sliding": ALPHA}
INSTANTS = {"at rest": 3.0, "pulled": 3.9, "held, swinging": 4.6, "let go": 17.8}  # [s]
PERIODS = (20.0, 40.0)  # [s] of the slow cycles


@dataclass(frozen=True, eq=False)
class Loop:
    """A slow cycle: paid-out length and tip x (n) [m], area between the way in and the way out
    [m^2], which counts where they cross too, and work of the winch [J].
    """

    paid: Array
    x: Array
    area: float
    work: float


def compliant(robot: Robot) -> Robot:
    """With the tendon of the program's examples with friction."""
    tendon = robot.tendons[0]
    E = 1e6 / published.COMPLIANCE  # section 1 mm^2
    law = tendon.law.model_copy(update={"young_modulus": E})
    return robot.model_copy(update={"tendons": (tendon.model_copy(update={"law": law}),)})


class Frictions:
    """Runs of the robot with the compliant tendon of the program's examples with friction."""

    def __init__(self, robot: Robot, quick: bool) -> None:
        self.robot = compliant(robot)
        self.step = 0.025 if quick else 0.01
        self.cycle_steps = 100 if quick else 200  # in a slow cycle

    @cached_property
    def ramps(self) -> dict[str, RodMotion]:
        """Little damping from the steps: alpha = -0.4 for all."""
        return {name: self._moved(ramp, x, self.step, alpha=ALPHA) for name, x in MODELS.items()}

    @cached_property
    def choices(self) -> dict[tuple[str, str], RodMotion]:
        """With the program's steps: 50 ms, Euler along the rod; BDF2 with simple friction."""
        program: dict[str, Any] = {"integrator": "euler", "nodes": published.NODES}
        return {
            (name, taken): self._moved(
                ramp, law, published.STEP, alpha=PROGRAM_ALPHA[name], **program
            )
            for name, laws in CHOICES.items()
            for taken, law in laws.items()
        }

    def _moved(
        self,
        paid: Callable[[float], float],
        friction: Friction,
        step: float,
        duration: float = published.DURATION,
        **options: Any,
    ) -> RodMotion:
        settings: dict[str, Any] = {"integrator": INTEGRATOR, "nodes": COARSE_NODES} | options
        return rod_dynamics(
            self.robot, {"winch": paid}, duration=duration, step=step, friction=friction, **settings
        )

    @cached_property
    def along(self) -> tuple[Array, dict[str, Array]]:
        """Arc length (n) [m] and the tension there at the INSTANTS (n) [N], sliding friction."""
        step, longest = 0.025, max(INSTANTS.values())
        run = self._moved(ramp, MODELS["sliding"], step, longest, alpha=ALPHA, nodes=21)
        rows = {name: round(t / step) for name, t in INSTANTS.items()}
        return run.s, {name: run.tension_along[k, :, 0] for name, k in rows.items()}

    @cached_property
    def loops(self) -> dict[tuple[str, float], Loop]:
        """The second of two cycles."""
        return {(name, T): self.loop(x, T) for T in PERIODS for name, x in CYCLED.items()}

    def loop(self, friction: Friction, period: float) -> Loop:
        def paid(t: float) -> float:
            return published.PULLED / 2 * (1 - math.cos(2 * math.pi * t / period))

        made = self._moved(paid, friction, period / self.cycle_steps, 2 * period)
        made.status.raise_unless_ok()
        second = slice(self.cycle_steps, None)
        z, x = np.array([paid(t) for t in made.time[second]]), made.tip[second, 0]
        work = -np.trapezoid(made.tension[second, 0], z)
        paid_out, inward, outward = strokes(z, x)
        area = np.trapezoid(np.abs(outward - inward), paid_out)
        return Loop(z, x, float(area), float(work))


def strokes(paid: Array, x: Array) -> tuple[Array, Array, Array]:
    """Rising lengths (n) [m], and x there on the way in and on the way out (n) [m]."""
    half = int(np.argmin(paid))
    z = paid[half:]
    return z, np.interp(z, paid[half::-1], x[half::-1]), x[half:]
