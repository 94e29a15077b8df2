"""chorda view: a robot or a run in the browser."""

from pathlib import Path
from typing import Annotated

import typer

import chorda
from chorda.cli.options import Model
from chorda.errors import InputError
from chorda.mechanics import System
from chorda.results import Equilibrium, Run, Workspace
from chorda.view import open_viewer

RUN = "A second run to be shown at the same times."


def view(
    *,
    model: Model,
    beside: Annotated[
        Path | None, typer.Option("--beside", metavar="FILE", help=RUN, show_default=False)
    ] = None,
    tension: float | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    state: str | None = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Show a robot in the browser, with sliders that move it; or play back a run or a workspace.

    ROBOT may be a file that --output of `chorda simulate` or `chorda workspace` wrote (.nc).

    Parameters
    ----------
    tension : NEWTONS
        Of all tendons at first.
    host : ADDRESS
        Where the page is served: only to this machine, unless another address is given.
    port : PORT
        The first port that is tried.
    state : TEXT
        What is behind 'state=' in a link of the viewer.

    \b
    Examples:
      chorda view neck-3
      chorda view run.nc --beside other.nc
    """
    path = Path(model.robot)
    if path.suffix.lower() == ".nc":
        shown = _opened(path)
        other = None if beside is None else _opened(beside)
        if other is not None and not isinstance(other, Run):
            raise InputError(f"--beside: expected a run, got {beside}")
        open_viewer(shown, other, host=host, port=port, state=state, browser=browser, wait=True)
        return
    if beside is not None:
        raise InputError("--beside: expected a run as ROBOT too, such as run.nc")
    system = model.system()
    changes = model.parameters or None
    rest: System | Equilibrium = system
    if changes or tension is not None:
        rest = chorda.equilibrium(system, parameters=changes, tensions=tension)
    open_viewer(rest, host=host, port=port, state=state, browser=browser, wait=True)


def _opened(path: Path) -> Run | Workspace:
    """A run, or a workspace, whichever the file has."""
    try:
        return chorda.open(path)
    except InputError as error:
        try:
            return chorda.open_workspace(path)
        except InputError:
            raise error from None
