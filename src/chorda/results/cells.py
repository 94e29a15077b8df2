"""Cells of a workspace as arrays, a row for each; they fill as the survey goes on."""

from dataclasses import dataclass, fields
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.results.status import Code

NOT_TRIED, REACHED, SINGULAR, NO_CONVERGENCE, JUMPED = range(5)
WORDS = (Code.NOT_TRIED, Code.REACHED, Code.BRANCH_END, Code.NOT_CONVERGED, Code.OTHER_BRANCH)
KINDS: tuple[Literal["locked", "constant efforts"], ...] = ("locked", "constant efforts")


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows in C order of the region's values; NaN where a cell was not reached."""

    code: npt.NDArray[np.int8]  # see WORDS
    front: npt.NDArray[np.int32]  # round in which it was reached, else -1
    tried: npt.NDArray[np.int32]  # last round in which it was tried in vain, else -1
    parent: npt.NDArray[np.int64]  # cell that it was reached from; -1: a start
    jumped: npt.NDArray[np.bool_]  # it may lie on another branch than its parent
    state: Array  # q, multipliers, efforts of what is actuated
    singularity: Array  # inverse condition number of the problem's matrix
    negative: npt.NDArray[np.int16]  # (n, kinds) eigenvalues of the Hessian
    margin: Array  # (n, kinds) smallest eigenvalue over the largest
    condition: Array  # (n, kinds) inverse condition number of the Hessian
    strain: Array  # (n, rods) largest along each

    @classmethod
    def blank(cls, count: int, nx: int, rods: int) -> Self:
        kinds = len(KINDS)
        return cls(
            code=np.zeros(count, np.int8),
            front=np.full(count, -1, np.int32),
            tried=np.full(count, -1, np.int32),
            parent=np.full(count, -1, np.int64),
            jumped=np.zeros(count, bool),
            state=np.full((count, nx), np.nan),
            singularity=np.full(count, np.nan),
            negative=np.full((count, kinds), -1, np.int16),
            margin=np.full((count, kinds), np.nan),
            condition=np.full((count, kinds), np.nan),
            strain=np.full((count, rods), np.nan),
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __len__(self) -> int:
        return len(self.code)
