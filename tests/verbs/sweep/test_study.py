"""What a study cannot be is said in the user's words, and nothing is written."""

import pytest

import chorda
from chorda.errors import ChordaError, DescriptionError, InputError
from chorda.sweeps import read_study
from chorda.sweeps.study import from_mapping
from tests.helpers.small_studies import equilibria, motions, written


def changed(study, **fields):
    return {**study, **fields}


def vary(**item):
    return changed(motions(), vary=[item], samples=None)


def motions_of(*items):
    """Over these, each at one value."""
    return changed(
        motions(), vary=[{"kind": "list", "at": [0.1], **x} for x in items], samples=None
    )


STIFF = {"kind": "list", "at": [1e4, 2e4]}
WRONG = [
    (
        vary(name="left.stifness", kind="list", at=[1.0]),
        "vary.0.name: 'left.stifness' is not there; did you mean left.stiff",
    ),
    (
        vary(name="initial.x2", kind="list", at=[1.0]),
        "vary.0.name: 'initial.x2' is not there; did you mean initial.x1",
    ),
    (vary(name="inputs.motor-lift", kind="list", at=[1.0]), "did you mean inputs.motor-left"),
    (vary(name="initial", kind="list", at=[1.0]), "vary.0.name: say which, such as initial.x1"),
    (
        vary(name="left.stiffness", kind="grid", low=1, high=2, count=0),
        "vary.0.count: expected a number of at least 1, got 0",
    ),
    (
        vary(name="left.stiffness", kind="list", at=[]),
        "vary.0.at: expected at least one value, got none",
    ),
    (
        vary(name="left.stiffness", kind="grid", low=-1, high=2, count=3, spacing="log"),
        "vary.0.low: expected more than 0",
    ),
    (
        vary(name="left.stiffness", kind="grid", low=-1, high=2, count=3),
        "vary.0: parameters: 'left.stiffness' must not be negative",
    ),
    (vary(name="left.stiffness", kind="gird", low=1, high=2, count=3), "did you mean 'grid'?"),
    (vary(name="left.stiffness", kind="random", low=1, high=2), "samples: this field is missing"),
    (
        vary(name="left.stiffness", kind="random", mean=1),
        "vary.0.low: with 'distribution: uniform' it is missing",
    ),
    (changed(motions(), vary=[]), "vary: expected at least one quantity, got none"),
    (
        changed(motions(), vary=[*motions()["vary"], motions()["vary"][1]]),
        "vary.3: 'initial.x1' is there twice",
    ),
    (
        changed(motions(), vary=[*motions()["vary"], {**STIFF, "name": "right1.stiffness"}]),
        "vary.3.name: 'right1.stiffness' and '*.stiffness' both set right1.stiffness",
    ),
    (
        motions_of({"name": "inputs"}, {"name": "inputs.motor-left"}),
        "vary.1.name: 'inputs.motor-left' and 'inputs' both set inputs.motor-left",
    ),
    (
        motions_of({"name": "inputs.motor-left"}, {"name": "inputs"}),
        "vary.1.name: 'inputs' and 'inputs.motor-left' both set inputs.motor-left",
    ),
    (
        motions_of({"name": "left.damping"}, {"name": "parameters.left.damping"}),
        "vary.1.name: 'parameters.left.damping' and 'left.damping' both set left.damping",
    ),
    (changed(motions(), robot="nek-3"), "did you mean 'neck-"),
    (motions(duration=-1.0), "compute.duration: expected a number greater than 0, got -1.0"),
    (
        motions(keep=["final_positon"]),
        "compute.keep.0: 'final_positon' is not there; did you mean final_position",
    ),
    (motions(schem="rk4"), "compute.schem: unknown field; did you mean 'scheme'?"),
    (motions(scheme="rk5"), "rk4"),
    (motions(inputs="much"), "compute.inputs: expected a number, a list, or numbers by name"),
    (equilibria(tensions=[5.0], angles=1.0), "tensions and angles: expected values by name"),
    (
        changed(equilibria(), compute={"kind": "equilibrium", "tensions": 3.0}),
        "compute.tensions: varies as a whole",
    ),
]


@pytest.mark.parametrize(
    ("study", "sentence"), WRONG, ids=lambda x: x if isinstance(x, str) else ""
)
def test_a_wrong_study_is_refused_by_field_and_nothing_is_written(study, sentence, tmp_path):
    with pytest.raises(ChordaError) as error:
        chorda.sweep(study, tmp_path / "store.zarr")
    assert sentence in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_billion_points_are_refused_with_their_size_and_time(tmp_path):
    study = motions(1000, 1000, 1000)
    with pytest.raises(
        InputError, match=r"1,000,000,000 points, about .* GB and .* hours"
    ) as error:
        chorda.sweep(study, tmp_path / "store.zarr")
    assert "many=True (--yes)" in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_results_have_needs_a_label(tmp_path):
    study = motions(keep=["final_position", "end_time"])
    study["vary"][0]["label"] = "end_time"
    with pytest.raises(InputError, match=r"vary.0.label: 'end_time' is also a name of the results"):
        chorda.sweep(study)


def test_a_robots_file_is_seen_from_the_studys_folder(tmp_path):
    chorda.describe.write(chorda.load("neck-1"), tmp_path / "own.yaml")
    by_name = from_mapping(motions())
    from_file = read_study(written(changed(motions(), robot="own.yaml"), tmp_path))
    assert from_file.fingerprint() == by_name.fingerprint()


def test_the_fingerprint_sees_every_number_but_not_the_name():
    one = from_mapping(motions())
    assert from_mapping(changed(motions(), name="other")).fingerprint() == one.fingerprint()
    assert from_mapping(motions(step=1.1e-3)).fingerprint() != one.fingerprint()


def test_a_study_that_writes_a_default_out_is_the_same_study():
    one = from_mapping(motions())
    written_out = changed(motions(every=1, scheme=None), tendons="elastic")
    assert from_mapping(written_out).fingerprint() == one.fingerprint()
    assert from_mapping(one.plain()) == one


def test_a_file_that_is_no_study_is_named(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text("- 1\n- 2\n", encoding="utf-8")
    with pytest.raises(DescriptionError, match=r"study.yaml: expected a mapping"):
        read_study(path)
    with pytest.raises(DescriptionError, match="no such file; expected a study"):
        read_study(tmp_path / "none.yaml")
