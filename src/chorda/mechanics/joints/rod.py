"""Rod: a soft joint, its coordinates are modes of its strains [Boyer2021]."""

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import STRAINS, Disk, Rod, Sheath
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints.model import Carried, Coordinate, Inertia, JointModel
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.grid import Grid, lay
from chorda.mechanics.rods.scans import scans
from chorda.mechanics.rods.section import Matter, matter
from chorda.mechanics.rods.sheaths import Laid, Lengths, lay_sheath
from chorda.mechanics.rods.slices import Slices
from chorda.mechanics.rods.soft import BASE, Soft

RIM = 24  # points that draw a disk


def build(rod: Rod, par: Parameters, sheaths: Sequence[tuple[str, Sheath]] = ()) -> JointModel:
    """The rod, with the sheaths (name, record) of all tendons that run in it."""
    L = par.scalar(f"{rod.name}.length", rod.length, "m")
    stuff = matter(rod, par)
    places = [disk.at / rod.length for disk in rod.disks]
    for _, sheath in sheaths:
        places += [x / rod.length for x in (sheath.start, sheath.end) if x is not None]
    grid = lay(rod, places)
    resting = {s: c for s in STRAINS if (c := getattr(rod.rest, s)) and any(c)}
    strains = tuple(i for i, s in enumerate(STRAINS) if getattr(rod.modes, s) or s in resting)
    of, blocks, stiffness, damping = [], [], [], []
    coordinates, velocities = [], []
    for k, i in enumerate(strains):
        if not (count := getattr(rod.modes, STRAINS[i])):
            continue
        blocks.append(count)
        n = count * (len(bases.parts(rod.modes, rod.length)) - 1)
        of += [k] * n
        stiffness.append(L * stuff.over(i, rod, count, stuff.stiffness[i]))
        lost = stuff.damping[i]
        damping.append(SX(n, n) if lost is None else L * stuff.over(i, rod, count, lost))
        unit = ("rad/m", "rad/(m s)") if i < 3 else ("-", "1/s")
        names = [f"{rod.name}.{STRAINS[i]}{j}" for j in range(n)]
        scale = 1 / rod.length if i < 3 else 1.0
        coordinates += [Coordinate(name, unit[0], scale=scale) for name in names]
        velocities += [(f"{name}.rate", unit[1]) for name in names]
    q, v = SX.sym(f"{rod.name}.q", len(of)), SX.sym(f"{rod.name}.v", len(of))

    def functions(x: "np.typing.NDArray[np.float64]") -> "np.typing.NDArray[np.float64]":
        return np.hstack([bases.values(rod.modes, rod.length, count, x) for count in blocks])

    phi = functions(grid.points.ravel()).reshape(*grid.points.shape, len(of))
    along = scans(Slices(grid, strains, tuple(of), phi, rod.drag is not None))
    rests = _rests(rod, resting, par)
    rest = ca.vertcat(
        *[_rest(rests, strains, grid.points[:, i]) for i in range(along.slices.points)]
    )
    R, p = along.shape(q, L, ca.densify(rest))
    frames = {"tip": len(grid.ends) - 1} | {d.name: grid.at(d.at / rod.length) for d in rod.disks}
    disks = _disks(rod, par)
    soft = Soft(along, q, L, rest, _matter(rod, stuff, grid, L, par, disks, frames), R, p, frames)
    laid = [lay_sheath(name, x, rod, grid, par) for name, x in sheaths]
    K = ca.diagcat(*stiffness)
    return JointModel(
        q=q,
        v=v,
        coordinates=tuple(coordinates),
        velocities=tuple(velocities),
        kinematics=SX.eye(len(of)),
        carried=tuple(_frame(soft, name, disks.get(name)) for name in frames),
        spring_energy=ca.dot(q, K @ q) / 2,
        damping=ca.diagcat(*damping),
        lines=(("rod", _centre_line(soft)), *(_rim(d) for d in rod.disks)),
        soft=soft,
        **_pulled(laid, soft, functions(grid.ends), _rest(rests, strains, grid.ends)),
        insides={x.name: _inside(x, soft) for x in laid},
    )


def _rests(
    rod: Rod, resting: dict[str, tuple[float, ...]], par: Parameters
) -> dict[int, list[Expr]]:
    """Coefficients of the strains without load, by strain."""
    return {
        STRAINS.index(s): [
            SX(0) if c == 0 else par.scalar(f"{rod.name}.rest.{s}{k}", c, _unit(s), signed=True)
            for k, c in enumerate(coefficients)
        ]
        for s, coefficients in resting.items()
    }


def _unit(strain: str) -> str:
    return "rad/m" if STRAINS.index(strain) < 3 else "-"


def _rest(
    rests: dict[int, list[Expr]], strains: tuple[int, ...], x: "np.typing.NDArray[np.float64]"
) -> Expr:
    """Strains without load at shares x of the length (strains x places)."""
    out = SX(len(strains), len(x))
    for k, strain in enumerate(strains):
        for j, share in enumerate(x):
            if strain in rests:
                out[k, j] = sum((c * share**i for i, c in enumerate(rests[strain])), SX(0))
    return out


def _matter(
    rod: Rod,
    stuff: Matter,
    grid: Grid,
    L: Expr,
    par: Parameters,
    disks: dict[str, tuple[Expr, Expr]],
    frames: dict[str, int],
) -> Expr:
    """Mass, inertias about y and z, and drag of each slice (6 x slices), disks included."""
    area, rho = stuff.area, stuff.density
    drag = SX(3, 1)
    if rod.drag is not None:
        drag = par.vector(f"{rod.name}.drag", rod.drag, "kg/m^2")
    columns = []
    for x, w in zip(grid.ends, grid.weights, strict=True):
        if w == 0:
            columns.append(SX(6, 1))
            continue
        flat, round_ = stuff.grown(x, 2), stuff.grown(x, 4)
        own = ca.vertcat(rho * area.A * flat, rho * area.Iy * round_, rho * area.Iz * round_, drag)
        columns.append(w * L * own)
    for name, (m, flat) in disks.items():  # at the base they are bodies of its frame
        if (k := frames[name]) != BASE:
            columns[k] += ca.vertcat(m, flat, flat, SX(3, 1))
    return ca.horzcat(*columns)


def _disks(rod: Rod, par: Parameters) -> dict[str, tuple[Expr, Expr]]:
    """Mass and moment of inertia about y and z of each disk that has one; about x it is twice."""
    found = {}
    for disk in rod.disks:
        if disk.mass is not None:
            m = par.scalar(f"{rod.name}.{disk.name}.mass", disk.mass, "kg")
            r = par.scalar(f"{rod.name}.{disk.name}.radius", disk.radius, "m")
            found[disk.name] = (m, m * r**2 / 4)
    return found


def _frame(soft: Soft, name: str, disk: tuple[Expr, Expr] | None) -> Carried:
    nothing, body = SX(3, soft.q.numel()), None
    if disk is not None and soft.frames[name] == BASE:
        m, flat = disk
        body = Inertia(m, SX(3, 1), ca.diag(ca.vertcat(2 * flat, flat, flat)))
    return Carried(name, soft.pose(soft.frames[name]), nothing, nothing, body)


def _pulled(laid: list[Laid], soft: Soft, at_ends: Expr, rest: Expr) -> dict[str, Any]:
    """Lengths of the sheaths, and the stiffness that tensions in them bring."""
    if not laid:
        return {}
    places = ca.vertcat(*[ca.vertcat(x.place, x.slope) for x in laid])
    loops = Lengths(soft.scans.slices, laid, at_ends)
    where = soft.q, soft.length, ca.densify(rest), ca.densify(places)
    found = loops.lengths()(*where)

    def tightness(tension: dict[str, Expr]) -> Expr:
        n, t = soft.q.numel(), ca.vertcat(*[tension[x.name] for x in laid])
        return ca.reshape(loops.tightness()(*where, ca.densify(t)), n, n)

    lengths = {x.name: found[i] for i, x in enumerate(laid)}
    return {"sheaths": lengths, "tightness": tightness}


def _inside(laid: Laid, soft: Soft) -> tuple[Expr, ...]:
    """Places of a tendon in its sheath, in the base's frame."""
    inside = [k for k, crosses in enumerate(laid.crosses) if crosses]
    return tuple(soft.pose(k).at(ca.vertcat(SX(1, 1), laid.place[:, k])) for k in inside)


def _centre_line(soft: Soft) -> tuple[tuple[str, Expr], ...]:
    points = [SX(3, 1), *(soft.p[:, k] for k in range(soft.p.shape[1]))]
    return tuple(("base", x) for x in points)


def _rim(disk: Disk) -> tuple[str, tuple[tuple[str, Expr], ...]]:
    angles = 2 * math.pi * np.arange(RIM + 1) / RIM
    points = [SX([0, disk.radius * math.cos(a), disk.radius * math.sin(a)]) for a in angles]
    return "disk", tuple((disk.name, x) for x in points)
