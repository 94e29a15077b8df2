"""Rods under loads along them in the verbs: motion, batches, exports, functions chosen."""

import numpy as np
import pytest

import chorda
from chorda.describe import DistributedLoad, Modes, RodFrame, WrenchActuator
from tests.helpers.rod_robots import EI, L, pose, robot, rod

Q = EI / L**3
LOAD = DistributedLoad(name="wind", rod="rod", fy=6 * Q, follows=True)
PUSH = WrenchActuator(name="push", at={"frame": "rod.middle"}, components=("fy",))
OWN = {"frames": (RodFrame(name="middle", at=0.5 * L),), "bend_damping": 1e-4}
COMMON = {"duration": 0.02, "step": 1e-3, "scheme": "bdf2"}


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(robot(rod(**OWN), distributed_loads=(LOAD,), actuators=(PUSH,)))


def test_a_motion_from_rest_stays_there(system):
    rest = chorda.equilibrium(system, inputs={"push.fy": Q * L}, strict=True)
    run = chorda.simulate(system, initial=rest, strict=True, **COMMON)
    assert np.abs(run.position - rest.q).max() < 1e-6 * np.abs(rest.q).max()


def test_schemes_agree_on_a_loaded_rod(system):
    fine = {"duration": 0.02, "step": 1e-4, "strict": True, "inputs": {"push.fy": Q * L}}
    ends = [
        chorda.simulate(system, scheme=scheme, **fine).position[-1]
        for scheme in ("bdf2", "generalized-alpha", "implicit-euler")
    ]
    size = np.abs(ends[1]).max()
    np.testing.assert_allclose(ends[0], ends[1], atol=2e-3 * size)
    np.testing.assert_allclose(ends[2], ends[1], atol=5e-2 * size)


def test_rollouts_vary_the_load(system):
    many = chorda.rollout(system, parameters={"wind.fy0": np.array([Q, 6 * Q])}, **COMMON)
    for m, value in enumerate((Q, 6 * Q)):
        alone = chorda.simulate(system, parameters={"wind.fy0": value}, **COMMON)
        np.testing.assert_allclose(many.position[m, -1], alone.position[-1], rtol=1e-9)


def test_many_equilibria_vary_the_force(system):
    known = chorda.equilibrium(system, strict=True)
    values = np.linspace(0, Q * L, 4)
    found = chorda.equilibrium_batch(known, inputs={"push.fy": values})
    for k, value in enumerate(values):
        alone = chorda.equilibrium(system, inputs={"push.fy": value}, strict=True)
        np.testing.assert_allclose(found.q[k], alone.q, atol=1e-7)


def test_functions_are_chosen_under_the_load():
    """A force out of the plane, though it is only an input, keeps the rod from being planar."""
    load = DistributedLoad(name="wind", rod="rod", fy=20 * Q)
    push = WrenchActuator(name="push", at={"frame": "rod.tip"}, components=("fz",))
    auto = {"modes": Modes(auto=True, accuracy=1e-4)}
    own = rod().model_copy(update=auto)
    flat = chorda.assemble(robot(own, distributed_loads=(load,)))
    deep = chorda.assemble(robot(own, distributed_loads=(load,), actuators=(push,)))
    assert flat.robot.joints[0].modes.bend_y == 0
    assert deep.robot.joints[0].modes.bend_y > 0
    rest = chorda.equilibrium(flat, strict=True)
    assert rest.accuracy.worst < 1e-4
    assert pose(flat, rest.q)[1][1] > 0.3 * L


def test_c_code_of_a_loaded_rod_is_the_library(tmp_path, system):
    made = chorda.export(system, tmp_path / "rod", to="c", scheme="bdf2")
    header = next(x for x in made.files if x.suffix == ".h").read_text()
    assert "wind.fy0" in header
    assert "push.fy" in header
