"""Inputs and parameters held and actuated like joints: legs of variable length, tendons."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError

ANGLES = {"motor1": 2.59, "motor2": 0.55}
LENGTHS = {"leg1.length": 0.9, "leg2.length": 1.05}


@pytest.fixture(scope="module")
def pair():
    return chorda.assemble(chorda.load("rfrfr"))


@pytest.fixture(scope="module")
def first(pair):
    return chorda.equilibrium(pair, hold=ANGLES, strict=True)


def tip(found):
    return found.frame("leg1.tip")[0][..., :2]


def test_legs_that_are_fed_end_where_legs_of_that_length_are(pair, first):
    fed = chorda.follow(first, hold=LENGTHS, points=5, strict=True)
    wanted = chorda.equilibrium(pair, hold={**ANGLES, **LENGTHS}, strict=True)
    assert tip(fed)[-1] == pytest.approx(tip(wanted), abs=1e-10)
    assert fed.at(-1).efforts == pytest.approx(wanted.efforts, rel=1e-8)
    assert dict(zip(fed.settings, fed.at(-1).target[2:], strict=True)) == pytest.approx(LENGTHS)


def test_settings_that_are_not_named_stay(first):
    fed = chorda.follow(first, hold=LENGTHS, points=3, strict=True)
    turned = chorda.follow(fed.at(-1), hold={"motor1": 2.7}, points=3, strict=True)
    assert {k: v[-1] for k, v in turned.settings.items()} == LENGTHS
    assert turned.at(-1).position["motor1"] == pytest.approx(2.7)
    assert turned.at(-1).position["motor2"] == pytest.approx(0.55)


def test_lengths_that_put_the_pin_somewhere_are_found(first):
    fed = chorda.follow(first, hold=LENGTHS, points=5, strict=True)
    x, y = tip(fed)[-1]
    back = chorda.follow(
        first,
        hold=ANGLES,
        poses={"leg1.tip": {"x": x, "y": y}},
        actuated=(*ANGLES, *LENGTHS),
        points=5,
        strict=True,
    )
    assert {k: v[-1] for k, v in back.settings.items()} == pytest.approx(LENGTHS, abs=1e-9)
    assert tip(back)[-1] == pytest.approx([x, y], abs=1e-10)


@pytest.mark.slow
def test_tensions_that_put_a_platform_somewhere_are_found():
    robot = chorda.assemble(chorda.load("tendon-parallel"))
    actuators = ("pull1a", "pull2a", "pull3a")
    start = chorda.equilibrium(robot, hold=dict.fromkeys(actuators, 2.0), strict=True)
    x, y, z = start.frame("platform")[0]
    wanted = {"x": x + 0.002, "y": y - 0.001, "z": z + 0.0005}
    moved = chorda.follow(
        start, poses={"platform": wanted}, actuated=actuators, points=4, strict=True
    )
    assert moved.frame("platform")[0][-1] == pytest.approx(list(wanted.values()), abs=1e-9)
    again = chorda.equilibrium(
        robot, hold={k: float(v[-1]) for k, v in moved.settings.items()}, initial=start, strict=True
    )
    assert again.frame("platform")[0] == pytest.approx(list(wanted.values()), abs=1e-8)


def test_what_is_no_joint_has_no_effort(pair):
    with pytest.raises(InputError, match=r"efforts: 'leg1.length' is not there"):
        chorda.equilibrium(pair, efforts={"leg1.length": 1.0})


def test_a_parameter_is_actuated_from_a_cold_start(pair):
    tip_at = {"leg1.tip": {"x": 0.0, "y": 0.75}}
    found = chorda.equilibrium(
        pair, hold={"motor1": 2.59}, poses=tip_at, actuated=["motor1", "motor2", "leg1.length"]
    )
    assert found.status.ok, found.status
    assert found.frame("leg1.tip")[0][:2] == pytest.approx([0.0, 0.75], abs=1e-9)
    length = found.parameters[pair.parameter_names.index("leg1.length")]
    again = chorda.equilibrium(
        pair,
        hold={"motor1": 2.59, "motor2": found.position["motor2"], "leg1.length": length},
        initial=found,
    )
    assert again.q == pytest.approx(found.q, abs=1e-8)


def test_different_configurations_of_one_problem_are_told_apart(pair):
    found = chorda.equilibria(pair, hold={"motor1": 2.0, "motor2": 1.0})
    assert len(found) >= 3
    places = np.array([tip(x) for x in found])
    apart = np.linalg.norm(places[:, None] - places, axis=2) + np.eye(len(found))
    assert apart.min() > 1e-3
    stable = [x.stable for x in found]
    assert stable == sorted(stable, reverse=True)
    assert any(stable)
    assert not all(stable)
    for x in found:
        assert x.system.closing(x.q, x.u, x.parameters)[0].full() == pytest.approx(0.0, abs=1e-9)


def test_solutions_say_how_they_were_found_and_come_by_their_energy(pair):
    found = chorda.equilibria(pair, hold={"motor1": 2.0, "motor2": 1.0}, starts=30)
    assert all(x.status.message.endswith("found from 30 starts.") for x in found)
    energies = [x.energy for x in found if x.stable]
    assert energies == sorted(energies)
    assert min(energies) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"starts": "5"},
        {"starts": 2.5},
        {"starts": 0},
        {"starts": True},
        {"spread": float("nan")},
        {"spread": "a"},
        {"spread": -1},
        {"seed": -1},
    ],
)
def test_a_search_names_what_it_cannot_use(pair, wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=rf"^{name}: expected a "):
        chorda.equilibria(pair, hold=ANGLES, **wrong)


@pytest.mark.parametrize("i", [99, -4, "x", 1.5])
def test_a_configuration_that_a_path_does_not_have_is_refused(first, i):
    path = chorda.follow(first, hold={"motor1": 2.6}, points=2, strict=True)
    with pytest.raises(InputError, match=r"^at: expected .* got "):
        path.at(i)


def test_a_robot_starts_where_its_description_says(pair):
    assert pair.start[pair.coordinate_names.index("motor1")] == 2.59
    assert pair.rest[pair.coordinate_names.index("motor1")] == 0.0
    other = pair.robot.model_copy(update={"start": {"motor3": 1.0}})
    with pytest.raises(InputError, match="start: 'motor3' is not there; did you mean"):
        chorda.assemble(other)


def test_a_singular_start_is_told(pair):
    straight = dict.fromkeys(pair.robot.start, 0.0)
    found = chorda.equilibrium(pair, hold={"motor1": 0.0, "motor2": 0.0}, initial=straight)
    assert found.status.code == "not-converged"
    assert "the start is singular: nothing can shut pin.x" in found.status.message
