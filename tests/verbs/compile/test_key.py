"""The key of a kernel follows from what its code follows from, and from nothing else."""

import os

import pytest

import chorda
from chorda.compile import compiler, library
from chorda.describe import Placement
from tests.helpers.loops import TILTED, parallel_gripper

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


def test_code_inside_a_package_changes_the_key(tmp_path, monkeypatch):
    """What makes the functions, however deep it lies: a library of older code is not used."""
    inner = tmp_path / "making" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "making" / "__init__.py").write_text("")
    (inner / "part.py").write_text("A = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = library.code_of("making")
    (inner / "part.py").write_text("A = 2\n")
    library.code_of.cache_clear()
    changed = library.code_of("making")
    (inner / "part.py").rename(inner / "other.py")
    library.code_of.cache_clear()
    assert len({before, changed, library.code_of("making")}) == 3


def test_all_code_of_mechanics_is_in_the_key(key_of, monkeypatch):
    before, read = key_of(), []
    code = library._code

    def counted(folder):
        for x in code(folder):
            read.append(x)
            yield x

    monkeypatch.setattr(library, "_code", counted)
    library.code_of.cache_clear()
    assert key_of() == before
    made = {"rod_touches.py", "scans.py", "joint_model.py", "step_equations.py", "bdf2.py"}
    assert made < set(read)


def lighter(joint):
    if joint.body is None:
        return joint
    return joint.model_copy(update={"body": joint.body.model_copy(update={"mass": 1e-3})})


def test_how_much_closures_give_way_changes_the_key(key_of):
    """It is a number in the kernel, which follows from values of parameters."""
    bars = parallel_gripper(TILTED)
    light = bars.model_copy(update={"joints": tuple(map(lighter, bars.joints))})
    systems = [chorda.assemble(x) for x in (bars, light)]
    assert systems[0].compliance != systems[1].compliance > 0
    assert key_of(robot=light) != key_of(robot=bars)


def test_parameter_values_share_one_library(home, build, compilations):
    neck = chorda.neck(1)
    heavier = neck.joints[0].model_copy(update={"bar_mass": 0.05})
    build()
    build(robot=neck.model_copy(update={"joints": (heavier,)}))
    assert compilations.n == 1
    assert len(os.listdir(home)) == 1
