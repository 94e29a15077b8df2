"""chorda sweep: a study over many points."""

import csv
from pathlib import Path
from typing import Annotated

import typer

import chorda
from chorda.checks import refuse_idle, shown
from chorda.cli.options import Json, PictureFile
from chorda.cli.output import finish, print_json, print_note, print_table, print_written
from chorda.errors import InputError


def sweep(
    study: Annotated[
        Path | None, typer.Argument(metavar="STUDY", help="A study's YAML file.")
    ] = None,
    output: Path | None = None,
    resume: Path | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    chunk: int | None = None,
    yes: bool = False,
    plot: str | None = None,
    picture: PictureFile = None,
    as_json: Json = False,
) -> None:
    """Compute a study at many points, on all cores or on a cluster.

    What is done is kept: after Ctrl-C or a crash, the same command goes on.

    Parameters
    ----------
    output : STORE
        Zarr store (a folder) for the results; default: STUDY.zarr here. If it is there and of the
        same study, the sweep goes on.
    resume : STORE
        Go on with the study of a store.
    jobs : COUNT
        Processes; default: all cores where it takes long.
    scheduler : ADDRESS
        Compute on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786. Over tcp
        nobody is authenticated: whoever reaches the scheduler can run code on its workers. Use a
        network that you trust, or tls:// with certificates in Dask's configuration
        (distributed.comm.tls).
    chunk : COUNT
        Points in a piece of work.
    yes
        More than a million points are meant.
    plot : X,Y[,COLOUR]
        What to draw: quantities that vary, or outputs such as final_position:x1; a name with a
        comma stands in quotation marks.
    picture : FILE
        Draw it (.png, .svg or .pdf).

    \b
    Examples:
      echo "robot: neck-1" > study.yaml && \\
        echo "vary: [{name: tensions, kind: list, at: [5, 9]}]" >> study.yaml && \\
        echo "compute: {kind: equilibrium}" >> study.yaml && \\
        chorda sweep study.yaml --output results.zarr --jobs 2 && \\
        chorda sweep --resume results.zarr
    """
    if (study is None) == (resume is None):
        both = "" if study is None else ", not both"
        raise InputError(f"STUDY: give a study's file, or --resume with the store of one{both}")
    if resume is not None and output is not None:
        raise InputError("--output: --resume writes to its own store; leave it out")
    if resume is not None:
        others = {"--chunk": chunk, "--yes": yes}
        refuse_idle(others, "with --resume: the store is laid out already", "begin a new one")
    if (plot is None) != (picture is None):
        raise InputError("--plot: it names what --picture draws; give both")
    wanted = None if plot is None else _names(plot)
    into = resume or output
    if into is None:
        assert study is not None
        into = Path(f"{study.stem}.zarr")
    found = chorda.sweep(study, into, jobs=jobs, scheduler=scheduler, chunk=chunk, many=yes)
    print_note(f"Results are in {into}")
    if wanted is not None:
        found.plot(*wanted, path=picture)
        print_written(picture)
    if as_json:
        print_json(found.summary())
    else:
        print_table(found.table())
    finish(found.status)


def _names(text: str) -> list[str]:
    """
    >>> _names('tensions,"position:a,b"')
    ['tensions', 'position:a,b']
    """
    try:
        found = next(csv.reader([text]), [])
    except csv.Error:
        found = []
    if len(found) not in (2, 3):
        raise InputError(f"--plot: expected X,Y or X,Y,COLOUR, got {shown(text)}")
    return found
