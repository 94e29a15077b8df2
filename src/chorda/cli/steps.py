"""chorda step-limits: how large a step each scheme bears."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    Changes,
    Json,
    RobotName,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    values,
)
from chorda.cli.output import finish, print_json, say, show_table

if TYPE_CHECKING:
    from chorda.dynamics import StepLimits


def step_limits(
    robot: RobotName,
    tendons: TendonModel = Tendons.elastic,
    tension: Annotated[
        list[str] | None,
        typer.Option(
            "--tension",
            metavar="VALUES",
            help="At the equilibrium under these tensions in N, not at rest: one number, a comma "
            "list, or NAME=VALUE.",
            show_default=False,
        ),
    ] = None,
    parameter: Changes = None,
    as_json: Json = False,
) -> None:
    """The largest stable step of every scheme, the vibrations behind it, and a suggestion.

    \b
    Examples:
      chorda step-limits neck-3
      chorda step-limits neck-3 --tension 20 --parameter "right*.damping=10"
    """
    import chorda

    system = assembled(robot, tendons)
    changes = assignments(parameter, "--parameter")
    configuration = None
    if tension:
        held = values(tension, "--tension")
        configuration = chorda.equilibrium(system, tensions=held, parameters=changes)
        if not configuration.status.ok:
            finish(configuration.status)
    found = chorda.step_limits(system, initial=configuration, parameters=changes)
    if as_json:
        print_json(_as_data(found))
    else:
        where = "under the given tensions" if tension else "at rest"
        _print(found, f"{system.robot.name}, {system.mode} tendons, {where}")
    finish(found.status)


def _as_data(found: "StepLimits") -> dict[str, Any]:
    return {
        "status": {"code": found.status.code, "message": found.status.message, "ok": True},
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


def _print(found: "StepLimits", where: str) -> None:
    rows = [(name, _limit(step), mode) for name, step, mode in found.table()]
    show_table(f"Largest stable step: {where}", ("scheme", "limit", "mode that limits it"), rows)
    say(found.suggestion)


def _limit(step: float) -> str:
    if step == 0:
        return "unstable at any"
    return "unlimited" if math.isinf(step) else f"{step * 1e3:.3g} ms"
