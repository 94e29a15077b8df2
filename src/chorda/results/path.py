"""EquilibriumPath: equilibria along a path, and what happens to their stability on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.results.equilibrium import Equilibrium
from chorda.results.status import Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Crossing:
    """Where an eigenvalue passes zero: stability is lost or found, or another branch begins.

    kind: of the Hessian, "locked" or "constant efforts"; fold: the path turns back there.
    """

    kind: str
    share: float  # along the path, between points
    fold: bool
    at: Equilibrium


@dataclass(frozen=True, eq=False)
class EquilibriumPath:
    """Postures at rest (rows) along a path of what is prescribed.

    share: how far along each is, 1 at its end. stability: by kind of Hessian, see `Stability`.
    """

    system: System
    layout: Any
    share: Array
    targets: Array
    q: Array
    multipliers: Array
    effort: Array
    u: Array
    parameters: Array
    stability: Mapping[str, Any]
    crossings: tuple[Crossing, ...]
    status: Status
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.q)

    def frame(self, name: str) -> tuple[Array, Array]:
        """Positions (n, 3) [m] and rotations (n, 3, 3) of a frame in the world."""
        R, p = frame_poses(self.system, [name], self.q, self.parameters)
        return p[:, 0], R[:, 0]

    @property
    def efforts(self) -> dict[str, Array]:
        """Of what is driven, by name [N m or N]."""
        return {name: self.effort[:, k] for k, name in enumerate(self.layout.driven)}

    @property
    def stable(self) -> "np.typing.NDArray[np.bool_]":
        """Whether each posture is stable with what is driven locked."""
        return np.asarray(self.stability["locked"].stable)

    def at(self, i: int) -> Equilibrium:
        """One of the postures."""
        locked = self.stability["locked"]
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"posture {i} of a path with {n}")
        word = "Stable" if locked.stable[i] else "UNSTABLE"
        return Equilibrium(
            system=self.system,
            q=self.q[i],
            u=self.u,
            tension=np.zeros(0),
            given="inputs",
            parameters=self.parameters,
            stiffness=locked.eigenvalues[i],
            stable=bool(locked.stable[i]),
            residual=0.0,
            iterations=0,
            status=Status("converged", f"{word} equilibrium, {self.share[i]:.1%} along a path."),
            multipliers=self.multipliers[i],
            efforts=dict(zip(self.layout.driven, self.effort[i].tolist(), strict=True)),
            layout=self.layout,
            target=self.targets[i],
            provenance=self.provenance,
        )

    def plot(self, path: str | Path | None = None, *, count: int = 11) -> "Figure":
        """Picture of `count` postures along the path; written to `path` if given."""
        from chorda.view.paths import plot_path

        return plot_path(self, path=path, count=count)

    def __repr__(self) -> str:
        return (
            f"<EquilibriumPath of {self.system.robot.name}: {len(self)} postures, "
            f"{int(np.sum(self.stable))} stable; {self.status.code}>"
        )
