"""export_shape: a robot's shape for other programs, as a table over time or as surfaces."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgba

from chorda.describe import Rod
from chorda.errors import InputError
from chorda.files import write_whole
from chorda.mechanics import Array
from chorda.results import Equilibrium, Run
from chorda.results.observe import observed
from chorda.view.configuration import diameter, tension_scale
from chorda.view.curves import smooth
from chorda.view.gltf import glb
from chorda.view.meshes import Color, Mesh, disk, tube
from chorda.view.obj import obj
from chorda.view.stage import Stage, build_stage
from chorda.view.style import ROLES, TENSION, checked_suffix

SUFFIXES = (".glb", ".obj", ".csv")
DRAWN = ("rod", "disk", "tendon", "bar", "link")
THIN = 0.4  # a tendon's radius over that of the thinnest rod
FLAT = 0.12  # a disk's thickness over its radius
HAIR = 0.004  # of the robot's size: radius of what has none in the description


@dataclass(frozen=True, eq=False)
class Item:
    """A rod's centre line, a tendon, a disk (its centre, then its rim), or a bar: (n, k, 3) [m]."""

    name: str
    kind: str
    points: Array


def export_shape(result: Run | Equilibrium, path: str | Path, *, time: float | None = None) -> Path:
    """Write rods, tendons and disks: .csv over all times, .obj or .glb as surfaces at one.

    The table has the columns time [s], item, index, x, y, z [m]; the first place of a disk is its
    centre, the others its rim. time [s]: which configuration the surfaces show, the nearest that
    was recorded; none: the last. Tendons in a .glb are coloured by tension, slack ones grey.
    """
    path = checked_suffix(path, SUFFIXES)
    table = path.suffix.lower() == ".csv"
    if table and time is not None:
        raise InputError("time: a .csv has all times; leave it out, or write a .glb or an .obj")
    times, q = _motion(result)
    if table:
        rows = _rows(times, list(items(build_stage(result.system, q, result.parameters))))
        return write_whole(path, lambda part: _write_lines(part, rows))
    k = _nearest(times, time)
    stage = build_stage(result.system, q[k : k + 1], result.parameters)
    meshes = _meshes(stage, _tension(result, times[k]))
    if not meshes:
        name = result.system.robot.name
        raise InputError(f"robot: '{name}' has no rods, tendons or bars to export as surfaces")
    if path.suffix.lower() == ".obj":
        return write_whole(path, lambda part: part.write_text(obj(meshes), encoding="utf-8"))
    return write_whole(path, lambda part: part.write_bytes(glb(meshes, stage.skyward)))


def items(stage: Stage) -> Iterator[Item]:
    """What there is to export, each under a name of its own."""
    robot = stage.system.robot
    disks = {x.name: iter(x.disks) for x in robot.joints if isinstance(x, Rod)}
    used: dict[str, int] = {}
    for line in stage.lines:
        if line.kind not in DRAWN or len(line.points) < 2:
            continue
        at = stage.points[:, list(line.points)]
        name = line.name
        if line.kind == "disk":
            name = f"{line.name}.{next(disks[line.name]).name}"
            rim = at[:, :-1]  # the last closes it
            at = np.concatenate([rim.mean(axis=1, keepdims=True), rim], axis=1)
        used[name] = used.get(name, 0) + 1
        yield Item(name if used[name] == 1 else f"{name}-{used[name]}", line.kind, at)


def _motion(result: Run | Equilibrium) -> tuple[Array, Array]:
    """Times and configurations, those that are numbers."""
    times, q = (result.time, result.position) if isinstance(result, Run) else (
        np.zeros(1),
        result.q[None],
    )  # fmt: skip
    good = np.isfinite(q).all(axis=1)
    if not good.any():
        raise InputError(
            f"result: there is no configuration to export; its status: {result.status}"
        )
    return times[good], q[good]


def _nearest(times: Array, time: float | None) -> int:
    if time is None:
        return len(times) - 1
    low, high = float(times[0]), float(times[-1])
    if not low - 1e-9 <= time <= high + 1e-9:
        raise InputError(f"time: expected {low:g} to {high:g} s, got {time!r}")
    return int(np.argmin(np.abs(times - time)))


def _tension(result: Run | Equilibrium, time: float) -> Array:
    """Tensions at one time [N]."""
    if isinstance(result, Equilibrium):
        return result.tension
    if not result.system.robot.tendons:
        return np.zeros(0)
    k = slice(i := int(np.argmin(np.abs(result.time - time))), i + 1)
    states = (result.position[k], result.velocity[k], result.input[k])
    return observed(result.system, *states, result.parameters)["tension"][0]


def _rows(times: Array, found: list[Item]) -> Iterator[str]:
    yield "time [s],item,index,x [m],y [m],z [m]"
    for k, t in enumerate(times):
        for item in found:
            for i, (x, y, z) in enumerate(item.points[k]):
                yield f"{t:.9g},{item.name},{i},{x:.9g},{y:.9g},{z:.9g}"


def _write_lines(part: Path, rows: Iterator[str]) -> None:
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{row}\n" for row in rows)


def _meshes(stage: Stage, tension: Array) -> list[Mesh]:
    robot = stage.system.robot
    rods = {x.name: diameter(x) / 2 for x in robot.joints if isinstance(x, Rod)}
    hair = HAIR * stage.size
    cable = THIN * min(rods.values(), default=hair)
    tints = dict(zip([t.name for t in robot.tendons], _tints(tension), strict=True))
    meshes = []
    for item in items(stage):
        at = item.points[0]
        if item.kind == "disk":
            radius = float(np.linalg.norm(at[1] - at[0]))
            meshes.append(disk(item.name, at[1:], FLAT * radius, to_rgba(ROLES.plate, 0.7)))
        elif item.kind == "tendon":
            curved = any(t.name == item.name and not t.path for t in robot.tendons)
            way = smooth(at) if curved else distinct(at)
            meshes.append(tube(item.name, way, cable, tints[item.name]))
        elif item.kind == "rod":
            meshes.append(tube(item.name, smooth(at), rods[item.name], to_rgba(ROLES.bar)))
        elif len(way := distinct(at)) > 1:
            meshes.append(tube(item.name, way, hair, to_rgba(ROLES.bar)))
    return meshes


def distinct(points: Array) -> Array:
    """Points (n, 3) without those that repeat the one before."""
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return points[np.concatenate([[True], gaps > 1e-12])]


def _tints(tension: Array) -> list[Color]:
    norm = tension_scale(tension)
    return [TENSION(float(norm(t))) if t > 0 else to_rgba(ROLES.slack) for t in tension]
