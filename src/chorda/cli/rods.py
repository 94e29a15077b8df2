"""What commands say of rods: where their tips are, and what they are made of."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.cli.output import number
from chorda.describe import STRAINS, Rod

if TYPE_CHECKING:
    from chorda.mechanics import Array, System

Row = tuple[str, ...]
HEADER = ("name", "length", "section", "Young's modulus", "mass", "modes", "disks")


def has_rods(system: "System") -> bool:
    return any(isinstance(joint, Rod) for joint in system.robot.joints)


def strains(system: "System") -> frozenset[str]:
    """Names of coordinates that are strains: there are many, and they tell a person little."""
    if not has_rods(system):
        return frozenset()
    from chorda.view.frames import strains_of

    return frozenset(strains_of(system))


def tips(system: "System", q: "Array", p: "Array") -> dict[str, tuple["Array", "Array"]]:
    """By frame (rod.tip): orientations (n, 3, 3) and positions (n, 3) [m] at configurations (n,
    nq)."""
    if not has_rods(system):
        return {}
    from chorda.mechanics.posing import frame_poses
    from chorda.view.frames import tips_of

    frames = tips_of(system)
    R, at = frame_poses(system, frames, q, p)
    return {frame: (R[:, k], at[:, k]) for k, frame in enumerate(frames)}


def tip_data(system: "System", q: "Array", p: "Array") -> dict[str, Any]:
    """Tips at one configuration, for JSON: position [m], tangent, quaternion (w, x, y, z)."""
    return {
        frame: {"position": at[0], "tangent": R[0][:, 0], "quaternion": _quaternion(R[0])}
        for frame, (R, at) in tips(system, q[None], p).items()
    }


def tip_rows(system: "System", q: "Array", p: "Array") -> list[Row]:
    rows: list[Row] = []
    for frame, (R, at) in tips(system, q[None], p).items():
        rows += [
            (f"{frame} {axis}", f"{number(x)} m") for axis, x in zip("xyz", at[0], strict=True)
        ]
        tangent = zip("xyz", R[0][:, 0], strict=True)
        rows += [(f"{frame} tangent {axis}", f"{number(x)} -") for axis, x in tangent]
    return rows


def _quaternion(R: "Array") -> "Array":
    """Of a rotation matrix; w >= 0."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat(canonical=True)
    return np.array([w, x, y, z])


def rod_rows(robot: Any) -> list[Row]:
    return [_row(joint) for joint in robot.joints if isinstance(joint, Rod)]


def _row(rod: Rod) -> Row:
    parts = max(len(rod.modes.breaks) + 1, 1)
    modes = {s: getattr(rod.modes, s) for s in STRAINS}
    text = ", ".join(f"{name} {count}" for name, count in modes.items() if count)
    text += f"; {rod.modes.basis}" + (f", on each of {parts} parts" if parts > 1 else "")
    return (
        rod.name,
        f"{number(rod.length)} m",
        _section(rod),
        f"{number(rod.young_modulus)} Pa",
        f"{number(_mass(rod))} kg",
        text,
        str(len(rod.disks)),
    )


def _section(rod: Rod) -> str:
    section = rod.section
    if section.kind == "rectangle":
        text = f"{number(section.width)} m (y) by {number(section.height)} m (z)"
    elif section.kind == "tube":
        text = f"tube, radius {number(section.inner_radius)} to {number(section.radius)} m"
    else:
        text = f"circle, radius {number(section.radius)} m"
    return text if rod.taper is None else f"{text}; at the tip {number(rod.taper)} times that"


def _mass(rod: Rod) -> float:
    """Of the rod without its disks [kg]."""
    section = rod.section
    if section.kind == "rectangle":
        area = section.width * section.height
    else:
        hole = section.inner_radius if section.kind == "tube" else 0.0
        area = np.pi * (section.radius**2 - hole**2)
    c = 1.0 if rod.taper is None else rod.taper
    return float(rod.density * rod.length * area * (1 + c + c * c) / 3)


def sheath_text(sheath: Any) -> str:
    """Where a tendon lies in a rod.

    >>> from chorda.describe import Sheath
    >>> sheath_text(Sheath(rod="rod", y=0.008, turns=1.0))
    'in rod at y 0.008, z 0 m, 1 turn'
    """

    def offset(values: tuple[float, ...]) -> str:
        if len(values) == 1:
            return number(values[0])
        return "[" + ", ".join(number(x) for x in values) + "]"

    text = f"in {sheath.rod} at y {offset(sheath.y)}, z {offset(sheath.z)} m"
    if sheath.turns:
        text += f", {number(sheath.turns)} turn{'s' * (abs(sheath.turns) != 1)}"
    if sheath.start or sheath.end is not None:
        end = "the tip" if sheath.end is None else f"{number(sheath.end)} m"
        text += f", from {number(sheath.start)} m to {end}"
    return text


def in_short(names: Iterable[tuple[str, str]]) -> list[str]:
    """Names with units; those that are numbered, one after the other, as one.

    >>> in_short([("rod.bend_y0", "rad/m"), ("rod.bend_y1", "rad/m"), ("x1", "rad")])
    ['rod.bend_y0 to 1 [rad/m]', 'x1 [rad]']
    """
    runs: list[list[tuple[str, str, str]]] = []
    for name, unit in names:
        match = re.fullmatch(r"(.*?)([0-9]+)", name)
        stem, index = (match[1], match[2]) if match and "." in name else (name, "")
        if index and runs and runs[-1][-1][::2] == (stem, unit):
            runs[-1].append((stem, index, unit))
        else:
            runs.append([(stem, index, unit)])
    return [
        f"{first[0]}{first[1]}" + (f" to {run[-1][1]}" if len(run) > 1 else "") + f" [{first[2]}]"
        for run in runs
        for first in run[:1]
    ]
