"""Parallel robots of the catalogue: loops that close, configurations that symmetry and a paper
give."""

import numpy as np
import pytest

import chorda
from chorda.catalogue.parallel import rfrfr, six_rfs
from chorda.errors import InputError

PATH = {  # by motor angles on the printed path: the pin, by an independent continuous solution
    (2.59, 0.55): (0.00039493, 0.83903214),
    (4.175, 2.11): (-0.68205512, 0.41559150),
    (5.76, 3.67): (0.00050057, -0.91007367),
}
BULGE = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}


def held(system, angles, **how):
    hold = {f"motor{k}": angle for k, angle in enumerate(angles, start=1)}
    return chorda.equilibrium(system, hold=hold, strict=True, **how)


def with_intervals(robot, count):
    joints = [
        j.model_copy(update={"modes": j.modes.model_copy(update={"intervals": count})})
        if j.kind == "rod"
        else j
        for j in robot.joints
    ]
    return chorda.assemble(robot.model_copy(update={"joints": joints}))


def rod_ends(system, q):
    rows = [line.points[-1] for line in system.picture.lines if line.kind == "rod"]
    return system.drawing(q, system.parameters()).full()[:, rows]


@pytest.mark.parametrize(("angles", "pin"), PATH.items())
def test_five_functions_put_the_pin_within_the_largest_printed_error(angles, pin):
    """Against the continuous problem: 0.13 mm at most along the path [Briot2022, table I]."""
    found = held(chorda.assemble(rfrfr()), angles, initial=BULGE)
    assert found.frame("leg1.tip")[0][:2] == pytest.approx(pin, abs=1.3e-4)
    assert found.stable


@pytest.mark.parametrize("angles", PATH)
def test_along_the_printed_path_places_are_exact_for_their_strains(angles):
    system = chorda.assemble(rfrfr())
    q = held(system, angles, initial=BULGE).q
    finest = rod_ends(with_intervals(rfrfr(), 120), q)
    assert np.abs(rod_ends(system, q) - finest).max() < 1e-6
    finer = rod_ends(chorda.assemble(rfrfr(intervals=40)), q)
    assert np.abs(finer - finest).max() < 1e-10


@pytest.mark.parametrize("name", ["3-rfr", "tendon-parallel"])
def test_legs_reach_the_platform_as_they_are_at_rest(name):
    system = chorda.assemble(chorda.load(name))
    psi, J = system.closing(system.rest, np.zeros(system.nu), system.parameters())
    assert np.abs(psi.full()).max() < 1e-14
    assert np.linalg.svd(J.full(), compute_uv=False)[-1] > 0.04  # no closure says it twice


def test_equal_turns_of_three_motors_turn_the_platform_on_the_spot():
    found = held(chorda.assemble(chorda.load("3-rfr")), (0.3, 0.3, 0.3))
    assert [found.position[f"platform_{k}"] for k in "xy"] == pytest.approx([0, 0], abs=1e-9)
    assert abs(found.position["platform"]) > 0.1
    assert np.ptp(list(found.efforts.values())) < 1e-9
    assert found.stable


def test_unequal_turns_move_the_platform_as_a_turned_robot_moves():
    """The same turns one motor further on: the same motion, seen a third of a turn further."""
    system = chorda.assemble(chorda.load("3-rfr"))
    one, next_ = (held(system, angles) for angles in ((0.3, 0.1, 0.0), (0.0, 0.3, 0.1)))
    here, there = (np.array([x.position[f"platform_{k}"] for k in "xy"]) for x in (one, next_))
    c, s = np.cos(2 * np.pi / 3), np.sin(2 * np.pi / 3)
    assert np.array([[c, -s], [s, c]]) @ here == pytest.approx(there, abs=1e-9)
    assert np.linalg.norm(here) > 0.005
    assert one.position["platform"] == pytest.approx(next_.position["platform"], abs=1e-9)


def test_six_equal_motors_lift_the_platform_straight_up():
    guess = {f"leg{k}.bend_y0": -2.5 for k in range(1, 7)}
    found = held(chorda.assemble(six_rfs(2)), (5.86,) * 6, initial=guess)
    place, turn = found.frame("platform")
    assert place[:2] == pytest.approx([0, 0], abs=1e-9)
    assert turn == pytest.approx(np.eye(3), abs=1e-9)
    assert 0.5 < place[2] < 1.0
    assert found.stable


def test_a_tendon_on_the_outside_of_a_leg_moves_the_platform_along_its_plane():
    system = chorda.assemble(chorda.load("tendon-parallel"))
    found = chorda.equilibrium(system, inputs={"pull1a": 10.0}, strict=True)
    place, turn = found.frame("platform")
    assert abs(place[0]) > 0.005
    assert place[1] == pytest.approx(0, abs=1e-9)
    assert turn[1] == pytest.approx([0, 1, 0], abs=1e-9)
    assert found.stable


@pytest.mark.parametrize("modes", [0, 31, 2.0, "5", True])
def test_legs_have_a_whole_number_of_functions(modes):
    for make in (rfrfr, six_rfs):
        with pytest.raises(InputError, match="modes: expected a whole number from 1 to 30, got"):
            make(modes)
