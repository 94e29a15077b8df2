"""Colours as the page of the viewer takes them."""

import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_rgb


def rgb(color: str) -> tuple[int, int, int]:
    """Red, green and blue from 0 to 255."""
    red, green, blue = (round(255 * x) for x in to_rgb(color))
    return red, green, blue


def line_colors(colors: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Colours (..., 3) from 0 to 1 as the page wants those of lines: it takes them for linear ones.

    >>> line_colors([0.0, 0.5, 1.0])
    array([  0,  55, 255], dtype=uint8)
    """
    x = np.asarray(colors, float)
    linear = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return np.round(255 * linear).astype(np.uint8)
