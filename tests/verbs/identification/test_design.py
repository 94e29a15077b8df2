"""Designed motions tell parameters apart better than random ones, within the same limits."""

import os
import signal

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, from_file
from chorda.errors import InputError
from chorda.identification.designing.candidates import Limits
from chorda.identification.designing.design import design
from chorda.identification.designing.excitation import Excitation, periodic_rates
from tests.helpers.recordings import finger

QUICK = {"duration": 8.0, "harmonics": 3, "tries": 8, "iterations": 6}
ROBOTS = {
    "neck": (chorda.neck(3), Limits(tension=(5.0, 60.0))),
    "finger": (finger(), Limits(tension=(1.0, 20.0), rate=2.0, joints={"middle": (-0.5, 0.6)})),
}


def unknowns(robot):
    owners = [x.name for x in (*robot.tendons, *robot.actuators)]
    return [f"{o}.{k}" for o in owners for k in ("stiffness", "damping", "dry_torque")]


@pytest.fixture(scope="module", params=list(ROBOTS))
def made(request):
    robot, limits = ROBOTS[request.param]
    system = chorda.assemble(robot)
    names = [n for n in unknowns(robot) if n in system.parameter_names]
    return system, names, limits, design(system, names, limits=limits, **QUICK)


def test_it_excites_clearly_better_than_the_median_random_motion(made):
    _, names, _, found = made
    assert found.parameters == tuple(sorted(names, key=found.parameters.index))
    assert found.condition < 0.8 * found.condition_random
    assert found.status.code == "completed"


def test_all_limits_hold_on_a_fine_grid_the_beginning_included(made):
    system, _, limits, found = made
    t = np.linspace(0, found.reference.fade + found.duration, 20001)
    x, v, a = found.reference(t)
    allowed = {limit.name: limit for limit in found.limits}
    for i, c in enumerate(c for c in system.coordinates if c.kind == "joint"):
        for name, y in ((c.name, x), (f"{c.name}.rate", v), (f"{c.name}.acceleration", a)):
            assert np.min(y[:, i]) >= allowed[name].low - 1e-9
            assert np.max(y[:, i]) <= allowed[name].high + 1e-9
    assert all(limit.holds for limit in found.limits)
    assert np.min(found.tension) >= limits.tension[0]
    assert np.max(found.tension) <= limits.tension[1]
    assert x[0] == pytest.approx(system.rest[: x.shape[1]])


def test_the_same_seed_gives_the_same_motion_and_another_one_another(made):
    system, names, limits, _ = made
    few = {**QUICK, "tries": 3, "iterations": 1}
    one, two, other = (design(system, names, limits=limits, seed=s, **few) for s in (1, 1, 2))
    assert one.reference == two.reference
    assert one.condition == two.condition
    assert one.reference != other.reference


def test_planned_tensions_and_motors_satisfy_the_equations_of_motion(made):
    system, _, _, found = made
    excitation = Excitation(system, system.parameter_values, [0])
    n = 16 * 8 * QUICK["harmonics"]
    q = found.position[-n:]
    v, a = periodic_rates(q, found.duration)
    u = excitation.inputs(q, v, a, found.tension[-n:])
    p = np.repeat(system.parameter_values[:, None], n, 1)
    missing = np.asarray(system.residual(q.T, v.T, a.T, u.T, p)).T
    # what is left on the joints is the tendons' damping, which static stretching leaves out
    rate = np.max(np.abs(np.diff(found.tension[-n:], axis=0))) * n / found.duration
    slack = max(1e-3 * rate, 1e-9)
    assert np.max(np.abs(missing[:, excitation.joints :])) < 1e-9
    assert np.max(np.abs(missing[:, : excitation.joints])) < slack


def test_a_controller_follows_the_saved_motion(made, tmp_path):
    system, _, limits, found = made
    table = from_file(found.save(tmp_path / "motion.csv"))
    t = np.linspace(0, found.time[-1], 101)
    np.testing.assert_allclose(table(t)[0], found.reference(t)[0], atol=1e-4)
    control = JointControl(table, frequency=20.0, minimum_tension=limits.tension[0])
    start = {"tension": 2 * limits.tension[0]}
    run = chorda.simulate(system, duration=1.0, step=1e-3, control=control, initial=start)
    assert run.status.ok
    assert found.motors(t)[0].shape == (101, system.nu)


def test_limits_that_no_tensions_meet_are_refused_with_a_remedy():
    system = chorda.assemble(chorda.neck(2))
    with pytest.raises(InputError, match="to widen `tension`"):
        design(system, ["*.dry_torque"], limits=Limits(tension=(5.0, 5.001)), **QUICK)


def test_what_has_no_effect_is_named():
    system = chorda.assemble(chorda.neck(2))  # its tendons' laws do not see their length
    with pytest.raises(InputError, match=r"right2\.lead has no effect"):
        design(system, ["right2.lead", "left.stiffness"], **QUICK)
    with pytest.raises(InputError, match="elastic"):
        design(chorda.assemble(chorda.neck(2), "rigid"), ["*.dry_torque"], **QUICK)


def test_ctrl_c_keeps_the_best_so_far(monkeypatch):
    from chorda.identification.designing.candidates import Candidates

    plain, count = Candidates.cost, []

    def interrupted(self, z):
        count.append(1)
        if len(count) == 12:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(self, z)

    monkeypatch.setattr(Candidates, "cost", interrupted)
    found = design(chorda.assemble(chorda.neck(1)), ["*.dry_torque", "left.stiffness"], **QUICK)
    assert found.status.code == "interrupted"
    assert np.isfinite(found.condition)
    assert all(limit.holds for limit in found.limits)
