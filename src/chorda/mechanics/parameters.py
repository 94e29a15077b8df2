"""Parameters: every number of a description becomes a named symbol, never a baked-in constant."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import casadi as ca

from chorda.mechanics.frames import SX, Expr, vector


@dataclass
class Parameters:
    """Collects the parameters while a system is assembled."""

    names: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    symbols: list[Expr] = field(default_factory=list)
    signed: list[bool] = field(default_factory=list)
    positive: list[bool] = field(default_factory=list)
    _described: dict[int, float] = field(default_factory=dict, repr=False)  # by the symbol's hash

    @property
    def column(self) -> Expr:
        """All symbols so far."""
        return ca.vertcat(SX(0, 1), *self.symbols)

    def symbol(self, name: str) -> Expr:
        """One of the symbols so far, by name."""
        return self.symbols[self.names.index(name)]

    def value_of(self, symbol: Expr) -> float:
        """The described value of one of the symbols."""
        return self._described[symbol.element_hash()]

    def scalar(
        self, name: str, value: float, unit: str, signed: bool = False, positive: bool = False
    ) -> Expr:
        """signed: whether a negative value makes sense; positive: zero makes none either."""
        symbol = SX.sym(name)
        self.names.append(name)
        self.values.append(float(value))
        self.units.append(unit)
        self.symbols.append(symbol)
        self.signed.append(signed)
        self.positive.append(positive)
        self._described[symbol.element_hash()] = float(value)
        return symbol

    def vector(self, name: str, values: Sequence[float], unit: str, signed: bool = True) -> Expr:
        """A vector whose zero components are structure, the others parameters."""
        return vector(
            *[
                0.0 if value == 0 else self.scalar(f"{name}.{axis}", value, unit, signed)
                for axis, value in zip("xyz", values, strict=True)
            ]
        )
