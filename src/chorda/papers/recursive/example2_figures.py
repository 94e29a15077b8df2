"""Figures 10-14, the difference of both models over the stiffness, the tip's stiffness."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from chorda.papers.panels_figure import panels
from chorda.papers.recursive.example2 import SOFT_STIFFNESS, STIFFNESS, STIFFNESSES, Case
from chorda.papers.recursive.pretension import GRID
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.recursive.study import Study
from chorda.view import ROLES, plot_lines
from chorda.view.style import CYCLE

MODELS = {"with O+": Case(True, PRETENSIONS[0]), "without O+": Case(False, PRETENSIONS[0])}
PRETENSIONED = {f"{T:g} N": Case(True, T) for T in PRETENSIONS}
TENDONS = ("t31", "t32")


def figure2(study: Study) -> Figure:
    """Figure 2: the operator O+, in the tension of a cable by how far the joint turns."""
    angles = np.linspace(-1, 1, 201) * PRETENSIONS[1] / (STIFFNESS * study.example2.drum_radius)
    series = {
        name: study.example2.tensions_at(angles, case.rectified)[:, 0]
        for name, case in reversed(MODELS.items())
    }
    with panels(6.4, 3.4) as (figure, (ax,)):
        plot_lines(1e3 * angles, series, "tension [N]", "Tendon 1 at rest, actuators at zero", ax,
                   xlabel="joint angle [mrad]", dashed=["without O+"])  # fmt: skip
        ax.axhline(0, color=ROLES.quiet, lw=0.8)
    return figure


def figure10(study: Study) -> Figure:
    """Figure 10: the joint with and without O+, and the difference; on the right softer cables."""
    return _angles(study, MODELS)


def figure11(study: Study) -> Figure:
    """Figure 11: tensions with and without O+."""
    return _tensions(study, MODELS)


def figure12(study: Study) -> Figure:
    """Figure 12: the joint with two pretensions, and the difference; on the right softer cables."""
    return _angles(study, PRETENSIONED)


def figures13_14(study: Study) -> Figure:
    """Figures 13 and 14: tensions with two pretensions."""
    return _tensions(study, PRETENSIONED)


def _angles(study: Study, cases: dict[str, Case]) -> Figure:
    (first, _), (second, _) = cases.items()
    tints = {"wanted": ROLES.quiet, first: CYCLE[0], second: CYCLE[1]}
    options = {"width_ratios": (1, 1), "height_ratios": (1.3, 1)}
    with panels(11.5, 5.8, 2, 2, **options) as (figure, axes):
        for k, stiffness in enumerate((STIFFNESS, SOFT_STIFFNESS)):
            softened = {name: replace(x, stiffness=stiffness) for name, x in cases.items()}
            time = study.example2.run(softened[first]).time
            found = {name: study.example2.angle(x) for name, x in softened.items()}
            series = {"wanted": np.sin(time), **found}
            title = f"Joint angle, cables of {stiffness:g} N/m"
            top, low = axes[k], axes[2 + k]
            plot_lines(time, series, "angle [rad]", title, top, palette=tints, dashed=[second],
                   legend=True)  # fmt: skip
            away = {"difference": 1e3 * (found[second] - found[first])}
            plot_lines(time, away, "difference [mrad]", f"Difference: {second} less {first}", low,
                   palette={"difference": CYCLE[2]}, legend=True)  # fmt: skip
            low.get_legend().remove()  # type: ignore[union-attr]
            low.axhline(0, color=ROLES.quiet, lw=0.8)
    return figure


def _tensions(study: Study, cases: dict[str, Case]) -> Figure:
    time = study.example2.run(next(iter(cases.values()))).time
    with panels(8, 5.2, 2) as (figure, axes):
        for k, ax in enumerate(axes):
            series = {name: study.example2.tension(case)[:, k] for name, case in cases.items()}
            plot_lines(time, series, "tension [N]", f"Tendon {k + 1} ({TENDONS[k]})", ax)
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
    return figure


def stiffness(study: Study) -> Figure:
    """Both models get alike as the tendons get stiffer."""
    with panels(6.4, 3.4) as (figure, (ax,)):
        ax.loglog(STIFFNESSES, study.example2.differences(), "o-", color=CYCLE[0], lw=1.6)
        ax.set(xlabel="stiffness [N/m]", ylabel="difference [rad]")
        ax.set_title("With O+ less without: largest difference of the angle")
    return figure


def tip_stiffness(study: Study) -> Figure:
    """Stiffness at the tip by pretension: load over deflection, at rest and in motion."""
    curves, taut = study.tip.curves(), study.tip.taut
    with panels(8, 4.2) as (figure, (ax,)):
        marks = (("o", 9), ("s", 4), ("D", 4))  # where two curves are one, both marks show
        for (name, values), (mark, size), color in zip(curves.items(), marks, CYCLE, strict=False):
            face = "none" if mark == "o" else color
            ax.plot(GRID, values, f"{mark}-", color=color, lw=1.4, ms=size, mfc=face, label=name)
        for share, label in ((1.0, "both cables taut"), (0.5, "one slack")):
            ax.axhline(share * taut, color=ROLES.quiet, ls="--", lw=1)
            ax.annotate(f"{label}, closed form", (GRID[-1], share * taut), (0, 4), va="bottom",
                        ha="right", textcoords="offset points", color=ROLES.quiet)  # fmt: skip
        ax.set(xlabel="pretension [N]", ylabel="tip stiffness [N/m]", ylim=(0, 1.15 * taut))
        ax.set_title("Is example 2 stiffer with more pretension?")
        ax.legend(loc="lower right")
    return figure
