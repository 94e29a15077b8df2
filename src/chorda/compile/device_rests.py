"""Many equilibria on a GPU, one a thread: rests.c as a kernel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.compile.cuda import THREADS, Launch
from chorda.compile.cuda_text import cuda_text
from chorda.compile.device import launching
from chorda.compile.library import Functions
from chorda.compile.paths import DRIVERS, PathSizes
from chorda.compile.rests import Rests
from chorda.mechanics import System

NAME = "chorda_rests"
LARGEST_OWN = 400_000  # bytes of a work vector that is a thread's own; CUDA allows 512 KB in all
SHARE = 0.25  # of the memory that is free: for work vectors, and for the matrices of members
AT_ONCE = 512_000_000  # bytes of matrices at most, which come to the host


@dataclass(frozen=True, eq=False)
class DeviceRests:
    """The kernel of a problem. room: numbers of a work vector that is not the thread's own, or 0.

    As in `compile.paths`, `many` runs members of a batch.
    """

    launch: Launch
    room: int

    def at_once(self, bytes_each: int) -> int:
        """Members whose results fit."""
        fitting = min(AT_ONCE, int(SHARE * free(self.launch.cp)))
        return max(THREADS, fitting // max(bytes_each, 1))

    def run(self, batch: Rests) -> float:
        """Solves all members of a batch; seconds of the kernel."""
        cp, members = self.launch.cp, batch.members
        threads = members
        if self.room:
            fitting = int(SHARE * free(cp)) // (8 * self.room)
            threads = min(members, max(THREADS, fitting))
        there = [cp.asarray(x) for x in batch.given]
        found = [cp.empty(x.shape, x.dtype) for x in batch.found]
        workplace = cp.empty(max(1, threads * self.room), np.float64)
        numbers = (members, len(batch.near), *batch.whole, *map(float, batch.reals))
        seconds = self.launch(threads, numbers, (*there, *found, workplace))
        for mine, theirs in zip(batch.found, found, strict=True):
            theirs.get(out=mine)
        return seconds


def free(cp: Any) -> int:
    """Bytes of the GPU's memory that nobody has taken; what CuPy keeps for later is free."""
    return int(cp.cuda.runtime.memGetInfo()[0] + cp.get_default_memory_pool().free_bytes())


def is_apart(cp: Any, size: int) -> bool:
    """Whether a work vector of so many numbers is too long to be a thread's own: CUDA keeps room
    for as many threads as the GPU could ever run at once."""
    attributes: Mapping[str, int] = cp.cuda.Device().attributes
    most = attributes["MultiProcessorCount"] * attributes["MaxThreadsPerMultiProcessor"]
    return 8 * size > LARGEST_OWN or 8 * size * most > SHARE * free(cp)


def rests_text(functions: Functions, sizes: PathSizes, apart: bool) -> str:
    """CUDA source of the kernel chorda_rests."""
    more = {"NP": functions["balance"].numel_in(3), "WORK_APART": int(apart)}
    return cuda_text(functions, sizes.defines() | more, DRIVERS)


def rests_there(
    cp: Any,
    system: System,
    identity: Any,
    make: Callable[[], Functions],
    sizes: PathSizes,
    progress: bool | None = None,
) -> DeviceRests:
    """The kernel of the functions that `paths.build_path` gets."""

    def built() -> DeviceRests:
        functions = make()
        size = max(f.sz_w() for f in functions.values()) + 1
        apart = is_apart(cp, size)
        launch = launching(
            system,
            (identity, apart),
            NAME,
            lambda: rests_text(functions, sizes, apart),
            f"equilibria of {system.robot.name}",
            cp=cp,
            progress=progress,
        )
        return DeviceRests(launch, size if apart else 0)

    found: DeviceRests = system.once((NAME, identity), built)
    return found
