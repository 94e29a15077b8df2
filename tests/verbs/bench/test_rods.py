"""The rod's benchmark compares equal accuracies, and its programs move the same rod."""

import math

import numpy as np
import pytest

from chorda.bench import chorda_rod, exudyn_rod, rod_comparison, soromox_rod
from chorda.bench.chorda_rod import BENDING
from chorda.bench.rod_comparison import BOUNDS, Timed, lead, ratio, shown
from chorda.bench.rod_motion import PULL, RISE, Path, risen, section, tension
from chorda.describe import Modes


@pytest.fixture(scope="module")
def reference() -> Path:
    return chorda_rod.fine()


ROWS = [
    Timed(BENDING, "long steps", 1.0, 0.001, 4e-4),
    Timed(BENDING, "short steps", 1.0, 0.002, 5e-5),
    Timed("true", "slow", 0.0, 0.1, 1e-5),
    Timed("true", "slower", 0.0, 0.2, 2e-5),
    Timed("coarse", "fast", 0.0, 0.004, 5e-4),
    Timed("wrong", "fast", 0.0, 0.0001, math.inf),
    Timed("other", "cost alone", 0.0, 10.0, None),
]


def test_the_pull_rises_smoothly_and_stays() -> None:
    h = 1e-5
    for t in (0.0, RISE):
        rates = [(risen(t / RISE + s * h) - risen(t / RISE)) / h for s in (-1, 1)]
        assert np.allclose(rates, 0, atol=1e-8)
    assert tension(-1.0) == 0
    assert tension(10.0) == PULL


def test_programs_without_descriptions_get_the_catalogues_rod() -> None:
    rod = section()
    assert rod.density * rod.area * rod.length == pytest.approx(0.034)
    assert rod.offset == 0.01506
    # the compression by the tendon, which programs without tendons leave out, is a few microns
    assert PULL / (rod.young_modulus * rod.area) * rod.length < 1e-5


def test_a_diverged_motion_has_an_infinite_error(reference: Path) -> None:
    assert reference.error(reference) == 0
    moved = Path(reference.time, reference.place + np.array([3e-3, 4e-3]))
    assert moved.error(reference) == pytest.approx(5e-3)
    assert Path(reference.time, reference.place * np.nan).error(reference) == math.inf


def test_rows_are_the_fastest_of_each_program_within_each_bound() -> None:
    assert [r.what for r in shown(ROWS)] == [
        "long steps",
        "short steps",
        "slow",
        "fast",
        "fast",
        "cost alone",
    ]


def test_ratios_compare_equal_accuracies() -> None:
    ratios = {(r.program, r.what): ratio(r, ROWS) for r in ROWS}
    assert ratios["true", "slow"] == pytest.approx(0.1 / 0.002)
    assert ratios["coarse", "fast"] == pytest.approx(0.004 / 0.001)
    assert ratios["wrong", "fast"] is None
    assert ratios["other", "cost alone"] == pytest.approx(10.0 / 0.002)
    assert lead("true", ROWS) == pytest.approx(50)
    assert lead("wrong", ROWS) is None
    assert lead("absent", ROWS) is None


def test_chordas_settings_reach_both_bounds(reference: Path) -> None:
    rows = rod_comparison.raced(chorda_rod.settings(quick=True), 1, reference, cold=False)
    assert all(any(r.within(bound) for r in rows) for bound in BOUNDS)


def test_the_motion_is_the_same_without_modes(reference: Path) -> None:
    assert chorda_rod.continuous_path(0.002).error(reference) < 1e-4


def test_programs_that_are_absent_are_named() -> None:
    note = rod_comparison._note(1e-6, False, ["SoRoMoX", "Exudyn"], [])
    assert "Not installed: SoRoMoX, Exudyn; pip install 'chorda[rod-peers]'." in note
    assert "Not installed" not in rod_comparison._note(1e-6, False, [], [])


def test_the_models_of_the_benchmark_are_planar() -> None:
    for given in (*chorda_rod.MODES.values(), chorda_rod.FINE_MODES):
        assert isinstance(given, Modes)
        assert given.twist == given.bend_z == given.shear_y == 0


def test_exudyn_moves_the_same_rod(reference: Path) -> None:
    pytest.importorskip("exudyn", reason="Exudyn is an extra")
    rows = rod_comparison.raced(exudyn_rod.settings(), 1, reference, cold=False)
    assert any(r.within(BOUNDS[-1]) for r in rows)


@pytest.mark.slow
def test_soromox_moves_the_same_rod(reference: Path) -> None:
    pytest.importorskip("soromox", reason="SoRoMoX is an extra")
    rows = rod_comparison.raced(soromox_rod.settings(), 1, reference, cold=False)
    assert any(r.within(BOUNDS[-1]) for r in rows)
