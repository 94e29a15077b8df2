"""What an equilibrium has to say where shapes touch: about friction, and on which side it is."""

import casadi as ca
import numpy as np

from chorda.describe.shapes import Bore
from chorda.mechanics import Array, System
from chorda.results.pressing import contact_values

WAY = 33  # configurations that are looked at between the start and an equilibrium


def touching_remark(system: System, q: Array, u: Array, p: Array) -> str:
    """That smooth friction is zero at rest, and bristles what they were; empty where nothing that
    rubs touches. q, u, p: of one configuration, or rows of several."""
    rubbing = system.rubbing_touches
    if not rubbing:
        return ""
    gaps = contact_values(system, "gap", *(np.atleast_2d(x) for x in (q, u, p)))
    sentences, bent = list[str](), set(system.coordinate_names)
    touching = [x.label for x in rubbing if np.nanmin(gaps[x.label], initial=0.0) < 0]
    bristles = [x for x in touching if any(f"{x}.bristle.{axis}" in bent for axis in "xyz")]
    smooth = [x for x in touching if x not in bristles]
    if smooth:
        sentences.append(
            f"Friction of {', '.join(smooth)} is left out: it is zero at rest, and what it would "
            "hold for long is found by a motion."
        )
    if bristles:
        sentences.append(
            f"Bristles of {', '.join(bristles)} are bent as they were at the start; how friction "
            "lets it come to rest is found by a motion."
        )
    return " ".join(sentences)


def passing_remark(system: System, start: Array, q: Array, u: Array, p: Array) -> str | None:
    """That solids are on other sides of each other than at the start, and touch, or would have on
    the straight way there: Newton's method leaps, and what is on the other side of a thin obstacle
    is in balance there too."""
    if not system.touches:
        return None
    hollow = {x.name for x in system.robot.shapes if isinstance(x, Bore)}
    normals = system.once(
        "touch-normals",
        lambda: system.function(
            "normals", "q v u p", ca.densify(ca.horzcat(*[x.normal for x in system.touches]))
        ),
    )
    still = np.zeros(system.nv)
    before, after = (normals(x, still, u, p).full() for x in (start, q))
    turned = np.sum(before * after, axis=0) < 0
    if not np.any(turned):
        return None
    way = (start + part * (q - start) for part in np.linspace(1, 0, WAY, endpoint=False))
    gaps = np.min([system.touch_gaps(x, still, u, p).full().ravel() for x in way], axis=0)
    found = [
        f"{x.second} may have passed through {x.first}"
        for x, gap, there in zip(system.touches, gaps, turned, strict=True)
        if gap < 0 and there and not {x.first, x.second} & hollow
    ]
    if not found:
        return None
    return (
        f"{'; '.join(dict.fromkeys(found))}: the normal between them has turned by more than 90 "
        "degrees since the start. Go there by a motion, or along a path of smaller loads."
    )
