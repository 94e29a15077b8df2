"""Loops whose closures say something twice move as they must, in any orientation."""

import numpy as np
import pytest

import chorda
from chorda.describe import Placement, Point
from chorda.errors import InputError
from chorda.results.observe import accelerations
from tests.helpers.loops import (
    BENNETT_RATIO,
    ORIENTATIONS,
    TILTED,
    bennett,
    four_bar,
    parallel_gripper,
    sarrus,
)

SCHEMES = ("implicit-euler", "bdf2", "generalized-alpha", "rk4", "rosenbrock", "cvodes")
FINE = ("bdf2", "generalized-alpha", "rk4", "rosenbrock", "cvodes")


def motion(robot, scheme, duration=0.2, **initial):
    system = chorda.assemble(robot)
    how = {"duration": duration, "step": 1e-3, "initial": initial or None, "strict": True}
    return chorda.simulate(system, scheme=scheme, **how)


def energy(run):
    still = np.zeros(run.system.nu)
    ends = [
        run.system.energies(run.position[k], run.velocity[k], still, run.parameters)
        for k in (0, -1)
    ]
    first, last = (float(kinetic + potential) for kinetic, potential in ends)
    return first, last


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("where", ORIENTATIONS)
@pytest.mark.parametrize("kind", ["spherical", "revolute"])
def test_a_four_bar_moves_alike_wherever_it_stands(scheme, where, kind):
    flat = motion(four_bar(flipped=False), scheme, crank=0.4)
    found = motion(four_bar(ORIENTATIONS[where], kind), scheme, crank=0.4)
    assert np.ptp(flat.position[:, 0]) > 0.1
    assert found.position[:, :2] == pytest.approx(flat.position[:, :2], abs=1e-9)
    force = np.linalg.norm(found.outputs["reaction"][:, :3], axis=1)
    alone = np.linalg.norm(flat.outputs["reaction"][:, :2], axis=1)
    assert force == pytest.approx(alone, abs=1e-6)


@pytest.mark.parametrize("where", ["upright", "tilted"])
def test_three_parallel_bars_carry_a_plate_as_two_do(where):
    found = motion(parallel_gripper(ORIENTATIONS[where]), "rk4", a=0.4)
    assert np.ptp(found.position[:, 0]) > 0.1
    turned = found.position[:, [0, 2, 3]]  # the bars stay parallel, the plate level
    assert turned == pytest.approx(np.tile(turned[:, :1], 3), abs=1e-9)
    first, last = energy(found)
    assert last == pytest.approx(first, abs=1e-9)
    assert "not unique" in found.status.message


@pytest.mark.parametrize("scheme", FINE)
@pytest.mark.parametrize("where", ["upright", "tilted"])
def test_bennetts_linkage_turns_in_its_proportion(scheme, where):
    run = motion(bennett(ORIENTATIONS[where]), scheme, duration=0.3)
    t1, t2 = run.position[:, 0], run.position[:, 1]
    assert np.ptp(t1) > 0.3
    assert np.tan(t1 / 2) * np.tan(t2 / 2) == pytest.approx(BENNETT_RATIO, rel=1e-4)
    first, last = energy(run)
    assert last == pytest.approx(first, abs=1e-5)
    assert "not unique" in run.status.message


@pytest.mark.parametrize("where", ["upright", "tilted"])
def test_reactions_of_a_dependent_loop_are_the_least_and_the_same_in_all_schemes(where):
    runs = [motion(bennett(ORIENTATIONS[where]), scheme, duration=0.3) for scheme in FINE]
    lam = [run.outputs["reaction"][-1] for run in runs]
    for other in lam[1:]:
        assert other == pytest.approx(lam[0], rel=2e-3, abs=2e-4)
    system, run = runs[0].system, runs[0]
    J = system.closing_all(run.position[-1], [], run.parameters)[1].full()
    U, sizes, _ = np.linalg.svd(J)
    rank = int(np.sum(sizes > 1e-9))
    assert rank == system.constraints.rank < len(J)
    assert U[:, rank:].T @ lam[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha", "rk4", "cvodes"])
@pytest.mark.parametrize("where", ["upright", "tilted"])
def test_the_plate_of_sarrus_sinks_straight(scheme, where):
    run = motion(sarrus(ORIENTATIONS[where]), scheme, duration=0.1)
    a1, a2, a3, b1 = run.position.T[:4]
    assert np.ptp(a1) > 0.05
    assert a1 + a2 + a3 == pytest.approx(0, abs=1e-8)
    assert a2 == pytest.approx(-2 * a1, abs=1e-7)
    assert b1 == pytest.approx(-a1, abs=1e-7)
    first, last = energy(run)
    assert last == pytest.approx(first, abs=5e-5)


@pytest.mark.parametrize("robot", [four_bar(TILTED), parallel_gripper(TILTED), bennett(TILTED)])
def test_a_dependent_loop_rests_where_its_energy_is_least(robot):
    system = chorda.assemble(robot)
    found = chorda.equilibrium(system, strict=True)
    assert found.stability == "stable"
    assert ("not unique" in found.status.message) == bool(system.constraints.not_unique)
    gap = system.closing_all(found.q, found.u, found.parameters)[0].full()
    assert np.max(np.abs(gap)) < 1e-9
    assert found.residual < 1e-9
    still = np.zeros(system.nv)
    for k in range(system.nv):  # any way on, closed again, leads up
        start = found.q + 0.02 * np.eye(system.nv)[k]
        near = chorda.simulate(system, duration=1e-6, step=1e-6, initial=start, scheme="rk4")
        up = float(system.energies(near.position[0], still, found.u, found.parameters)[1])
        assert up > float(system.energies(found.q, still, found.u, found.parameters)[1])


def test_a_start_with_all_bars_in_line_is_refused_by_name():
    """There the parallelogram could go on as one or as an antiparallelogram."""
    with pytest.raises(InputError, match=r"initial: in this configuration.*pin\.x"):
        motion(four_bar(), "bdf2", crank=np.pi / 2)


def test_parameters_that_take_a_loop_out_of_its_plane_are_refused_by_name():
    """pin.z follows from the rest only as long as nothing is shifted along z."""
    robot = four_bar(flipped=False)
    *others, rocker = robot.joints
    rocker = rocker.model_copy(update={"placement": Placement(position=(0.3, 0, 0.01))})
    start = Point(frame="coupler", point=(0.3, 0, 0.01))
    pin = robot.closures[0].model_copy(update={"start": start})
    robot = robot.model_copy(update={"joints": (*others, rocker), "closures": (pin,)})
    system = chorda.assemble(robot)
    assert "pin.z" not in system.constraints.names
    chorda.simulate(system, duration=0.01, step=1e-3, initial={"crank": 0.4}, strict=True)
    with pytest.raises(InputError, match=r"pin\.z stays open"):
        chorda.simulate(system, duration=0.01, step=1e-3, parameters={"rocker.position.z": 0.02})


def test_a_loop_that_comes_apart_ends_the_motion(monkeypatch):
    """Half of the closures' equations are taken away behind the kernel's back."""
    from chorda.statics import loop_checks

    monkeypatch.setattr(loop_checks, "OPEN", 1e-20)
    system = chorda.assemble(bennett())
    run = chorda.simulate(system, duration=0.1, step=1e-3, scheme="implicit-euler")
    assert run.status.code == "diverged"
    assert "came apart" in run.status.message


@pytest.mark.parametrize(
    "robot", [four_bar(), four_bar(TILTED, "revolute"), parallel_gripper(TILTED), bennett(TILTED)]
)
def test_reactions_balance_the_motion(robot):
    """M a - F = J^T lam over all equations, those that are left out too."""
    start = {} if robot.name == "bennett" else {robot.joints[1].name: 0.4}
    run = motion(robot, "rk4", **start)
    system, p = run.system, run.parameters
    q, v, u = run.position, run.velocity, run.input
    a, _ = accelerations(system, q, v, u, np.repeat(p[:, None], len(q), 1))
    for k in (0, len(q) // 2, -1):
        needed = system.residual(q[k], v[k], a[k], u[k], p).full().ravel()
        J = system.closing_all(q[k], u[k], p)[1].full()
        assert np.abs(needed).max() > 1e-3
        assert J.T @ run.outputs["reaction"][k] == pytest.approx(needed, abs=1e-6)


@pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
def test_a_closure_beyond_all_numbers_is_refused_by_name():
    robot = four_bar()
    end = Point(frame="rocker", point=(1e308, 0.2, 0))
    pin = robot.closures[0].model_copy(update={"end": end})
    with pytest.raises(InputError, match=r"pin\.x, pin\.y.* beyond what numbers can hold"):
        chorda.assemble(robot.model_copy(update={"closures": (pin,)}))


@pytest.mark.parametrize("flipped", [True, False])
@pytest.mark.parametrize("where", ORIENTATIONS)
def test_a_loop_that_nothing_pulls_at_is_neutral(where, flipped):
    """What rounding leaves of its Hessian has no sign."""
    robot = four_bar(ORIENTATIONS[where], "revolute", flipped, ground=0.33, rocker=0.25)
    robot = robot.model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    found = chorda.equilibrium(chorda.assemble(robot), initial={"crank": 0.4}, strict=True)
    assert found.stability == "neutral"
    assert set(found.neutral) == {"crank", "coupler", "rocker"}


def test_the_residual_of_an_equilibrium_is_that_of_all_closures():
    system = chorda.assemble(sarrus())
    rest = chorda.equilibrium(system, strict=True)
    gap = np.max(np.abs(system.closing_all(rest.q, rest.u, rest.parameters)[0].full()))
    assert rest.residual >= gap
    assert gap < 1e-7
