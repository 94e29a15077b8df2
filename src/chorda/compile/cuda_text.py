"""CUDA sources: CasADi's functions with the C files that call them, for NVRTC.

The source is what the compiler gets, where the C files have a kernel beside each function for the
host. Where there is no GPU, the same text is compiled for the host in tests.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from chorda.compile import source

CALLS = 16  # of functions from which they are not written into each place that calls them
APART = "static __attribute__((noinline))"
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
    text = called(re.sub(r"^#include <.*?>$", "", text, flags=re.M))
    return HEAD + (single(text) if precision == "single" else text)


def called(text: str) -> str:
    """The same where functions that are called many times, as along rods, remain functions.

    NVRTC otherwise writes all of them into one, and takes minutes for what takes it seconds.
    """
    calls = Counter(re.findall(r"(?:if \(|return )(casadi_f\d+)\(", text))
    if calls.total() <= CALLS:
        return text
    text = re.sub(
        r"^(?:void|casadi_real) casadi_\w+\((?=[^)]*\*)", rf"{APART} \g<0>", text, flags=re.M
    )
    names = "|".join(calls)
    return re.sub(rf"^static (?=int (?:{names})\()", f"{APART} ", text, flags=re.M)


def single(text: str) -> str:
    """The same in single precision: types, and numbers as floats, lest they promote."""
    text = re.sub(r"\bdouble\b", "float", text)
    number = r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
    return re.sub(number, r"\1f", text)
