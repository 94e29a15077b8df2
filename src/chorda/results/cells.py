"""Cells of a workspace as arrays, a row for each; they fill as the survey goes on."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple, Self, get_type_hints

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.results.spectra import KINDS, Counts
from chorda.results.status import Code

Whole = npt.NDArray[np.int32]
NOT_TRIED, REACHED, SINGULAR, NO_CONVERGENCE, JUMPED, WOUND = range(6)
WORDS = (
    Code.NOT_TRIED,
    Code.REACHED,
    Code.BRANCH_END,
    Code.NOT_CONVERGED,
    Code.OTHER_BRANCH,
    Code.WINDING_LIMIT,
)


class Column(NamedTuple):
    """Of `Cells`: what it means, its type and its value in a blank cell; by: what its columns are
    for, if it has more than one."""

    meaning: str
    dtype: npt.DTypeLike = float
    blank: float = np.nan
    by: str = ""


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows in C order of the region's values; NaN where a cell was not reached."""

    code: Annotated[npt.NDArray[np.int8], Column("what became of the cell", np.int8, 0)]  # WORDS
    front: Annotated[Whole, Column("round in which the cell was reached", np.int32, -1)]
    tried: Annotated[Whole, Column("last round in which the cell was tried in vain", np.int32, -1)]
    parent: Annotated[
        npt.NDArray[np.int64],
        Column("cell that it was reached from, in C order; -1: a start", np.int64, -1),
    ]
    jumped: Annotated[
        npt.NDArray[np.bool_],
        Column("1 where the configuration may lie on another branch than its parent", bool, 0),
    ]
    state: Annotated[Array, Column("q, multipliers, efforts of what is actuated", by="state")]
    singularity: Annotated[Array, Column("inverse condition number of the problem's matrix")]
    negative: Annotated[Counts, Column("negative eigenvalues of the Hessian", np.int16, -1, "kind")]
    neutral: Annotated[Counts, Column("zero eigenvalues of the Hessian", np.int16, -1, "kind")]
    growth: Annotated[  # [1/s]
        Array, Column("growth of the leading motion, where forces have no energy", by="kind")
    ]
    swing: Annotated[  # [rad/s]
        Array, Column("angular frequency of the leading motion, likewise", by="kind")
    ]
    margin: Annotated[
        Array, Column("smallest eigenvalue of the Hessian over the largest", by="kind")
    ]
    condition: Annotated[Array, Column("inverse condition number of the Hessian", by="kind")]
    strain: Annotated[Array, Column("largest strain along the rod", by="rod")]
    eigenvalues: Annotated[  # [J]
        Array, Column("of the Hessian with what is actuated locked", by="eigenvalue")
    ]
    tension: Annotated[Array, Column("tensions of the tendons", by="tendon")]  # [N]
    residual: Annotated[Array, Column("largest force that is left")]
    iterations: Annotated[Whole, Column("of Newton's method from the parent", np.int32, 0)]

    @classmethod
    def blank(cls, count: int, nx: int, rods: int = 0, moves: int = 0, tendons: int = 0) -> Self:
        by = {"state": nx, "kind": len(KINDS), "rod": rods, "eigenvalue": moves, "tendon": tendons}
        shapes = {"": (count,)} | {what: (count, number) for what, number in by.items()}
        made = {name: np.full(shapes[x.by], x.blank, x.dtype) for name, x in COLUMNS.items()}
        return cls(**made)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {name: getattr(self, name) for name in COLUMNS}

    def __len__(self) -> int:
        return len(self.code)


COLUMNS: dict[str, Column] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Cells, include_extras=True).items()
}
