"""The reproduction of Till: statics, the ramp, short steps, friction; rows and their verdicts."""

from pathlib import Path

import numpy as np
import pytest

from chorda.papers import PAPERS
from chorda.papers.till.friction_study import DRY, PERIODS, compliant
from chorda.papers.till.friction_tables import choices_table, loop_table
from chorda.papers.till.published import DURATION, program
from chorda.papers.till.study import PROGRAM, Point, Study, modes
from chorda.papers.till.tables import motion_table, precision_table, short_table, static_table
from chorda.papers.verdicts import NOT_DETERMINED, REPRODUCED

RECORDED = Path(__file__).parents[1] / "data" / "till-ramp-euler200-dt50ms.csv"


# x, z [m], tension [N] by an independent solution of the same equations, and within what
CONVERGED = (-0.1478147, 0.6957325, 2.507781)
STATIC = {
    "continuous, euler, 200 nodes": ((-0.149335, None, 2.544596), 1e-5),
    "continuous, rk4, 61 nodes": (CONVERGED, 1e-6),
    "continuous, gauss6, 21 nodes": (CONVERGED, 1e-6),
    "strain modes": (CONVERGED, 1e-6),
    "strain modes, neither stretch nor shear": ((-0.14769, None, None), 1e-5),
}


@pytest.fixture(scope="module")
def study():
    return Study(quick=True)


def test_the_packaged_motion_is_the_recorded_one():
    rows, quoted = np.loadtxt(RECORDED, delimiter=",", skiprows=2), program()
    assert quoted.time == pytest.approx(rows[:, 1], abs=1e-9)
    assert quoted.tip == pytest.approx(rows[:, 3:6], abs=1e-8)
    assert quoted.tension == pytest.approx(rows[:, 6], abs=1e-8)


def test_both_formulations_find_the_static_tip(study):
    rows = static_table(study).rows
    assert [row[0] for row in rows] == list(STATIC)
    for label, *ours, _, _, judged in rows:
        known, within = STATIC[label]
        for number, wanted, limit in zip(ours, known, (within, within, 10 * within), strict=True):
            assert wanted is None or float(number) == pytest.approx(wanted, abs=limit)
        assert judged == REPRODUCED


@pytest.mark.slow
def test_steps_that_the_program_cannot_take_work(study):
    rows = short_table(study).rows
    assert len(rows) == 9
    assert {row[3] for row in rows} == {"completed"}
    assert all(float(row[4]) < 2e-9 for row in rows if row[4] != "-")
    assert all(row[-1].endswith("it works") for row in rows)


def test_strain_modes_converge_with_second_order(study):
    assert study.truth.fine == pytest.approx(study.truth.coarse / 4, rel=0.1)
    run = study.run(modes(0.05))
    assert study.error(run.time, run.tip).max() == pytest.approx(0.0193, rel=0.02)


def test_dry_friction_leaves_a_loop_and_damping_does_not(study):
    frictions, rows = study.frictions, loop_table(study).rows
    assert [row[-1] for row in rows] == [REPRODUCED] * 4
    areas = {row[0]: (float(row[2]), float(row[3])) for row in rows}
    for name in ("none", "simple"):  # twice as slow, half the loop: viscous
        assert areas[name][1] == pytest.approx(areas[name][0] / 2, rel=0.02)
    assert areas["sliding"][0] > 3 * areas["none"][0]
    assert areas[DRY][1] == pytest.approx(areas[DRY][0], rel=0.05)
    slow = {name: frictions.loops[name, PERIODS[1]].area for name in ("none", DRY)}
    assert slow["none"] < 0.02 * slow[DRY]
    works = [frictions.loops[name, PERIODS[1]].work for name in ("none", "sliding", DRY)]
    assert 0 < works[0] < works[1] < works[2]


@pytest.mark.slow
def test_friction_is_the_programs_with_all_of_its_choices_only(study):
    rows = choices_table(study).rows
    apart = {row[:2]: float(row[2].removesuffix(" mm")) for row in rows}
    assert apart["simple", "none of them"] == pytest.approx(258, abs=0.5)
    assert apart["sliding", "none of them"] == pytest.approx(19, abs=0.5)
    met = [row[:2] for row in rows if row[-1] == REPRODUCED]
    assert met == [("simple", "all"), ("sliding", "all")]
    assert max(apart[x] for x in met) < 0.05
    judged = {row[:2]: row[-1] for row in rows}
    assert judged["simple", "moment"].endswith("the winch's rate in the speed of sliding")
    assert judged["simple", "counted_from"].endswith("has a moment against the force")


def test_the_compliance_of_the_examples_with_friction_reaches_the_tendon(study):
    law = compliant(study.robot).tendons[0].law
    assert 1 / (law.young_modulus * law.section) == pytest.approx(1.6e-3)


def test_work_and_precision_stand_beside_the_program():
    table = precision_table([Point(PROGRAM, 0.05, 4.0, 0.06), Point("a", 0.01, 0.1, 0.001)])
    assert table.rows[0][-1] == "quoted"
    assert table.rows[1][2:] == (
        "100 ms",
        "1 mm",
        f"{DURATION / 0.1:g}",
        "40 times as fast, 60 times as exact",
    )


@pytest.mark.slow
def test_the_programs_motion_is_reproduced_and_its_error_stated(study):
    rows = {row[0]: row for row in motion_table(study).rows}
    same = [row[-1] for name, row in rows.items() if name.startswith(("tip as", "tension"))]
    assert same == [REPRODUCED] * 2
    tip, pull, limits = (
        rows[name]
        for name in (
            "tip as the program has it: Euler, 200 nodes, 50 ms",
            "tension likewise",
            "both formulations in the limit of short steps: they differ by",
        )
    )
    assert float(tip[2].removesuffix(" mm")) < 0.3  # the program's solver has its tolerance
    assert float(pull[2].removesuffix(" N")) < 5e-3
    assert float(limits[2].removesuffix(" mm")) < 0.1
    assert limits[-1] == REPRODUCED
    off = rows["the program's motion is from the limit"]
    assert float(off[2].split()[0]) == pytest.approx(55.5, abs=0.5)
    assert off[-1].startswith("differs because")


@pytest.mark.slow
def test_every_row_has_a_verdict_and_files_are_written(tmp_path):
    made = PAPERS["till"](tmp_path, quick=True, progress=False)
    for table in made.tables[:-1]:
        for row in table.rows:
            assert row[-1].startswith((REPRODUCED, "differs because", NOT_DETERMINED)), row
    statements = made.tables[3].rows
    assert [row[-1] for row in statements].count(REPRODUCED) == 8
    pictures = {"static.png", "tip.png", "friction.png", "hysteresis.png", "precision.png"}
    shapes = {"motion.csv", "rest.glb", "rest.obj", "pulled.glb"}
    assert {f.name for f in made.files} == pictures | shapes | {"index.html"}
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'src="http' not in page
    assert page.count("data:image/png;base64") == 5
