"""A rod marched from its base to its tip, interval after interval, in one function."""

from typing import Any

import casadi as ca

from chorda.compile.point_functions import compiled
from chorda.continuous.lifted_rod import LiftedRod
from chorda.continuous.rod_equations import TENDONS
from chorda.mechanics.frames import Expr

JUMP_ITERATIONS = 6  # of Newton's method, for the state behind a station


def rod_march(rod: LiftedRod) -> Any:
    """(y at the base, history, c) -> y at all nodes (n, nodes), and what is left at the tip."""
    S, N, nz, jumps = rod.S, rod.N, rod.equations.history, dict(rod.grid.jumps)
    y, c = ca.MX.sym("y", rod.n), ca.MX.sym("c", 2)
    history = ca.MX.sym("history", (S * N + rod.nodes) * nz)
    within = ca.reshape(history[: S * N * nz], nz, S * N)  # the stages of an interval
    z = ca.reshape(history[S * N * nz :], nz, rod.nodes)
    step, nodes, here, done = _step(rod), [y], 0, 0
    while here < rod.nodes - 1:
        before = nodes[-1][:, -1]
        if here in jumps:
            nodes.append(_behind(rod, jumps[here], before, z[:, here], z[:, here + 1], c))
            here += 1
            continue
        end = min((node for node in jumps if node > here), default=rod.nodes - 1)
        count = end - here
        part = slice(done, done + count)
        points = rod.grid.points[:, part].transpose(0, 2, 1).reshape(-1, count)
        past = ca.vertcat(*[within[:, i * N + done : i * N + done + count] for i in range(S)])
        h, shared = rod.grid.h[None, part], ca.repmat(c, 1, count)
        nodes.append(step.mapaccum(count)(before, points, past, h, shared))
        here, done = end, done + count
    y_tip, z_tip = nodes[-1][:, -1], z[:, -1]
    wrench = rod.equations.stations[-1](y_tip, y_tip, z_tip, z_tip, c, rod.p)[0]
    left = ca.vertcat(wrench, y_tip[TENDONS : TENDONS + rod.nt])
    return ca.Function("march", [y, history, c], [ca.horzcat(*nodes), left])


def _behind(rod: LiftedRod, station: int, y: Expr, z: Expr, z_behind: Expr, c: Expr) -> Expr:
    found = y
    for _ in range(JUMP_ITERATIONS):
        found = rod.equations.stations[station](y, found, z, z_behind, c, rod.p)[0]
    return found


def _step(rod: LiftedRod) -> Any:
    """One interval: (y, points and histories of its stages one above the other, h, c) -> y."""
    _, value = compiled(rod.equations.slopes, rod.equations.value)
    size, nz = 1 + rod.problem.flags, rod.equations.history
    y, points = ca.MX.sym("y", rod.n), ca.MX.sym("points", rod.S * size)
    z, h, c = ca.MX.sym("z", rod.S * nz), ca.MX.sym("h"), ca.MX.sym("c", 2)
    slopes: list[Expr] = []

    def moved(weights: Any) -> Expr:
        change = [w * k for w, k in zip(weights, slopes, strict=False) if w]
        return y + h * sum(change[1:], change[0]) if change else y

    for i, row in enumerate(rod.method.a):
        at, past = points[i * size : (i + 1) * size], z[i * nz : (i + 1) * nz]
        slopes.append(value(at, moved(row), past, c, rod.p))
    return ca.Function("step", [y, points, z, h, c], [moved(rod.method.b)])
