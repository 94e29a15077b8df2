"""`open_viewer`, which the methods `view` of results call."""

import sys
import webbrowser

from chorda.mechanics import System
from chorda.results import Run
from chorda.safe_text import one_line
from chorda.view.configurations import Shown
from chorda.view.live.addresses import FIRST_PORT, HERE
from chorda.view.live.viewer import Viewer


def open_viewer(
    shown: System | Shown,
    beside: Run | None = None,
    *,
    host: str = HERE,
    port: int = FIRST_PORT,
    state: str | None = None,
    browser: bool = True,
    wait: bool | None = None,
) -> Viewer:
    """Show a robot or a result in the browser.

    A robot and an equilibrium get sliders: at rest the equilibrium follows them, in motion the
    robot runs in real time and can be pulled with the mouse. Runs, paths of equilibria and
    workspaces are played back; a click on a cell of a workspace shows the robot there.

    Parameters
    ----------
    shown : System, Equilibrium, Run, EquilibriumPath or Workspace
        What to show.
    beside : Run, optional
        Another run, shown at the same times.
    host : str
        Address to serve at. By default this machine alone can open the page.
    port : int
        Where the page is served; the next one that is free.
    state : str, optional
        The text behind 'state=' in a link of the viewer.
    browser : bool
        Open the page in a browser.
    wait : bool, optional
        Print where the page is and return only after Ctrl-C; by default in programs, not at a
        prompt or in notebooks.

    Returns
    -------
    Viewer
        With `url`, `link` and `stop()`.

    Raises
    ------
    InputError
        The extra `view` is not installed, the address is none of this machine, or the state fits
        another robot.

    See Also
    --------
    chorda.Run.view : the same, of a run.
    embedded : a page that moves inside a notebook, and needs no program.

    Notes
    -----
    It serves a page until it is stopped, so the tests of examples do not run this:

        rest = chorda.equilibrium(chorda.assemble(chorda.load("neck-3")), tensions=20.0)
        page = open_viewer(rest, wait=False)
        print(page.url)
        page.stop()
    """
    viewer = Viewer(shown, beside, host, port, state)
    if browser:
        webbrowser.open(viewer.url)
    if wait is None:
        wait = not (hasattr(sys, "ps1") or sys.flags.interactive)
    if wait:
        name = one_line(viewer.system.robot.name)
        print(f"{viewer.url} shows {name}; Ctrl-C ends it.", flush=True)
        viewer.wait()
    return viewer
