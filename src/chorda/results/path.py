"""EquilibriumPath: equilibria along a path, and what happens to their stability on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.results.equilibrium import Equilibrium
from chorda.results.status import Code, Status

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
    """Configurations at rest (rows) along a path of what is prescribed.

    share: how far along each is, 1 at its end. stability: by kind of Hessian, see `Stability`.
    """

    system: System
    layout: Any
    share: Array
    targets: Array
    q: Array
    multipliers: Array
    effort: Array  # of what is actuated; of settings, their values
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
        if not self.layout.settings:
            R, p = frame_poses(self.system, [name], self.q, self.parameters)
            return p[:, 0], R[:, 0]
        each = [
            frame_poses(self.system, [name], self.q[[i]], self.given(i)[1])
            for i in range(len(self))
        ]
        return np.array([p[0, 0] for _, p in each]), np.array([R[0, 0] for R, _ in each])

    @property
    def efforts(self) -> dict[str, Array]:
        """Of joints that are actuated, by name [N m or N]."""
        return self._actuated(settings=False)

    @property
    def settings(self) -> dict[str, Array]:
        """Values of inputs and parameters that are actuated or held, by name."""
        return self._actuated(settings=True)

    def _actuated(self, settings: bool) -> dict[str, Array]:
        names = enumerate(self.layout.actuated)
        return {x: self.effort[:, k] for k, x in names if (x in self.layout.settings) == settings}

    def given(self, i: int) -> tuple[Array, Array]:
        """Inputs and parameters of a configuration."""
        u, p = self.u.copy(), self.parameters.copy()
        for name, values in self.settings.items():
            if name in self.system.given:
                u[self.system.given.index(name)] = values[i]
            else:
                p[self.system.parameter_names.index(name)] = values[i]
        return u, p

    @property
    def stable(self) -> "np.typing.NDArray[np.bool_]":
        """Whether each configuration is stable with what is actuated locked."""
        return np.asarray(self.stability["locked"].stable)

    def at(self, i: int) -> Equilibrium:
        """One of the configurations, counted from 0, or back from the end with -1, -2, ..."""
        i = self._counted(i)
        locked = self.stability["locked"]
        u, p = self.given(i)
        word = "Stable" if locked.stable[i] else "UNSTABLE"
        return Equilibrium(
            system=self.system,
            q=self.q[i],
            u=u,
            tension=np.zeros(0),
            given="inputs",
            parameters=p,
            stiffness=locked.eigenvalues[i],
            stable=bool(locked.stable[i]),
            residual=0.0,
            iterations=0,
            status=Status(Code.CONVERGED, f"{word} equilibrium, {self.share[i]:.1%} along a path."),
            multipliers=self.multipliers[i],
            efforts={name: float(x[i]) for name, x in self.efforts.items()},
            layout=self.layout,
            target=self.targets[i],
            provenance=self.provenance,
        )

    def _counted(self, i: Any) -> int:
        n = len(self)
        try:
            k = index(i)
        except TypeError:
            raise InputError(f"at: expected a whole number, got {i!r:.60}") from None
        if not -n <= k < n:
            raise InputError(
                f"at: expected {-n} to {n - 1}, as the path has {n} configurations; got {k}"
            )
        return k

    def plot(self, path: str | Path | None = None, *, count: int = 11) -> "Figure":
        """Picture of `count` configurations along the path; written to `path` if given."""
        from chorda.view import plot_path

        return plot_path(self, path=path, count=count)

    def __repr__(self) -> str:
        return (
            f"<EquilibriumPath of {self.system.robot.name}: {len(self)} configurations, "
            f"{int(np.sum(self.stable))} stable; {self.status.code}>"
        )
