"""Linear algebra on one thread, while a verb works.

Matrices of robots are small. On a machine whose cores are busy, the threads of a BLAS wait for each
other: a factorisation of a hundred rows then takes a hundred times as long on two threads as on
one. One thread gives the same bits on every machine, too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread(scipy: bool = True) -> Iterator[None]:
    """Within it, and in functions that it decorates, linear algebra runs on one thread.

    Where several threads of Python are at work, the first that limits the library has it. SciPy's
    library takes a tenth of a second to load: what needs NumPy's alone does not wait for it.

    Examples
    --------
    >>> from threadpoolctl import threadpool_info
    >>> with one_thread():
    ...     {x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"}
    {1}
    """
    with _controller(scipy).limit(limits=1, user_api="blas"):
        yield


@cache
def _controller(scipy: bool) -> ThreadpoolController:
    """Of the libraries that are loaded: NumPy's, and SciPy's, which may be another."""
    if scipy:
        import_module("scipy.linalg")
    return ThreadpoolController()
