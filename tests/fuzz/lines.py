"""Command lines with wrong values, files and options: clear errors, or results.

Every line starts from one that works; one token is exchanged, dropped, repeated or added. Lines
run in this process, in a folder of their own with the files that they name.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any
from unittest.mock import patch

import numpy as np
from typer.testing import CliRunner

import chorda
from chorda.cli import app
from tests.fuzz.arguments import MOST_MEMORY, SLOW, Outcome, table

USUAL = 1000  # lines, where no number of them is given
RESTED, FAILED, REFUSED = 0, 1, 2  # exit codes: a result, one that is not ok, a clear error
ESCAPE = "\x1b"
LONG = "x" * 300
WRONG = (
    *("", " ", "nonsense", "nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-1", "0", "2.5"),
    *("1" * 400, "1_0", "0x10", LONG, "a\nb", f"{ESCAPE}[31mred", "\u2603", "\udcff", "*", "["),
    *("=", "=1", "a=", "a=b=c", "x1", "x1=", "x1=nan", "x1=1e308", "nonsense=1", "*=-1", "\u202ea"),
    *(",", ",,", "1,", "1,2,3,4,5,6,7", ":", "0:1", "1:0:5", "0:1:-2", "0:1:99999999", "nan:1:3"),
    *("-", "--", "--nonsense", "%s", "{}", "~", "..", "sine:", "sine:nan", "tcp://", "x1,"),
)
FILES = (
    *("missing.yaml", "missing/file.png", "missing/file.nc", "folder", "pipe", "binary", "u.csv"),
    *("robot.yaml", "study.yaml", "run.nc", "map.nc", "done.zarr", "ragged.csv", "empty.csv"),
)
ENDINGS = (".yaml", ".png", ".csv", ".nc", ".html", ".gif", ".glb", ".xml", ".zarr", ".parquet")
ADDED = {  # options that take long, or need a scheduler, where they work: wrong values alone
    "identify": ("--refine", "--compare", "--report"),
    "sweep": ("--scheduler",),
    "simulate": ("--compensate-friction",),
}
AT_REST = "--hold motor1=2.59 --hold motor2=0.55"
SEEN = "--set leg1.bend_z0=-1 --set leg2.bend_z0=1"
BENT = f"{AT_REST} {SEEN}"
BRIEF = "--duration 0.01 --step 1e-3"
NECK = f"simulate neck-1 {BRIEF}"
WORKING = f"""
list --json
show robot.yaml --json
show neck-1 --yaml
show --schema
show neck-1 --picture out.png
{NECK} --scheme bdf2 --set x1=0.1 --set tension=5 --every 2 --input motor-left=-0.01 --json \
    --parameter x1.bar_mass=0.1
{NECK} --scheme generalized-alpha --rho-inf 0.5
simulate neck-1 --duration 0.01 --accuracy 1e-3
{NECK} --tendons rigid --inputs u.csv --output out.csv
{NECK} --control pd --reference sine:0.1 --minimum-tension 5 --maximum-tension 200
{NECK} --control computed-torque --reference wanted.csv
{NECK} --settle --output out.nc
{NECK} --export out.csv
{NECK} --plot out.png
simulate neck-1 --duration 0.002 --step 1e-3 --animate out.gif
simulate rfrfr {BRIEF} {AT_REST}
experiment neck-1 --duration 0.1 --output out.csv --seed 1 --amplitude 0.1 --tension 5 --json \
    --step 5e-4 --tendons elastic --parameter x1.bar_mass=0.1 --encoder-rate 400 \
    --encoder-counts 1000 --camera-rate 30 --camera-noise 0.01 --camera-latency 0.01 \
    --camera-dropped 0.1 --current-noise 0.001 --current-resolution 1e-4 --current-ripple 0.001
experiment neck-1 --duration 0.1 -o out.nc --motion wanted.csv --ideal
export neck-1 --to mjcf --output out.xml --step 1e-3 --json --set x1=0.1 \
    --input motor-left=-0.01 --parameter x1.bar_mass=0.1
export neck-1 --to casadi --output out --scheme heun --force
export neck-1 --to c --output out --tendons rigid
identify log.csv --robot neck-1 --no-report --parameters motor-*.inertia --tie motor-*.inertia \
    --cutoff 5 --rate 50 --tensions modelled --tendons elastic --method least-squares \
    --columns columns.yaml --json
identify log.csv --robot neck-1 --no-report --parameters motor-*.inertia --as-published
equilibrium neck-1 --tension 5 --set x1=0.1 --json
equilibrium till --tension 3 --accuracy 1e-4
equilibrium neck-1 --angle motor-left=-0.1 --angle motor-right1=-0.1
equilibrium neck-1 --torque -0.01,-0.01 --tendons rigid
equilibrium neck-1 --input motor-left=-0.01 --parameter *.bar_mass=0.1
equilibrium neck-1 --effort x1=0.1 --tension 5 --export out.glb
equilibrium rfrfr {BENT} --picture out.png
equilibrium rfrfr {SEEN} --pose leg1.tip.x=0 --pose leg1.tip.y=0.8 --actuated motor1,motor2
stability rfrfr {BENT} --frame leg1.tip --json
stability rfrfr {BENT} --plot out.png --kind locked
workspace rfrfr {BENT} --over motor1=2.58:2.6:2 --limit stress=8e8 --way grid --jobs 1 \
    --save out.nc --json
workspace rfrfr {BENT} --over motor1=2.59 --picture out.png --colour stability --jobs 1 \
    --kind constant-efforts
sweep study.yaml --output out.zarr --jobs 1 --chunk 1 --json
sweep study.yaml --plot tensions,position:x1 --picture out.png --yes --jobs 1
sweep --resume done.zarr --jobs 1
step-limits neck-1 --tension 5 --parameter x1.bar_mass=0.1 --json
transmission neck-1 --set x1=0.1 --torque x1=0.1 --low 1 --high 100 --parameter x1.bar_mass=0.1 \
    --json
transmission neck-obstacle --set x1=-0.4 --set x3=-0.5 --press leans.bar3-post=4 --low 5
view neck-1 --tension 5 --parameter x1.bar_mass=0.1 --html out.html
view run.nc --beside run.nc --host 127.0.0.1 --port 8080 --browser
view neck-1 --state e30
reproduce tiny --output out --quick --json
bench --quick --joints 1 --json
"""


def lines() -> list[tuple[str, ...]]:
    """Lines that work: every command, and every option in one of them."""
    return [tuple(line.split()) for line in WORKING.strip().splitlines()]


@dataclass(frozen=True)
class Line:
    """Tokens of a line, and which of them was changed how."""

    tokens: tuple[str, ...]
    changed: str
    value: str


def changes(tokens: tuple[str, ...]) -> Iterator[Line]:
    """What one change makes of a line."""
    others = _other_options(tokens)
    for k, token in enumerate(tokens[1:], 1):
        before, after = tokens[:k], tokens[k + 1 :]
        flag = tokens[k - 1] if tokens[k - 1].startswith("-") else f"place {k}"
        yield Line((*before, *after), f"without {token}", "")
        if token.startswith("--"):
            yield Line((*before, *after, token), "moved to the end", token)
            yield Line((*before, token, token, *after), "twice", token)
            yield Line((*before, f"{token}=", *after), "empty", token)
            continue
        if flag.startswith("-"):
            yield Line((*tokens, flag, token), "again", flag)
            yield Line((*tokens, flag, "1"), "again with 1", flag)
        for value in (*WRONG, *FILES):
            yield Line((*before, value, *after), flag, value)
        for ending in ENDINGS:
            for what in ("pipe", "folder", "binary", f"missing/{LONG}"):
                yield Line((*before, what + ending, *after), flag, what + ending)
        name, equals, value = token.partition("=")
        if equals:
            for wrong in WRONG:
                yield Line((*before, f"{name}={wrong}", *after), flag, f"{name}={wrong}")
                yield Line((*before, f"{wrong}={value}", *after), flag, f"{wrong}={value}")
    yield Line((*tokens, "--nonsense"), "added", "--nonsense")
    yield Line((*tokens, f"--{ESCAPE}[31m"), "added", "escape")
    yield Line((*tokens, "nonsense"), "added", "nonsense")
    for flag in ADDED.get(tokens[0], ()):
        for value in (*WRONG, *FILES):
            yield Line((*tokens, flag, value), flag, value)
    for option in others:
        yield Line((*tokens, *option), "added", " ".join(option))


def _other_options(tokens: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Options of a command that other lines give, with their values."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines():
        if line[0] != tokens[0]:
            continue
        for k, token in enumerate(line):
            if token.startswith("-") and token not in tokens:
                value = line[k + 1 : k + 2]
                bare = not value or value[0].startswith("--")
                found.setdefault(token, (token,) if bare else (token, *value))
    return list(found.values())


def write_files(folder: Path) -> None:
    """Files that the lines name: good ones, wrong ones, pipes and folders."""
    neck = chorda.load("neck-1")
    (folder / "robot.yaml").write_text(chorda.describe.dump(neck))
    (folder / "study.yaml").write_text(
        "robot: neck-1\nvary: [{name: tensions, kind: list, at: [5, 9]}]\n"
        "compute: {kind: equilibrium}\n"
    )
    (folder / "u.csv").write_text("time,motor-left\n0,-0.01\n1,-0.02\n")
    (folder / "wanted.csv").write_text("time,x1\n0,0\n0.3,0.02\n0.6,0.05\n1,0.1\n")
    (folder / "columns.yaml").write_text("{}\n")
    (folder / "ragged.csv").write_text("time,x1\n0\n1,2,3\n,,\n")
    (folder / "empty.csv").write_text("")
    (folder / "binary").write_bytes(bytes(range(256)) * 4)
    for ending in ENDINGS:
        os.mkfifo(folder / f"pipe{ending}")
        (folder / f"folder{ending}").mkdir()
        shutil.copy(folder / "binary", folder / f"binary{ending}")
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    for line in (
        f"{NECK} --output run.nc",
        "experiment neck-1 --duration 2 --output log.csv",
        f"workspace rfrfr {BENT} --over motor1=2.59 --save map.nc --jobs 1",
        "sweep study.yaml --output done.zarr --jobs 1",
    ):
        with _inside(folder):
            answer = CliRunner().invoke(app, line.split(), prog_name="chorda")
            assert answer.exit_code == 0, (line, answer.output, answer.exception)


class Stuck(BaseException):
    """A line took too long."""


def tried(tokens: tuple[str, ...], line: Line, template: Path, folder: Path) -> Outcome:
    """What becomes of a line, in a folder of its own."""
    _copy(template, folder)
    begin = time.perf_counter()
    try:
        with _inside(folder), _limited(2 * SLOW), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = CliRunner().invoke(app, list(line.tokens), prog_name="chorda")
        word, detail = judged(answer, "--json" in line.tokens)
    except Stuck as error:
        word, detail = "slow", str(error)
    if time.perf_counter() - begin > SLOW:
        word = "slow"
    shutil.rmtree(folder)
    name = " ".join(tokens[: 2 + (tokens[0] == "simulate")])
    text = repr(line.value)[:60]
    return Outcome(name, line.changed, text, word, repr(detail)[:300])


def judged(answer: Any, as_json: bool) -> tuple[str, str]:
    """Clear, accepted or raw, and what the line printed last."""
    error, code = answer.exception, answer.exit_code
    if error is not None and not isinstance(error, SystemExit):
        return "raw", f"{type(error).__name__}: {error}"
    last = answer.stderr.strip()[-200:]
    if ESCAPE in answer.output or "Traceback" in answer.output:
        return "raw", f"an escape sequence or a traceback is printed: {answer.output[-200:]}"
    if code == REFUSED:
        return ("clear", last) if last else ("raw", "refused without a word")
    if code == FAILED and not last:
        return "raw", "failed without a word"
    if code not in (RESTED, FAILED):
        return "raw", f"exit code {code}: {last}"
    if as_json and answer.stdout.strip():
        try:
            json.loads(answer.stdout, parse_constant=float.fromhex)
        except ValueError as wrong:
            return "raw", f"no JSON: {wrong}"
    return "accepted", last


def cases(
    folder: Path, count: int | None = None, seed: int = 0
) -> Iterator[tuple[int, Callable[[], Outcome]]]:
    """So many changed lines with their numbers, chosen by the seed."""
    found = [(tokens, line) for tokens in lines() for line in changes(tokens)]
    chosen = np.random.default_rng(seed).permutation(len(found))[
        : USUAL if count is None else count
    ]
    with _small_studies():
        template = folder / "template"
        template.mkdir()
        write_files(template)
        for number in chosen.tolist():
            yield number, partial(tried, *found[number], template, folder / "here")


def run(count: int, seed: int = 0) -> list[Outcome]:
    """What becomes of so many lines."""
    with TemporaryDirectory() as name:
        return [attempt() for _, attempt in cases(Path(name), count, seed)]


def works() -> list[tuple[tuple[str, ...], str]]:
    """Lines that should work and do not, with what they print."""
    with TemporaryDirectory() as name, _small_studies():
        template = Path(name, "template")
        template.mkdir()
        write_files(template)
        outcomes = [
            (tokens, tried(tokens, Line(tokens, "", ""), template, Path(name, "here")))
            for tokens in lines()
        ]
    return [(tokens, x.detail) for tokens, x in outcomes if x.word != "accepted"]


def _copy(template: Path, folder: Path) -> None:
    """A copy with pipes, which shutil does not copy."""

    def copied(source: str, target: str) -> None:
        if Path(source).is_fifo():
            os.mkfifo(target)
        else:
            shutil.copy2(source, target)

    shutil.copytree(template, folder, copy_function=copied)


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        with patch.dict(os.environ, {"COLUMNS": "200"}):
            yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Ends what takes longer, a read from a pipe too."""

    def stuck(number: int, frame: FrameType | None) -> None:
        raise Stuck(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stuck)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _small_studies() -> Iterator[None]:
    """A paper and a benchmark that take no time, and pages that are closed at once."""
    from chorda import bench, papers
    from chorda.papers import Reproduction
    from chorda.view.live.viewer import Viewer

    def tiny(folder: Path, **_: Any) -> Reproduction:
        return Reproduction("tiny", (), ())

    def measure(*_: Any, **__: Any) -> bench.Report:
        return bench.Report({}, ())

    with (
        patch.dict(papers.PAPERS, {"tiny": tiny}),
        patch.object(bench, "measure", measure),
        patch.object(Viewer, "wait", Viewer.stop),
        patch("webbrowser.open"),
    ):
        yield


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    found = run()
    print(table(found))
    for x in found:
        if x.word in ("raw", "slow"):
            print(f"{x.word}: {x.call} ({x.argument}: {x.value}): {x.detail}")
