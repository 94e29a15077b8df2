"""Fasquelle2021: cable lengths around pulleys, friction and elasticity identified; tables 1-2."""

from pathlib import Path

from chorda.errors import StorageError
from chorda.identification import write_log
from chorda.papers.fasquelle2021.coverage import coverage
from chorda.papers.fasquelle2021.published import ASSUMED
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.fasquelle2021.tables import coverage_table, errors_table, table1, table2
from chorda.papers.fasquelle2021.wiring import wiring_table
from chorda.papers.report import Reproduction

TITLE = "Cable lengths, modelling and identification on a manipulator like a neck (Fasquelle 2021)"
EXPERIMENTS, FEW = 200, 8

CAPTIONS = {
    "figure6": "Figure 6: what the actuators do to the joints, measured and modelled",
    "figure7": "Figure 7: tension of cables that stiffen, by the motor and by each model",
    "figure8": "Figure 8: error of each model over the tension: it grows, but for the right law",
}


def reproduce(
    output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the paper's tables and figures in the folder `output`.

    quick: a few virtual experiments for the coverage of the intervals instead of 200.
    """
    from chorda.papers.fasquelle2021.figures import all_figures
    from chorda.view import Image, Section, save_figure, write_page

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    study = Study()
    tables = (
        wiring_table(),
        table1(study),
        table2(study),
        errors_table(study),
        coverage_table(coverage(FEW if quick else EXPERIMENTS, progress)),
    )
    figures = all_figures(study)
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    sections = [Section("Assumptions", (ASSUMED,))]
    sections += [Section(t.title, tables=(t,)) for t in tables]
    sections += [Section(CAPTIONS[k], images=(Image(f, CAPTIONS[k]),)) for k, f in figures.items()]
    files.append(write_log(study.log, folder / "log.csv"))
    files.append(study.laws["model 1"].report(folder / "identification.html"))
    files.append(write_page(folder / "index.html", TITLE, sections))
    return Reproduction("fasquelle2021", TITLE, tables, tuple(files), (ASSUMED,))
