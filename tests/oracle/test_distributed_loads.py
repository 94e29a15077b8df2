"""Loads along rods and bodies on them: strain modes against the continuous model without modes."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_dynamics, rod_statics
from chorda.describe import Body, DistributedLoad, RodFrame, Sheath, Tendon, TensionActuator
from tests.helpers.rod_robots import EI, PRECISE, L, pose, robot, rod, settled

SPACE = {"twist": 6, "bend_y": 9, "bend_z": 9, "stretch": 6, **PRECISE}
ALL = {**SPACE, "shear_y": 6, "shear_z": 6}
Q = EI / L**3
LOADS = {
    "dead": DistributedLoad(name="w", rod="rod", fy=20 * Q, fz=(0, 9 * Q)),
    "following": DistributedLoad(name="w", rod="rod", fx=-4 * Q, fy=(12 * Q, -3 * Q), follows=True),
    "a moment": DistributedLoad(name="w", rod="rod", mz=3 * Q * L, mx=(0.5 * Q * L,)),
    "on a part": DistributedLoad(name="w", rod="rod", fy=40 * Q, start=0.2 * L, end=0.6 * L),
}


def breaks(load):
    at = [x for x in (load.start, load.end) if x]
    return {"breaks": tuple(at)} if at else {}


@pytest.mark.parametrize("name", LOADS)
def test_equilibria_by_modes_are_those_of_the_continuous_rod(name):
    load = LOADS[name]
    described = robot(rod({**ALL, **breaks(load)}), distributed_loads=(load,))
    rest = settled(described)
    exact = rod_statics(described, nodes=161)
    assert exact.status.ok
    tip = pose(rest.system, rest.q)[1]
    np.testing.assert_allclose(tip, exact.tip, atol=2e-6)
    assert np.linalg.norm(tip - [L, 0, 0]) > 0.2 * L
    assert rest.accuracy.worst < 1e-5


def test_the_estimated_error_of_few_modes_is_the_true_one():
    load = LOADS["following"]
    few = robot(rod({"bend_z": 3, "stretch": 1, **PRECISE}), distributed_loads=(load,))
    rest = settled(few)
    exact = settled(robot(rod({"bend_z": 12, "stretch": 4, **PRECISE}), distributed_loads=(load,)))
    missed = np.linalg.norm(pose(rest.system, rest.q)[1] - pose(exact.system, exact.q)[1])
    assert missed > 1e-6
    assert rest.accuracy.worst == pytest.approx(missed, rel=0.2)


BODY = Body(mass=0.004, center=(0.002, 0.01, -0.004), inertia=(4e-7, 5e-7, 6e-7, 5e-8, 0, 4e-8))


def test_a_body_along_a_rod_bends_it_as_it_does_the_continuous_one():
    frames = (RodFrame(name="box", at=0.6 * L, body=BODY),)
    own = rod({**ALL, "breaks": (0.6 * L,)}, frames=frames)
    described = robot(own, gravity=(0, -2, 1))
    rest = settled(described)
    exact = rod_statics(described, nodes=161)
    np.testing.assert_allclose(pose(rest.system, rest.q)[1], exact.tip, atol=2e-6)
    light = settled(robot(rod(SPACE), gravity=(0, -2, 1)))
    assert np.linalg.norm(pose(light.system, light.q)[1] - exact.tip) > 0.02


def test_a_body_along_a_rod_moves_with_it_as_with_the_continuous_one():
    """Inertia about its centre of mass, which is off the rod's axis; a tendon shakes the rod."""
    frames = (RodFrame(name="box", at=0.6 * L, body=BODY),)
    modes = {"twist": 4, "bend_y": 5, "bend_z": 5, "stretch": 2, "breaks": (0.6 * L,)}
    damped = {"bend_damping": 2e-5, "twist_damping": 2e-5, "stretch_damping": 1.0}
    tendon = Tendon(name="t", sheaths=(Sheath(rod="rod", y=0.004, z=0.003),), actuator="pull")
    described = robot(
        rod(modes, frames=frames, **damped),
        gravity=(0, -3, 1),
        tendons=(tendon,),
        actuators=(TensionActuator(name="pull"),),
    )

    def pull(t):
        return 0.2 + 15 * t

    system = chorda.assemble(described)
    start = chorda.equilibrium(system, inputs={"pull": 0.2}, strict=True)
    common = {"duration": 0.1, "step": 5e-4}
    run = chorda.simulate(
        system, initial=start, inputs={"pull": pull}, scheme="bdf2", strict=True, **common
    )
    exact = rod_dynamics(described, pull, nodes=61, **common)
    ours = np.array([pose(system, q)[1] for q in run.position[::40]])
    assert np.linalg.norm(ours[-1] - ours[0]) > 0.02
    np.testing.assert_allclose(ours, exact.tip[::40], atol=1e-4)
