"""How tendons look: by their tension, and grey where they are slack."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import Normalize, to_rgba
from matplotlib.lines import Line2D

from chorda.mechanics import Array, System
from chorda.view.style import ROLES, TENSION

SOLID: tuple[int, Any] = (0, None)
DASHES = (0, (2.2, 1.6))
NOISE, LEAST = 1e-9, 1e-9  # what counts as no tension: over the largest one, and [N]
Mask = npt.NDArray[np.bool_]


def without_noise(tension: Array) -> Array:
    """Tensions, or zero where they are nothing but rounding.

    >>> without_noise(np.array([20.0, 3e-15, -2e-12]))
    array([20.,  0.,  0.])
    """
    size = np.abs(tension)
    largest = float(np.max(size, where=np.isfinite(size), initial=0.0))
    return np.where(size < max(NOISE * largest, LEAST), 0.0, tension)


def one_sided(system: System) -> Mask:
    """Which tendons only pull: below zero these are slack, the others push."""
    return np.array([t.law.one_sided for t in system.robot.tendons], bool)


def slack(tension: Array, only_pull: Mask | None = None) -> Mask:
    """Which of the tendons (..., tendons) are slack, or not known.

    only_pull: as of `one_sided`; without it all of them.
    """
    beyond = ~(without_noise(tension) > 0)  # NaN is
    return beyond if only_pull is None else beyond & (only_pull | np.isnan(tension))


def tension_scale(tension: Array) -> Normalize:
    """Colours from 0 to the largest tension; one short peak does not wash out all the rest."""
    tension = without_noise(tension)
    taut = tension[np.isfinite(tension) & (tension > 0)]
    if not taut.size:
        return Normalize(0.0, 1.0)
    largest, usual = float(taut.max()), float(np.quantile(taut, 0.99))
    return Normalize(0.0, largest if largest < 1.5 * usual else usual)


def tension_colors(tension: Array, norm: Normalize, only_pull: Mask | None = None) -> Array:
    """A colour (n, 4) for each tension: slack tendons, and NaN, are grey, pushing ones green."""
    tension = without_noise(tension)
    shades = np.asarray(TENSION(norm(np.where(tension > 0, tension, 0.0))))
    shades[tension < 0] = to_rgba(ROLES.push)
    shades[slack(tension, only_pull)] = to_rgba(ROLES.slack)
    return shades


def tension_styles(tension: Array, only_pull: Mask | None = None) -> list[Any]:
    """Slack tendons are dashed."""
    return [DASHES if x else SOLID for x in slack(tension, only_pull)]


def tension_samples(tension: Array, only_pull: Mask) -> list[Line2D]:
    """Entries of the legend for what the bar of colours does not say."""
    tension = without_noise(tension)
    loose = slack(tension, only_pull)
    found = [slack_sample()] if np.any(loose) else []
    pushes = bool(np.any((tension < 0) & ~loose))
    return found + [Line2D([], [], color=ROLES.push, lw=1.6, label="pushing")] * pushes


def slack_sample() -> Line2D:
    """The legend's entry for slack tendons."""
    return Line2D([], [], color=ROLES.slack, lw=1.6, ls=DASHES, label="slack")
