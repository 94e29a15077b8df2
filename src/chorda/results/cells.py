"""Cells of a workspace as arrays, a row for each; they fill as the survey goes on."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.results.spectra import KINDS
from chorda.results.status import Code

NOT_TRIED, REACHED, SINGULAR, NO_CONVERGENCE, JUMPED = range(5)
WORDS = (Code.NOT_TRIED, Code.REACHED, Code.BRANCH_END, Code.NOT_CONVERGED, Code.OTHER_BRANCH)


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
    neutral: npt.NDArray[np.int16]  # (n, kinds) zero eigenvalues
    margin: Array  # (n, kinds) smallest eigenvalue over the largest
    condition: Array  # (n, kinds) inverse condition number of the Hessian
    strain: Array  # (n, rods) largest along each
    eigenvalues: Array  # (n, moves) of the Hessian with what is actuated locked [J]
    tension: Array  # (n, tendons) [N]
    residual: Array  # largest force that is left
    iterations: npt.NDArray[np.int32]  # of Newton's method, on the way from its parent

    @classmethod
    def blank(cls, count: int, nx: int, rods: int = 0, moves: int = 0, tendons: int = 0) -> Self:
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
            neutral=np.full((count, kinds), -1, np.int16),
            margin=np.full((count, kinds), np.nan),
            condition=np.full((count, kinds), np.nan),
            strain=np.full((count, rods), np.nan),
            eigenvalues=np.full((count, moves), np.nan),
            tension=np.full((count, tendons), np.nan),
            residual=np.full(count, np.nan),
            iterations=np.zeros(count, np.int32),
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __len__(self) -> int:
        return len(self.code)
