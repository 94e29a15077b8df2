"""One module a paper: its tables and figures, printed beside ours."""

from collections.abc import Callable
from importlib import import_module

from chorda.papers.report import Reproduction, Table


def _lazy(module: str) -> Callable[..., Reproduction]:
    def reproduce(*arguments: object, **options: object) -> Reproduction:
        made: Reproduction = import_module(module).reproduce(*arguments, **options)
        return made

    return reproduce


PAPERS: dict[str, Callable[..., Reproduction]] = {
    "briot2022": _lazy("chorda.papers.briot2022"),
    "fasquelle2021": _lazy("chorda.papers.fasquelle2021"),
    "recursive": _lazy("chorda.papers.recursive"),
    "testard2023": _lazy("chorda.papers.testard2023"),
    "till": _lazy("chorda.papers.till"),
}

__all__ = ["PAPERS", "Reproduction", "Table"]
