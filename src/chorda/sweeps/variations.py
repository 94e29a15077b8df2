"""How a quantity varies over a study: records, and the values that they stand for."""

import math
import re
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from chorda.describe.names import Label
from chorda.describe.quantity import Number, Record, quantity
from chorda.mechanics import Array

NAME = (
    "what varies: a parameter (left.stiffness; * matches many), or a field of what is computed "
    "(initial.x1, inputs.motor-left, tensions)"
)
UNIT = "of the quantity"


class _Varied(Record):
    """What all variations have."""

    name: str = Field(description=NAME, min_length=1)
    label: Label = Field("", description="its name in the results; else its name without *")

    @property
    def column(self) -> str:
        """Its name in the results."""
        return self.label or re.sub(r'[*?\[\]/\\:<>|"]', "", self.name).strip(".-") or "value"


class Grid(_Varied):
    """Values from low to high, both included."""

    kind: Literal["grid"] = "grid"
    low: Number = quantity(UNIT, "first value")
    high: Number = quantity(UNIT, "last value")
    count: int = Field(description="how many values", ge=1, strict=True)
    spacing: Literal["linear", "log"] = Field("linear", description="equal steps, or equal ratios")

    @model_validator(mode="after")
    def _can_be_spaced(self) -> Self:
        if self.spacing == "log":
            _positive(self.low, self.high, "spacing: log")
        return self

    @property
    def extremes(self) -> tuple[float, ...]:
        return self.low, self.high

    def values(self) -> Array:
        if self.spacing == "log":
            return np.geomspace(self.low, self.high, self.count)
        return np.linspace(self.low, self.high, self.count)


class Listed(_Varied):
    """Values one by one."""

    kind: Literal["list"] = "list"
    at: tuple[Number, ...] = quantity(UNIT, "the values")

    @model_validator(mode="after")
    def _has_some(self) -> Self:
        if not self.at:
            raise ValueError("at: expected at least one value, got none")
        return self

    @property
    def count(self) -> int:
        return len(self.at)

    @property
    def extremes(self) -> tuple[float, ...]:
        return min(self.at), max(self.at)

    def values(self) -> Array:
        return np.array(self.at, float)


class Random(_Varied):
    """A random value in each sample."""

    kind: Literal["random"] = "random"
    distribution: Literal["uniform", "log-uniform", "normal"] = "uniform"
    low: Number | None = quantity(UNIT, "smallest value", default=None)
    high: Number | None = quantity(UNIT, "largest value", default=None)
    mean: Number | None = quantity(UNIT, "mean of a normal distribution", default=None)
    deviation: Number | None = quantity(
        UNIT, "standard deviation of a normal distribution", default=None, positive=True
    )

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        pairs = {"low": self.low, "high": self.high, "mean": self.mean, "deviation": self.deviation}
        wanted = ("mean", "deviation") if self.distribution == "normal" else ("low", "high")
        for name, value in pairs.items():
            if (value is None) == (name in wanted):
                what = "is missing; add it" if name in wanted else "has no meaning; leave it out"
                raise ValueError(f"{name}: with 'distribution: {self.distribution}' it {what}")
        if self.low is not None and self.high is not None and self.high <= self.low:
            raise ValueError(f"high: expected more than low ({self.low:g}), got {self.high:g}")
        if self.distribution == "log-uniform":
            _positive(self.low, self.high, "distribution: log-uniform")
        return self

    @property
    def extremes(self) -> tuple[float, ...]:
        """Values that surely may come; a normal distribution has no ends."""
        return tuple(x for x in (self.low, self.high, self.mean) if x is not None)

    def quantiles(self, levels: Array) -> Array:
        """Values of the inverse distribution function at levels between 0 and 1."""
        if self.mean is not None:
            from scipy.special import ndtri

            return np.asarray(self.mean + (self.deviation or 0.0) * ndtri(levels))
        low, high = self.extremes
        if self.distribution == "log-uniform":
            low, high = math.log(low), math.log(high)
            return np.asarray(np.exp(low + (high - low) * levels))
        return low + (high - low) * levels


class Samples(Record):
    """The samples that all random quantities share."""

    count: int = Field(description="how many samples", ge=1, strict=True)
    seed: int = Field(0, description="equal seeds make equal samples", ge=0, strict=True)
    way: Literal["latin-hypercube", "random"] = Field(
        "latin-hypercube",
        description="evenly spread over each quantity (one sample in each of `count` equally "
        "probable intervals), or independent",
    )

    def levels(self, name: str) -> Array:
        """Numbers between 0 and 1; those of a name do not depend on what else varies."""
        words = [self.seed, *name.encode()]
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
        levels = 1.0 - generator.random(self.count)  # in (0, 1]: never -inf of a normal one
        if self.way == "latin-hypercube":
            order = np.argsort(generator.random(self.count), kind="stable")
            levels = (order + levels) / self.count
        return np.clip(levels, None, np.nextafter(1.0, 0.0))


Variation = Annotated[Grid | Listed | Random, Field(discriminator="kind")]


def _positive(low: Any, high: Any, what: str) -> None:
    for name, value in (("low", low), ("high", high)):
        if value <= 0:
            raise ValueError(f"{name}: expected more than 0 with '{what}', got {value:g}")
