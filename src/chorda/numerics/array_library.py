"""Arrays of NumPy or of CuPy: which library one is of, and the way between host and GPU."""

import sys
from typing import Any

import numpy as np


def library(*arrays: Any) -> Any:
    """CuPy where one of the arrays is on a GPU, else NumPy."""
    there = any(hasattr(x, "__cuda_array_interface__") for x in arrays)
    return sys.modules["cupy"] if there else np


def host(array: Any) -> Any:
    """An array as NumPy's, wherever it is."""
    return array.get() if hasattr(array, "__cuda_array_interface__") else array


def contiguous(array: Any) -> Any:
    """The same in C order, in the memory where it is."""
    return library(array).ascontiguousarray(array)
