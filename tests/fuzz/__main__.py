"""python -m tests.fuzz: all parts, or one, with a record that a killed run goes on from."""

import argparse
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from tests.fuzz.record import Outcome, Record

PARTS = ("robots", "arguments", "files", "kills", "lines")
LONGEST = {"robots": 120, "kills": 300}  # [s] of a case; a case that takes longer hangs
USUAL_LONGEST = 30
CHOSEN = ("arguments", "lines")  # parts whose cases are so many of a list, chosen by the seed
MOST_MEMORY = 6 * 2**30  # [B] of address space


class Hang(BaseException):
    """A case takes too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise Hang


def outcomes(result: Any) -> list[Outcome]:
    """As a list, from whichever part."""
    if isinstance(result, list):
        return result
    if isinstance(result, Outcome):
        return [result]
    word = "hang" if result.word == "slow" else result.word
    detail = f"{result.argument}={result.value}: {result.detail}" if word != "accepted" else ""
    return [Outcome(result.call, word, detail)]


def tried(attempt: Callable[[], Any], longest: float) -> list[Outcome]:
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, longest)
    try:
        return outcomes(attempt())
    except Hang:
        return [Outcome("time", "hang", f"more than {longest:g} s")]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def limited(part: str) -> Iterator[None]:
    """What calls ask for beyond all memory fails, and not the machine."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    if part in ("arguments", "lines"):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def chosen(part: str, arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[int, Any]]:
    """Cases of tests/fuzz/PART.py: a number, and a function without arguments. It returns
    `record.Outcome`s, or one with the fields call, argument, value, word, detail."""
    made = import_module(f"tests.fuzz.{part}")
    if arguments.case is None:
        yield from made.cases(folder, arguments.count, arguments.seed)
        return
    count = arguments.count if part in CHOSEN else max(arguments.case) + 1
    for number, attempt in made.cases(folder, count, arguments.seed):
        if number in arguments.case:
            yield number, attempt


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="default: all of them")
    parser.add_argument("--count", type=int, help="cases of each part")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, action="append", help="this case alone")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="record to write and go on from"
    )
    arguments = parser.parse_args()
    record = Record(None if arguments.case else arguments.resume, arguments.seed)
    for part in arguments.part or PARTS:
        with TemporaryDirectory() as name, limited(part):
            for number, attempt in chosen(part, arguments, Path(name)):
                if (part, number) in record:
                    continue
                begin = time.perf_counter()
                found = tried(attempt, LONGEST.get(part, USUAL_LONGEST))
                record.add(part, number, found, time.perf_counter() - begin)
                _report(part, number, found, arguments)
    print(record.table())
    print(f"{len(record.cases)} cases, seed {arguments.seed}, {record.seconds:.0f} s.")
    bad = record.bad()
    print(f"{len(bad)} bad." if bad else "Nothing bad.")
    return 1 if bad else 0


def _report(part: str, number: int, found: list[Outcome], arguments: argparse.Namespace) -> None:
    """A failing case with its command; all of a case that is repeated alone."""
    count = f" --count {arguments.count}" if part in CHOSEN and arguments.count else ""
    again = f"python -m tests.fuzz --part {part} --seed {arguments.seed} --case {number}{count}"
    for x in found:
        if x.word in Record.BAD:
            print(f"{x.word}: {x.group}: {x.detail}\n  {again}", flush=True)
        elif arguments.case:
            print(f"{x.group}: {x.word} {x.detail}")


if __name__ == "__main__":
    sys.exit(main())
