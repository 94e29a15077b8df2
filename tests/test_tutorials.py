"""Tutorials run from their first cell to their last; `make docs` runs them too, with pictures."""

import re
from pathlib import Path

import matplotlib
import pytest

pytest.importorskip("IPython")
DOCS = Path(__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\}\n((?::.*\n)*)(.*?)^```", re.M | re.S)
NOTEBOOKS = sorted(
    path
    for path in (*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"))
    if CELL.search(path.read_text(encoding="utf-8"))
)
QUICK = {"start", "finger", "sweep", "controller-code"}
CASES = [
    pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.slow)
    for path in NOTEBOOKS
]


@pytest.mark.parametrize("path", CASES)
def test_a_tutorial_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names = {"__name__": "__main__"}
    cells = [cell for _, cell in CELL.findall(path.read_text(encoding="utf-8"))]
    assert cells
    for number, cell in enumerate(cells):
        exec(compile(cell, f"{path.name}[{number}]", "exec"), names)


@pytest.mark.parametrize(
    "path", [x for x in NOTEBOOKS if x.parent.name == "tutorials"], ids=lambda x: x.stem
)
def test_a_tutorial_has_pictures_and_a_page_that_moves(path):
    cells = "\n".join(cell for _, cell in CELL.findall(path.read_text(encoding="utf-8")))
    assert "Image(" in cells or "plt.show()" in cells
    assert re.search(r"^embedded\(", cells, re.M)


def test_all_tutorials_are_notebooks():
    pages = set(DOCS.glob("tutorials/*.md")) - {DOCS / "tutorials/index.md"}
    assert pages < set(NOTEBOOKS)


def test_the_quick_ones_exist():
    assert {path.stem for path in NOTEBOOKS} > QUICK


def test_every_robot_of_the_catalogue_is_in_the_gallery():
    from chorda.catalogue import names

    shown = re.findall(r'^(?:show|moved)\(\s*"([\w-]+)"', (DOCS / "gallery.md").read_text(), re.M)
    assert set(names()) <= set(shown)
