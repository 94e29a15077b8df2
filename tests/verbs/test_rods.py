"""Verbs that rods reach too: rigid tendons, files, transmission; and one that refuses them."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics
from chorda.errors import InputError


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.load("till"))


@pytest.fixture(scope="module")
def run(system):
    rest = chorda.equilibrium(system, inputs=0.0, strict=True)
    return chorda.simulate(system, duration=0.05, step=0.01, initial=rest, strict=True)


def test_a_rigid_tendon_of_a_rod_keeps_its_length():
    rigid = chorda.assemble(chorda.load("till"), tendons="rigid")
    rest = chorda.equilibrium(rigid, inputs=0.0, strict=True)
    run = chorda.simulate(
        rigid, duration=0.1, step=0.01, initial=rest, inputs={"winch": lambda t: -0.05 * t}
    )
    assert run.status.ok
    length = run.outputs["length"][:, 0]
    assert length - length[0] == pytest.approx(-0.05 * run.time, abs=1e-9)
    assert rest.tension[0] == pytest.approx(2.55, abs=0.05)  # stiffer than with compliance


def test_a_motion_of_a_rod_is_stored_and_opened(run, tmp_path):
    again = chorda.open(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again.position, run.position)


def test_the_arms_of_a_tendon_over_the_strains_are_told(system):
    found = chorda.transmission(system)
    offset, length = 0.01506, 0.7144  # [m] of the tendon beside the rod; of the rod
    arms = dict(zip(found.joints, found.B[0], strict=True))
    assert arms["rod.bend_y0"] == pytest.approx(offset * length, rel=1e-9)
    assert arms["rod.stretch0"] == pytest.approx(-length, rel=1e-9)
    assert [arms[f"rod.bend_y{k}"] for k in (1, 2, 3)] == pytest.approx([0, 0, 0], abs=1e-9)


def test_reactions_refuse_rods_by_name(run):
    with pytest.raises(InputError, match=r"not 'rod' \(rod\).*chorda.continuous.rod"):
        chorda.reactions(run)


def test_tension_gives_the_elongation_of_a_cable_over_its_free_length(system):
    """x = T l* / (E S) with l* = l - x, at the straight rod: l = L + lead."""
    p, rest = system.parameter_values, system.rest
    T, EA, length = 30.0, 1e4, 0.7144 + 0.0518
    x = float(system.stretched(T, rest, p))
    assert x == pytest.approx(T * (length - x) / EA, rel=1e-12)


def test_a_pull_to_three_quarters_of_a_turn_is_found_from_the_straight_rod(system):
    """As by the continuous problem, which starts there too; modes leave 0.1 mm."""
    found = chorda.equilibrium(system, inputs=-0.0755, strict=True)
    exact = rod_statics(system.robot, -0.0755)
    tip, turned = found.frame("rod.tip")
    assert exact.status.ok
    assert tip == pytest.approx(exact.tip, abs=1e-4)
    assert found.position["rod.bend_y0"] * 0.7144 > np.radians(270)
    assert turned == pytest.approx(exact.rotation[-1], abs=1e-3)
