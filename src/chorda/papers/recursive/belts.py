"""Endless tendons: an arm with belts, in motion, and its equations by the paper's way.

The paper shows endless routing (fig. 1b) and gives its method for it, but no example. This one is
the catalogue's arm of two joints: a belt from the first motor to the first link, and belts from the
second motor over an intermediate pulley on the first joint's axis to the second link. It hangs.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.catalogue import load
from chorda.describe import Motor, Revolute, Robot
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.papers.recursive import parts
from chorda.papers.studies import once
from chorda.results import Run
from chorda.results.observe import accelerations as of_the_system
from chorda.tendons.reactions import newton_euler

TORQUES = {"motor1": (0.5, 2.0), "motor2": (0.15, 5.0)}  # [N m] and [rad/s], as sines
DURATION, STEP = 4.0, 2e-4  # [s]
TOLERANCES = {"reltol": 1e-10, "abstol": 1e-12, "max_num_steps": 100_000}  # of CVODES
BELTS = {  # pulleys at both ends; the third is carried by link 1
    "belt1": ("motor1", "joint1"),
    "belt2": ("motor2", "stage"),
    "belt3": ("stage", "joint2"),
}


@dataclass(frozen=True)
class Runs:
    """Both runs of a belt: tensions (n, 2) and moment on the pulley at its end (n)."""

    tension: Array
    moment: Array
    pretension: float

    @property
    def opposed_share(self) -> float:
        """Part of the time in which one run is above the pretension and the other below."""
        product = np.prod(self.tension - self.pretension, axis=1)
        return float(np.mean(product < 0))


class BeltArm:
    """The robot and its motion under sines of torque."""

    @cached_property
    def robot(self) -> Robot:
        return load("belt-arm")

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @once
    def run(self) -> Run:
        time = np.linspace(0, DURATION, round(DURATION / STEP) + 1)
        return simulate(
            self.system,
            duration=DURATION,
            step=STEP,
            scheme="rk4",
            inputs={name: A * np.sin(w * time) for name, (A, w) in TORQUES.items()},
            progress=False,
            strict=True,
        )

    def belt(self, name: str) -> Runs:
        first, second = (x for x in self.robot.tendons if x.name.startswith(name))
        order = [x.name for x in self.robot.tendons]
        found = self.run().outputs["tension"]
        tension = found[:, [order.index(first.name), order.index(second.name)]]
        radius, pretension = parts.pulleys(first)[-1].radius, parts.law(first)[-1]
        return Runs(tension, radius * (tension[:, 1] - tension[:, 0]), pretension)

    def needed_moment(self) -> Array:
        """What belt 3 must exert on link 2, by Newton-Euler without any tendon (n) [N m]."""
        run = self.run()
        parameters = np.repeat(run.parameters[:, None], len(run.time), 1)
        a = of_the_system(self.system, run.position, run.velocity, run.input, parameters)[0]
        found = newton_euler(self.system, run.position, run.velocity, a, 0.0)
        return found.effort[:, list(found.coordinates).index("joint2")]

    @cached_property
    def equations(self) -> "BeltEquations":
        return BeltEquations(self.robot)

    @once
    def tensions_by_hand(self) -> Array:
        """Of all runs by eq. 18, over the motion (n, 6) [N]."""
        run = self.run()
        tensions = self.equations.tensions.map(len(run.time))
        return np.array(tensions(run.position.T, run.velocity.T).full().T)

    @once
    def coordinates_by_hand(self) -> Array:
        """The motion by the equations below alone (n, 5) [rad]."""
        t, size = ca.SX.sym("t"), 5
        q, v = ca.SX.sym("q", size), ca.SX.sym("v", size)
        torque = ca.vertcat(*(A * ca.sin(w * t) for A, w in TORQUES.values()))
        a = self.equations.accelerations(q, v, torque)
        equations = {"t": t, "x": ca.vertcat(q, v), "ode": ca.vertcat(v, a)}
        time = self.run().time.tolist()
        integrate = ca.integrator("belts", "cvodes", equations, 0, time, TOLERANCES)
        return np.array(integrate(x0=0)["xf"].full()[:size].T)


class BeltEquations:
    """Newton-Euler for each link by hand [Recursive, eqs. 18, 23-25], coaxial turns by eq. 9.

    Coordinates: link 1, link 2 against it, the intermediate pulley against the base, two motors.
    """

    def __init__(self, robot: Robot) -> None:
        q, v, torque = ca.SX.sym("q", 5), ca.SX.sym("v", 5), ca.SX.sym("torque", 2)
        joints = parts.joints(robot)
        motors = [x for x in robot.actuators if isinstance(x, Motor)]
        tension, stretch = _runs(robot, q, v)
        moment = ca.jtimes(stretch, q, tension, True)  # each pulley's radius times its tensions
        M, bias = _two_links(joints, -robot.gravity[1], q, v)
        friction = [joints[name].friction or 0.0 for name in ("joint1", "joint2", "stage")]
        friction += [x.friction or 0.0 for x in motors]
        inertia = [parts.body(joints["stage"]).inertia[2], *(x.inertia for x in motors)]
        force = ca.vertcat(0, 0, 0, torque) - moment - ca.DM(friction) * v
        links = ca.solve(M, force[:2] - bias)
        a = ca.vertcat(links, force[2:] / ca.DM(inertia))
        self.tensions = ca.Function("tensions", [q, v], [tension])
        self.accelerations = ca.Function("accelerations", [q, v, torque], [a])


def _runs(robot: Robot, q: Any, v: Any) -> tuple[Any, Any]:
    """Tension and stretch of both runs of each belt [Recursive, eq. 18]."""
    th1, th2, idler, *motors = ca.vertsplit(q)
    turns = {"belt1": (motors[0], th1), "belt2": (motors[1], idler), "belt3": (idler - th1, th2)}
    stretch, tendons = [], parts.by_name(robot.tendons)
    for name, (start, end) in turns.items():
        first, second = (x.radius for x in parts.pulleys(tendons[f"{name}-1"]))
        stretch += [second * end - first * start, first * start - second * end]
    x, (k, c, t0) = ca.vertcat(*stretch), parts.law(robot.tendons[0])
    return ca.fmax(t0 + k * x + c * ca.jtimes(x, q, v), 0), x


def _two_links(joints: dict[str, Revolute], g: float, q: Any, v: Any) -> tuple[Any, Any]:
    """Inertia and what is left of a double pendulum, angles from hanging and between the links."""
    one, two = (parts.body(joints[name]) for name in ("joint1", "joint2"))
    a, c1, c2 = parts.length(joints["joint1"]), one.center[0], two.center[0]
    m1, m2, I1, I2 = one.mass, two.mass, one.inertia[2], two.inertia[2]
    near, far, C, S = I1 + m1 * c1**2 + m2 * a**2, I2 + m2 * c2**2, ca.cos(q[1]), ca.sin(q[1])
    cross = m2 * a * c2
    M = ca.vertcat(
        ca.horzcat(near + far + 2 * cross * C, far + cross * C), ca.horzcat(far + cross * C, far)
    )
    lower = m2 * g * c2 * ca.sin(q[0] + q[1])
    upper = (m1 * c1 + m2 * a) * g * ca.sin(q[0])
    return M, ca.vertcat(
        -cross * S * (2 * v[0] * v[1] + v[1] ** 2) + upper + lower, cross * S * v[0] ** 2 + lower
    )
