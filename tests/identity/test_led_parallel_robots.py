"""Parallel robots of rods led along paths of equilibria: slow motion tends to the path, and the
motors' work is the change of energy and what damping takes."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import chorda
from chorda.describe import Robot, Rod
from chorda.mechanics.posing import frame_poses
from chorda.papers.briot2022.robots import PLANAR, SPATIAL

ROBOTS = {"rfrfr": PLANAR, "6-rfs": SPATIAL}


def damped(robot: Robot, damping: float) -> Robot:
    joints = [
        x.model_copy(update={"bend_damping": damping}) if isinstance(x, Rod) else x
        for x in robot.joints
    ]
    return robot.model_copy(update={"joints": tuple(joints)})


def printed_path(name: str, modes: int = 5, damping: float | None = None):
    """The 51 configurations of Briot2022, at rest."""
    case = ROBOTS[name]
    robot = case.make(modes, 12)
    system = chorda.assemble(robot if damping is None else damped(robot, damping))
    rest = chorda.equilibrium(system, hold=case.angles(0), strict=True)
    return chorda.follow(rest, hold=case.angles(1), points=50, strict=True)


def lead(path, duration, steps, **options):
    return chorda.simulate(
        path.system,
        duration=duration,
        step=duration / steps,
        initial=path.at(0),
        inputs=path.inputs(duration),
        strict=True,
        **options,
    )


def away(path, run, frame):
    """Distance of a frame over time from where it is at rest with the same motor angles [m]."""
    s = run.time / run.time[-1]
    there = CubicSpline(path.parameter, path.frame(frame)[0])(s**3 * (10 - 15 * s + 6 * s**2))
    here = frame_poses(run.system, [frame], run.position, run.parameters)[1][:, 0]
    return np.linalg.norm(here - there, axis=1)


def rates(run, path):
    """Those of the joints that were held, in the order of the inputs."""
    names = [name for name, _ in run.system.velocities]
    return run.velocity[:, [names.index(f"{x}.rate") for x in path.prescription.held]]


def missing(run, path):
    """Work of the motors less the change of energy and what damping took [J], and that loss."""
    T, V = run.energy
    work = np.trapezoid(np.sum(run.data["effort"].values * rates(run, path), axis=1), run.time)
    system = run.system
    D = system.function("D", "q v u p", -ca.jacobian(system.dynamics.F, system.v))
    at = run.position[0], run.velocity[0], run.input[0], run.parameters
    loss = np.trapezoid(
        np.einsum("ki,ij,kj->k", run.velocity, D(*at).full(), run.velocity), run.time
    )
    return work - (T[-1] + V[-1] - T[0] - V[0]) - loss, loss


def test_the_slower_the_motion_the_nearer_to_the_path_at_rest():
    """What inertia moves it by falls with the square of the duration."""
    path = printed_path("rfrfr")
    far = [away(path, lead(path, T, 1000), "leg1.tip") for T in (0.5, 20.0, 40.0, 80.0)]
    largest = [x.max() for x in far]
    assert largest[0] > 0.5
    assert largest[0] > 10 * largest[1] > 30 * largest[2]
    assert largest[2] / largest[3] == pytest.approx(4, rel=0.15)
    assert far[3][-1] < 1e-8


@pytest.mark.parametrize("duration", [10.0, 0.5])
def test_the_motors_of_the_planar_robot_do_the_work_that_its_energy_takes(duration):
    path = printed_path("rfrfr")
    lost = [abs(missing(lead(path, duration, n), path)[0]) for n in (1000, 2000)]
    assert lost[1] < lost[0] / 3
    assert lost[1] < 1e-3


def test_what_the_motors_give_and_the_energy_lacks_is_lost_in_damping():
    path = printed_path("rfrfr", damping=2e-3)
    (coarse, _), (fine, loss) = (missing(lead(path, 1.0, n), path) for n in (1000, 2000))
    assert loss > 0.01
    assert abs(fine) < abs(coarse) / 3
    assert abs(fine) < 1e-3 * loss


@pytest.mark.slow
def test_the_spatial_robot_is_led_and_its_motors_do_the_work():
    path = printed_path("6-rfs", modes=3)
    runs = [lead(path, 10.0, n) for n in (250, 500)]
    lost = [abs(missing(run, path)[0]) for run in runs]
    assert lost[1] < lost[0] / 3
    far = away(path, runs[1], "platform").max()
    assert away(path, lead(path, 40.0, 500), "platform").max() < far / 8


def test_efforts_of_a_slow_motion_are_those_at_rest():
    path = printed_path("rfrfr")
    run = lead(path, 80.0, 1000)
    s = run.time / 80.0
    share = s**3 * (10 - 15 * s + 6 * s**2)
    for name, efforts in path.efforts.items():
        seen = run.data["effort"].sel(actuator=f"hold-{name}").values
        there = CubicSpline(path.parameter, efforts)(share)
        np.testing.assert_allclose(seen, there, atol=2e-3 * np.abs(efforts).max())
