"""The error of rods from the same equilibrium with more functions: for any robot, and slower."""

import numpy as np

from chorda.describe import Robot, Rod
from chorda.mechanics import Array, assemble
from chorda.mechanics.contacts.passing import passed
from chorda.mechanics.posing import frame_poses
from chorda.results.space_accuracy import LARGE, SpaceAccuracy
from chorda.statics.branch import solved_from
from chorda.statics.cold_start import start_state
from chorda.statics.problem import Problem
from chorda.statics.rod_refinement import carried_coordinates, finer

MAX_ITERATIONS = 100


def hierarchical_accuracy(problem: Problem, x: Array, target: Array) -> SpaceAccuracy | None:
    """The error of a solution, against rods with half as many functions again and twice the
    intervals; the part of the intervals, against those alone.

    None where there are no rods, or where the finer ones have no solution nearby.
    """
    robot = problem.system.robot
    rods = [joint for joint in robot.joints if isinstance(joint, Rod)]
    if not rods:
        return None
    frames = tuple(
        dict.fromkeys([*(f"{rod.name}.tip" for rod in rods), *problem.prescription.frames])
    )
    here = _positions(problem, x, frames)
    more_intervals = finer(robot, functions=False, intervals=True)
    more = finer(robot, functions=True, intervals=True)
    error, integration = (
        np.zeros(len(frames)) if other is None else _apart(problem, x, target, other, frames, here)
        for other in (more, more_intervals)
    )
    if error is None or integration is None:
        return None
    size = max(rod.length for rod in rods)
    reliable = bool(np.all(error < LARGE * size))
    return SpaceAccuracy(frames, error, np.minimum(integration, error), reliable, size)


def _positions(problem: Problem, x: Array, frames: tuple[str, ...]) -> Array:
    q, _, tau = problem.parts(x)
    p = problem.inputs_and_parameters(tau)[1]
    return frame_poses(problem.system, frames, q[None], p)[1][0]


def _apart(
    problem: Problem, x: Array, target: Array, robot: Robot, frames: tuple[str, ...], here: Array
) -> Array | None:
    """How far frames of the same equilibrium of another description are away [m]."""
    before = problem.system
    system = assemble(robot, "rigid" if before.mode == "rigid" else "elastic")
    other = Problem(system, problem.prescription, problem.u, problem.p, compiled=False)
    named = carried_coordinates(before, problem.parts(x)[0], system)
    q = np.array([named.get(name, 0.0) for name in system.coordinate_names])
    found, _ = solved_from(other, start_state(other, q, target), target, MAX_ITERATIONS)
    if found is None:
        return None
    after, _, tau = other.parts(found)
    if system.touches and passed(system, q, after, other.inputs_and_parameters(tau)[1]).any():
        return None  # another equilibrium, on the other side of an obstacle
    return np.asarray(np.linalg.norm(_positions(other, found, frames) - here, axis=1))
