"""simulate: a motion, and what is kept of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from chorda.describe.quantity import Number, Record, quantity
from chorda.dynamics import simulate
from chorda.mechanics import Array, System
from chorda.results.dataset import MEANING
from chorda.statics import equilibrium
from chorda.sweeps.tasks.leading import Control, controller
from chorda.sweeps.tasks.moved import ENERGIES, Moved
from chorda.sweeps.tasks.resting import mixed, places
from chorda.sweeps.tasks.task import Dimension, Failed, Numbers, Output, Reader, Start, Task

OVER_TIME: dict[str, Callable[..., Array]] = {"largest": np.max, "smallest": np.min}


class Simulate(Record):
    """A motion at each point; see `chorda.simulate`."""

    kind: Literal["simulate"] = "simulate"
    duration: Number = quantity("s", "length of the motion", positive=True)
    step: Number = quantity("s", "time step", positive=True)
    scheme: str | None = Field(None, description="none: the usual one of the robot")
    tolerance: Number | None = Field(None, description="of the scheme")
    initial: Start = Field(default_factory=dict, description="start values by name")
    tensions: Numbers = Field(
        None,
        description="start at the equilibrium under these tensions [N], and hold its inputs where "
        "none are given",
    )
    inputs: Numbers = Field(None, description="inputs, constant")
    control: Control | None = Field(None, description="leads the joints, in place of inputs")
    every: int = Field(1, description="series keep each n-th step", ge=1, strict=True)
    frames: tuple[str, ...] = Field((), description="frames whose last `place` can be kept")
    keep: tuple[str, ...] = Field(
        (),
        description="names of outputs, such as position (a series), final_position, "
        "largest_tension; none: the usual ones",
    )


def solve(
    system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]
) -> Moved | Failed:
    initial: Any = settings["initial"] or None
    inputs = settings["inputs"]
    if settings["tensions"] is not None:
        initial = equilibrium(
            system, tensions=settings["tensions"], initial=initial, parameters=parameters
        )
        if not initial.status.ok:
            return Failed(initial.status)
        inputs = initial.u if inputs is None and settings["control"] is None else inputs
    plain = {name: settings[name] for name in ("duration", "step", "scheme", "tolerance")}
    run = simulate(
        system,
        initial=initial,
        inputs=inputs,
        control=controller(settings["control"]) if settings["control"] else None,
        parameters=parameters,
        progress=False,
        **plain,
    )
    return Moved(run)


def outputs(system: System, record: Simulate) -> Sequence[Output]:
    steps, n = round(record.duration / record.step), record.every
    times = tuple((record.step * np.arange(0, steps + 1, n)).tolist())
    time = Dimension("time", times, "s")
    made = [Output("end_time", lambda x: x.run.time[-1], (), "s", "when it ended", partial=True)]
    for name, dimensions, unit, meaning in _series(system):
        made += [
            Output(name, _series_of(name, n), (time, *dimensions), unit, meaning, partial=True),
            Output(f"final_{name}", _end_of(name), dimensions, unit, f"{meaning}, at the end"),
        ]
        for word, reduce in OVER_TIME.items():
            said = f"{meaning}, {word} over time"
            read = _reduced(name, reduce)
            made.append(Output(f"{word}_{name}", read, dimensions, unit, said))
    if record.frames:
        made.append(places(system, record.frames, _end_state))
    return made


def _end_state(found: Moved) -> tuple[Array, Array]:
    return found.run.position[-1:], found.run.parameters


def _series_of(name: str, n: int) -> Reader:
    return lambda found: found.rows(name)[::n]


def _end_of(name: str) -> Reader:
    return lambda found: found.last(name)


def _reduced(name: str, reduce: Callable[..., Array]) -> Reader:
    return lambda found: reduce(found.rows(name), axis=0)


def _series(system: System) -> list[tuple[str, tuple[Dimension, ...], str, str]]:
    """name, dimensions, unit, meaning."""
    coordinate = Dimension("coordinate", system.coordinate_names)
    velocity = Dimension("velocity_name", tuple(name for name, _ in system.velocities))
    given = Dimension("input_name", tuple(i.name for i in system.inputs))
    rates = " ".join(dict.fromkeys(unit for _, unit in system.velocities))
    units = " ".join(dict.fromkeys(i.unit for i in system.inputs)) or "-"
    return [
        ("position", (coordinate,), mixed(system), "generalized coordinates"),
        ("velocity", (velocity,), rates, "generalized velocities"),
        ("input", (given,), units, "inputs"),
        *(
            (o.name, (Dimension(o.dimension, o.labels),), o.unit, MEANING.get(o.name, o.name))
            for o in system.outputs
        ),
        *((name, (), "J", name.replace("_", " ")) for name in ENERGIES),
    ]


TASK = Task(solve, outputs, ("final_position", "largest_tension", "smallest_tension", "end_time"))
