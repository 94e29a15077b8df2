"""What is computed alike many times is a function that is called, not written out each time.

Records of expressions go in and come out. In SX graphs a call is a node, as scans along rods are;
derivatives are calls of the function's derivatives, with the zeros of each call.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr

NODE = {"never_inline": True}
Case = TypeVar("Case")
Result = TypeVar("Result")


def called(name: str, cases: Sequence[Case], function: Callable[[Case], Result]) -> list[Result]:
    """function(case) for each of some cases, which differ in their expressions alone.

    A case is an expression, a tuple, or a record (dataclass) of such, in which all else, such as
    None, is the same in every case. name: of the functions, none of which may have that of another.
    Each field of a result is a function of its own, of what it
    depends on, so that nothing is computed that is not asked for.

    >>> x = SX.sym("x", 2)
    >>> first, second = called("square", [x[0], x[1]], lambda each: (each**2,))
    >>> first[0].n_dep()
    1
    """
    if len(cases) < 2:
        return [function(case) for case in cases]
    given = [[ca.sparsify(x) for x in _leaves(case)] for case in cases]
    alike = list(zip(*given, strict=True))
    patterns = [reduce(lambda a, b: a.unite(b), (x.sparsity() for x in xs)) for xs in alike]
    fixed = [_constant(xs) for xs in alike]
    symbols = [
        SX.sym(f"{name}{k}", pattern) if value is None else value
        for k, (pattern, value) in enumerate(zip(patterns, fixed, strict=True))
    ]
    varied = [k for k, value in enumerate(fixed) if value is None]
    column = _column(symbols[k] for k in varied)
    made = function(_rebuilt(cases[0], iter(symbols)))
    columns = [_column(ca.project(xs[k], patterns[k]) for k in varied) for xs in given]
    parts = [_calls(f"{name}_{k}", column, part, columns) for k, part in enumerate(_parts(made))]
    return [_joined(made, own) for own in zip(*parts, strict=True)]


def _calls(name: str, column: Expr, part: Any, columns: Sequence[Expr]) -> list[Any]:
    """One field of the results, of each case."""
    own = [ca.sparsify(x) for x in _leaves(part)]
    out = _column(own)
    if out.is_constant():
        return [part] * len(columns)
    used = {x.element_hash() for x in ca.symvar(out)}
    rows = [k for k, x in enumerate(ca.vertsplit(column)) if x.element_hash() in used]
    function = ca.Function(name, [column[rows]], ca.cse([out]), NODE)
    ends = np.cumsum([0, *[x.nnz() for x in own]]).tolist()
    found = []
    for given in columns:
        each = ca.vertsplit(function(given[rows]), ends)
        leaves = (SX(x.sparsity(), y) for x, y in zip(own, each, strict=True))
        found.append(_rebuilt(part, leaves))
    return found


def _column(each: Iterable[Expr]) -> Expr:
    """What is not structurally zero; of an empty scalar `nz` would be one zero."""
    return ca.vertcat(SX(0, 1), *[x.nz[:] for x in each if x.nnz()])


def _parts(record: Any) -> list[Any]:
    """The fields of a record or a tuple."""
    if isinstance(record, tuple):
        return list(record)
    return [getattr(record, x.name) for x in fields(record)]


def _joined(record: Any, parts: Sequence[Any]) -> Any:
    if isinstance(record, tuple):
        return tuple(parts)
    return replace(record, **{x.name: y for x, y in zip(fields(record), parts, strict=True)})


def _leaves(record: Any) -> Iterator[Expr]:
    """All expressions in it, in order."""
    if isinstance(record, SX):
        yield record
    elif isinstance(record, tuple) or is_dataclass(record):
        for part in _parts(record):
            yield from _leaves(part)


def _rebuilt(record: Any, leaves: Iterator[Expr]) -> Any:
    """The same record with other expressions."""
    if isinstance(record, SX):
        return next(leaves)
    if isinstance(record, tuple) or is_dataclass(record):
        return _joined(record, [_rebuilt(part, leaves) for part in _parts(record)])
    return record


def _constant(values: Sequence[Expr]) -> Expr | None:
    """What all are, if it is a number."""
    first = values[0]
    if not all(x.is_constant() and x.sparsity() == first.sparsity() for x in values):
        return None
    numbers = ca.DM(first).nonzeros()
    return first if all(ca.DM(x).nonzeros() == numbers for x in values) else None
