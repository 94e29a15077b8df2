"""Equilibrium: a configuration at rest, and whether it is stable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.checks import check_names
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.prescription import Prescription
from chorda.notebook_tables import notebook_table
from chorda.results.late import Late
from chorda.results.pressing import contact_values
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.results.spectra import Word, criterion, instability
from chorda.results.status import Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from chorda.view import Viewer

NO_ESTIMATE = Late[SpaceAccuracy | None].known(None)


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A configuration at rest, from whichever verb.

    Attributes
    ----------
    system : System
        The robot that is at rest.
    q : array of shape (nq,)
        Coordinates [rad, m ...].
    u : array of shape (nu,)
        Inputs that hold it; torques of motors that are held or wound to a tension are there.
    parameters : array of shape (np,)
        Values that were used.
    tension : array of shape (tendons,)
        Of each tendon [N].
    multipliers : array of shape (nc,)
        Of the independent equations of the closures, by `system.constraints.names`; `reactions` has
        forces of all closures by name.
    prescription : Prescription
        What was prescribed, by name.
    target : array
        Its values.
    unknowns : array
        Efforts, values and tensions in the order of `prescription.unknowns`.
    spectrum : Late
        Of `eigenvalues`.
    stability : {"stable", "neutral", "unstable", "unknown"}
        With all that was given, and what is actuated, held; "unknown" where there is no
        equilibrium.
    leading : complex
        Where forces have no energy (loads that follow, moments about fixed axes), the eigenvalue
        [1/s] of the motion that grows fastest or fades slowest; else NaN.
    neutral : tuple of str
        Coordinates along which nothing pulls it back.
    residual : float
        Largest force that is left, or gap of a closure [N, N m or m].
    iterations : int
        Of the solver.
    status : Status
        How the solver ended, in a sentence.
    estimate : Late
        Of `accuracy`.
    provenance : mapping
        Versions, and what was called.

    See Also
    --------
    chorda.equilibrium : finds one.
    chorda.follow : a path of them.

    Examples
    --------
    >>> import chorda
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.neck(2)), tensions=20.0)
    >>> rest.stable, round(abs(rest.position["x1"]), 6)
    (True, 0.0)
    """

    system: System
    prescription: Prescription
    target: Array
    q: Array
    u: Array
    parameters: Array
    tension: Array
    multipliers: Array
    unknowns: Array
    spectrum: Late[Array]
    stability: Word
    residual: float
    iterations: int
    status: Status
    neutral: tuple[str, ...] = ()
    estimate: Late[SpaceAccuracy | None] = NO_ESTIMATE
    leading: complex = complex("nan")
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accuracy(self) -> SpaceAccuracy | None:
        """Estimated errors of rods, as lengths at frames [m]; None where they are not known.

        It is computed when it, or the message of the status, is first read.
        """
        return self.estimate()

    @property
    def eigenvalues(self) -> Array:
        """Of the Hessian over the coordinates that were free [J], ascending.

        Coordinates are in their scales: 1 rad, 1 m, a bend of 1 rad over a rod.
        """
        return self.spectrum()

    @property
    def stable(self) -> bool:
        """Whether it is stable with all that was given, and what is actuated, held."""
        return self.status.ok and self.stability == Word.STABLE

    @property
    def criterion(self) -> str:
        """What decided about stability: the energy, or the motion where forces have none."""
        return criterion(self.leading)

    @property
    def instability(self) -> str:
        """How it leaves its place if it is unstable: "divergence" (one way) or "flutter"."""
        return instability(self.stability == Word.UNSTABLE, self.leading)

    @property
    def position(self) -> dict[str, float]:
        """Coordinates by name."""
        return dict(zip(self.system.coordinate_names, self.q.tolist(), strict=True))

    @property
    def efforts(self) -> dict[str, float]:
        """Of coordinates that are actuated, or whose effort is given, by name [N m or N]."""
        return self.prescription.by_effort(self.unknowns)

    @property
    def reactions(self) -> dict[str, float]:
        """Forces of all closures by their equations' names [N or N m], as `reaction` of a run.

        Those that `not_unique` names are the least ones of all that act alike.
        """
        system = self.system
        found = next((x for x in system.outputs if x.name == "reaction"), None)
        if found is None:
            return {}
        spread = system.once(
            "reactions", lambda: system.function("reactions", "q u p lam", found.expression)
        )
        values = spread(self.q, self.u, self.parameters, self.multipliers).full().ravel()
        return dict(zip(found.labels, values.tolist(), strict=True))

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Names of `reactions` that the balance does not determine.

        A redundant loop shares them in one of many ways.
        """
        return self.system.constraints.not_unique

    @property
    def gaps(self) -> dict[str, float]:
        """Of contacts, by the names of where they touch, negative where shapes overlap [m]."""
        return self._of_contacts("gap")

    @property
    def normal_forces(self) -> dict[str, float]:
        """Of contacts, by the same names, as `normal_force` of a run [N]."""
        return self._of_contacts("normal_force")

    def _of_contacts(self, quantity: str) -> dict[str, float]:
        row = (x[None] for x in (self.q, self.u, self.parameters))
        values = contact_values(self.system, quantity, *row)
        return {name: float(x[0]) for name, x in values.items()}

    @property
    def energy(self) -> float:
        """Potential energy [J], without the work of efforts and tensions that are given."""
        still = np.zeros(self.system.nv)
        return float(self.system.energies(self.q, still, self.u, self.parameters)[1])

    def frame(self, name: str) -> tuple[Array, Array]:
        """Where a frame is in the world.

        Parameters
        ----------
        name : str
            Of the frame, such as rod.tip.

        Returns
        -------
        position : array of shape (3,)
            Of its origin [m].
        rotation : array of shape (3, 3)
            Its axes as columns.
        """
        R, p = frame_poses(self.system, [name], self.q[None], self.parameters)
        return p[0, 0], R[0, 0]

    def plot(self, path: str | Path | None = None, *, names: bool = False) -> "Figure":
        """Picture of the configuration, tendons coloured by tension.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.
        names : bool
            Whether the names of joints and tendons are written beside it.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.view import plot_configuration

        return plot_configuration(
            self.system,
            self.q,
            self.parameters,
            self.tension,
            path=path,
            names=names,
            contact_forces=True,
        )

    def to_html(self, path: str | Path) -> Path:
        """Write a page with the robot in three dimensions and tables of what holds it.

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
        """Show it in the browser with sliders that move it, at rest and in motion.

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

    def __getitem__(self, name: str) -> float:
        """A coordinate [rad, m] or the tension of a tendon [N], by its name.

        Notebooks complete the names with Tab.
        """
        check_names("equilibrium", [name], self._ipython_key_completions_())
        if name in self.system.coordinate_names:
            return self.position[name]
        tendons = [tendon.name for tendon in self.system.robot.tendons]
        return float(self.tension[tendons.index(name)])

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.system.coordinate_names, *(x.name for x in self.system.robot.tendons)]

    def _repr_html_(self) -> str:
        system = self.system
        rows: list[tuple[str, str, float]] = [
            (c.name, c.unit, float(x)) for c, x in zip(system.coordinates, self.q, strict=True)
        ]
        tendons = zip(system.robot.tendons, self.tension, strict=True)
        rows += [(f"tension {t.name}", "N", float(x)) for t, x in tendons]
        rows += [(i.name, i.unit, float(x)) for i, x in zip(system.inputs, self.u, strict=True)]
        heading = repr(self).strip("<>")
        return notebook_table(heading, ("name", "unit", "value"), rows, [self.status.sentence])

    def __repr__(self) -> str:
        kind = self.stability if self.status.ok else self.status.code
        return (
            f"<Equilibrium of {self.system.robot.name}, {self.system.mode} tendons, "
            f"{self.prescription.given} given: {kind}>"
        )
