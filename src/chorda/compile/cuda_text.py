"""CUDA sources: CasADi's functions with the C files that call them, for NVRTC.

The source is what the compiler gets, where the C files have a kernel beside each function for the
host. Where there is no GPU, the same text is compiled for the host in tests.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from chorda.compile import source

INLINED = 20_000  # statements of a kernel up to which functions that it calls are part of it
HEAD = """#define CHORDA_GPU 1
#define INFINITY (__longlong_as_double(0x7ff0000000000000LL))
"""


def cuda_text(
    functions: Mapping[str, Any],
    defines: Mapping[str, int | str],
    drivers: Sequence[str],
    precision: str = "double",
) -> str:
    """CUDA source of a kernel; arguments as of `source.generate`."""
    text = source.generate(functions, defines, drivers, long=False)
    text = called_apart(re.sub(r"^#include <.*?>$", "", text, flags=re.M))
    return HEAD + (single(text) if precision == "single" else text)


def single(text: str) -> str:
    """The same in single precision: types, and numbers as floats, lest they promote."""
    text = re.sub(r"\bdouble\b", "float", text)
    number = r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
    return re.sub(number, r"\1f", text)


def called_apart(text: str) -> str:
    """The same where functions that others call stay apart, if all in one would be long.

    NVRTC puts them where they are called, which makes short kernels three times faster; the scans
    of a rod of many intervals it would compile for minutes.
    """
    found = re.finditer(
        r"^[\w ]*\bint (casadi_f\d+|chorda_\w+)\([^)]*\) ?\{\n(.*?)^\}", text, re.S | re.M
    )
    bodies = {x[1]: x[2] for x in found}
    calls = {name: re.findall(r"\bif \((casadi_f\d+)\(", body) for name, body in bodies.items()}

    @cache
    def length(name: str) -> int:
        return bodies[name].count("\n") + sum(length(x) for x in calls[name])

    inner = {x for called in calls.values() for x in called}
    if sum(length(name) for name in bodies if name not in inner) <= INLINED:
        return text
    helpers = r"^(?:void|casadi_real) casadi_\w+\((?=[^)]*\*)"  # copies, products of matrices
    text = re.sub(helpers, r"static __noinline__ \g<0>", text, flags=re.M)
    return re.sub(r"^static int (casadi_f\d+)\(", r"static __noinline__ int \1(", text, flags=re.M)
