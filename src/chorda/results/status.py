"""How a verb ended: one code of an enumeration, and a sentence that says what to try."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Self

from chorda.compile.job import Exit
from chorda.errors import SolveError
from chorda.results.late import Late


@unique
class Code(StrEnum):
    """How a verb, a motion, a point of a sweep or a cell of a workspace ended.

    A code prints, compares and is stored as its text.

    See Also
    --------
    Status : a code with its sentence.

    Examples
    --------
    >>> import chorda
    >>> chorda.Code("completed").ok, chorda.Code.DIVERGED == "diverged"
    (True, True)
    """

    COMPLETED = "completed"  # everything that was asked for is there
    CONVERGED = "converged"  # an iteration reached its tolerance
    REACHED = "reached"  # a cell of a workspace has an equilibrium

    INTERRUPTED = "interrupted"  # Ctrl-C; what was computed is kept
    INCOMPLETE = "incomplete"  # the work was not finished; it can go on
    STOPPED = "stopped"  # a path or a survey ended before its end
    NOT_TRIED = "not-tried"  # a cell of a workspace was never started from a neighbour

    NOT_CONVERGED = "not-converged"  # Newton's method found no solution
    SINGULAR = "singular"  # Newton's matrix has no inverse
    STEP_TOO_SMALL = "step-too-small"  # an adaptive scheme's step went to zero
    DIVERGED = "diverged"  # the state is not finite, or left its bounds
    UNDETERMINED = "undetermined"  # what is prescribed does not fix the configuration
    BRANCH_END = "branch-end"  # the branch of equilibria ends or turns back
    OTHER_BRANCH = "other-branch"  # the solution lies on another branch than its neighbour

    OUT_OF_RANGE = "out-of-range"  # a coordinate met the end of its joint's range
    SLACK = "slack"  # tendons went slack
    LIMIT = "limit"  # an actuator met its limit
    INFEASIBLE = "infeasible"  # no admissible tensions give the wanted forces
    IMPOSSIBLE_PATH = "impossible-path"  # a tendon no longer fits between its pulleys
    PASSED_THROUGH = "passed-through"  # a solid went through another within a step
    WINDING_LIMIT = "winding-limit"  # a tendon has turned further than its turns are counted

    REFUSED = "refused"  # an input of this point is not valid
    FAILED = "failed"  # the computation raised an error

    __repr__ = str.__repr__

    @property
    def ok(self) -> bool:
        """Whether there is a whole result."""
        return self in (Code.COMPLETED, Code.CONVERGED, Code.REACHED)

    @classmethod
    def _missing_(cls, value: object) -> "Code | None":
        """The code for a spelling that older files have."""
        return FORMER.get(str(value))


FORMER = {
    "left-range": Code.OUT_OF_RANGE,
    "not-holdable": Code.INFEASIBLE,
    "not_converged": Code.NOT_CONVERGED,
    "turned-too-far": Code.WINDING_LIMIT,
    "unfinished": Code.INCOMPLETE,
}
OF_EXIT = {
    Exit.DONE: Code.COMPLETED,
    Exit.OUT_OF_BOUNDS: Code.DIVERGED,
    Exit.NOT_CONVERGED: Code.NOT_CONVERGED,
    Exit.STEP_UNDERFLOW: Code.STEP_TOO_SMALL,
    Exit.SINGULAR: Code.SINGULAR,
    Exit.INTERRUPTED: Code.INTERRUPTED,
    Exit.WINDING_LIMIT: Code.WINDING_LIMIT,
    Exit.PUSHING: Code.SLACK,
    Exit.PASSED_THROUGH: Code.PASSED_THROUGH,
    Exit.OPENED: Code.DIVERGED,
}


@dataclass(frozen=True, repr=False, eq=False)
class Status:
    """How a verb ended: a code for programs, a message for people.

    Attributes
    ----------
    code : Code
        One of a few words.
    sentence : str
        How it ended, and what to try.
    late : Late, optional
        A remark that takes time, such as one on an estimated error; it is computed when the
        message is first read.

    See Also
    --------
    Code : the words.

    Examples
    --------
    >>> import chorda
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.neck(1)), tensions=20.0)
    >>> rest.status.code, rest.status.ok
    ('converged', True)
    """

    code: Code
    sentence: str
    late: Late[str] | None = None

    @property
    def message(self) -> str:
        """The sentence with its remarks."""
        return _joined(self.sentence, "" if self.late is None else self.late())

    @property
    def ok(self) -> bool:
        """Whether there is a whole result."""
        return self.code.ok

    def with_remarks(self, *sentences: str) -> "Status":
        """Add sentences to it.

        Parameters
        ----------
        *sentences : str
            Empty ones are left out.

        Returns
        -------
        Status
            The same code with a longer sentence.
        """
        return replace(self, sentence=_joined(self.sentence, *sentences))

    def with_late_remark(self, remark: Callable[[], str]) -> "Status":
        """Add a remark that is computed when it is read.

        Parameters
        ----------
        remark : callable
            Makes the sentence, or an empty one.

        Returns
        -------
        Status
            The same code and sentence.
        """
        return replace(self, late=Late(remark))

    def raise_if_interrupted(self) -> Self:
        """Let Ctrl-C in a part of some work end all of it.

        Returns
        -------
        Status
            Itself.

        Raises
        ------
        KeyboardInterrupt
            If its code is "interrupted".
        """
        if self.code is Code.INTERRUPTED:
            raise KeyboardInterrupt(self.message)
        return self

    def raise_unless_ok(self) -> Self:
        """Make a failure an exception.

        Returns
        -------
        Status
            Itself.

        Raises
        ------
        SolveError
            With its message, unless it is ok.
        """
        if not self.ok:
            raise SolveError(self.message)
        return self

    def __str__(self) -> str:
        return self.message

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Status) and self.code == other.code
        return same and self.message == str(other)

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Status({self.code!r}, {self.message!r})"


def _joined(*sentences: str) -> str:
    return " ".join(x for x in sentences if x)
