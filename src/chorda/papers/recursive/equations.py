"""The printed equations of the first example, term by term against recursive Newton-Euler.

The mechanism is planar: links 1 and 2, the intermediate links 3 and 4 about the first joint's axis,
the motors' drums 5, 6 and 7 [Recursive, fig. 7, tables 1-3]. The centre of mass of link i is
a_i - s_i from its joint. th1 and th3 to th7 are angles against the base (theta 1,0 and so on), th2
is that of link 2 against link 1; v1, v2 ... are their rates, dd1, dd2 ... their accelerations.

Printed terms are given as text, which is shown and evaluated alike. They follow the extracted text
of the paper; where that is not legible, or may be wrong, `doubt` says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chorda.describe import Body, KelvinVoigt, Placement, Pulley, Revolute, Robot, Tendon
from chorda.mechanics import Array
from chorda.results import Table
from chorda.tendons.reactions import newton_euler

STATES = 5  # random ones at which terms are compared
AGREE = 1e-9
LINKS = ("link1", "link2", "link3", "link4", "link5", "link6", "link7")
CORDS = {  # link and sign of the tension's moment on it: Table 3; on motors, from Table 2
    "t23": ((2, 1), (3, 1)),
    "t24": ((2, -1), (4, 1)),
    "t36": ((3, -1), (6, -1)),
    "t47": ((4, -1), (7, -1)),
    "t15": ((1, 1), (5, -1)),
}
DRUMS = {5: (-0.5, 0.3), 6: (-0.6, 0.0), 7: (-0.5, -0.3)}  # [m] on the base; any will do


@dataclass(frozen=True)
class Term:
    """A term on the right-hand side of a printed equation, or a printed quantity.

    of: what it multiplies (an acceleration such as "dd1", a product of rates such as "v1 v1", a
    tendon), or a quantity by itself. derived is empty where it is what is printed; printed is empty
    where it is not legible.
    """

    equation: str
    of: str
    printed: str
    derived: str = ""
    doubt: str = ""


_ELASTIC = {
    "t23": "t023 - k23*(r2*th2 - r3*(th1 - th3)) - c23*(r2*v2 - r3*(v1 - v3))",
    "t24": "t024 + k24*(r2*th2 + r4*(th1 - th4)) + c24*(r2*v2 + r4*(v1 - v4))",
    "t36": "t036 + k36*(r3*th3 + r6*th6) + c36*(r3*v3 + r6*v6)",
    "t47": "t047 + k47*(r4*th4 + r7*th7) + c47*(r4*v4 + r7*v7)",
    "t15": "t015 + k15*(-r1*th1 + r5*th5) + c15*(-r1*v1 + r5*v5)",
}
_TABLE_2 = {
    "t23": "t023 - k23*(r2*th2 + r3*(th3 - th1)) - c23*(r2*v2 + r3*(v3 - v1))",
    "t24": "t024 + k24*(r2*th2 - r4*(th4 - th1)) + c24*(r2*v2 - r4*(v4 - v1))",
    "t36": _ELASTIC["t36"],
    "t47": _ELASTIC["t47"],
    "t15": "t015 - k15*(r1*th1 - r5*th5) - c15*(r1*v1 - r5*v5)",
}
_STIFF = ("k24*(r3*th2 + r4*(th1 - th4))", "k24*(r2*th2 + r4*(th1 - th4))")
_DAMPED = ("c23*(r3*v2 + r4*(v1 - v4))", "c24*(r2*v2 + r4*(v1 - v4))")
_RADIUS = "as extracted; r3 may be r2 in print"

TERMS = (
    Term("Table 1", "x of link 1", "(s1 - a1)*v1**2"),
    Term("Table 1", "y of link 1", "(a1 - s1)*dd1"),
    Term("Table 1", "x of link 2", "-a1*C2*v1**2 + a1*S2*dd1 + (s2 - a2)*(v1 + v2)**2"),
    Term("Table 1", "y of link 2", "a1*C2*dd1 + a1*S2*v1**2 + (a2 - s2)*(dd1 + dd2)"),
    *(Term("Table 2", f"tension {name}", text) for name, text in _TABLE_2.items()),
    Term("27", "dd1", "-I2 - m2*(a2 - s2)*(a1*C2 + a2 - s2)"),
    Term("27", "dd2", "-I2 - m2*(a2 - s2)*(a2 - s2)"),
    Term("27", "v1 v1", "-m2*(a2 - s2)*a1*S2"),
    Term("27", "v1 v2", "0"),
    Term("27", "v2 v2", "0"),
    Term("27", "t23", "r2"),
    Term("27", "t24", "-r2"),
    Term("27", "tension t23", _ELASTIC["t23"]),
    Term("27", "stiffness t24", *_STIFF, _RADIUS),
    Term("27", "damping t24", *_DAMPED, _RADIUS),
    Term("28", "dd3", "-I3"),
    Term("28", "t23", "r3"),
    Term("28", "t36", "-r3"),
    Term("28", "tension t23", _ELASTIC["t23"]),
    Term("28", "tension t36", _ELASTIC["t36"]),
    Term("29", "dd4", "-I4"),
    Term("29", "t24", "r4"),
    Term("29", "t47", "-r4"),
    Term("29", "tension t24", _ELASTIC["t24"]),
    Term("29", "tension t47", _ELASTIC["t47"]),
    Term("30", "dd1", "-I1 - a1**2*(m1 + m2) - m1*s1**2 + a1*(2*m1*s1 - m2*(a2 - s2)*C2)"),
    Term("30", "dd2", "-a1*m2*(a2 - s2)*C2"),
    Term("30", "v1 v1", "a1*m2*(a2 - s2)*S2"),
    Term("30", "v1 v2", "2*a1*m2*(a2 - s2)*S2"),
    Term("30", "v2 v2", "a1*m2*(a2 - s2)*S2"),
    Term("30", "t23", "-(r2 + r3)"),
    Term("30", "t24", "r2 - r4", "", "as far as it is legible"),
    Term("30", "t15", "", "r1"),
    Term("30", "tension t23", _ELASTIC["t23"]),
    Term("30", "tension t24", _ELASTIC["t24"]),
    Term("30", "tension t15", _ELASTIC["t15"]),
    Term("14", "x of an eccentric pulley", "0", "-e*v3**2"),
    Term("14", "y of an eccentric pulley", "0", "e*dd3"),
)


def compare_equations(seed: int = 0) -> Table:
    """Printed against derived terms of eqs. 27-30, and of the tables they rest on.

    >>> [row for row in compare_equations().rows if row[0] == "28"][0]
    ('28', 'dd3', '-I3', '-I3', 'agrees')
    """
    rng = np.random.default_rng(seed)
    cases = [Case(rng) for _ in range(STATES)]
    rows = tuple(
        (x.equation, x.of, x.printed or "?", x.derived or x.printed, _verdict(x, cases))
        for x in TERMS
    )
    return Table(
        "Example 1 of the recursive method: printed terms and Newton-Euler",
        ("equation", "term", "printed", "derived", "verdict"),
        rows,
        "Terms of eqs. 27-30 are coefficients on the right-hand side, the inertia moved there; "
        "dd1, v1: acceleration and rate of theta 1,0. Eq. 14 takes the centre of mass of an "
        "intermediate link along with its carrier: true for balanced pulleys, as the example's.",
    )


def errors(terms: Iterable[Term], seed: int = 0) -> list[float]:
    """Relative error of each term, as derived, against Newton-Euler."""
    rng = np.random.default_rng(seed)
    cases = [Case(rng) for _ in range(STATES)]
    return [_error(x, x.derived or x.printed, cases) for x in terms]


def _verdict(term: Term, cases: "list[Case]") -> str:
    if not term.printed:
        return "not legible"
    agrees = _error(term, term.printed, cases) < AGREE
    return ("agrees" if agrees else "differs") + (f" ({term.doubt})" if term.doubt else "")


def _error(term: Term, text: str, cases: "list[Case]") -> float:
    found = np.array([case.evaluated(text) for case in cases])
    expected = np.array([case.measured(term) for case in cases])
    scale = float(np.abs(expected).max()) or 1.0
    return float(np.abs(found - expected).max()) / scale


class Case:
    """The mechanism with random dimensions in a random state of motion."""

    def __init__(self, rng: np.random.Generator) -> None:
        x = {
            "a1": rng.uniform(0.4, 0.5),
            "a2": rng.uniform(0.3, 0.4),
            "s1": rng.uniform(0.1, 0.3),
            "s2": rng.uniform(0.1, 0.2),
            "e": rng.uniform(0.01, 0.02),
        }
        x |= {f"m{i}": rng.uniform(0.5, 2) for i in range(1, 8)}
        x |= {f"I{i}": rng.uniform(0.01, 0.02) for i in range(1, 8)}
        x |= {f"r{i}": rng.uniform(0.02, 0.06) for i in range(1, 8)}
        for name in CORDS:
            x[f"t0{name[1:]}"] = rng.uniform(20, 30)
            x[f"k{name[1:]}"] = rng.uniform(50, 100)
            x[f"c{name[1:]}"] = rng.uniform(1, 2)
        for letter in ("th", "v", "dd"):
            x |= {f"{letter}{i}": rng.uniform(-1, 1) for i in range(1, 8)}
        self.x = x | {"C2": np.cos(x["th2"]), "S2": np.sin(x["th2"])}
        self.robot = _mechanism(x)
        self.q, self.v, self.a = (
            np.array([x[f"{letter}{i}"] for i in range(1, 8)]) for letter in ("th", "v", "dd")
        )

    def evaluated(self, text: str) -> float:
        """The value of a term; the texts are those of this module."""
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
        return -self._coefficient(_ROWS[term.equation], kind, which)

    def _effort(self, v: Array, a: Array, t: Array) -> Array:
        return newton_euler(self.robot, self.q, v, a, t).effort

    def _coefficient(self, row: Array, kind: str, which: str) -> float:
        none, no_pull = np.zeros(7), np.zeros(len(CORDS))
        unit = np.eye(7)
        if kind in CORDS:
            pull = np.eye(len(CORDS))[list(CORDS).index(kind)]
            return float(row @ self._effort(none, none, pull))
        if kind.startswith("dd"):
            return float(row @ self._effort(none, unit[int(kind[2:]) - 1], no_pull))
        i, j = (unit[int(name[1:]) - 1] for name in (kind, which))
        both = row @ self._effort(i + j, none, no_pull)
        if kind == which:
            return float(both) / 4
        alone = sum(row @ self._effort(x, none, no_pull) for x in (i, j))
        return float(both - alone)

    def tension(self, name: str) -> dict[str, float]:
        """From the elongation that virtual work gives: dl/dq is the effort of a unit tension."""
        pull = np.eye(len(CORDS))[list(CORDS).index(name)]
        per_angle = self._effort(np.zeros(7), np.zeros(7), pull)
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


_UNIT = np.eye(len(LINKS))
_ROWS = {  # balance of one link; that of link 1 without what link 2 needs about its own joint
    "27": _UNIT[1],
    "28": _UNIT[2],
    "29": _UNIT[3],
    "30": _UNIT[0] - _UNIT[1],
}


def _mechanism(x: dict[str, float]) -> Robot:
    places = {1: (0.0, 0.0), 2: (x["a1"], 0.0), 3: (0.0, 0.0), 4: (0.0, 0.0)} | DRUMS
    joints = tuple(
        Revolute(
            name=f"link{i}",
            parent="link1" if i == 2 else "world",
            placement=Placement(position=(*place, 0.0)),
            body=Body(
                mass=x[f"m{i}"],
                center=(x[f"a{i}"] - x[f"s{i}"] if i < 3 else 0.0, 0, 0),
                inertia=(0, x[f"I{i}"], x[f"I{i}"], 0, 0, 0),
            ),
        )
        for i, place in places.items()
    )
    tendons = tuple(
        Tendon(
            name=name,
            path=(_drum(x, *start, 1), _drum(x, *end, -1)),
            law=KelvinVoigt(stiffness=x[f"k{name[1:]}"], damping=x[f"c{name[1:]}"]),
        )
        for name, (start, end) in CORDS.items()
    )
    return Robot(name="example-1", gravity=(0, 0, 0), joints=joints, tendons=tendons)


def _drum(x: dict[str, float], link: int, sign: int, way: int) -> Pulley:
    """A cable that leaves (way 1) a drum with the centre on its left turns it to the left."""
    side: Literal["left", "right"] = "left" if sign * way > 0 else "right"
    return Pulley(frame=f"link{link}", radius=x[f"r{link}"], side=side)
