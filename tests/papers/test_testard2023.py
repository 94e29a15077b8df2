"""The reproduction of Testard2023 says what holds, what differs and why."""

from pathlib import Path

import numpy as np
import pytest

from chorda.papers import PAPERS
from chorda.papers.reproduction import Reproduction
from chorda.papers.testard2023.study import Study

VERDICTS = ("reproduced", "differs because", "not determined by the paper")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    with pytest.MonkeyPatch.context() as patch:  # fewer points of a curve
        patch.setattr(Study, "frequencies", np.array([5, 10, 15, 17.2, 20, 30.0]))
        return PAPERS["testard2023"](tmp_path_factory.mktemp("paper"), quick=True)


def rows_of(made: Reproduction, start: str) -> dict[str, tuple[str, ...]]:
    table = next(t for t in made.tables if t.title.startswith(start))
    return {row[0]: row for row in table.rows}


def test_every_row_with_a_number_of_the_paper_has_a_verdict(made: Reproduction) -> None:
    judged = [t for t in made.tables if "paper" in t.header]
    assert len(judged) == 5
    for table in judged:
        for row in table.rows:
            assert row[-1].startswith(VERDICTS), row


def test_all_three_tables_figures_and_a_page_are_written(made: Reproduction) -> None:
    names = {f.name for f in made.files}
    assert {"figure3.png", "figure4.png", "figure5.png", "limits.png", "index.html"} <= names
    assert all(f.stat().st_size > 1000 for f in made.files)
    for number in (1, 2, 3):
        assert rows_of(made, f"Table {number}")


def test_what_the_figures_show_is_reproduced(made: Reproduction) -> None:
    rows = rows_of(made, "Figures 3-5")
    *apart, similar, elastic, plotted = (float(row[2]) for row in rows.values())
    assert len(apart) == 2
    assert max(*apart, elastic) < 0.01  # negligible, of the amplitude
    assert 0.5 < similar < 2.0
    assert plotted < 0.02  # alike in the plot, of the largest elongation
    for row in rows.values():
        assert row[-1] == "reproduced", row


def test_the_assumption_that_meets_the_paper_meets_it(made: Reproduction) -> None:
    rows = rows_of(made, "A choice that meets the paper")
    limit = rows["3 joints, explicit: limit step (linear)"][2]
    assert float(limit.removesuffix(" us")) == pytest.approx(400, abs=100)  # the paper: 0.4 ms
    assert rows["4 joints, explicit: limit step (linear)"][2] == "none: the loop is unstable"
    for n in (3, 4):
        assert float(rows[f"{n} joints, implicit at 2 ms: growth a step (linear)"][2]) < 1
        assert rows[f"{n} joints, implicit at 2 ms (observed)"][2] == "completes"
    assert rows["3 joints, explicit at 0.3 ms (observed)"][2] == "completes"
    assert rows["3 joints, explicit at 0.5 ms (observed)"][2].startswith("diverged")
    assert "completes" not in rows["4 joints, explicit at 0.025 ms (observed)"][2]
    for row in rows.values():
        assert row[-1] == "reproduced by this choice", row


def test_the_page_stands_alone(made: Reproduction) -> None:
    page = next(f for f in made.files if f.suffix == ".html").read_text(encoding="utf-8")
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "Table 3" in page
    assert "data:image/png" in page


@pytest.mark.parametrize(
    ("inertia", "step"), [(5e-7, 0.38e-3), (1e-6, 0.75e-3), (5e-6, 1.0e-3), (1e-4, 1.0e-3)]
)
def test_the_limit_over_inertia_is_that_of_an_independent_linearisation(
    inertia: float, step: float
) -> None:
    found = Study().loop(3, inertia, None).step
    assert found == pytest.approx(step, rel=0.02)


def test_an_output_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="cannot be made"):
        PAPERS["testard2023"](tmp_path / "file" / "folder", quick=True)


def test_the_explicit_limit_does_not_depend_on_the_number_of_joints_without_control() -> None:
    study = Study()
    steps = [study.loop(n, 1e-5, None).step for n in (3, 4)]
    assert np.ptp(steps) < 0.01e-3
