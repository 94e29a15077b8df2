"""A robot in motion under sliders, in real time, and pushed by a hand that pulls at one frame."""

import time as clock
from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Point, WrenchActuator
from chorda.dynamics.actuation import Actuation, actuate
from chorda.dynamics.keeping import keep
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.outcome import explained
from chorda.dynamics.schemes import find, usual
from chorda.dynamics.signals import pulling
from chorda.dynamics.time_loop import advance, started
from chorda.errors import InputError
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.posing import frame_poses
from chorda.results import Equilibrium
from chorda.results.observe import observed
from chorda.statics.closing import closed
from chorda.view.configurations import Configurations
from chorda.view.live.sliders import still_inputs

PUSH = "push"  # name of the force of the hand
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

    time [s]; pull: force (3) [N] of the hand on the pushed frame; ended: why it cannot go on, or
    nothing.
    """

    def __init__(
        self, start: Equilibrium | System, step: float | None = None, push: bool = True
    ) -> None:
        resting = isinstance(start, Equilibrium)
        system = start.system if isinstance(start, Equilibrium) else start
        kept = keep(system, start if resting else None, None, None, None, None)
        self.frame = end_frame(kept.system) if push else None
        if self.frame is None:
            self.system, self.p = kept.system, kept.parameters
        else:
            self.system = _pushed(kept.system, self.frame)
            values = dict(zip(kept.system.parameter_names, kept.parameters.tolist(), strict=True))
            names = self.system.parameter_names
            described = zip(names, self.system.parameter_values.tolist(), strict=True)
            self.p = np.array([values.get(name, x) for name, x in described])
        name = usual(self.system)
        self.step = step or (ROD_STEP if name == "bdf2" else STEP)
        self._loop = SchemeLoop(self.system, find(name))
        self._names = [i.name for i in self.system.inputs]
        first = np.zeros(kept.system.nu)
        if kept.inputs is not None:
            first = actuate(kept.system, kept.inputs, None, np.zeros(1)).signal[0]
        known = dict(zip([i.name for i in kept.system.inputs], first.tolist(), strict=True))
        known = still_inputs(system) | known if resting else still_inputs(system)
        self.home = {x: known.get(x, 0.0) for x in self.system.given if not x.startswith(PUSH)}
        own = dict(zip(self.system.coordinate_names, self.system.start.tolist(), strict=True))
        own |= start.position if isinstance(start, Equilibrium) else {}
        self._q = np.array([own[name] for name in self.system.coordinate_names])
        self.reset()

    def reset(self) -> None:
        """Back to the equilibrium, and what held it."""
        self.inputs, self.pull = dict(self.home), np.zeros(3)
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
        for axis, force in zip("xyz", self.pull, strict=True):
            if (at := column.get(f"{PUSH}.f{axis}")) is not None:
                rows[:, at] = force
        for name, x in self._smooth.items():
            for k in range(n + 1):
                acceleration = x.step(self.inputs[name], self.step) if k else 0.0
                rows[k, column[name]] = x.value
                for what, value in (("rate", x.rate), ("acceleration", acceleration)):
                    if (at := column.get(f"{name}.{what}")) is not None:
                        rows[k, at] = value
        return pulling(self.system, rows)

    def pulled_point(self) -> Array:
        """Where the hand pulls (3) [m]."""
        assert self.frame is not None
        return np.asarray(frame_poses(self.system, [self.frame], self.q[None], self.p)[1][0, 0])

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


def end_frame(system: System) -> str | None:
    """The frame of the robot's end; none: nothing moves that a hand could pull at."""
    frames = [x for x in system.robot.frames() if x != "world"]
    last = system.robot.joints[-1].name
    named = [f"{last}.tip", f"{last}.top", last]
    return next((x for x in named if x in frames), frames[-1] if frames else None)


def _pushed(system: System, frame: str) -> System:
    """The same robot with a force on a frame."""
    hand = WrenchActuator(name=PUSH, at=Point(frame=frame), components=("fx", "fy", "fz"))
    robot = system.robot
    if any(x.name == PUSH for x in robot.actuators):
        raise InputError(
            f"robot: an actuator is called '{PUSH}', which is the viewer's own; "
            "give it another name"
        )
    wider = robot.model_copy(update={"actuators": (*robot.actuators, hand)})
    return assemble(wider, "rigid" if system.mode == "rigid" else "elastic")
