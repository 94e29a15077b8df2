"""Rod: a soft joint, its coordinates are modes of its strains [Boyer2021]."""

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import STRAINS, Disk, DistributedLoad, Rod, RodTube, Sheath
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints.joint_model import (
    Carried,
    Coordinate,
    Inertia,
    JointModel,
    body_inertia,
)
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.fed_material import damping as fed_damping
from chorda.mechanics.rods.fed_material import material_passing
from chorda.mechanics.rods.grid import Grid, along_tube, broken, covered, lay
from chorda.mechanics.rods.rubbing_sheaths import RubbingSheath
from chorda.mechanics.rods.scans import scans
from chorda.mechanics.rods.section import Section, section_of
from chorda.mechanics.rods.sheaths import Laid, Lengths, crossed_slices, lay_sheath, sheath_curve
from chorda.mechanics.rods.slices import Slices
from chorda.mechanics.rods.soft import BASE, Soft

RIM_POINTS = 24  # points that draw a disk
ANGULAR = STRAINS[:3]


def build(
    rod: Rod,
    par: Parameters,
    sheaths: Sequence[tuple[str, Sheath]] = (),
    loads: Sequence[DistributedLoad] = (),
    tubes: Sequence[RodTube] = (),
) -> JointModel:
    """The rod, with the sheaths (name, record) of all tendons that run in it, the loads along it,
    and its surfaces that may touch something."""
    rod = broken(rod, [sheath for _, sheath in sheaths])
    fed = rod.fed is not None
    name = f"{rod.name}.length"
    L = SX.sym(name) if fed else par.scalar(name, rod.length, "m", positive=True)
    section = section_of(rod, par)
    borders = [x.at / rod.length for x in rod.marks]
    borders += [x for load in loads for x in load.span(rod.length)]
    borders += [x for tube in tubes for x in tube.span(rod.length)]
    for _, sheath in sheaths:
        borders += [x / rod.length for x in (sheath.start, sheath.end) if x is not None]
    turns = max((abs(sheath.turns) for _, sheath in sheaths), default=0.0)
    grid = lay(rod, borders, turns)
    counts = {s: n for s in STRAINS if (n := getattr(rod.modes, s))}
    parts = len(bases.parts(rod.modes, rod.length)) - 1
    modes = [(s, k) for s, n in counts.items() for k in range(n * parts)]
    rests = {
        s: bases.polynomial(f"{rod.name}.rest.{s}", c, "rad/m" if s in ANGULAR else "-", par)
        for s in STRAINS
        if (c := getattr(rod.rest, s)) and any(c)
    }
    strains = [s for s in STRAINS if s in counts or s in rests]

    def functions(x: bases.Array) -> bases.Array:
        return np.hstack([bases.values(rod.modes, rod.length, n, x) for n in counts.values()])

    def rest(x: bases.Array, slope: bool = False) -> Expr:
        """Strains without load (strains x fractions of the length), or their slopes."""

        def value(s: str, f: float) -> Expr:
            return rests[s].slope(f) if slope else rests[s].at(f)

        rows = [[value(s, f) if s in rests else SX(1, 1) for f in x] for s in strains]
        return ca.vertcat(*[ca.horzcat(*row) for row in rows])

    def passing(k: int) -> Expr:
        x = np.array([0.0 if k == BASE else grid.ends[k]])
        at = SX(ca.DM([*x, *functions(x)[0]]))
        return ca.vertcat(*material_passing(along.slices, q, at, rest(x)))

    def rubbing(name: str) -> RubbingSheath:
        sheath = dict(sheaths)[name]
        crossed = np.flatnonzero(crossed_slices(sheath, rod, grid))
        inside = [k for k in crossed if grid.weights[k]]
        x = grid.ends[inside]
        counted = counts.values()
        return RubbingSheath(
            slices=along.slices,
            q=q,
            length=L,
            functions=functions(x),
            slopes=np.hstack([bases.slopes(rod.modes, rod.length, n, x) for n in counted]),
            rest=rest(x),
            rest_slope=rest(x, slope=True),
            offsets=ca.horzcat(*[ca.vertcat(*curves[name](float(f))) for f in x]),
            weights=grid.weights[inside],
            at=tuple(int(k) for k in inside),
        )

    phi = functions(grid.points.ravel()).reshape(*grid.points.shape, len(modes))
    of = tuple(strains.index(s) for s, _ in modes)
    occurring = tuple(STRAINS.index(s) for s in strains)
    at_ends = functions(grid.ends) if fed else None
    along = scans(Slices(grid, occurring, of, phi, rod.drag is not None, at_ends))
    strained, v = SX.sym(f"{rod.name}.q", len(modes)), SX.sym(f"{rod.name}.v", len(modes) + fed)
    q = ca.vertcat(strained, L) if fed else strained
    resting = ca.vertcat(*[rest(column) for column in grid.points.T], SX(int(fed), len(grid.ends)))
    scale = SX(1) if fed else L  # of the scans' own unit of length
    R, p = along.shape(q, scale, ca.densify(resting))
    frames = {"tip": len(grid.ends) - 1} | {x.name: grid.at(x.at / rod.length) for x in rod.marks}
    disks = _disks(rod, par)
    matter = _matter(rod, section, grid, L, par, disks, frames)
    loaded = {k for load in loads for k in covered(grid, *load.span(rod.length))}
    touching = {k for tube in tubes for k in along_tube(grid, *tube.span(rod.length))}
    loaded |= touching - {BASE}
    stock = _stock(rod, section, L, par)
    soft = Soft(along, q, scale, resting, matter, R, p, frames, tuple(sorted(loaded)), *stock)
    bodies = {x.name: body_inertia(f"{rod.name}.{x.name}", x.body, par) for x in rod.frames}
    curves = {name: sheath_curve(name, x, par) for name, x in sheaths}
    laid = [lay_sheath(name, x, rod, grid, curves[name]) for name, x in sheaths]
    K, D = (
        ca.diagcat(*[L * section.over(STRAINS.index(s), rod, n, x) for s, n in counts.items()])
        for x in (section.stiffness, section.damping)
    )
    feeding = _feeding(rod, len(modes), par)
    named = [(f"{rod.name}.{s}{k}", s in ANGULAR) for s, k in modes]
    centre_line = [("base", x) for x in (SX(3, 1), *ca.horzsplit(p))]
    return JointModel(
        q=q,
        v=v,
        coordinates=tuple(
            Coordinate(name, "rad/m", scale=1 / rod.length) if turns else Coordinate(name, "-")
            for name, turns in named
        )
        + feeding.pop("coordinates", ()),
        velocities=tuple((f"{x}.rate", "rad/(m s)" if turns else "1/s") for x, turns in named)
        + feeding.pop("velocities", ()),
        kinematics=SX.eye(q.numel()),
        carried=tuple(_frame(soft, x, disks.get(x), bodies.get(x)) for x in frames),
        spring_energy=ca.dot(strained, K @ strained) / 2,
        damping=fed_damping(rod, section, q) if fed else D,
        **feeding,
        lines=(("rod", tuple(centre_line)), *(_rim(d) for d in rod.disks)),
        soft=soft,
        **_pulled(laid, soft, functions(grid.ends), rest(grid.ends)),
        insides={x.name: _inside(x, soft) for x in laid},
        rubbing=rubbing,
        passing={k: passing(k) for k in sorted(touching)} if fed else {},
    )


def _feeding(rod: Rod, functions: int, par: Parameters) -> dict[str, Any]:
    """Fields of the model of a rod that is fed: its length as a coordinate, and its friction."""
    if rod.fed is None:
        return {}
    name, (low, high) = f"{rod.name}.length", rod.fed.range
    friction = SX(0)
    if rod.fed.friction is not None:
        friction = par.scalar(f"{rod.name}.fed.friction", rod.fed.friction, "N s/m")
    along = SX(1, functions + 1)
    along[0, functions] = 1
    at = Coordinate(name, "m", rest=rod.length, low=low, high=high, scale=rod.length)
    return {
        "coordinates": (at,),
        "velocities": ((f"{name}.rate", "m/s"),),
        "pivots": along,
        "pivot_friction": friction,
    }


def _stock(rod: Rod, section: Section, L: Expr, par: Parameters) -> tuple[Expr | None, Expr | None]:
    """Mass of what is not out, which waits at the base, and of the whole rod."""
    if rod.fed is None:
        return None, None
    longest = par.scalar(f"{rod.name}.fed.longest", rod.fed.range[1], "m", positive=True)
    mass = section.inertia_at(SX(0))[0]
    return mass * (longest - L), mass * longest


def _matter(
    rod: Rod,
    section: Section,
    grid: Grid,
    L: Expr,
    par: Parameters,
    disks: dict[str, tuple[Expr, Expr]],
    frames: dict[str, int],
) -> Expr:
    """Mass, inertias about y and z, and drag of each slice (6 x slices), disks included."""
    drag = SX(3, 1)
    if rod.drag is not None:
        drag = par.vector(f"{rod.name}.drag", rod.drag, "kg/m^2", signed=False)
    columns = []
    for x, w in zip(grid.ends, grid.weights, strict=True):
        mass, moments = section.inertia_at(x)
        own = ca.vertcat(mass, moments[1:], drag)
        columns.append(w * L * own if w else SX(6, 1))
    for name, (m, flat) in disks.items():  # at the base they are bodies of its frame
        if (k := frames[name]) != BASE:
            columns[k] += ca.vertcat(m, flat, flat, SX(3, 1))
    return ca.horzcat(*columns)


def _disks(rod: Rod, par: Parameters) -> dict[str, tuple[Expr, Expr]]:
    """Mass and moment of inertia about y and z of each disk that has one; about x it is twice."""
    found = {}
    for disk in rod.disks:
        if disk.mass is not None:
            m = par.scalar(f"{rod.name}.{disk.name}.mass", disk.mass, "kg", positive=True)
            r = par.scalar(f"{rod.name}.{disk.name}.radius", disk.radius, "m", positive=True)
            found[disk.name] = (m, m * r**2 / 4)
    return found


def _frame(soft: Soft, name: str, disk: tuple[Expr, Expr] | None, body: Inertia | None) -> Carried:
    """With the body that sits there; a disk beyond the base is part of its slice."""
    nothing = SX(3, soft.q.numel())
    if disk is not None and soft.frames[name] == BASE:
        m, flat = disk
        body = Inertia(m, SX(3, 1), ca.diag(ca.vertcat(2 * flat, flat, flat)))
    return Carried(name, soft.pose(soft.frames[name]), nothing, nothing, body)


def _pulled(laid: list[Laid], soft: Soft, at_ends: bases.Array, rest: Expr) -> dict[str, Any]:
    """Lengths of the sheaths, and the stiffness that tensions in them bring."""
    if not laid:
        return {}
    offsets = ca.vertcat(*[ca.vertcat(x.offset, x.slope) for x in laid])
    sums = Lengths(soft.scans.slices, laid, at_ends)
    given = soft.q, soft.length, ca.densify(rest), ca.densify(offsets)

    def tightness(tension: dict[str, Expr]) -> Expr:
        n, t = soft.q.numel(), ca.vertcat(*[tension[x.name] for x in laid])
        return ca.reshape(sums.tightness()(*given, ca.densify(t)), n, n)

    found = sums.lengths()(*given)
    return {"sheaths": {x.name: found[i] for i, x in enumerate(laid)}, "tightness": tightness}


def _inside(laid: Laid, soft: Soft) -> tuple[Expr, ...]:
    """Points of a tendon in its sheath, in the base's frame."""
    inside = [k for k, crosses in enumerate(laid.crosses) if crosses]
    return tuple(soft.pose(k).at(ca.vertcat(SX(1, 1), laid.offset[:, k])) for k in inside)


def _rim(disk: Disk) -> tuple[str, tuple[tuple[str, Expr], ...]]:
    angles = 2 * math.pi * np.arange(RIM_POINTS + 1) / RIM_POINTS
    points = [SX([0, disk.radius * math.cos(a), disk.radius * math.sin(a)]) for a in angles]
    return "disk", tuple((disk.name, x) for x in points)
