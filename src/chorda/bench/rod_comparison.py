"""One rod with a tendon in several programs: time for a second of motion, and how true it is.

Every program runs with several settings. Of each the fastest within 1 mm and the fastest within
0.1 mm of a converged motion are shown, and compared with Chorda's fastest within the same bound.
"""

import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any
from unittest.mock import patch

from chorda.bench import chorda_rod, elastica_rod, exudyn_rod, soromox_rod
from chorda.bench.chorda_rod import BENDING, FINE_STEP
from chorda.bench.groups import Group, at_least, at_most
from chorda.bench.rod_motion import Path, Setting
from chorda.numerics.timing import best_in_turns, seconds, timed
from chorda.results import Table

BOUNDS = (1e-3, 1e-4)  # [m] of the tip
CACHES = ("CHORDA_CACHE", "NUMBA_CACHE_DIR")
PEERS: dict[str, ModuleType] = {
    "soromox": soromox_rod,
    "exudyn": exudyn_rod,
    "elastica": elastica_rod,
}


@dataclass(frozen=True)
class Timed:
    """Seconds to build and compile, seconds for a second of motion, largest error of the tip [m]
    (None: not comparable)."""

    program: str
    what: str
    start_up: float
    pace: float
    error: float | None

    def within(self, bound: float) -> bool:
        return self.error is not None and self.error < bound

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON, which has no infinity: a diverged motion has no error there."""
        known = self.error is not None and math.isfinite(self.error)
        return {**asdict(self), "error": self.error if known else None}


def rod_group(quick: bool) -> Group:
    """quick: Chorda's fastest model alone."""
    reference = chorda_rod.fine()
    apart = chorda_rod.continuous_path(0.002 if quick else FINE_STEP).error(reference)
    chosen = chorda_rod.settings(quick)
    missing = [] if quick else [m.NAME for name, m in PEERS.items() if not find_spec(name)]
    if not quick:
        chosen += [x for name, m in PEERS.items() if find_spec(name) for x in m.settings()]
    rows = raced(chosen, 3 if quick else 5, reference, cold=not quick)
    table = Table(
        "Till's rod lifted by its tendon: 2 s, tension rising to 3 N within 0.5 s",
        ("program", "setting", "start-up", "time a second", "tip error", "ratio"),
        tuple(_row(r, rows) for r in shown(rows)),
        _note(apart, quick, missing, rows),
    )
    targets = (
        at_most("rod, with modes and without", 0.1, apart * 1e3, "mm apart"),
        *(
            at_least(f"{m.NAME}'s time over ours, rod", 1.0, lead(m.NAME, rows), "times")
            for m in PEERS.values()
        ),
    )
    return Group(table, targets, {"rods": [r.as_data() for r in rows], "rod_agreement": apart})


def raced(settings: Sequence[Setting], repeats: int, reference: Path, cold: bool) -> list[Timed]:
    """Start every setting once, then time them in turns. cold: compiled anew."""
    runs: dict[int, Callable[[], float]] = {}
    started: list[tuple[Setting, float, float | None]] = []
    for k, setting in enumerate(settings):
        with _empty_caches() if cold else nullcontext():
            ready, building = timed(setting.begin)
            answer, running = timed(ready.run)
        error = None if ready.tip is None else ready.tip(answer).error(reference)
        started.append((setting, sum(building + running), error))
        runs[k] = partial(seconds, ready.run)
    best = best_in_turns(runs, repeats)
    return [
        Timed(x.program, x.what, max(spent - best[k], 0.0), best[k] / x.duration, error)
        for k, (x, spent, error) in enumerate(started)
    ]


def shown(rows: Sequence[Timed]) -> list[Timed]:
    """Of each program the fastest within each bound; those that are within none, or not
    comparable, as they are."""
    out: list[Timed] = []
    for program in dict.fromkeys(r.program for r in rows):
        own = [r for r in rows if r.program == program]
        found = [fastest(own, program, bound) for bound in BOUNDS]
        best = [r for r in found if r is not None] or own
        out += dict.fromkeys(best)
    return out


def fastest(rows: Sequence[Timed], program: str, bound: float) -> Timed | None:
    """
    >>> slow, fast = Timed("a", "", 0.0, 2.0, 1e-5), Timed("a", "", 0.0, 1.0, 5e-4)
    >>> fastest([slow, fast], "a", 1e-3) is fast, fastest([slow, fast], "a", 1e-4) is slow
    (True, True)
    """
    own = [r for r in rows if r.program == program and r.within(bound)]
    return min(own, key=lambda r: r.pace, default=None)


def ratio(row: Timed, rows: Sequence[Timed]) -> float | None:
    """To our fastest within the narrowest bound that the row keeps; where its error is not
    comparable, to our fastest within the narrowest of all."""
    bounds = BOUNDS if row.error is None else [b for b in BOUNDS if row.within(b)]
    ours = fastest(rows, BENDING, min(bounds)) if bounds else None
    return None if ours is None else row.pace / ours.pace


def lead(program: str, rows: Sequence[Timed]) -> float | None:
    """The smallest ratio of a program's rows that are shown."""
    ratios = [ratio(r, rows) for r in shown(rows) if r.program == program]
    return min((x for x in ratios if x is not None), default=None)


@contextmanager
def _empty_caches() -> Iterator[None]:
    """Inside, all is compiled anew: programs that keep what they compiled get another folder."""
    folder = tempfile.TemporaryDirectory(prefix="chorda-bench-")
    with folder, patch.dict(os.environ, dict.fromkeys(CACHES, folder.name)):
        yield


def _row(row: Timed, rows: Sequence[Timed]) -> tuple[str, ...]:
    against = ratio(row, rows)
    return (
        row.program,
        row.what,
        f"{row.start_up:.1f} s",
        f"{row.pace:.3g} s" if row.pace >= 1 else f"{row.pace * 1e3:.3g} ms",
        "-" if row.error is None else f"{row.error * 1e3:.2g} mm",
        "-" if against is None else f"{float(f'{against:.3g}'):g}",
    )


def _note(apart: float, quick: bool, missing: Sequence[str], rows: Sequence[Timed]) -> str:
    note = [
        f"Start-up: building and compiling{'' if quick else ', with empty caches'}.",
        "Time: of a whole call, for a second of motion. Error: the largest of the tip, to strain "
        f"modes of 14 coordinates at {FINE_STEP * 1e3:g} ms; the continuous problem comes within "
        f"{apart * 1e3:.2g} mm of them. Ratio: to Chorda's fastest within 0.1 mm, or within 1 mm "
        "where the row is not.",
    ]
    if quick:
        note.append("Other programs are left out of a quick run.")
    if any(r.error is None for r in rows):
        note.append(
            f"PyElastica damps otherwise: its cost alone, over {elastica_rod.PART:g} s of motion."
        )
    if missing:
        note.append(f"Not installed: {', '.join(missing)}; pip install 'chorda[rod-peers]'.")
    return " ".join(note)
