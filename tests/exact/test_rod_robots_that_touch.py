"""Robots of rods in the catalogue that touch: their forces against energies and virtual work."""

import numpy as np
import pytest
from numpy.polynomial import legendre

import chorda

EI = 6e10 * np.pi / 4 * 0.0005**4
ENTRY, BEND, CLEARANCE, STIFFNESS = 0.04, 0.08, 0.002, 1e4  # of the tube [m], of its wall [N/m]


@pytest.fixture(scope="module")
def wire():
    return chorda.assemble(chorda.load("wire-tube"))


@pytest.fixture(scope="module")
def rests(wire):
    """By length in mm."""
    found, rest = {}, None
    for length in range(50, 221, 10):
        lengths = {"feed": length / 1000}
        rest = chorda.equilibrium(wire, inputs=lengths, initial=rest, strict=True)
        found[length] = rest
    return found


def held(rest):
    return rest.reactions["feed.motion"]


def stored(rest):
    """Energy of the bend and of the walls, from coefficients and forces [J]."""
    length = rest.position["wire.length"]
    bends = np.array([rest.position[f"wire.bend_z{k}"] for k in range(10)])
    squares = bends**2 / (2 * np.arange(10) + 1)
    forces = np.array(list(rest.normal_forces.values()))
    return EI / 2 * length * squares.sum() + (forces**2).sum() / 2 / STIFFNESS


def test_a_wire_whose_tip_alone_touches_is_a_beam(rests):
    rest, length = rests[60], 0.06
    away = np.sqrt((BEND + CLEARANCE) ** 2 - (length - ENTRY) ** 2)
    tip, slope = BEND - away, (length - ENTRY) / away
    force = 3 * EI * tip / length**3
    assert held(rest) == pytest.approx(force * (slope - 1.5 * tip / length), rel=0.02)


@pytest.mark.parametrize("length", [70, 90, 130, 190])
def test_the_push_at_rest_is_the_energy_that_a_metre_takes(wire, rests, length):
    more, less = (
        chorda.equilibrium(
            wire, inputs={"feed": length / 1000 + x}, initial=rests[length], strict=True
        )
        for x in (1e-5, -1e-5)
    )
    change = (stored(more) - stored(less)) / 2e-5
    assert held(rests[length]) == pytest.approx(change, rel=1e-3, abs=1e-5)


def test_the_push_in_the_bend_is_near_that_of_its_curvature_and_ends_beyond_it(rests):
    metre = EI / 2 / BEND**2
    for length in (120, 140, 160):
        assert held(rests[length]) == pytest.approx(metre, rel=0.08)
    assert abs(held(rests[220])) < 0.01 * metre


@pytest.mark.slow
def test_in_motion_friction_is_added_and_alone_is_left_beyond_the_bend(wire, rests):
    speed, runs = 0.04, []
    for coefficient in (0.0, 0.15):
        runs.append(
            chorda.simulate(
                wire,
                duration=4.5,
                step=2e-3,
                inputs=lambda t: [0.04 + speed * t, 0.0],
                initial={"wire.length.rate": speed},
                parameters={"inside.friction.coefficient": coefficient},
                strict=True,
            )
        )
    smooth, rough = runs
    efforts = [run.data["effort"].values[:, 0] for run in runs]
    for length in (70, 100, 130, 160):
        k = int(np.argmin(abs(smooth.position[:, -1] - length / 1000)))
        assert efforts[0][k] == pytest.approx(held(rests[length]), rel=0.03)
    N = rough.data["normal_force"].values[-1]
    lost = 0.15 * N.sum()
    assert efforts[1][-1] - efforts[0][-1] == pytest.approx(lost, rel=0.02)


@pytest.mark.slow
def test_the_forces_of_the_post_do_the_work_that_bends_the_arm():
    """By every mode: EI and the cable's moment against forces at their points, in plain numpy."""
    system, pull = chorda.assemble(chorda.load("arm-post")), 0.022
    run = chorda.simulate(
        system,
        duration=4.0,
        step=1e-3,
        inputs=lambda t: pull * min(t / 2.5, 1.0) * np.array([-1.0, 1.0]),
        strict=True,
    )
    length, q = 0.24, run.position[-1]
    tension = run.outputs["tension"][-1]
    x = np.linspace(0, 1, 4001)
    functions = legendre.legvander(2 * x - 1, len(q) - 1)
    turns = length * np.vstack(
        [np.zeros(len(q)), np.cumsum((functions[1:] + functions[:-1]) / 2 * x[1], axis=0)]
    )
    angle = np.pi / 2 + turns @ q
    ways = length * x[1] * np.column_stack([np.cos(angle), np.sin(angle)])
    line = np.vstack([np.zeros(2), np.cumsum((ways[1:] + ways[:-1]) / 2, axis=0)])
    work = np.zeros(len(q))
    forces = run.data["normal_force"].values[-1]
    parts = [
        run.data[name].values[-1].reshape(-1, 3)[:, :2]
        for name in ("contact_normal", "friction_force", "contact_point")
    ]
    assert np.count_nonzero(forces) >= 3
    for N, normal, rubbing, point in zip(forces, *parts, strict=True):
        if N == 0:
            continue
        k = int(np.argmin(np.linalg.norm(line - point, axis=1)))
        bends = length * x[1] * functions[: k + 1]  # of what is nearer to the base
        arm = point - line[: k + 1]
        push = N * normal + rubbing
        work += bends.T @ (arm[:, 0] * push[1] - arm[:, 1] * push[0])
    elastic = EI * length / (2 * np.arange(len(q)) + 1) * q
    cables = (tension[0] - tension[1]) * 0.004 * turns[-1]
    assert elastic == pytest.approx(cables + work, abs=0.01 * np.abs(elastic).max())
    assert np.abs(work).max() > 0.2 * np.abs(elastic).max()


def test_a_wire_that_is_fed_against_a_wall_from_nothing_bends(wire):
    """The wall stops a straight wire: what shuts the feed's loop is as strong as it has to be."""
    there = chorda.equilibrium(wire, inputs={"feed": 0.065}, strict=True)
    before = chorda.equilibrium(wire, inputs={"feed": 0.05}, strict=True)  # touches nothing
    beside = chorda.equilibrium(wire, inputs={"feed": 0.065}, initial=before, strict=True)
    assert sum(there.normal_forces.values()) > 0.01
    assert there.q == pytest.approx(beside.q, abs=1e-8)
