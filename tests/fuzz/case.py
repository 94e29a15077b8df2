"""A random robot at a random state, and the comparison of Chorda's numbers with an oracle's.

An oracle is a function of a `Case` that yields (what, Chorda's values, the oracle's, scale), or
nothing where it does not apply. `Refused` says that Chorda reported that it has no result.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import chorda
from chorda.describe import Motor, Robot
from tests.fuzz.plain.robot import PlainRobot, State

TINY = 1e-3  # [N, N m] forces that are usual here are larger
TOLERANCE = 1e-6  # relative, of what rests on differences
Pair = tuple[str, Any, Any, float]  # what, Chorda's, the oracle's, and how large it usually is


class Refused(Exception):
    """Chorda has no result here, and reported it."""


@dataclass(eq=False)
class Case:
    """A robot at a random state."""

    robot: Robot
    mode: str
    rng: np.random.Generator
    falsify: str = ""  # an oracle whose values from Chorda get another sign: it must be found
    made: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def system(self) -> Any:
        return chorda.assemble(self.robot, self.mode)

    @cached_property
    def plain(self) -> PlainRobot:
        return PlainRobot(self.robot, self.mode)

    @cached_property
    def leaders(self) -> dict[str, int]:
        """By motor, the tendon that does not stretch and fixes its angle."""
        tendons = list(enumerate(self.robot.tendons))
        found = {
            m.name: [i for i, t in tendons if t.actuator == m.name and not self.plain.stretches[i]]
            for m in self.robot.actuators
            if isinstance(m, Motor)
        }
        return {name: rows[0] for name, rows in found.items() if rows}

    @cached_property
    def inputs(self) -> dict[str, float]:
        sizes = {"motor": 0.3, "tension": 8.0, "winch": 0.01, "rate": 0.05}
        return {
            x.name: float(self.rng.uniform(0 if x.kind == "tension" else -1, 1) * sizes[x.kind])
            for x in self.system.inputs
        }

    @property
    def u(self) -> Any:
        return np.array([self.inputs[x.name] for x in self.system.inputs])

    @cached_property
    def qv(self) -> tuple[Any, Any]:
        """A random state of the System; with closures, one that keeps them shut."""
        system, rng = self.system, self.rng
        q, v = system.start, rng.normal(size=system.nv) * system.scales
        if not system.nc:
            q = q + 0.4 * rng.uniform(-1, 1, system.nq) * _usual(system)
            for at in system.quaternions:
                q[at : at + 4] = rng.normal(size=4)
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
            return q, v
        # tendons that do not stretch: the inputs of their winches must suit the configuration
        for t in self.robot.tendons:
            if t.actuator in self.inputs:
                kind = {x.name: x.kind for x in system.inputs}[t.actuator]
                if kind == "winch":
                    self.inputs[t.actuator] = 0.0
        J = system.closing_all(q, self.u, system.parameters())[1].full()
        v -= np.linalg.pinv(J, rcond=1e-9) @ (J @ v)
        return q, v

    def full(self, q: Any, v: Any) -> tuple[Any, Any, Any, Any]:
        """Coordinates and velocities of joints and of all motors."""
        k, plain = self.plain.kinematics, self.plain
        joints, rates = q[: k.nq], v[: k.nv]
        theta, omega = np.zeros(len(plain.motors)), np.zeros(len(plain.motors))
        free = [m.name for m in plain.motors if m.name not in self.leaders]
        for i, motor in enumerate(plain.motors):
            if motor.name in free:
                at = free.index(motor.name)
                theta[i], omega[i] = q[k.nq + at], v[k.nv + at]
                continue
            lead = self.leaders[motor.name]
            for cable in plain.cables:
                cable.anchor(joints)
            length = plain.cables[lead].length(joints, k.frames(joints))
            turn = self._turns(motor, lead)
            theta[i] = turn * (length - plain.reference[lead])
        if self.leaders:
            still = plain.state(joints, rates, theta, omega, self.inputs)
            for i, motor in enumerate(plain.motors):
                if motor.name in self.leaders:
                    lead = self.leaders[motor.name]
                    omega[i] = self._turns(motor, lead) * still.length_rates[lead]
        return joints, rates, theta, omega

    def _turns(self, motor: Motor, tendon: int) -> float:
        """Radians of a motor per metre of a tendon."""
        winding = self.robot.tendons[tendon].winding
        return winding * motor.gear_ratio / motor.drum_radius

    def state(self, q: Any, v: Any) -> State:
        return self.plain.state(*self.full(q, v), self.inputs)

    @cached_property
    def here(self) -> State:
        return self.state(*self.qv)

    def differ_over(self, step: float) -> None:
        """Take differences over this step from now on."""
        if step != self.plain.step:
            self.plain.step = step
            self.__dict__.pop("here", None)

    @property
    def fastest(self) -> float:
        """About the largest frequency of its rods and of what they move [rad/s]."""
        k = self.plain.kinematics
        K = np.zeros((k.nv, k.nv))
        for name, rod in k.rods.items():
            _, first, n = k.rows[name]
            K[first : first + n, first : first + n] = rod.stiffness_matrix()
        M = self.here.M[: k.nv, : k.nv]
        return float(2 * np.sqrt(np.max(np.abs(np.linalg.eigvals(np.linalg.solve(M, K))))) + 10)

    def lift(self, s: State) -> tuple[Any, Any]:
        """T with (joints, all motors)' = T v of the System, and T' v."""
        k, plain = self.plain.kinematics, self.plain
        free = [m.name for m in plain.motors if m.name not in self.leaders]
        T = np.zeros((plain.nv, k.nv + len(free)))
        T[: k.nv, : k.nv] = np.eye(k.nv)
        bend = np.zeros(plain.nv)
        for i, motor in enumerate(plain.motors):
            row = k.nv + i
            if motor.name in free:
                T[row, k.nv + free.index(motor.name)] = 1.0
            else:
                lead = self.leaders[motor.name]
                T[row, : k.nv] = -self._turns(motor, lead) * s.arms[:, lead]
                bend[row] = self._turns(motor, lead) * s.bends[lead]
        return T, bend

    @cached_property
    def forces(self) -> tuple[Any, Any]:
        """Chorda's M and F."""
        q, v = self.qv
        M, F, *_ = self.system.equations(q, v, self.u, self.system.parameters())
        return M.full(), F.full().ravel()


def _usual(system: Any) -> Any:
    """Usual changes of coordinates: rods stretch and shear but little."""
    return np.array([0.1 if c.unit == "-" else c.scale for c in system.coordinates])


Oracle = Callable[[Case], Iterator[Pair]]


def disagreements(case: Case, name: str, oracle: Oracle) -> tuple[str, list[str]]:
    """(agrees, differs, not asked or refused) and what differs, with by how much."""
    asked, found = False, []
    try:
        for what, ours, theirs, scale in oracle(case):
            asked = True
            ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
            if name == case.falsify:
                ours = -ours
            gap = np.abs(ours - theirs).max(initial=0.0) if ours.shape == theirs.shape else np.nan
            bound = TOLERANCE * max(scale, 1e-12)
            if not gap <= bound:
                found.append(f"{what}: off by {gap:.3g}, of {scale:.3g}")
    except Refused as reason:
        return ("refused", [str(reason)])
    return ("differs" if found else "agrees" if asked else "not asked"), found
