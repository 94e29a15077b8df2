"""What an equilibrium has to say where shapes touch: about friction, and on which side it is."""

import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.contacts.passing import passed, solids
from chorda.results.pressing import contact_values


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
            f"Bristles of {', '.join(bristles)} are bent as they were at the start, and count as "
            "springs in its stability; how friction lets it come to rest is found by a motion."
        )
    return " ".join(sentences)


def bending_remark(system: System, start: Array, q: Array) -> str:
    """That bristles bent a little with the robot; empty where they are as they were."""
    names = system.coordinate_names
    rows = [i for i, name in enumerate(names) if ".bristle." in name]
    most = float(np.max(np.abs(q - start)[rows], initial=0.0))
    if most == 0.0:
        return ""
    return f"They were bent with the robot from there, by up to {most:.1g} m, as they stick."


def side_remark(system: System, start: Array, q: Array, p: Array) -> str | None:
    """That solids are on other sides of each other than at the start, although no step led through
    them: what is in balance there may be out of reach for a motion."""
    if not solids(system).any():
        return None
    found = [
        f"{x.second} is on another side of {x.first}"
        for x, there in zip(system.touches, passed(system, start, q, p), strict=True)
        if there
    ]
    if not found:
        return None
    return (
        f"{'; '.join(dict.fromkeys(found))} than at the start, which steps at rest lead around or "
        "press through. Go there by a motion, or along a path of smaller loads."
    )
