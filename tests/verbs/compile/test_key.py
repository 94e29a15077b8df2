"""The key of a kernel follows from what its code follows from, and from nothing else."""

import os

import pytest

import chorda
from chorda.compile import compiler
from chorda.describe import Placement

pytestmark = pytest.mark.usefixtures("c_compiler")


@pytest.fixture
def key_of(home, build, monkeypatch):
    """The key that a build asks the cache for."""
    asked = []

    def obtain(name, make, load):
        asked.append(name)

    monkeypatch.setattr("chorda.compile.cache.obtain", obtain)

    def key(*arguments, **options):
        build(*arguments, **options)
        return asked[-1]

    return key


def test_the_same_system_has_the_same_key(key_of):
    assert key_of() == key_of()
    assert len(key_of()) == 40


def test_the_scheme_changes_the_key(key_of):
    names = ("explicit-euler", "heun", "rk4", "implicit-euler", "implicit-euler-converged")
    assert len({key_of(name=name) for name in names}) == len(names)


def test_the_structure_changes_the_key(key_of):
    neck = chorda.neck(1)
    joint = neck.joints[0]
    others = [
        chorda.neck(2),
        neck.model_copy(update={"gravity": (0, 0, 0)}),
        neck.model_copy(update={"springs": ()}),
        neck.model_copy(update={"joints": (joint.model_copy(update={"friction": None}),)}),
        neck.model_copy(
            update={"joints": (joint.model_copy(update={"placement": Placement(angle=0.3)}),)}
        ),
    ]
    keys = {key_of(robot=robot) for robot in others} | {key_of(), key_of(tendons="rigid")}
    assert len(keys) == len(others) + 2


def test_the_values_of_parameters_do_not(key_of):
    neck = chorda.neck(1)
    joint = neck.joints[0].model_copy(update={"bar_mass": 0.05, "range": (-1.0, 1.0)})
    heavier = neck.model_copy(update={"joints": (joint,), "gravity": (0, -1.62, 0)})
    assert key_of(robot=heavier) == key_of()


def test_names_do_not(key_of):
    neck = chorda.neck(1)
    assert key_of(robot=neck.model_copy(update={"name": "other", "title": "x"})) == key_of()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("chorda.compile.compiler.FLAGS", ("-shared", "-fPIC")),
        ("chorda.compile.compiler.FAST", ("-O3",)),
        ("casadi.__version__", "0.0"),
    ],
)
def test_flags_and_versions_change_the_key(key_of, monkeypatch, part, value):
    before = key_of()
    monkeypatch.setattr(part, value)
    assert key_of() != before


def test_the_compiler_and_its_options_change_the_key(key_of, monkeypatch):
    before = key_of()
    command = " ".join(compiler.find().command)
    monkeypatch.setenv("CHORDA_COMPILER", f"{command} -ffast-math")
    assert key_of() != before


def test_the_processor_changes_the_key(key_of, monkeypatch):
    before = key_of()
    monkeypatch.setattr(compiler, "processor", lambda: "another")
    assert key_of() != before


def test_parameter_values_share_one_library(home, build, compilations):
    neck = chorda.neck(1)
    heavier = neck.joints[0].model_copy(update={"bar_mass": 0.05})
    build()
    build(robot=neck.model_copy(update={"joints": (heavier,)}))
    assert compilations.n == 1
    assert len(os.listdir(home)) == 1
