"""A robot in motion under sliders, in real time, and pulled by a hand at the body that it grabs."""

import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.dynamics.actuation import Actuation, actuate
from chorda.dynamics.keeping import keep
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.outcome import explained
from chorda.dynamics.schemes import find, usual
from chorda.dynamics.signals import pulling
from chorda.dynamics.time_loop import advance, started
from chorda.mechanics import Array, System
from chorda.results import Equilibrium
from chorda.results.observe import observed
from chorda.statics.closing import closed
from chorda.view.configurations import Configurations
from chorda.view.live.grips import find_grips, graspable, positions, push_inputs

STEP, ROD_STEP = 1e-3, 5e-3  # [s]
TOLERANCE = 1e-10  # of Newton's method
RAMP = 12.0  # [1/s] how fast lengths and prescribed motions follow their sliders
FORCES = ("motor", "joint-motor", "tension", "effort", "wrench")  # inputs that may jump
PIECES = 4  # of what is asked for at once, between looks at the clock


@dataclass
class _Smooth:
    """An input that follows its slider with a continuous rate."""

    value: float
    rate: float = 0.0

    def step(self, goal: float, h: float) -> float:
        """Move for h [s]; the acceleration."""
        # critically damped, implicit: stable for any step
        rate = (self.rate + h * RAMP**2 * (goal - self.value)) / (1 + h * RAMP) ** 2
        acceleration = (rate - self.rate) / h
        self.rate, self.value = rate, self.value + h * rate
        return acceleration


class MovingRobot:
    """States that go on from an equilibrium; `inputs` by name may be changed at any time.

    time [s]; pull: force (3) [N] of the hand on the grip that it holds (`grip`, a number of
    `grips`); ended: why it cannot go on, or nothing.
    """

    def __init__(
        self, start: Equilibrium | System, step: float | None = None, push: bool = True
    ) -> None:
        resting = isinstance(start, Equilibrium)
        system = start.system if isinstance(start, Equilibrium) else start
        kept = keep(system, start if resting else None, None, None, None, None)
        own = dict(zip(kept.system.coordinate_names, kept.system.start.tolist(), strict=True))
        own |= start.position if isinstance(start, Equilibrium) else {}
        q = np.array([own[name] for name in kept.system.coordinate_names])
        self.grips = find_grips(kept.system, q, kept.parameters) if push else ()
        self.grip = len(self.grips) - 1  # the one nearest to the robot's end
        self.system = graspable(kept.system, self.grips) if self.grips else kept.system
        values = dict(zip(kept.system.parameter_names, kept.parameters.tolist(), strict=True))
        names = self.system.parameter_names
        described = zip(names, self.system.parameter_values.tolist(), strict=True)
        self._home_p = self.p = np.array([values.get(name, x) for name, x in described])
        self._own = kept.system.parameter_names
        name = usual(self.system)
        self.step = step or (ROD_STEP if name == "bdf2" else STEP)
        self._loop = SchemeLoop(self.system, find(name))
        self._names = [i.name for i in self.system.inputs]
        first = np.zeros(kept.system.nu)
        if kept.inputs is not None:
            first = actuate(kept.system, kept.inputs, None, np.zeros(1)).signal[0]
        known = dict(zip([i.name for i in kept.system.inputs], first.tolist(), strict=True))
        known = system.idle() | known if resting else system.idle()
        hands = {x for k in range(len(self.grips)) for x in push_inputs(k)}
        self.home = {x: known.get(x, 0.0) for x in self.system.given if x not in hands}
        self._q = np.array([own[name] for name in self.system.coordinate_names])
        self.reset()

    def reset(self) -> None:
        """Back to the equilibrium, and what held it."""
        self.inputs, self.pull, self.p = dict(self.home), np.zeros(3), self._home_p
        self.time, self.ended = 0.0, ""
        self._smooth = {
            i.name: _Smooth(self.home[i.name])
            for i in self.system.inputs
            if i.kind not in (*FORCES, "rate") and i.name in self.home
        }
        u = self._rows(0)[0]
        still = np.zeros(self.system.nv)
        q, v = closed(self.system, None, self._q, still, u, np.zeros(self.system.nu), self.p)
        self._job = started(self._loop, q, v, u, self.p, self.step, TOLERANCE)
        self.u = u

    @property
    def q(self) -> Array:
        return self._job.x[: self.system.nq].copy()

    @property
    def v(self) -> Array:
        return self._job.x[self.system.nq : self.system.nq + self.system.nv].copy()

    @property
    def parameters(self) -> dict[str, float]:
        """Their values by name, without those of the hand."""
        values = dict(zip(self.system.parameter_names, self.p.tolist(), strict=True))
        return {name: values[name] for name in self._own}

    def change(self, parameters: Mapping[str, float]) -> None:
        """Go on with other parameters, from where the robot is; loops are closed again."""
        p = self.system.parameters(self.parameters | dict(parameters))
        still = np.zeros(self.system.nu)
        q, v = closed(self.system, None, self.q, self.v, self.u, still, p)
        self._job = started(self._loop, q, v, self.u, p, self.step, TOLERANCE)
        self.p, self.ended = p, ""

    def advance(self, seconds: float, patience: float = np.inf) -> float:
        """Go on for about so long, at least a step; the time that passed in the robot's world [s].

        patience [s] of the clock on the wall: what is not done by then is left out.
        """
        if self.ended:
            return 0.0
        left, begin, done = max(1, round(seconds / self.step)), clock.perf_counter(), 0
        piece = max(1, left // PIECES)
        while left and not self.ended and (not done or clock.perf_counter() - begin < patience):
            n = min(piece, left)
            rows = self._rows(n)
            motion = advance(self._loop, self._job, n, Actuation(self.system, rows))
            done, left, self.u = done + motion.done, left - n, motion.last[1]
            if motion.done < n:
                self.ended = explained(self._loop, motion, n, self.step, self.p).message
        self.time += done * self.step
        return done * self.step

    def _rows(self, n: int) -> Array:
        """Inputs at n + 1 times from now on."""
        rows = np.zeros((n + 1, len(self._names)))
        column = {name: k for k, name in enumerate(self._names)}
        for name, value in self.inputs.items():
            rows[:, column[name]] = value
        if self.grips:
            for name, force in zip(push_inputs(self.grip), self.pull, strict=True):
                rows[:, column[name]] = force
        for name, x in self._smooth.items():
            for k in range(n + 1):
                acceleration = x.step(self.inputs[name], self.step) if k else 0.0
                rows[k, column[name]] = x.value
                for what, value in (("rate", x.rate), ("acceleration", acceleration)):
                    if (at := column.get(f"{name}.{what}")) is not None:
                        rows[k, at] = value
        return pulling(self.system, rows)

    def take(self, at: Array) -> None:
        """Let the hand hold the grip that is nearest to a point (3) [m]."""
        if self.grips:
            away = positions(self.system, self.grips, self.q, self.p) - at
            self.grip = int(np.argmin(np.linalg.norm(away, axis=1)))

    def pulled_point(self) -> Array:
        """Where the hand pulls (3) [m]."""
        return positions(self.system, self.grips, self.q, self.p)[self.grip]

    def configuration(self) -> Configurations:
        """What is to be shown now."""
        q, v, u, p = self.q[None], self.v[None], self.u[None], self.p[None]
        tension = np.zeros((1, 0))
        if self.system.robot.tendons:
            tension = self.system.once("live-tensions", self._tensions)(q, v, u, self.p)
        return Configurations(self.system, q, v, u, p, tension, np.array([self.time]))

    def _tensions(self) -> Callable[[Array, Array, Array, Array], Array]:
        """(q, v, u, p) -> tensions (1, t) [N]; those that are multipliers follow from the equations
        of motion."""
        system = self.system
        tension = next(o.expression for o in system.outputs if o.name == "tension")
        if ca.depends_on(tension, ca.vertcat(system.lam, system.a)):
            return lambda *state: observed(system, *state)["tension"]
        function = system.function("tensions", "q v u p", tension)
        return lambda q, v, u, p: np.asarray(function(q[0], v[0], u[0], p).full()).T
