"""Long source in several translation units: nothing is lost, and the numbers are the same."""

import numpy as np
import pytest

import chorda
from chorda.bench import eyelets
from chorda.compile import source, units
from chorda.compile.compiler import find
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES


@pytest.fixture(autouse=True)
def small_units(monkeypatch):
    monkeypatch.setattr(units, "LEAST_PIECES", 10)


@pytest.fixture(scope="module")
def code():
    system = chorda.assemble(eyelets.robot(16))
    loop = SchemeLoop(system, SCHEMES["implicit-euler"])
    return source.generate(loop.functions(), loop.settings.defines(), ("newton.c", "driver.c"))


def test_every_piece_is_in_one_unit_and_declared_in_the_first(code):
    first, *others = units.units(code, cores=3)
    pieces = code.count(source.PIECE_HEAD)
    assert len(others) == 3
    assert sum(x.count(units._SHARED) for x in others) == first.count(units._SHARED)
    assert first.count(source.PIECE_HEAD) + first.count(units._SHARED) == pieces


def test_short_source_is_one_unit(code):
    short = code[: code.index(source.PIECE_HEAD)]
    assert units.units(short, cores=4) == [short]
    assert units.units(code, cores=1) == [code]


def test_units_are_made_where_a_system_has_no_affinities(code, monkeypatch):
    monkeypatch.delattr("os.sched_getaffinity", raising=False)  # macOS, Windows
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert len(units.units(code)) == 4


@pytest.mark.skipif(find() is None, reason="needs a compiler")
def test_numbers_do_not_depend_on_the_units(monkeypatch, tmp_path):
    def run(cores):
        monkeypatch.setenv("CHORDA_CACHE", str(tmp_path / f"of-{cores}"))
        monkeypatch.setattr("chorda.compile.library.units", lambda text: units.units(text, cores))
        system = chorda.assemble(eyelets.robot(16))
        bent = {f"j{i + 1}": 0.1 for i in range(16)}
        return chorda.simulate(system, duration=0.02, step=1e-3, initial=bent).position

    assert np.allclose(run(1), run(3), rtol=1e-10, atol=1e-13)
