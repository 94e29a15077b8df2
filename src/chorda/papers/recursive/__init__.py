"""Recursive: Newton-Euler dynamics with compliant tendons; example 1 and figures 10-14."""

from pathlib import Path

from chorda.errors import StorageError
from chorda.papers.recursive.equations import compare_equations
from chorda.papers.recursive.study import ASSUMED, Case, run
from chorda.papers.recursive.tables import claims, stiffness_table
from chorda.papers.report import Reproduction

TITLE = "Dynamics of tendon-driven mechanisms with compliant tendons, recursively (Recursive)"
CAPTIONS = {
    "figure10": "Figure 10: the joint with and without O+",
    "figure11": "Figure 11: tensions with and without O+",
    "figure12": "Figure 12: the joint with two pretensions",
    "figures13-14": "Figures 13 and 14: tensions with two pretensions",
    "stiffness": "Both models get alike as the tendons get stiffer",
}


def reproduce(
    output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the paper's figures and check its statements, in the folder `output`.

    quick: without the animation.
    """
    from chorda.papers.recursive.figures import all_figures
    from chorda.view import Image, Section, animate, save_figure, write_page

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    tables = (compare_equations(), claims(), stiffness_table())
    figures = all_figures()
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    sections = [Section("Assumptions", (ASSUMED,))]
    if not quick:
        moving = animate(run(Case(True, 0.5)), folder / "example2.gif", progress=progress)
        files.append(moving)
        caption = "The joint between its cables; a slack one is dashed"
        sections.append(Section("Example 2", images=(Image(moving.read_bytes(), caption),)))
    sections += [Section(t.title, tables=(t,)) for t in tables]
    sections += [Section(CAPTIONS[k], images=(Image(f, CAPTIONS[k]),)) for k, f in figures.items()]
    files.append(write_page(folder / "index.html", TITLE, sections))
    return Reproduction("recursive", TITLE, tables, tuple(files), (ASSUMED,))
