"""Example 1: the robots, the motion, the tension of every segment, the forces of the joints."""

from collections.abc import Collection

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.mechanics import Array
from chorda.papers.panels_figure import panels
from chorda.papers.recursive.example1 import ANGULAR_FREQUENCY, wanted
from chorda.papers.recursive.example1_tables import PULLEYS, across_pulley
from chorda.papers.recursive.study import Study
from chorda.view import ROLES, plot_configuration, plot_lines
from chorda.view.style import CYCLE

SHOWN_EVERY = 10  # samples from one that is drawn to the next


def figures1b_7_8(study: Study) -> Figure:
    """Figures 7, 8 and 1b: the robots of both examples, and the arm with belts."""
    robots = {
        "Example 1 (fig. 7)": (study.example1.system, {"link1": 0.5, "link2": 0.6}),
        "Example 2 (fig. 8)": (study.example2.system(True), {"link3": 0.5}),
        "Endless tendons (fig. 1b)": (study.belts.system, {"joint1": 0.4, "joint2": 0.6}),
    }
    with panels(10.5, 3.6, 1, 3) as (figure, axes):
        for ax, (title, (system, q)) in zip(axes, robots.items(), strict=True):
            plot_configuration(system, q, ax=ax)
            ax.set_title(title)
            ax.set_anchor("NW")
    return figure


def example1_motion(study: Study) -> Figure:
    """Example 1: angles of the joints, as wanted and as the tendons stretch, and the difference."""
    run = study.example1.run()
    phase = ANGULAR_FREQUENCY * run.time
    angles, _ = wanted(np.cos(phase), np.sin(phase))
    colors = {"joint 1": CYCLE[0], "joint 2": CYCLE[1]}
    found = {name: run.position[:, k] for k, name in enumerate(colors)}
    tints = colors | {f"{name}, wanted": ROLES.quiet for name in colors}
    aim = {f"{name}, wanted": angles[k] for k, name in enumerate(colors)}
    away = {name: 1e3 * (found[name] - angles[k]) for k, name in enumerate(colors)}
    with panels(8.4, 5.6, 2) as (figure, (top, low)):
        _lines(top, run.time, aim | found, "angle [rad]", "Joints of example 1", tints, aim)
        _lines(low, run.time, away, "difference [mrad]", "Angle less the wanted one", colors)
    return figure


def example1_tensions(study: Study) -> Figure:
    """Example 1: tension of every segment, and what the pulleys' inertia makes them differ."""
    time, tension = study.example1.run().time, study.example1.tensions()
    pairs = {"Tendon 5": ("t15",), "Tendon 6": ("t36", "t23"), "Tendon 7": ("t47", "t24")}
    with panels(9.4, 10.4, 5) as (figure, axes):
        for ax, (title, names) in zip(axes, pairs.items(), strict=False):
            series = {name: tension[name] for name in names}
            _lines(ax, time, series, "tension [N]", title, dashed=names[1:])
        for ax, link in zip(axes[3:], PULLEYS, strict=True):
            (distal, proximal), (across, needed) = PULLEYS[link], across_pulley(study, link)
            series = {f"{distal} - {proximal}": across, f"I{link} times acc. / r{link}": needed}
            _lines(ax, time, series, "[N]", f"Across pulley {link}", dashed=list(series)[1:])
    return figure


def example1_reactions(study: Study) -> Figure:
    """Example 1: forces of the joints on their links; dashed by eqs. 26."""
    time, ours, by_hand = (
        study.example1.run().time, study.bodies.recursive(), study.bodies.by_hand()
    )  # fmt: skip
    with panels(9.4, 8.6, 4) as (figure, axes):
        for ax, name in zip(axes, sorted(ours), strict=True):
            series = {f"along {axis}": ours[name][:, k] for k, axis in enumerate("xy")}
            hand = {f"{axis}, eqs. 26": by_hand[name][:, k] for k, axis in enumerate("xy")}
            tints = dict(zip(series, CYCLE, strict=False)) | dict.fromkeys(hand, ROLES.text)
            title = f"Force of its joint on {name.replace('link', 'link ')}"
            _lines(ax, time, series | hand, "force [N]", title, tints, hand)
    return figure


def _lines(
    ax: Axes,
    time: Array,
    series: dict[str, Array],
    ylabel: str,
    title: str,
    palette: dict[str, str] | None = None,
    dashed: Collection[str] = (),
) -> None:
    thin = {name: values[::SHOWN_EVERY] for name, values in series.items()}
    plot_lines(time[::SHOWN_EVERY], thin, ylabel, title, ax, palette=palette, dashed=dashed)
