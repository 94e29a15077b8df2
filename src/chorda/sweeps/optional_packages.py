"""Packages that only sweeps need."""

from importlib import import_module
from typing import Any

from chorda.errors import InputError


def needs(name: str) -> Any:
    """A package of the extra `sweep`; an InputError explains how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            f"sweep: needs the package {name}; pip install 'chorda[sweep]' brings it"
        ) from None
