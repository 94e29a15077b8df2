"""Inertia, forces, energies and accelerations of a described robot, by differences of positions.

The coordinates here are those of the joints and the angles of all motors; rigid tendons are
equations between them, whatever Chorda makes of them.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import quad

from chorda.describe import Material, Motor, Pulley, Rigid, Robot, TensionActuator, Winch
from tests.fuzz.plain.cables import PlainCable
from tests.fuzz.plain.differences import STEP, both_slopes, rotation_vectors, slopes
from tests.fuzz.plain.kinematics import Kinematics, Pose


@dataclass(frozen=True)
class State:
    """All that is known at a state: joints' coordinates first, then the motors'."""

    M: Any
    F: Any  # forces without those of equations; Coriolis forces are in it
    scale: float  # of the largest contribution to F
    J: Any  # of the equations
    bias: Any  # their second derivative without acceleration
    psi: Any
    kinetic: float
    lengths: Any
    arms: Any  # -dl/dq of joints (coordinates, tendons)
    length_rates: Any
    bends: Any  # second derivatives of the lengths along the velocities
    tensions: Any  # NaN where an equation determines them


class PlainRobot:
    """A robot with tendons as described ("elastic"), or none of which stretches ("rigid")."""

    def __init__(self, robot: Robot, mode: str = "elastic") -> None:
        self.robot, self.kinematics = robot, Kinematics(robot)
        self.step = STEP  # of differences
        self.cables = [PlainCable(t, self.kinematics) for t in robot.tendons]
        self.actuators = {x.name: x for x in robot.actuators}
        self.motors = [x for x in robot.actuators if isinstance(x, Motor)]
        self.nv = self.kinematics.nv + len(self.motors)
        self.stretches = [
            mode == "elastic"
            and not isinstance(t.law, Rigid)
            and not isinstance(self.actuators.get(t.actuator or ""), TensionActuator)
            for t in robot.tendons
        ]
        self.tied = [
            i
            for i, t in enumerate(robot.tendons)
            if not self.stretches[i]
            and not isinstance(self.actuators.get(t.actuator or ""), TensionActuator)
        ]
        self.springs = (*robot.springs, *robot.dampers)
        self.turning = [m.frame for m in self.kinematics.masses]
        self.turning += [x.at.frame for x in robot.loads]
        self.pivots: list[tuple[float, int, int]] = []
        for x in robot.joints:
            if x.kind == "x" and x.friction is not None:
                first = len(self.turning)
                names = ("base", "left_diagonal", "right_diagonal", "top")
                self.turning += [f"{x.name}.{f}" for f in names]
                pairs = ((1, 0), (2, 0), (1, 3), (2, 3))
                self.pivots += [(x.friction, first + a, first + b) for a, b in pairs]
        self.lines = [c.points() for c in self.cables]
        self.lines += [(x.start, x.end) for x in self.springs]
        rest = self.kinematics.rest()
        for cable in self.cables:
            cable.anchor(rest)
        frames = self.kinematics.frames(rest)
        self.reference = np.array([c.length(rest, frames) for c in self.cables])

    # What is differentiated -------------------------------------------------------------------

    def _measured(self, q: Any, frames: dict[str, Pose]) -> dict[str, Any]:
        k, robot = self.kinematics, self.robot
        centers = [frames[m.frame][1] + frames[m.frame][0] @ m.center for m in k.masses]
        return {
            "centers": np.reshape(centers, -1),
            "lengths": np.array([c.length(q, frames, straight=False) for c in self.cables]),
            "points": np.reshape([k.at(frames, p) for line in self.lines for p in line], -1),
            "loads": np.reshape([k.at(frames, x.at) for x in robot.loads], -1),
            "gaps": np.concatenate([np.zeros(0), *[_gap(c, k, frames) for c in robot.closures]]),
        }

    def _way(self, q: Any, v: Any, R0: Any) -> Any:
        """Along constant velocities: all that is measured, and rotation vectors."""
        k = self.kinematics

        def at(t: float) -> Any:
            here = k.moved(q, v, t)
            frames = k.frames(here)
            R = np.array([frames[f][0] for f in self.turning]).reshape(-1, 3, 3)
            turns = rotation_vectors(R, R0).ravel() if len(R) else np.zeros(0)
            return np.concatenate([*self._measured(here, frames).values(), turns])

        return at

    def state(self, q: Any, v: Any, theta: Any, omega: Any, inputs: dict[str, float]) -> State:
        """At coordinates and velocities of joints and motors, and inputs by name."""
        k, robot = self.kinematics, self.robot
        for cable in self.cables:
            cable.anchor(q)
        frames = k.frames(q)
        R0 = np.array([frames[f][0] for f in self.turning]).reshape(-1, 3, 3)
        measured = self._measured(q, frames)
        ends = np.cumsum([0, *[len(x) for x in measured.values()], 3 * len(R0)])
        names = [*measured, "turns"]
        parts = {x: slice(a, b) for x, (a, b) in zip(names, pairwise(ends), strict=True)}
        n = k.nv
        units = np.eye(n) * self.scales()
        columns = [slopes(self._way(q, e, R0), self.step) for e in units]
        slope = np.array(columns).T.reshape(ends[-1], n) / self.scales()
        fast = max(1.0, float(np.max(np.abs(v / self.scales()), initial=0.0)))
        rates, bends = both_slopes(self._way(q, v, R0), self.step / fast)

        at = parts["points"]
        lines = self._polylines(measured["points"], slope[at], rates[at], bends[at])
        many, at = len(self.cables), parts["lengths"]
        for whole, straight in zip(
            (measured["lengths"], slope[at], rates[at], bends[at]), lines, strict=True
        ):
            whole += straight[:many]
        springs = [x[many:] for x in lines]

        M, c, kinetic = np.zeros((n, n)), np.zeros(n), 0.0
        terms = []
        gravity = np.array(robot.gravity)
        for i, m in enumerate(k.masses):
            at = slice(3 * i, 3 * i + 3)
            Jc = slope[parts["centers"]][at]
            Jw = slope[parts["turns"]][at]
            I = R0[i] @ m.inertia @ R0[i].T  # noqa: E741
            w, alpha = rates[parts["turns"]][at], bends[parts["turns"]][at]
            M += m.mass * Jc.T @ Jc + Jw.T @ I @ Jw
            c += m.mass * Jc.T @ bends[parts["centers"]][at]
            c += Jw.T @ (I @ alpha + np.cross(w, I @ w))
            vc = rates[parts["centers"]][at]
            kinetic += m.mass * vc @ vc / 2 + w @ I @ w / 2
            terms.append(m.mass * Jc.T @ gravity)
        terms.append(-c)
        terms += self._passive(q, v, slope, springs, parts, R0, frames)
        Z = -slope[parts["lengths"]].T
        tensions = self._tensions(
            measured["lengths"], rates[parts["lengths"]], theta, omega, inputs
        )
        known = np.where(np.isnan(tensions), 0.0, tensions)
        terms += [Z[:, i] * t for i, t in enumerate(known)]
        F = sum(terms, np.zeros(n))
        scale = max((float(np.max(np.abs(x), initial=0.0)) for x in terms), default=0.0)

        spin = self._motor_forces(omega, known, inputs)
        M = np.block(
            [
                [M, np.zeros((n, len(self.motors)))],
                [np.zeros((len(self.motors), n)), np.diag([x.inertia for x in self.motors])],
            ]
        )
        kinetic += sum(x.inertia * w**2 / 2 for x, w in zip(self.motors, omega, strict=True))
        J, bias, psi = self._equations(slope, bends, measured, parts, theta, inputs)
        return State(
            M=M,
            F=np.concatenate([F, spin]),
            scale=scale,
            J=J,
            bias=bias,
            psi=psi,
            kinetic=kinetic,
            lengths=measured["lengths"],
            arms=Z,
            length_rates=rates[parts["lengths"]],
            bends=bends[parts["lengths"]],
            tensions=tensions,
        )

    def _polylines(self, points: Any, slope: Any, rates: Any, bends: Any) -> tuple[Any, ...]:
        """Lengths of lines through points, slopes, rates and second derivatives: exact where two
        points nearly touch, as differences of lengths are not."""
        n, first = slope.shape[1], 0
        found = np.zeros(len(self.lines)), np.zeros((len(self.lines), n))
        value, J, rate, bend = *found, *(np.zeros(len(self.lines)) for _ in range(2))
        for i, line in enumerate(self.lines):
            for k in range(first, first + len(line) - 1):
                a, b = slice(3 * k, 3 * k + 3), slice(3 * k + 3, 3 * k + 6)
                d, v = points[b] - points[a], rates[b] - rates[a]
                length = np.linalg.norm(d)
                along = d / length
                value[i] += length
                J[i] += along @ (slope[b] - slope[a])
                rate[i] += along @ v
                bend[i] += along @ (bends[b] - bends[a]) + (v @ v - (along @ v) ** 2) / length
            first += len(line)
        return value, J, rate, bend

    def scales(self) -> Any:
        """How far a coordinate may go at a large change: bends of rods are per length."""
        scales = np.ones(self.kinematics.nv)
        for name, rod in self.kinematics.rods.items():
            _, first, n = self.kinematics.rows[name]
            scales[first : first + n] = 1.0
            bends = sum(rod.counts[:3]) * (len(rod.parts) - 1)
            scales[first : first + bends] = 1 / rod.rod.length
        return scales

    # Forces -----------------------------------------------------------------------------------

    def _passive(
        self,
        q: Any,
        v: Any,
        slope: Any,
        springs: Any,
        parts: Any,
        R0: Any,
        frames: Any,
    ) -> list[Any]:
        k, robot, terms = self.kinematics, self.robot, []
        for x, length, J, rate, _ in zip(self.springs, *springs, strict=True):
            if hasattr(x, "stiffness"):
                terms.append(-x.stiffness * (length - x.free_length) * J)
            if x.damping is not None:
                terms.append(-x.damping * rate * J)
        for joint in robot.joints:
            i, at, n = k.rows[joint.name]
            own = np.zeros(k.nv)
            if joint.kind in ("revolute", "prismatic"):
                own[at] = -(joint.friction or 0.0) * v[at]
                own[at] -= (joint.stiffness or 0.0) * (q[i] - joint.rest)
            elif joint.kind == "rod":
                rod = k.rods[joint.name]
                own[at : at + n] = -rod.stiffness_matrix() @ q[i : i + n]
                own[at : at + n] -= rod.damping_matrix() @ v[at : at + n]
            terms.append(own)
        turns = slope[parts["turns"]].reshape(len(R0), 3, -1)
        for friction, a, b in self.pivots:
            J = turns[a] - turns[b]
            terms.append(-friction * J.T @ (J @ v))
        for i, load in enumerate(robot.loads):
            axes = frames[load.at.frame][0] if load.follows else np.eye(3)
            J = slope[parts["loads"]][3 * i : 3 * i + 3]
            Jw = turns[len(k.masses) + i]
            terms.append(J.T @ axes @ load.force + Jw.T @ axes @ load.moment)
        return terms

    def _paid(self, i: int, theta: Any, inputs: dict[str, float]) -> float:
        tendon = self.robot.tendons[i]
        actuator = self.actuators.get(tendon.actuator or "")
        if isinstance(actuator, Motor):
            angle = theta[self.motors.index(actuator)]
            return tendon.winding * actuator.drum_radius / actuator.gear_ratio * angle
        if isinstance(actuator, Winch):
            return tendon.winding * inputs[actuator.name]
        return 0.0

    def elongations(self, lengths: Any, theta: Any, inputs: dict[str, float]) -> Any:
        paid = [self._paid(i, theta, inputs) for i in range(len(self.cables))]
        return lengths - self.reference - paid

    def _tensions(
        self, lengths: Any, rates: Any, theta: Any, omega: Any, inputs: dict[str, float]
    ) -> Any:
        x = self.elongations(lengths, theta, inputs)
        speeds = {f"{n}.rate"[:-5]: inputs.get(f"{n}.rate", 0.0) for n in inputs}
        found = np.full(len(self.cables), np.nan)
        for i, tendon in enumerate(self.robot.tendons):
            actuator = self.actuators.get(tendon.actuator or "")
            if isinstance(actuator, TensionActuator):
                pull = inputs[actuator.name]
                found[i] = max(pull, 0.0) if getattr(tendon.law, "one_sided", False) else pull
            elif self.stretches[i]:
                paid = self._paid(i, omega, speeds)
                found[i] = self.tension(i, x[i], rates[i] - paid, lengths[i])
        return found

    def tension(self, i: int, x: float, rate: float, length: float) -> float:
        """Of a tendon that stretches, at an elongation and its rate."""
        law: Any = self.robot.tendons[i].law
        stiffening = getattr(law, "stiffening", 0.0)
        if isinstance(law, Material):
            over = {"unwound": length, "free": length - x}.get(law.over, self.reference[i])
            if law.over == "total" and law.length is not None:
                over = law.length
            stiffness = law.young_modulus * law.section / over
            damping = law.damping_modulus * law.section / over
        else:
            stiffness, damping = law.stiffness, law.damping
        pull = (law.pretension or 0.0) + stiffness * x + stiffening * x * abs(x) + damping * rate
        if law.smoothing is not None:
            return (pull + np.sqrt(pull**2 + 4 * law.smoothing**2)) / 2
        return max(pull, 0.0) if law.one_sided else pull

    def _motor_forces(self, omega: Any, tensions: Any, inputs: dict[str, float]) -> Any:
        found = []
        for motor, w in zip(self.motors, omega, strict=True):
            torque = inputs[motor.name] - (motor.friction or 0.0) * w
            if (dry := motor.dry_friction) is not None:
                kinds = {
                    "sign": np.sign(w),
                    "tanh": np.tanh(dry.slope * w),
                    "arctan": 2 / np.pi * np.arctan(dry.slope * w),
                }
                torque -= dry.torque * kinds[dry.kind]
            for i, tendon in enumerate(self.robot.tendons):
                if tendon.actuator == motor.name:
                    lever = motor.drum_radius / motor.gear_ratio
                    torque += tendon.winding * lever * tensions[i]
            found.append(torque)
        return np.array(found)

    def _equations(
        self,
        slope: Any,
        bends: Any,
        measured: Any,
        parts: Any,
        theta: Any,
        inputs: dict[str, float],
    ) -> tuple[Any, Any, Any]:
        """J, bias and psi of closures and of tendons that do not stretch."""
        m, n = len(self.motors), self.kinematics.nv
        gaps = slope[parts["gaps"]]
        J = [np.hstack([gaps, np.zeros((len(gaps), m))])]
        bias, psi = [bends[parts["gaps"]]], [measured["gaps"]]
        x = self.elongations(measured["lengths"], theta, inputs)
        for i in self.tied:
            paid = [self._paid(i, e, dict.fromkeys(inputs, 0.0)) for e in np.eye(m)]
            J.append(np.concatenate([slope[parts["lengths"]][i], -np.array(paid)])[None])
            bias.append(bends[parts["lengths"]][i : i + 1])
            psi.append(x[i : i + 1])
        return np.vstack(J).reshape(-1, n + m), np.concatenate(bias), np.concatenate(psi)

    # Energies and equations of motion ------------------------------------------------------------

    def potential(self, q: Any, theta: Any, inputs: dict[str, float]) -> float:
        """Up to a constant: gravity, springs, rods, and tendons by the work of their tension."""
        k, robot = self.kinematics, self.robot
        for cable in self.cables:
            cable.anchor(q)
        frames = k.frames(q)
        measured = self._measured(q, frames)
        centers = measured["centers"].reshape(-1, 3)
        V = -sum(m.mass * c @ robot.gravity for m, c in zip(k.masses, centers, strict=True))
        nothing = np.zeros((len(measured["points"]), 0)), *2 * [0 * measured["points"]]
        lines = self._polylines(measured["points"], *nothing)[0]
        measured["lengths"] += lines[: len(self.cables)]
        for x, length in zip(self.springs, lines[len(self.cables) :], strict=True):
            V += getattr(x, "stiffness", 0.0) * (length - getattr(x, "free_length", 0.0)) ** 2 / 2
        for joint in robot.joints:
            i, _, n = k.rows[joint.name]
            if joint.kind in ("revolute", "prismatic"):
                V += (joint.stiffness or 0.0) * (q[i] - joint.rest) ** 2 / 2
            elif joint.kind == "rod":
                V += q[i : i + n] @ k.rods[joint.name].stiffness_matrix() @ q[i : i + n] / 2
        x = self.elongations(measured["lengths"], theta, inputs)
        for i, stretches in enumerate(self.stretches):
            if stretches:
                length = measured["lengths"][i]
                kink = self._kink(i, length)
                points = [kink] if 0 < kink * np.sign(x[i]) < abs(x[i]) else None
                V += quad(
                    lambda s, i=i, n=length: self.tension(i, s, 0.0, n),
                    0.0,
                    x[i],
                    points=points,
                    epsabs=1e-12,
                    epsrel=1e-12,
                    limit=200,
                )[0]
        return float(V)

    def _kink(self, i: int, length: float) -> float:
        """The elongation at which a tendon goes slack, by bisection; 0: nowhere near."""
        law: Any = self.robot.tendons[i].law
        if not law.one_sided:
            return 0.0
        low, high = -1e3, 1e3
        for _ in range(200):
            mid = (low + high) / 2
            low, high = (low, mid) if self.tension(i, mid, 0.0, length) > 1e-300 else (mid, high)
        return high

    @staticmethod
    def accelerations(s: State, u_bends: Any = 0.0) -> tuple[Any, Any]:
        """a and the least forces of the equations: Gauss' principle of least constraint."""
        C = np.linalg.cholesky(s.M)
        free = np.linalg.solve(s.M, s.F)
        if not len(s.J):
            return free, np.zeros(0)
        A = np.linalg.solve(C, s.J.T).T
        y = np.linalg.lstsq(A, -s.bias - u_bends - s.J @ free, rcond=1e-7)[0]
        a = free + np.linalg.solve(C.T, y)
        lam = np.linalg.lstsq(s.J.T, s.M @ a - s.F, rcond=1e-7)[0]
        return a, lam


def conservative(robot: Robot) -> bool:
    """Whether forces at rest follow from an energy."""
    laws = [getattr(t.law, "over", "total") for t in robot.tendons]
    return not any(x.follows or any(x.moment) for x in robot.loads) and set(laws) <= {"total"}


def has_pulleys(robot: Robot) -> bool:
    return any(isinstance(x, Pulley) for t in robot.tendons for x in t.path)


def _gap(closure: Any, k: Kinematics, frames: dict[str, Pose]) -> Any:
    """What the closure holds at zero; as many equations as it needs, in axes of its own."""
    A, B = frames[closure.start.frame][0], frames[closure.end.frame][0]
    gap = A.T @ (k.at(frames, closure.start) - k.at(frames, closure.end))
    turn = A.T @ B
    n = np.array(closure.axis)
    if closure.kind == "revolute":
        first = np.linalg.svd(n[None])[2][1:]
        return np.concatenate([gap, first @ turn @ n])
    if closure.kind == "fixed":
        return np.concatenate(
            [
                gap,
                np.array(
                    [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
                )
                / 2,
            ]
        )
    if closure.kind == "universal":
        return np.append(gap, n @ turn @ np.array(closure.cross_axis))
    return gap
