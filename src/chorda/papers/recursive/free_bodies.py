"""Free bodies of example 1: the paper's eqs. 26 by hand, and the whole robot on its base.

The forces of eqs. 26 come from Tables 1 to 3 and the tangents of the pulleys in the plane, so that
nothing of Chorda's recursion is in them. The balance of the whole uses differences over time.
"""

from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array
from chorda.papers.recursive.equations import TENDONS
from chorda.papers.recursive.example1 import DRUMS, SEGMENTS, STEP, TwoJoints
from chorda.papers.recursive.printed_motion import PrintedMotion

FIVE_POINTS = np.array([1, -8, 0, 8, -1]) / 12  # of a first derivative


def turned(angle: Array, vector: Array) -> Array:
    """A vector in the plane, turned to the left."""
    c, s = np.cos(angle), np.sin(angle)
    x, y = vector.T
    return np.stack([c * x - s * y, s * x + c * y], 1)


def tangent(first: Array, second: Array, moment: float) -> Array:
    """Direction of a tendon from one pulley to another, between centres (n, 2).

    moment: that of unit tension about the first centre and about the second, added [m]; it decides
    on which sides the tendon runs.
    """
    away = second - first
    across = moment / np.linalg.norm(away, axis=1)
    return turned(np.arcsin(across), away / np.linalg.norm(away, axis=1)[:, None])


@dataclass(frozen=True)
class FreeBodies:
    """Forces of an example over its motion, in the plane of the world (n, 2) [N]."""

    example: TwoJoints

    def by_hand(self) -> dict[str, Array]:
        """The joints' forces by eqs. 26a, c, e and g."""
        example, run = self.example, self.example.run()
        th1, th2 = run.position[:, 0], run.position[:, 1]
        found = PrintedMotion(example, False).evaluated(run.position, run.velocity)
        centre = {1: turned(th1, found[2][:, :2]), 2: turned(th1 + th2, found[2][:, 2:])}  # Table 1
        tension = dict(zip(SEGMENTS, found[1].T, strict=True))
        pull = self._pulls(tension)
        m = example.x
        f21 = m["m2"] * centre[2] - pull["t23"] - pull["t24"]  # eq. 26a
        return {
            "link2": f21,
            "link3": pull["t23"] - pull["t36"],  # eq. 26c; t32 pulls the other way
            "link4": pull["t24"] - pull["t47"],  # eq. 26e
            "link1": m["m1"] * centre[1] + f21 - pull["t15"],  # eq. 26g
        }

    def _pulls(self, tension: dict[str, Array]) -> dict[str, Array]:
        """Of each segment on the link that is named first: t23 on link 2."""
        example, x = self.example, self.example.x
        th1 = example.run().position[:, 0]
        base = np.zeros((len(th1), 2))
        elbow = turned(th1, base + np.array([x["a1"], 0]))
        at = {1: base, 2: elbow, 3: base, 4: base} | {
            i: base + centre for i, centre in example.centres().items()
        }
        out = {}
        for name, ends in TENDONS.items():
            (first, sign), (second, other) = ends
            lever = sign * x[f"r{first}"] + other * x[f"r{second}"]
            out[name] = tension[name][:, None] * tangent(at[first], at[second], lever)
        return out

    def recursive(self) -> dict[str, Array]:
        """The same by Chorda's recursion."""
        found = self.example.reactions()["world_force"]
        return {str(name): found.sel(joint=name).values[:, :2] for name in found.joint.values}

    def missing_momentum(self) -> tuple[float, float]:
        """What base and drums give less the rate of momentum, and of that about the base's axis.

        Largest over the motion and relative to the largest rate.
        """
        found, run = self.example.reactions(), self.example.run()
        momentum, about = self._momentum(run.position, run.velocity)
        base = found.sel(joint=["link1", "link3", "link4"])
        drums = [f"{SEGMENTS[name][0]}.path0" for name in DRUMS.values()]
        arm = [f"{SEGMENTS[name][0]}.path1" for name in DRUMS.values()]
        pulled = found["pull"].sel(element=drums).values
        force = base["world_force"].sum("joint").values - pulled.sum(1)
        moment = base["world_moment"].sum("joint").values[:, 2]
        moment = moment + self._drum_moment(found["pull"].sel(element=arm).values)
        return (
            _relative(force[:, :2], _rate(momentum)),
            _relative(moment, _rate(about)),
        )

    def _drum_moment(self, pulls: Array) -> Array:
        """Of the tendons from the drums about the base's axis, by their levers (n)."""
        x = self.example.x
        size = np.linalg.norm(pulls, axis=2)
        levers = [dict(TENDONS[name])[SEGMENTS[name][2]] * x[f"r{SEGMENTS[name][2]}"]
                  for name in DRUMS.values()]  # fmt: skip
        return np.asarray(size @ np.array(levers))

    def _momentum(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Linear (n, 2), and angular about the base's axis (n)."""
        x, along = self.example.x, np.array([[1.0, 0.0]])
        one, both = q[:, 0], q[:, 0] + q[:, 1]
        rates = {1: v[:, 0], 2: v[:, 0] + v[:, 1]}
        upper, lower = (turned(angle, 0 * q[:, :2] + along) for angle in (one, both))
        places = {1: (x["a1"] - x["s1"]) * upper}
        places[2] = x["a1"] * upper + (x["a2"] - x["s2"]) * lower
        speeds = {1: _spun(places[1], rates[1])}
        speeds[2] = _spun(x["a1"] * upper, rates[1]) + _spun((x["a2"] - x["s2"]) * lower, rates[2])
        linear = sum(x[f"m{i}"] * speeds[i] for i in (1, 2))
        angular = sum(
            x[f"m{i}"] * _cross(places[i], speeds[i]) + x[f"I{i}"] * rates[i] for i in (1, 2)
        )
        return np.asarray(linear), angular + x["I3"] * v[:, 2] + x["I4"] * v[:, 3]


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _spun(lever: Array, rate: Array) -> Array:
    return rate[:, None] * np.stack([-lever[:, 1], lever[:, 0]], 1)


def _rate(values: Array) -> Array:
    """By central differences of fourth order, without the ends."""
    shifted = [np.roll(values, 2 - k, axis=0) for k in range(5)]
    return np.tensordot(FIVE_POINTS, np.array(shifted), 1)[2:-2] / STEP


def _relative(found: Array, rate: Array) -> float:
    return float(np.abs(found[2:-2] - rate).max() / np.abs(rate).max())
