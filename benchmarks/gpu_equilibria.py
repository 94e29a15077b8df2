"""Many equilibria with both kinds of stability, on all cores and on a GPU: how equal, how fast.

    python benchmarks/gpu_equilibria.py [FOLDER] [--planar N] [--spatial N] [--quick]

Needs the whole library, CuPy and an NVIDIA GPU. Motors within 0.3 rad and Young's moduli within
10 % of one equilibrium, from which each member starts, as the group `equilibrium_batch` of
`chorda bench`; 5 modes a leg. Times are the best of several calls, the first call with its
compilation apart. FOLDER gets gpu-equilibria.json.
"""

import argparse
import contextlib
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np

from chorda.bench.equilibrium_batches import drawn
from chorda.bench.machine import describe
from chorda.compile import device_rests
from chorda.compile.device import cupy
from chorda.compile.device_rests import DeviceRests
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import PLANAR, SPATIAL
from chorda.results.spectra import KINDS
from chorda.statics import equilibrium_batch

MODES, PLANAR_MEMBERS, SPATIAL_MEMBERS, REPEATS = 5, 100_000, 10_000, 3
COLUMNS = ("q", "unknowns", "multipliers")


def timed(start, given, **how):
    """A batch with both kinds of stability, and the seconds of the whole call."""
    begin = time.perf_counter()
    batch = equilibrium_batch(start, **given, **how, progress=False)
    for kind in KINDS:
        assert len(batch.stability[kind].words) == len(batch)
    return batch, time.perf_counter() - begin


@contextlib.contextmanager
def launches():
    """Seconds of each launch, and of launch and transfers together."""
    run, seconds = DeviceRests.run, []

    def counted(self, batch):
        begin = time.perf_counter()
        kernel = run(self, batch)
        seconds.append((kernel, time.perf_counter() - begin))
        return kernel

    DeviceRests.run = counted
    try:
        yield seconds
    finally:
        DeviceRests.run = run


def best(start, given, repeats, **how):
    """Batch and seconds of the fastest call: whole, in kernels, and there with transfers."""
    found = []
    for _ in range(repeats):
        with launches() as seconds:
            batch, whole = timed(start, given, **how)
        found.append((batch, whole, *np.sum([(0.0, 0.0), *seconds], axis=0).tolist()))
    return min(found, key=lambda x: x[1])


def difference(there, here):
    """Largest one of each column, over the column's largest entry."""
    found = {}
    for name in COLUMNS:
        mine, theirs = getattr(there, name), getattr(here, name)
        size = np.nanmax(np.abs(theirs), axis=0, initial=1e-3)
        found[name] = float(np.nanmax(np.abs(mine - theirs) / size, initial=0.0))
    return found


def compared(name, study, members, repeats):
    """One robot: rows that are printed and kept."""
    start = study.start(MODES, CATALOGUE_INTERVALS)
    given = drawn(start, members)
    few = drawn(start, 64)
    out = {"members": members, "coordinates": start.system.nq}
    out["first call on the CPU [s]"] = timed(start, few)[1]
    out["first call on the GPU [s]"] = timed(start, few, device="gpu")[1]
    here, cpu, *_ = best(start, given, repeats)
    there, gpu, kernel, device = best(start, given, repeats, device="gpu")
    out |= {
        "CPU [s]": cpu,
        "GPU [s]": gpu,
        "of it the kernel [s]": kernel,
        "of it kernel and transfers [s]": device,
        "equilibria a second, CPU": members / cpu,
        "equilibria a second, GPU": members / gpu,
        "equilibria a second, kernel": members / kernel,
        "codes": dict(Counter(there.code.tolist())),
        "codes that differ": int(np.sum(there.code != here.code)),
        "iterations that differ": int(np.sum(there.iterations != here.iterations)),
        "differences": difference(there, here),
    }
    for kind in KINDS:
        mine, theirs = (np.array(x.stability[kind].words) for x in (there, here))
        out[f"{kind}: verdicts that differ"] = int(np.sum(mine != theirs))
        out[f"{kind}: stable"] = int(np.sum(mine == "stable"))
    print(f"\n{name}, {members} equilibria")
    for what, value in out.items():
        print(f"  {what}: {value if isinstance(value, int | dict) else f'{value:.4g}'}", flush=True)
    return out


def apart(study, members, repeats):
    """Seconds of the kernel whose work vectors lie in memory, where they fit into threads too."""
    largest, device_rests.LARGEST_OWN = device_rests.LARGEST_OWN, 0
    try:
        start = study.start(MODES, CATALOGUE_INTERVALS)
        timed(start, drawn(start, 64), device="gpu")
        return best(start, drawn(start, members), repeats, device="gpu")[2]
    finally:
        device_rests.LARGEST_OWN = largest


def main():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("folder", nargs="?", type=Path, default=Path("output"))
    ask.add_argument("--planar", type=int, default=PLANAR_MEMBERS)
    ask.add_argument("--spatial", type=int, default=SPATIAL_MEMBERS, help="0 leaves it out")
    ask.add_argument("--quick", action="store_true", help="one call of each")
    given = ask.parse_args()
    repeats = 1 if given.quick else REPEATS
    properties = cupy().cuda.runtime.getDeviceProperties(0)
    found = {"machine": describe(), "GPU": properties["name"].decode()}
    print(*found.values(), sep="\n")

    def keep():
        given.folder.mkdir(parents=True, exist_ok=True)
        (given.folder / "gpu-equilibria.json").write_text(json.dumps(found, indent=2))

    found["rfrfr"] = compared("rfrfr", RobotStudy(PLANAR), given.planar, repeats)
    keep()
    seconds = apart(RobotStudy(PLANAR), given.planar, repeats)
    found["rfrfr"]["kernel with work vectors in memory [s]"] = seconds
    print(f"  kernel with work vectors in memory [s]: {seconds:.4g}", flush=True)
    keep()
    if given.spatial:
        found["6-rfs"] = compared("6-rfs", RobotStudy(SPATIAL), given.spatial, repeats)
        keep()


if __name__ == "__main__":
    main()
