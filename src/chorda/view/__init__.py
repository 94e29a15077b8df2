"""Figures, animations and pages; nothing here changes matplotlib's own settings."""

from chorda.view.animation import animate
from chorda.view.configuration import plot_configuration
from chorda.view.export import export_shape
from chorda.view.figures import plot_run
from chorda.view.lines import plot_lines
from chorda.view.page import Image, Section, write_page
from chorda.view.style import ROLES, colors, dress, new_figure, save_figure, styled

__all__ = [
    "ROLES",
    "Image",
    "Section",
    "animate",
    "colors",
    "dress",
    "export_shape",
    "new_figure",
    "plot_configuration",
    "plot_lines",
    "plot_run",
    "save_figure",
    "styled",
    "write_page",
]
