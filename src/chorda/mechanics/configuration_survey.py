"""Values of expressions in many configurations: what holds in all of them is taken to hold."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.mechanics.frames import Expr
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.skeleton import Skeleton

Array = npt.NDArray[np.float64]
NO_MOTION = 1e-9  # [m, or sine of an angle] what counts as no motion
NEARBY_COUNT = 5  # configurations within 1 rad or 1 m of the reference one
ALL_AROUND_COUNT = 256  # configurations, where angles are compared


@dataclass(frozen=True, eq=False)
class Survey:
    """Looks at expressions in the reference configuration (first) and in some others."""

    q: Expr
    par: Parameters
    configurations: Array
    turns: dict[Any, Any] = field(default_factory=dict, repr=False)  # see winding_count.py

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {symbol.element_hash(): i for i, symbol in enumerate(ca.vertsplit(self.q))}

    def __call__(self, x: Expr) -> Array:
        """Values by configuration, column and row."""
        n, symbols = len(self.configurations), ca.symvar(x)
        look = ca.Function("look", [ca.vertcat(ca.SX(0, 1), *symbols)], [ca.densify(x)])
        values = np.empty((len(symbols), n))
        for row, symbol in zip(values, symbols, strict=True):
            moving = self._rows.get(symbol.element_hash())
            row[:] = self.par.value_of(symbol) if moving is None else self.configurations[:, moving]
        seen = look(values).full() if symbols else np.tile(look([]).full(), n)
        return np.asarray(seen.reshape(x.shape[0], n, x.shape[1]).transpose(1, 2, 0))


def nearby(skeleton: Skeleton) -> Survey:
    """Looks around the reference configuration, within the ranges."""
    return _survey(skeleton, 1.0, 1.0, whole=False, count=NEARBY_COUNT)


def all_around(skeleton: Skeleton) -> Survey:
    """Looks everywhere within the ranges; what turns without one, through a whole turn."""
    return _survey(skeleton, math.pi, 1.0, whole=True, count=ALL_AROUND_COUNT)


def _survey(skeleton: Skeleton, turn: float, slide: float, whole: bool, count: int) -> Survey:
    """Random configurations; `whole`: over all of a range where there is one."""
    coordinates = skeleton.coordinates
    rest = np.array([c.rest for c in coordinates])
    wide = np.array([turn if c.unit == "rad" else slide for c in coordinates])
    low, high = (np.array([getattr(c, end) for c in coordinates]) for end in ("low", "high"))
    if whole:
        low, high = (np.where(np.isinf(x), rest + s * wide, x) for x, s in ((low, -1), (high, 1)))
    else:
        near = np.clip(rest, low, high)  # a range need not hold the reference configuration
        low, high = np.maximum(low, near - wide), np.minimum(high, near + wide)
    some = np.random.default_rng(2).uniform(low, high, (count, len(rest)))
    return Survey(skeleton.q, skeleton.par, np.vstack([rest, some]))
