"""Loads without an energy against the columns and pendulums of Beck, Ziegler, Leipholz, Nicolai."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Disk, Load, Placement, Point, Rectangle, Revolute, Robot
from tests.helpers.rod_robots import EI, PRECISE, RHO, A, E, L, pushed, robot, rod

BECK = 20.05 * EI / L**2  # [Beck 1952]
LEIPHOLZ = 40.05 * EI / L**3  # [Leipholz 1962]
EULER = math.pi**2 * EI / (4 * L**2)
BETA = 1.8751040687  # of the slowest vibration of a cantilever
OMEGA = BETA**2 * math.sqrt(EI / (RHO * A * L**4))
# slope of that mode at the tip, times L; its mean square is 1
SLOPE = 2 * BETA * 0.7340955
MASS = RHO * A * L
BOTH = {"twist": 2, "bend_y": 5, "bend_z": 5, **PRECISE}


def column(load, follows=True, **fields):
    """Clamped at its base, pressed at its tip."""
    push = pushed((-load, 0, 0), follows=follows)
    return robot(rod({"bend_z": 6, **PRECISE}, **fields), loads=(push,))


def changes(described, name, start, end):
    """The loads at which stability changes between two, and what begins there."""
    system = chorda.assemble(described)
    rest = chorda.equilibrium(system, parameters={name: start})
    path = chorda.follow(rest, hold={name: np.linspace(start, end, 6)})
    assert path.status.ok
    locked = [x for x in path.changes if x.kind == "locked"]
    return [(float(x.at.target[0]), x.criterion, x.instability) for x in locked]


def test_column_of_beck_flutters_at_its_load():
    ((load, criterion, how),) = changes(column(1.0), "push.force.x", -0.5 * BECK, -1.5 * BECK)
    assert (criterion, how) == ("motion", "flutter")
    assert load == pytest.approx(-BECK, rel=1e-3)


@pytest.mark.parametrize(
    ("share", "word", "how"), [(0.5, "stable", ""), (1.01, "unstable", "flutter")]
)
def test_equilibrium_says_which_criterion_it_used_and_what_becomes_of_it(share, word, how):
    found = chorda.equilibrium(chorda.assemble(column(share * BECK)))
    assert (found.stability, found.criterion, found.instability) == (word, "motion", how)
    assert "motion" in found.status.message
    judged = chorda.stability(found)["locked"]
    assert (judged.stability, judged.criterion, judged.instability) == (word, "motion", how)
    assert judged.leading == pytest.approx(found.leading, rel=1e-6)
    assert how in judged.sentence


def test_column_of_euler_is_judged_by_its_energy_as_before():
    ((load, criterion, how),) = changes(
        column(1.0, follows=False), "push.force.x", -0.5 * EULER, -1.6 * EULER
    )
    assert (criterion, how) == ("energy", "divergence")
    assert load == pytest.approx(-EULER, rel=1e-4)
    found = chorda.equilibrium(chorda.assemble(column(1.1 * EULER, follows=False)))
    assert (found.stability, found.criterion, found.instability) == (
        "unstable",
        "energy",
        "divergence",
    )


def pendulum(load=1.0, friction=None, masses=(2.0, 1.0)):
    """Ziegler's: two bars of 1 m with springs of 1 N m/rad, masses at their ends, and a force along
    the second one. Without damping, and with 2 m and m, P = (7/2 - sqrt 2) k / l."""
    near, far = masses
    first = Revolute(
        name="first", stiffness=1.0, friction=friction, body=Body(mass=near, center=(1, 0, 0))
    )
    second = Revolute(
        name="second",
        parent="first",
        placement=Placement(position=(1, 0, 0)),
        stiffness=1.0,
        friction=friction,
        body=Body(mass=far, center=(1, 0, 0)),
    )
    push = Load(
        name="push", at=Point(frame="second", point=(1, 0, 0)), force=(-load, 0, 0), follows=True
    )
    return Robot(name="ziegler", gravity=(0, 0, 0), joints=(first, second), loads=(push,))


ZIEGLER = 3.5 - math.sqrt(2)


def test_pendulum_of_ziegler_flutters_at_its_load():
    ((load, criterion, how),) = changes(pendulum(), "push.force.x", -1.0, -3.0)
    assert (criterion, how) == ("motion", "flutter")
    assert load == pytest.approx(-ZIEGLER, rel=1e-6)


def test_small_friction_makes_the_pendulum_of_ziegler_flutter_earlier():
    """The paradox: with equal friction at both joints, ever so little, P = 41/28 k/l."""
    ((load, criterion, how),) = changes(pendulum(friction=1e-3), "push.force.x", -1.0, -3.0)
    assert (criterion, how) == ("motion", "flutter")
    assert load == pytest.approx(-41 / 28, rel=1e-3)


def test_motion_of_the_pendulum_begins_to_grow_where_its_stability_ends():
    for share in (0.97, 1.03):
        system = chorda.assemble(pendulum(share * ZIEGLER))
        found = chorda.equilibrium(system)
        run = chorda.simulate(
            system, duration=60.0, step=0.01, scheme="rk4", initial={"second": 1e-6}, every=5
        )
        size = np.max(np.abs(run.position), axis=1)
        early, late = (np.max(size[part]) for part in (slice(0, 400), slice(-400, None)))
        assert (late > 20 * early) == (not found.stable)
        if found.instability:
            half = len(size) // 2
            rate = np.log(np.max(size[-100:]) / np.max(size[half : half + 100])) / 27.5
            assert rate == pytest.approx(found.leading.real, rel=0.1)


def test_column_of_leipholz_flutters_under_forces_along_its_length():
    """Thirty forces that follow stand for an even one."""
    count = 30
    at = (np.arange(count) + 0.5) * L / count
    disks = tuple(Disk(name=f"d{k}", at=float(x), radius=1e-3) for k, x in enumerate(at))

    def loaded(q):
        loads = tuple(
            Load(
                name=f"push{k}",
                at=Point(frame=f"rod.d{k}"),
                force=(-q * L / count, 0, 0),
                follows=True,
            )
            for k in range(count)
        )
        made = robot(rod({"bend_z": 6, **PRECISE}, disks=disks), loads=loads)
        return chorda.equilibrium(chorda.assemble(made))

    below, above = loaded(0.99 * LEIPHOLZ), loaded(1.01 * LEIPHOLZ)
    assert (below.stability, above.stability) == ("stable", "unstable")
    assert (below.criterion, above.instability) == ("motion", "flutter")


def twisted(torque, follows, **fields):
    load = pushed(moment=(torque, 0, 0), follows=follows)
    return chorda.equilibrium(chorda.assemble(robot(rod(BOTH, **fields), loads=(load,))))


@pytest.mark.parametrize("follows", [False, True])
@pytest.mark.parametrize("share", [1e-4, 1e-2])
def test_round_rod_of_nicolai_is_unstable_under_any_torque(follows, share):
    """To first order both planes' slowest vibrations are coupled by T slope^2 / 2, with opposite
    signs: the growth is T slope^2 / (4 m omega)."""
    torque = share * EI / L
    found = twisted(torque, follows)
    assert (found.stability, found.instability) == ("unstable", "flutter")
    slowest = torque * SLOPE**2 / (4 * MASS * OMEGA * L**2)
    assert found.leading.real >= 0.99 * slowest


@pytest.mark.parametrize("follows", [False, True])
def test_damping_lets_the_rod_of_nicolai_bear_some_torque(follows):
    """Kelvin-Voigt damping c: the slowest vibration fades with c omega^2 / (2 EI)."""
    c = 2e-3 * EI / OMEGA
    torque = 2 * c * OMEGA**3 * MASS * L**2 / (EI * SLOPE**2)
    below, above = (twisted(x * torque, follows, bend_damping=c) for x in (0.99, 1.01))
    assert (below.stability, below.criterion) == ("stable", "motion")
    assert (above.stability, above.instability) == ("unstable", "flutter")


@pytest.mark.parametrize("follows", [False, True])
def test_unequal_stiffness_lets_the_rod_of_nicolai_bear_some_torque(follows):
    """Without damping, until T slope^2 = m |omega_y^2 - omega_z^2|."""
    a, b = 2e-3, 2.01e-3
    unit = BETA**4 * E / (RHO * L**4)  # omega^2 of a section with one radius of gyration
    squares = unit * a**2 / 12, unit * b**2 / 12
    mass = RHO * a * b * L
    torque = mass * (squares[1] - squares[0]) * L**2 / SLOPE**2
    section = Rectangle(width=a, height=b)
    below, above = (twisted(x * torque, follows, section=section) for x in (0.99, 1.01))
    assert (below.stability, below.criterion) == ("stable", "motion")
    assert (above.stability, above.instability) == ("unstable", "flutter")


@pytest.mark.slow
def test_motion_of_the_column_of_beck_begins_to_grow_where_its_stability_ends():
    for share in (0.97, 1.03):
        system = chorda.assemble(column(share * BECK))
        found = chorda.equilibrium(system)
        run = chorda.simulate(
            system, duration=3.0, step=5e-4, scheme="bdf2", initial={"rod.bend_z0": 1e-6}
        )
        size = np.max(np.abs(run.position), axis=1)
        n = len(size) // 4
        assert (np.max(size[-n:]) > 5 * np.max(size[:n])) == (not found.stable)
