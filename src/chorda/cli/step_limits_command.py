"""chorda step-limits: how large a step each scheme bears."""

from typing import Any

import chorda
from chorda.cli.options import Json, Model, Start, Texts
from chorda.cli.output import finish, print_json, print_table, print_text
from chorda.cli.parsing import assignments, values
from chorda.dynamics import StepLimits
from chorda.dynamics.step_limits import shown
from chorda.results import Table

HEADER = ("scheme", "limit", "mode that limits it")
PRESSING = "limit where open contacts press"


def step_limits(
    *,
    model: Model,
    start: Start = None,
    tension: Texts = None,
    as_json: Json = False,
) -> None:
    """The largest stable step of every scheme, the vibrations behind it, and a suggestion.

    Parameters
    ----------
    tension : VALUES
        At the equilibrium under these tensions in N, not at the start: one number, a comma list,
        or NAME=VALUE.

    \b
    Examples:
      chorda step-limits neck-3
      chorda step-limits neck-3 --tension 20 --parameter "right*.damping=10"
      chorda step-limits hand-ball --set finger1a=0.3
    """
    system = model.system()
    at: Any = assignments(start, "--set") or None
    where = "at the configuration that --set gives" if at else "at its start"
    if tension:
        held = values(tension, "--tension")
        at = chorda.equilibrium(system, tensions=held, initial=at, parameters=model.parameters)
        where = "under the given tensions"
        if not at.status.ok:
            finish(at.status)
    found = chorda.step_limits(system, initial=at, parameters=model.parameters)
    if as_json:
        print_json(_as_data(found))
    else:
        title = f"{system.robot.name}, {system.mode} tendons, {where}"
        print_table(Table(f"Largest stable step: {title}", *_rows(found)))
        print_text(found.suggestion)
    finish(found.status)


def _as_data(found: StepLimits) -> dict[str, Any]:
    return {
        "status": found.status,
        "limits": [
            {"scheme": name, "step": step, "mode": mode} for name, step, mode in found.table()
        ],
        "modes": [
            {
                "frequency": m.frequency,
                "damping_ratio": m.damping,
                "real": m.eigenvalue.real,
                "imaginary": m.eigenvalue.imag,
                "shares": dict(m.shares),
            }
            for m in found.modes
        ],
        "open_contacts": list(found.open_contacts),
        "limits_pressing": [{"scheme": k, "step": x.step} for k, x in found.pressing.items()],
        "suggestion": {"scheme": found.scheme, "step": found.step, "text": found.suggestion},
    }


def _rows(found: StepLimits) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Header and rows of the table."""
    rows = ((name, shown(step), mode) for name, step, mode in found.table())
    if not found.pressing:
        return HEADER, tuple(rows)
    wide = tuple((*row[:2], shown(found.pressing[row[0]].step), *row[2:]) for row in rows)
    return (*HEADER[:2], PRESSING, *HEADER[2:]), wide
