"""How a paper is reproduced: tables and figures are made in turn, then the files are written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chorda.errors import StorageError
from chorda.numerics.progress import Progress
from chorda.papers.comparison import Choice, Comparison, Row, choices_table, summary
from chorda.results import Run, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Animation(Generic[S]):
    """A motion that is written as a moving picture, unless the reproduction is a quick one."""

    name: str
    caption: str
    run: Callable[[S], Run]
    fps: float = 25


@dataclass(frozen=True)
class Paper(Generic[S]):
    """What is made of a paper; each function gets the study that all share.

    notes: assumptions and sources. study: of a whole or (True) a quick reproduction, which computes
    things when they are first asked for. figures: a function's name is that of the file, and its
    description the caption. files: functions that write to a path, by name. choices: what the paper
    leaves open and had to be chosen.
    """

    title: str
    notes: tuple[str, ...]
    study: Callable[[bool], S]
    tables: Sequence[Callable[[S], Table | Comparison]]
    figures: Sequence[Callable[[S], "Figure"]]
    files: Mapping[str, Callable[[S, Path], Path]] = field(default_factory=dict)
    animation: Animation[S] | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Reproduction:
    """Everything that a reproduction made.

    Attributes
    ----------
    key, title : str
        Which paper.
    tables : tuple of Table
        What was chosen, and all tables as they are printed.
    files : tuple of Path
        The files that were written.
    notes : tuple of str
        Assumptions and sources.
    comparisons : tuple of Comparison
        The tables whose rows have verdicts.
    """

    key: str
    title: str
    tables: tuple[Table, ...]
    files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows with verdicts."""
        return _rows(self.comparisons)

    @property
    def summary(self) -> str:
        """How many rows are reproduced, differ, are not determined, and are own checks."""
        return f"{self.key}: {summary(self.rows)}"

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "paper": self.key,
            "title": self.title,
            "summary": self.summary,
            "tables": [asdict(table) for table in self.tables],
            "rows": [
                {"table": x.title, **row.as_data()} for x in self.comparisons for row in x.rows
            ],
            "files": [str(file) for file in self.files],
            "notes": self.notes,
        }


def reproduce(
    key: str, output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the tables and figures of a paper, and a page with all of them.

    Parameters
    ----------
    key : str
        Which paper: one of `chorda.papers.PAPERS`.
    output : str or Path
        Folder for the files; it is made where there is none.
    quick : bool
        A short version: fewer repeats and points, no animation.
    progress : bool, optional
        True shows a progress bar, False none; by default it shows on terminals.

    Returns
    -------
    Reproduction
        Tables, notes, and the files that were written.

    Raises
    ------
    StorageError
        If the folder cannot be made.
    """
    from chorda.view import Image, Section, animate, save_figure, write_page

    paper: Paper[Any] = import_module(f"chorda.papers.{key}").PAPER
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    study, done = paper.study(quick), 0
    with Progress(len(paper.tables) + len(paper.figures), progress, key) as bar:

        def made(make: Callable[[Any], T]) -> T:
            nonlocal done
            result = make(study)
            done += 1
            bar.update(done)
            return result

        results = [made(table) for table in paper.tables]
        figures = {draw.__name__.replace("_", "-"): made(draw) for draw in paper.figures}
    comparisons = tuple(x for x in results if isinstance(x, Comparison))
    tables = tuple(x.table if isinstance(x, Comparison) else x for x in results)
    if paper.choices:
        tables = (choices_table(paper.choices, _rows(comparisons)), *tables)
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    counted = summary(_rows(comparisons))
    sections = [Section("Summary", (counted,)), Section("Assumptions and sources", paper.notes)]
    if paper.animation and not quick:
        moving = paper.animation
        file = animate(moving.run(study), folder / moving.name, fps=moving.fps, progress=progress)
        files.append(file)
        sections.append(Section(moving.caption, images=(Image(file.read_bytes(), moving.caption),)))
    sections += [Section(t.title, tables=(t,)) for t in tables]
    for draw, figure in zip(paper.figures, figures.values(), strict=True):
        caption = " ".join((getdoc(draw) or draw.__name__).split("\n\n")[0].split()).rstrip(".")
        sections.append(Section(caption, images=(Image(figure, caption),)))
    files += [write(study, folder / name) for name, write in paper.files.items()]
    files.append(write_page(folder / "index.html", paper.title, sections))
    return Reproduction(key, paper.title, tables, tuple(files), paper.notes, comparisons)


def _rows(comparisons: Sequence[Comparison]) -> tuple[Row, ...]:
    return tuple(row for comparison in comparisons for row in comparison.rows)
