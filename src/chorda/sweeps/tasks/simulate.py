"""simulate: a motion, and what is kept of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from chorda.control import JointControl, PointToPoint
from chorda.describe.quantity import Number, Record, quantity
from chorda.dynamics import simulate
from chorda.mechanics import Array, System
from chorda.numerics.equal_steps import equal_steps
from chorda.results import Run, Status
from chorda.results.dataset import MEANING
from chorda.results.observe import observed
from chorda.sweeps.tasks.equilibrium import frame_positions, start
from chorda.sweeps.tasks.task import Dimension, Numbers, Output, Settings, Start, Task, units

ENERGIES = {"kinetic_energy": "kinetic", "potential_energy": "potential"}


class Control(Record):
    """Joints led from one configuration to another; see `chorda.control.JointControl`."""

    start: tuple[Number, ...] = quantity("rad or m", "first configuration of the joints")
    end: tuple[Number, ...] = quantity("rad or m", "last configuration of the joints")
    duration: Number = quantity("s", "time from one to the other", positive=True)
    law: Literal["computed-torque", "pd", "feed-forward"] = Field(
        "computed-torque", description="law of the controller"
    )
    frequency: Number = quantity("rad/s", "of the error's decay", default=10.0, positive=True)
    damping_ratio: Number = quantity("-", "of the error's decay", default=1.0, non_negative=True)
    minimum_tension: Number = quantity("N", "least tension of every tendon", default=5.0)
    maximum_tension: Number | None = quantity(
        "N", "largest tension of every tendon; none: no limit", default=None
    )


class Simulate(Settings):
    """A motion at each point; see `chorda.simulate`."""

    kind: Literal["simulate"] = "simulate"
    duration: Number = quantity("s", "length of the motion", positive=True)
    step: Number = quantity("s", "time step", positive=True)
    scheme: str | None = Field(None, description="none: the usual one of the robot")
    rho_inf: Number | None = Field(
        None, description="spectral radius of generalized-alpha at infinite frequency", ge=0, le=1
    )
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
    frames: tuple[str, ...] = Field(
        (), description="frames whose `final_frame_position` can be kept"
    )


def _rows(run: Run, name: str, which: slice) -> Array:
    """A quantity at some of the times, (n, ...)."""
    states = {"position": run.position, "velocity": run.velocity, "input": run.input}
    if name in states:
        return states[name][which]
    q, v, u = (states[x][which] for x in ("position", "velocity", "input"))
    observe = _observer(run.system, name)
    if observe is None:
        return observed(run.system, q, v, u, run.parameters)[name]
    p = np.repeat(run.parameters[:, None], len(q), 1)
    made = np.asarray(observe(q.T, v.T, u.T, p).full().T)
    return made[:, 0] if name in ENERGIES else made


@lru_cache(4)
def _whole(run: Run, name: str) -> Array:
    """A quantity at all times; several outputs read the same."""
    return _rows(run, name, slice(None))


def _observer(system: System, name: str) -> Any:
    """(q, v, u, p) -> a quantity; None where it needs accelerations or forces of closures."""

    def make() -> Any:
        if name in ENERGIES:
            x = getattr(system.dynamics, ENERGIES[name])
        else:
            x = next(o.expression for o in system.outputs if o.name == name)
        if ca.depends_on(x, ca.vertcat(system.a, system.lam)):
            return None
        return system.function("observed", "q v u p", x)

    return system.once(("observed", name), make)


def solve(
    system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]
) -> Run | Status:
    initial, inputs = start(system, settings, parameters), settings["inputs"]
    if isinstance(initial, Status):
        return initial
    control = _controller(settings["control"]) if settings["control"] else None
    if settings["tensions"] is not None and inputs is None and control is None:
        inputs = initial.u
    names = ("duration", "step", "scheme", "rho_inf", "tolerance")
    given = {name: settings[name] for name in names}
    given |= {"initial": initial, "inputs": inputs, "control": control}
    run = simulate(system, parameters=parameters, progress=False, **given)
    run.status.raise_if_interrupted()
    return run


def _controller(record: Control) -> JointControl:
    reference = PointToPoint(record.start, record.end, record.duration)
    names = {"frequency", "damping_ratio", "minimum_tension", "maximum_tension"}
    gains = record.model_dump(include=names, exclude_unset=True)
    return JointControl(reference, kind=record.law, **gains)


def outputs(system: System, record: Simulate) -> Sequence[Output]:
    grid, every = equal_steps(record.duration, record.step), record.every
    time = Dimension("time", tuple((grid.step * np.arange(0, grid.count + 1, every)).tolist()), "s")
    made = [Output("end_time", lambda x: x.time[-1], (), "s", "when it ended", partial=True)]
    for series in _series(system):
        made += _of_series(*series, time, every)
    if record.frames:
        made.append(frame_positions("final_frame_position", system, record.frames, _last_state))
    return made


def _last_state(run: Run) -> tuple[Array, Array]:
    return run.position[-1], run.parameters


def _of_series(
    name: str, over: tuple[Dimension, ...], unit: str, about: str, time: Dimension, every: int
) -> list[Output]:
    """The series of a quantity, and single numbers of it."""

    def last(run: Run) -> Array:
        return np.asarray(_rows(run, name, slice(-1, None))[-1])

    def over_time(word: str, reduce: Any) -> Output:
        text = f"{about}, {word} over time"
        return Output(f"{word}_{name}", lambda x: reduce(_whole(x, name), axis=0), over, unit, text)

    return [
        Output(name, lambda x: _whole(x, name)[::every], (time, *over), unit, about, partial=True),
        Output(f"final_{name}", last, over, unit, f"{about}, at the end"),
        over_time("largest", np.max),
        over_time("smallest", np.min),
    ]


def _series(system: System) -> list[tuple[str, tuple[Dimension, ...], str, str]]:
    """name, dimensions, unit, meaning."""
    coordinate = Dimension("coordinate", system.coordinate_names)
    velocity = Dimension("velocity_name", tuple(name for name, _ in system.velocities))
    given = Dimension("input_name", tuple(i.name for i in system.inputs))
    angles, rates = (c.unit for c in system.coordinates), (unit for _, unit in system.velocities)
    return [
        ("position", (coordinate,), units(angles), "generalized coordinates"),
        ("velocity", (velocity,), units(rates), "generalized velocities"),
        ("input", (given,), units(i.unit for i in system.inputs), "inputs"),
        *(
            (o.name, (Dimension(o.dimension, o.labels),), o.unit, MEANING.get(o.name, o.name))
            for o in system.outputs
        ),
        *((name, (), "J", name.replace("_", " ")) for name in ENERGIES),
    ]


TASK = Task(solve, outputs, ("final_position", "largest_tension", "smallest_tension", "end_time"))
