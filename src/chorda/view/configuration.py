"""plot_configuration: a picture of a robot, its tendons coloured by tension."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.describe import Rod
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.system import unknown
from chorda.view.actors import DASHES, TRAIL, Actors, Widths
from chorda.view.naming import write_names
from chorda.view.scenery import build_scenery, draw_scenery, extent
from chorda.view.stage import NOT_A_BODY, Stage, build_stage
from chorda.view.style import ROLES, TENSION, new_figure, save_figure, styled

Values = Array | Sequence[float] | Mapping[str, float]
LARGEST = (5.6, 5.6)  # [inch] of the picture


def plot_configuration(
    system: System,
    q: Values | None = None,
    parameters: Values | None = None,
    tension: Values | float | None = None,
    ax: Axes | None = None,
    path: str | Path | None = None,
    *,
    names: bool = False,
) -> Figure:
    """Draw the robot at one configuration; written to `path` if given.

    q: coordinates, or some of them by name (the others at rest). parameters: values, or changes
    by name. tension [N]: one for each tendon, by name, or one for all; tendons with none (<= 0)
    are dashed. Planar robots are drawn in their plane, others as seen from the side and above.
    ax: axes to draw into, for several pictures in one figure. names: write the joints' names on the
    left and the tendons' on the right.
    """
    p = _parameters(system, parameters)
    stage = build_stage(system, _configuration(system, q)[None, :], p)
    pull = _tension(system, tension)
    scenery = build_scenery(stage)
    with styled():
        if ax is None:
            low, high = extent(stage, scenery)
            width, height = (high - low) * np.min(np.array(LARGEST) / (high - low))
            key = (0.9 if pull is not None else 0.0) + (2.0 if names else 0.0)
            ax = new_figure(max(width, 2.4) + key, height).add_subplot()
        draw_scenery(ax, stage, scenery)
        norm = None if pull is None else tension_scale(pull)
        Actors(ax, stage, widths_in(ax, stage), norm).show(0, pull)
        figure = ax.get_figure(root=True)
        assert isinstance(figure, Figure)
        if pull is not None:
            _draw_key(figure, ax, pull)
        if names:
            write_names(ax, stage)
    if path is not None:
        save_figure(figure, path)
    return figure


def _draw_key(figure: Figure, ax: Axes, tension: Array) -> None:
    """The colours of the tensions, beside the picture."""
    key = figure.colorbar(
        ScalarMappable(tension_scale(tension), TENSION), ax=ax, shrink=0.6, aspect=22, pad=0.02
    )
    key.set_label("tension [N]")
    key.outline.set_visible(False)
    if not np.all(tension > 0):
        key.ax.legend(handles=[slack_sample()], loc="upper left", bbox_to_anchor=(-0.9, 0))


def widths_in(ax: Axes, stage: Stage) -> Widths:
    """Line widths for these axes, whose limits are set."""
    window = ax.get_window_extent()
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    pixels = min(window.width / (right - left), window.height / (high - low))
    bodies = [x for x in stage.lines if x.kind not in NOT_A_BODY and x.kind != "rod"]
    ends = [(x.points[0], x.points[-1]) for x in bodies]
    lengths = [float(np.linalg.norm(stage.points[0][b] - stage.points[0][a])) for a, b in ends]
    rods = [diameter(x) for x in stage.system.robot.joints if isinstance(x, Rod)]
    return Widths.fitting(
        [x for x in lengths if x > 0], pixels * 72 / ax.figure.dpi, max(rods, default=0.0)
    )


def diameter(rod: Rod) -> float:
    """Of the section, its larger side [m]."""
    section = rod.section
    return max(section.width, section.height) if section.kind == "rectangle" else 2 * section.radius


def tension_scale(tension: Array) -> Normalize:
    """Colours from 0 to the largest tension; one short peak does not wash out all the rest."""
    taut = tension[np.isfinite(tension) & (tension > 0)]
    if not taut.size:
        return Normalize(0.0, 1.0)
    most, usual = float(taut.max()), float(np.quantile(taut, 0.99))
    return Normalize(0.0, most if most < 1.5 * usual else usual)


def slack_sample() -> Line2D:
    """The legend's entry for slack tendons."""
    return Line2D([], [], color=ROLES.slack, lw=1.6, ls=DASHES, label="slack")


def trail_sample() -> Line2D:
    """The legend's entry for the way of the tip."""
    return Line2D([], [], label="way of the tip", **TRAIL)


def _configuration(system: System, q: Values | None) -> Array:
    return _named("q", q, system.start, system.coordinate_names)


def _parameters(system: System, parameters: Values | None) -> Array:
    if parameters is None or isinstance(parameters, Mapping):
        return system.parameters(parameters)
    return _named("parameters", parameters, system.parameter_values, system.parameter_names)


def _tension(system: System, tension: Values | float | None) -> Array | None:
    names = tuple(t.name for t in system.robot.tendons)
    if tension is None or not names:
        return None
    if isinstance(tension, int | float):
        return np.full(len(names), float(tension))
    return _named("tension", tension, np.zeros(len(names)), names)


def _named(what: str, values: Values | None, usual: Array, names: tuple[str, ...]) -> Array:
    """Values in order, from a sequence, or from a mapping over the usual ones."""
    if values is None:
        return usual
    if isinstance(values, Mapping):
        for name in values:
            if name not in names:
                raise InputError(unknown(what, name, names))
        values = [values.get(name, x) for name, x in zip(names, usual, strict=True)]
    array = np.asarray(values, float).ravel()
    if len(array) != len(names):
        raise InputError(
            f"{what}: expected {len(names)} numbers ({', '.join(names[:8])}"
            f"{' ...' if len(names) > 8 else ''}), got {len(array)}"
        )
    if not np.all(np.isfinite(array)):
        bad = names[int(np.argmin(np.isfinite(array)))]
        raise InputError(f"{what}: '{bad}' must be a finite number, got {array[names.index(bad)]}")
    return array
