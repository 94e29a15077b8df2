"""Errors and warnings that Chorda raises, in the user's words: field, expected, got, remedy."""

from chorda.safe_text import on_terminal


class ChordaError(Exception):
    """Base of every error that Chorda raises on purpose.

    See Also
    --------
    InputError : an argument that cannot be used.
    DescriptionError : a robot that makes no sense.

    Examples
    --------
    >>> import chorda
    >>> try:
    ...     chorda.load("neck-x")
    ... except ChordaError as error:
    ...     print(type(error).__name__)
    InputError
    """

    def __str__(self) -> str:
        return on_terminal(super().__str__())


class DescriptionError(ChordaError, ValueError):
    """A robot's description cannot be read or makes no sense.

    See Also
    --------
    chorda.load : raises it.

    Examples
    --------
    >>> from chorda.describe import Sphere
    >>> try:
    ...     Sphere(name="ball", radius=-1.0)
    ... except DescriptionError as error:
    ...     print(error)
    ball: radius: expected a number greater than 0, got -1.0 (radius [m])
    """


class InputError(ChordaError, ValueError):
    """An argument of a verb cannot be used.

    See Also
    --------
    chorda.simulate : one of the verbs.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> try:
    ...     chorda.simulate(neck, duration=-1.0, step=1e-3)
    ... except InputError as error:
    ...     print(error)
    duration: expected a positive number of seconds, got -1.0
    """


class LogError(ChordaError, ValueError):
    """A log of measurements cannot be read, or its signals cannot be what they are said to be.

    See Also
    --------
    chorda.read_log : raises it.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> try:
    ...     chorda.read_log("nowhere.csv", neck)
    ... except LogError as error:
    ...     print(str(error).partition(";")[0])
    nowhere.csv: cannot be read: no such file
    """


class StorageError(ChordaError, OSError):
    """A file could not be written or read.

    See Also
    --------
    chorda.open : raises it.

    Examples
    --------
    >>> import chorda
    >>> try:
    ...     chorda.open("nowhere.nc")
    ... except StorageError as error:
    ...     print(str(error).partition(";")[0])
    nowhere.nc: cannot be read: no such file
    """


class CompileError(ChordaError, OSError):
    """The C compiler refused a kernel, or its result does not load.

    See Also
    --------
    chorda.simulate : works without a compiler, too, where CHORDA_COMPILER is none.

    Examples
    --------
    >>> issubclass(CompileError, ChordaError)
    True
    """


class SolveError(ChordaError, RuntimeError):
    """A strict result was asked for and the solver has none; the text says why and what to try.

    See Also
    --------
    chorda.Status : has the text where no strict result is asked for.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> try:
    ...     chorda.simulate(neck, duration=1.0, step=0.1, scheme="explicit-euler", strict=True,
    ...         initial={"x1": 0.3})
    ... except SolveError as error:
    ...     print("left its range" in str(error))
    True
    """


class MagnitudeWarning(UserWarning):
    """A number is possible but unusual: it may be in the wrong unit.

    See Also
    --------
    chorda.describe.schema : usual ranges of all numbers.

    Examples
    --------
    >>> import warnings
    >>> from chorda.describe import Prismatic, Body, Robot
    >>> with warnings.catch_warnings(record=True) as found:
    ...     warnings.simplefilter("always")
    ...     heavy = Robot(name="rail", joints=[Prismatic(name="car", body=Body(mass=1e9))])
    >>> found[0].category.__name__
    'MagnitudeWarning'
    """

    def __str__(self) -> str:
        return on_terminal(super().__str__())
