"""Eqs. 27-30 of Recursive as they are printed, integrated: no equation of Chorda's is in here."""

from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array
from chorda.papers.recursive.example1 import ANGULAR_FREQUENCY, SEGMENTS, TwoJoints
from chorda.papers.recursive.published import TERMS, Term

LINKS = (1, 2, 3, 4)  # whose angles are unknown
BALANCES = ("30", "27", "28", "29")  # of these links
TOLERANCES = {"reltol": 1e-10, "abstol": 1e-12, "max_num_steps": 100_000}  # of CVODES


class PrintedMotion:
    """The printed equations of motion for the dimensions of an example.

    as_printed: the terms as the paper's text has them; otherwise those that differ, or cannot be
    read, are the derived ones.
    """

    def __init__(self, example: TwoJoints, as_printed: bool) -> None:
        self.example, self.as_printed = example, as_printed

    @cached_property
    def equations(self) -> Any:
        """(angles and rates of links 1-4, of drums 5-7) -> accelerations, tensions, Table 1."""
        th, v = ({i: ca.SX.sym(f"{letter}{i}") for i in range(1, 8)} for letter in ("th", "v"))
        dd = {i: ca.SX.sym(f"dd{i}") for i in LINKS}
        x: dict[str, Any] = dict(self.example.x) | {"C2": ca.cos(th[2]), "S2": ca.sin(th[2])}
        for letter, values in (("th", th), ("v", v), ("dd", dd)):
            x |= {f"{letter}{i}": value for i, value in values.items()}
        sides = ca.vertcat(*(self._right_side(balance, x) for balance in BALANCES))
        unknown = ca.vertcat(*dd.values())
        found = -ca.solve(ca.jacobian(sides, unknown), ca.substitute(sides, unknown, 0 * unknown))
        tensions = [self._tension("Table 2", name, x) for name in SEGMENTS]
        centres = [_value(t, t.printed, x) for t in TERMS if t.equation == "Table 1"]
        centre = ca.substitute(ca.vertcat(*centres), unknown, found)
        given = [ca.vertcat(*th.values()), ca.vertcat(*v.values())]
        return ca.Function("printed", given, [found, ca.vertcat(*tensions), centre])

    def _right_side(self, balance: str, x: dict[str, Any]) -> Any:
        """All terms of an equation on one side."""
        total = ca.SX(0)
        for term in (t for t in TERMS if t.equation == balance):
            kind, _, other = term.of.partition(" ")
            if kind in ("tension", "stiffness", "damping"):
                continue
            factor = self._tension(balance, kind, x) if kind in SEGMENTS else x[kind]
            if other:
                factor = factor * x[other]
            total += _value(term, self._text(term), x) * factor
        return total

    def _tension(self, equation: str, name: str, x: dict[str, Any]) -> Any:
        """O+ of what an equation has for a tension, in whole or in parts."""
        parts = [_value(t, self._text(t), x) for t in TERMS
                 if t.equation == equation and t.of.endswith(f" {name}")]  # fmt: skip
        if len(parts) > 1:
            parts.append(x[f"t0{name[1:]}"])
        return ca.fmax(sum(parts), 0)

    def _text(self, term: Term) -> str:
        return term.printed if self.as_printed and term.printed else term.derived or term.printed

    def evaluated(self, angles: Array, rates: Array) -> tuple[Array, Array, Array]:
        """Accelerations (n, 4), tensions (n, 5), Table 1 (n, 4), at states of links 1-4 (n, 4)."""
        phase = ANGULAR_FREQUENCY * self.example.run().time
        motors = self.example.motors(np.cos(phase), np.sin(phase))
        states = [np.vstack([x.T, *y]) for x, y in zip((angles, rates), motors, strict=True)]
        found = self.equations.map(len(angles))(*states)
        return tuple(np.array(y.full().T) for y in found)  # type: ignore[return-value]

    @cached_property
    def angles(self) -> Array:
        """Of the links 1 to 4 over the times of the example's run, from rest [rad]."""
        t, count = ca.SX.sym("t"), len(LINKS)
        th, v = ca.SX.sym("th", count), ca.SX.sym("v", count)
        phase = ANGULAR_FREQUENCY * t
        motors = self.example.motors(ca.cos(phase), ca.sin(phase))
        a = self.equations(*(ca.vertcat(x, *y) for x, y in zip((th, v), motors, strict=True)))[0]
        equations = {"t": t, "x": ca.vertcat(th, v), "ode": ca.vertcat(v, a)}
        time = self.example.run().time
        integrate = ca.integrator("printed", "cvodes", equations, 0, time.tolist(), TOLERANCES)
        return np.array(integrate(x0=0)["xf"].full()[:count].T)


def _value(term: Term, text: str, x: dict[str, Any]) -> Any:
    return eval(text, {"__builtins__": {}}, x)
