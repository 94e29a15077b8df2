"""Equilibria of a rod: Newton from the unloaded rod, and along growing loads where that fails."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from chorda.checks import number
from chorda.continuous.continuous_results import RodEquilibrium
from chorda.continuous.lifted_rod import LiftedRod
from chorda.continuous.node_refinement import OnGrid, node_accuracy, refined_nodes
from chorda.continuous.rod_grid import Pieces, pieces
from chorda.continuous.rod_stability import rod_stability
from chorda.continuous.single_shooting import Method, Solves, solver_by
from chorda.continuous.tendon_rod import TendonRod, tendon_rod
from chorda.describe import Robot
from chorda.dynamics.signals import Signal, sampled_by_name
from chorda.mechanics import Array
from chorda.mechanics.tensioning import refuse_pushing_inputs
from chorda.numerics.continuation import settled
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.newton import Outcome
from chorda.numerics.one_thread import one_thread
from chorda.numerics.runge_kutta_steps import tableau
from chorda.results import Code, Status
from chorda.results.late import Late
from chorda.results.space_accuracy import SpaceAccuracy

MAX_ITERATIONS, STEP_ITERATIONS = 40, 12  # with all loads at once, and in a load step
USUAL_NODES = 61
SHORTEST_STEP = 1e-4  # part of the loads below which load steps are given up


@interruptible()
@one_thread()
def rod_statics(
    robot: Robot,
    inputs: Mapping[str, float] | float | None = None,
    *,
    integrator: str = "rk4",
    nodes: int | None = None,
    accuracy: float | None = None,
    tolerance: float = 1e-9,
    method: Method = "all-nodes",
) -> RodEquilibrium:
    """Equilibrium of one rod with its tendons, all six strains continuous along it.

    Parameters
    ----------
    robot : Robot
        One rod on the world.
    inputs : mapping or float, optional
        Of the actuators by name: tension [N] or paid-out length [m]; zero if not given.
    integrator : {"euler", "rk4", "gauss4", "gauss6"}
        Along the rod.
    nodes : int, optional
        How many along the rod; if not given 61, and 12 for each turn of a helical sheath.
    accuracy : float, optional
        [m] of the tip and the nodes; there are twice as many nodes until the estimated error is
        below it.
    tolerance : float
        Of every equation, scaled by the rod's stiffness and length.
    method : {"all-nodes", "single-shooting"} or SingleShooting
        'all-nodes': Newton's method for all nodes at once. 'single-shooting': for the base alone,
        from which the rod is marched, by Levenberg's method as in the chapter of [Till2019]; with
        euler or rk4. SingleShooting(...) has variants of it.

    Returns
    -------
    RodEquilibrium
        Its status says whether it is one, and `accuracy` how far it may be from where more nodes
        would have it, by solutions with half and a quarter of the nodes.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    rod_dynamics : its motion.
    shooting : several rods that are joined.

    Examples
    --------
    >>> from chorda.describe import Circle, Load, Point, Robot, Rod
    >>> steel = {"section": Circle(radius=1e-3), "young_modulus": 2e11, "density": 7800}
    >>> weight = Load(name="weight", at=Point(frame="rod.tip"), force=(0, -0.1, 0))
    >>> robot = Robot(name="beam", joints=[Rod(name="rod", length=0.5, **steel)], loads=[weight])
    >>> rod_statics(robot).tip.round(4).tolist()
    [0.4983, -0.0383, 0.0]
    """
    if accuracy is not None:
        number("accuracy", accuracy, above=0, unit="m")
    solver_of, problem, along = solver_by(method), tendon_rod(robot), tableau(integrator)
    u = inputs_at(problem, inputs, 0.0)
    rod = LiftedRod(problem, pieces(problem, nodes, USUAL_NODES), along)
    first = OnGrid(rod, *rod_settled(rod, u, tolerance, solver_of(rod)))
    if not first.out.converged:
        return _result(first, u, _status(first.out, first.load, tolerance))

    def solve(on: Pieces, near: OnGrid) -> OnGrid | None:
        other = LiftedRod(problem, on, along, rod.equations)
        guess, at = other.resampled(near.rod, near.out.x), other.resting(u)
        limits: dict[str, Any] = {"tolerance": tolerance, "iterations": MAX_ITERATIONS}
        out = solver_of(other).solved(guess, at, **limits)
        return OnGrid(other, out, 1.0) if out.converged else None

    best, met = first, True
    estimate = Late[SpaceAccuracy | None](lambda: node_accuracy(first, [], solve))
    if accuracy is not None:
        best, error, met = refined_nodes(first, accuracy, solve)
        estimate = Late.known(error)
    status = _status(best.out, best.load, tolerance)
    if not met:
        message = f"accuracy: {accuracy:g} m is not met with {len(best.rod.grid.s)} nodes."
        status = Status(Code.NOT_CONVERGED, f"{message} {error.message()}")
    found = replace(_result(best, u, status), estimate=estimate)
    if not met:
        return found
    late = Late(partial(rod_stability, robot, found))

    def remark() -> str:
        error = estimate()
        large = error.message() if error is not None and error.is_large() else ""
        return f"{large} {late().remark}".strip()

    return replace(found, judgement=late, status=found.status.with_late_remark(remark))


def _result(found: OnGrid, inputs: Array, status: Status) -> RodEquilibrium:
    rod, out = found.rod, found.out
    base = out.value.base
    y, wrench = rod.y(out.x), rod.wrenches(out.x, rod.resting(inputs))
    return RodEquilibrium(
        s=rod.grid.s,
        position=rod.positions(out.value),
        rotation=y[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1),
        strain=y[:, 9:15],
        force=wrench[:, 3:],
        moment=wrench[:, :3],
        tension=base.tension,
        slack=base.slack,
        path=-base.y[: rod.nt],
        residual=out.residual,
        iterations=out.iterations,
        status=status,
    )


def inputs_at(problem: TendonRod, inputs: Signal, t: float) -> Array:
    """One number for each actuator at time t; actuators that are not named get zero."""
    return inputs_along(problem, inputs(t) if callable(inputs) else inputs, np.array([t]))[0]


def inputs_along(problem: TendonRod, inputs: Signal, times: Array) -> Array:
    """The same at many times, as rows."""
    if callable(inputs):  # which may return them by name
        return np.array([inputs_at(problem, inputs, t) for t in times.tolist()])
    names = tuple(actuator.name for actuator in problem.robot.actuators)
    values = sampled_by_name(names, names, inputs, times)
    refuse_pushing_inputs(problem.robot, dict(zip(names, values.T, strict=True)))
    return np.broadcast_to(values, (len(times), len(names)))


def rod_settled(
    rod: LiftedRod, inputs: Array, tolerance: float, solver: Solves | None = None
) -> tuple[Outcome[Array], float]:
    """From the unloaded rod to the whole load, or to the part of it that could be reached.

    solver: of all nodes at once if not given.
    """
    by = solver or rod

    def solve(load: float, x: Array, iterations: int) -> Outcome[Array]:
        at = rod.resting(inputs * load, load)
        return by.solved(x, at, tolerance=tolerance, iterations=iterations)

    return settled(
        solve,
        rod.at_rest(),
        at_once=MAX_ITERATIONS,
        in_step=STEP_ITERATIONS,
        shortest=SHORTEST_STEP,
        predict=lambda before, x, ratio: x + ratio * (x - before),
    )


def _status(out: Outcome[Array], load: float, tolerance: float) -> Status:
    if out.converged:
        return Status(Code.CONVERGED, f"Equilibrium found; largest residual {out.residual:.1e}.")
    return Status(
        Code.NOT_CONVERGED,
        f"No equilibrium found: the largest scaled residual is {out.residual:.1e}, not below "
        f"{tolerance:.0e}; loads could be raised to {load:.1%}. More nodes, or smaller tensions "
        "and displacements, may help; beyond a buckling load there may be none nearby.",
    )
