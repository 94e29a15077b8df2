"""Testard2023: explicit and implicit integration of a neck; tables 1-3, figures 3-5."""

from pathlib import Path

from chorda.errors import StorageError
from chorda.papers.report import Reproduction
from chorda.papers.testard2023.motions import ASSUMED, IMPLICIT, Case, Necks
from chorda.papers.testard2023.tables import limit_tables, table1, table2, table3

TITLE = "Comparison of explicit and implicit integrations for a tendon-driven robot (Testard 2023)"

CAPTIONS = {
    "figure3": "Figure 3: motion with rigid tendons, and explicit minus implicit",
    "figure4": "Figure 4: what elastic tendons change in the motion",
    "figure5": "Figure 5: elongation of the tendons",
    "limits": "The explicit limit step over motor inertia and control gains",
    "motion": "The controlled motion of the 3-joint neck with elastic tendons",
}


def reproduce(
    output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the paper's tables and figures in the folder `output`.

    quick: time each integration once and leave the animation out.
    """
    from chorda.papers.testard2023.figures import all_figures
    from chorda.view import Image, Section, animate, plot_run, save_figure, write_page

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    necks = Necks(repeats=1 if quick else 5)
    limit_rows, found = limit_tables(necks)
    figures, shown = all_figures(necks, found)
    tables = (table1(necks), table2(necks), table3(necks), shown, *limit_rows)
    run = necks.run(Case(3, "elastic", IMPLICIT, 2e-3)).run
    figures["motion"] = plot_run(run)
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    sections = [Section("Assumptions", (ASSUMED,))]
    if not quick:
        files.append(animate(run, folder / "neck-3.gif", progress=progress))
        moving = Image(files[-1].read_bytes(), "The neck bends to the left and back")
        sections.append(Section("The 3-joint neck, elastic tendons", images=(moving,)))
    sections += [Section(CAPTIONS[k], images=(Image(f, CAPTIONS[k]),)) for k, f in figures.items()]
    sections += [Section(t.title, tables=(t,)) for t in tables]
    files.append(run.save(folder / "neck-3.nc"))
    files.append(write_page(folder / "index.html", TITLE, sections))
    return Reproduction("testard2023", TITLE, tables, tuple(files), (ASSUMED,))
