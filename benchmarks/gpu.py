"""Rollouts on a GPU, whole calls beside the kernel inside, and against the cores of the machine.

    python benchmarks/gpu.py [necks] [large] [contact] [rods] [tensors] [environments] [start]

Differences are those of all states, over the largest of each, of 64 members after 200 steps in both
places. Rates are robot-steps a second of the best of several calls: of the kernel alone; of a call
that is given NumPy arrays and returns them; of one that is given arrays on the GPU and leaves its
results there.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import chorda
from chorda.bench import chain, eyelets, hand
from chorda.bench.rod_motion import robot as rod
from chorda.describe import Modes

FEW, CHECKED, CALLS = 64, 200, 5


@dataclass(frozen=True)
class Case:
    """A robot, how it starts and is pulled, and the size of its batch."""

    name: str
    system: Any
    step: float
    varied: dict[str, tuple[float, float]]  # coordinates, drawn between these
    inputs: Any
    members: int = 131_072
    steps: int = 500
    scheme: str | None = None
    precisions: tuple[str, ...] = ("double", "single")
    tension: float | None = None
    tolerance: float | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def call(self, members: int, steps: int, xp: Any = np, **options: Any) -> Any:
        """A whole call."""
        rng = np.random.default_rng(1)
        initial: dict[str, Any] = {
            k: xp.asarray(rng.uniform(*ends, members)) for k, ends in self.varied.items()
        }
        if self.tension is not None:
            initial["tension"] = self.tension
        given = {"duration": steps * self.step, "step": self.step, "scheme": self.scheme}
        own = {"initial": initial, "inputs": self.inputs, "tolerance": self.tolerance}
        begin = time.perf_counter()
        found = chorda.rollout(self.system, **given, **own, progress=False, **options)
        return time.perf_counter() - begin, found


def necks() -> list[Case]:
    found = []
    for name in ("neck-3", "neck-4"):
        system = chorda.assemble(chorda.load(name))
        joints = {c.name: (-0.2, 0.2) for c in system.coordinates if c.kind == "joint"}
        inputs = [-0.02] * system.nu
        found.append(
            Case(name, system, 2e-3, joints, inputs, scheme="implicit-euler", tension=15.0)
        )
    system = chorda.assemble(chain.robot())
    joints = {c.name: (-0.1, 0.1) for c in system.coordinates}
    return [*found, Case("chain-7", system, 2e-3, joints, chain.PULL, scheme="implicit-euler")]


def large() -> list[Case]:
    system = chorda.assemble(eyelets.robot(20))
    joints = {c.name: (-0.05, 0.05) for c in system.coordinates}
    inputs = eyelets.inputs(system).tolist()
    one = Case("chain of 20", system, 1e-3, joints, inputs, 65_536, 200, "implicit-euler")
    system = chorda.assemble(hand.robot())
    joints = {c.name: (-0.05, 0.05) for c in system.coordinates if c.kind == "joint"}
    pull = hand.pull(system).tolist()
    return [one, Case("hand", system, 1e-3, joints, pull, 65_536, 200, "implicit-euler")]


def contact() -> list[Case]:
    system = chorda.assemble(chorda.load("neck-obstacle"))
    joints = {c.name: (-0.2, 0.2) for c in system.coordinates if c.kind == "joint"}
    inputs = [-0.02] * system.nu
    return [Case("neck-obstacle", system, 1e-3, joints, inputs, scheme="implicit-euler")]


def rods() -> list[Case]:
    found = []
    for what, step, counts in (
        ("rod, 4 bending modes", 0.0125, {"bend_y": 4, "stretch": 0, "intervals": 6}),
        ("rod, 12 coordinates", 0.004, {"bend_y": 6, "stretch": 3, "shear_z": 3}),
    ):
        modes = Modes(twist=0, bend_z=0, order=6, **counts)
        system = chorda.assemble(rod(modes))
        starts = {system.coordinate_names[0]: (-0.2, 0.2)}
        for scheme in ("generalized-alpha", "bdf2"):
            case = Case(what, system, step, starts, [2.0], 65_536, 100, scheme, ("double",))
            found.append(Case(**{**case.__dict__, "tolerance": 1e-6}))
    return found


def measured(case: Case, precision: str) -> dict[str, Any]:
    """A row of the table."""
    import cupy as cp

    gpu = {"device": "gpu", "precision": precision}
    first, few = case.call(FEW, min(CHECKED, case.steps), **gpu)
    _, wanted = case.call(FEW, min(CHECKED, case.steps))
    scale = np.abs(wanted.position).max(axis=0) + 1e-300
    away = float(np.max(np.abs(few.position - wanted.position) / scale))
    row = {"robot": case.name, "scheme": case.scheme, "precision": precision, "first call": first}
    row |= {"difference": away, "members": case.members, "steps": case.steps}
    total, kernel = case.members * case.steps, np.inf
    for what, xp, options in (("host", np, {}), ("device", cp, {"keep": "device"})):
        case.call(case.members, case.steps, xp, **gpu, **options)
        best = np.inf
        for _ in range(CALLS):
            seconds, found = case.call(case.members, case.steps, xp, **gpu, **options)
            best, kernel = min(best, seconds), min(kernel, found.seconds)
            failed = len(found.failed)
        row |= {what: total / best, "failed": failed}
    row["kernel"] = total / kernel
    print(
        f"{case.name:22s} {case.scheme or '':18s} {precision}: first call {first:6.1f} s, "
        f"difference {away:.1e}, kernel {row['kernel'] / 1e6:8.2f}, host {row['host'] / 1e6:8.2f}, "
        f"device {row['device'] / 1e6:8.2f} million a second, failed {failed}",
        flush=True,
    )
    return row


def tensors() -> dict[str, Any]:
    """Tensors of PyTorch in and out: nothing is copied to the host, or at all."""
    import cupy as cp
    import torch

    case = necks()[0]
    n = case.members
    angles = torch.empty(n, device="cuda", dtype=torch.float64).uniform_(-0.2, 0.2)
    pulls = torch.full((n, case.system.nu), -0.02, device="cuda", dtype=torch.float64)
    given = {"duration": 1.0, "step": 2e-3, "device": "gpu", "keep": "device", "progress": False}
    own = cp.from_dlpack(angles)
    assert own.data.ptr == angles.data_ptr()

    def call() -> Any:
        return chorda.rollout(case.system, initial={"x1": angles}, inputs=pulls, **given)

    call()
    begin = time.perf_counter()
    found = call()
    seconds = time.perf_counter() - begin
    out = torch.from_dlpack(found.position)
    same = out.data_ptr() == found.position.data.ptr
    print(f"tensors: {n * 500 / seconds / 1e6:.0f} million robot-steps a second, {out.shape} on "
          f"{out.device}, the result's memory is the tensor's: {same}")  # fmt: skip
    return {"rate": n * 500 / seconds, "same memory": bool(same), "device": str(out.device)}


def environments() -> dict[str, Any]:
    """Robots that learn to reach: actions from the GPU, observations and rewards there."""
    import cupy as cp

    from chorda.gym import DeviceVectorEnv, Reach

    task, n, times, skip = Reach({"x1": (-0.5, 0.5)}, tension=20.0), 131_072, 20, 10
    found = {}
    for precision in ("double", "single"):
        given = {"limits": (-0.1, 0.0), "frame_skip": skip, "horizon": 50, "precision": precision}
        env = DeviceVectorEnv(n, "neck-3", task, **given)
        env.reset(seed=1)
        actions = cp.random.default_rng(1).random((times, n, 4)) * 2 - 1
        best = np.inf
        for _ in range(5):  # two of them with episodes that end and begin
            begin = time.perf_counter()
            env.steps(actions)
            cp.cuda.Device().synchronize()
            best = min(best, time.perf_counter() - begin)
        found[precision] = n * times * skip / best
        print(f"environments, {precision}: {found[precision] / 1e6:.0f} million robot-steps a "
              f"second, {n * times / best / 1e6:.1f} million actions a second")  # fmt: skip
    return found


STARTING = """
import time
begin = before = time.perf_counter()
def done():
    global before
    now = time.perf_counter()
    print(now - begin, now - before)
    before = now
import numpy as np
done()
import chorda
done()
system = chorda.assemble(chorda.load("neck-3"))
done()
import cupy
done()
initial = {"x1": np.linspace(-0.2, 0.2, 131_072), "tension": 15.0}
given = dict(duration=1.0, step=2e-3, scheme="implicit-euler", device="gpu", progress=False)
for _ in range(2):
    chorda.rollout(system, initial=initial, inputs=[-0.02] * system.nu, **given)
    done()
"""


def start() -> dict[str, Any]:
    """A new process, with kernels and bytecode from their caches: when its first and second call
    are done. One before it fills both, as an installation and the first process of a user do."""
    env = {k: x for k, x in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(2):
        call = [sys.executable, "-c", STARTING]
        out = subprocess.run(call, capture_output=True, text=True, env=env)
    rows = [[float(x) for x in line.split()] for line in out.stdout.splitlines()]
    words = (
        "NumPy is imported", "Chorda is imported", "the robot is assembled", "CuPy is imported",
        "the first call", "the second call",
    )  # fmt: skip
    for what, (done, own) in zip(words, rows, strict=False):
        print(f"new process: {what} after {done:.2f} s, took {own:.2f} s")
    if out.returncode:
        print(out.stderr[-2000:])
    return {"calls": rows}


def main(parts: list[str]) -> None:
    found: dict[str, Any] = {}
    for name, make in (("necks", necks), ("large", large), ("contact", contact), ("rods", rods)):
        if name in parts:
            rows = [(case, precision) for case in make() for precision in case.precisions]
            found[name] = [measured(*row) for row in rows]
    for name, do in (("tensors", tensors), ("environments", environments), ("start", start)):
        if name in parts:
            found[name] = do()
    folder = Path("output")
    folder.mkdir(exist_ok=True)
    (folder / "gpu.json").write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:] or ["necks", "large", "contact", "rods", "tensors", "environments", "start"])
