"""export_shape: a robot's shape for other programs, as a table over time or as surfaces."""

from pathlib import Path

import numpy as np

from chorda.errors import InputError
from chorda.files import write_whole
from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Equilibrium, Run
from chorda.results.observe import observed
from chorda.view.animation import configurations
from chorda.view.drawing import make_drawing
from chorda.view.mesh_files import Motion, glb, obj
from chorda.view.shape_items import Item, items
from chorda.view.shape_meshes import parts
from chorda.view.style import checked_suffix

SUFFIXES = (".glb", ".obj", ".csv")
FPS, FEWEST_POSES, MOST_POSES = 25, 25, 3000  # poses a second of a motion, and how many there are


@interruptible()
def export_shape(result: Run | Equilibrium, path: str | Path, *, time: float | None = None) -> Path:
    """Write rods, tendons, disks and bodies as a table over time, or as surfaces.

    Surfaces include the shapes of contacts, to scale; of a half space a patch near the robot. In a
    .glb a motion plays, in real time.

    Parameters
    ----------
    result : Run or Equilibrium
        A motion or an equilibrium.
    path : str or Path
        File to write. A .csv has the columns time [s], item, index, x, y, z [m]; the first point
        of a disk is its centre, the others are its rim. An .obj or a .glb has surfaces; tendons
        in a .glb are coloured by tension (its mean, where they move), slack ones grey.
    time : float, optional
        Which configuration the surfaces show [s], the nearest that was recorded; none: all of a
        motion in a .glb, the last in an .obj.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        There is nothing to export, or the time lies outside the motion.

    See Also
    --------
    chorda.Run.to_html : a page that plays it.

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
        listed = list(items(make_drawing(result.system, q, result.parameters)))
        return write_whole(path, lambda part: _write_table(part, times, listed))
    if path.suffix.lower() == ".glb" and isinstance(result, Run) and time is None and len(q) > 1:
        at = _moments(times)
        drawing = make_drawing(result.system, configurations(result, at), result.parameters)
        found = list(parts(drawing, _mean_tension(result)))
        motion: Motion | None = Motion(at - at[0], [x.poses for x in found])
    else:
        k = _nearest(times, time)
        drawing = make_drawing(result.system, q[k : k + 1], result.parameters)
        found, motion = list(parts(drawing, _tension(result, times[k]))), None
    meshes = [x.mesh for x in found]
    if not meshes:
        name = result.system.robot.name
        raise InputError(
            f"robot: '{name}' has no rods, tendons, bars or shapes to export as surfaces"
        )
    if path.suffix.lower() == ".obj":
        return write_whole(path, lambda part: part.write_text(obj(meshes), encoding="utf-8"))
    return write_whole(path, lambda part: part.write_bytes(glb(meshes, drawing.up, motion)))


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


def _moments(times: Array) -> Array:
    """When the poses of a motion are kept [s]: FPS a second, of short motions more."""
    length = float(times[-1] - times[0])
    count = int(np.clip(round(length * FPS) + 1, FEWEST_POSES, MOST_POSES))
    return np.linspace(float(times[0]), float(times[-1]), count)


def _mean_tension(run: Run) -> Array:
    """Of each tendon over the motion [N]."""
    if not run.system.robot.tendons:
        return np.zeros(0)
    finite = np.isfinite(run.position).all(axis=1)
    return np.asarray(run.outputs["tension"][finite].mean(axis=0))


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
