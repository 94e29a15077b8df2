"""Figures of an identification: model beside measurement, estimates, residuals, signals."""

from chorda.identification.reporting.figures.estimates import plot_correlations, plot_intervals
from chorda.identification.reporting.figures.model import (
    plot_actuators,
    plot_identification,
    plot_tension_errors,
    plot_tensions,
)
from chorda.identification.reporting.figures.residuals import (
    plot_residual_properties,
    plot_residuals,
)
from chorda.identification.reporting.figures.signals import plot_signals

__all__ = [
    "plot_actuators",
    "plot_correlations",
    "plot_identification",
    "plot_intervals",
    "plot_residual_properties",
    "plot_residuals",
    "plot_signals",
    "plot_tension_errors",
    "plot_tensions",
]
