"""Equilibria of a rod: Newton from the unloaded rod, and along growing loads where that fails."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from chorda.continuous.rod.inputs import constant
from chorda.continuous.rod.march import Iterate, March
from chorda.continuous.rod.newton import Outcome, newton
from chorda.continuous.rod.problem import problem
from chorda.continuous.rod.results import RodEquilibrium
from chorda.continuous.rod.tableaus import tableau
from chorda.describe import Robot
from chorda.mechanics import Array
from chorda.results.status import Code, Status

ITERATIONS = 40
SMALLEST = 1e-4  # share of the loads below which load steps are given up
LEFT = 0.7  # of the step in a load step that took few iterations, the step grows by 1 / LEFT


@dataclass(frozen=True, eq=False)
class Settled:
    """The last outcome, how much of the load it carries, and all iterations."""

    outcome: Outcome
    share: float
    iterations: int


def rod_statics(
    robot: Robot,
    inputs: Mapping[str, float] | float | None = None,
    *,
    integrator: str = "rk4",
    nodes: int = 61,
    tolerance: float = 1e-9,
) -> RodEquilibrium:
    """Equilibrium of one rod with its tendons, all six strains continuous along it.

    inputs: of the actuators by name, tension [N] or paid-out length [m]. integrator: euler, rk4,
    gauss4, gauss6, along `nodes` nodes. tolerance: of every equation, scaled.

    >>> from chorda.describe import Circle, Load, Point, Robot, Rod
    >>> steel = {"section": Circle(radius=1e-3), "young_modulus": 2e11, "density": 7800}
    >>> weight = Load(name="weight", at=Point(frame="rod.tip"), force=(0, -0.1, 0))
    >>> robot = Robot(name="beam", joints=[Rod(name="rod", length=0.5, **steel)], loads=[weight])
    >>> rod_statics(robot).tip.round(4).tolist()
    [0.4983, -0.0383, 0.0]
    """
    march = March(problem(robot), nodes, tableau(integrator))
    u = constant(march.problem, inputs)
    found = settle(march, u, tolerance)
    return equilibrium(march, found, u, tolerance)


def settle(march: March, inputs: Array, tolerance: float) -> Settled:
    """From the unloaded rod to the whole load."""
    x = march.at_rest()
    whole = march.setting(inputs)
    first = newton(march, x, whole, tolerance=tolerance, most=ITERATIONS)
    if first.converged:
        return Settled(first, 1.0, first.iterations)
    share, step, total = 0.0, 0.25, first.iterations
    last, before = first, None
    while share < 1 and step > SMALLEST:
        to = min(1.0, share + step)
        at = march.setting(inputs * to, load=to)
        guess = x if before is None else _beyond(before[0], x, (to - share) / (share - before[1]))
        out = newton(march, guess, at, tolerance=tolerance, most=12)
        total += out.iterations
        if out.converged:
            before, x, share, last = (x, share), out.x, to, out
            step *= 1 / LEFT if out.iterations < 8 else LEFT
        else:
            step /= 2
    if share == 1:
        return Settled(last, 1.0, total)
    whole_miss = newton(march, x, whole, tolerance=tolerance, most=0)
    return Settled(whole_miss, share, total)


def _beyond(a: Iterate, b: Iterate, share: float) -> Iterate:
    """On the line from a through b."""
    return Iterate(*(y + share * (y - x) for x, y in ((a.y, b.y), (a.g, b.g), (a.k, b.k))))


def equilibrium(march: March, found: Settled, inputs: Array, tolerance: float) -> RodEquilibrium:
    out = found.outcome
    y, at = out.x.y, march.setting(inputs)
    eq = march.equations
    places = np.zeros((len(y), 1 + march.nt))
    places[:, 0] = march.grid.s
    inside = [
        eq.inside(s, a, at.at_nodes[0], at.c, march.p) for s, a in zip(places, y, strict=True)
    ]
    return RodEquilibrium(
        march.grid.s,
        march.positions(out.missed),
        y[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1),
        y[:, 9:15],
        np.array([n.full().ravel() for n, _ in inside]),
        np.array([m.full().ravel() for _, m in inside]),
        out.missed.base.tension,
        out.missed.base.slack,
        -out.missed.base.y[: march.nt],
        out.residual,
        found.iterations,
        _status(out, found.share, tolerance),
    )


def _status(out: Outcome, share: float, tolerance: float) -> Status:
    if out.converged:
        return Status(Code.CONVERGED, f"Equilibrium found; largest residual {out.residual:.1e}.")
    return Status(
        Code.NOT_CONVERGED,
        f"No equilibrium found: the largest scaled residual is {out.residual:.1e}, not below "
        f"{tolerance:.0e}; loads could be raised to {share:.1%}. More nodes, or smaller tensions "
        "and displacements, may help; beyond a buckling load there may be none nearby.",
    )
