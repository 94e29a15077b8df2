"""From a user's words to a prescription: the one place where they are read and checked.

Everything becomes one of four: what is held (coordinates, inputs, parameters), efforts, tensions,
poses. Motor angles are held coordinates. Tensions of tendons that do not stretch, or whose
actuator sets a tension, are values of their actuators' inputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from chorda.checks import check_names, mapping, name_list, numeric, unit_quaternion
from chorda.describe import JointMotion, Motor, Winch
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.motor_limits import input_per_torque
from chorda.mechanics.prescription import AXES, ROTATION, Prescription
from chorda.mechanics.tensioning import gain, refuse_pushing, refuse_pushing_inputs

Values = float | Sequence[float] | Array | Mapping[str, Any]
Poses = Mapping[str, Mapping[str, Any]]  # frame: x, y, z [m]; rotation: a matrix or (w, x, y, z)
COORDINATE, INPUT, PARAMETER = "q", "u", "p"


@dataclass(frozen=True)
class Names:
    """What a prescription may name; rotation_rows: values that a rotation counts as."""

    joints: tuple[str, ...]
    frames: tuple[str, ...]
    settings: tuple[str, ...] = ()
    rotation_rows: int = 3


@dataclass
class Request:
    """What is prescribed, by name, with a value or a series of them each.

    A motor on elastic tendons has a coordinate and an input of one name: the first is held in
    `hold`, the second given in `inputs`, which is its effort.
    """

    hold: dict[str, Any] = field(default_factory=dict)
    efforts: dict[str, Any] = field(default_factory=dict)
    tensions: dict[str, Any] = field(default_factory=dict)
    poses: dict[str, dict[str, Any]] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)

    def given(self, wound: Mapping[str, str | None]) -> set[str | None]:
        """Coordinates and actuators for which there is something; wound: actuators by tendon."""
        return {*self.hold, *self.efforts, *self.inputs, *(wound[name] for name in self.tensions)}

    def over(self, before: "Request", system: System) -> "Request":
        """With what was prescribed before and still holds beside this."""
        wound = {t.name: t.actuator for t in system.robot.tendons}
        mine = self.given(wound)
        tensions = {k: x for k, x in before.tensions.items() if wound[k] not in mine}
        taken = {*mine, *(wound[name] for name in tensions)}
        poses = {frame: dict(where) for frame, where in before.poses.items()}
        for frame, where in self.poses.items():
            poses[frame] = poses.get(frame, {}) | where
        return Request(
            {k: x for k, x in before.hold.items() if k not in taken} | self.hold,
            {k: x for k, x in before.efforts.items() if k not in taken} | self.efforts,
            tensions | self.tensions,
            poses,
            self.inputs,
        )


def coordinate_rows(system: System) -> dict[str, int]:
    """Coordinates that are a velocity's integral, with their rows of v."""

    def make() -> dict[str, int]:
        rows = {name.removesuffix(".rate"): k for k, (name, _) in enumerate(system.velocities)}
        return {name: rows[name] for name in system.coordinate_names if name in rows}

    found: dict[str, int] = system.once("coordinate-rows", make)
    return found


def settings(system: System) -> dict[str, tuple[str, int]]:
    """Inputs and parameters by name, with where they are in u or p."""

    def make() -> dict[str, tuple[str, int]]:
        found = {name: (PARAMETER, k) for k, name in enumerate(system.parameter_names)}
        found |= {name: (INPUT, k) for k, name in enumerate(system.given)}
        joints = coordinate_rows(system)
        return {name: where for name, where in found.items() if name not in joints}

    found: dict[str, tuple[str, int]] = system.once("settings", make)
    return found


def read(
    system: System,
    p: Array,
    *,
    hold: Mapping[str, Any] | None = None,
    poses: Poses | None = None,
    efforts: Mapping[str, Any] | None = None,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
) -> Request:
    """The request that the arguments of a verb make; inputs and torques are held values."""
    request = read_names(names_of(system), hold, poses, efforts)
    given = {"tensions": tensions, "angles": angles, "torques": torques, "inputs": inputs}
    chosen = [name for name, value in given.items() if value is not None]
    if not all(isinstance(given[name], Mapping) for name in chosen) and len(chosen) > 1:
        raise InputError(
            f"{' and '.join(chosen)}: expected values by name where several are given, such as "
            f"{chosen[0]}={{name: value}}"
        )
    if torques is not None:
        if no := [i.name for i in system.inputs if i.kind not in ("motor", "wrench")]:
            raise InputError(f"torques: {', '.join(no)} are no motors; give inputs instead")
        asked = by_name("torques", torques, system.commanded)
        request.inputs |= {k: x * input_per_torque(system, k, p) for k, x in asked.items()}
    if inputs is not None:
        if not isinstance(inputs, Mapping) and np.shape(inputs) == (system.nu,):
            inputs = np.asarray(inputs)[: len(system.given)]  # rates are zero at rest
        known, commanded = system.given, system.commanded
        if not isinstance(inputs, Mapping) and np.size(inputs) in (1, len(commanded)):
            known = commanded or known  # forces on frames are zero
        request.inputs |= by_name("inputs", inputs, known)
    refuse_pushing_inputs(system.robot, request.inputs)
    refuse_pushing_inputs(system.robot, request.hold, "hold")
    for x in system.robot.actuators:
        if isinstance(x, JointMotion) and x.joint in request.hold:
            raise InputError(
                f"hold.{x.joint}: '{x.name}' prescribes its motion; give inputs={{'{x.name}': "
                "value} instead"
            )
    if angles is not None:
        request.hold |= _angles(system, angles)
    if tensions is not None:
        _add_tensions(system, request, tensions, p)
    twice = [name for name in request.inputs if name in {*request.hold, *request.efforts}]
    if twice:
        raise InputError(f"inputs.{twice[0]}: is held or has a given effort; leave one out")
    return request


def names_of(system: System) -> Names:
    """Coordinates, frames, inputs and parameters of a system."""
    joints, others = coordinate_rows(system), settings(system)
    return Names(tuple(joints), system.robot.frames(), tuple(others))


def read_names(
    names: Names,
    hold: Mapping[str, Any] | None,
    poses: Poses | None,
    efforts: Mapping[str, Any] | None,
) -> Request:
    """What is held, posed and given as an effort, from names alone."""
    request = Request()
    for what, values, known in (
        ("hold", hold, (*names.joints, *names.settings)),
        ("efforts", efforts, names.joints),
    ):
        values = mapping(what, values, "{'motor1': 0.1}")
        check_names(what, values, known)
        for name, value in values.items():
            getattr(request, what)[name] = numbers(f"{what}.{name}", value)
    for name in request.efforts:
        if name in request.hold:
            raise InputError(f"efforts.{name}: is held, and its effort follows; leave one out")
    for frame, where in mapping("poses", poses, "{'tip': {'x': 0.1}}").items():
        request.poses[frame] = _pose(names.frames, frame, where)
    return request


def by_name(what: str, values: Values, names: tuple[str, ...]) -> dict[str, Array]:
    """One number for all, a list in order, or a mapping; the names that are left out too."""
    if isinstance(values, Mapping):
        check_names(what, values, names)
        found = {name: numeric(what, value) for name, value in values.items()}
        for name, x in found.items():
            if x.ndim > 1 or not x.size:
                raise InputError(
                    f"{what}.{name}: expected a number or a series of them, got an array of shape "
                    f"{x.shape}"
                )
    else:
        column = numeric(what, values)
        if column.ndim == 0:
            column = np.full(len(names), float(column))
        if column.ndim != 1 or len(column) != len(names):
            raise InputError(
                f"{what}: expected {len(names)} values ({', '.join(names)}), got {column.size}"
            )
        found = dict(zip(names, column, strict=True))
    if not all(np.all(np.isfinite(x)) for x in found.values()):
        raise InputError(f"{what}: expected finite numbers, got NaN or infinity")
    return {name: np.asarray(x, float) for name, x in found.items()}


def _angles(system: System, angles: Values) -> dict[str, Array]:
    motors = tuple(c.name for c in system.coordinates if c.kind == "motor")
    if not motors:
        raise InputError(
            "angles: this system has no motor coordinates (rigid tendons tie them to the joints); "
            "give torques or tensions, or assemble with tendons='elastic'"
        )
    return by_name("angles", angles, motors)


def _add_tensions(system: System, request: Request, tensions: Values, p: Array) -> None:
    """Tensions as such where a tendon stretches, else as what its actuator's input must be."""
    tendons = {t.name: t for t in system.robot.tendons}
    if not tendons:
        raise InputError("tensions: this robot has no tendons; give inputs, or nothing")
    actuated = tuple(name for name, t in tendons.items() if t.actuator is not None)
    known = tuple(tendons) if isinstance(tensions, Mapping) else actuated
    wanted = by_name("tensions", tensions, known)
    if passive := [name for name in wanted if tendons[name].actuator is None]:
        raise InputError(
            f"tensions.{passive[0]}: no actuator pulls it, its tension follows from its law; leave "
            "it out"
        )
    stretch = dict(zip(tendons, system.tendons.elastic, strict=True))
    actuators = {a.name: a for a in system.robot.actuators}
    by_torque: dict[str, Any] = {}
    fixed = []
    for name, value in wanted.items():
        tendon = tendons[name]
        refuse_pushing(tendon, value, "tensions")
        actuator = actuators[tendon.actuator or ""]
        if actuator.name in {*request.hold, *request.inputs, *request.efforts}:
            raise InputError(f"tensions.{name}: {actuator.name} is given already; leave one out")
        if stretch[name]:
            request.tensions[name] = value
        elif isinstance(actuator, Motor):
            pulled = -tendon.winding * gain(system, actuator.name, p) * value
            pulled = pulled * input_per_torque(system, actuator.name, p)
            by_torque[actuator.name] = by_torque.get(actuator.name, 0.0) + pulled
        elif isinstance(actuator, Winch):
            fixed.append(name)
        elif not np.array_equal(by_torque.setdefault(actuator.name, value), value):
            raise InputError(f"tensions.{name}: {actuator.name} pulls others too, with {value}")
    if fixed:
        raise InputError(
            f"tensions: {', '.join(fixed)} have a given length and do not stretch, so that their "
            "tension follows; give inputs, or assemble with tendons='elastic'"
        )
    request.inputs |= by_torque


def missing(system: System, request: Request) -> list[str]:
    """Tendons with an actuator that a request with tensions leaves without anything given."""
    winds = {t.name: t.actuator for t in system.robot.tendons if t.actuator is not None}
    known = request.given(winds)
    return [name for name, actuator in winds.items() if actuator not in known]


def _pose(frames: tuple[str, ...], frame: str, where: Any) -> dict[str, Any]:
    check_names("poses", [frame], frames)
    found = {}
    for axis, value in mapping(f"poses.{frame}", where, "{'x': 0.1}").items():
        if axis == ROTATION:
            found[axis] = rotation(f"poses.{frame}.{axis}", value)
        elif axis in AXES:
            found[axis] = numbers(f"poses.{frame}.{axis}", value)
        else:
            raise InputError(f"poses.{frame}: '{axis}' is no axis; expected x, y, z or {ROTATION}")
    return found


def prescribe(
    system: System, request: Request, actuated: Sequence[str] | None, p: Array | None = None
) -> tuple[Prescription, list[Array]]:
    """The prescription, and a value or a series for each of its parts; rotations are matrices.

    actuated: names of what is actuated for held coordinates and poses; else those that are held.
    p: parameters, with which voltages of motors with an angle of their own are efforts.
    """
    others = settings(system)
    if p is not None:
        motors = [x for x in request.inputs if x in coordinate_rows(system)]
        torques = {x: request.inputs[x] / input_per_torque(system, x, p) for x in motors}
        request = replace(request, inputs=request.inputs | torques)
    where = {t.name: t.actuator or "" for t in system.robot.tendons}
    winders = tuple(where[name] for name in request.tensions)
    winders = tuple("" if x in winders[:k] else x for k, x in enumerate(winders))
    found, values = prescribe_names(names_of(system), request, actuated, winders)
    for name, value in zip(
        found.values, values[len(found.held) + len(found.efforts) :], strict=False
    ):
        if others[name][0] == PARAMETER:  # refuses what a parameter cannot be
            for extreme in (np.min(value), np.max(value)):
                system.parameters({name: float(extreme)})
    return found, values


def prescribe_names(
    names: Names,
    request: Request,
    actuated: Sequence[str] | None,
    winders: tuple[str, ...] = (),
) -> tuple[Prescription, list[Array]]:
    """The same from names alone; winders: actuators of the tendons with a given tension."""
    joints, others = names.joints, names.settings
    chosen = _checked_actuated(actuated, (*joints, *others))
    efforts = request.efforts | {k: x for k, x in request.inputs.items() if k in joints}
    held = {k: x for k, x in request.hold.items() if k in joints}
    fixed = {k: x for k, x in (request.hold | request.inputs).items() if k not in joints}
    positions = {(f, a): x for f, at in request.poses.items() for a, x in at.items() if a in AXES}
    rotations = {f: at[ROTATION] for f, at in request.poses.items() if ROTATION in at}
    count = len(held) + len(positions) + names.rotation_rows * len(rotations)
    wanted = tuple(held) if chosen is None else chosen
    wanted = tuple(n for n in wanted if n not in {*efforts, *fixed, *winders})
    if len(wanted) != count:
        raise InputError(
            f"actuated: {count} values are held or posed, expected as many names that are actuated "
            f"for them, got {len(wanted)} ({', '.join(wanted) or 'none'}); "
            + ("leave some out" if len(wanted) > count else "name more, or prescribe less")
        )
    wanted = (*wanted, *(x for x in winders if x))
    made = Prescription(
        held=tuple(held),
        efforts=tuple(efforts),
        values=tuple(fixed),
        tensions=tuple(request.tensions),
        positions=tuple(positions),
        rotations=tuple(rotations),
        actuated=wanted,
        free_values=tuple(name for name in wanted if name in others),
        winders=winders,
    )
    groups = (held, efforts, fixed, request.tensions, positions, rotations)
    return made, [np.asarray(x, float) for group in groups for x in group.values()]


def _checked_actuated(
    actuated: Sequence[str] | None, known: tuple[str, ...]
) -> tuple[str, ...] | None:
    if actuated is None:
        return None
    actuated = name_list("actuated", actuated)
    check_names("actuated", actuated, known)
    for name in actuated:
        if actuated.count(name) > 1:
            raise InputError(f"actuated: '{name}' is named twice; keep one")
    return actuated


def parts(prescription: Prescription) -> tuple[str, ...]:
    """For each thing that is prescribed, the argument that it came in."""
    return (
        *(f"hold.{name}" for name in prescription.held),
        *(f"efforts.{name}" for name in prescription.efforts),
        *(f"hold.{name}" for name in prescription.values),
        *(f"tensions.{name}" for name in prescription.tensions),
        *(f"poses.{frame}.{axis}" for frame, axis in prescription.positions),
        *(f"poses.{frame}.{ROTATION}" for frame in prescription.rotations),
    )


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
    from scipy.spatial.transform import Rotation

    R = numeric(where, value)
    if R.shape[-1:] == (4,):
        unit = unit_quaternion(where, R)
        return np.asarray(Rotation.from_quat(unit[..., [1, 2, 3, 0]]).as_matrix())
    if R.shape[-2:] != (3, 3):
        raise InputError(
            f"{where}: expected a rotation matrix (3 x 3) or a quaternion (w, x, y, z), got an "
            f"array of shape {R.shape}"
        )
    square = np.allclose(np.swapaxes(R, -1, -2) @ R, np.eye(3), atol=1e-6)
    if not square or not np.all(np.linalg.det(R) > 0):
        raise InputError(
            f"{where}: expected a rotation matrix, its columns are not right-handed "
            "unit vectors at right angles"
        )
    return R
