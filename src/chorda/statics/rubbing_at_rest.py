"""What an equilibrium has to say about friction along its tendons."""

from chorda.mechanics import Array, System
from chorda.mechanics.tendon_friction import SLIDING


def sliding(system: System, p: Array) -> dict[str, float]:
    """How each tendon that rubs slid before it came to rest, by name: 1 pulled, -1 released."""
    names = system.parameter_names
    return {
        name.removesuffix(SLIDING): float(p[i])
        for i, name in enumerate(names)
        if name.endswith(SLIDING)
    }


def friction_remark(system: System, p: Array) -> str | None:
    """On which branch the equilibrium is, in a sentence; None where nothing rubs."""
    said, ways = list[str](), sliding(system, p)
    words = {1.0: "after pulling", -1.0: "after releasing"}
    for value in dict.fromkeys(ways.values()):
        tendons = ", ".join(x for x, way in ways.items() if way == value)
        if value == 0:
            said.append(
                f"Friction along {tendons} is left out: this lies between where pulling leads "
                "(parameter .sliding of 1) and where releasing does (-1)."
            )
        else:
            what = words.get(value, f"of sliding {value:g}")
            said.append(f"Friction along {tendons} is that {what}.")
    return " ".join(said) or None
