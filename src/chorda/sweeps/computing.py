"""Points to numbers: a system that is assembled once and solved at one point after the other."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from chorda.checks import check_names, refuse_idle
from chorda.errors import ChordaError
from chorda.mechanics import Array, assemble
from chorda.numerics.one_thread import one_thread
from chorda.results import Code, Status
from chorda.sweeps.quantities import resolved
from chorda.sweeps.study import Study, from_mapping, robot_of
from chorda.sweeps.tasks import TASKS, Output

SOLVER_ERRORS = (ArithmeticError, RuntimeError, ValueError)  # they become the point's message
_LOCK = threading.Lock()  # the solvers of a system are for one thread at a time

Shapes = Mapping[str, Sequence[int]]  # of each output at one point
Rows = Callable[[int], Array]  # of the points in a chunk


@dataclass(frozen=True)
class Piece:
    """Results of some points in a row."""

    arrays: dict[str, Array]  # (points, ...) by output
    codes: Sequence[str]
    messages: Sequence[str]  # empty where there is a result


class Computer:
    """A study made ready: checked names, one assembled system, the outputs that are kept."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.system = assemble(robot_of(study), study.tendons)
        self.task = TASKS[study.compute.kind]
        self.quantities = resolved(study, self.system)

    @cached_property
    def kept(self) -> tuple[Output, ...]:
        offered = {x.name: x for x in self.task.outputs(self.system, self.study.compute)}
        for k, name in enumerate(self.study.compute.keep):
            check_names(f"compute.keep.{k}", [name], offered)
        wanted = self.study.compute.keep or [x for x in self.task.usual if x in offered]
        self._refuse_idle(wanted, offered)
        return tuple(offered[name] for name in dict.fromkeys(wanted))

    def _refuse_idle(self, wanted: Sequence[str], offered: Mapping[str, Output]) -> None:
        """Settings that only matter to outputs which are not kept."""
        record = self.study.compute
        places = [name for name in offered if name.endswith("frame_position")]
        if places and not set(places) & set(wanted):
            why = f"unless {places[0]} is kept"
            refuse_idle({"compute.frames": True}, why, f"name {places[0]} in compute.keep")
        series = [
            name for name in wanted if any(x.name == "time" for x in offered[name].dimensions)
        ]
        if "every" in record.model_fields_set and not series:
            why = "unless a series over time is kept"
            refuse_idle({"compute.every": True}, why, "name one, such as position, in compute.keep")

    def solve(self, row: Array) -> Any:
        """The result at a point, or a Status where there is none; errors are raised."""
        settings, parameters = dict(self.study.compute), dict(self.study.parameters)
        for x, value in zip(self.quantities, row.tolist(), strict=True):
            if x.field == "parameters":
                parameters[x.name] = value
            elif x.name:
                settings[x.field] = {**(settings[x.field] or {}), x.name: value}
            else:
                settings[x.field] = value
        return self.task.solve(self.system, settings, parameters)

    def piece(self, rows: Array, shapes: Shapes) -> Piece:
        """All points of some rows. One that fails has a code, a message, and NaN for numbers."""
        arrays = _blank(shapes, len(rows))
        statuses = [
            self._fill({name: array[i, ...] for name, array in arrays.items()}, row)
            for i, row in enumerate(rows)
        ]
        messages = ["" if status.ok else status.message for status in statuses]
        return Piece(arrays, [str(status.code) for status in statuses], messages)

    def _fill(self, arrays: Mapping[str, Any], row: Array) -> Status:
        """Solve at a point and put its numbers into the arrays."""
        try:
            found = self.solve(row)
            if isinstance(found, Status):
                return found
            for output in self.kept:
                if found.status.ok or output.partial:
                    _put(arrays[output.name], output.read(found))
            status: Status = found.status
            return status
        except ChordaError as error:
            status = Status(Code.REFUSED, str(error))
        except SOLVER_ERRORS as error:
            status = Status(Code.FAILED, f"{type(error).__name__}: {error}")
        for array in arrays.values():
            array[...] = np.nan
        return status


@lru_cache(1)
def computer(text: str) -> Computer:
    """From the text of a whole study; the last one is kept."""
    return Computer(from_mapping(json.loads(text)))


@dataclass(frozen=True)
class Work:
    """A study's points to numbers, in whichever process this is sent to.

    Linear algebra runs on one thread: how sums are split must not depend on who computes.
    """

    text: str  # of the study
    shapes: Shapes

    def __call__(self, rows: Array) -> Piece:
        with _LOCK, one_thread():
            return computer(self.text).piece(rows, self.shapes)

    def failed(self, why: str) -> Piece:
        """One point without a result."""
        return Piece(_blank(self.shapes, 1), [str(Code.FAILED)], [why])


def _blank(shapes: Shapes, points: int) -> dict[str, Array]:
    return {name: np.full((points, *shape), np.nan) for name, shape in shapes.items()}


def _put(array: Any, value: Any) -> None:
    """Where a result is shorter than the first one, the rest stays NaN."""
    value = np.asarray(value, float)
    common = tuple(slice(min(n, m)) for n, m in zip(array.shape, value.shape, strict=True))
    array[common] = value[common]
