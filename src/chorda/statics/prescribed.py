"""What is prescribed at rest, and what is actuated for it.

Any choice makes a problem: coordinates that are held, efforts of joints, places and orientations of
frames. Each takes something that is actuated: a joint, whose effort is whatever it takes; or a
setting, an input or a parameter (the length of a leg, say), whose value is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown

AXES = "xyz"
ROTATION = "rotation"
Place = Mapping[str, Any]  # x, y, z [m]; rotation: a matrix, or a quaternion (w, x, y, z)
Places = Mapping[str, Place]


@dataclass(frozen=True)
class Layout:
    """Names of what is prescribed, in the order of the targets, and of what is actuated."""

    held: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()  # of joints; and settings, whose values are given
    axes: tuple[tuple[str, str], ...] = ()  # frame, axis
    turned: tuple[str, ...] = ()  # frames
    actuated: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()  # those of the actuated that are no joints

    @property
    def moved(self) -> tuple[str, ...]:
        """Joints whose effort is whatever it takes."""
        fixed = {*self.efforts, *self.settings}
        return tuple(name for name in self.actuated if name not in fixed)

    @property
    def frames(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*(frame for frame, _ in self.axes), *self.turned)))

    @property
    def targets(self) -> int:
        """Numbers in a row of targets: a rotation has nine."""
        return len(self.held) + len(self.efforts) + len(self.axes) + 9 * len(self.turned)

    @property
    def parts(self) -> tuple[str, ...]:
        """A name for each thing that is prescribed."""
        return (
            *(f"hold.{name}" for name in self.held),
            *(f"{'hold' if x in self.settings else 'efforts'}.{x}" for x in self.efforts),
            *(f"place.{frame}.{axis}" for frame, axis in self.axes),
            *(f"place.{frame}.{ROTATION}" for frame in self.turned),
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number in a row of targets."""
        entries = [f"{f}.{ROTATION}{i}{j}" for f in self.turned for j in range(3) for i in range(3)]
        efforts = [x if x in self.settings else f"{x}.effort" for x in self.efforts]
        return (*self.held, *efforts, *(f"{f}.{axis}" for f, axis in self.axes), *entries)


@dataclass(frozen=True)
class Prescribable:
    """Names that a prescription may use; rotation_rows: values that a rotation counts as."""

    joints: tuple[str, ...]
    frames: tuple[str, ...]
    settings: tuple[str, ...] = ()
    rotation_rows: int = 3


def prescribe(
    system: System,
    hold: Mapping[str, Any] | None,
    place: Places | None,
    efforts: Mapping[str, Any] | None,
    actuated: Sequence[str] | None,
) -> tuple[Layout, list[Any]]:
    """The layout, and a value or a series of them for each of its parts; rotations are matrices."""
    others = settings(system)
    names = Prescribable(tuple(actuatable(system)), system.robot.frames(), tuple(others))
    layout, values = parsed(names, hold, place, efforts, actuated)
    for name, value in zip(layout.efforts, values[len(layout.held) :], strict=False):
        if name in others and others[name][0] == "p":  # refuses what a parameter cannot be
            for extreme in (value.min(), value.max()):
                system.parameters({name: float(extreme)})
    return layout, values


def parsed(
    names: Prescribable,
    hold: Mapping[str, Any] | None,
    place: Places | None,
    efforts: Mapping[str, Any] | None,
    actuated: Sequence[str] | None,
) -> tuple[Layout, list[Any]]:
    """The same from names alone."""
    for what, value in {"hold": hold, "place": place, "efforts": efforts}.items():
        if value is not None and not isinstance(value, Mapping):
            raise InputError(
                f"{what}: expected a mapping such as {{'motor1': 0.1}}, got {value!r:.60}"
            )
    if isinstance(actuated, str):
        raise InputError(
            f"actuated: expected a list of names, such as ['{actuated}'], got '{actuated}'"
        )
    hold, place, efforts = dict(hold or {}), dict(place or {}), dict(efforts or {})
    if twice := [name for name in actuated or () if list(actuated or ()).count(name) > 1]:
        raise InputError(f"actuated: '{twice[0]}' is named twice; keep one")
    joints, others = names.joints, names.settings
    for what, chosen, known in (
        ("hold", hold, (*joints, *others)),
        ("efforts", efforts, joints),
        ("actuated", actuated or (), (*joints, *others)),
    ):
        for name in chosen:
            if name not in known:
                raise InputError(unknown(what, str(name), known))
    if both := [name for name in efforts if name in hold]:
        raise InputError(f"efforts.{both[0]}: is held; its effort follows, leave one of them out")
    fixed = {name: hold.pop(name) for name in [*hold] if name in others}
    axes, turned, values = list[tuple[str, str]](), list[str](), list[Any]()
    rotations = []
    for frame, where in place.items():
        if frame not in names.frames:
            raise InputError(unknown("place", frame, names.frames))
        if not isinstance(where, Mapping):
            raise InputError(
                f"place.{frame}: expected a mapping such as {{'x': 0.1}}, got {where!r:.60}"
            )
        for axis, value in where.items():
            if axis == ROTATION:
                turned.append(frame)
                rotations.append(rotation(f"place.{frame}.{axis}", value))
            elif axis in AXES:
                axes.append((frame, axis))
                values.append(numbers(f"place.{frame}.{axis}", value))
            else:
                raise InputError(
                    f"place.{frame}: '{axis}' is no axis; expected x, y, z or {ROTATION}"
                )
    count = len(hold) + len(axes) + names.rotation_rows * len(turned)
    wanted = tuple(hold) if actuated is None else tuple(actuated)
    wanted = tuple(name for name in wanted if name not in efforts and name not in fixed)
    if len(set(wanted)) != count:
        raise InputError(
            f"actuated: {count} values are held or placed, expected as many coordinates that are "
            f"actuated for it, got {len(set(wanted))} ({', '.join(wanted) or 'none'}); "
            + ("leave some out" if len(set(wanted)) > count else "name more, or place less")
        )
    actuated = (*wanted, *efforts, *fixed)
    layout = Layout(
        held=tuple(hold),
        efforts=(*efforts, *fixed),
        axes=tuple(axes),
        turned=tuple(turned),
        actuated=actuated,
        settings=tuple(name for name in actuated if name in others),
    )
    first = [numbers(f"hold.{k}", x) for k, x in hold.items()]
    first += [numbers(f"efforts.{k}", x) for k, x in efforts.items()]
    first += [numbers(f"hold.{k}", x) for k, x in fixed.items()]
    return layout, [*first, *values, *rotations]


def actuatable(system: System) -> dict[str, int]:
    """Coordinates that are a rate's integral, with their rows of v."""
    rows = {name.removesuffix(".rate"): k for k, (name, _) in enumerate(system.velocities)}
    return {name: rows[name] for name in system.coordinate_names if name in rows}


def settings(system: System) -> dict[str, tuple[str, int]]:
    """Inputs and parameters by name, with where they stand in u or p."""
    found = {name: ("p", k) for k, name in enumerate(system.parameter_names)}
    found |= {name: ("u", k) for k, name in enumerate(system.given)}
    joints = actuatable(system)
    return {name: place for name, place in found.items() if name not in joints}


def set_to(system: System, layout: Layout, tau: Array, u: Array, p: Array) -> tuple[Array, Array]:
    """Inputs and parameters with the values of the settings."""
    where, given = settings(system), {"u": u.copy(), "p": p.copy()}
    for name, value in zip(layout.actuated, tau, strict=True):
        if name in layout.settings:
            kind, k = where[name]
            given[kind][k] = value
    return given["u"], given["p"]


def numbers(where: str, value: Any) -> Array:
    """A finite number, or a series of them."""
    if isinstance(value, str | bool):
        raise InputError(f"{where}: expected a finite number, got {value!r:.60}")
    found = numeric(where, value)
    if found.ndim > 1 or not np.all(np.isfinite(found)) or not found.size:
        raise InputError(f"{where}: expected a finite number, got {value!r:.60}")
    return found


def rotation(where: str, value: Any) -> Array:
    """A rotation matrix (or many) from one, or from a quaternion (w, x, y, z)."""
    R = numeric(where, value)
    if R.shape[-1:] == (4,):
        if not np.all(np.abs(np.linalg.norm(R, axis=-1) - 1) < 1e-6):
            raise InputError(f"{where}: expected a quaternion of length 1, got {value!r:.60}")
        w, x, y, z = np.moveaxis(R / np.linalg.norm(R, axis=-1, keepdims=True), -1, 0)
        rows = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        return np.stack([np.stack(row, -1) for row in rows], -2)
    if R.shape[-2:] != (3, 3):
        raise InputError(
            f"{where}: expected a rotation matrix (3 x 3) or a quaternion (w, x, y, z), got an "
            f"array of shape {R.shape}"
        )
    if not np.allclose(np.swapaxes(R, -1, -2) @ R, np.eye(3), atol=1e-6) or not np.all(
        np.linalg.det(R) > 0
    ):
        raise InputError(
            f"{where}: expected a rotation matrix, its columns are not right-handed "
            "unit vectors at right angles"
        )
    return R


def row(values: Sequence[Array]) -> Array:
    """Values of one configuration as a row of targets; rotations column by column."""
    parts = [x.T.ravel() if x.ndim == 2 else np.atleast_1d(x) for x in values]
    return np.concatenate(parts) if parts else np.zeros(0)


def single(layout: Layout, values: Sequence[Array]) -> Sequence[Array]:
    """Values of one configuration, where a series is not meant."""
    for name, x in zip(layout.parts, values, strict=True):
        if x.ndim not in (0, 2):
            raise InputError(
                f"{name}: expected one value, got {len(x)}; chorda.follow goes along many"
            )
    return values
