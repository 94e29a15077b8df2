"""chorda reproduce: the tables and figures of a paper, beside ours."""

from pathlib import Path
from typing import Annotated

import typer

from chorda.cli.options import Json
from chorda.cli.output import print_json, print_table, print_text
from chorda.errors import InputError


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="Key of a paper: testard2023, fasquelle2021, recursive, till or briot2022.",
        ),
    ],
    output: Path | None = None,
    quick: bool = False,
    as_json: Json = False,
) -> None:
    """Compute the tables and figures of a paper and print them beside the published ones.

    Parameters
    ----------
    output : DIR
        Folder for the files. Default: output/PAPER.
    quick
        A short version.

    \b
    Example:
      chorda reproduce testard2023 --quick --output testard2023
    """
    from chorda.papers import PAPERS

    if paper not in PAPERS:
        raise InputError(f"PAPER: '{paper}' is not known; expected one of {', '.join(PAPERS)}")
    folder = output or Path("output", paper)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--output: {folder} cannot be made: {error.strerror}") from None
    made = PAPERS[paper](folder, quick=quick, progress=False if as_json else None)
    if as_json:
        print_json(made.as_data())
        return
    for table in made.tables:
        print_table(table)
    for note in (*made.notes, *(f"Wrote {file}" for file in made.files), made.summary):
        print_text(note)
