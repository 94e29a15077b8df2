"""Linear equations in symbols: sparse elimination without pivoting, as straight-line code.

The matrices here are inertia-dominated, or such with closures bordered, so diagonal pivots in an
order that keeps zeros are safe, as long as a closure's multiplier waits for all motion it acts on:
its pivot is then the whole J M^-1 J^T, not a part of it that vanishes in some configuration.
"""

from chorda.mechanics.frames import SX, Expr


class Factor:
    """LU factors of a square sparse matrix, to be used for several right-hand sides.

    multipliers: how many of the last rows are those of closures, where these have a compliance.
    """

    def __init__(self, A: Expr, multipliers: int = 0) -> None:
        n = A.shape[0]
        rows: list[dict[int, Expr]] = [{} for _ in range(n)]
        for i, j, value in zip(*A.sparsity().get_triplet(), A.nonzeros(), strict=True):
            if not (value.is_constant() and float(value) == 0.0):
                rows[i][j] = value
        self.order: list[int] = []
        self.lower: list[list[tuple[int, Expr]]] = []  # for each pivot: (row, multiplier)
        left = set(range(n))
        late = {i for i in left if i not in rows[i] or i >= n - multipliers}
        while left:
            pivot = _cheapest(rows, left, late)
            left.discard(pivot)
            self.order.append(pivot)
            below = [i for i in left if pivot in rows[i]]
            steps: list[tuple[int, Expr]] = []
            for i in below:
                factor = rows[i].pop(pivot) / rows[pivot][pivot]
                for j, value in rows[pivot].items():
                    if j != pivot:
                        rows[i][j] = (
                            rows[i][j] - factor * value if j in rows[i] else -factor * value
                        )
                steps.append((i, factor))
            self.lower.append(steps)
        self.upper = rows

    def solve(self, b: Expr) -> Expr:
        """x with A x = b, for a column b."""
        y = [b[i] for i in range(b.shape[0])]
        for pivot, steps in zip(self.order, self.lower, strict=True):
            for i, factor in steps:
                y[i] = y[i] - factor * y[pivot]
        x: dict[int, Expr] = {}
        for pivot in reversed(self.order):
            total = y[pivot]
            for j, value in self.upper[pivot].items():
                if j != pivot:
                    total = total - value * x[j]
            x[pivot] = total / self.upper[pivot][pivot]
        out = SX(len(x), 1)
        for i, value in x.items():
            out[i] = value
        return out


def _cheapest(rows: list[dict[int, Expr]], left: set[int], late: set[int]) -> int:
    """The diagonal pivot that creates least work (Markowitz), among those that may be taken."""
    ready = [i for i in left if i in rows[i] and (i not in late or late.issuperset(rows[i]))]
    if not ready:
        raise ZeroDivisionError("the matrix is structurally singular")
    column = {i: sum(i in rows[k] for k in left) for i in ready}
    return min(ready, key=lambda i: ((len(rows[i]) - 1) * (column[i] - 1), i))


def solve(A: Expr, b: Expr, multipliers: int = 0) -> Expr:
    """x with A x = b."""
    return Factor(A, multipliers).solve(b)
