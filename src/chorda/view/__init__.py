"""Figures, animations and pages; nothing here changes matplotlib's own settings."""

from chorda.view.animation import animate
from chorda.view.configuration_plot import plot_configuration
from chorda.view.embedded_page import EmbeddedPage, embedded
from chorda.view.lines import plot_lines
from chorda.view.live.opening import open_viewer
from chorda.view.live.viewer import Viewer
from chorda.view.motion_page import write_motion_page
from chorda.view.overlay_plots import plot_mode, plot_path
from chorda.view.page import Image, Section, write_page
from chorda.view.plotted import Plotted
from chorda.view.run_plot import plot_run
from chorda.view.shape_export import export_shape
from chorda.view.style import ROLES, colors, dress, new_figure, save_figure, styled
from chorda.view.workspace_plot import plot_workspace

__all__ = [
    "ROLES",
    "EmbeddedPage",
    "Image",
    "Plotted",
    "Section",
    "Viewer",
    "animate",
    "colors",
    "dress",
    "embedded",
    "export_shape",
    "new_figure",
    "open_viewer",
    "plot_configuration",
    "plot_lines",
    "plot_mode",
    "plot_path",
    "plot_run",
    "plot_workspace",
    "save_figure",
    "styled",
    "write_motion_page",
    "write_page",
]


def __dir__() -> list[str]:
    return sorted(__all__)
