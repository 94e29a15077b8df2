"""Published papers, reproduced: their tables and figures beside ours, one folder a paper.

Every folder has the same rooms: `published` is what the paper prints and what had to be assumed,
`study` makes the robots and their motions, `tables` compares, `figures` draws, and `__init__` lists
the contents.
"""

from collections.abc import Callable
from functools import partial

from chorda.papers.reproduction import Reproduction, reproduce
from chorda.results import Table

PAPERS: dict[str, Callable[..., Reproduction]] = {
    key: partial(reproduce, key)
    for key in ("briot2022", "fasquelle2021", "recursive", "testard2023", "till")
}

__all__ = ["PAPERS", "Reproduction", "Table"]
