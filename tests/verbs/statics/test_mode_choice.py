"""modes: auto, and assemble(robot, accuracy=...): as many functions as an accuracy takes."""

import numpy as np
import pytest

import chorda
from chorda.describe import Circle, Load, Modes, Point, Robot, Rod, Strains, dump, parse
from chorda.errors import DescriptionError, InputError
from chorda.mechanics import assemble as assemble_given
from tests.helpers.rod_loads import LOADS, tip_errors, with_modes

QUICK = ("till", "till-spatial", "rfrfr", "3-rfr")
NAMES = [x if x in QUICK else pytest.param(x, marks=pytest.mark.slow) for x in LOADS]


def modes_of(system):
    return {x.name: x.modes for x in system.robot.joints if isinstance(x, Rod)}


def occurring(modes):
    strains = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")
    return {x for x in strains if getattr(modes, x)}


def wire(**more):
    fields = {"length": 0.4, "section": Circle(radius=1e-3), "young_modulus": 6e10}
    return Rod(name="rod", **fields, density=6500, **more)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("asked", [None, 1e-3, 1e-4])
def test_the_accuracy_is_met_under_other_loads_or_its_miss_is_reported(name, asked):
    robot = chorda.load(name)
    if asked is None:
        system = chorda.assemble(with_modes(robot, "auto"))
    else:
        system = chorda.assemble(robot, accuracy=asked)
    (limit,) = {modes.accuracy for modes in modes_of(system).values()}
    for load in LOADS[name]:
        found, error = tip_errors(system, load, 1e-6)
        assert found.status.ok
        reported = "was asked for" in found.status.message
        assert error <= 1.1 * limit or reported
        assert error <= 5 * limit


def test_without_an_accuracy_it_is_a_thousandth_of_the_longest_rod():
    (modes,) = modes_of(chorda.assemble(with_modes(chorda.load("till"), "auto"))).values()
    assert modes.accuracy == pytest.approx(1e-3 * 0.7144)
    assert not modes.auto


def test_more_accuracy_takes_more_functions_and_intervals():
    few, many = (chorda.assemble(chorda.load("till"), accuracy=x) for x in (1e-2, 1e-7))
    assert many.nq > few.nq
    assert modes_of(many)["rod"].intervals > modes_of(few)["rod"].intervals


def test_a_miss_is_part_of_the_status_with_the_remedy():
    system = chorda.assemble(chorda.load("till"), accuracy=1e-5)
    found = chorda.equilibrium(system, tensions=50.0)
    assert "0.01 mm was asked for" in found.status.message
    assert "more functions" in found.status.message
    assert "equilibrium(..., accuracy=1e-05)" in found.status.message
    better = chorda.equilibrium(system, tensions=50.0, accuracy=1e-5)
    assert "asked for" not in better.status.message


def test_the_accuracy_stays_with_a_description():
    system = chorda.assemble(chorda.load("till"), accuracy=1e-5)
    again = assemble_given(parse(dump(system.robot)))
    assert modes_of(again) == modes_of(system)
    assert "was asked for" in chorda.equilibrium(again, tensions=50.0).status.message


@pytest.mark.parametrize(
    ("name", "strains"),
    [
        ("till", {"bend_y", "stretch"}),
        ("rfrfr", {"bend_z", "stretch"}),
        ("3-rfr", {"bend_z", "stretch"}),
        pytest.param("helical", {"twist", "bend_y", "bend_z", "stretch"}, marks=pytest.mark.slow),
        pytest.param("6-rfs", {"twist", "bend_y", "bend_z", "stretch"}, marks=pytest.mark.slow),
    ],
)
def test_a_planar_robot_has_the_strains_of_its_plane(name, strains):
    system = chorda.assemble(with_modes(chorda.load(name), "auto"))
    assert {frozenset(occurring(x)) for x in modes_of(system).values()} == {frozenset(strains)}


def test_a_robot_that_no_plane_holds_or_more_than_one_is_spatial():
    def strains(robot):
        return occurring(modes_of(chorda.assemble(robot))["rod"])

    tip = Point(frame="rod.tip")
    flat = Robot(name="flat", gravity=(0, -9.81, 0), joints=[wire(modes="auto")])
    assert strains(flat) == {"bend_z", "stretch"}
    for change in (
        {"gravity": (0, 0, 0)},
        {"gravity": (9.81, 0, 0)},
        {"gravity": (0, -9.81, 1.0)},
        {"loads": [Load(name="push", at=tip, force=(0, 0, 0.1))]},
        {"loads": [Load(name="push", at=tip, moment=(0.001, 0, 0))]},
        {"joints": [wire(modes="auto", rest=Strains(bend_y=1.0))]},
    ):
        spatial = flat.model_copy(update=change)
        assert strains(spatial) == {"twist", "bend_y", "bend_z", "stretch"}


def test_strains_that_are_named_occur_and_those_of_zero_do_not():
    named = wire(modes=Modes(auto=True, bend_y=1, shear_y=1, stretch=0))
    robot = Robot(name="named", gravity=(0, -9.81, 0), joints=[named])
    found = modes_of(chorda.assemble(robot))["rod"]
    assert occurring(found) == {"bend_y", "bend_z", "shear_y"}


def test_a_rod_that_nothing_bends_yet_is_chosen_for_a_force_at_its_tip():
    robot = Robot(name="free", gravity=(0, 0, 0), joints=[wire(modes="auto")])
    modes = modes_of(chorda.assemble(robot))["rod"]
    pushed = robot.model_copy(
        update={
            "loads": (Load(name="push", at=Point(frame="rod.tip"), force=(0, 0.5, 0.4)),),
            "joints": (wire(modes=modes),),
        }
    )
    found, error = tip_errors(chorda.assemble(pushed), {}, 1e-6)
    assert error < modes.accuracy
    assert np.linalg.norm(found.frame("rod.tip")[0] - [0.4, 0, 0]) > 0.1


def test_the_start_keeps_the_functions_that_it_names():
    robot = Robot(name="bent", joints=[wire(modes="auto")], start={"rod.bend_z4": 0.1})
    assert modes_of(chorda.assemble(robot, accuracy=1e-2))["rod"].bend_z >= 5


def test_rods_with_numbers_keep_them_beside_one_with_auto():
    second = wire(modes="auto").model_copy(update={"name": "second", "parent": "rod.tip"})
    robot = Robot(name="two", joints=[wire(modes=Modes(bend_z=3, bend_y=3)), second])
    found = modes_of(chorda.assemble(robot))
    assert found["rod"] == robot.joints[0].modes
    assert found["second"].accuracy == pytest.approx(4e-4)


def test_auto_is_a_word_of_robot_files():
    text = dump(Robot(name="auto", joints=[wire(modes="auto")]))
    assert parse(text).joints[0].modes == Modes(auto=True)
    short = text.replace("    auto: true\n", "").replace("  modes:\n", "  modes: auto\n")
    assert parse(short).joints[0].modes == Modes(auto=True)


def test_other_words_and_numbers_are_refused():
    with pytest.raises(DescriptionError, match="modes: expected auto, or a mapping"):
        wire(modes="automatic")
    with pytest.raises(DescriptionError, match="accuracy"):
        Modes(accuracy=0)
    with pytest.raises(InputError, match="accuracy: expected a positive number of m"):
        chorda.assemble(chorda.load("till"), accuracy=-1.0)
    with pytest.raises(InputError, match="accuracy: expected a robot with rods, got neck-1"):
        chorda.assemble(chorda.load("neck-1"), accuracy=1e-4)
    with pytest.raises(InputError, match=r"joints\.0\.modes: expected numbers of functions"):
        assemble_given(with_modes(chorda.load("till"), "auto"))


def test_rigid_tendons_of_a_given_length_are_pulled_in_trials_too():
    system = chorda.assemble(chorda.load("till"), "rigid", accuracy=1e-3)
    assert system.mode == "rigid"
    assert [x.kind for x in system.robot.actuators] == ["winch"]
    assert not any(load.name.startswith("trial") for load in system.robot.loads)
    assert modes_of(system)["rod"].bend_y > 2
