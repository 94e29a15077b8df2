"""chorda step-limits: how large a step each scheme bears."""

import math
from typing import Any

import chorda
from chorda.cli.options import Json, Model, Texts
from chorda.cli.output import finish, print_json, print_table, print_text
from chorda.cli.parsing import values
from chorda.dynamics import StepLimits
from chorda.results import Table

HEADER = ("scheme", "limit", "mode that limits it")


def step_limits(
    *,
    model: Model,
    tension: Texts = None,
    as_json: Json = False,
) -> None:
    """The largest stable step of every scheme, the vibrations behind it, and a suggestion.

    Parameters
    ----------
    tension : VALUES
        At the equilibrium under these tensions in N, not at rest: one number, a comma list, or
        NAME=VALUE.

    \b
    Examples:
      chorda step-limits neck-3
      chorda step-limits neck-3 --tension 20 --parameter "right*.damping=10"
    """
    system, rest = model.system(), None
    if tension:
        held = values(tension, "--tension")
        rest = chorda.equilibrium(system, tensions=held, parameters=model.parameters)
        if not rest.status.ok:
            finish(rest.status)
    found = chorda.step_limits(system, initial=rest, parameters=model.parameters)
    if as_json:
        print_json(_as_data(found))
    else:
        where = "under the given tensions" if tension else "at rest"
        title = f"{system.robot.name}, {system.mode} tendons, {where}"
        rows = tuple((name, _limit(step), mode) for name, step, mode in found.table())
        print_table(Table(f"Largest stable step: {title}", HEADER, rows))
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
        "suggestion": {"scheme": found.scheme, "step": found.step, "text": found.suggestion},
    }


def _limit(step: float) -> str:
    if step == 0:
        return "unstable at any"
    return "unlimited" if math.isinf(step) else f"{step * 1e3:.3g} ms"
