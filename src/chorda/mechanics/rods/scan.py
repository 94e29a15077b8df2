"""A scan of a small function over columns, whose zeros stay out of the loop."""

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr

Parts = Mapping[str, Expr]


class Scan:
    """state, column, shared -> next state, over all columns.

    The state has named parts; entries that the step never fills are structural zeros and not
    carried along. Outside, a state is the column of what is left (`pack`, `unpack`).
    """

    def __init__(
        self, start: Parts, column: Expr, shared: Expr, step: Callable[[Parts], Parts]
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
            [self.pack(state), ca.densify(column), shared],
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

    def run(self, start: Any, columns: Any, shared: Any) -> Any:
        """All states after the first, a column each (MX)."""
        n = columns.shape[1]
        return self.step.mapaccum(f"scan{n}", n)(start, columns, ca.repmat(shared, 1, n))
