"""C text of names, units and values: enumerations for the header, tables for the source."""

import math
from collections.abc import Iterable, Sequence

from chorda.exporting.discrete_model import DiscreteModel, Number
from chorda.exporting.identifiers import constants
from chorda.safe_text import in_c_comment, in_c_string

TITLES = {
    "q": "x[...]: coordinates",
    "v": "x[...]: velocities",
    "u": "u[...]: inputs",
    "p": "p[...]: parameters",
    "y": "y[...]: outputs",
}
NUMBERS_A_LINE = 8


def enumerations(model: DiscreteModel, prefix: str) -> str:
    """Where each number is in its array, with its unit; of parameters also the value."""
    made = [
        _enumeration(f"{prefix}_{key.upper()}", title, model.numbers[key])
        for key, title in TITLES.items()
        if model.numbers[key]
    ]
    return "\n".join(made)


def _enumeration(prefix: str, title: str, numbers: Sequence[Number]) -> str:
    words = constants(prefix, [x.name for x in numbers])
    ends = [","] * (len(numbers) - 1) + [""]
    lines = [
        f"  {word} = {x.index}{end} /* {in_c_comment(f'{x.name} [{_about(x)}]')} */\n"
        for word, x, end in zip(words, numbers, ends, strict=True)
    ]
    return f"/* {title} */\nenum {{\n{''.join(lines)}}};\n"


def _about(x: Number) -> str:
    return f"{x.unit}, {x.value:.10g}" if x.symbol == "p" else x.unit


def tables(model: DiscreteModel, prefix: str) -> str:
    """Default values and names."""
    q, v, u, p, y = (model.numbers[key] for key in TITLES)
    values = {"position": (q, 0), "velocity": (v, 0), "inputs": (u, 1), "parameters": (p, 1)}
    names = {"state": [*q, *v], "input": u, "parameter": p, "output": y}
    out = [
        f"const double {prefix}_default_{key}[{max(len(found) + more, 1)}] = "
        f"{{{row([x.value for x in found]) or '0'}}};\n"
        for key, (found, more) in values.items()
    ]
    for key, found in names.items():
        words = ",\n  ".join(in_c_string(name) for name in [*(x.name for x in found), ""])
        out.append(f"const char *const {prefix}_{key}_names[{len(found) + 1}] = {{{words}}};\n")
    return "".join(out)


def row(values: Iterable[float]) -> str:
    """Numbers that C reads back to the last digit, a few a line."""
    words = [_number(float(x)) for x in values]
    starts = range(0, len(words), NUMBERS_A_LINE)
    return ",\n  ".join(", ".join(words[k : k + NUMBERS_A_LINE]) for k in starts)


def _number(x: float) -> str:
    if math.isnan(x):
        return "NAN"
    return repr(x) if math.isfinite(x) else "INFINITY" if x > 0 else "-INFINITY"
