"""What the studies share: results that are computed once."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")


def once(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method whose results are kept in its object, by arguments.

    >>> class Squares:
    ...     @once
    ...     def of(self, x):
    ...         print("computed")
    ...         return x * x
    >>> squares = Squares()
    >>> squares.of(3), squares.of(x=3)
    computed
    (9, 9)
    """
    arguments_of = signature(method)

    @wraps(method)
    def kept(self: S, /, *args: P.args, **options: P.kwargs) -> R:
        given = arguments_of.bind(self, *args, **options)
        given.apply_defaults()
        results: dict[Any, R] = vars(self).setdefault(f"_{method.__name__}", {})
        key = given.args[1:]
        if key not in results:
            results[key] = method(self, *args, **options)
        return results[key]

    return kept
