"""Ctrl-C: raised as soon as it can be, or noted and looked at between pieces of work.

A KeyboardInterrupt that is raised while CasADi works may come out as a RuntimeError, as a result
that is None, as a complaint about the types of arguments, or not at all. It is therefore put off
until CasADi has returned, so that Ctrl-C is a KeyboardInterrupt and nothing else.
"""

import ctypes
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager
from types import FrameType
from typing import Any


class _Handler:
    """Of SIGINT: so many are noted, the next one raises.

    noted: whether somebody looks at `seen`.
    """

    def __init__(self, patience: int, seen: list[int], noted: bool) -> None:
        self.patience, self.seen, self.noted = patience, seen, noted

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.seen.append(number)
        if len(self.seen) > self.patience:
            _raise_outside(frame)


class _PutOff:
    """Asked for its truth between two instructions of Python, raises once CasADi has returned."""

    def __bool__(self) -> bool:
        _raise_outside(sys._getframe())
        return False


_PUT_OFF = _PutOff()


def _raise_outside(frame: FrameType | None) -> None:
    """A KeyboardInterrupt here, or where the next instructions are if CasADi is at work."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("casadi"):
            python = ctypes.pythonapi  # pending calls, unlike signals, wait until C code returns
            ask = ctypes.cast(python.PyObject_IsTrue, ctypes.c_void_p)
            python.Py_AddPendingCall(ask, ctypes.py_object(_PUT_OFF))
            return
        frame = frame.f_back
    raise KeyboardInterrupt


class interruptible(ContextDecorator):
    """Within it, and in functions that it decorates, Ctrl-C raises a KeyboardInterrupt.

    Inside `interrupts` nothing changes: whoever looks there decides.
    """

    def _recreate_cm(self) -> "interruptible":
        return interruptible()  # each call of a decorated function has its own

    def __enter__(self) -> None:
        outer = signal.getsignal(signal.SIGINT)
        self._outer = outer if outer is signal.default_int_handler and _in_main_thread() else None
        if self._outer is not None:
            signal.signal(signal.SIGINT, _Handler(0, [], noted=False))

    def __exit__(self, *_: object) -> None:
        if self._outer is not None:
            _put_back(self._outer)


@contextmanager
def abandonable() -> Iterator[None]:
    """Work inside `interrupts` that may be given up: the first Ctrl-C raises, and is noted too."""
    outer = _replaceable()
    if not isinstance(outer, _Handler) or not outer.patience:
        yield
        return
    with _handled(_Handler(0, outer.seen, noted=True), outer):
        yield


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """The Ctrl-C that came: look after each piece of work; the second one raises.

    Within another one of these it is the same list, so that all loops stop.
    """
    outer = _replaceable()
    if isinstance(outer, _Handler) and outer.noted:
        yield outer.seen
        return
    seen: list[int] = []
    if outer is None:
        yield seen
        return
    with _handled(_Handler(1, seen, noted=True), outer):
        yield seen


def pass_on_noted() -> None:
    """Raise a KeyboardInterrupt if a Ctrl-C was noted and work that cannot be cut waits."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, _Handler) and handler.seen and _in_main_thread():
        raise KeyboardInterrupt


def _replaceable() -> Any:
    """The handler in place, if it is Python's own or one of these; None if it is to stay."""
    if not _in_main_thread():
        return None
    handler = signal.getsignal(signal.SIGINT)
    ours = handler is signal.default_int_handler or isinstance(handler, _Handler)
    return handler if ours else None


@contextmanager
def _handled(handler: _Handler, outer: Any) -> Iterator[None]:
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        _put_back(outer)


def _put_back(handler: Any) -> None:
    try:
        signal.signal(signal.SIGINT, handler)
    except KeyboardInterrupt:  # it came just now, before the other handler was in place
        signal.signal(signal.SIGINT, handler)
        raise


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
