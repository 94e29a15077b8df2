"""Numerical methods that know nothing about robots: one of each."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
