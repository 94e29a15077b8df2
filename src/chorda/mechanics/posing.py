"""Where frames are: positions and orientations along a motion."""

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import check_names
from chorda.mechanics.system import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import by_columns


@interruptible()
def frame_poses(
    system: System, frames: Sequence[str], q: Array, parameters: Array
) -> tuple[Array, Array]:
    """Rotations (n, k, 3, 3) and origins (n, k, 3) [m] of k frames in the world, at q (n, nq).

    parameters: (np), or (n, np) for each configuration.

    >>> import chorda
    >>> rod = chorda.assemble(chorda.load("till"))
    >>> frame_poses(rod, ["rod.tip"], rod.rest[None], rod.parameter_values)[1][0, 0].round(4) + 0
    array([0.    , 0.    , 0.7144])
    """
    n, k = len(q), len(frames)
    if not n or not k:
        return np.zeros((n, k, 3, 3)), np.zeros((n, k, 3))
    function = posing(system, frames)
    flat = by_columns(function, q.T, np.atleast_2d(parameters).T)[0].reshape(12, n, k)
    R = flat[:9].reshape(3, 3, n, k).transpose(2, 3, 1, 0)  # columns first
    return R, flat[9:].transpose(1, 2, 0)


def posing(system: System, frames: Sequence[str]) -> Any:
    """(q, p) -> rotation (9) and origin (3) of each frame, a column each."""
    check_names("frame", frames, system.robot.frames())

    def make() -> Any:
        poses = [system.frames[frame] for frame in frames]
        columns = [ca.vertcat(ca.vec(ca.densify(x.R)), ca.densify(x.p)) for x in poses]
        return system.function("frames", "q p", ca.horzcat(*columns))

    return system.once(("frames", *frames), make)
