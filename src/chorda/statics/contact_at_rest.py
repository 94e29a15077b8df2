"""What an equilibrium has to say about friction where shapes touch."""

import numpy as np

from chorda.mechanics import Array, System


def touching_remark(system: System, q: Array, u: Array, p: Array) -> str | None:
    """That smooth friction is zero at rest, and bristles what they were; None where nothing that
    rubs touches."""
    if not system.rubbing_touches:
        return None
    gaps = system.rubbing_gaps(q, np.zeros(system.nv), u, p).full().ravel()
    sentences, bent = list[str](), set(system.coordinate_names)
    touching = [x.label for x, gap in zip(system.rubbing_touches, gaps, strict=True) if gap < 0]
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
    return " ".join(sentences) or None
