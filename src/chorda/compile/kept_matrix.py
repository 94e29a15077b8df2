"""newton.c in Python: the matrix that Newton's method keeps."""

import numpy as np

from chorda.compile.job import Array


class Kept:
    """A matrix as LU factors, and the step that it was made for; 0: there is none."""

    def __init__(self) -> None:
        self.made = 0.0
        self._finite = False

    def keep(self, A: Array, made: float) -> bool:
        """Factors A; False if it is singular."""
        from scipy.linalg.lapack import dgetrf

        self.made, self._finite = made, bool(np.all(np.isfinite(A)))
        if self._finite:
            self._lu, self._pivots, singular = dgetrf(A)
            self.made = 0.0 if singular else made
        return self.made != 0

    def correct(self, r: Array, weight: Array) -> tuple[Array, float]:
        """The correction for a residual, and its largest entry, weighted. A NaN shows."""
        from scipy.linalg.lapack import dgetrs

        with np.errstate(all="ignore"):
            d = dgetrs(self._lu, self._pivots, r)[0] if self._finite else r + np.nan
            return d, float(np.max(np.abs(d) * weight, initial=0.0))
