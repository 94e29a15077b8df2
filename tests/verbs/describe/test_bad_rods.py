"""Rods, disks and sheaths that cannot be are refused: field, expected, got, remedy."""

import pytest

import chorda
from chorda.describe import from_data, read
from chorda.errors import ChordaError, DescriptionError, InputError
from tests.helpers.refusals import refused
from tests.helpers.rod_robots import robot, rod

ROD = {
    "name": "rod",
    "kind": "rod",
    "length": 0.5,
    "section": {"kind": "circle", "radius": 0.001},
    "young_modulus": 2e11,
    "density": 8000,
}
DISK = {"name": "disk", "at": 0.25, "radius": 0.02}
TENDON = {"name": "cable", "sheaths": [{"rod": "rod", "y": 0.01}], "actuator": "pull"}
PULL = {"name": "pull", "kind": "tension"}


def refusal(rod=(), tendon=None, sheath=None, **fields):
    """What is said of the robot with these fields of its rod, tendon or sheath changed."""
    joint = {k: v for k, v in {**ROD, **dict(rod)}.items() if v is not ...}
    data = {"name": "arm", "joints": [joint], **fields}
    if tendon is not None or sheath is not None:
        cable = {**TENDON, **(tendon or {})}
        if sheath is not None:
            cable["sheaths"] = [{"rod": "rod", "y": 0.01, **sheath}]
        data = {"actuators": [PULL], **data, "tendons": [cable]}
    return refused(DescriptionError, from_data, data, "arm")


def test_the_description_that_the_others_change_is_accepted():
    data = {"name": "arm", "joints": [{**ROD, "disks": [DISK]}], "actuators": [PULL]}
    assert from_data({**data, "tendons": [TENDON]}, "arm").name == "arm"


@pytest.mark.parametrize("value", [0, -2e11])
def test_stiffness_must_be_positive(value):
    message = refusal({"young_modulus": value})
    assert "joints.0.young_modulus: expected a number greater than 0" in message
    assert f"got {value}" in message
    assert "Pa" in message
    assert "joints.0.shear_modulus: expected a number greater" in refusal({"shear_modulus": value})


@pytest.mark.parametrize("field", ["length", "density", "taper"])
def test_sizes_must_be_positive(field):
    assert f"joints.0.{field}: expected a number greater than 0, got -1" in refusal({field: -1})


@pytest.mark.parametrize("field", ["bend_damping", "twist_damping", "stretch_damping"])
def test_damping_must_not_push(field):
    assert f"joints.0.{field}: expected a number of at least 0, got -1" in refusal({field: -1})


def test_a_rod_must_not_run_backwards():
    assert "joints.0.rest: expected a stretch above -1" in refusal({"rest": {"stretch": -2}})


def test_counts_of_modes_are_whole_numbers_up_to_a_limit():
    assert "bend_z: expected a whole number, got 2.5" in refusal({"modes": {"bend_z": 2.5}})
    assert "bend_z: expected a number of at most 60, got 61" in refusal({"modes": {"bend_z": 61}})


def test_drag_must_not_push():
    message = refusal({"drag": [0.1, -0.1, 0.1]})
    assert "joints.0.drag" in message
    assert "-0.1" in message


def test_section_must_be_known_and_have_its_size():
    assert "joints.0.section: this field is missing" in refusal({"section": ...})
    message = refusal({"section": {"kind": "cirle", "radius": 0.001}})
    assert "joints.0.section.kind: 'cirle' is not known; did you mean 'circle'?" in message
    assert "joints.0.section.radius" in refusal({"section": {"kind": "circle", "radius": 0}})


def test_tube_needs_a_wall():
    message = refusal({"section": {"kind": "tube", "radius": 0.001, "inner_radius": 0.002}})
    assert "joints.0.section" in message
    assert "inner_radius 0.002 m is not smaller than the outer radius 0.001 m" in message


def test_rod_needs_modes():
    none = dict.fromkeys(("twist", "bend_y", "bend_z", "stretch"), 0)
    message = refusal({"modes": none})
    assert "modes: a rod without modes cannot move" in message
    assert "give at least one strain a function" in message


def test_number_of_modes_must_be_sensible():
    assert "joints.0.modes.bend_y: expected" in refusal({"modes": {"bend_y": -1}})
    assert "joints.0.modes.bend_y" in refusal({"modes": {"bend_y": 2.5}})
    assert "joints.0.modes.order: expected 4 or 6, got 5" in refusal({"modes": {"order": 5}})
    message = refusal({"modes": {"basis": "fourier"}})
    assert "joints.0.modes.basis: expected 'legendre', 'chebyshev'" in message
    assert "got 'fourier'" in message


def test_strain_must_be_known():
    message = refusal({"modes": {"bend_x": 3}})
    assert "joints.0.modes.bend_x: unknown field; did you mean 'bend_" in message


@pytest.mark.parametrize("at", [0.6, -0.1])
def test_breaks_must_lie_on_the_rod(at):
    message = refusal({"modes": {"breaks": [0.2, at]}})
    assert f"modes.breaks.1: {at:g} m is beyond the rod, which is 0.5 m long" in message


def test_disk_must_sit_on_the_rod():
    message = refusal({"disks": [DISK, {**DISK, "name": "far", "at": 0.6}]})
    assert "disks.1.at: 0.6 m is beyond the rod, which is 0.5 m long" in message
    assert "joints.0.disks.0.at: expected a number of at least 0, got -0.1" in refusal(
        {"disks": [{**DISK, "at": -0.1}]}
    )


@pytest.mark.parametrize("names", [("disk", "disk"), ("tip", "disk"), ("base", "disk")])
def test_disks_need_names_of_their_own(names):
    message = refusal({"disks": [{**DISK, "name": name} for name in names]})
    assert f"disks: names must differ, and from tip and base, got {list(names)}" in message


def test_tendon_must_run_through_the_disks():
    message = refusal({"disks": [DISK]}, sheath={"y": 0.03})
    assert "tendons.0.sheaths.0: at 0.25 m along 'rod' it lies 0.03 m from the rod" in message
    assert "outside its disk 'disk' of radius 0.02 m" in message
    assert "make the disk larger or the offset smaller" in message


def test_sheath_must_end_on_the_rod():
    message = refusal(sheath={"end": 0.7})
    assert "tendons.0.sheaths.0.end: 0.7 m is beyond the end of 'rod', which is 0.5 m" in message


def test_sheath_must_start_before_it_ends():
    message = refusal(sheath={"start": 0.3, "end": 0.2})
    assert "tendons.0.sheaths.0.start: 0.3 m is not before its end at 0.2 m" in message


def test_sheath_must_name_a_rod():
    message = refusal(sheath={"rod": "rood"})
    assert "tendons.0.sheaths.0.rod: 'rood' is no rod of this robot; expected one of rod" in message


def test_sheaths_must_meet():
    upper = {**ROD, "name": "upper", "parent": "rod.tip"}
    sheaths = [{"rod": "rod", "y": 0.01}, {"rod": "upper", "y": 0.02}]
    message = refusal(tendon={"sheaths": sheaths}, joints=[ROD, upper])
    assert "tendons.0.sheaths.1: it starts 0.01 m beside the end of the sheath before it" in message
    apart = [{"rod": "rod", "y": 0.01, "end": 0.3}, {"rod": "upper", "y": 0.01}]
    message = refusal(tendon={"sheaths": apart}, joints=[ROD, upper])
    assert "expected to start at the base of a rod that stands on the tip of 'rod'" in message


def test_frame_of_a_rod_must_be_one_that_it_has():
    load = {"name": "push", "at": {"frame": "rod.end"}, "force": [0, 1, 0]}
    message = refusal(loads=[load])
    assert "loads.0.at.frame: 'rod.end' is no frame of this robot" in message
    assert "rod.base, rod.tip" in message


YAML = """
chorda: 1
name: arm
joints:
  - {name: rod, kind: rod, length: 0.5, section: {kind: circle, radius: 0.001},
     young_modulus: 2e+11, density: 8000}
actuators:
  - {name: pull, kind: tension}
  - {name: winch, kind: winch}
tendons:
  - name: cable
    sheaths: [{rod: rod, y: 0.01}]
"""


@pytest.mark.parametrize(
    ("actuators", "says"),
    [
        ("    actuator: [pull, winch]\n", "tendons.0.actuator: expected text"),
        ("    actuator: pull\n    actuator: winch\n", "actuator"),
        ("    actuator: pull\n", "actuators.1: 'winch' winds no tendon"),
    ],
    ids=["a list", "twice", "one left over"],
)
def test_tendon_is_not_actuated_by_tension_and_displacement_at_once(tmp_path, actuators, says):
    path = tmp_path / "arm.yaml"
    path.write_text(YAML + actuators)
    with pytest.raises(ChordaError) as caught:
        read(path)
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["rod.length", "rod.young_modulus", "rod.section.radius"])
def test_parameters_of_a_rod_cannot_be_changed_to_zero(name):
    system = chorda.assemble(robot(rod()))
    with pytest.raises(InputError, match=f"'{name}' must be greater than 0, got 0"):
        chorda.equilibrium(system, parameters={name: 0})
