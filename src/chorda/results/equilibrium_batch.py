"""EquilibriumBatch: many equilibria at once, in columns."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array, System
from chorda.mechanics.prescription import Prescription
from chorda.plurals import many
from chorda.results.equilibrium import Equilibrium
from chorda.results.path import counted
from chorda.results.pressing import contact_values
from chorda.results.spectra import Spectra
from chorda.results.status import Code, Status


@dataclass(frozen=True, eq=False)
class EquilibriumBatch:
    """Equilibria (rows) that differ in what is prescribed, in parameters, or in both.

    Rows of members without an equilibrium are NaN, and their `code` is not "converged".

    Attributes
    ----------
    system : System
        The robot.
    prescription : Prescription
        What is prescribed, by name.
    targets : array of shape (n, targets)
        Values of what is prescribed, see `prescription.labels`.
    q, u, tension, multipliers, unknowns, residual, iterations : array
        Rows of those of `Equilibrium`.
    parameters : array of shape (n, np) or (1, np)
        One row where all share them.
    stability : mapping of str to Spectra
        By kind, "locked" and "constant efforts".
    code : array of str of shape (n,)
        How each member ended, a `Code` as its text.
    reached : array of shape (n,)
        How far each came on the way from its start, 1 where all of it was possible.
    seconds : float
        That it took.
    single : callable
        Makes the `Equilibrium` of a member.
    provenance : mapping
        Versions, and what was called.

    See Also
    --------
    chorda.equilibrium_batch : computes one.

    Examples
    --------
    >>> import chorda
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.neck(1)), tensions=20.0)
    >>> many = chorda.equilibrium_batch(rest, tensions={"left": [20.0, 22.0, 24.0]})
    >>> many.q.shape, bool(many.stability["locked"].stable.all())
    ((3, 3), True)
    """

    system: System
    prescription: Prescription
    targets: Array
    q: Array
    u: Array
    parameters: Array
    tension: Array
    multipliers: Array
    unknowns: Array
    residual: Array
    iterations: npt.NDArray[np.int64]
    stability: Mapping[str, Spectra]
    code: npt.NDArray[np.str_]
    reached: Array
    seconds: float
    single: Callable[[int], Equilibrium] = field(repr=False)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.q)

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(n) whether each member has an equilibrium."""
        return np.asarray(self.code == str(Code.CONVERGED))

    @property
    def failed(self) -> npt.NDArray[np.intp]:
        """Members that have none."""
        return np.flatnonzero(~self.ok)

    @property
    def stable(self) -> npt.NDArray[np.bool_]:
        """(n) whether each is an equilibrium, and stable with what is actuated locked."""
        return self.stability["locked"].stable

    @property
    def efforts(self) -> dict[str, Array]:
        """Of coordinates that are actuated, or whose effort is given, by name [N m or N]."""
        names = {*self.prescription.moved, *self.prescription.efforts}
        each = enumerate(self.prescription.unknowns)
        return {name: self.unknowns[:, k] for k, name in each if name in names}

    @property
    def gaps(self) -> dict[str, Array]:
        """Of contacts, by the names of where they touch, negative where they overlap (n) [m]."""
        return contact_values(self.system, "gap", self.q, self.u, self.parameters)

    @property
    def normal_forces(self) -> dict[str, Array]:
        """Of contacts, by the same names (n) [N]."""
        return contact_values(self.system, "normal_force", self.q, self.u, self.parameters)

    def at(self, i: int) -> Equilibrium:
        """One member, with its sentence and its estimated accuracy.

        Parameters
        ----------
        i : int
            Its number, counted from 0, or back from the end with -1, -2, ...

        Returns
        -------
        Equilibrium
            Where it has none, the nearest configuration.
        """
        return self.single(counted(i, len(self), "batch"))

    def status(self, i: int) -> Status:
        """How a member ended, in a sentence with the remedy.

        Parameters
        ----------
        i : int
            Its number, counted from 0, or back from the end with -1, -2, ...

        Returns
        -------
        Status
            Its code and sentence.
        """
        return self.at(i).status

    def raise_unless_ok(self) -> None:
        """Raise what the first member without an equilibrium reports."""
        if len(self.failed):
            self.status(int(self.failed[0])).raise_unless_ok()

    def __repr__(self) -> str:
        each = ", ".join(f"{n} {code}" for code, n in Counter(self.code.tolist()).items())
        return (
            f"<EquilibriumBatch of {self.system.robot.name}: {many(len(self), 'member')} ({each}), "
            f"{int(np.sum(self.stable))} stable>"
        )
