"""A run as an xarray Dataset: dimensions by name, units and meaning as attributes."""

import json
from typing import TYPE_CHECKING

import xarray

from chorda.checks import check_names
from chorda.mechanics import System
from chorda.results.run import Run

if TYPE_CHECKING:
    from chorda.mechanics import Array

MEANING = {
    "length": "length of the tendon along its path",
    "elongation": "stretch of the tendon",
    "tension": "tension of the tendon, with friction that at its actuator",
    "segment_tension": "tension of the tendon at its actuator, and behind each guide that rubs",
    "sliding_speed": "at which the tendon slides over the guide, towards its actuator",
    "wrap_angle": "angle over which the tendon lies on the pulley",
    "contact": "1 where the tendon touches the pulley, else 0",
    "tangent_point": "where the tendon comes to and leaves the pulley, in the world",
    "motor_angle": "angle of the motor, positive pays tendon out",
    "motor_rate": "rate of the motor's angle",
    "motor_torque": "torque that acts on the rotor, within its limits",
    "motor_current": "current in the motor's winding",
    "play": "how far the gear is ahead of its joint, at the joint",
    "effort": "torque or force of the prescribed motion on the joint, along its coordinate",
    "stop_effort": "torque or force of the stop on the joint, along its coordinate",
    "gap": "signed distance of the shapes, negative where they overlap",
    "normal_force": "force between the shapes along their normal",
    "friction_force": "friction on the second shape, in the world's axes",
    "contact_normal": "unit vector from the first shape to the second, in the world's axes",
    "contact_point": "where the shapes touch or are nearest, in the world",
    "sliding_velocity": "of the second shape against the first, across the normal",
    "reaction": "multiplier of the closure or coupling",
}


def names_in(system: System) -> list[str]:
    """What `named` knows: quantities, then single coordinates, velocities and inputs."""
    quantities = ["position", "velocity", *(["input"] if system.inputs else [])]
    quantities += [x.name for x in system.outputs] + ["kinetic_energy", "potential_energy"]
    singles = [*system.coordinate_names, *(x for x, _ in system.velocities)]
    return list(dict.fromkeys([*quantities, *singles, *(i.name for i in system.inputs)]))


def named(run: Run, name: str) -> xarray.DataArray:
    """A quantity of a run's dataset, or one of its coordinates, velocities or inputs."""
    check_names("run", [name], names_in(run.system))
    if name in run.data:
        return run.data[name]
    # a motor's angle has the name of its input: the coordinate comes first
    of = {"input": "input_name", "velocity": "velocity_name", "position": "coordinate"}
    for quantity in ("position", "velocity", "input"):
        if quantity in run.data and name in run.data[of[quantity]].values:
            return run.data[quantity].sel({of[quantity]: name})
    raise AssertionError(name)


def dataset(run: Run) -> xarray.Dataset:
    system = run.system
    units = {
        "coordinate": [c.unit for c in system.coordinates],
        "velocity_name": [unit for _, unit in system.velocities],
        "input_name": [i.unit for i in system.inputs],
    }
    names = {
        "coordinate": list(system.coordinate_names),
        "velocity_name": [name for name, _ in system.velocities],
        "input_name": [i.name for i in system.inputs],
    }
    variables: dict[str, tuple[tuple[str, str], Array, dict[str, str]]] = {}

    def add(name: str, dimension: str, values: "Array", meaning: str) -> None:
        if values.shape[1]:
            unit = " ".join(dict.fromkeys(units[dimension]))
            attributes = {"units": unit, "long_name": meaning}
            variables[name] = (("time", dimension), values, attributes)

    add("position", "coordinate", run.position, "generalized coordinates")
    add("velocity", "velocity_name", run.velocity, "generalized velocities")
    add("input", "input_name", run.input, "inputs, held or interpolated from this time on")
    for output in system.outputs:
        units[output.dimension], names[output.dimension] = [output.unit], list(output.labels)
        add(output.name, output.dimension, run.outputs[output.name], MEANING[output.name])
    used = {dimension for (_, dimension), _, _ in variables.values()}
    coords: dict[str, object] = {"time": ("time", run.time, {"units": "s"})}
    coords |= {d: names[d] for d in names if d in used}
    out = xarray.Dataset(variables, coords=coords)
    for dimension in ("coordinate", "velocity_name", "input_name"):
        if dimension in used:
            out = out.assign_coords({f"{dimension}_unit": (dimension, units[dimension])})
    T, V = run.energy
    out["kinetic_energy"] = ("time", T, {"units": "J", "long_name": "kinetic energy"})
    out["potential_energy"] = ("time", V, {"units": "J", "long_name": "potential energy"})
    if run.events:
        meaning = {"units": "s", "long_name": "when something began or ended"}
        out["event_time"] = ("event", [e.time for e in run.events], meaning)
        out["event_name"] = ("event", [e.name for e in run.events])
        out["event_kind"] = ("event", [e.kind for e in run.events])
    out.attrs = {
        "title": f"{system.robot.name}, {system.mode} tendons",
        "status": str(run.status.code),
        "message": run.status.message,
        "provenance": json.dumps(dict(run.provenance), default=float),
    }
    return out
