"""What acts on the links besides tendons, in numbers: springs, dampers, stops, loads, forces that
are inputs; motors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.describe import Load, Motor, Robot, Spring, WrenchActuator
from chorda.mechanics import Array
from chorda.mechanics.skeleton import springs_and_dampers
from chorda.mechanics.tree import COINCIDENCE
from chorda.tendons.links import Configuration, Tree, Values, Wrenches, turn

MOTOR_PARTS = (
    *("max_torque", "max_speed", "max_current", "torque_constant"),
    *("resistance", "back_emf_constant", "max_voltage"),
)


def springs(tree: Tree, at: Configuration, outside: Wrenches) -> None:
    """Springs and dampers between points."""
    value = tree.values
    for item in springs_and_dampers(tree.robot):
        ends = (("start", item.start), ("end", item.end))
        frames = [tree.index[point.frame] for _, point in ends]
        places = [
            at[frame].at(value.place(f"{item.name}.{end}", point))
            for frame, (end, point) in zip(frames, ends, strict=True)
        ]
        d = places[1] - places[0]
        length = np.linalg.norm(d, axis=1)
        along = d / np.maximum(length, COINCIDENCE)[:, None]
        speeds = [at[frame].speed(place) for frame, place in zip(frames, places, strict=True)]
        rate = np.sum((speeds[1] - speeds[0]) * along, 1)
        pull = value.scalar(f"{item.name}.damping", item.damping or 0.0) * rate
        if isinstance(item, Spring):
            free = value.scalar(f"{item.name}.free_length", item.free_length)
            pull += value.scalar(f"{item.name}.stiffness", item.stiffness) * (length - free)
        for frame, place, sign in zip(frames, places, (1, -1), strict=True):
            outside.push(at, frame, sign * pull[:, None] * along, place)


def loads(tree: Tree, at: Configuration, inputs: Mapping[str, Array], outside: Wrenches) -> None:
    """Wrenches, constant or of the inputs by name (samples), in world axes or following."""
    for load in tree.robot.loads:
        force = tree.values.vector(f"{load.name}.force", load.force)
        moment = tree.values.vector(f"{load.name}.moment", load.moment)
        _push(tree, at, load, force, moment, outside)
    for x in tree.robot.actuators:
        if isinstance(x, WrenchActuator):
            none, both = np.zeros(len(at[0].p)), np.zeros((2, len(at[0].p), 3))
            for name, _, direction, is_moment in x.inputs():
                both[int(is_moment)] += np.outer(inputs.get(name, none), direction)
            _push(tree, at, x, both[0], both[1], outside)


def _push(
    tree: Tree,
    at: Configuration,
    item: Load | WrenchActuator,
    force: Array,
    moment: Array,
    outside: Wrenches,
) -> None:
    frame = tree.index[item.at.frame]
    back = at[frame].R.transpose(0, 2, 1)
    force, moment = (np.broadcast_to(x, (len(back), 3)) for x in (force, moment))
    if item.follows:
        force = turn(at[frame].R, force)
    else:
        moment = turn(back, moment)
    place = at[frame].at(tree.values.place(f"{item.name}.at", item.at))
    outside.push(at, frame, force, place)
    outside.N[frame] += moment


def stop_push(stop: tuple[float, ...], q: Array, v: Array) -> Array:
    """Force of a stop (low, high, stiffness, damping, smoothing) along the coordinate."""
    low, high, k, d, w = stop
    push = np.zeros_like(q)
    for way, r in ((1, q - high), (-1, low - q)):
        x = np.clip(r / w, 0, 1) if w else 1.0 * (r > 0)
        s = w * (x**3 - x**4 / 2) + np.maximum(r - w, 0)
        push -= way * np.maximum(k * s + d * x**2 * (3 - 2 * x) * way * v, 0)
    return push


@dataclass(frozen=True)
class DryLaw:
    """Dry friction in numbers."""

    kind: str
    level: float
    slope: float
    breakaway: float
    stribeck_rate: float
    deflection: float
    damping: float
    arm: float  # friction per newton of load [m or -]

    def torque(self, rate: Array, bent: Array | None = None, load: Array | float = 0.0) -> Array:
        """What opposes the rate [N m or N]; bent: by how much bristles are, where it has some;
        load: of the bearing [N]."""
        steps = {
            "sign": np.sign(rate),
            "arctan": 2 / np.pi * np.arctan(self.slope * rate),
            "tanh": np.tanh(self.slope * rate),
        }
        fallen = np.exp(-((rate / self.stribeck_rate) ** 2))
        sliding = self.level + (self.breakaway - self.level) * fallen
        if bent is None:
            return (sliding + self.arm * load) * steps[self.kind]
        share = self.breakaway * bent / self.deflection
        bending = self.damping * (rate - np.abs(rate) * share / sliding)
        return share + self.arm * load * bent / self.deflection + bending


def dry_law(name: str, law: Any, values: Values) -> DryLaw | None:
    """Of a described law."""
    if law is None:
        return None
    level = values.scalar(f"{name}.dry_{law.LEVEL}", law.level)
    most = level if law.breakaway is None else law.breakaway
    return DryLaw(
        law.kind,
        level,
        values.scalar(f"{name}.dry_slope", law.slope),
        values.scalar(f"{name}.dry_breakaway", most),
        values.scalar(f"{name}.dry_stribeck_rate", law.stribeck_rate or 1.0),
        values.scalar(f"{name}.dry_deflection", law.deflection or 1.0),
        values.scalar(f"{name}.dry_damping", law.damping or 0.0),
        values.scalar(f"{name}.dry_coefficient", law.coefficient or 0.0)
        * values.scalar(f"{name}.dry_pin_radius", getattr(law, "pin_radius", None) or 1.0),
    )


@dataclass(frozen=True)
class Rotor:
    """A motor in numbers; pay is what it pays out, metres per radian."""

    name: str
    inertia: float
    pay: float
    viscous: float
    dry: DryLaw | None
    parts: dict[str, float]  # limits, and resistance and constants of a winding, by field

    def torque(self, asked: Array, rate: Array) -> Array:
        """That acts for an input, a torque or a voltage, within the limits [N m]."""
        x, none = self.parts, np.inf
        k = x.get("torque_constant", none)
        most = min(x.get("max_torque", none), k * x.get("max_current", none))
        if "resistance" in x:
            voltage = np.clip(asked, -x.get("max_voltage", none), x.get("max_voltage", none))
            torque = k * (voltage - x.get("back_emf_constant", k) * rate) / x["resistance"]
            return np.asarray(np.clip(torque, -most, most))
        if "max_speed" not in x:
            return np.asarray(np.clip(asked, -most, most))
        ahead, back = (np.clip(1 + way * rate / x["max_speed"], 0, 1) for way in (-1, 1))
        return np.asarray(np.clip(asked, -most * back, most * ahead))

    def friction(self, rate: Array, bent: Array | None = None) -> Array:
        """Torque that opposes the rate, viscous and dry [N m]."""
        viscous = self.viscous * rate
        return viscous if self.dry is None else viscous + self.dry.torque(rate, bent)


def motors(robot: Robot, values: Values) -> list[Rotor]:
    """The robot's motors in the order of its actuators."""
    out = []
    for x in (d for d in robot.actuators if isinstance(d, Motor)):
        get = values.scalar
        radius = get(f"{x.name}.drum_radius", x.drum_radius)
        out.append(
            Rotor(
                x.name,
                get(f"{x.name}.inertia", x.inertia),
                radius / get(f"{x.name}.gear_ratio", x.gear_ratio),
                get(f"{x.name}.friction", x.friction or 0.0),
                dry_law(x.name, x.dry_friction, values),
                _parts(x, values),
            )
        )
    return out


def _parts(motor: Motor, values: Values) -> dict[str, float]:
    """Limits of a motor, and numbers of its winding, those that it has."""
    found: dict[str, float] = {}
    for record, name in ((motor, motor.name), (motor.winding, f"{motor.name}.winding")):
        for field in MOTOR_PARTS:
            if (value := getattr(record, field, None)) is not None:
                found[field] = values.scalar(f"{name}.{field}", value)
    return found
