"""Wall times of calls, and fair comparison on a busy machine."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


def timed(work: Callable[[], T], repeats: int = 1, patience: float = 0.0) -> tuple[T, list[float]]:
    """The last result of some work and the wall times [s] of its repeats.

    It is done once, and at most `repeats` times until it has taken `patience` [s] in all.
    """
    times: list[float] = []
    while True:
        begin = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - begin)
        if len(times) >= repeats or sum(times) > patience:
            return result, times


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call [s]."""
    return timed(work)[1][0]


def best_in_turns(contenders: Mapping[K, Callable[[], float]], repeats: int) -> dict[K, float]:
    """The smallest time of each contender; each repeat runs all of them once.

    >>> best_in_turns({"a": lambda: 2.0, "b": lambda: 3.0}, repeats=2)
    {'a': 2.0, 'b': 3.0}
    """
    rounds = [{name: run() for name, run in contenders.items()} for _ in range(repeats)]
    return {name: min(times[name] for times in rounds) for name in contenders}
