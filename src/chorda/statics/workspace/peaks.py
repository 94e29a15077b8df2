"""The largest strain along each rod, at the outer fibre: stretch and bend."""

from dataclasses import dataclass

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.mechanics.rods import bases

PLACES = 41  # at least, along a rod; more where there are many functions


@dataclass(frozen=True, eq=False)
class Gauge:
    """Places along a rod: strains there are tables times coordinates."""

    name: str
    young_modulus: float  # [Pa]
    round: bool
    half: Array  # (places, 2) extent of the section along y and z from its middle [m]
    tables: dict[str, tuple[slice, Array]]  # coordinates and (places, functions), by strain

    def peak(self, q: Array) -> Array:
        """Of many configurations (n, nq): the largest strain [-]; without load there is none."""

        def strain(name: str) -> Array:
            if name not in self.tables:
                return np.zeros((len(q), len(self.half)))
            rows, table = self.tables[name]
            # summed in one order, whatever the number of configurations: BLAS rounds by its size
            each = (x[:, None] * phi for x, phi in zip(q[:, rows].T, table.T, strict=True))
            return np.asarray(sum(each))

        by_y = strain("bend_z") * self.half[:, 0]  # bend about z strains the fibres along y
        by_z = strain("bend_y") * self.half[:, 1]
        bend = np.hypot(by_y, by_z) if self.round else np.abs(by_y) + np.abs(by_z)
        return np.asarray(np.max(np.abs(strain("stretch")) + bend, axis=1))


def gauges(system: System, p: Array) -> tuple[Gauge, ...]:
    """One for each rod of the robot."""
    value = dict(zip(system.parameter_names, p.tolist(), strict=True))
    return tuple(_gauge(system, rod, value) for rod in system.robot.joints if isinstance(rod, Rod))


def _gauge(system: System, rod: Rod, value: dict[str, float]) -> Gauge:
    m, names = rod.modes, system.coordinate_names
    counts = {strain: getattr(m, strain) for strain in ("bend_y", "bend_z", "stretch")}
    n = max(PLACES, 8 * max(counts.values()) + 1)
    at = np.linspace(0, 1, n)
    tables = {}
    for strain, count in counts.items():
        if count:
            table = bases.values(m, rod.length, count, at)
            first = names.index(f"{rod.name}.{strain}0")
            tables[strain] = (slice(first, first + table.shape[1]), table)
    size = 1 + at * (value.get(f"{rod.name}.taper", 1.0) - 1)
    section = f"{rod.name}.section"
    is_round = rod.section.kind != "rectangle"
    sides = ("radius", "radius") if is_round else ("width", "height")
    half = [value[f"{section}.{side}"] * (1 if is_round else 0.5) for side in sides]
    young = value[f"{rod.name}.young_modulus"]
    return Gauge(rod.name, young, is_round, np.outer(size, half), tables)
