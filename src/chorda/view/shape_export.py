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
from chorda.view.artists import diameter
from chorda.view.curves import distinct, smooth
from chorda.view.drawing import Drawing, make_drawing
from chorda.view.mesh_files import glb, obj
from chorda.view.meshes import Mesh, disk, tube
from chorda.view.obstacles import near_robot
from chorda.view.shape_surfaces import surface
from chorda.view.style import ROLES, checked_suffix
from chorda.view.tension_look import one_sided, tension_colors, tension_scale

SUFFIXES = (".glb", ".obj", ".csv")
EXPORTED_KINDS = ("rod", "disk", "tendon", "bar", "link", "mount")
TENDON_RATIO = 0.4  # a tendon's radius over that of the thinnest rod
DISK_RATIO = 0.12  # a disk's thickness over its radius
BAR_RATIO = 0.004  # radius of what has none in the description, over the robot's size


@dataclass(frozen=True, eq=False)
class Item:
    """A rod's centre line, a tendon, a disk (its centre, then its rim), or a bar: (n, k, 3) [m]."""

    name: str
    kind: str
    points: Array


def export_shape(result: Run | Equilibrium, path: str | Path, *, time: float | None = None) -> Path:
    """Write rods, tendons and disks as a table over time, or as surfaces at one time.

    Surfaces include the shapes of contacts, to scale; of a half space a patch near the robot.

    Parameters
    ----------
    result
        A motion or an equilibrium.
    path
        File to write. A .csv has the columns time [s], item, index, x, y, z [m]; the first point
        of a disk is its centre, the others are its rim. An .obj or a .glb has surfaces; tendons
        in a .glb are coloured by tension, slack ones grey.
    time
        Which configuration the surfaces show [s], the nearest that was recorded; none: the last.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        There is nothing to export, or the time lies outside the motion.

    Examples
    --------
    >>> import chorda, tempfile
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.load("neck-1")), tensions=5.0)
    >>> export_shape(rest, f"{tempfile.mkdtemp()}/neck.obj").name
    'neck.obj'
    """
    path = checked_suffix(path, SUFFIXES)
    table = path.suffix.lower() == ".csv"
    if table and time is not None:
        raise InputError("time: a .csv has all times; leave it out, or write a .glb or an .obj")
    times, q = _motion(result)
    if table:
        found = list(items(make_drawing(result.system, q, result.parameters)))
        return write_whole(path, lambda part: _write_table(part, times, found))
    k = _nearest(times, time)
    drawing = make_drawing(result.system, q[k : k + 1], result.parameters)
    meshes = list(_meshes(drawing, _tension(result, times[k])))
    if not meshes:
        name = result.system.robot.name
        raise InputError(
            f"robot: '{name}' has no rods, tendons, bars or shapes to export as surfaces"
        )
    if path.suffix.lower() == ".obj":
        return write_whole(path, lambda part: part.write_text(obj(meshes), encoding="utf-8"))
    return write_whole(path, lambda part: part.write_bytes(glb(meshes, drawing.up)))


def items(drawing: Drawing) -> Iterator[Item]:
    """What there is to export, each under a name of its own."""
    robot = drawing.system.robot
    disks = {x.name: iter(x.disks) for x in robot.joints if isinstance(x, Rod)}
    used: dict[str, int] = {}
    for line in drawing.lines_of(*EXPORTED_KINDS):
        if len(line.points) < 2:
            continue
        at = drawing.points[:, list(line.points)]
        name = line.name
        if line.kind == "disk":
            name = f"{line.name}.{next(disks[line.name]).name}"
            rim = at[:, :-1]  # the last closes it
            at = np.concatenate([rim.mean(axis=1, keepdims=True), rim], axis=1)
        used[name] = used.get(name, 0) + 1
        yield Item(name if used[name] == 1 else f"{name}-{used[name]}", line.kind, at)


def _motion(result: Run | Equilibrium) -> tuple[Array, Array]:
    """Times and configurations, those that are finite."""
    if isinstance(result, Run):
        times, q = result.time, result.position
    else:
        times, q = np.zeros(1), result.q[None]
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise InputError(
            f"result: there is no configuration to export; its status: {result.status}"
        )
    return times[finite], q[finite]


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


def _write_table(part: Path, times: Array, found: list[Item]) -> None:
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write("time [s],item,index,x [m],y [m],z [m]\n")
        for k, t in enumerate(times):
            for item in found:
                for i, (x, y, z) in enumerate(item.points[k]):
                    file.write(f"{t:.9g},{item.name},{i},{x:.9g},{y:.9g},{z:.9g}\n")


def _meshes(drawing: Drawing, tension: Array) -> Iterator[Mesh]:
    robot = drawing.system.robot
    rods = {x.name: diameter(x) / 2 for x in robot.joints if isinstance(x, Rod)}
    thin = BAR_RATIO * drawing.size
    cable = TENDON_RATIO * min(rods.values(), default=thin)
    shades = tension_colors(tension, tension_scale(tension), one_sided(drawing.system)).tolist()
    tendons = {t.name: (t, tuple(c)) for t, c in zip(robot.tendons, shades, strict=True)}
    grey, clear = to_rgba(ROLES.bar), to_rgba(ROLES.plate, 0.7)
    for item in items(drawing):
        at = item.points[0]
        if item.kind == "disk":
            radius = float(np.linalg.norm(at[1] - at[0]))
            yield disk(item.name, at[1:], DISK_RATIO * radius, clear)
        elif item.kind == "tendon":
            tendon, color = tendons[item.name]
            yield tube(item.name, distinct(at) if tendon.path else smooth(at), cable, color)
        elif item.kind == "rod":
            yield tube(item.name, smooth(at), rods[item.name], grey)
        elif len(path := distinct(at)) > 1:
            yield tube(item.name, path, thin, grey)
    for solid in drawing.solids:
        shade = to_rgba(ROLES.plate) if solid.fixed else to_rgba(ROLES.bar, 0.35)
        yield surface(near_robot(drawing, solid), drawing.size, shade)
