"""chorda view: a robot or a run in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import chorda
from chorda.checks import refuse_idle
from chorda.cli.options import Model
from chorda.cli.output import write_file
from chorda.cli.typer_options import Endings
from chorda.errors import InputError, StorageError
from chorda.mechanics import System
from chorda.results import Equilibrium, Run, Workspace

if TYPE_CHECKING:
    from chorda.view.configurations import Shown

RUN = "A second run to be shown at the same times."


def view(
    *,
    model: Model,
    beside: Annotated[
        Path | None, typer.Option("--beside", metavar="FILE", help=RUN, show_default=False)
    ] = None,
    tension: float | None = None,
    html: Annotated[Path | None, Endings((".html",))] = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    state: str | None = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Show a robot in the browser, with sliders that move it; or play back a run or a workspace.

    ROBOT may be a file (.nc) of `chorda simulate --output` or `chorda workspace --save`.
    Ctrl-C ends it.

    Parameters
    ----------
    tension : NEWTONS
        Of all tendons at first.
    html : FILE
        Write one page that can be sent (.html) instead.
    host : ADDRESS
        Where the page is served: only to this machine, unless another address is given.
    port : PORT
        The first port that is tried.
    state : TEXT
        What is behind 'state=' in a link of the viewer.

    \b
    Examples:
      chorda view neck-3
      chorda view neck-3 --tension 20 --html neck.html
      chorda view run.nc --beside other.nc
    """
    path, other = Path(model.robot), None
    shown: System | Shown
    if path.suffix.lower() == ".nc":
        tendons = None if model.tendons == "elastic" else model.tendons
        others = {"--tension": tension, "--parameter": model.parameter, "--tendons": tendons}
        refuse_idle(others, f"with the file {path}, which has its own", "name a robot")
        shown = _opened(path)
        found = None if beside is None else _opened(beside)
        if found is not None and not isinstance(found, Run):
            raise InputError(f"--beside: expected a run, got {beside}")
        other = found
    else:
        refuse_idle({"--beside": beside}, "beside a robot", "give a run first, such as run.nc")
        shown = _at_rest(model, tension, page=html is not None)
    if html is not None:
        refuse_idle({"--state": state, "--beside": beside}, "with --html", "leave out --html")
        assert not isinstance(shown, System)
        write_file(html, shown.to_html)
        return
    from chorda.view import open_viewer

    open_viewer(shown, other, host=host, port=port, state=state, browser=browser, wait=True)


def _at_rest(model: Model, tension: float | None, page: bool) -> System | Equilibrium:
    """The robot, or its equilibrium where something is given for it, or a page shows it."""
    system, changes = model.system(), model.parameters or None
    if tension is None and changes is None:
        from chorda.view.live.resting import Resting

        return Resting(system).rest if page else system
    return chorda.equilibrium(system, parameters=changes, tensions=tension)


def _opened(path: Path) -> Run | Workspace:
    """A run, or a workspace, whichever the file has."""
    try:
        return chorda.open(path)
    except StorageError as error:
        try:
            return chorda.open_workspace(path)
        except StorageError:
            raise error from None
