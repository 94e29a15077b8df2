"""A motion in a few numbers: where it starts and ends, and its extremes."""

from typing import Any

import numpy as np

from chorda.cli.output import coordinate, fields, print_table, print_text
from chorda.cli.rod_tips import strains, tip_data, tips
from chorda.mechanics import Array
from chorda.plurals import many
from chorda.results import Run, Table
from chorda.results.observe import observed

EVENTS_SHOWN = 6
TENSION_SAMPLES = 5000  # times at which tensions are computed, which costs more than a step
EXTREMES = ("start", "end", "min", "max")


def as_data(run: Run) -> dict[str, Any]:
    """Plain data for JSON."""
    system = run.system
    velocities = [name for name, _ in system.velocities]
    settings = {k: run.provenance[k] for k in ("scheme", "step", "duration", "parameters")}
    return {
        "robot": system.robot.name,
        "tendons": system.mode,
        **settings,
        "status": run.status,
        "accuracy": run.accuracy.data(),
        "counts": dict(run.counts),
        "end": {
            "time": run.time[-1],
            "position": dict(zip(system.coordinate_names, run.position[-1], strict=True)),
            "velocity": dict(zip(velocities, run.velocity[-1], strict=True)),
            "input": dict(zip([i.name for i in system.inputs], run.input[-1], strict=True)),
            "tips": tip_data(run),
        },
        "events": [fields(event, "time", "name", "kind") for event in run.events],
        "quantities": [
            {"name": name, "unit": unit, **dict(zip(EXTREMES, x, strict=True))}
            for name, unit, x in _quantities(run)
        ],
    }


def print_summary(run: Run) -> None:
    kinds = {c.name: c.kind for c in run.system.coordinates}
    hidden = strains(run.system)
    rows = tuple(
        (name, *(coordinate(value, unit, kinds.get(name, "")) for value in x))
        for name, unit, x in _quantities(run)
        if name not in hidden
    )
    spent, steps = run.counts["seconds"], run.counts["steps"]
    note = (
        f"{many(int(steps), 'step')} in {spent:.2g} s, with getting the kernel (compiled or cached)"
    )
    if len(run.time) > TENSION_SAMPLES:
        note += f"; extremes of tensions from {TENSION_SAMPLES} of {len(run.time)} times"
    if hidden:
        note += f"; strains of the rods, {len(hidden)} coordinates: --output or --json"
    title = (
        f"{run.system.robot.name}, {run.system.mode} tendons, {run.provenance['scheme']}, "
        f"step {run.provenance['step']:g} s, to t = {run.time[-1]:g} s"
    )
    print_table(Table(title, ("quantity", "start", "end", "smallest", "largest"), rows, note))
    if run.events:
        shown = ", ".join(str(event) for event in run.events[:EVENTS_SHOWN])
        more = len(run.events) - EVENTS_SHOWN
        print_text(f"Events: {shown}" + (f", and {more} more." if more > 0 else "."))


def _quantities(run: Run) -> list[tuple[str, str, tuple[float, float, float, float]]]:
    """Name, unit, and (start, end, smallest, largest) of coordinates, tips and tensions."""
    system = run.system
    columns = [(c.name, c.unit, run.position[:, k]) for k, c in enumerate(system.coordinates)]
    for frame, (p, _) in tips(run).items():
        columns += [(f"{frame} {axis}", "m", p[:, k]) for k, axis in enumerate("xyz")]
    tension = next((o for o in system.outputs if o.name == "tension"), None)
    if tension is not None:
        rows = _tensions(run)
        columns += [
            (f"tension {label}", tension.unit, rows[:, k]) for k, label in enumerate(tension.labels)
        ]
    return [
        (name, unit, (float(x[0]), float(x[-1]), float(np.min(x)), float(np.max(x))))
        for name, unit, x in columns
    ]


def _tensions(run: Run) -> Array:
    if "outputs" in run.__dict__:  # computed already, for a file or a figure
        return run.outputs["tension"]
    count = min(len(run.time), TENSION_SAMPLES)
    at = np.unique(np.linspace(0, len(run.time) - 1, count).astype(int))
    looked = (run.position[at], run.velocity[at], run.input[at])
    return observed(run.system, *looked, run.parameters)["tension"]
