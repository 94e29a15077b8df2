"""Expressions in which what occurs more than once is computed once."""

import re
from collections import Counter
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


def operations(function: Any) -> int:
    """What a function computes, with what the functions that it calls compute, each time.

    >>> x = ca.SX.sym("x")
    >>> square = ca.Function("square", [x], [x**2], {"never_inline": True})
    >>> operations(square), operations(ca.Function("f", [x], [square(square(x))]))
    (3, 10)
    """
    inner = {x.name(): operations(x) for x in function.find_functions(0)}
    calls = Counter(re.findall(r"= (\w+)\(", function.str(True)) if inner else ())
    called = sum(count * inner.get(name, 0) for name, count in calls.items())
    return int(function.n_instructions() + called)
