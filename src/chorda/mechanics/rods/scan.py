"""A scan of a small function over columns, whose zeros stay out of the loop."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr

Parts = Mapping[str, Expr]


class Scan:
    """state, own, shared -> next state, over all intervals.

    The state has named parts; entries that the step never fills are structural zeros and not
    carried along. Outside, a state is the column of what is left (`pack`, `unpack`). Arguments of
    the step stay apart, so that its calls read them where they are: nothing is copied.
    """

    def __init__(
        self,
        start: Parts,
        own: Sequence[Expr],
        shared: Sequence[Expr],
        step: Callable[[Parts], Parts],
    ) -> None:
        patterns = {name: ca.sparsify(SX(x)).sparsity() for name, x in start.items()}
        while True:
            state = {name: SX.sym(name, pattern) for name, pattern in patterns.items()}
            after = {name: ca.sparsify(x) for name, x in step(state).items()}
            wider = {name: patterns[name].unite(after[name].sparsity()) for name in patterns}
            if all(wider[name] == patterns[name] for name in patterns):
                break
            patterns = wider
        self.patterns = patterns
        self.size = sum(p.nnz() for p in patterns.values())
        self.step = ca.Function(
            "step",
            [self.pack(state), *map(ca.densify, [*own, *shared])],
            ca.cse([ca.densify(self.pack(after))]),
        )

    def pack(self, parts: Parts) -> Expr:
        """The column of a state."""
        rows = [ca.project(parts[name], p).nz[:] for name, p in self.patterns.items()]
        return ca.vertcat(*rows)

    def unpack(self, state: Expr) -> dict[str, Expr]:
        """The parts of a state's column."""
        return {
            name: type(state)(pattern, state[self.rows(name)])
            for name, pattern in self.patterns.items()
        }

    def rows(self, name: str) -> slice:
        """Where a part lies in a state's column."""
        names = list(self.patterns)
        first = sum(self.patterns[x].nnz() for x in names[: names.index(name)])
        return slice(first, first + self.patterns[name].nnz())

    def dense(self, states: Expr, name: str) -> Expr:
        """A part of many states (columns), with its zeros."""
        pattern = self.patterns[name]
        rows = pattern.numel()
        spread = ca.DM(
            ca.Sparsity.triplet(rows, pattern.nnz(), pattern.find(), range(pattern.nnz()))
        )
        return ca.densify(spread @ states[self.rows(name), :])

    def run(self, start: Any, own: Sequence[Sequence[Any]], shared: Sequence[Any]) -> list[Any]:
        """All states after the first (MX). own: of each argument, one for each interval."""
        states = [start]
        for mine in zip(*own, strict=True):
            states.append(self.step(states[-1], *mine, *shared))
        return states[1:]


def columns(matrix: Any) -> list[Any]:
    """Of a matrix with a column for each interval."""
    return [matrix[:, k] for k in range(matrix.shape[1])]


def total(parts: Sequence[Any]) -> Any:
    """Their sum, one after the other."""
    found = parts[0]
    for part in parts[1:]:
        found = found + part
    return found
