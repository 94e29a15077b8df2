"""Batches on a GPU, against the CPU: how equal, how fast.

    python benchmarks/gpu.py write output/gpu    # with Chorda: sources, batches, the CPU's results
    python benchmarks/gpu.py run output/gpu      # with NumPy and CuPy on the machine with the GPU

Equality is measured over 1000 steps of 64 members; speed on 131,072 members whose states stay on
the GPU, the best of several runs of 500 steps.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np

ROBOTS = ("neck-3", "neck-4", "chain-7")
MEMBERS, STEPS, LARGE, TIMED, REPEATS = 64, 1000, 131_072, 500, 5
ARRAYS = ("x", "signal", "p", "low", "high", "X", "done", "code")


def write(folder: Path) -> None:
    """Everything that `run` needs."""
    import chorda
    from chorda.bench import chain
    from chorda.compile import Batch
    from chorda.dynamics.kernels import SchemeLoop
    from chorda.dynamics.rollouts.gpu import cuda
    from chorda.dynamics.schemes import find
    from chorda.dynamics.time_loop import bounds

    scheme = find("implicit-euler")
    for name in ROBOTS:
        system = chorda.assemble(chain.robot() if name == "chain-7" else chorda.load(name))
        loop = SchemeLoop(system, scheme)
        into = folder / name
        into.mkdir(parents=True, exist_ok=True)
        for precision in ("double", "single"):
            (into / f"{precision}.cu").write_text(cuda(loop, precision))
        rng = np.random.default_rng(1)
        joints = [k for k, c in enumerate(system.coordinates) if c.kind == "joint"]
        q = np.repeat(system.rest[:, None], MEMBERS, 1)
        q[joints] += rng.uniform(-0.2, 0.2, (len(joints), MEMBERS))
        u = np.array(chain.PULL if name == "chain-7" else [-0.02] * system.nu)
        p, h = system.parameters(), 2e-3
        still = np.zeros((system.nv, MEMBERS))
        wide = [np.repeat(x[:, None], MEMBERS, 1) for x in (u, p)]
        x = loop.start(h, q, still, *wide)
        low, high = bounds(system, len(x))
        batch = Batch(h, STEPS, STEPS, x.copy(), u[None, :, None], p[:, None], low, high, 1e-10)
        first = batch.x.copy()
        loop.kernel.many(batch, 0, MEMBERS)
        numbers = {"whole": batch.whole, "h": h, "tolerance": 1e-10, "dt": h}
        (into / "batch.json").write_text(json.dumps(numbers))
        given = dict(zip(ARRAYS, batch.arrays, strict=True))
        np.savez(into / "batch.npz", first=first, **given)
        print(f"{name}: {system.nq} coordinates, code {np.unique(batch.code).tolist()}")


def run(folder: Path) -> dict[str, dict[str, float]]:
    """Compares and times; needs no Chorda but one file of it."""
    import cupy as cp

    place = Path(__file__).parents[1] / "src" / "chorda" / "compile" / "cuda.py"
    spec = importlib.util.spec_from_file_location("cuda", place)
    cuda = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cuda)
    found = {}
    for name in ROBOTS:
        numbers = json.loads((folder / name / "batch.json").read_text())
        data = np.load(folder / name / "batch.npz")
        found[name] = {}
        for precision in ("double", "single"):
            launch = cuda.Launch(
                cp, (folder / name / f"{precision}.cu").read_text(), "chorda_many", precision
            )
            arrays = [data["first"] if key == "x" else data[key].copy() for key in ARRAYS]
            arrays[ARRAYS.index("X")][:] = np.nan
            there = launch.put(arrays)
            _launched(launch, numbers["whole"], numbers, there)
            X, wanted = there[5].get().astype(float), data["X"]
            scale = np.max(np.abs(wanted), axis=2, keepdims=True)
            off = float(np.max(np.abs(X - wanted) / np.where(scale > 0, scale, 1)))
            found[name][f"{precision} difference"] = off
            found[name][f"{precision} rate"] = _rate(cp, launch, numbers, data)
            print(name, precision, f"difference {off:.1e}, ", end="")
            print(f"{found[name][f'{precision} rate']:.4g} robot-steps a second", flush=True)
    return found


def _launched(launch, whole, numbers, there) -> float:
    """Seconds of the kernel."""
    tolerance = max(numbers["tolerance"], launch.least)
    return launch(whole[0], (*whole[1:], numbers["h"], tolerance), there)


def _rate(cp, launch, numbers, data) -> float:
    """Robot-steps a second with a large batch."""
    copies = LARGE // MEMBERS
    x = np.tile(data["first"], (1, copies))
    arrays = [x, data["signal"], data["p"], data["low"], data["high"]]
    arrays += [np.zeros((1, *x.shape)), np.zeros(LARGE, np.int64), np.zeros(LARGE, np.int64)]
    there = launch.put(arrays)
    whole = [LARGE, TIMED, TIMED, *numbers["whole"][3:]]
    times = [_launched(launch, whole, numbers, there) for _ in range(REPEATS)]
    assert int(there[7].sum()) == 0
    return LARGE * TIMED / min(times)


if __name__ == "__main__":
    verb, folder = sys.argv[1], Path(sys.argv[2])
    if verb == "write":
        write(folder)
    else:
        (folder / "gpu.json").write_text(json.dumps(run(folder), indent=2))
