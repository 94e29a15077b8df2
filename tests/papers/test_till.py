"""The reproduction of Till: whose each number is, the ramp, single shooting, friction."""

from pathlib import Path

import numpy as np
import pytest

from chorda.papers.comparison import Verdict
from chorda.papers.till.friction_study import compliant
from chorda.papers.till.published import program
from chorda.papers.till.study import PROGRAM, Motion, Point, Study, limit
from chorda.papers.till.tables import precision_table
from chorda.results import Code, Status

RECORDED = Path(__file__).parents[1] / "data" / "till-ramp-euler200-dt50ms.csv"

# x, z [m], tension [N] by an independent solution of the same equations, and within what [m]
CONVERGED = (-0.1478147, 0.6957325, 2.507781)
STATIC = {
    "continuous, euler, 200 nodes": ((-0.149335, None, 2.544596), 1e-5),
    "continuous, rk4, 61 nodes": (CONVERGED, 1e-6),
    "continuous, gauss6, 21 nodes": (CONVERGED, 1e-6),
    "strain modes": (CONVERGED, 1e-6),
    "strain modes, neither stretch nor shear": ((-0.14769, None, None), 1e-5),
}


@pytest.fixture(scope="module")
def made(reproduced):
    return reproduced("till")


def table(made, title):
    """Rows of a comparison by quantity."""
    (found,) = (x for x in made.comparisons if x.title == title)
    return {row.quantity: row for row in found.rows}


def plain(made, title):
    """Cells of a table by its first column."""
    (found,) = (x for x in made.tables if x.title == title)
    return {row[0]: row[1:] for row in found.texts}


def test_the_packaged_motion_is_the_recorded_one():
    recorded, quoted = np.loadtxt(RECORDED, delimiter=",", skiprows=2), program()
    assert quoted.time == pytest.approx(recorded[:, 1], abs=1e-9)
    assert quoted.tip == pytest.approx(recorded[:, 3:6], abs=1e-8)
    assert quoted.tension == pytest.approx(recorded[:, 6], abs=1e-8)


def test_what_is_reproduced_is_stated_by_the_chapter_and_all_else_is_an_own_check(made):
    judged = (Verdict.REPRODUCED, Verdict.DIFFERS, Verdict.NOT_DETERMINED)
    stated = [row for row in made.rows if row.verdict in judged]
    assert len(stated) == 11
    assert all(str(row.paper).startswith("chapter: ") for row in stated)
    own = [row for row in made.rows if row.verdict is Verdict.OWN_CHECK]
    assert not any(str(row.paper).startswith("chapter") for row in own)
    assert sum(str(row.paper).startswith("program: ") for row in own) >= 15


def test_simple_friction_is_the_programs_not_the_chapters(made):
    row = table(made, "Friction in the ramp")[
        "tip trajectories: decay of the swing with simple friction"
    ]
    assert row.verdict is Verdict.NOT_DETERMINED
    assert row.why == "neither formula nor numbers of that model"
    chosen = plain(made, "What was chosen")
    for key in ("simple friction", "sliding friction", "compliance"):
        assert "the public program's" in chosen[key][1]
    assert "beta = 4 s/m" in chosen["simple friction"][0]
    assert "nu = 0.1" in chosen["sliding friction"][0]
    assert "0.0016 /N" in chosen["compliance"][0]


@pytest.mark.parametrize("label", STATIC)
def test_every_formulation_finds_the_static_tip(made, label):
    (found,) = (x for x in made.comparisons if x.title == "Static tip and tension")
    (x, z, tension), near = STATIC[label]
    tip, *pull = [row for row in found.rows if row.quantity.startswith(f"{label}: ")][:2]
    ours = [float(a) for a in tip.beside[0].removesuffix(" m").split(", ")]
    assert ours[0] == pytest.approx(x, abs=near)
    assert z is None or ours[1] == pytest.approx(z, abs=near)
    if tension is not None:
        assert float(pull[0].beside[0].removesuffix(" N")) == pytest.approx(tension, abs=10 * near)


def test_the_ramp_raises_the_arm_and_comes_to_rest_there(made):
    found = table(made, "The ramp: what the chapter states")
    raised = [row.value for name, row in found.items() if name.startswith("the pulled tendon")]
    assert raised == pytest.approx([0.3564, 0.3570], abs=2e-3)
    left = [row.value for name, row in found.items() if name.startswith("swing before")]
    assert len(left) == 2
    assert max(left) < 1e-3


def test_the_programs_motion_is_met_and_the_limits_agree(made):
    found = table(made, "Tip over the ramp of 25 s")
    beside = "Euler, 200 nodes, 50 ms: away by"
    assert found[f"tip, {beside}"].value < 3e-4  # [m] the program's solver has its tolerance
    assert found[f"tension, {beside}"].value < 5e-3  # [N]
    assert found["both formulations in the limit of short steps: away by"].value < 1.1e-4
    cost = plain(made, "What the program's nodes and steps cost")
    assert float(cost["program's motion from the limit"][0].split()[0]) == pytest.approx(
        55.5, abs=1
    )
    decays = [float(cost[name][0].split()[0]) for name in cost if name.startswith("decay")]
    assert decays == pytest.approx([0.672, 0.626], abs=2e-3)


def test_orders_in_time_are_observed_from_three_runs(made):
    found = table(made, "Tip over the ramp of 25 s")
    orders = [row.value for name, row in found.items() if name.startswith("observed order")]
    assert orders == pytest.approx([2, 2], abs=0.1)


def test_an_order_that_is_not_two_is_found_out():
    def run(step, power):
        time = np.arange(0, 1 + step / 2, step)
        tip = np.outer(np.sin(time) + step**power, [1.0, 0, 0])
        return Motion(time, tip, Status(Code.COMPLETED, ""))

    for power in (1, 2, 3):
        assert limit(*(run(h, power) for h in (0.2, 0.1, 0.05))).order == pytest.approx(power)


def test_strain_modes_with_50_ms_are_as_far_off_as_they_were(made):
    (row,) = [
        row
        for x in made.tables
        if x.title.startswith("Work and precision")
        for row in x.texts
        if row[:2] == ("strain modes, generalized-alpha", "50 ms")
    ]
    assert float(row[3].removesuffix(" mm")) == pytest.approx(19.3, abs=0.2)


def test_single_shooting_has_the_motion_at_50_ms_and_fails_from_8_ms_on(made):
    found = table(made, "Single shooting, the chapter's method")
    assert found["50 ms, 5 s of the ramp"].verdict is Verdict.REPRODUCED
    assert found["50 ms: tip away from that of all nodes at once by"].value < 1e-6  # [m]
    assert found["6.25 ms"].value == found["3.125 ms"].value == 0
    assert found["longest step of the list that fails"].value == 8e-3
    assert found["shortest step of the list that completes"].value == 10e-3
    cures = [row for name, row in found.items() if name.startswith("6.25 ms, ")]
    assert [row.value for row in cures] == [1, 1, 1]


def test_single_shooting_does_not_fail_of_lost_digits(made):
    by_step = plain(made, "Single shooting by step")
    assert by_step["6.25 ms"][0] == "fails at 3.931 s"
    assert by_step["12.5 ms"][0] == "completes"
    growth, condition, left = (
        np.array([float(row[k]) for row in by_step.values()]) for k in (2, 3, 4)
    )
    for grows in (growth, condition, left):
        assert np.all(np.diff(grows) > 0)  # steps shrink from row to row
    assert np.max(condition) < 1e-6 / np.finfo(float).eps
    # roots of EI' k^4 = -rhoA c0^2, EI' = EI + c0 B, c0 = 1.5 / step: exp(k L / sqrt(2))
    EI, B, rhoA, L = 207e9 * np.pi * 0.000675**4 / 4, 5e-4, 0.034 / 0.7144, 0.7144
    c0 = 1.5 / 6.25e-3
    k = (rhoA * c0**2 / (EI + c0 * B)) ** 0.25
    assert float(by_step["6.25 ms"][2]) == pytest.approx(np.exp(k * L / np.sqrt(2)), rel=0.05)


def test_short_steps_work_without_a_march(made):
    found = table(made, "Short steps without a march")
    assert len(found) == 9
    assert all(row.value == 1 for row in found.values())
    assert all(float(row.beside[1]) < 2e-9 for row in found.values() if row.beside[1] != "-")


def test_friction_is_the_programs_with_all_of_its_choices_only(made):
    found = table(made, "Friction in the ramp, with the program's choices")
    apart = {name.removesuffix(": tip from the program's"): x.value for name, x in found.items()}
    assert apart["simple, none of them"] == pytest.approx(0.258, abs=5e-4)
    assert apart["sliding, none of them"] == pytest.approx(0.019, abs=5e-4)
    assert {name for name, x in apart.items() if x < 5e-5} == {"simple, all", "sliding, all"}
    assert {name for name, x in apart.items() if x > 1e-3} == set(apart) - {
        "simple, all",
        "sliding, all",
    }


def test_tension_falls_towards_the_tip_while_pulled_and_rises_while_let_go(made):
    found = table(made, "Friction in the ramp")
    sliding = "sliding: tension along the path while the tendon is pulled"
    assert found[f"{sliding}, falls towards the tip by"].value == pytest.approx(0.444, abs=0.01)
    assert found[f"{sliding}, changes by"].value == pytest.approx(0.444, abs=0.01)
    assert found["sliding: while it is let go, rises towards the tip by"].value > 0.1
    assert found["simple: largest change of tension along the path"].value == 0


def test_dry_friction_leaves_a_loop_and_damping_does_not(made):
    (found,) = (x for x in made.comparisons if x.title.startswith("Hysteresis"))
    value = {row.quantity: row.value for row in found.rows}
    slower = ": area in 40 s over that in 20 s"
    for name in ("none", "simple"):  # twice as slow, half the loop: viscous
        assert value[f"{name}{slower}"] == pytest.approx(0.5, abs=0.02)
    assert value[f"sliding, sharp sign{slower}"] == pytest.approx(1, abs=0.05)
    assert value["sliding: area in 20 s over that without friction"] > 3
    works = {row.quantity.partition(":")[0]: float(row.beside[3]) for row in found.rows}
    assert 0 < works["none"] < works["sliding"] < works["sliding, sharp sign"]


def test_the_compliance_of_the_programs_friction_reaches_the_tendon():
    law = compliant(Study(quick=True).robot).tendons[0].law
    assert 1 / (law.young_modulus * law.section) == pytest.approx(1.6e-3)


def test_work_and_precision_judges_no_times():
    found = precision_table([Point(PROGRAM, 0.05, 4.0, 0.06), Point("a", 0.01, 0.1, 0.001)])
    assert found.header[-1] == "the program's error over it"
    assert found.rows[1][2:4] == ("100 ms", "1 mm")
    assert found.rows[1][4:] == pytest.approx((250, 60))


def test_files_are_written(made):
    pictures = {f"{x}.png" for x in ("static", "tip", "shooting", "friction", "hysteresis")}
    shapes = {"motion.csv", "rest.glb", "rest.obj", "pulled.glb", "precision.png"}
    assert {f.name for f in made.files} == pictures | shapes | {"index.html"}
    (page,) = (f for f in made.files if f.name == "index.html")
    text = page.read_text(encoding="utf-8")
    assert 'src="http' not in text
    assert text.count("data:image/png;base64") == 6
