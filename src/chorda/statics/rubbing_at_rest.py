"""What an equilibrium has to say about friction along its tendons."""

from chorda.mechanics import Array, System
from chorda.mechanics.rubbing_cables import SLIDING

ROUNDING = 1e-9  # of sliding


def sliding(system: System, p: Array) -> dict[str, float]:
    """How each tendon that rubs slid before it came to rest, by name: 1 pulled, -1 released."""
    names = system.parameter_names
    return {
        name.removesuffix(SLIDING): float(p[i])
        for i, name in enumerate(names)
        if name.endswith(SLIDING)
    }


def too_far(system: System, p: Array) -> str | None:
    """Why friction cannot hold an equilibrium for which `sliding` was found; None where it can."""
    beyond = {name: way for name, way in sliding(system, p).items() if abs(way) > 1 + ROUNDING}
    if not beyond:
        return None
    asked = ", ".join(f"{name}.sliding = {way:.3g}" for name, way in beyond.items())
    return (
        f"Friction is too small to hold this configuration: it would take {asked}, beyond -1 to 1. "
        "Prescribe one that is nearer to the equilibrium without friction."
    )


def friction_remark(system: System, p: Array) -> str | None:
    """On which branch the equilibrium is, in a sentence; None where nothing rubs."""
    sentences, ways = list[str](), sliding(system, p)
    words = {1.0: "after pulling", -1.0: "after releasing"}
    for value in dict.fromkeys(ways.values()):
        tendons = ", ".join(x for x, way in ways.items() if way == value)
        if value == 0:
            sentences.append(
                f"Friction along {tendons} is left out: this lies between where pulling leads "
                "(parameter .sliding of 1) and where releasing does (-1)."
            )
        else:
            what = words.get(value, f"of sliding {value:g}")
            sentences.append(f"Friction along {tendons} is that {what}.")
    return " ".join(sentences) or None
