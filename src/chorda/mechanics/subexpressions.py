"""Expressions in which what occurs more than once is computed once."""

from collections.abc import Sequence
from typing import Any

import casadi as ca

# beyond, CasADi would take a second and more, in which no Ctrl-C is heard, and gain few percent
MAX_OPERATIONS, MAX_MATRIX_OPERATIONS = 100_000, 12_000


def shared(arguments: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """Results, functions of the arguments, with common subexpressions; large ones as they are.

    >>> x = ca.SX.sym("x")
    >>> [y] = shared([x], [ca.sin(x) + ca.sin(x) ** 3])
    >>> ca.Function("f", [x], [y]).n_instructions()
    6
    """
    whole = ca.Function("whole", list(arguments), list(results), {"allow_free": True})
    most = MAX_OPERATIONS if whole.is_a("SXFunction") else MAX_MATRIX_OPERATIONS
    return list(results) if whole.n_instructions() > most else list(ca.cse(list(results)))
