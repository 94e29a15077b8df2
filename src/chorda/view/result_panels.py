"""What is plotted beside a robot, and tables of what one configuration has."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from chorda.describe import Rod
from chorda.results import Equilibrium, EquilibriumPath, Run, Workspace
from chorda.results.workspace import units_at_rest
from chorda.view.display_units import display_unit
from chorda.view.run_quantities import Curves, overview

MOST_ROWS = 60  # of a table
ROUNDING = 1e-9  # of the largest in a table: what is smaller is zero
SMALLEST_VALUE = 1e-12  # [SI]
SMALLEST = 1e-9  # [m] what moves by less stands still


def panels_of(result: Run | EquilibriumPath) -> Iterator[Curves]:
    """Of a motion what `plot` shows, of a path what changes along it."""
    if isinstance(result, Run):
        yield from overview(result)
        return
    yield from _of_path(result)


def _of_path(path: EquilibriumPath) -> Iterator[Curves]:
    system, units = path.system, units_at_rest(path.system)
    tips = {
        f"{rod.name}.tip {axis}": x
        for rod in system.robot.joints
        if isinstance(rod, Rod)
        for axis, x in zip("xyz", path.frame(f"{rod.name}.tip")[0].T, strict=True)
        if np.ptp(x) > SMALLEST
    }
    if tips:
        yield Curves(
            "tip", "position of the tip", "m", tuple(tips), np.column_stack([*tips.values()])
        )
    else:
        joints = [k for k, c in enumerate(system.coordinates) if c.kind != "motor"]
        for unit in dict.fromkeys(system.coordinates[k].unit for k in joints):
            rows = [k for k in joints if system.coordinates[k].unit == unit]
            names = tuple(system.coordinate_names[k] for k in rows)
            yield Curves("coordinate", "coordinate", unit, names, path.q[:, rows])
    names = tuple(t.name for t in system.robot.tendons)
    if names:
        yield Curves("tension", "tension", "N", names, path.tension)
    found = {f"{name}.effort": x for name, x in path.efforts.items()} | path.settings
    for unit in dict.fromkeys(units.get(name, "-") for name in found):
        own = {name: x for name, x in found.items() if units.get(name, "-") == unit}
        what = "effort" if all(x.endswith(".effort") for x in own) else "value"
        yield Curves(what, what, unit, tuple(own), np.column_stack([*own.values()]))


def tables_of(result: Equilibrium | Workspace) -> Iterator[dict[str, Any]]:
    """Tables as texts: coordinates, tensions and efforts of an equilibrium; counts of cells."""
    if isinstance(result, Workspace):
        yield {"head": ["cells", ""], "rows": [[k, str(n)] for k, n in result.counts.items()]}
        return
    system, units = result.system, units_at_rest(result.system)
    tendons = [t.name for t in system.robot.tendons]
    tips = {
        f"{rod.name}.tip {axis}": float(x)
        for rod in system.robot.joints
        if isinstance(rod, Rod)
        for axis, x in zip("xyz", result.frame(f"{rod.name}.tip")[0], strict=True)
    }
    inputs = {i.name: (float(u), i.unit) for i, u in zip(system.inputs, result.u, strict=True)}
    yield from _table("stability", {"locked": (str(result.stability), "")})
    yield from _table("tip", {name: (x, "m") for name, x in tips.items()})
    yield from _table(
        "tension", {n: (x, "N") for n, x in zip(tendons, result.tension.tolist(), strict=True)}
    )
    yield from _table("input", inputs)
    efforts = result.efforts.items()
    yield from _table("effort", {n: (x, units.get(f"{n}.effort", "N m")) for n, x in efforts})
    yield from _table("coordinate", {n: (x, units.get(n, "-")) for n, x in result.position.items()})


def _table(what: str, rows: Mapping[str, tuple[Any, str]]) -> Iterator[dict[str, Any]]:
    if rows:
        numbers = [abs(x) for x, _ in rows.values() if not isinstance(x, str)]
        least = max(ROUNDING * max(numbers, default=0.0), SMALLEST_VALUE)
        rows = {
            k: (0.0, u) if not isinstance(x, str) and abs(x) < least else (x, u)
            for k, (x, u) in rows.items()
        }
        texts = [[name, _text(*pair)] for name, pair in list(rows.items())[:MOST_ROWS]]
        yield {"head": [what, ""], "rows": texts}


def _text(value: Any, unit: str) -> str:
    if isinstance(value, str):
        return value
    shown = display_unit(unit, np.array([value]))
    return f"{shown.factor * value:.5g} {shown.unit}".rstrip()
