"""What a task is: how a point is solved, and what can be kept of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from chorda.describe.quantity import Record
from chorda.mechanics import System

Labels = Sequence[Any]
Reader = Callable[[Any], Any]


class Settings(Record):
    """What the records of all tasks have."""

    keep: tuple[str, ...] = Field(
        (), description="names of outputs, such as position; none: the usual ones"
    )


@dataclass(frozen=True)
class Dimension:
    """labels: fixed by the system, or read off the first result."""

    name: str
    labels: Labels | Callable[[Any], Labels]
    unit: str = ""

    def of(self, found: Any) -> Labels:
        return self.labels(found) if callable(self.labels) else self.labels


@dataclass(frozen=True)
class Output:
    """A number, or a small array of them, that can be kept of each point.

    partial: it also means something where the solver failed.
    """

    name: str
    read: Reader
    dimensions: tuple[Dimension, ...] = ()
    unit: str = "-"
    meaning: str = ""
    partial: bool = False


@dataclass(frozen=True)
class Task:
    """How a point is solved and what can be kept of it.

    solve(system, settings, parameters) gives a result with a `status`, or a Status alone where
    there is no result; settings are those of the record, with what varies put in.
    outputs(system, record) are all that can be kept; `usual` names those that are kept where the
    record names none.
    """

    solve: Callable[[System, Mapping[str, Any], Mapping[str, float]], Any]
    outputs: Callable[[System, Any], Sequence[Output]]
    usual: tuple[str, ...]


def units(names: Iterable[str]) -> str:
    """Units of an array with several kinds of numbers, each once."""
    return " ".join(dict.fromkeys(names)) or "-"


def _numbers(value: Any) -> Any:
    """One number, a list, or numbers by name."""
    parts = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, Mapping | list | tuple):
        parts = [value]
    if any(isinstance(x, bool) or not isinstance(x, int | float) for x in parts):
        raise ValueError(f"expected a number, a list, or numbers by name, got {value!r:.60}")
    return value


def _start(value: Any) -> Any:
    """Numbers by name; tension may have names of its own."""
    if not isinstance(value, Mapping):
        raise ValueError(f"expected values by name, such as {{x1: 0.3}}, got {value!r:.60}")
    for name, x in value.items():
        if not (name == "tension" and isinstance(x, Mapping)):
            _numbers({name: x})
    return dict(value)


Numbers = Annotated[Any, BeforeValidator(lambda x: x if x is None else _numbers(x))]
Start = Annotated[dict[str, Any], BeforeValidator(_start)]
