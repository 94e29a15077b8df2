"""Where a result comes from: robot, model, settings, versions."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from weakref import WeakKeyDictionary

from chorda.describe import dump
from chorda.mechanics import System

_described: WeakKeyDictionary[System, str] = WeakKeyDictionary()


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
    if system not in _described:
        _described[system] = dump(system.robot)
    return {
        "robot": _described[system],
        "tendons": system.tendons,
        **settings,
        "versions": versions(),
    }
