"""Random robots of every family agree with the plain mechanics, and a wrong sign is found."""

import pytest

from tests.fuzz.drawn import FAMILIES
from tests.fuzz.oracles import ORACLES
from tests.fuzz.record import BAD
from tests.fuzz.robots import drawn_case, examined

OF_A_STATE = ("poses", "inertia", "energies", "forces", "accelerations")


def bad(outcomes):
    return [x for x in outcomes if x.word in BAD]


@pytest.mark.parametrize("family", FAMILIES)
def test_some_robots_of_each_family(family):
    count = 2 if family == "soft" else 6
    found = [x for number in range(count) for x in examined(7, number, family=family)]
    assert not bad(found)
    asked = {x.group for x in found if x.word == "agrees"}
    assert set(OF_A_STATE) <= asked


@pytest.mark.parametrize("oracle", [*OF_A_STATE, "tendons", "linearize", "MuJoCo"])
def test_an_oracle_finds_a_wrong_sign(oracle):
    """Chorda's values get another sign on their way to the comparison."""
    family = "planar" if oracle == "tendons" else "chain"

    def words(falsify):
        found = [x for n in range(3) for x in examined(3, n, falsify, family, [oracle])]
        return [x.word for x in found if x.group == oracle]

    assert words("").count("agrees") > 0
    assert words(oracle).count("differs") == words("").count("agrees")


def test_a_robot_is_the_same_whatever_came_before():
    one, other = drawn_case(1, 5), drawn_case(1, 5)
    assert one.robot == other.robot
    assert (one.qv[0] == other.qv[0]).all()


def test_every_oracle_has_a_name_of_its_own():
    assert len(ORACLES) == 18
