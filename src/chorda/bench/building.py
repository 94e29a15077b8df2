"""From a description to a running kernel: time in fresh processes, cache empty and filled.

`python -m chorda.bench.building JOINTS` is the fresh process: it times assembling and the kernel
(not the imports, which come before), then a step, and prints them as JSON.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from chorda.bench.groups import Group, at_most, us
from chorda.bench.steps import SCHEME, Stepping
from chorda.catalogue import neck
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import find
from chorda.errors import SolveError
from chorda.mechanics import assemble
from chorda.results import Table


@dataclass(frozen=True)
class Built:
    """Seconds to assemble and to get the kernel, from an empty and a filled cache; one step."""

    joints: int
    cold: float
    warm: float
    warm_assemble: float
    operations: int
    step: float


def building_group(joints: Iterable[int], repeats: int, say: Callable[[str], None]) -> Group:
    """Necks of so many joints, each built in fresh processes."""
    found = []
    for n in joints:
        say(f"building neck-{n} in fresh processes")
        found.append(built(n, repeats))
    table = Table(
        "Necks of several joints: implicit-euler, elastic tendons, each build in a fresh process",
        ("joints", "operations", "time a step", "cold build", "warm build", "of it assembling"),
        tuple(
            (str(x.joints), str(x.operations), us(x.step), f"{x.cold:.2f} s", f"{x.warm:.3f} s",
             f"{x.warm_assemble:.3f} s")
            for x in found
        ),
        "Build = assemble + kernel; cold with an empty kernel cache (generate, compile), warm from "
        "the cache. The import of the package (about 0.3 s) is not included.",
    )  # fmt: skip
    cold, warm = max(found, key=lambda x: x.cold), max(found, key=lambda x: x.warm)
    targets = (
        at_most(f"slowest cold build (neck-{cold.joints})", 10.0, cold.cold, "s"),
        at_most(f"slowest warm build (neck-{warm.joints})", 0.5, warm.warm, "s"),
    )
    return Group(table, targets, {"building": [asdict(x) for x in found]})


def built(joints: int, warm_repeats: int = 3) -> Built:
    """Build a neck in fresh processes: once cold, then warm, the best of several."""
    with tempfile.TemporaryDirectory(prefix="chorda-bench-") as cache:
        cold = _child(joints, cache)
        warm = [_child(joints, cache) for _ in range(warm_repeats)]
    best = min(warm, key=lambda x: x["assemble"] + x["kernel"])
    return Built(
        joints=joints,
        cold=cold["assemble"] + cold["kernel"],
        warm=best["assemble"] + best["kernel"],
        warm_assemble=best["assemble"],
        operations=int(best["operations"]),
        step=min(x["step"] for x in [cold, *warm]),
    )


def _child(joints: int, cache: str) -> dict[str, float]:
    command = [sys.executable, "-m", __name__, str(joints)]
    environment = {**os.environ, "CHORDA_CACHE": cache}
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        raise SolveError(f"bench: neck-{joints} could not be built: {run.stderr.strip()[-500:]}")
    answer: dict[str, float] = json.loads(run.stdout)
    return answer


def _measure(joints: int) -> dict[str, float]:
    robot = neck(joints)
    begin = time.perf_counter()
    system = assemble(robot)
    assembled = time.perf_counter()
    made = SchemeLoop(system, find(SCHEME)).kernel
    ready = time.perf_counter()
    stepping = Stepping(system, SCHEME, steps=2000)
    return {
        "assemble": assembled - begin,
        "kernel": ready - assembled,
        "operations": made.operations,
        "step": min(stepping() for _ in range(3)),
    }


if __name__ == "__main__":
    print(json.dumps(_measure(int(sys.argv[1]))))
