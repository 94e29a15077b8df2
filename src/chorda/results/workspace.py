"""Workspace: configurations at rest over a region, which of them are reached, stable and
allowed."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chorda.checks import check_names, unknown
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.prescription import EFFORT, TENSION, Prescription
from chorda.notebook_tables import notebook_table
from chorda.plurals import percentage
from chorda.results.cells import REACHED, WORDS, Cells
from chorda.results.equilibrium import Equilibrium
from chorda.results.late import Late
from chorda.results.region import Region
from chorda.results.spectra import KINDS, instability, word
from chorda.results.status import Code, Status

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    from chorda.view import Viewer

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Workspace(Region):
    """Configurations at rest over a grid of prescribed values, an axis of arrays for each name.

    A configuration is `usable` where it is reached, stable with what is actuated locked, and within
    all limits.

    Attributes
    ----------
    names, values, units : tuple
        Of the axes: what is prescribed along each.
    columns, base : tuple of int, array
        Where these are in a row of targets, and the other targets.
    system : System
        The robot.
    prescription : Prescription
        What is prescribed, by name.
    start : array
        The state that the survey began from.
    cells : Cells
        Rows of numbers, one for each cell.
    rods : mapping of str to float
        Young's modulus [Pa] by name.
    limits : mapping of str to tuple
        (low, high) by name, see `quantity`.
    u, parameters : array
        Inputs and parameters that were given.
    status : Status
        How the survey ended.
    survey : mapping
        Its rounds, solutions and seconds.
    provenance : mapping
        Versions, and what was called.

    See Also
    --------
    chorda.workspace : computes one, with an example.
    chorda.open_workspace : reads one from a file.
    """

    system: System
    prescription: Prescription
    start: Array  # the state that the survey began from
    cells: Cells
    rods: Mapping[str, float]  # Young's modulus [Pa] by name
    limits: Mapping[str, tuple[float, float]]
    u: Array
    parameters: Array
    status: Status
    survey: Mapping[str, Any]  # its rounds, solutions and seconds
    provenance: Mapping[str, Any]

    # The grid -------------------------------------------------------------------------------

    def _on_grid(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return rows.reshape(*self.shape, *rows.shape[1:])

    def near(self, where: Mapping[str, float]) -> tuple[int, ...]:
        """Find the cell nearest to values.

        Parameters
        ----------
        where : mapping of str to float
            Values by name of an axis, such as {"leg1.tip.x": 0.1}; what is left out is in the
            middle.

        Returns
        -------
        tuple of int
            Its index.
        """
        check_names("where", where, self.names)
        middle = {n: float(np.mean(v)) for n, v in zip(self.names, self.values, strict=True)}
        return self.index_near((middle | dict(where)).values())

    def at(self, *index: int) -> Equilibrium:
        """The configuration of a cell that was reached.

        Parameters
        ----------
        *index : int
            Of the cell, one for each axis; negative ones count from the end.

        Returns
        -------
        Equilibrium
            With everything that a single one has.
        """
        if len(index) != len(self.shape) or any(
            not -n <= i < n for i, n in zip(index, self.shape, strict=False)
        ):
            raise IndexError(f"cell {index} of a workspace of the shape {self.shape}")
        index = tuple(i % n for i, n in zip(index, self.shape, strict=True))
        cell = int(np.ravel_multi_index(index, self.shape))
        if self.cells.code[cell] != REACHED:
            raise InputError(
                f"cell {index}: it was not reached ({WORDS[self.cells.code[cell]]}); see `reached`"
            )
        cells, system, given = self.cells, self.system, self.prescription
        q, lam, tau = np.split(cells.state[cell], [system.nq, system.nq + system.nc])
        u, p = given.applied(tau, self.u, self.parameters, system)
        found = word(int(cells.negative[cell, 0]), int(cells.neutral[cell, 0]))
        named = zip(self.names, self.values, index, self.units, strict=True)
        where = ", ".join(f"{n} = {x[i]:.4g} {u}".rstrip(" -") for n, x, i, u in named)
        return Equilibrium(
            system=system,
            prescription=given,
            target=self.row(*index),
            q=_settled(system, q, u, p),
            u=u,
            parameters=p,
            tension=cells.tension[cell],
            multipliers=lam,
            unknowns=tau,
            spectrum=Late.known(cells.eigenvalues[cell]),
            stability=found,
            leading=complex(cells.growth[cell, 0], cells.swing[cell, 0]),
            residual=float(cells.residual[cell]),
            iterations=int(cells.iterations[cell]),
            status=Status(Code.CONVERGED, f"{found.capitalize()} equilibrium at {where}."),
            provenance=self.provenance,
        )

    # What was found, on the grid ------------------------------------------------------------

    @property
    def reached(self) -> Mask:
        """Whether each cell has a configuration at rest."""
        return np.asarray(self._on_grid(self.cells.code == REACHED))

    @property
    def why(self) -> npt.NDArray[np.str_]:
        """'reached', or why not, in words."""
        return np.asarray(self._on_grid(np.array(WORDS)[self.cells.code]))

    def stable(self, kind: str = "locked") -> Mask:
        """Where reached and stable.

        Parameters
        ----------
        kind : {"locked", "constant efforts"}
            With what is actuated locked, or with constant efforts.

        Returns
        -------
        array of bool
            On the grid.
        """
        k = _kind(kind)
        calm = (self.cells.negative[:, k] == 0) & (self.cells.neutral[:, k] == 0)
        return self.reached & np.asarray(self._on_grid(calm))

    def negative(self, kind: str = "locked") -> npt.NDArray[np.int16]:
        """How many eigenvalues of the Hessian are negative.

        Parameters
        ----------
        kind : {"locked", "constant efforts"}
            With what is actuated locked, or with constant efforts.

        Returns
        -------
        array of int
            On the grid; -1 where not reached.
        """
        return np.asarray(self._on_grid(self.cells.negative[:, _kind(kind)]))

    def instability(self, kind: str = "locked") -> npt.NDArray[np.str_]:
        """How it is unstable.

        Parameters
        ----------
        kind : {"locked", "constant efforts"}
            With what is actuated locked, or with constant efforts.

        Returns
        -------
        array of str
            On the grid: "divergence" or "flutter" where reached and unstable, else nothing.
        """
        k, cells = _kind(kind), self.cells
        words = [
            instability(count > 0, complex(a, b))
            for count, a, b in zip(
                cells.negative[:, k], cells.growth[:, k], cells.swing[:, k], strict=True
            )
        ]
        return np.asarray(self._on_grid(np.array(words, "U10")))

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names that `quantity` knows."""
        return quantity_names(self.system, self.prescription, self.names, self.rods)

    def quantity(self, name: str) -> Array:
        """One quantity of every cell.

        Parameters
        ----------
        name : str
            A coordinate; an effort (motor1.effort) [N m or N]; strain [-] and stress [Pa], the
            largest along all rods or along one (leg1.stress); singularity, the inverse condition
            number of the problem's matrix; margin.locked and condition.locked (or .constant
            efforts), the smallest eigenvalue of the Hessian over the largest, with its sign and
            without.

        Returns
        -------
        array
            On the grid, NaN where it was not reached.
        """
        return np.asarray(self._on_grid(self._rows(name)))

    def _rows(self, name: str) -> Array:
        cells, system, unknowns = self.cells, self.system, self.prescription.effort_names
        what, _, kind = name.partition(".")
        if name in system.coordinate_names:
            return cells.state[:, system.coordinate_names.index(name)]
        if name in unknowns:
            return cells.state[:, system.nq + system.nc + unknowns.index(name)]
        if name in self.names:
            grid = np.meshgrid(*self.values, indexing="ij")[self.names.index(name)].ravel()
            return np.where(cells.code == REACHED, grid, np.nan)
        if name == "singularity":
            return cells.singularity
        if what in ("margin", "condition") and kind in KINDS:
            return np.asarray(getattr(cells, what)[:, _kind(kind)])
        rod, _, last = name.rpartition(".")
        if (name in ("strain", "stress") and self.rods) or rod in self.rods:
            young = np.array(list(self.rods.values())) if last == "stress" else 1.0
            each = cells.strain * young
            if rod:
                return each[:, list(self.rods).index(rod)]
            return np.asarray(np.max(each, axis=1))
        raise InputError(unknown("quantity", name, self.quantities))

    def unit(self, name: str) -> str:
        """Unit of a quantity.

        Parameters
        ----------
        name : str
            As of `quantity`.

        Returns
        -------
        str
            Such as "N m".
        """
        units = units_at_rest(self.system) | dict(zip(self.names, self.units, strict=True))
        return units.get(name, "Pa" if name.endswith("stress") else "-")

    @cached_property
    def violations(self) -> dict[str, Mask]:
        """Where each limit is violated, by name."""
        out = {}
        for name, (low, high) in self.limits.items():
            x = self.quantity(name)
            out[name] = (x < low) | (x > high)
        return out

    @property
    def allowed(self) -> Mask:
        """Where reached and within all limits."""
        within = (~mask for mask in self.violations.values())
        return np.asarray(np.logical_and.reduce([self.reached, *within]))

    @property
    def usable(self) -> Mask:
        """Where reached, stable with what is actuated locked, and within all limits."""
        return self.allowed & self.stable()

    @property
    def connected(self) -> Mask:
        """Usable cells that can be actuated to from the first one through usable cells."""
        from scipy.ndimage import label

        first = np.flatnonzero((self.cells.front == 0) & (self.cells.code == REACHED))
        marks = label(self.usable)[0].ravel()
        mine = {int(marks[cell]) for cell in first} - {0}
        return np.asarray(np.isin(marks, list(mine)).reshape(self.shape))

    def extent(self, mask: Mask) -> float:
        """Length, area or volume of some cells.

        Parameters
        ----------
        mask : array of bool
            Which cells, such as `usable`.

        Returns
        -------
        float
            In the product of the axes' units.
        """
        size = np.ones(())
        for x in self.values:
            edges = np.concatenate([x[:1], (x[1:] + x[:-1]) / 2, x[-1:]])
            size = np.multiply.outer(size, np.diff(edges) if len(x) > 1 else np.ones(1))
        return float(np.sum(size[mask]))

    @property
    def counts(self) -> dict[str, int]:
        """Cells, by what became of them."""
        codes = np.bincount(self.cells.code, minlength=len(WORDS))
        out = {"cells": len(self.cells)} | dict(zip(WORDS, codes.tolist(), strict=True))
        out |= {f"stable, {kind}": int(np.sum(self.stable(kind))) for kind in KINDS}
        flutter = {f"flutter, {k}": int(np.sum(self.instability(k) == "flutter")) for k in KINDS}
        out |= {name: count for name, count in flutter.items() if count}
        out |= {f"beyond {name}": int(np.sum(mask)) for name, mask in self.violations.items()}
        return out | {"usable": int(np.sum(self.usable))}

    # Elsewhere ------------------------------------------------------------------------------

    def dataset(self) -> "xarray.Dataset":
        """Everything, labelled, with units.

        Returns
        -------
        xarray.Dataset
            With an axis for each name.
        """
        from chorda.results.workspace_file import dataset

        return dataset(self)

    def save(self, path: str | Path) -> Path:
        """Write it whole; `chorda.open_workspace` reads it.

        Parameters
        ----------
        path : str or Path
            Of the file, .nc.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.results.workspace_file import save

        return save(self, path)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        colour: str = "stability",
        kind: str | None = None,
    ) -> "Figure":
        """A map of one or two axes, slices of three.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.
        colour : str
            "stability" (stable, unstable, beyond limits, not reached), "limits" (which of them is
            violated), or a quantity.
        kind : {"locked", "constant efforts"}, optional
            Of the stability; "locked" by default.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.view import plot_workspace

        return plot_workspace(self, path=path, colour=colour, kind=kind)

    def plot_cloud(self, path: str | Path | None = None, *, colour: str = "stability") -> "Figure":
        """The cells of three axes as a cloud in space.

        Parameters
        ----------
        path : str or Path, optional
            Where it is written, .png, .pdf or .svg.
        colour : str
            As of `plot`.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from chorda.view import plot_workspace

        return plot_workspace(self, path, colour=colour, cloud=True)

    def to_html(self, path: str | Path) -> Path:
        """Write a page with the cells that were reached as a cloud; a click shows the robot there.

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
        """Show the cells in the browser as a cloud; a click shows the robot there.

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

    def _repr_html_(self) -> str:
        counts = self.counts
        total = counts.pop("cells")
        rows = [(what, str(n), percentage(n, total)) for what, n in counts.items() if n]
        heading = repr(self).strip("<>")
        return notebook_table(heading, ("cells", "count", "share"), rows, [self.status.sentence])

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape))
        n, reached, usable = math.prod(self.shape), int(self.reached.sum()), int(self.usable.sum())
        return (
            f"<Workspace of {self.system.robot.name} over {', '.join(self.names)}: {size}, "
            f"{percentage(reached, n)} reached, {percentage(usable, n)} usable; {self.status.code}>"
        )


def quantity_names(
    system: System, given: Prescription, names: Iterable[str], rods: Iterable[str]
) -> tuple[str, ...]:
    """What can be asked of a workspace over `names`, each once."""
    rods = tuple(rods)
    whats = ("strain", "stress")
    found = [*system.coordinate_names, *given.effort_names, *names, *(whats if rods else ())]
    found += [f"{rod}.{what}" for rod in rods for what in whats]
    found += ["singularity"]
    found += [f"{what}.{kind}" for what in ("margin", "condition") for kind in KINDS]
    return tuple(dict.fromkeys(found))


def units_at_rest(system: System) -> dict[str, str]:
    """Of what can be prescribed or found but poses, by name; a motor's own name is its angle."""
    table = system.parameter_table
    units = dict(zip(table.names, table.units, strict=True))
    units |= {i.name: i.unit for i in system.inputs}
    units |= {f"{t.name}{TENSION}": "N" for t in system.robot.tendons}
    for c in system.coordinates:
        units |= {c.name: c.unit, f"{c.name}{EFFORT}": "N m" if c.unit == "rad" else "N"}
    return units


def _kind(kind: str) -> int:
    if kind not in KINDS:
        raise InputError(f"kind: expected {' or '.join(KINDS)}, got {kind!r:.60}")
    return KINDS.index(kind)


def _settled(system: System, q: Array, u: Array, p: Array) -> Array:
    """Coordinates with states of first order as they are at rest."""
    return np.asarray(system.at_rest(q, u, p).full().ravel()) if system.nz else q
