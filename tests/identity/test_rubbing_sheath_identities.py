"""Friction in sheaths takes energy and has exact derivatives, in space and through two rods."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Capstan,
    Circle,
    KelvinVoigt,
    Modes,
    Robot,
    Rod,
    Sheath,
    Strains,
    Tendon,
    TensionActuator,
    Winch,
)
from chorda.mechanics.balance import statics
from tests.helpers.evaluate import close, forces, jacobian

RUBBING = Capstan(coefficient=0.2, speed=0.05)


def rod(name, parent="world", **more):
    return Rod(
        name=name,
        parent=parent,
        length=0.3,
        section=Circle(radius=1e-3),
        young_modulus=6e10,
        density=7800.0,
        modes=Modes(twist=2, bend_y=3, bend_z=3, stretch=1, intervals=6),
        **more,
    )


def two_rods(elastic=False):
    """A helix in both, a converging tendon in the first, and one that rubs in the second alone."""
    joints = rod("a", rest=Strains(bend_z=(0.5, 1.0))), rod("b", "a.tip")
    far = {"turns": 0.5, "y": (0.008,)}
    law = {"law": KelvinVoigt(stiffness=5e3, damping=2.0)} if elastic else {}
    paths = {
        "helix": (RUBBING, (Sheath(rod="a", **far), Sheath(rod="b", y=(-0.008,)))),
        "near": (RUBBING, (Sheath(rod="a", z=(0.01, -0.004, 0.001), end=0.2),)),
        "part": (
            None,
            (Sheath(rod="a", z=(-0.01,)), Sheath(rod="b", z=(-0.01,), friction=RUBBING)),
        ),
    }
    tendons = tuple(
        Tendon(name=name, sheaths=sheaths, friction=friction, actuator=f"m-{name}", **law)
        for name, (friction, sheaths) in paths.items()
    )
    made = Winch if elastic else TensionActuator
    actuators = tuple(made(name=t.actuator) for t in tendons)
    return Robot(name="two", joints=joints, tendons=tendons, actuators=actuators)


@pytest.fixture(scope="module", params=[False, True], ids=["tensions", "winches"])
def system(request):
    return chorda.assemble(two_rods(request.param))


def state(system, seed):
    rng = np.random.default_rng(seed)
    q = rng.normal(size=system.nq) * 0.8 * system.scales
    v = rng.normal(size=system.nv) * rng.choice([0.3, 3.0]) * system.scales
    u = rng.uniform(2.0, 9.0, system.nu)
    if any(x.kind == "winch" for x in system.inputs):
        u = np.concatenate([-rng.uniform(0.02, 0.03, 3), rng.normal(size=3) * 0.01])
    return q, v, u


def given_power(system, q, v, u, p):
    """By the actuators: tension times the rate at which cable is wound in."""
    rate = -system.tendons.Z.T @ system.v
    made = system.function("given", "q v u p", system.tendons.tension, rate)
    T, lengths = (x.full().ravel() for x in made(q, v, u, p))
    return float(-T @ (u[3:] if len(u) > 3 else lengths))


@pytest.mark.parametrize("seed", range(1, 5))
def test_friction_takes_energy_and_nothing_else_is_lost(system, seed):
    """What actuators give, less what moves the rods and is stored, is heat: of friction alone where
    nothing damps, and none without a coefficient."""
    (q, v, u), d = state(system, seed), system.dynamics
    stored = ca.jtimes(d.stored, system.q, d.N @ system.v)
    if len(u) > 3:
        stored += ca.jtimes(d.stored, system.u[:3], system.u[3:])
    made = system.function("powers", "q v u p", ca.dot(d.applied, system.v), stored)
    lost = {}
    for rubs in (True, False):
        changes = {"*.damping": 0.0} if len(u) > 3 else {}
        if not rubs:
            changes |= {"*.friction_coefficient": 0.0}
        p = system.parameters(changes)
        power, rate = (float(x) for x in made(q, v, u, p))
        lost[rubs] = given_power(system, q, v, u, p) - power - rate
    assert lost[True] > 1e-3
    assert lost[False] == pytest.approx(0, abs=1e-9)


def test_stiffness_and_damping_are_exact(system):
    q, v, u = state(system, 1)
    slopes = system.function(
        "slopes", "q v u p", *(ca.jacobian(system.dynamics.F, x) for x in (system.q, system.v))
    )
    K, D = (x.full() for x in slopes(q, v, u, system.parameters()))
    assert close(K, jacobian(lambda d: forces(system, q + d, v, u)[1], system.nq), 1e-6)
    assert close(D, jacobian(lambda d: forces(system, q, v + d, u)[1], system.nv), 1e-6)


@pytest.mark.parametrize("way", [1.0, -0.5])
def test_stiffness_at_rest_is_exact(system, way):
    q, _, u = state(system, 2)
    p, found = system.parameters({"*.sliding": way}), statics(system)
    K = found(q, [], u, p, [])[1].full()

    def force(d):
        return found(q + d, [], u, p, [])[0].full().ravel()

    assert close(K, jacobian(force, system.nq), 1e-6)
    smooth = found(q, [], u, system.parameters(), [])[0].full().ravel()
    assert np.abs(force(0) - smooth).max() > 1e-4


def test_the_tension_behind_a_sheath_is_that_of_the_capstan_over_its_bend():
    """A rod bent to an arc turns its tendon by the angle of the arc."""
    arc = Rod(
        name="arc",
        length=0.3,
        section=Circle(radius=1e-3),
        young_modulus=6e10,
        density=7800.0,
        modes=Modes(twist=0, bend_y=0, bend_z=1, stretch=0, intervals=8),
    )
    tendon = Tendon(
        name="t",
        sheaths=(Sheath(rod="arc", y=(0.01,)),),
        friction=Capstan(coefficient=0.25, speed=1e-7),
        actuator="m",
    )
    robot = Robot(
        name="arc", joints=(arc,), tendons=(tendon,), actuators=(TensionActuator(name="m"),)
    )
    system = chorda.assemble(robot)
    still = np.zeros(1), np.zeros(0)
    for way in (1, -1):  # bent further, the sheath on the inside gets shorter
        values = system.observe([5.0], [0.3 * way], *still, [4.0], system.parameters())
        found = {o.name: x.full().ravel() for o, x in zip(system.outputs, values, strict=True)}
        ratio = found["segment_tension"][1] / found["segment_tension"][0]
        # the last half of a slice, at the attachment, does not slide
        assert np.log(ratio) / (-0.25 * way) == pytest.approx(5.0 * 0.3, rel=0.04)
        assert found["sliding_speed"][0] == pytest.approx(0.3 * 0.3 * 0.01 * way, rel=1e-9)
