"""Forces at rest and their derivative: by parts along the rods, and by AD through the whole."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import Body, Closure, Free, Placement, Point, Revolute, Spring
from chorda.mechanics.balance import statics
from chorda.mechanics.posing import frame_poses
from chorda.statics.closing import moved
from tests.helpers.rod_robots import pushed, robot, rod

SPATIAL = {"twist": 2, "bend_y": 2, "bend_z": 2, "stretch": 1, "shear_y": 1, "intervals": 5}


def by_differentiation(system):
    F = ca.substitute(system.dynamics.F, system.v, ca.SX.zeros(system.nv))
    psi, J = system.constraints.psi, system.constraints.J
    G = F + J.T @ system.lam if system.nc else F
    K = ca.jacobian(G, system.q) @ system.dynamics.N
    return system.function("balance", "q lam u p", G, K, psi, J)


def loop():
    """Two rods on turning bases, one on the other's link, joined by a platform, spring and load."""
    turn = Revolute(name="turn", axis=(0, 1, 0), placement=Placement(position=(0.1, 0, 0)))
    first = rod(SPATIAL, name="first", parent="turn")
    second = rod(SPATIAL, name="second", placement=Placement(position=(0, 0.2, 0)))
    on = rod(SPATIAL, name="on", parent="second.tip", length=0.2)
    body = Body(mass=0.3, center=(0.01, 0, 0), inertia=(1e-4, 1e-4, 2e-4, 0, 0, 0))
    platform = Free(name="platform", body=body)
    joins = (
        Closure(
            name="a",
            kind="spherical",
            start=Point(frame="first.tip"),
            end=Point(frame="platform", point=(0.1, 0, 0)),
        ),
        Closure(name="b", kind="fixed", start=Point(frame="on.tip"), end=Point(frame="platform")),
    )
    spring = Spring(
        name="spring",
        start=Point(frame="first.tip"),
        end=Point(frame="second.tip"),
        stiffness=30.0,
        free_length=0.1,
    )
    load = pushed((1.0, -2.0, 0.5), (0.1, 0.2, -0.3), follows=True, frame="second.tip")
    return robot(
        *(turn, first, second, on, platform),
        closures=joins,
        springs=(spring,),
        loads=(load,),
        gravity=(0, 0, -9.81),
    )


def somewhere(system):
    rng = np.random.default_rng(3)
    q = moved(system, system.rest, 0.4 * rng.normal(size=system.nv))
    return q, rng.normal(size=system.nc), 0.1 * rng.normal(size=system.nu), system.parameter_values


@pytest.mark.parametrize("name", ["till", "continuum-2x3", "helical", "loop"])
def test_forces_and_stiffness_are_those_of_the_whole(name):
    system = chorda.assemble(loop() if name == "loop" else chorda.load(name))
    at = somewhere(system)
    found, wanted = statics(system)(*at, [])[:4], by_differentiation(system)(*at)
    for x, y in zip(found, wanted, strict=True):
        size = max(1.0, float(ca.norm_inf(ca.vec(y))) if y.numel() else 1.0)
        assert x.full() == pytest.approx(y.full(), abs=1e-12 * size)


@pytest.mark.parametrize("name", ["till", "continuum-2x3"])
def test_given_tensions_pull_as_in_the_whole(name):
    system = chorda.assemble(chorda.load(name))
    tendons = [
        t.name for t, x in zip(system.robot.tendons, system.tendons.elastic, strict=True) if x
    ]
    t = ca.SX.sym("t", len(tendons))
    (F,) = ca.substitute([system.dynamics.F_pulled], [system.tendons.pulls], [t])
    F = ca.substitute(F, system.v, ca.SX.zeros(system.nv))
    law = system.tendons.elongation - ca.substitute(system.tendons.stretch, system.tendons.pulls, t)
    slopes = [ca.jacobian(y, x) for y in (F, law) for x in (system.q, t)]
    given = [system.q, system.u, system.p, t]
    wanted = ca.Function("whole", given, [F, slopes[0], slopes[1], law, slopes[2], slopes[3]])
    q, lam, u, p = somewhere(system)
    pull = np.linspace(1.0, 3.0, len(tendons))
    found = statics(system, (), tendons)(q, lam, u, p, pull)
    for k, y in zip((0, 1, 6, 7, 8, 9), wanted(q, u, p, pull), strict=True):
        size = max(1.0, float(ca.norm_inf(ca.vec(y))))
        assert found[k].full() == pytest.approx(y.full(), abs=1e-12 * size)


@pytest.mark.parametrize("name", ["neck-3", "finger-3", "continuum-2x3", "tendon-parallel"])
@pytest.mark.parametrize("mode", ["elastic", "rigid"])
def test_forces_with_the_laws_tensions_are_the_forces(name, mode):
    system = chorda.assemble(chorda.load(name), tendons=mode)
    tendons, rng = system.tendons, np.random.default_rng(5)
    (F,) = ca.substitute([system.dynamics.F_pulled], [tendons.pulls], [tendons.tension])
    both = system.function("both", "q v u p", system.dynamics.F, F)
    q = moved(system, system.rest, 0.1 * rng.normal(size=system.nv))
    F, pulled = both(q, rng.normal(size=system.nv), rng.normal(size=system.nu), system.parameters())
    assert np.array_equal(F.full(), pulled.full())


@pytest.mark.parametrize("name", ["loop", "neck-3"])
def test_frames_move_as_their_poses_say(name):
    system = chorda.assemble(loop() if name == "loop" else chorda.load(name))
    frames = ("on.tip", "platform") if name == "loop" else system.robot.frames()[-2:]
    q, lam, u, p = somewhere(system)
    X, V = (x.full() for x in statics(system, frames)(q, lam, u, p, [])[4:6])
    R, place = frame_poses(system, frames, q[None], p)
    assert (
        pytest.approx(np.hstack([R[0].transpose(0, 2, 1).reshape(-1, 9), place[0]]), abs=1e-12)
        == X.T
    )
    step = 1e-6
    for k in range(system.nv):
        move = step * np.eye(system.nv)[k]
        both = [frame_poses(system, frames, moved(system, q, s * move)[None], p) for s in (-1, 1)]
        for i in range(len(frames)):
            spin = (both[1][0][0, i] - both[0][0][0, i]) @ R[0, i].T / (2 * step)
            turned = [spin[2, 1], spin[0, 2], spin[1, 0]]
            slid = (both[1][1][0, i] - both[0][1][0, i]) / (2 * step)
            assert V[6 * i : 6 * i + 6, k] == pytest.approx([*turned, *slid], abs=1e-7)
