"""Till: statics and dynamics of a tendon robot as a Cosserat rod, and friction of its tendon."""

from pathlib import Path

from chorda.errors import StorageError
from chorda.papers.report import Reproduction
from chorda.papers.till.friction import Frictions
from chorda.papers.till.friction_tables import friction_table, loop_table
from chorda.papers.till.motions import motion_table, short_table
from chorda.papers.till.precision import points, precision_table
from chorda.papers.till.published import DURATION, STEP, ramp
from chorda.papers.till.statics import static_table
from chorda.papers.till.study import ALPHA_SCHEME, Study
from chorda.results import Run

TITLE = "Tendon robot dynamics by Cosserat rods (Till)"
SOURCES = (
    "The chapter prints all parameters and the program, but no result: numbers beside ours are of "
    "the public program, run once, and of an independent solution of the same equations."
)
CAPTIONS = {
    "static": "At rest: rod, disks and tendon; gravity pulls down",
    "tip": "The tip over the ramp, and how far each run is from the limit of short steps",
    "friction": "Friction damps the swing; sliding friction changes the tension along the path",
    "hysteresis": "Slow cycles: dry friction leaves a loop",
    "precision": "Work and precision",
}
FINE = 5  # steps of the animated run within one of the program's


def reproduce(
    output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the chapter's motion, its variants with friction, figures and files in `output`.

    quick: longer steps, each run once, without the animation and strain modes by BDF2.
    """
    from chorda.papers.till.figures import all_figures
    from chorda.view import (
        Image,
        Section,
        animate,
        export_shape,
        save_figure,
        write_page,
    )

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    study = Study(quick)
    frictions = Frictions(study)
    found = points(study)
    tables = (
        static_table(study),
        motion_table(study),
        short_table(study),
        friction_table(frictions),
        loop_table(frictions),
        precision_table(found),
    )
    figures = all_figures(study, frictions, found)
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    sections = [Section("Sources", (SOURCES,))]
    run = drawn(study)
    if not quick:
        moving = animate(run, folder / "till.gif", fps=12.5, progress=progress)
        files.append(moving)
        caption = "Pulled at 3.7 s and let go at 17.6 s; the tendon's colour is its tension"
        sections.append(Section("The ramp", images=(Image(moving.read_bytes(), caption),)))
    sections += [Section(t.title, tables=(t,)) for t in tables]
    sections += [Section(CAPTIONS[k], images=(Image(f, CAPTIONS[k]),)) for k, f in figures.items()]
    files.append(export_shape(run, folder / "motion.csv"))
    files += [export_shape(study.rest, folder / f"rest{kind}") for kind in (".glb", ".obj")]
    files.append(export_shape(run, folder / "pulled.glb", time=10.0))
    files.append(write_page(folder / "index.html", TITLE, sections))
    return Reproduction("till", TITLE, tables, tuple(files), (SOURCES,))


def drawn(study: Study) -> Run:
    """By strain modes, recorded as often as the program does."""
    from chorda.dynamics import simulate

    return simulate(
        study.system,
        duration=DURATION,
        step=STEP / FINE,
        every=FINE,
        scheme=ALPHA_SCHEME,
        initial=study.rest,
        inputs={"winch": ramp},
        progress=False,
    )
