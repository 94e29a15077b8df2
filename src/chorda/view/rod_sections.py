"""Where the sides of rods with rectangular sections are."""

import numpy as np

from chorda.mechanics import Array
from chorda.view.configurations import Configurations


def rod_sides(rod: str, c: Configurations, centre: Array, widths: Array) -> Array:
    """The middle of the side along the section's y, beside points (n, k, 3) of the centre line.

    widths (k) [m]. The section is carried along the line without a turn, and what is then missing
    to the frame at the tip is a twist in proportion to the length.
    """
    R, _ = c.frames((f"{rod}.base", f"{rod}.tip"))
    along = np.gradient(centre, axis=1)
    along /= np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-300)
    side, last = np.empty_like(centre), R[:, 0, :, 1]
    for k in range(centre.shape[1]):
        t = along[:, k]
        last = last - np.sum(last * t, axis=1, keepdims=True) * t
        last = last / np.linalg.norm(last, axis=1, keepdims=True)
        side[:, k] = last
    wanted, t = R[:, 1, :, 1], along[:, -1]
    other = np.cross(t, last)
    twist = np.arctan2(np.sum(wanted * other, axis=1), np.sum(wanted * last, axis=1))
    angle = twist[:, None, None] * np.linspace(0, 1, centre.shape[1])[None, :, None]
    turned = np.cos(angle) * side + np.sin(angle) * np.cross(along, side)
    return np.asarray(centre + widths[None, :, None] * turned)
