"""Friction of joints by bristles and loads, as far as it can be identified."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, JointEffort, Revolute, Robot
from chorda.errors import InputError
from chorda.identification import Measured, refine
from chorda.identification.regressors import Regressor
from chorda.identification.samples import Samples
from chorda.identification.unknowns import choose
from tests.helpers.evaluate import random_state
from tests.helpers.rubbing_robots import loaded_joints

TRUTH = {"hinge.dry_torque": 0.2, "hinge.dry_deflection": 0.02}


def pendulum(**law):
    body = Body(mass=0.5, center=(0, -0.2, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    joint = Revolute(name="hinge", body=body, dry_friction={"kind": "bristle", **law})
    effort = JointEffort(name="push", joint="hinge")
    return chorda.assemble(Robot(name="pendulum", joints=(joint,), actuators=(effort,)))


def test_bristles_are_refined_by_simulation_error():
    """From the motion alone, with the deflection at its start unknown too."""
    options = {"duration": 2.0, "step": 2e-3, "scheme": "newmark", "inputs": pushes}
    run = chorda.simulate(pendulum(torque=0.2, deflection=0.02), **options)
    system = pendulum(torque=0.3, deflection=0.015)
    seen = [Measured("hinge", run.time, run.position[:, 0], 1e-4)]
    found = refine(system, list(TRUTH), time=run.time, inputs=run.input, measured=seen)
    assert found.status.ok
    assert dict(found.values) == pytest.approx(TRUTH, rel=1e-3)


def pushes(t):
    return [0.8 * np.sin(4 * t)]


def test_the_coefficient_of_a_load_is_linear_in_the_equations():
    system = chorda.assemble(loaded_joints("tanh", slope=5.0))
    unknowns = choose(system, ["joint2.dry_coefficient"])
    q, v, u, a = random_state(system, np.random.default_rng(0), size=0.1)
    q[3:] -= 0.5
    samples = Samples(np.zeros(1), *(x[None, :] for x in (q, v, a, u)))
    found = Regressor(system, unknowns)(samples, system.parameters())
    ends = [
        system.residual(q, v, a, u, system.parameters({"joint2.dry_coefficient": c})).full()
        for c in (0.0, 1.0)
    ]
    by_hand = (ends[0] - ends[1])[:, 0]
    assert np.abs(by_hand).max() > 1e-5
    row = [name for name, _ in system.velocities].index("joint2.rate")
    assert found.W[0, found.names.index("joint2"), 0] == pytest.approx(by_hand[row])


def test_tensions_cannot_be_eliminated_where_friction_grows_with_them():
    system = chorda.assemble(loaded_joints("tanh", slope=5.0))
    with pytest.raises(InputError, match="friction of joint1, joint2, joint3 grows with the load"):
        Regressor(system, choose(system, ["joint2.dry_torque"]), "eliminated")
