"""Forces of closures at rest, by name: they act as the multipliers do, and none are smaller."""

import numpy as np
import pytest

import chorda
from tests.helpers.loops import TILTED, bennett, four_bar, parallel_gripper, sarrus

LOOPS = {
    "four bars": four_bar,
    "three parallel bars": parallel_gripper,
    "Bennett": bennett,
    "Sarrus": sarrus,
}
REDUNDANT = ("three parallel bars", "Bennett", "Sarrus")


def at_rest(robot):
    """Held by its first moving joint, wherever it stands."""
    system = chorda.assemble(robot)
    first = system.coordinate_names[0]
    q = chorda.simulate(system, duration=1e-3, step=1e-3, scheme="rk4").position[0]
    found = chorda.equilibrium(system, hold={first: float(q[0])}, initial=q)
    assert found.status.ok, found.status
    return found


@pytest.mark.parametrize("R", [np.eye(3), TILTED], ids=["upright", "tilted"])
@pytest.mark.parametrize("name", LOOPS)
def test_they_act_as_the_multipliers_do_and_are_the_least(name, R):
    found = at_rest(LOOPS[name](R))
    system = found.system
    named = found.reactions
    assert tuple(named) == system.constraints.all_names
    force = np.array(list(named.values()))
    point = found.q, found.u, found.parameters
    J_all, J = (f(*point)[1].full() for f in (system.closing_all, system.closing))
    scale = 1e-7 * (1 + np.abs(force).max())
    assert np.allclose(J_all.T @ force, J.T @ found.multipliers, rtol=0, atol=scale)
    least = np.linalg.lstsq(J_all.T, J_all.T @ force, rcond=1e-8)[0]
    assert np.linalg.norm(force) <= np.linalg.norm(least) * (1 + 1e-6) + 1e-9
    assert bool(found.not_unique) == (name in REDUNDANT)
    assert set(found.not_unique) <= set(named)


@pytest.mark.parametrize("name", LOOPS)
def test_a_run_that_stays_there_has_the_same(name):
    found = at_rest(LOOPS[name]())
    system = found.system
    held = system.coordinate_names[0]
    locked = chorda.describe.locked(system.robot, {held: found.position[held]})
    if not any(joint.kind != "fixed" for joint in locked.joints):
        pytest.skip("nothing moves")
    still = chorda.assemble(locked)
    rest = chorda.equilibrium(still, initial={c: found.position[c] for c in still.coordinate_names})
    run = chorda.simulate(still, duration=1e-3, step=1e-3, scheme="rk4", initial=rest)
    seen = dict(zip(run.data.closure.values.tolist(), run.data.reaction.values[0], strict=True))
    most = max(map(abs, seen.values()))
    for closure, value in rest.reactions.items():
        assert value == pytest.approx(seen[closure], abs=1e-5 * (1 + most))


def test_a_robot_without_closures_has_none():
    found = chorda.equilibrium(chorda.assemble(chorda.load("neck-1")), tensions=5.0)
    assert found.reactions == {}
    assert found.not_unique == ()
