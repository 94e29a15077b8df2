"""How a verb ended: a value with a sentence that says what happened and what to try."""

from dataclasses import dataclass
from typing import Self

from chorda.errors import SolveError


@dataclass(frozen=True)
class Status:
    """code is one word for programs, message a sentence for people."""

    code: str
    message: str

    @property
    def ok(self) -> bool:
        return self.code in ("completed", "converged")

    def raise_unless_ok(self) -> Self:
        if not self.ok:
            raise SolveError(self.message)
        return self

    def __str__(self) -> str:
        return self.message
