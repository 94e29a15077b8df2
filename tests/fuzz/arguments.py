"""Public calls with arguments of wrong types, shapes and sizes: clear errors, or results.

Every call starts from one that works; one argument is exchanged for something else.
"""

import contextlib
import io
import resource
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import chorda
from chorda.errors import ChordaError

MOST_MEMORY = 6 * 2**30  # [B] of address space: what needs more fails, not the machine
SLOW = 20.0  # [s] a call that takes longer hangs


class Odd:
    """An object that nothing expects."""

    def __repr__(self) -> str:
        return "odd"


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2.5,
    float("nan"),
    float("inf"),
    1e308,
    -1e308,
    10**400,
    1j,
    "",
    "nonsense",
    "x" * 300,
    "a\nb\x1b[31m",
    b"bytes",
    [],
    [1, 2, 3],
    [[1.0], [2.0, 3.0]],
    ["a", None],
    (),
    {},
    {"nonsense": 1.0},
    {1: 2},
    {"x1": "wide"},
    {"x1": None},
    {"x1": [1.0, 2.0]},
    {"x1": float("nan")},
    {"x1": 1e308},
    {"*": -1.0},
    set(),
    {"x1"},
    np.zeros(0),
    np.zeros((2, 3, 4)),
    np.array(["a"]),
    np.full(3, np.nan),
    np.array(1.0),
    np.array([None, 1]),
    Odd(),
    Odd,
    lambda *_: None,
    lambda t: "a",
    lambda t: np.nan,
    Path("/nonexistent/file.yaml"),
    Path("/"),
    range(3),
    object(),
    2**63,
    np.int64(-5),
    np.float32("nan"),
)


@dataclass(frozen=True)
class Call:
    """A call that works: a verb, its arguments by place and by name."""

    name: str
    verb: Any
    arguments: tuple[Any, ...]
    options: dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    call: str
    argument: str
    value: str
    word: str  # clear, accepted, raw or slow
    detail: str


def calls(folder: Path) -> list[Call]:
    """One that works of every public verb."""
    neck = chorda.assemble(chorda.load("neck-1"))
    rigid = chorda.assemble(chorda.load("neck-1"), tendons="rigid")
    rest = chorda.equilibrium(neck, tensions=5.0)
    run = chorda.simulate(neck, duration=0.02, step=1e-3, progress=False)
    saved = run.save(folder / "run.nc")
    legs = chorda.assemble(chorda.load("rfrfr"))
    held = {"motor1": 2.59, "motor2": 0.55}
    bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    bent = chorda.equilibrium(legs, hold=held, initial=bulge)
    motion = {"duration": 0.01, "step": 1e-3, "progress": False}
    return [
        Call("load", chorda.load, ("neck-1",), {}),
        Call("assemble", chorda.assemble, (neck.robot,), {"tendons": "elastic"}),
        Call(
            "simulate",
            chorda.simulate,
            (neck,),
            motion
            | {
                "scheme": "bdf2",
                "initial": {"x1": 0.1},
                "inputs": {"motor-left": -0.01},
                "control": None,
                "parameters": {"x1.bar_mass": 0.1},
                "every": 1,
                "tolerance": 1e-8,
                "strict": False,
            },
        ),
        Call(
            "equilibrium",
            chorda.equilibrium,
            (neck,),
            {
                "tensions": 5.0,
                "angles": None,
                "torques": None,
                "inputs": None,
                "hold": None,
                "poses": None,
                "efforts": None,
                "actuated": None,
                "initial": None,
                "parameters": None,
            },
        ),
        Call(
            "equilibrium of legs",
            chorda.equilibrium,
            (legs,),
            {"hold": held, "poses": None, "efforts": None, "actuated": None, "initial": bent},
        ),
        Call(
            "equilibria",
            chorda.equilibria,
            (rigid,),
            {"tensions": 5.0, "starts": 3, "spread": 1.0, "seed": 0, "progress": False},
        ),
        Call(
            "follow",
            chorda.follow,
            (bent,),
            {
                "hold": {"motor1": 2.6},
                "poses": None,
                "efforts": None,
                "actuated": None,
                "limits": None,
                "points": 2,
                "folds": False,
            },
        ),
        Call("stability", chorda.stability, (bent,), {}),
        Call(
            "kinematostatics",
            chorda.kinematostatics,
            (bent, "leg1.tip"),
            {"motors": None, "rows": None},
        ),
        Call(
            "workspace",
            chorda.workspace,
            (bent, {"motor1": (2.5, 2.6, 2)}),
            {
                "actuated": None,
                "way": "flooding",
                "limits": None,
                "jobs": 1,
                "save": None,
                "progress": False,
            },
        ),
        Call(
            "rollout",
            chorda.rollout,
            (neck,),
            motion
            | {
                "scheme": "bdf2",
                "initial": {"x1": np.array([0.0, 0.1])},
                "parameters": None,
                "inputs": None,
                "every": None,
                "gradients": (),
                "device": "cpu",
                "precision": "double",
                "jobs": 1,
            },
        ),
        Call("linearize", chorda.linearize, (neck,), {"q": None, "v": None, "u": None}),
        Call("linearize with", chorda.linearize, (neck,), {"parameters": {"x1.bar_mass": 0.1}}),
        Call(
            "step_limits",
            chorda.step_limits,
            (neck,),
            {"initial": rest, "inputs": None, "parameters": None, "schemes": None},
        ),
        Call("transmission", chorda.transmission, (rigid,), {"q": None}),
        Call("reactions", chorda.reactions, (run,), {}),
        Call("open", chorda.open, (saved,), {}),
        Call("locked", chorda.describe.locked, (legs.robot, {"motor1": 1.0}), {}),
        Call("save of a run", run.save, (folder / "again.nc",), {}),
        Call("to_csv of a run", run.to_csv, (folder / "run.csv",), {}),
        Call("plot of a run", run.plot, (folder / "run.png",), {}),
    ]


def tried(call: Call, place: int | str, value: Any) -> Outcome:
    """What becomes of a call with one argument exchanged."""
    arguments, options = list(call.arguments), dict(call.options)
    if isinstance(place, int):
        arguments[place] = value
    else:
        options[place] = value
    begin = time.perf_counter()
    word, detail = "accepted", ""
    quiet = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    try:
        with quiet[0], quiet[1], warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call.verb(*arguments, **options)
    except ChordaError as error:
        word, detail = "clear", str(error)
    except Exception as error:
        word, detail = "raw", f"{type(error).__name__}: {error}"
    if time.perf_counter() - begin > SLOW:
        word = "slow"
    try:
        text = repr(value)
    except Exception:
        text = type(value).__name__
    return Outcome(call.name, str(place), text[:60], word, detail.replace("\n", " ")[:160])


def cases(
    folder: Path, count: int | None = None, seed: int = 0
) -> Iterator[tuple[int, Callable[[], Outcome]]]:
    """All exchanges with their numbers, or so many of them, chosen by the seed."""
    every = [
        (call, place, value)
        for call in calls(folder)
        for place in (*range(len(call.arguments)), *call.options)
        for value in WRONG
        if not (call.name.startswith(("save", "to_csv", "plot")) and _writes(value))
    ]
    chosen = range(len(every))
    if count is not None:
        chosen = sorted(np.random.default_rng(seed).permutation(len(every))[:count].tolist())
    for i in chosen:
        yield i, partial(tried, *every[i])


def run(count: int | None = None, seed: int = 0) -> list[Outcome]:
    """What becomes of all exchanges, or of so many of them."""
    with TemporaryDirectory() as name:
        return [attempt() for _, attempt in cases(Path(name), count, seed)]


def _writes(value: Any) -> bool:
    """Whether a file of this name would be written somewhere."""
    return (
        isinstance(value, str | bytes)
        or value is None
        or (isinstance(value, int) and not isinstance(value, bool))
    )


def table(outcomes: list[Outcome]) -> str:
    """Calls by outcome, and what was raw or slow."""
    words = ("clear", "accepted", "raw", "slow")
    lines = ["call | " + " | ".join(words), "---|" + "---|" * len(words)]
    for name in dict.fromkeys(x.call for x in outcomes):
        counts = Counter(x.word for x in outcomes if x.call == name)
        lines.append(f"{name} | " + " | ".join(str(counts[word]) for word in words))
    total = Counter(x.word for x in outcomes)
    lines.append("all | " + " | ".join(str(total[word]) for word in words))
    return "\n".join(lines)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    found = run()
    print(table(found))
    for x in found:
        if x.word in ("raw", "slow"):
            print(f"{x.word}: {x.call}({x.argument}={x.value}): {x.detail}")
