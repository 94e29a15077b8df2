"""The printed terms of example 1, evaluated and measured by recursive Newton-Euler."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from chorda.describe import Body, KelvinVoigt, Placement, Pulley, Revolute, Robot, Tendon
from chorda.mechanics import Array
from chorda.papers.recursive.published import Term
from chorda.tendons.reactions import newton_euler

LINKS = 7
STATES = 5  # random ones at which terms are compared
TENDONS = {  # link and sign of the tension's moment on it: Table 3; on motors, from Table 2
    "t23": ((2, 1), (3, 1)),
    "t24": ((2, -1), (4, 1)),
    "t36": ((3, -1), (6, -1)),
    "t47": ((4, -1), (7, -1)),
    "t15": ((1, 1), (5, -1)),
}
DRUMS = {5: (-0.5, 0.3), 6: (-0.6, 0.0), 7: (-0.5, -0.3)}  # [m] on the base; any will do
RANGES = {  # of the random dimensions and states
    "a1": (0.4, 0.5),
    "a2": (0.3, 0.4),
    "s1": (0.1, 0.3),
    "s2": (0.1, 0.2),
    "e": (0.01, 0.02),
    **{f"m{i}": (0.5, 2.0) for i in range(1, 8)},
    **{f"I{i}": (0.01, 0.02) for i in range(1, 8)},
    **{f"r{i}": (0.02, 0.06) for i in range(1, 8)},
    **{
        f"{letter}{name[1:]}": ends
        for name in TENDONS
        for letter, ends in (("t0", (20.0, 30.0)), ("k", (50.0, 100.0)), ("c", (1.0, 2.0)))
    },
    **{f"{letter}{i}": (-1.0, 1.0) for letter in ("th", "v", "dd") for i in range(1, 8)},
}
_ANGLES, _TENSIONS = np.eye(LINKS), dict(zip(TENDONS, np.eye(len(TENDONS)), strict=True))
_STILL, _LOOSE = np.zeros(LINKS), np.zeros(len(TENDONS))
_BALANCES = {  # of one link; that of link 1 without what link 2 needs about its own joint
    "27": _ANGLES[1],
    "28": _ANGLES[2],
    "29": _ANGLES[3],
    "30": _ANGLES[0] - _ANGLES[1],
}


def random_cases(seed: int = 0) -> "list[Case]":
    """Mechanisms in random states of motion."""
    rng = np.random.default_rng(seed)
    return [Case(rng) for _ in range(STATES)]


def error(term: Term, text: str, cases: "Sequence[Case]") -> float:
    """The largest difference of a text from what a term is, over the largest value of that."""
    found = np.array([case.evaluated(text) for case in cases])
    expected = np.array([case.measured(term) for case in cases])
    return float(np.abs(found - expected).max()) / (float(np.abs(expected).max()) or 1.0)


class Case:
    """The mechanism with random dimensions in a random state of motion."""

    def __init__(self, rng: np.random.Generator) -> None:
        x = {name: rng.uniform(*ends) for name, ends in RANGES.items()}
        self.x = x | {"C2": np.cos(x["th2"]), "S2": np.sin(x["th2"])}
        self.robot = _mechanism(x)
        self.q, self.v, self.a = (
            np.array([x[f"{letter}{i}"] for i in range(1, 8)]) for letter in ("th", "v", "dd")
        )

    def evaluated(self, text: str) -> float:
        """The value of a term; the texts are those of `published`."""
        return float(eval(text, {"__builtins__": {}}, self.x))

    def measured(self, term: Term) -> float:
        """The same from the recursion, without looking at any printed equation."""
        kind, _, which = term.of.partition(" ")
        if term.equation == "14":
            return self._eccentric()["xy".index(kind)]
        if term.equation == "Table 1":
            return self._centres()[which]["xy".index(kind)]
        if kind in ("tension", "stiffness", "damping"):
            parts = self.tension(which)
            return sum(parts.values()) if kind == "tension" else parts[kind]
        return -self._coefficient(_BALANCES[term.equation], kind, which)

    def _effort(self, v: Array = _STILL, a: Array = _STILL, t: Array = _LOOSE) -> Array:
        return newton_euler(self.robot, self.q, v, a, t).effort

    def _coefficient(self, row: Array, kind: str, which: str) -> float:
        if kind in TENDONS:
            return float(row @ self._effort(t=_TENSIONS[kind]))
        if kind.startswith("dd"):
            return float(row @ self._effort(a=_ANGLES[int(kind[2:]) - 1]))
        i, j = (_ANGLES[int(name[1:]) - 1] for name in (kind, which))
        both = row @ self._effort(i + j)
        if kind == which:
            return float(both) / 4
        return float(both - row @ self._effort(i) - row @ self._effort(j))

    def tension(self, name: str) -> dict[str, float]:
        """From the elongation that virtual work gives: dl/dq is the effort of a unit tension."""
        per_angle = self._effort(t=_TENSIONS[name])
        t0, k, c = (self.x[f"{letter}{name[1:]}"] for letter in ("t0", "k", "c"))
        stiffness, damping = k * float(per_angle @ self.q), c * float(per_angle @ self.v)
        return {"pretension": t0, "stiffness": stiffness, "damping": damping}

    def _centres(self) -> dict[str, Array]:
        """Accelerations of the centres of mass in link axes, from the force that they need."""
        found = newton_euler(self.robot, self.q, self.v, self.a, 0.0)
        upper, lower = found.force[:2]
        onto = found.rotation[0].T @ found.rotation[1]
        return {
            "of link 1": (upper - onto @ lower) / self.x["m1"],
            "of link 2": lower / self.x["m2"],
        }

    def _eccentric(self) -> Array:
        body = Body(mass=self.x["m3"], center=(self.x["e"], 0, 0))
        robot = Robot(name="pulley", gravity=(0, 0, 0), joints=(Revolute(name="p", body=body),))
        q, v, a = ([self.x[f"{letter}3"]] for letter in ("th", "v", "dd"))
        return newton_euler(robot, q, v, a).force[0] / self.x["m3"]


def _mechanism(x: dict[str, float]) -> Robot:
    positions = {1: (0.0, 0.0), 2: (x["a1"], 0.0), 3: (0.0, 0.0), 4: (0.0, 0.0)} | DRUMS
    joints = tuple(
        Revolute(
            name=f"link{i}",
            parent="link1" if i == 2 else "world",
            placement=Placement(position=(*position, 0.0)),
            body=Body(
                mass=x[f"m{i}"],
                center=(x[f"a{i}"] - x[f"s{i}"] if i < 3 else 0.0, 0, 0),
                inertia=(0, x[f"I{i}"], x[f"I{i}"], 0, 0, 0),
            ),
        )
        for i, position in positions.items()
    )
    tendons = tuple(
        Tendon(
            name=name,
            path=(_drum(x, *start, 1), _drum(x, *end, -1)),
            law=KelvinVoigt(
                stiffness=x[f"k{name[1:]}"], damping=x[f"c{name[1:]}"], one_sided=False
            ),
        )
        for name, (start, end) in TENDONS.items()
    )
    return Robot(name="example-1", gravity=(0, 0, 0), joints=joints, tendons=tendons)


def _drum(x: dict[str, float], link: int, sign: int, way: int) -> Pulley:
    """A cable that leaves (way 1) a drum with the centre on its left turns it to the left."""
    side: Literal["left", "right"] = "left" if sign * way > 0 else "right"
    return Pulley(frame=f"link{link}", radius=x[f"r{link}"], side=side)
