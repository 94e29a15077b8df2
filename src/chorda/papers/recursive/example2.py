"""Example 2 of Recursive: one joint between two cables, with and without the operator O+."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

from chorda.catalogue import load
from chorda.describe import Load, Point, Revolute, Robot
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.papers.recursive import parts
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.studies import once
from chorda.results import Run

RADIUS = 0.02  # of the actuators [m], as in the catalogue's robot
GAINS = (20.0, 0.5)  # K_p, K_v of eqs. 32-33
STIFFNESS, SOFT_STIFFNESS = 2e3, 20.0  # [N/m] of the catalogue's robot, and of a softer one
STIFFNESSES = (1e3, 3e3, 1e4, 3e4, 1e5, 3e5)  # [N/m]
IMPLICIT_FROM = 1e4  # [N/m] above which an implicit scheme is used
DURATION, STEP, KEPT_INTERVAL = 12.0, 5e-4, 2.5e-3  # [s]
NEWTON_STEPS = 4  # two cables: at most one change of slack each
PRINTED_TOLERANCE = 1e-10  # relative and absolute, of the printed equation's integration


@dataclass(frozen=True)
class Case:
    """What a motion differs in.

    rectified: with O+; pretension [N]; stiffness [N/m]; amplitude of the wanted motion [rad]; load
    across the link at its tip [N]; initial rate [rad/s], None: that of the wanted motion; mass of
    the link, as a multiple; gains K_p and K_v [s]; step [s].
    """

    rectified: bool
    pretension: float
    stiffness: float = STIFFNESS
    amplitude: float = 1.0
    load: float = 0.0
    rate: float | None = None
    mass_ratio: float = 1.0
    gains: tuple[float, float] = GAINS
    step: float = STEP

    @property
    def initial_rate(self) -> float:
        return self.amplitude if self.rate is None else self.rate


class OneJoint:
    """The robot and its motions."""

    @cached_property
    def robot(self) -> Robot:
        return load("recursive-2")

    @property
    def link(self) -> Revolute:
        return parts.joints(self.robot)["link3"]

    @property
    def drum_radius(self) -> float:
        """Of the joint [m]."""
        return parts.pulleys(self.robot.tendons[0])[-1].radius

    @once
    def system(self, rectified: bool) -> System:
        tendons = tuple(
            t.model_copy(update={"law": t.law.model_copy(update={"one_sided": rectified})})
            for t in self.robot.tendons
        )
        tip = Point(frame="link3", point=(parts.length(self.link), 0, 0))
        push = Load(name="push", at=tip, force=(0, 1, 0), follows=True)
        return assemble(self.robot.model_copy(update={"tendons": tendons, "loads": (push,)}))

    @once
    def control(self, rectified: bool, amplitude: float, gains: tuple[float, float]) -> Any:
        """Eqs. 32-33: both actuators turn by the same angle; inputs are radius times angle.

        The angles' rates depend on the joint's acceleration, and that through the cables' damping
        on the rates: Newton's method on M a = F, which is linear between slack and taut.
        """
        system = self.system(rectified)
        t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
        a, p = ca.SX.sym("a"), ca.SX.sym("p", system.p.numel())
        sine, cosine = amplitude * ca.sin(t), amplitude * ca.cos(t)
        K_p, K_v = gains
        angle = K_p * (sine - q) + K_v * (cosine - v)
        rate = K_p * (cosine - v) - K_v * (sine + a)
        inputs = RADIUS * ca.vertcat(angle, angle, rate, rate)
        missing = system.residual(q, v, a, inputs, p)
        better = ca.Function("better", [a, t, q, v, p], [a - missing / ca.jacobian(missing, a)])
        found = ca.SX(0)
        for _ in range(NEWTON_STEPS):
            found = better(found, t, q, v, p)
        law = ca.Function("pd", [t, q, v, p], [ca.substitute(inputs, a, found)])
        return system.once(f"recursive-pd-{amplitude:g}-{K_p:g}-{K_v:g}", lambda: law)

    @once
    def run(self, case: Case) -> Run:
        body = parts.body(self.link)
        return simulate(
            self.system(case.rectified),
            duration=DURATION,
            step=case.step,
            scheme="implicit-euler-converged" if case.stiffness > IMPLICIT_FROM else "rk4",
            control=self.control(case.rectified, case.amplitude, case.gains),
            parameters={
                "*.pretension": case.pretension,
                "*.stiffness": case.stiffness,
                "push.force.y": case.load,
                "link3.mass": case.mass_ratio * body.mass,
                **{
                    f"link3.inertia.{axis}": case.mass_ratio * value
                    for axis, value in zip(("xx", "yy", "zz"), body.inertia, strict=False)
                },
            },
            initial={"link3.rate": case.initial_rate},
            every=round(KEPT_INTERVAL / case.step),
            progress=False,
            strict=True,
        )

    def angle(self, case: Case) -> Array:
        """Of the joint, over time [rad]."""
        return self.run(case).position[:, 0]

    def tension(self, case: Case) -> Array:
        """(n, 2) [N]."""
        return self.run(case).outputs["tension"]

    def tensions_at(self, angles: Array, rectified: bool) -> Array:
        """At rest, the actuators at zero, with the catalogue's pretension (n, 2) [N]."""
        system, still = self.system(rectified), np.zeros(1)
        which = [x.name for x in system.outputs].index("tension")
        inputs, p = np.zeros(system.nu), system.parameters()
        none = np.zeros(system.nc)
        rows = [system.observe([x], still, still, none, inputs, p)[which] for x in angles]
        return np.array([row.full().ravel() for row in rows])

    def slack_share(self, case: Case, since: float = 0.0) -> float:
        """Part of the time, from `since` [s] on, in which a cable is slack."""
        late = self.run(case).time >= since
        return float(np.mean(np.any(self.tension(case)[late] <= 0, axis=1)))

    def difference(self, first: Case, second: Case) -> float:
        """The largest of the joint's angle [rad]."""
        return float(np.abs(self.angle(first) - self.angle(second)).max())

    def differences(self, step: float = STEP) -> Array:
        """Of both models, by stiffness [rad]."""

        def case(rectified: bool, stiffness: float) -> Case:
            return Case(rectified, PRETENSIONS[0], stiffness, step=step)

        return np.array([self.difference(case(True, k), case(False, k)) for k in STIFFNESSES])

    @once
    def printed(self, rectified: bool, pretension: float) -> Array:
        """The joint's angle by eq. 31 with eqs. 32-33 as they are printed, over time [rad]."""
        acceleration = self._printed_acceleration(rectified, pretension)
        found = solve_ivp(
            lambda t, x: (x[1], acceleration(t, *x)),
            (0, DURATION),
            (0.0, 1.0),
            t_eval=self.run(Case(rectified, pretension)).time,
            method="DOP853",
            rtol=PRINTED_TOLERANCE,
            atol=PRINTED_TOLERANCE,
        )
        return np.asarray(found.y[0])

    def _printed_acceleration(self, rectified: bool, pretension: float) -> Any:
        body, (k, c, _) = parts.body(self.link), parts.law(self.robot.tendons[0])
        inertia = body.inertia[2] + body.mass * body.center[0] ** 2
        r, (K_p, K_v) = self.drum_radius, GAINS
        gain = c * RADIUS * K_v  # of a tension, for an acceleration: eqs. 32-33 in eq. 31

        def acceleration(t: float, angle: float, rate: float) -> float:
            wanted = K_p * (np.sin(t) - angle) + K_v * (np.cos(t) - rate)
            wanted_rate = K_p * (np.cos(t) - rate) - K_v * np.sin(t)
            grown = k * (r * angle - RADIUS * wanted) + c * (r * rate - RADIUS * wanted_rate)
            for taut in ((1, 1), (1, 0), (0, 1)):  # one tension is positive at least
                bias = taut[1] * (pretension - grown) - taut[0] * (pretension + grown)
                a = r * bias / (inertia + sum(taut) * r * gain)
                tensions = pretension + grown + gain * a, pretension - grown - gain * a
                if not rectified or all(
                    (t > 0) == on for t, on in zip(tensions, taut, strict=True)
                ):
                    return float(a)
            raise AssertionError("both cables are slack")

        return acceleration
