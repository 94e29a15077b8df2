"""Example 1 of Recursive in motion: two joints, three open-ended tendons over pulleys that turn.

The motors' angles are given over time, as eqs. 27-30 have it: their unknowns are the angles of the
links 1 to 4. What the drums wind is what inextensible tendons would need for a wanted motion of the
two joints, so that stretch and vibration are what the motion differs in.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.catalogue import load
from chorda.describe import Pulley, Robot, Winch
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.papers.recursive import parts
from chorda.papers.studies import once
from chorda.results import Run
from chorda.results.observe import accelerations as of_the_system
from chorda.tendons import reactions

if TYPE_CHECKING:
    import xarray

RADII = {3: 0.025, 4: 0.035}  # [m] of the intermediate links, unequal to tell radii apart
AMPLITUDES, ANGULAR_FREQUENCY = (0.8, 1.0), 4.0  # [rad], [rad/s] of the wanted motion
DURATION, STEP = 3.0, 1e-4  # [s]
SEGMENTS = {  # by the paper's names, with the links at both ends
    "t15": ("tendon5-1", 5, 1),
    "t36": ("tendon6-1", 6, 3),
    "t23": ("tendon6-2", 3, 2),
    "t47": ("tendon7-1", 7, 4),
    "t24": ("tendon7-2", 4, 2),
}
DRUMS = {5: "t15", 6: "t36", 7: "t47"}  # of the motors, with what they wind


def wanted(cosine: Any, sine: Any) -> tuple[list[Any], list[Any]]:
    """Angles of the joints and their rates, from rest; the phase in numbers or in symbols."""
    angles = [0.5 * A * (1 - cosine) for A in AMPLITUDES]
    return angles, [0.5 * A * ANGULAR_FREQUENCY * sine for A in AMPLITUDES]


class TwoJoints:
    """The robot and its motion."""

    @cached_property
    def robot(self) -> Robot:
        """That of the catalogue with given angles of the motors and unequal radii."""
        robot = load("recursive-1")
        tendons = tuple(
            t.model_copy(update={"path": tuple(map(_resized, parts.pulleys(t)))})
            for t in robot.tendons
        )
        winches = tuple(Winch(name=motor.name) for motor in robot.actuators)
        return robot.model_copy(update={"tendons": tendons, "actuators": winches})

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @cached_property
    def x(self) -> dict[str, float]:
        """Dimensions by the letters of the paper."""
        tendons = parts.by_name(self.robot.tendons)
        out: dict[str, float] = {}
        for i, joint in enumerate(parts.joints(self.robot).values(), 1):
            body = parts.body(joint)
            out |= {f"m{i}": body.mass, f"I{i}": body.inertia[2]}
            if joint.link is not None:
                out |= {f"a{i}": joint.link.a, f"s{i}": joint.link.a - body.center[0]}
        for name, (tendon, *links) in SEGMENTS.items():
            values = zip(("k", "c", "t0"), parts.law(tendons[tendon]), strict=True)
            out |= {f"{letter}{name[1:]}": value for letter, value in values}
            path = zip(links, parts.pulleys(tendons[tendon]), strict=True)
            out |= {f"r{i}": pulley.radius for i, pulley in path}
        return out

    def centres(self) -> dict[int, Array]:
        """Of the motors' drums, in the plane [m]."""
        tendons = parts.by_name(self.robot.tendons)
        drums = {i: tendons[SEGMENTS[name][0]].path[0] for i, name in DRUMS.items()}
        return {i: np.array(drum.point[:2]) for i, drum in drums.items()}

    def motors(self, cosine: Any, sine: Any) -> tuple[list[Any], list[Any]]:
        """Angles of the drums 5, 6 and 7 and their rates [rad, rad/s]."""
        angles, rates = wanted(cosine, sine)
        return self._wound(*angles), self._wound(*rates)

    def _wound(self, th1: Any, th2: Any) -> list[Any]:
        x = self.x
        th3, th4 = th1 - x["r2"] * th2 / x["r3"], th1 + x["r2"] * th2 / x["r4"]  # Table 2, no k
        return [x["r1"] * th1 / x["r5"], -x["r3"] * th3 / x["r6"], -x["r4"] * th4 / x["r7"]]

    @once
    def run(self) -> Run:
        time = np.linspace(0, DURATION, round(DURATION / STEP) + 1)
        phase = ANGULAR_FREQUENCY * time
        angles, rates = self.motors(np.cos(phase), np.sin(phase))
        inputs = {}
        for k, i in enumerate(DRUMS):  # what a winch pays out is radius times angle
            inputs[f"motor{i}"] = self.x[f"r{i}"] * angles[k]
            inputs[f"motor{i}.rate"] = self.x[f"r{i}"] * rates[k]
        return simulate(
            self.system,
            duration=DURATION,
            step=STEP,
            scheme="rk4",
            inputs=inputs,
            progress=False,
            strict=True,
        )

    def tensions(self) -> dict[str, Array]:
        """Of every segment, by the paper's names [N]."""
        order = [t.name for t in self.robot.tendons]
        found = self.run().outputs["tension"]
        return {name: found[:, order.index(tendon)] for name, (tendon, *_) in SEGMENTS.items()}

    @once
    def accelerations(self) -> Array:
        """Of the links 1 to 4, by Lagrange's equations (n, 4) [rad/s^2]."""
        run = self.run()
        parameters = np.repeat(run.parameters[:, None], len(run.time), 1)
        return of_the_system(self.system, run.position, run.velocity, run.input, parameters)[0]

    @once
    def reactions(self) -> "xarray.Dataset":
        """What every joint carries over the motion, by recursive Newton-Euler."""
        return reactions(self.run())


def _resized(pulley: Pulley) -> Pulley:
    number = pulley.frame.removeprefix("link")
    radius = RADII.get(int(number)) if number.isdigit() else None
    return pulley if radius is None else pulley.model_copy(update={"radius": radius})
