"""What is held, placed and actuated: the same words as those of chorda.equilibrium."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.continuous.assembly.rigid import RigidParts
from chorda.errors import InputError
from chorda.mechanics import Array, numeric, unknown

AXES = "xyz"
Places = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Given:
    """held: values by joint. placed: (frame, axis, value), or (frame, "rotation", matrix).
    actuated: joints whose effort is whatever it takes."""

    held: Mapping[str, float]
    placed: tuple[tuple[str, str, Any], ...]
    actuated: tuple[str, ...]


def given(
    rigid: RigidParts,
    hold: Mapping[str, float] | None,
    place: Places | None,
    actuated: Sequence[str] | None,
) -> Given:
    """Checked, in the user's words."""
    joints = tuple(joint.name for joint in rigid.structure.axes)
    held = {name: finite(f"hold.{name}", value) for name, value in (hold or {}).items()}
    placed = tuple(
        (frame, axis, _target(rigid, frame, axis, value))
        for frame, wanted in (place or {}).items()
        for axis, value in wanted.items()
    )
    chosen = tuple(held) if actuated is None else tuple(actuated)
    for what, names in (("hold", held), ("actuated", chosen)):
        for name in names:
            if name not in joints:
                raise InputError(unknown(what, str(name), joints))
    turns = 1 if rigid.structure.planar else 3
    count = len(held) + sum(turns if axis == "rotation" else 1 for _, axis, _ in placed)
    if len(chosen) != count:
        raise InputError(
            f"actuated: {count} values are held or placed, expected as many joints that are "
            f"actuated "
            f"for it, got {len(chosen)} ({', '.join(chosen) or 'none'})"
        )
    return Given(held, placed, chosen)


def _target(rigid: RigidParts, frame: str, axis: str, value: Any) -> Any:
    if frame not in rigid.frames:
        raise InputError(unknown("place", frame, rigid.frames))
    if axis == "rotation":
        R = numeric(f"place.{frame}.rotation", value)
        if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-9):
            raise InputError(
                f"place.{frame}.rotation: expected a rotation matrix (3, 3), got {value!r:.60}"
            )
        return R
    if axis not in AXES:
        raise InputError(
            f"place.{frame}: '{axis}' is no axis; expected x, y or z, or rotation with a matrix"
        )
    return finite(f"place.{frame}.{axis}", value)


def finite(where: str, value: float) -> float:
    """A number, or the sentence that says what else it was."""
    number = numeric(where, value)
    if number.ndim or not np.isfinite(number):
        raise InputError(f"{where}: expected a finite number, got {value!r:.60}")
    return float(number)


def turn_between(R: Array, target: Array) -> Array:
    """The turn from the target to R: a vector in world axes."""
    return np.asarray(Rotation.from_matrix(R @ target.T).as_rotvec())
