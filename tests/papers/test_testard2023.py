"""The reproduction of Testard2023 reports what holds, what differs and why."""

from pathlib import Path

import casadi as ca
import numpy as np
import pytest

from chorda.papers import PAPERS
from chorda.papers.comparison import Verdict
from chorda.papers.testard2023.inertia import inertia_ratio
from chorda.papers.testard2023.loops import Loops
from chorda.papers.testard2023.motions import Case, Motions
from chorda.papers.testard2023.printed_scheme import (
    motor_friction,
    motor_jacobian,
    printed_step,
)


@pytest.fixture(scope="module")
def made(reproduced):
    return reproduced("testard2023")


@pytest.fixture(scope="module")
def motions():
    return Motions()


def rows_of(made, start):
    comparison = next(x for x in made.comparisons if x.title.startswith(start))
    assert len({row.quantity for row in comparison.rows}) == len(comparison.rows)
    return {row.quantity: row for row in comparison.rows}


def test_tables_figures_and_a_page_are_written(made):
    names = {f.name for f in made.files}
    assert {f"figure{k}.png" for k in range(1, 6)} | {"limits.png", "index.html"} <= names
    assert all(f.stat().st_size > 1000 for f in made.files)
    for start in ("Tables 1-3: computing time", "Tables 1-3: cost", "Table 3: limit steps"):
        assert any(table.title.startswith(start) for table in made.tables)


def test_no_verdict_rests_on_computing_times(made):
    table = next(t for t in made.tables if t.title.startswith("Tables 1-3: computing time"))
    assert "verdict" not in table.header
    assert len(table.rows) == 8  # the times of tables 1, 2 and 3


def test_costs_in_operations_are_as_the_paper_states(made):
    values = {name: row.value for name, row in rows_of(made, "Tables 1-3: cost").items()}
    for n in (3, 4):  # explicit is faster
        assert 1 < values[f"{n} joints, rigid tendons: implicit / explicit"] < 6
    for scheme in ("explicit-euler", "implicit-euler"):  # time grows with joints
        assert 1 < values[f"rigid tendons, {scheme}: 4 joints / 3 joints"] < 2
        assert values[f"3 joints, {scheme}: with / without elasticity"] <= 22 / 18
    slowest = values["4 joints, elastic tendons: explicit at 0.025 ms / implicit at 2 ms"]
    assert slowest > 700 / 35
    assert slowest < 2 / 0.025  # as a step of implicit Euler costs more


def test_the_chosen_gains_meet_the_explicit_limits(made):
    rows = rows_of(made, "Table 3: limit steps")
    three = rows["3 joints, explicit: largest step that converges"]
    assert three.value == pytest.approx(0.4e-3, abs=0.05e-3)  # the paper: 0.4 ms
    assert {"gains", "inertia", "motion", "convergence"} <= set(three.helped_by)
    assert not rows["4 joints, explicit at 0.025 ms: all steps"].value
    completing = rows["3 joints, explicit: largest step that completes"].value
    assert three.value < completing < 0.7e-3
    for n in (3, 4):
        assert rows[f"{n} joints, implicit at 2 ms"].value


def test_implicit_steps_have_limits_where_the_paper_has_none(made):
    elastic, rigid = rows_of(made, "Table 3: limit steps"), rows_of(made, "Section 3.3")
    for n in (3, 4):
        for row in (
            elastic[f"{n} joints, implicit: limit step"],
            rigid[f"{n} joints, implicit-euler: limit step"],
            rigid[f"{n} joints, explicit-euler: limit step"],
        ):
            assert row.paper == "none"
            assert 0.05 < row.value < 0.5
            assert row.verdict is Verdict.DIFFERS
        # computed torque leaves e'' = -2 w e' - w^2 e, which explicit Euler bears up to 2 / w
        explicit = rigid[f"{n} joints, explicit-euler: limit step"].value
        assert explicit == pytest.approx(2 / 7.5, rel=0.1)
        assert rigid[f"{n} joints, implicit-euler: limit step"].value < explicit / 2
    # motors with friction that is held over the step: 2 I / slope, slope = 2/pi c_s Gamma_s
    friction = elastic["3 joints, linear: implicit limit step, constant torques, dry friction"]
    assert friction.value == pytest.approx(2 * 1e-4 / (2 / np.pi * 0.5 * 0.008), rel=0.01)


def test_the_loop_of_4_joints_grows_in_motion_alone(made):
    rows = rows_of(made, "Table 3: limit steps")
    for n in (3, 4):
        assert rows[f"{n} joints, linear: rate of the loop at rest"].value < -3
    assert rows["3 joints, linear: rate of the loop in motion"].value < 0
    assert rows["4 joints, linear: rate of the loop in motion"].value > 1
    assert rows["4 joints, implicit: shortest step that completes"].value > 0.05e-3


def test_amplitudes_are_shown_for_both_gains(made):
    rows = rows_of(made, "Table 3, explicit limit step")
    assert len(rows) == 16
    for share in (5, 20, 50, 100):
        for gains, joints in ((7.5, 3), (7.5, 4), (17.2, 3), (17.2, 4)):
            assert f"{gains} rad/s, {share} % of the motion, {joints} joints" in rows
    met = {
        (gains, share)
        for gains in (7.5, 17.2)
        for share in (5, 20, 50, 100)
        if all(rows[f"{gains} rad/s, {share} % of the motion, {n} joints"].holds for n in (3, 4))
    }
    assert met == {(7.5, 100), (17.2, 5)}


def test_what_the_figures_show(made):
    rows = rows_of(made, "Figures 3-5")
    for n in (3, 4):
        assert rows[f"figure 3, {n} joints: |explicit - implicit| / amplitude"].value < 0.01
    for scheme in ("explicit-euler", "implicit-euler"):
        assert rows[f"figure 4, {scheme}: |elastic - rigid| / amplitude"].value < 0.01
    similar = rows["figure 4: |elastic - rigid|, explicit / implicit"]
    assert similar.value > 2
    assert similar.verdict is Verdict.DIFFERS


def test_the_manipulators_inertia_is_negligible_with_the_catalogues_motors(made):
    values = {name: row.value for name, row in rows_of(made, "Fasquelle2021").items()}
    assert values["neck-3, motors of 0.0001 kg m^2"] == pytest.approx(0.045, rel=0.01)
    assert values["neck-3, motors of 1e-05 kg m^2"] == pytest.approx(0.45, rel=0.01)


def test_the_ratio_of_inertias_of_one_joint_is_that_of_its_bars():
    # straight: bars at phi = +-60 degrees, d phi = d alpha / 4 ... by differences of the geometry
    L, b, B, alpha = 0.1, 0.05, 0.02 / 25, 1e-4

    def points(angle):
        d = np.sqrt(L**2 - (b * np.cos(angle / 2)) ** 2)
        middle = d * np.array([-np.sin(angle / 2), np.cos(angle / 2)])
        along = b / 2 * np.array([np.cos(angle), np.sin(angle)])
        base = np.array([b / 2, 0.0])
        return -base, base, middle - along, middle + along

    def rate(of):
        return (of(alpha) - of(-alpha)) / (2 * alpha)

    def energy(mass, one, other):  # of a uniform bar, twice
        v, w = (rate(lambda x, k=k: points(x)[k]) for k in (one, other))
        return mass * (v @ v + v @ w + w @ w) / 3

    structure = energy(0.064, 0, 3) + energy(0.064, 1, 2) + energy(0.032, 2, 3)
    left, right = (
        rate(lambda x, k=k: np.linalg.norm(points(x)[k + 2] - points(x)[k])) for k in (0, 1)
    )
    motors = 1e-4 * (left**2 + right**2) / B**2
    assert inertia_ratio("neck-1", 1e-4) == pytest.approx(structure / motors, rel=1e-5)


def test_eq_9_as_printed_is_its_linear_system_with_gamma_held(motions):
    """Its derivatives by differences: of F without friction, and of J^T at constant Gamma."""
    system, h = motions.system(3, "rigid"), 2e-3
    rng = np.random.default_rng(1)
    q, v, u = rng.uniform(-0.6, 0.6, 3), rng.uniform(-1, 1, 3), -rng.uniform(0, 0.02, 4)
    p = system.parameters()
    F, M, dry, J = (
        system.function("f", "q v u p", x)
        for x in (*(getattr(system.dynamics, x) for x in "FM"), system.dynamics.dry,
                  motor_jacobian(system))
    )  # fmt: skip
    gamma = 2 / np.pi * np.arctan(0.5 * (J(q, v, u, p).full() @ v)) * 0.008

    def force(x, rates):  # with Gamma held
        smooth = (F(x, rates, u, p) - dry(x, rates, u, p)).full().ravel()
        return smooth - J(x, rates, u, p).full().T @ gamma

    small = 1e-6 * np.eye(3)
    K = np.column_stack([(force(q + e, v) - force(q - e, v)) / 2e-6 for e in small])
    D = np.column_stack([(force(q, v + e) - force(q, v - e)) / 2e-6 for e in small])
    right = h * F(q, v, u, p).full().ravel() + h**2 * K @ v
    expected = v + np.linalg.solve(M(q, v, u, p).full() - h**2 * K - h * D, right)
    after = printed_step(system)(q, v, h, u, p)[1].full().ravel()
    assert after == pytest.approx(expected, abs=1e-9)
    ours = motions.run(Case(3, "rigid", "implicit-euler", h))
    assert np.abs(ours.velocity).max() < 1  # so that the next line is one of the paper's states
    friction = ca.Function("g", [system.p], [motor_friction(system, ca.DM([1.0, -1.0, 2.0, 0.0]))])
    assert friction(p).full().ravel() == pytest.approx(
        2 / np.pi * np.arctan([0.5, -0.5, 1.0, 0.0]) * 0.008, abs=1e-12
    )


def test_both_readings_of_eq_9_are_close_and_not_the_same(made):
    rows = rows_of(made, "Eq. 9")
    for n in (3, 4):
        once = rows[f"{n} joints: |as printed - ours| of v after one step"].value
        assert 1e-8 < once < 3e-5  # [rad/s]
        assert 0 < rows[f"{n} joints: |as printed - ours| / amplitude"].value < 1e-4


def test_the_page_stands_alone(made):
    page = next(f for f in made.files if f.suffix == ".html").read_text(encoding="utf-8")
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "Table 3" in page
    assert "data:image/png" in page


@pytest.mark.parametrize(
    ("inertia", "step"), [(5e-7, 0.38e-3), (1e-6, 0.75e-3), (5e-6, 1.0e-3), (1e-4, 1.0e-3)]
)
def test_the_limit_over_inertia_is_that_of_an_independent_linearisation(motions, inertia, step):
    found = Loops(motions).at_rest(3, None, inertia).step
    assert found == pytest.approx(step, rel=0.02)


def test_the_explicit_limit_at_rest_without_control_does_not_depend_on_the_joints(motions):
    steps = [Loops(motions).at_rest(n, None).step for n in (3, 4)]
    assert np.ptp(steps) < 0.01e-3


def test_an_output_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="cannot be made"):
        PAPERS["testard2023"](tmp_path / "file" / "folder", quick=True)
