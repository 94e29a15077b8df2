"""What holds at the base and at the tip: tendons pay out length, and no wrench is left over.

Each tendon has one unknown g: the length of its path where the tension is prescribed; else its
tension if positive and its slack if negative, in newtons too, by a compliance of the rod
[Till2019, the variable tau or slack].
"""

from dataclasses import dataclass

import numpy as np

from chorda.continuous.tendon_rod import TendonRod
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Scales:
    """What counts as one: of the state (n), of the unknowns at the base and of the tip's balance.

    slack: metres in one newton, of each tendon, about as taut ones give way: steps of Newton's
    method that go from one to the other are then not too long.
    """

    y: Array
    unknown: Array
    tip: Array
    slack: Array


def scales(problem: TendonRod) -> Scales:
    K, rhoA = problem.constants.stiffness, problem.constants.mass
    EI, GA, L, nt = float(K[1]), float(K[4]), problem.rod.length, len(problem.cables)
    arms = [np.hypot(*cable.sheath.offset(x)) for cable in problem.cables for x in (0.0, 1.0)]
    lever = float(max([0.01 * L, *arms]))
    omega, tension = float(np.sqrt(EI / rhoA)) / L**2, EI / L / lever
    y = np.repeat([1, 1 / L, EI / L**2 / GA, omega, omega * L, L, tension], [9, 3, 3, 3, 3, nt, nt])
    g = [L if c.pulled else tension for c in problem.cables]
    return Scales(
        y,
        np.concatenate([y[9:15], g]),
        np.repeat([EI / L, EI / L**2, L], [3, 3, nt]),
        np.array([lever**2 * L / EI + c.elongation(1.0, L, 0.0)[1] for c in problem.cables]),
    )


@dataclass(frozen=True, eq=False)
class Base:
    """Tendons at the base: x and tension (2 nt), their derivatives by g, tension and slack."""

    y: Array
    by_g: Array
    tension: Array
    slack: Array


def base(problem: TendonRod, scale: Scales, g: Array, inputs: Array) -> Base:
    nt = len(problem.cables)
    y, by_g, slacks = np.zeros(2 * nt), np.zeros((2 * nt, nt)), np.zeros(nt)
    for i, cable in enumerate(problem.cables):
        if cable.pulled:
            y[i], y[nt + i], by_g[i, i] = -g[i], cable.given(inputs), -1.0
            continue
        paid = cable.paid_out(inputs)
        taut = g[i] >= 0 or cable.pushes
        tension, slack = (g[i], 0.0) if taut else (0.0, -g[i] * scale.slack[i])
        path, by_tension, by_slack = _path(problem, i, tension, slack, paid)
        y[i], y[nt + i], slacks[i] = -path, tension, slack
        by_g[i, i] = -by_tension if taut else by_slack * scale.slack[i]
        by_g[nt + i, i] = 1.0 if taut else 0.0
    return Base(y, by_g, y[nt:].copy(), slacks)


def _path(
    problem: TendonRod, i: int, tension: float, slack: float, paid: float
) -> tuple[float, float, float]:
    """Length of path that the cable fills, with derivatives by its tension and by its slack.

    Without friction that is the length itself: lead + path + slack = l* + elongation. With
    friction it is without its stretch, which then differs from point to point.
    """
    cable = problem.cables[i]
    lead, free = cable.tendon.lead, cable.reference + paid
    if problem.friction is not None:
        c = cable.compliance
        f = 1 + c * tension
        return free - (lead + slack) / f, c * (lead + slack) / f**2, -1 / f
    x, _, by_path = cable.elongation(tension, 0.0, paid)
    path = (free + x - lead - slack) / (1 - by_path)
    by_tension = cable.elongation(tension, path, paid)[1]
    return path, by_tension / (1 - by_path), -1 / (1 - by_path)
