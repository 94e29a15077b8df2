"""Errors and warnings that Chorda raises, in the user's words: field, expected, got, remedy."""

from chorda.safe_text import on_terminal


class ChordaError(Exception):
    """Base of every error that Chorda raises on purpose."""

    def __str__(self) -> str:
        return on_terminal(super().__str__())


class DescriptionError(ChordaError, ValueError):
    """A robot's description cannot be read or makes no sense."""


class InputError(ChordaError, ValueError):
    """An argument of a verb cannot be used."""


class LogError(ChordaError, ValueError):
    """A log of measurements cannot be read, or its signals cannot be what they are said to be."""


class StorageError(ChordaError, OSError):
    """A file could not be written or read."""


class CompileError(ChordaError, OSError):
    """The C compiler refused a kernel, or its result does not load."""


class SolveError(ChordaError, RuntimeError):
    """A strict result was asked for and the solver has none; the text says why and what to try."""


class MagnitudeWarning(UserWarning):
    """A number is possible but unusual: it may be in the wrong unit."""

    def __str__(self) -> str:
        return on_terminal(super().__str__())
