"""Equilibrium: a configuration at rest, and whether it is stable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.results.status import Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Coordinates q at rest under inputs u.

    stiffness holds the eigenvalues of the Hessian over the coordinates that were free, in
    ascending order; the configuration is stable if all are positive. neutral names the coordinates
    along which it is zero: the configuration is in balance wherever it is put there.
    """

    system: System
    q: Array
    u: Array
    tension: Array
    given: str
    parameters: Array
    stiffness: Array
    stable: bool
    residual: float
    iterations: int
    status: Status
    multipliers: Array
    neutral: tuple[str, ...] = ()
    efforts: Mapping[str, float] = field(default_factory=dict)  # of what is actuated [N m or N]
    layout: Any = None  # what is prescribed, and what is actuated for it
    target: Array = field(default_factory=lambda: np.zeros(0))  # its values, see Layout.labels
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def position(self) -> dict[str, float]:
        """Coordinates by name."""
        return dict(zip(self.system.coordinate_names, self.q.tolist(), strict=True))

    @property
    def energy(self) -> float:
        """Potential energy [J], without the work of efforts and tensions that are given."""
        still = np.zeros(self.system.nv)
        return float(self.system.energies(self.q, still, self.u, self.parameters)[1])

    def frame(self, name: str) -> tuple[Array, Array]:
        """Position (3) [m] and rotation (3, 3) of a frame, such as rod.tip, in the world."""
        R, p = frame_poses(self.system, [name], self.q[None], self.parameters)
        return p[0, 0], R[0, 0]

    def plot(self, path: str | Path | None = None, *, names: bool = False) -> "Figure":
        """Picture of the configuration, tendons coloured by tension; written to `path` if given.

        names: write the names of joints and tendons beside it.
        """
        from chorda.view import plot_configuration

        return plot_configuration(
            self.system, self.q, self.parameters, self.tension, path=path, names=names
        )

    def __repr__(self) -> str:
        rest = "neutral" if self.neutral else "unstable"
        kind = "stable" if self.stable else rest if self.status.ok else self.status.code
        return (
            f"<Equilibrium of {self.system.robot.name}, {self.system.mode} tendons, "
            f"{self.given} given: {kind}>"
        )
