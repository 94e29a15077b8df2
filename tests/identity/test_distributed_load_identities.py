"""Loads along rods and bodies on them: gravity by other means, derivatives, energy."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    DistributedLoad,
    Fixed,
    Free,
    Placement,
    Point,
    Revolute,
    RodFrame,
    WrenchActuator,
)
from chorda.mechanics.balance import statics
from chorda.mechanics.posing import frame_poses
from tests.helpers.evaluate import close, forces, jacobian, moved, random_state
from tests.helpers.rod_robots import RHO, A, L, robot, rod

SPACE = {"twist": 2, "bend_y": 3, "bend_z": 3, "stretch": 1}
BODY = Body(mass=0.02, center=(0.003, -0.01, 0.005), inertia=(4e-6, 5e-6, 6e-6, 5e-7, 0, 4e-7))
WIND = DistributedLoad(
    name="wind", rod="rod", fy=(0.3, -0.2), fz=0.2, mx=0.004, start=0.1 * L, end=0.7 * L
)
PRESSURE = DistributedLoad(
    name="pressure", rod="rod", fx=-0.2, fz=(0.1, 0.3), my=(0, 0.01), follows=True
)


def arm(*joints, free=False, **parts):
    """A rod on a joint that turns, or on a free body."""
    base = (
        Free(name="base", body=BODY)
        if free
        else Revolute(name="base", axis=(0, 0.6, 0.8), body=BODY, stiffness=0.5)
    )
    placement = Placement(position=(0.02, 0.01, 0), axis=(0, 0, 1), angle=0.4)
    own = rod(SPACE, parent="base", placement=placement, **parts.pop("rod", {}))
    return robot(base, own, *joints, **parts)


@pytest.mark.parametrize("free", [False, True])
def test_an_even_dead_load_is_the_weight_of_the_rod(free):
    """On a base that moves: forces on the base's joint too."""
    g = (1.0, -9.0, 3.0)
    f = [RHO * A * x for x in g]
    load = DistributedLoad(name="w", rod="rod", fx=f[0], fy=f[1], fz=f[2])
    loaded = chorda.assemble(arm(free=free, distributed_loads=(load,)))
    heavy = chorda.assemble(arm(free=free, gravity=g))
    # the body of the base is heavy too
    push = [BODY.mass * x for x in g]
    centre = Point(frame="base", point=BODY.center)
    actuator = WrenchActuator(name="push", at=centre, components=("fx", "fy", "fz"))
    both = chorda.assemble(arm(free=free, distributed_loads=(load,), actuators=(actuator,)))
    q, v, _, _ = random_state(heavy, np.random.default_rng(0))
    wanted = forces(heavy, q, v)[1]
    np.testing.assert_allclose(forces(both, q, v, push)[1], wanted, atol=1e-12)
    assert np.abs(forces(loaded, q, v)[1] - wanted).max() > 1e-4


@pytest.mark.parametrize("load", [WIND, PRESSURE])
@pytest.mark.parametrize("free", [False, True])
def test_the_stiffness_of_loads_is_that_by_differences(load, free):
    system = chorda.assemble(arm(free=free, distributed_loads=(load,)))
    q, _, _, _ = random_state(system, np.random.default_rng(1))
    still, p = np.zeros(system.nv), system.parameters()
    found = statics(system)(q, [], [], p, [])
    G, K = found[0].full().ravel(), found[1].full()
    np.testing.assert_allclose(G, forces(system, q)[1], atol=1e-12)

    def at(d):
        return forces(system, moved(system, q, d, 1.0))[1]

    by_differences = jacobian(at, system.nv)
    assert close(K, by_differences)
    F, N = system.dynamics.F, system.dynamics.N
    exact = system.function("K", "q v u p", ca.jacobian(F, system.q) @ N)(q, still, [], p)
    assert close(exact.full(), by_differences)


def test_the_work_of_a_dead_load_is_the_change_of_energy():
    """Its potential energy is that of a weight; the base turns with it."""
    f = (0.0, 0.4, -0.3)
    load = DistributedLoad(name="w", rod="rod", fy=f[1], fz=f[2])
    system = chorda.assemble(arm(distributed_loads=(load,)))
    run = chorda.simulate(system, duration=0.2, step=2.5e-4, scheme="rk4", every=8, strict=True)
    twin = chorda.assemble(arm(gravity=tuple(x / (RHO * A) for x in f)))
    bare = chorda.assemble(arm())
    T, V = run.energy
    p, still = twin.parameters(), np.zeros(twin.nv)

    def height(q):
        """Energy in the field, of the rod alone."""
        with_field, without = (
            float(s.energies(q, still, [], x)[1]) for s, x in ((twin, p), (bare, bare.parameters()))
        )
        R, at = frame_poses(system, ["base"], q[None], system.parameters())
        centre = at[0, 0] + R[0, 0] @ np.array(BODY.center)
        return with_field - without + BODY.mass / (RHO * A) * np.dot(f, centre)

    work = height(run.position[0]) - height(run.position[-1])
    assert abs(work) > 1e-3
    assert T[-1] + V[-1] - T[0] - V[0] == pytest.approx(work, rel=1e-4)


@pytest.mark.parametrize("at", [0.4 * L, L, 0.0])
def test_a_body_on_a_frame_of_a_rod_is_a_body_fixed_to_it(at):
    """The second robot has a fixed joint that carries it, on a frame without a body."""
    with_body = {"frames": (RodFrame(name="sensor", at=at, body=BODY),)}
    without = {"frames": (RodFrame(name="sensor", at=at),)}
    joined = arm(Fixed(name="box", parent="rod.sensor", body=BODY), rod=without, gravity=(1, -9, 2))
    one = chorda.assemble(arm(rod=with_body, gravity=(1, -9, 2)))
    two = chorda.assemble(joined)
    q, v, _, _ = random_state(one, np.random.default_rng(2))
    for a, b in zip(forces(one, q, v), forces(two, q, v), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    T = [float(s.energies(q, v, [], s.parameters())[0]) for s in (one, two)]
    M = forces(one, q, v)[0]
    assert T[0] == pytest.approx(T[1], rel=1e-12)
    assert T[0] == pytest.approx(v @ M @ v / 2, rel=1e-9)
    ends = [chorda.equilibrium(s, strict=True).q for s in (one, two)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-8)


@pytest.mark.slow
def test_a_force_on_a_frame_of_a_rod_is_an_input():
    push = WrenchActuator(name="push", at=Point(frame="rod.middle"), components=("fy", "mx"))
    thrust = WrenchActuator(
        name="thrust", at=Point(frame="rod.tip"), force_along=(0, 0, 1), follows=True
    )
    frames = (RodFrame(name="middle", at=0.5 * L),)
    system = chorda.assemble(arm(rod={"frames": frames}, actuators=(push, thrust)))
    u = np.array([0.2, 0.005, 0.1])
    q, v, _, _ = random_state(system, np.random.default_rng(3))
    found = statics(system)(q, [], u, system.parameters(), [])
    np.testing.assert_allclose(found[0].full().ravel(), forces(system, q, u=u)[1], atol=1e-12)
    K = jacobian(lambda d: forces(system, q + d, u=u)[1], system.nv)
    assert close(found[1].full(), K)
    rest = chorda.equilibrium(system, inputs=dict(zip(system.given, u, strict=True)), strict=True)
    assert np.abs(forces(system, rest.q, u=u)[1]).max() < 1e-9
    path = chorda.follow(rest, inputs={"thrust": np.linspace(0.1, 0.3, 4)})
    assert path.status.ok
    run = chorda.simulate(
        system, initial=rest, duration=0.02, step=1e-3, scheme="bdf2", strict=True
    )
    np.testing.assert_allclose(run.position, np.tile(rest.q, (21, 1)), atol=1e-6)
    assert v.size == system.nv
