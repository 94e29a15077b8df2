"""The catalogue: found by name, every number with its source."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import chorda
from chorda.catalogue import rfrfr, six_rfs
from chorda.describe import numbers
from chorda.errors import DescriptionError, InputError
from chorda.papers.fasquelle2021.published import DAMPING, DRUM, FRICTION, GEAR


@pytest.mark.parametrize("n", [3, 4])
def test_the_shipped_files_equal_what_makes_them(n):
    assert chorda.load(f"neck-{n}") == chorda.neck(n)


@pytest.mark.parametrize("name", ["fasquelle-3", "fasquelle-3-pulleys"])
def test_the_necks_of_fasquelle_have_the_printed_geometry_friction_and_laws(name):
    robot = chorda.load(name)
    assert robot.joints == chorda.neck(3).joints
    assert [t.law.damping for t in robot.tendons] == list(DAMPING.values())
    torques = [a.dry_friction.torque * GEAR / DRUM for a in robot.actuators]
    assert torques == pytest.approx(list(FRICTION.values()), rel=1e-12)


@pytest.mark.parametrize("make", [rfrfr, six_rfs])
def test_modes_and_intervals_are_all_that_a_study_changes(make):
    plain, fine = make(), make(modes=7, intervals=20)
    assert plain == chorda.load(plain.name)
    assert make(modes=5, intervals=12) == plain
    for a, b in zip(plain.joints, fine.joints, strict=True):
        if a.kind == "rod":
            assert (b.modes.bend_z, b.modes.intervals, b.modes.twist) == (7, 20, 0)
            assert b.model_copy(update={"modes": a.modes}) == a
        else:
            assert a == b


def test_the_variants_of_till_differ_in_what_their_names_say():
    plain, spatial, pulled = (chorda.load(f"till{x}") for x in ("", "-spatial", "-tension"))
    changed = spatial.joints[0].model_copy(update={"modes": plain.joints[0].modes})
    assert changed == plain.joints[0] == pulled.joints[0]
    assert (plain.tendons, plain.actuators) == (spatial.tendons, spatial.actuators)
    assert [x.actuators[0].kind for x in (plain, pulled)] == ["winch", "tension"]


@pytest.mark.parametrize("n", range(1, 13))
def test_necks_of_1_to_12_joints_load_by_name(n):
    robot = chorda.load(f"neck-{n}")
    assert (len(robot.joints), len(robot.tendons)) == (n, n + 1)


@pytest.mark.parametrize("name", chorda.names())
def test_every_number_that_is_set_has_a_source(name):
    robot = chorda.load(name)
    set_ones = [
        path
        for path, value, _ in numbers(robot)
        if not path.endswith(("placement.angle", "lead")) or value != 0
        if ".axis." not in path and ".placement." not in path
    ]
    assert len(set_ones) > 20
    orphans = [p for p in set_ones if not any(fnmatchcase(p, known) for known in robot.sources)]
    assert orphans == []


@pytest.mark.parametrize("name", chorda.names())
def test_every_source_is_of_a_number_and_says_where_from(name):
    robot = chorda.load(name)
    paths = [path for path, _, _ in numbers(robot)]
    for pattern, source in robot.sources.items():
        assert any(fnmatchcase(path, pattern) for path in paths), pattern
        assert source.startswith(
            (
                "Testard2023",
                "Fasquelle2021",
                "Briot2022",
                "Recursive, ",
                "Till, ",
                "assumed: ",
                "geometry: ",
            )
        )


@pytest.mark.parametrize("n", [n for n in range(1, 13) if n != 4])
def test_necks_stand_straight_without_tension(n):
    found = chorda.equilibrium(chorda.assemble(chorda.neck(n)), tensions=0.0)
    assert found.stable
    assert abs(found.q).max() < 1e-9
    assert found.eigenvalues[0] > 0.2  # [N m/rad]


def test_the_published_springs_of_four_joints_need_two_newtons():
    system = chorda.assemble(chorda.neck(4))
    assert not chorda.equilibrium(system, tensions=1.0).stable
    assert chorda.equilibrium(system, tensions=2.0).stable


@pytest.mark.parametrize("n", [0, 13, -1, 2.0, "3", True, None])
def test_a_neck_has_1_to_12_joints(n):
    with pytest.raises(InputError, match="joints: expected a whole number from 1 to 12, got"):
        chorda.neck(n)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("neck3", "did you mean 'neck-3'"),
        ("giraffe", "the catalogue has .*fasquelle-3, .*neck-3, neck-4, .*and neck-1 to neck-12"),
        ("neck-0", "'neck-0' is neither in the catalogue nor a .yaml file"),
        ("neck-13", "neck-1 to neck-12"),
        ("neck-99999999999999999999", "neck-1 to neck-12"),
        ("", "neither in the catalogue"),
        (3, "expected a catalogue name or the path"),
        (None, "expected a catalogue name or the path"),
    ],
)
def test_an_unknown_robot_says_what_there_is(name, words):
    with pytest.raises(InputError, match=f"robot: .*{words}"):
        chorda.load(name)


@pytest.mark.parametrize("path", ["missing.yaml", "./missing", Path("neck-3")])
def test_paths_are_looked_for_on_disk(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if isinstance(path, Path):
        assert chorda.load(path).name == "neck-3"  # a name, whatever its type
    else:
        with pytest.raises(DescriptionError, match="cannot be read: No such file"):
            chorda.load(path)
