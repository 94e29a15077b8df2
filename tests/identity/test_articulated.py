"""Steps by recursion over the tree are those with the matrix, to rounding."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.bench import eyelets
from chorda.catalogue import names
from chorda.describe import (
    Body,
    Free,
    JointEffort,
    JointMotion,
    JointMotor,
    Load,
    Placement,
    Point,
    Revolute,
    Robot,
)
from chorda.dynamics.schemes import SCHEMES, implicit_euler, stepper
from chorda.dynamics.schemes.stepper import Stepper, operations
from chorda.mechanics.algebra import solve
from tests.helpers.actuated_robots import arm
from tests.helpers.chains import described, random_links
from tests.helpers.evaluate import random_state
from tests.helpers.robots import everything
from tests.helpers.rubbing_robots import LUGRE, brushed_neck, loaded_joints, rubbing_arm

STEP = 1e-3


def loaded(follows):
    """A branch with loads on both of its ends, on a free body."""
    body = Body(mass=0.3, center=(0.01, 0.02, -0.05), inertia=(3e-4, 2e-4, 1e-4, 0, 0, 0))
    turns = [
        Revolute(name=name, parent=parent, axis=axis, body=body, placement=Placement(position=at))
        for name, parent, axis, at in (
            ("a", "float", (1, 0, 0), (0.1, 0, 0)),
            ("b", "a", (0, 0.6, 0.8), (0, 0, -0.1)),
            ("c", "a", (0, 0, 1), (0, 0.1, 0)),
        )
    ]
    loads = [
        Load(name=f"on-{x}", at=Point(frame=x, point=(0, 0.03, -0.1)), follows=follows, **what)
        for x, what in (
            ("b", {"force": (1.0, 2.0, -0.5)}),
            ("c", {"force": (0.3, 0, 1), "moment": (0.1, -0.2, 0.3)}),
        )
    ]
    return Robot(
        name="loaded",
        gravity=(0, 0, -9.81),
        joints=(Free(name="float", body=body), *turns),
        loads=tuple(loads),
    )


def rigid_ones():
    for name in names():
        robot = chorda.load(name)
        if not any(joint.kind == "rod" for joint in robot.joints):
            yield robot


CASES = {
    **{f"{robot.name}, elastic": (robot, "elastic") for robot in rigid_ones()},
    **{f"{chorda.neck(n).name}, rigid": (chorda.neck(n), "rigid") for n in (1, 3)},
    "everything": (everything(), "elastic"),
    "under loads": (loaded(False), "elastic"),
    "under loads that follow": (loaded(True), "elastic"),
    "eyelets": (eyelets.robot(9), "elastic"),
    "actuators on joints": (
        arm(
            JointMotor(name="m", joint="one", inertia=1e-4, gear_ratio=30.0, friction=1e-3),
            JointEffort(name="f", joint="three"),
        ),
        "elastic",
    ),
    "a joint that is led": (arm(JointMotion(name="m", joint="two")), "elastic"),
    "joints that rub": (rubbing_arm(kind="tanh", torque=0.2, slope=50.0), "elastic"),
    "joints that stick": (rubbing_arm(kind="sign", torque=0.2), "elastic"),
    "joints with bristles": (rubbing_arm(kind="bristle", **LUGRE), "elastic"),
    "joints that rub by their load": (loaded_joints("tanh", slope=5.0), "elastic"),
    "bristles under load": (loaded_joints("bristle", deflection=0.05), "elastic"),
    "motors with bristles": (brushed_neck(), "elastic"),
    "motors with bristles, on rigid tendons": (brushed_neck(), "rigid"),
    "links in space": (described(random_links(3, 6)), "elastic"),
    "links in space on a free body": (described(random_links(4, 5), free=True), "elastic"),
}


@pytest.fixture(scope="module", params=CASES)
def system(request):
    return chorda.assemble(CASES[request.param][0], tendons=CASES[request.param][1])


def same(ours, theirs):
    """To rounding, which the condition of a stiff step multiplies."""
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-11 * max(1.0, np.abs(theirs).max()))


def state(system, seed):
    q, v, u, a = random_state(system, np.random.default_rng(seed), size=0.1)
    return q, v, np.abs(u) * 0.1, a


def test_a_linearised_implicit_step_is_the_same(system):
    if system.articulated is None:
        assert system.constraints.dependent
        return
    q, v, u, _ = state(system, 0)
    made = [build(system) for build in (implicit_euler._by_matrix, implicit_euler._by_recursion)]
    x, p = np.concatenate([q, v]), system.parameters()
    after = [
        ca.Function("after", s.step.arguments, [s.after])(x, STEP, u, u, p).full() for s in made
    ]
    assert same(after[1], after[0])


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha"])
def test_newtons_correction_is_the_same(system, scheme, monkeypatch):
    if system.articulated is None or not system.articulated.corrects:
        assert system.nc or system.quaternions or system.constraints.dependent
        return
    monkeypatch.setattr(stepper, "cheapest", lambda model, _, by_recursion: by_recursion(model))
    made: Stepper = SCHEMES[scheme].build(system)
    assert made.recursive_correction is not None
    matrix = ca.jacobian(made.residual, made.z)
    both = [made.recursive_correction, -solve(matrix, made.residual)]
    q, v, u, a = state(system, 1)
    size = made.step.x.numel() - len(q) - len(v)
    memory = np.concatenate([q, v, np.zeros(size)])[:size] if scheme == "bdf2" else np.ones(size)
    x, z = np.concatenate([q, v, memory]), a if scheme != "bdf2" else v + STEP * a
    inputs = [*made.step.arguments, made.z]
    ours, theirs = ca.Function("both", inputs, both)(x, STEP, u, u, system.parameters(), z)
    assert same(ours.full(), theirs.full())


def test_accelerations_are_the_same(system):
    if system.articulated is None:
        return
    q, v, u, _ = state(system, 2)
    p = system.parameters()
    M, F, _, J, bias, _ = (x.full() for x in system.equations(q, v, u, p))
    nc = system.nc
    matrix = np.block([[M, -J.T], [J, np.zeros((nc, nc))]])
    wanted = np.linalg.solve(matrix, np.vstack([F, -bias.reshape(nc, 1)]))
    assert same(system.articulated.accelerated(q, v, u, p, -bias).full(), wanted)


def test_operations_grow_with_the_joints_and_no_faster():
    def of(n):
        return operations(implicit_euler.build(chorda.assemble(eyelets.robot(n))))

    ten, twenty, forty = (of(n) for n in (10, 20, 40))
    assert forty - twenty < 2.1 * (twenty - ten)
