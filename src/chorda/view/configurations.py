"""Configurations to be shown one after the other: of a motion, a path or a workspace."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.results import Equilibrium, EquilibriumPath, Run, Workspace
from chorda.view.applied_wrenches import applied_pushes, joined
from chorda.view.contact_arrows import Pushes, contact_pushes

BEYOND = ", beyond a limit"  # of cells of a workspace
Shown = Run | Equilibrium | EquilibriumPath | Workspace


@dataclass(frozen=True, eq=False)
class Configurations:
    """Rows of configurations q (n, nq), velocities, inputs and parameters (n, np); tension (n, t)
    [N], and what they are in order of: at (n) of `axis` in `unit`."""

    system: System
    q: Array
    v: Array
    u: Array
    parameters: Array
    tension: Array
    at: Array
    axis: str = "time"
    unit: str = "s"
    stability: tuple[str, ...] = ()  # of each, where it is known

    def __len__(self) -> int:
        return len(self.q)

    @cached_property
    def pushes(self) -> Pushes | None:
        """Forces where shapes touch, and those that are applied."""
        touching = None
        if self.system.touches and len(self):
            each = [
                contact_pushes(self.system, self.q[rows], self.v[rows], self.parameters[rows[0]])
                for rows in same_rows(self.parameters)
            ]
            found = [x for x in each if x is not None]
            touching = Pushes(
                np.concatenate([x.points for x in found]),
                np.concatenate([x.forces for x in found]),
            )
        return joined(touching, applied_pushes(self.system, self.q, self.u, self.parameters))

    @property
    def two_sided(self) -> tuple[bool, ...]:
        """Of each tendon, whether it can push: a negative tension of it is not slack."""
        elastic, one = self.system.mode != "rigid", self.system.tendons.one_sided
        return tuple(elastic and t.name not in one for t in self.system.robot.tendons)

    def frames(self, names: tuple[str, ...]) -> tuple[Array, Array]:
        """Rotations (n, k, 3, 3) and origins (n, k, 3) [m] of frames."""
        found = [
            frame_poses(self.system, names, self.q[rows], self.parameters[rows[0]])
            for rows in same_rows(self.parameters)
        ]
        if not found:
            return np.zeros((0, len(names), 3, 3)), np.zeros((0, len(names), 3))
        return np.concatenate([R for R, _ in found]), np.concatenate([p for _, p in found])


def same_rows(rows: Array) -> list[range]:
    """Pieces of neighbours that are equal.

    >>> same_rows(np.array([[1.0], [1.0], [2.0]]))
    [range(0, 2), range(2, 3)]
    """
    if not len(rows):
        return []
    changes = np.flatnonzero(np.any(rows[1:] != rows[:-1], axis=1)) + 1
    ends = [0, *changes.tolist(), len(rows)]
    return [range(a, b) for a, b in pairwise(ends)]


def configurations(result: Shown) -> Configurations:
    """Of any result, those that are finite; a workspace's are the cells that were reached."""
    if isinstance(result, Run):
        return of_run(result)
    if isinstance(result, Equilibrium):
        return of_equilibrium(result)
    return of_path(result) if isinstance(result, EquilibriumPath) else of_workspace(result)


def of_equilibrium(rest: Equilibrium) -> Configurations:
    found = Configurations(
        rest.system,
        rest.q[None],
        np.zeros((1, rest.system.nv)),
        rest.u[None],
        rest.parameters[None],
        rest.tension[None],
        np.zeros(1),
        axis="",
        unit="",
        stability=(str(rest.stability),),
    )
    return _finite(found, rest.status)


def of_path(path: EquilibriumPath) -> Configurations:
    still = np.zeros((len(path), path.system.nv))
    states = path.q, still, path.u, path.parameters, path.tension
    words = tuple(str(x) for x in path.stability["locked"].words)
    s = path.parameter
    turns = len(s) > 1 and bool(np.any(np.diff(s) <= 0))
    at, axis = (np.arange(len(s), dtype=float), "configuration") if turns else (s, "path parameter")
    return _finite(Configurations(path.system, *states, at, axis, "", words), path.status)


def of_workspace(workspace: Workspace) -> Configurations:
    cells, system, given = workspace.cells, workspace.system, workspace.prescription
    reached = np.flatnonzero(workspace.reached.ravel())
    state = cells.state[reached]
    u, p = given.applied(
        state[:, system.nq + system.nc :], workspace.u, workspace.parameters, system
    )
    stable = workspace.stable().ravel()[reached]
    within = workspace.allowed.ravel()[reached]
    words = tuple(
        ("stable" if x else "unstable") + ("" if inside else BEYOND)
        for x, inside in zip(stable, within, strict=True)
    )
    q, still = state[:, : system.nq].copy(), np.zeros((len(reached), system.nv))
    states = q, still, u, p, cells.tension[reached]
    found = Configurations(system, *states, reached.astype(float), "cell", "", words)
    return _finite(found, workspace.status)


def of_run(run: Run, at: Array | None = None) -> Configurations:
    """At its own times, or at others between them."""
    p = np.broadcast_to(run.parameters, (len(run.time), len(run.parameters)))
    none = np.zeros((len(run.time), 0))
    tension = run.outputs["tension"] if run.system.robot.tendons else none
    states = run.position, run.velocity, run.input, p, tension
    whole = _finite(Configurations(run.system, *states, run.time), run.status)
    return whole if at is None else between(whole, at)


def between(c: Configurations, at: Array) -> Configurations:
    """Interpolated at values of what they are in order of; quaternions stay of length 1."""

    def values(rows: Array) -> Array:
        found = [np.interp(at, c.at, column) for column in rows.T]
        return np.column_stack(found) if found else np.zeros((len(at), 0))

    q, v, u, tension = (values(x) for x in (c.q, c.v, c.u, c.tension))
    for start in c.system.quaternions:
        q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1, keepdims=True)
    p = np.broadcast_to(c.parameters[0], (len(at), c.parameters.shape[1]))
    return replace(c, q=q, v=v, u=u, parameters=p, tension=tension, at=at)


def picked(c: Configurations, rows: "np.typing.NDArray[np.intp]") -> Configurations:
    """Some of them."""
    arrays = {x: getattr(c, x)[rows] for x in ("q", "v", "u", "parameters", "tension", "at")}
    words = tuple(c.stability[k] for k in rows) if c.stability else ()
    return replace(c, **arrays, stability=words)


def _finite(c: Configurations, status: object) -> Configurations:
    """Those whose coordinates are numbers."""
    good = np.flatnonzero(np.isfinite(c.q).all(axis=1))
    if not len(good):
        raise InputError(f"result: there is no configuration to show; its status: {status}")
    return c if len(good) == len(c) else picked(c, good)
