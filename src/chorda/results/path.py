"""EquilibriumPath: equilibria along a path, and what happens to their stability on the way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.prescription import Prescription
from chorda.results.equilibrium import NO_ESTIMATE, Equilibrium
from chorda.results.late import Late
from chorda.results.path_inputs import inputs_along
from chorda.results.pressing import contact_values
from chorda.results.space_accuracy import SpaceAccuracy, accuracy_remark
from chorda.results.spectra import Criterion, Instability, Spectra
from chorda.results.status import Code, Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from chorda.view import Viewer

ROWS = ("q", "u", "parameters", "tension", "multipliers", "unknowns")  # as in Equilibrium


@dataclass(frozen=True)
class StabilityChange:
    """Where an equilibrium along a path gains or loses its stability.

    An eigenvalue passes zero there, at a fold or a bifurcation; or the motion begins to grow, if
    forces have no energy.

    Attributes
    ----------
    kind : {"locked", "constant efforts"}
        Of the Hessian: what is actuated stays, or gives way.
    parameter : float
        Path parameter, between points of the path.
    fold : bool
        Whether the path turns back there.
    at : Equilibrium
        The configuration.
    criterion : {"energy", "motion"}
        What decided.
    instability : {"divergence", "flutter"}
        What begins or ends there.

    See Also
    --------
    chorda.follow : finds them.
    chorda.stability : of one equilibrium.
    """

    kind: str
    parameter: float
    fold: bool
    at: Equilibrium
    criterion: Criterion = "energy"
    instability: Instability = "divergence"


@dataclass(frozen=True, eq=False)
class EquilibriumPath:
    """Configurations at rest (rows) along a path of what is prescribed.

    Attributes
    ----------
    system : System
        The robot.
    prescription : Prescription
        What is prescribed, by name.
    parameter : array of shape (n,)
        Path parameter, 1 at the end of the path.
    targets : array of shape (n, targets)
        Values of what is prescribed, see `prescription.labels`.
    q, u, parameters, tension, multipliers, unknowns, residual, iterations : array
        Rows of those of `Equilibrium`.
    stability : mapping of str to Spectra
        By kind of Hessian, "locked" and "constant efforts".
    neutral : tuple of tuple of str
        For each configuration the coordinates along which nothing pulls it back.
    changes : tuple of StabilityChange
        Where stability changes, located between the configurations.
    status : Status
        How far it came, and why no further.
    estimates : sequence of Late
        Of the accuracy of each configuration.
    most_strained : int or None
        The configuration in which rods are strained most.
    provenance : mapping
        Versions, and what was called.

    See Also
    --------
    chorda.follow : computes one.

    Examples
    --------
    >>> import chorda
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.neck(1)), tensions=20.0)
    >>> path = chorda.follow(rest, tensions={"left": 25.0}, points=5)
    >>> len(path.q), path.at(-1).position["x1"] > 0
    (6, True)
    """

    system: System
    prescription: Prescription
    parameter: Array
    targets: Array
    q: Array
    u: Array
    parameters: Array
    tension: Array
    multipliers: Array
    unknowns: Array
    residual: Array
    iterations: Array
    stability: Mapping[str, Spectra]
    neutral: tuple[tuple[str, ...], ...]
    changes: tuple[StabilityChange, ...]
    status: Status
    estimates: Sequence[Late[SpaceAccuracy | None]] = ()
    most_strained: int | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accuracy(self) -> SpaceAccuracy | None:
        """That of the configuration in which rods are strained most, as of an `Equilibrium`.

        `path.at(i).accuracy` is that of each. It is computed when it is asked for.
        """
        return None if self.most_strained is None else self.estimates[self.most_strained]()

    def __len__(self) -> int:
        return len(self.q)

    def frame(self, name: str) -> tuple[Array, Array]:
        """Where a frame is in the world, in each configuration.

        Parameters
        ----------
        name : str
            Of the frame, such as rod.tip.

        Returns
        -------
        positions : array of shape (n, 3)
            Of its origin [m].
        rotations : array of shape (n, 3, 3)
            Its axes as columns.
        """
        if len(self) and np.all(self.parameters == self.parameters[0]):
            R, p = frame_poses(self.system, [name], self.q, self.parameters[0])
            return p[:, 0], R[:, 0]
        each = [self.at(i).frame(name) for i in range(len(self))]
        return np.array([p for p, _ in each]), np.array([R for _, R in each])

    @property
    def efforts(self) -> dict[str, Array]:
        """Of coordinates that are actuated, or whose effort is given, by name [N m or N]."""
        return self._unknowns({*self.prescription.moved, *self.prescription.efforts})

    @property
    def settings(self) -> dict[str, Array]:
        """Values of inputs and parameters that are actuated or held, by name."""
        return self._unknowns(set(self.prescription.settings))

    def _unknowns(self, names: set[str]) -> dict[str, Array]:
        each = enumerate(self.prescription.unknowns)
        return {name: self.unknowns[:, k] for k, name in each if name in names}

    @property
    def gaps(self) -> dict[str, Array]:
        """Of contacts, by the names of where they touch, negative where shapes overlap (n) [m]."""
        return contact_values(self.system, "gap", self.q, self.u, self.parameters)

    @property
    def normal_forces(self) -> dict[str, Array]:
        """Of contacts, by the same names (n) [N]."""
        return contact_values(self.system, "normal_force", self.q, self.u, self.parameters)

    @property
    def stable(self) -> "np.typing.NDArray[np.bool_]":
        """Whether each configuration is stable with what is actuated locked."""
        return self.stability["locked"].stable

    def at(self, i: int) -> Equilibrium:
        """One of the configurations.

        Parameters
        ----------
        i : int
            Its number, counted from 0, or back from the end with -1, -2, ...

        Returns
        -------
        Equilibrium
            With everything that a single one has.
        """
        i = counted(i, len(self), "path")
        locked = self.stability["locked"]
        word = locked.words[i]
        estimate = self.estimates[i] if self.estimates else NO_ESTIMATE
        return Equilibrium(
            system=self.system,
            prescription=self.prescription,
            target=self.targets[i],
            **{name: getattr(self, name)[i] for name in ROWS},
            spectrum=Late(lambda: locked.eigenvalues[i]),
            stability=word,
            residual=float(self.residual[i]),
            iterations=int(self.iterations[i]),
            status=Status(
                Code.CONVERGED,
                f"{word.capitalize()} equilibrium, {self.parameter[i]:.1%} along a path.",
            ).with_late_remark(lambda: accuracy_remark(self.system, estimate())),
            neutral=self.neutral[i],
            estimate=estimate,
            leading=complex(locked.leading[i]),
            provenance=self.provenance,
        )

    def inputs(self, duration: float) -> dict[str, Callable[[float], float]]:
        """Make inputs for `chorda.simulate` that take the robot along the path.

        The path parameter runs from 0 to 1 as 10 s^3 - 15 s^4 + 6 s^5 with s = t / duration, which
        starts and ends at rest; values between the configurations are those of a cubic spline.

        Parameters
        ----------
        duration : float
            Of the motion [s].

        Returns
        -------
        dict of str to callable
            Functions of time [s] by name: of the actuators, and hold-JOINT of what was held.

        Examples
        --------
        >>> import chorda
        >>> system = chorda.assemble(chorda.load("rfrfr"))
        >>> rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55})
        >>> path = chorda.follow(rest, hold={"motor1": 2.8}, points=5)
        >>> turn = path.inputs(2.0)["hold-motor1"]
        >>> [round(turn(t), 3) for t in (0.0, 1.0, 2.0)]
        [2.59, 2.695, 2.8]
        """
        return inputs_along(self, duration)

    def plot(self, path: str | Path | None = None, *, count: int = 11) -> "Figure":
        """Picture of configurations along the path.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.
        count : int
            How many configurations are drawn.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.view import plot_path

        return plot_path(self, path=path, count=count)

    def to_html(self, path: str | Path) -> Path:
        """Write a page with the robot along the path, its stability in colour, and its plots.

        It is one file (.html) that needs nothing else, and can be sent.

        Parameters
        ----------
        path : str or Path
            Of the file to write (.html).

        Returns
        -------
        Path
            Of the file that was written.
        """
        from chorda.view import write_motion_page

        return write_motion_page(self, path)

    def view(self, **options: Any) -> "Viewer":
        """Play the path in the browser, its stability in colour.

        Parameters
        ----------
        **options : dict
            host, port, browser, wait, state, as of `chorda.view.open_viewer`.

        Returns
        -------
        Viewer
            The page that is served, with its `url` and `stop()`.
        """
        from chorda.view import open_viewer

        return open_viewer(self, **options)

    def __repr__(self) -> str:
        return (
            f"<EquilibriumPath of {self.system.robot.name}: {len(self)} configurations, "
            f"{int(np.sum(self.stable))} stable; {self.status.code}>"
        )


def counted(i: Any, n: int, what: str, of: str = "configurations") -> int:
    """Which of n configurations i means, counted from 0 or back from the end."""
    try:
        k = index(i)
    except TypeError:
        raise InputError(f"at: expected a whole number, got {i!r:.60}") from None
    if not -n <= k < n:
        raise InputError(f"at: expected {-n} to {n - 1}, as the {what} has {n} {of}; got {k}")
    return k % n
