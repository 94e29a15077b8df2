"""The page of to_html inside a notebook, and inside the pages that are made of notebooks."""

from dataclasses import dataclass, field
from html import escape

from chorda.checks import number
from chorda.view.configurations import Shown
from chorda.view.motion_page import motion_page

LEAST_HEIGHT = 200  # pixels, for the bar and something above it
STYLE = "width: 100%; border: 1px solid #e1e5ea; border-radius: 7px"


@dataclass(frozen=True, eq=False)
class EmbeddedPage:
    """A page that a notebook shows as the output of a cell.

    Parameters
    ----------
    text : str
        The page in HTML.
    height : float
        Of the frame around it [pixels].

    See Also
    --------
    embedded : makes it.

    Examples
    --------
    >>> EmbeddedPage("<!doctype html>", 300)
    EmbeddedPage(height=300)
    """

    text: str = field(repr=False)
    height: float

    def _repr_html_(self) -> str:
        """Keep it in a frame of its own, which reaches nothing outside."""
        return (
            f'<iframe sandbox="allow-scripts" loading="lazy" height="{self.height:g}" '
            f'style="{STYLE}" srcdoc="{escape(self.text)}"></iframe>'
        )


def embedded(result: Shown, *, height: float = 580) -> EmbeddedPage:
    """Show the page of to_html in a notebook: the robot that moves, and its plots.

    The output of the cell holds the whole page, so that it stays in the notebook's file, and in
    what is made of it.

    Parameters
    ----------
    result : Run, Equilibrium, EquilibriumPath or Workspace
        What to show.
    height : float
        Of the frame [pixels], from 200.

    Returns
    -------
    EmbeddedPage
        As the last line of a cell, notebooks show it.

    Raises
    ------
    InputError
        There is no configuration to show, or the height is no such number.

    See Also
    --------
    chorda.Run.to_html : the same page as a file.
    chorda.Run.view : a live page, served by this computer.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> run = chorda.simulate(neck, duration=0.1, step=2e-3, initial={"x1": 0.3})
    >>> embedded(run, height=480)
    EmbeddedPage(height=480)
    """
    number("height", height, least=LEAST_HEIGHT, unit="pixels")
    return EmbeddedPage(motion_page(result), height)
