"""Where a result comes from: robot, model, settings, versions."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from chorda.describe import dump
from chorda.mechanics import System


@cache
def versions() -> dict[str, str]:
    out: dict[str, str] = {}
    for name in ("chorda", "casadi", "numpy"):
        try:
            out[name] = version(name)
        except PackageNotFoundError:
            out[name] = "not installed"
    return out


def provenance(system: System, **settings: Any) -> dict[str, Any]:
    """A record that is enough to make the result again."""
    return {
        "robot": system.once("description", lambda: dump(system.robot)),
        "tendons": system.mode,
        **settings,
        "versions": versions(),
    }
