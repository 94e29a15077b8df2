"""Friction along tendons takes energy, never gives it, and has exact derivatives."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import simpson

import chorda
from chorda.describe import Bearing, Capstan, Motor
from chorda.mechanics.balance import statics
from tests.helpers.evaluate import close, forces, jacobian
from tests.helpers.rubbing_tendons import CORNERS, SOFT, carriage, chain, pulleys

RUBBING = Capstan(coefficient=0.3, speed=0.01)
BEARING = Bearing(coefficient=0.2, pin_radius=0.004, speed=0.02)
STUCK = Bearing(coefficient=0.2, pin_radius=0.004, deflection=0.08)
MOTOR = Motor(name="winch", inertia=1e-5, drum_radius=0.01)
OWN = {"friction": RUBBING, "eyelets": Capstan(coefficient=0.5, speed=0.03)}
ROBOTS = {
    "chain": lambda: chain(),
    "spatial chain": lambda: chain(4, spatial=True),
    "own friction of eyelets": lambda: chain(**OWN),
    "prescribed tensions": lambda: chain(actuator="tension"),
    "carriage": lambda: carriage(CORNERS, RUBBING, actuator=MOTOR, law=SOFT),
    "pulleys": lambda: pulleys(),
    "a pulley that turns": lambda: pulleys(BEARING),
    "bristles": lambda: chain(friction=Capstan(coefficient=0.3, deflection=0.05)),
    "bristles on pulleys": lambda: pulleys(STUCK),
    "a pulley with flanges": lambda: pulleys(RUBBING, leave=False),
}


@pytest.fixture(scope="module", params=ROBOTS)
def system(request):
    return chorda.assemble(ROBOTS[request.param]())


def state(system, seed):
    rng = np.random.default_rng(seed)
    q = rng.uniform(-0.3, 0.3, system.nq)
    for i, c in enumerate(system.coordinates):
        if c.kind == "motor":
            q[i] = -rng.uniform(2.0, 9.0)  # wound in
        elif c.kind == "state":
            q[i] = c.scale * rng.uniform(-1, 1)
    u = rng.uniform(2.0, 9.0, system.nu)
    return q, rng.normal(size=system.nv) * rng.choice([0.02, 1.0, 5.0]), u


def guides(system):
    """Parameters that are coefficients of friction along tendons."""
    return [name for name in system.parameter_names if name.endswith(".friction_coefficient")]


def without_losses(system):
    """Parameters without viscous losses."""
    lossy = [x for x in system.parameter_names if x.endswith((".friction", ".damping"))]
    return dict.fromkeys(set(lossy) - {*guides(system)}, 0.0)


def observed(system, q, v, u, p):
    values = system.observe(q, v, np.zeros(system.nv), np.zeros(system.nc), u, p)
    return {o.name: x.full().ravel() for o, x in zip(system.outputs, values, strict=True)}


def heat(system, found):
    """Power that friction takes at each guide, from tensions on both sides and the sliding."""
    out, tensions, speeds = [], list(found["segment_tension"]), list(found["sliding_speed"])
    for x in system.tendons.each:
        if x.rubbing is not None:
            n = len(x.rubbing.labels)
            T, tensions = tensions[: n + 1], tensions[n + 1 :]
            s, speeds = speeds[:n], speeds[n:]
            out += list(-np.diff(T) * s)
    return np.array(out)


@given(seed=st.integers(0, 10**6))
def test_what_cables_take_and_do_not_store_is_the_heat_of_their_guides(system, seed):
    (q, v, u), p = state(system, seed), system.parameters(without_losses(system))
    found = observed(system, q, v, u, p)
    power, stored = powers(system)(q, v, u, p)
    given = 0.0  # by actuators
    for x, value in zip(system.inputs, u, strict=True):
        if x.kind == "motor":
            given += value * v[system.coordinate_names.index(x.name)]
        else:
            at = [t.actuator for t in system.robot.tendons].index(x.name)
            given -= value * float(rates(system)(q, v, p)[at])
    lost = heat(system, found)
    assert system.tendons.states or np.all(lost >= -1e-14)  # bristles give back what they stored
    assert given - float(power) - float(stored) == pytest.approx(lost.sum(), abs=1e-9)


def powers(system):
    """(q, v, u, p) -> power of all forces but inertia and gravity, rate of what is stored."""
    d = system.dynamics
    rate = ca.jtimes(d.stored, system.q, d.N @ system.v)
    by = ca.dot(d.applied, system.v)
    return system.once("powers", lambda: system.function("powers", "q v u p", by, rate))


def rates(system):
    """(q, v, p) -> rates of the lengths."""
    rate = -system.tendons.Z.T @ system.v
    return system.once("rates", lambda: system.function("rates", "q v p", rate))


def test_friction_changes_the_power(system):
    """So that the identity above is not one between zeros."""
    q, v, u = state(system, 3)
    smooth = system.parameters(dict.fromkeys(guides(system), 0.0))
    a, b = (float(powers(system)(q, v, u, p)[0]) for p in (system.parameters(), smooth))
    assert abs(a - b) > 1e-4


@pytest.mark.parametrize("seed", range(3))
def test_stiffness_and_damping_are_exact(system, seed):
    d, by = system.dynamics, (system.q, system.v, system.u)
    slopes = system.function("slopes", "q v u p", *(ca.jacobian(d.F, x) for x in by))
    q, v, u = state(system, seed)
    v = np.sign(v) * np.clip(np.abs(v), 0.05, 1.0)
    K, D, B = (x.full() for x in slopes(q, v, u, system.parameters()))
    assert close(K, jacobian(lambda d: forces(system, q + d, v, u)[1], system.nq), 1e-6)
    assert close(D, jacobian(lambda d: forces(system, q, v + d, u)[1], system.nv, 1e-4), 1e-6)
    assert close(B, jacobian(lambda d: forces(system, q, v, u + d)[1], system.nu), 1e-6)


@pytest.mark.parametrize("way", [1.0, -1.0, 0.4])
def test_stiffness_at_rest_is_exact_on_both_branches(system, way):
    q, _, u = state(system, 5)
    p = system.parameters({f"{x.name}.sliding": way for x in system.robot.tendons})
    found = statics(system)

    def force(d):
        moved = q + np.concatenate([d, np.zeros(system.nq - system.nv)])
        return found(moved, [], u, p, [])[0].full().ravel()

    K = found(q, [], u, p, [])[1].full()
    assert close(K, jacobian(force, system.nv), 1e-6)


def test_moments_of_segments_add_up_to_those_of_the_tendon(system):
    """Without friction every segment has the same tension."""
    q, v, u = state(system, 7)
    p = system.parameters(dict.fromkeys(guides(system), 0.0))
    both = system.function("arms", "q v u p", system.tendons.arms, system.tendons.Z)
    arms, Z = (x.full() for x in both(q, v, u, p))
    np.testing.assert_allclose(arms, Z, atol=1e-14)


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha", "rk4"])
def test_a_motion_loses_what_friction_takes(scheme):
    """Energy at the end, and the integral of the heat, to the order of the scheme."""
    robot = chain(2, friction=Capstan(coefficient=0.4, speed=0.05))
    system, missing = chorda.assemble(robot), []
    quiet = without_losses(system)
    start = {"j0": 0.5, "j1": -0.3, "tension": 6.0}
    for step in (4e-4, 2e-4):
        run = chorda.simulate(
            system,
            duration=0.1,
            step=step,
            scheme=scheme,
            initial=start,
            parameters=quiet,
            inputs={"m-up": 0.0, "m-down": 0.0},
            strict=True,
        )
        T, V = run.energy
        p = system.parameters(quiet)
        each = zip(run.position, run.velocity, run.input, strict=True)
        lost = [heat(system, observed(system, *row, p)).sum() for row in each]
        work = simpson(lost, x=run.time)
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] + work))
        assert work > 1e-4
    assert missing[1] < missing[0] / 2.8 or missing[1] < 1e-8 * work
