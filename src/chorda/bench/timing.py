"""Fair timing on a noisy machine."""

import time
from collections.abc import Callable, Mapping


def best_in_turns(contenders: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The smallest time of each contender; each repeat runs all of them once.

    >>> best_in_turns({"a": lambda: 2.0, "b": lambda: 3.0}, repeats=2)
    {'a': 2.0, 'b': 3.0}
    """
    rounds = [{name: run() for name, run in contenders.items()} for _ in range(repeats)]
    return {name: min(times[name] for times in rounds) for name in contenders}


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
