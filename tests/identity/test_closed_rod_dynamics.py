"""Parallel robots of rods in motion: a platform on three legs, loaded and let go."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import qr

import chorda
from chorda.describe import (
    Body,
    Circle,
    Closure,
    Fixed,
    Free,
    Load,
    Modes,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Rod,
)
from tests.helpers.rod_robots import robot

RELEASED = {"pull.*": 0.0}
UNDAMPED = RELEASED | {"*.bend_damping": 0.0}
BULGE = {f"leg{k}.bend_z0": -3.0 for k in range(3)}


def leg(k):
    """A wire clamped at a corner of a triangle, aimed past the platform, and its pin there."""
    at = 2 * np.pi * k / 3
    way = (at + 0.8) % (2 * np.pi) - np.pi
    wire = Rod(
        name=f"leg{k}",
        placement=Placement(position=(0.5 * np.cos(at), 0.5 * np.sin(at), 0), angle=way),
        length=0.8,
        section=Circle(radius=1e-3),
        young_modulus=210e9,
        density=7800,
        bend_damping=5e-4,
        modes=Modes(twist=0, bend_y=0, bend_z=3, stretch=0, intervals=4),
    )
    corner = Point(frame="platform", point=(0.1 * np.cos(at), 0.1 * np.sin(at), 0))
    tip = Point(frame=f"leg{k}.tip")
    return wire, Closure(name=f"pin{k}", kind="revolute", start=tip, end=corner)


@pytest.fixture(scope="module")
def system():
    plate = Body(mass=0.1, inertia=(0, 0, 2e-4, 0, 0, 0))
    pose = (
        Prismatic(name="x", axis=(1, 0, 0)),
        Prismatic(name="y", parent="x", axis=(0, 1, 0)),
        Revolute(name="platform", parent="y", body=plate),
    )
    wires, pins = zip(*[leg(k) for k in range(3)], strict=True)
    pull = Load(name="pull", at=Point(frame="platform"), force=(1.0, 0.5, 0))
    return chorda.assemble(robot(*pose, *wires, closures=pins, loads=(pull,)))


@pytest.fixture(scope="module")
def loaded(system):
    return chorda.equilibrium(system, initial=BULGE, strict=True)


def let_go(system, loaded, step=2e-3, duration=0.2, parameters=RELEASED, **how):
    given = {"scheme": "generalized-alpha", "initial": loaded, "strict": True} | how
    return chorda.simulate(system, duration=duration, step=step, parameters=parameters, **given)


def gaps(run):
    """Largest gap of a closure and largest rate of one, over the run."""
    pairs = [run.system.closing(q, [], run.parameters) for q in run.position]
    rates = [J.full() @ v for (_, J), v in zip(pairs, run.velocity, strict=True)]
    return max(np.abs(psi.full()).max() for psi, _ in pairs), np.abs(rates).max()


class Reduced:
    """The motion without multipliers: as many coordinates as freedoms, the others follow."""

    def __init__(self, system, q, p):
        self.system, self.q, self.p = system, q.copy(), p
        order = qr(system.closing(q, [], p)[1].full(), pivoting=True)[2]
        self.follow, self.free = np.split(order, [system.nc])

    def configuration(self, y):
        """q, and T with v = T y_dot."""
        self.q[self.free] = y
        for _ in range(20):
            psi, J = (x.full() for x in self.system.closing(self.q, [], self.p))
            step = np.linalg.solve(J[:, self.follow], psi.ravel())
            self.q[self.follow] -= step
            if np.abs(step).max() < 1e-13:
                break
        T = np.zeros((self.system.nv, len(y)))
        T[self.free] = np.eye(len(y))
        T[self.follow] = -np.linalg.solve(J[:, self.follow], J[:, self.free])
        return self.q, T

    def rate(self, t, x):
        y, y_dot = np.split(x, 2)
        q, T = self.configuration(y)
        M, F, _, J, bias, _ = (x.full() for x in self.system.equations(q, T @ y_dot, [], self.p))
        drift = np.zeros(self.system.nv)
        drift[self.follow] = -np.linalg.solve(J[:, self.follow], bias.ravel())
        return np.concatenate([y_dot, np.linalg.solve(T.T @ M @ T, T.T @ (F.ravel() - M @ drift))])

    def end(self, duration):
        """q and v at the end of a motion from rest."""
        start = np.concatenate([self.q[self.free], np.zeros(len(self.free))])
        how = {"method": "DOP853", "rtol": 1e-8, "atol": 1e-9}
        y, y_dot = np.split(solve_ivp(self.rate, (0, duration), start, **how).y[:, -1], 2)
        q, T = self.configuration(y)
        return q, T @ y_dot


def test_second_order_against_the_motion_in_as_many_coordinates_as_freedoms(system, loaded):
    q, v = Reduced(system, loaded.q, system.parameters(RELEASED)).end(0.1)
    assert np.linalg.norm(q[:2] - loaded.q[:2]) > 0.02
    steps, errors = [1e-3, 5e-4, 2.5e-4], []
    for step in steps:
        run = let_go(system, loaded, step, 0.1)
        errors.append([np.abs(run.position[-1] - q).max(), np.abs(run.velocity[-1] - v).max()])
    orders = np.diff(np.log(errors), axis=0) / np.diff(np.log(steps))[:, None]
    assert orders == pytest.approx(np.full((2, 2), 2.0), abs=0.06)


def test_closures_stay_shut_and_their_rates_zero(system, loaded):
    run = let_go(system, loaded)
    gap, rate = gaps(run)
    assert gap < 1e-14  # rounding
    assert rate < 1e-7  # left by shutting the configuration, which is open by h^3 then


def test_newtons_matrix_is_kept_where_closures_pull(system, loaded):
    """The pull of the step before is guessed; without it an old matrix seems to serve badly."""
    counts = let_go(system, loaded, 1e-3).counts
    assert counts["matrices"] < counts["steps"] / 2


def test_energy_without_damping_is_kept_within_the_square_of_the_step(system, loaded):
    errors = []
    for step in (4e-3, 2e-3):
        T, V = let_go(system, loaded, step, 1.0, UNDAMPED).energy
        assert T.max() > 0.03
        errors.append(np.abs(T + V - (T + V)[0]).max() / T.max())
    assert errors[0] < 2e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)


def test_energy_with_damping_only_falls(system, loaded):
    T, V = let_go(system, loaded).energy
    assert np.all(np.diff(T + V) < 0)


def test_the_motion_ends_in_the_equilibrium(system, loaded):
    rest = chorda.equilibrium(system, initial=BULGE, parameters=RELEASED, strict=True)
    thick = RELEASED | {"*.bend_damping": 0.012}
    run = let_go(system, loaded, 1e-2, 5.0, thick)
    assert np.abs(rest.q - loaded.q).max() > 0.1
    assert run.position[-1] == pytest.approx(rest.q, abs=1e-7)
    assert np.abs(run.velocity[-1]).max() < 1e-8


@pytest.fixture(scope="module")
def pair():
    """The RFRFR robot of Briot2022."""

    def half(k, x):
        steel = {"section": Circle(radius=1e-3), "young_modulus": 210e9, "density": 7800}
        modes = Modes(twist=0, bend_y=0, bend_z=10, stretch=0, intervals=20)
        return (
            Revolute(name=f"motor{k}", placement=Placement(position=(x, 0, 0))),
            Rod(name=f"leg{k}", parent=f"motor{k}", length=1.0, modes=modes, **steel),
        )

    tips = {"start": Point(frame="leg1.tip"), "end": Point(frame="leg2.tip")}
    pin = Closure(name="pin", kind="revolute", **tips)
    return chorda.assemble(robot(*half(1, -0.2), *half(2, 0.2), closures=(pin,)))


@pytest.mark.parametrize("step", [1e-4, 5e-4])
def test_motors_let_go_at_once_throw_the_rods_without_adding_energy(pair, step):
    """Nothing damps: rates of closures that drift would feed the fast modes until they explode."""
    bent = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    held = chorda.equilibrium(pair, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    T, V = let_go(pair, held, step, 0.1, {}, free=["motor1", "motor2"]).energy
    assert T.max() > 0.4 * V[0]
    # steps of 0.5 ms start with accelerations of modes that they cannot follow
    assert (T + V).max() < (1.0001 if step < 5e-4 else 1.02) * V[0]


@pytest.fixture(scope="module")
def spatial():
    """A platform on three wires that stand and lean inwards, with ball joints; loaded aside."""
    joints, balls = [], []
    for k in range(3):
        at = 2 * np.pi * k / 3
        place = np.array([np.cos(at), np.sin(at), 0])
        post = Placement(position=tuple(0.2 * place), angle=at)
        joints += [
            Fixed(name=f"post{k}", placement=post),
            Rod(
                name=f"leg{k}",
                parent=f"post{k}",
                placement=Placement(axis=(0, 1, 0), angle=0.3 - np.pi / 2),
                length=0.5,
                section=Circle(radius=1e-3),
                young_modulus=210e9,
                density=7800,
                bend_damping=5e-4,
                modes=Modes(twist=0, bend_y=3, bend_z=3, stretch=0, intervals=6),
            ),
        ]
        ends = {
            "start": Point(frame=f"leg{k}.tip"),
            "end": Point(frame="plate", point=tuple(0.1 * place)),
        }
        balls.append(Closure(name=f"ball{k}", kind="spherical", **ends))
    plate = Body(mass=0.05, inertia=(1.25e-4, 1.25e-4, 2.5e-4, 0, 0, 0))
    joints.append(Free(name="plate", placement=Placement(position=(0, 0, 0.48)), body=plate))
    corner = Point(frame="plate", point=(0.1, 0, 0))
    pull = Load(name="pull", at=corner, force=(0.3, 0.6, -0.2))
    return chorda.assemble(robot(*joints, closures=balls, loads=(pull,)))


@pytest.mark.slow
def test_a_platform_in_space_moves_and_comes_to_rest_likewise(spatial):
    loaded = chorda.equilibrium(spatial, strict=True)
    runs = [let_go(spatial, loaded, step, 0.1) for step in (2e-3, 1e-3, 5e-4)]
    first, second = (np.abs(a.position[-1] - b.position[-1]).max() for a, b in pairwise(runs))
    assert first / second == pytest.approx(4, abs=0.5)
    for run in runs:
        gap, rate = gaps(run)
        assert gap < 1e-14
        assert rate < 1e-6
        T, V = run.energy
        assert np.all(np.diff(T + V) < 0)
    rest = chorda.equilibrium(spatial, parameters=RELEASED, strict=True)
    end = let_go(spatial, loaded, 5e-3, 4.0, RELEASED | {"*.bend_damping": 0.012})
    assert end.position[-1] == pytest.approx(rest.q, abs=1e-7)
