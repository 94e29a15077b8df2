"""Late: a value that is computed when it is first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from chorda.numerics.one_thread import one_thread

T = TypeVar("T")


class Late(Generic[T]):
    """Call it for the value: computed once, and copied and pickled as the value.

    Examples
    --------
    >>> import pickle
    >>> found = Late(lambda: 40 + 2)
    >>> found(), pickle.loads(pickle.dumps(found))()
    (42, 42)
    """

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute

    @classmethod
    def known(cls, value: T) -> "Late[T]":
        """That of a value which is there already."""
        late = cls(lambda: value)
        late._value, late._compute = value, None
        return late

    def __call__(self) -> T:
        if self._compute is not None:
            with one_thread():
                self._value = self._compute()
            self._compute = None  # what it holds is not needed any more
        return self._value

    def __reduce__(self) -> Any:
        return Late.known, (self(),)
