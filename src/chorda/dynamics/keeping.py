"""What held an equilibrium, kept in a motion that starts from it: inputs, parameters, coordinates
that were held, and efforts that were given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import check_names, refuse_idle
from chorda.control.controller import Controller
from chorda.describe import JointEffort, JointMotion, JointMotor
from chorda.describe.feeding import ONE_COORDINATE, coordinate_kinds
from chorda.dynamics.actuation import Control
from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.assembler import assemble
from chorda.mechanics.motor_limits import input_per_torque
from chorda.mechanics.prescription import hold_name
from chorda.results import Equilibrium
from chorda.statics.rubbing_at_rest import sliding


@dataclass(frozen=True, eq=False)
class Kept:
    """A system with what holds it, its inputs or its controller, and its parameters."""

    system: System
    inputs: Signal
    control: Control
    parameters: Array


@dataclass(frozen=True)
class _Holding:
    """By coordinate: values at which it is held, efforts that act on it."""

    values: dict[str, float]
    efforts: dict[str, float]


def keep(
    system: System,
    initial: Any,
    inputs: Signal,
    control: Control,
    parameters: Mapping[str, float] | None,
    free: Sequence[str] | None,
) -> Kept:
    """The system and its inputs for a motion from `initial`; free: coordinates that are let go."""
    p = system.parameters(parameters)
    if not isinstance(initial, Equilibrium):
        refuse_idle({"free": free}, "unless initial is an Equilibrium", "start from one")
        return Kept(system, inputs, control, p)
    if initial.parameters.shape == p.shape:
        named = [k for name in parameters or {} for k in _rows(system, name)]
        p = np.where(np.isin(np.arange(len(p)), named), p, initial.parameters)
    _refuse_stuck(initial)
    holding, known = _holding(system, initial, free), dict[str, float]()
    if initial.system.given == system.given:
        known = dict(zip(system.given, initial.u.tolist(), strict=False))
    _into_inputs(system, holding, known, p)
    held = _with_holding(system, holding)
    added = {hold_name(x): value for x, value in (holding.values | holding.efforts).items()}
    if control is not None:
        wider = _wider(control, added, len(system.commanded))
        return Kept(held, _beside(system, inputs, known), wider, p)
    return Kept(held, _filled(system, inputs, known, added), None, p)


def _refuse_stuck(rest: Equilibrium) -> None:
    """Friction that rises with the speed of sliding does not hold anything at rest."""
    smooth = {
        cable.name
        for cable, x in zip(rest.system.tendons.cables, rest.system.tendons.each, strict=True)
        if x.rubbing is not None and x.rubbing.smooth
    }
    ways = sliding(rest.system, rest.parameters)
    if stuck := [name for name, way in ways.items() if way and name in smooth]:
        raise InputError(
            f"initial: friction along {', '.join(stuck)} holds the equilibrium (sliding is not 0), "
            "and friction that rises with the speed cannot hold it in a motion; give it bristles "
            "(deflection: 1e-4), or start from its configuration, initial=rest.q, which then moves"
        )


def _rows(system: System, name: str) -> list[int]:
    return system.parameter_table.rows_of(name, np.array(0.5))


def _holding(system: System, rest: Equilibrium, free: Sequence[str] | None) -> _Holding:
    """Coordinates without an input of their own that were held, or on which an effort was given."""
    given, position = rest.prescription, rest.position
    held = [x for x in dict.fromkeys((*given.held, *given.moved)) if x in position]
    free = [free] if isinstance(free, str) else list(free or ())
    check_names("free", free, (*held, *given.efforts))
    values = {x: position[x] for x in held if x not in free and x not in system.given}
    efforts = {x: rest.efforts[x] for x in given.efforts if x not in free and x not in system.given}
    kinds = coordinate_kinds(system.robot.joints)
    joints = {name for name, kind in kinds.items() if kind in ONE_COORDINATE}
    if lost := [x for x in (*values, *efforts) if x not in joints]:
        raise InputError(
            f"initial: the equilibrium is held at {', '.join(lost)}, which a motion cannot keep; "
            f"name them to let them go, free={lost!r}, or hold joints instead"
        )
    return _Holding(values, efforts)


def _into_inputs(system: System, holding: _Holding, known: dict[str, float], p: Array) -> None:
    """Efforts that actuators of the joints themselves can keep, as their inputs."""
    for x in system.robot.actuators:
        if isinstance(x, JointEffort | JointMotor) and x.joint in holding.efforts:
            ratio = 1.0
            if isinstance(x, JointMotor):
                if x.backlash is not None:  # its rotor stands apart from the joint
                    continue
                if x.winding is not None and x.winding.inductance is not None:
                    raise InputError(
                        f"initial: the effort on {x.joint} would have to come from '{x.name}', "
                        "whose current takes time to rise (inductance); give its voltage at rest, "
                        f"equilibrium(inputs={{'{x.name}': ...}}), or let it go, free=['{x.joint}']"
                    )
                ratio = p[system.parameter_names.index(f"{x.name}.gear_ratio")]
                ratio /= input_per_torque(system, x.name, p)
            known[x.name] = known.get(x.name, 0.0) + holding.efforts.pop(x.joint) / ratio


def _with_holding(system: System, holding: _Holding) -> System:
    """The system with an actuator for each joint that is kept."""
    if not (holding.values or holding.efforts):
        return system
    kept = [JointMotion(name=hold_name(x), joint=x) for x in holding.values]
    pushed = [JointEffort(name=hold_name(x), joint=x) for x in holding.efforts]
    added: list[JointMotion | JointEffort] = [*kept, *pushed]
    moved = {x.joint for x in added}
    others = [x for x in system.robot.actuators if getattr(x, "joint", None) not in moved]
    if len(others) < len(system.robot.actuators):
        busy = [x.name for x in system.robot.actuators if x not in others]
        raise InputError(
            f"initial: the equilibrium held joints that {', '.join(busy)} moves; give its input at "
            "rest instead of hold, or name the joints to let them go, free=[...]"
        )
    robot = system.robot.model_copy(update={"actuators": (*others, *added)})

    def make() -> System:
        return assemble(robot, system.mode)  # type: ignore[arg-type]

    found: System = system.once(("kept", *(x.kind + x.joint for x in added)), make)
    return found if found.robot == robot else replace(found, robot=robot)


def _filled(
    system: System, inputs: Signal, known: Mapping[str, float], added: Mapping[str, float]
) -> Signal:
    """Inputs with those of the equilibrium, and with what is kept, where none are given."""
    if inputs is None:
        return {**known, **added} or None
    if isinstance(inputs, Mapping):
        return {**known, **added, **inputs}
    if not added:
        return inputs
    values = np.array(list(added.values()))
    if callable(inputs) and not isinstance(inputs, type):
        return _extended(inputs, values, len(system.commanded))
    rows, n = np.asarray(inputs, float), len(system.commanded)
    if rows.ndim == 0:
        rows = np.full(n or len(system.given), float(rows))
    if rows.shape[-1] not in (n, len(system.given)):
        return inputs  # which is refused with the sizes
    kept = np.broadcast_to(values, (*rows.shape[:-1], len(values)))
    return np.concatenate([rows[..., :n], kept, rows[..., n:]], -1)


def _beside(system: System, inputs: Signal, known: Mapping[str, float]) -> Signal:
    """What is given beside a controller, with the forces on frames of the equilibrium."""
    forces = {i.name for i in system.inputs if i.kind == "wrench"}
    kept = {name: x for name, x in known.items() if name in forces and x}
    if inputs is None:
        return kept or None
    return {**kept, **inputs} if isinstance(inputs, Mapping) else inputs


def _extended(function: Callable[..., Any], values: Array, n: int) -> Callable[..., Any]:
    """A function of time, or a controller in Python, that gives what is kept too, after the first n
    inputs."""

    def both(*arguments: Any) -> Array:
        row = np.atleast_1d(function(*arguments))
        return np.concatenate([row[:n], values, row[n:]])

    return both


def _wider(control: Control, added: Mapping[str, float], n: int) -> Control:
    """The controller of a system that has inputs for what is kept."""
    if not added:
        return control
    values = np.array(list(added.values()))
    if isinstance(control, ca.Function):
        symbols = control.sx_in() if control.is_a("SXFunction") else control.mx_in()
        u = control(*symbols)
        return ca.Function("kept", symbols, [ca.vertcat(u[:n], ca.DM(values), u[n:])])
    if isinstance(control, Controller) or not callable(control):
        names = [x.removeprefix("hold-") for x in added]
        raise InputError(
            f"control: this controller has no inputs for what held the equilibrium "
            f"({', '.join(names)}); let it go, free={names!r}, or control by a function (t, q, v)"
        )
    return _extended(control, values, n)
