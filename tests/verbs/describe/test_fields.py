"""A wrong field is named by its path, with what was expected, what came, and a remedy."""

import math

import pytest

from chorda.describe import Body, Motor, Revolute, Robot, Spring, XJoint, from_data
from chorda.errors import ChordaError, DescriptionError
from tests.helpers.refusals import HINGE, X, refused_robot

TENDON = {"name": "t", "path": [{}, {"frame": "j"}]}


def refusal_of(section, **changes):
    """What is said of a joint, tendon ... with these fields changed."""
    base = {"x": X, "joints": HINGE, "tendons": TENDON}[section]
    item = {k: v for k, v in {**base, **changes}.items() if v is not Ellipsis}
    if section == "tendons":
        return refused_robot(tendons=[item])
    return refused_robot(joints=[item])


def test_an_unknown_field_suggests_the_nearest():
    assert refusal_of("x", bar_lenght=1.0) == (
        "arm: joints.0.bar_lenght: unknown field; did you mean 'bar_length'?"
    )


def test_an_unknown_field_far_from_any_lists_those_there_are():
    message = refused_robot(colour_of_paint="red")
    assert "colour_of_paint: unknown field; expected one of chorda, name, title" in message


def test_a_missing_field_is_named_with_its_meaning_and_unit():
    message = refusal_of("x", bar_length=...)
    assert message == (
        "arm: joints.0.bar_length: this field is missing; add it (length of base and top bar [m])"
    )


def test_missing_name_and_joints_are_named():
    with pytest.raises(DescriptionError) as caught:
        from_data({})
    assert "name: this field is missing" in str(caught.value)
    assert "joints: this field is missing" in str(caught.value)


@pytest.mark.parametrize("value", ["heavy", "1", True, [1.0], {"kg": 1}])
def test_a_number_must_be_a_number(value):
    message = refusal_of("x", bar_mass=value)
    assert "joints.0.bar_mass: expected a number, got" in message
    assert "[kg]" in message


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("section", "field", "path"),
    [
        ("x", "bar_length", "bar_length"),
        ("x", "friction", "friction"),
        ("x", "range", "range.0"),
        ("joints", "axis", "axis.0"),
        ("joints", "rest", "rest"),
        ("tendons", "lead", "lead"),
    ],
)
def test_nan_and_infinity_are_refused_wherever_they_are(section, field, path, value):
    given = {"range": [value, 1.0], "axis": [value, 0.0, 0.0]}.get(field, value)
    where = "tendons.0" if section == "tendons" else "joints.0"
    message = refusal_of(section, **{field: given})
    assert f"{where}.{path}: expected a finite number, got {value}" in message


@pytest.mark.parametrize("value", [-0.03, 0, 0.0])
def test_a_mass_must_be_positive(value):
    message = refusal_of("x", bar_mass=value)
    assert f"joints.0.bar_mass: expected a number greater than 0, got {value}" in message


def test_a_friction_must_not_be_negative():
    assert "joints.0.friction: expected a number of at least 0, got -1" in refusal_of(
        "x", friction=-1
    )


@pytest.mark.parametrize("bar", [0.1, 0.2])
def test_bars_that_cannot_close_are_refused(bar):
    message = refusal_of("x", bar_length=bar)
    assert f"joints.0: the bars cannot close: bar_length {bar:g} m is not shorter" in message
    assert "make the diagonals longer" in message


def test_an_axis_must_have_length_one():
    message = refusal_of("joints", axis=[1, 1, 0])
    assert "joints.0.axis: expected a direction of length 1, got length 1.41421" in message
    assert "divide it by its length" in message


def test_a_vector_has_three_numbers():
    assert "joints.0.axis: expected 3 values, got [0, 1]" in refusal_of("joints", axis=[0, 1])
    assert "joints.0.axis: expected 3 values, got [0, 0, 1, 0]" in refusal_of(
        "joints", axis=[0, 0, 1, 0]
    )
    assert "joints.0.axis: expected a list, got 'up'" in refusal_of("joints", axis="up")


@pytest.mark.parametrize("value", [[1.0, -1.0], [1.0, 1.0]])
@pytest.mark.parametrize("section", ["joints", "x"])
def test_a_range_runs_from_low_to_high(section, value):
    message = refusal_of(section, range=value)
    assert f"joints.0.range: expected [low, high] with low < high, got {value}" in message


@pytest.mark.parametrize(
    ("record", "word", "ours"),
    [(Revolute, "damping", "friction"), (Motor, "gear", "gear_ratio")],
)
def test_the_word_of_others_for_a_field_is_understood(record, word, ours):
    with pytest.raises(DescriptionError, match=f"{word}: unknown field; did you mean '{ours}'"):
        record(name="a", **{word: 1.0})


def test_an_unknown_kind_suggests_the_nearest():
    assert refusal_of("joints", kind="revolut") == (
        "arm: joints.0.kind: 'revolut' is not known; did you mean 'revolute'?"
    )
    message = refusal_of("tendons", law={"kind": "steel"})
    assert (
        "tendons.0.law.kind: 'steel' is not known; expected one of rigid, kelvin-voigt" in message
    )


def test_a_missing_kind_lists_those_there_are():
    message = refusal_of("joints", kind=...)
    assert "joints.0.kind: this field is missing; expected one of revolute, prismatic" in message


def test_paths_are_those_of_the_file_without_the_branch_of_a_union():
    law = {"kind": "kelvin-voigt", "stiffness": -1}
    assert "tendons.0.law.stiffness: expected a number greater" in refusal_of("tendons", law=law)
    path = [{"point": [0, 1]}, {"frame": "j"}]
    assert "tendons.0.path.0.point: expected 3 values, got [0, 1]" in refusal_of(
        "tendons", path=path
    )
    path = [{"point": {"x": 1}}, {"frame": "j"}]
    assert "tendons.0.path.0.point: expected a list, got {'x': 1}" in refusal_of(
        "tendons", path=path
    )


@pytest.mark.parametrize("joint", [3, "hinge", None, []])
def test_a_joint_must_be_a_mapping(joint):
    assert "joints.0: expected a mapping of fields, got" in refused_robot(joints=[joint])


def test_a_list_must_be_a_list():
    with pytest.raises(DescriptionError, match="joints: expected a list, got nothing"):
        from_data({"name": "a", "joints": None})


def test_text_must_be_text():
    with pytest.raises(DescriptionError, match=r"name: expected text .*, got 3"):
        from_data({"name": 3, "joints": []})
    with pytest.raises(DescriptionError, match="name: expected text"):
        from_data({"name": "", "joints": []})


@pytest.mark.parametrize("name", ["1j", "a.b", "a b", "", "a*", "é"])
def test_a_name_is_letters_and_digits(name):
    assert "joints.0.name: expected letters, digits" in refusal_of("joints", name=name)


def test_an_inertia_must_resist_every_turn():
    body = {"mass": 1.0, "inertia": [1, 1, 1, 2, 0, 0]}
    message = refusal_of("joints", body=body)
    assert "joints.0.body.inertia: expected principal moments of at least 0, got -1" in message


def test_no_moment_of_inertia_exceeds_the_other_two_together():
    with pytest.raises(DescriptionError) as caught:
        Body(mass=1.0, inertia=(1, 1, 5, 0, 0, 0))
    assert "Body: inertia: expected principal moments of which none is larger" in str(caught.value)
    assert "got 1, 1, 5: no body has such; check units" in str(caught.value)


@pytest.mark.parametrize(
    "inertia",
    [
        (0.5, 0.5, 1, 0, 0, 0),  # a disc
        (0, 1, 1, 0, 0, 0),  # a rod
        (1.23e-5, 1.23e-5, 2.47e-5, 0, 0, 0),  # a disc, printed with three digits
        (0, 0, 1, 0, 0, 0),  # only what a planar motion needs
        (0, 0, 0, 0, 0, 0),
    ],
)
def test_flat_thin_planar_and_massless_bodies_are_bodies(inertia):
    assert Body(mass=1.0, inertia=inertia).inertia == inertia


def test_a_short_list_is_one_finding():
    with pytest.raises(DescriptionError) as caught:
        Body(mass=1.0, inertia=(1e-3, 1e-3))
    message = str(caught.value)
    assert message.startswith("Body: inertia: expected 6 values, got (0.001, 0.001) (Ixx, Iyy")
    assert "\n" not in message


def test_a_file_of_a_newer_format_says_so():
    assert "chorda: this file is of version 2" in refused_robot(chorda=2)


def test_every_finding_is_told_at_once_up_to_ten():
    message = refusal_of("x", bar_mass=-1, diagonal_mass="a", bar_length=...)
    assert all(f"joints.0.{f}:" in message for f in ("bar_mass", "diagonal_mass", "bar_length"))
    many = refused_robot(joints=[{"kind": "revolute"}] * 25)
    assert many.count("name: this field is missing") == 10
    assert many.endswith("... and 15 more")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Body(mass=-1.0), "Body: mass: expected a number greater than 0, got -1.0"),
        (lambda: Spring(name="s", stiffnes=1.0), "s: .*stiffnes: unknown field; did you mean"),
        (lambda: XJoint(**{**X, "bar_length": 1}), "x1: the bars cannot close"),
        (lambda: Motor(name="m", inertia=1e-5), "m: drum_radius: this field is missing"),
        (lambda: Robot(name="r"), "r: joints: this field is missing"),
    ],
)
def test_records_made_in_python_are_refused_in_the_same_words(make, words):
    with pytest.raises(DescriptionError, match=f"(?s){words}"):
        make()


def test_a_copy_with_changes_is_checked_too():
    body = Body(mass=1.0)
    assert body.model_copy(update={"mass": 2.0}) == Body(mass=2.0)
    assert body.model_copy() == body
    with pytest.raises(DescriptionError, match="mass: expected a finite number"):
        body.model_copy(update={"mass": math.nan})


def test_records_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        Body(mass=1.0).mass = 2.0


def test_description_errors_are_errors_of_chorda_and_value_errors():
    assert issubclass(DescriptionError, ChordaError)
    assert issubclass(DescriptionError, ValueError)
