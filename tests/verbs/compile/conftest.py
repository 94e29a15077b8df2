import os
from types import SimpleNamespace

import pytest

import chorda
from chorda.compile import cache, find, library
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import find as scheme


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh private kernel cache."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CHORDA_CACHE", str(folder))
    monkeypatch.setattr(cache, "_instead", {})
    return folder


@pytest.fixture
def no_compiler(monkeypatch):
    monkeypatch.setenv("CHORDA_COMPILER", "none")


@pytest.fixture(scope="session")
def c_compiler():
    if find() is None:
        pytest.skip("no C compiler")


@pytest.fixture
def build():
    """Build the kernel of a neck as a new process would: with nothing kept in memory."""

    def made(joints=1, name="explicit-euler", tendons="elastic", robot=None):
        system = chorda.assemble(robot or chorda.neck(joints), tendons=tendons)
        return SchemeLoop(system, scheme(name)).kernel

    return made


@pytest.fixture
def compilations(monkeypatch):
    """How often the compiler ran."""
    count = SimpleNamespace(n=0)
    original = library.all_ended

    def counted(*arguments):
        count.n += 1
        return original(*arguments)

    monkeypatch.setattr(library, "all_ended", counted)
    return count


@pytest.fixture
def only(home):
    """The one folder in the cache."""

    def one():
        (name,) = os.listdir(home)
        return home / name

    return one
