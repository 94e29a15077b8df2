"""plot_configuration: a picture of a robot, its tendons coloured by tension."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.checks import check_names
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.view.artists import RobotArtists
from chorda.view.contact_arrows import ContactArrows, contact_pushes
from chorda.view.drawing import make_drawing
from chorda.view.labels import write_names
from chorda.view.style import BESIDE, TENSION, color_bar, finished, styled
from chorda.view.surroundings import draw_surroundings, make_surroundings, new_picture
from chorda.view.tension_look import one_sided, tension_samples

Values = Array | Sequence[float] | Mapping[str, float]
LARGEST = 5.6, 5.6  # [inch] of the picture
BAR_WIDTH, NAMES_WIDTH = 0.9, 2.0  # [inch] beside it: the bar of tensions, the names


def plot_configuration(
    system: System,
    q: Values | None = None,
    parameters: Values | None = None,
    tension: Values | float | None = None,
    ax: Axes | None = None,
    path: str | Path | None = None,
    *,
    names: bool = False,
    contact_forces: bool = False,
) -> Figure:
    """Draw the robot at one configuration.

    Planar robots are drawn in their plane, others as seen from the side and above.

    Parameters
    ----------
    system : System
        The assembled robot.
    q : array of shape (nq,) or mapping, optional
        Coordinates (nq) in SI units, or some of them by name; the others are at rest.
    parameters : array or mapping, optional
        All values in order, or changes by name, in SI units.
    tension : array, mapping or float, optional
        Tensions [N]: one for each tendon, by name, or one for all. Tendons that only pull are
        dashed where they have none (<= 0), others push there. Without it, tendons have one colour.
    ax : Axes, optional
        Axes to draw into, for several pictures in one figure.
    path : str or Path, optional
        File to write (.png, .svg or .pdf).
    names : bool
        Write the names of joints on the left and of tendons on the right.
    contact_forces : bool
        Draw the forces on the second shapes of contacts, as they are without motion.

    Returns
    -------
    Figure
        The figure, which belongs to no window.

    Raises
    ------
    InputError
        A name is not there, values are too few or not finite, or the file's ending is not known.

    See Also
    --------
    chorda.Equilibrium.plot : the same of an equilibrium.
    plot_path : configurations along a path.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-3"))
    >>> figure = plot_configuration(neck, {"x1": 0.3}, tension={"left": 20.0}, names=True)
    >>> {"x1", "left"} <= {text.get_text() for text in figure.axes[0].texts}
    True
    """
    if parameters is None or isinstance(parameters, Mapping):
        p = system.parameters(parameters)
    else:
        p = in_order("parameters", parameters, system.parameter_values, system.parameter_names)
    at = system.unit(in_order("q", q, system.start, system.coordinate_names), "q")
    drawing = make_drawing(system, at[None, :], p)
    pull = _tensions(system, tension)
    with styled():
        if ax is None:
            key = BAR_WIDTH * (pull is not None) + NAMES_WIDTH * names
            ax = new_picture(drawing, LARGEST, narrowest=2.4, beside=key)
        else:
            draw_surroundings(ax, drawing, make_surroundings(drawing))
        robot = RobotArtists(ax, drawing, tension=pull)
        robot.show(0, pull)
        pushes = contact_pushes(system, at[None], np.zeros((1, system.nv)), p)
        if contact_forces and pushes is not None:
            ContactArrows(ax, drawing, pushes).show(0)
        figure = ax.get_figure(root=True)
        assert isinstance(figure, Figure)
        if pull is not None:
            bar = color_bar(figure, robot.norm, TENSION, "tension [N]", ax=ax, **BESIDE)
            if samples := tension_samples(pull, one_sided(system)):
                bar.ax.legend(handles=samples, loc="upper left", bbox_to_anchor=(-0.9, 0))
        if names:
            write_names(ax, drawing)
    return finished(figure, path)


def _tensions(system: System, tension: Values | float | None) -> Array | None:
    names = tuple(t.name for t in system.robot.tendons)
    if tension is None or not names:
        return None
    if isinstance(tension, int | float):
        return np.full(len(names), float(tension))
    return in_order("tension", tension, np.zeros(len(names)), names)


def in_order(what: str, values: Values | None, usual: Array, names: tuple[str, ...]) -> Array:
    """Values in order, from a sequence, or from a mapping over the usual ones.

    >>> in_order("q", {"b": 2.0}, np.zeros(2), ("a", "b"))
    array([0., 2.])
    """
    if values is None:
        return usual
    if isinstance(values, Mapping):
        check_names(what, values, names)
        values = [values.get(name, x) for name, x in zip(names, usual, strict=True)]
    array = np.asarray(values, float).ravel()
    if len(array) != len(names):
        raise InputError(
            f"{what}: expected {len(names)} numbers ({', '.join(names[:8])}"
            f"{' ...' if len(names) > 8 else ''}), got {len(array)}"
        )
    for name, value in zip(names, array, strict=True):
        if not np.isfinite(value):
            raise InputError(f"{what}: '{name}' must be a finite number, got {value}")
    return array
