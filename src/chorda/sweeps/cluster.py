"""The workers of a Dask scheduler; Dask gives the work of a lost worker to another one."""

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, Queue
from typing import Any
from uuid import uuid4

from chorda.errors import InputError, SolveError
from chorda.results.provenance import versions
from chorda.sweeps.computing import Piece
from chorda.sweeps.crew import LOOK, Chunk, Stop, Work
from chorda.sweeps.extra import needs
from chorda.sweeps.worker import compute
from chorda.sweeps.worker import versions as installed

ANSWER = 10.0  # [s] in which a scheduler answers
ABSENT = 60.0  # [s] without any worker
AHEAD = 2  # chunks in the hands of each thread of the workers
RETRIES = 3  # of a chunk that fails on a worker
WITHOUT_PORT = ("inproc://", "ucx://")  # Dask's own addresses, of another form


def connect(address: str) -> Any:
    """A client of the scheduler, or the sentence that says why there is none."""
    distributed = needs("distributed")
    _check(distributed, address)
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)  # what it would say is said below
    try:
        client = _quiet(distributed.Client)(address, timeout=ANSWER, set_as_default=False)
    except (ValueError, RuntimeError, TypeError) as error:
        raise InputError(f"scheduler: cannot connect to {address} ({error})") from None
    except OSError as error:
        raise InputError(
            f"scheduler: nobody answers at {address} within {ANSWER:g} s ({error}); start one with "
            "'dask scheduler', and workers with 'dask worker ADDRESS --nthreads 1'"
        ) from None
    finally:
        log.setLevel(level)
    try:
        _ready(client, address)
    except BaseException:
        client.close()
        raise
    return client


def _quiet(client: Any) -> Any:
    """Dask's client, but one that never came to connect has nothing to close, and says nothing."""

    class Quiet(client):  # type: ignore[misc]
        def __del__(self) -> None:
            if self.status != "connecting":
                super().__del__()

    return Quiet


def _check(distributed: Any, address: Any) -> None:
    """Refuse what is no address before anything is tried."""
    try:
        if not str(address).startswith(WITHOUT_PORT):
            distributed.comm.get_address_host_port(address)
    except (TypeError, ValueError):
        raise InputError(
            f"scheduler: expected an address like tcp://10.0.0.1:8786, got {address!r:.60}"
        ) from None


def _ready(client: Any, address: str) -> None:
    """Workers are there and have the same Chorda."""
    try:
        client.wait_for_workers(1, timeout=ANSWER)
    except TimeoutError:
        raise InputError(
            f"scheduler: {address} has no workers; start some with "
            f"'dask worker {address} --nthreads 1'"
        ) from None
    try:
        found = client.run(installed)
    except Exception as error:
        raise InputError(
            f"scheduler: the workers of {address} cannot compute ({error}); install chorda there"
        ) from None
    for worker, theirs in found.items():
        if theirs != versions():
            raise InputError(
                f"scheduler: the worker {worker} has {theirs}, this is {versions()}; install the "
                "same versions"
            )


def on_cluster(
    client: Any, work: Work, chunks: Iterable[Chunk], stop: Stop
) -> Iterator[tuple[int, Piece]]:
    """Pieces as they are done; a few chunks ahead are with the scheduler."""
    ready: Queue[tuple[int, Any]] = Queue()
    waiting, run = iter(chunks), uuid4().hex[:8]
    flying: dict[int, Any] = {}
    seen = time.monotonic()

    def launch() -> None:
        room = AHEAD * max(1, _threads(client)) - len(flying)
        for _ in range(max(room, 0)):
            if (task := next(waiting, None)) is None:
                return
            k, rows = task
            future = client.submit(
                compute,
                work.text,
                rows,
                dict(work.shapes),
                key=f"chorda-{run}-{k}",
                retries=RETRIES,
            )
            flying[k] = future
            future.add_done_callback(lambda f, k=k: ready.put((k, f)))

    try:
        launch()
        while flying and not stop():
            try:
                k, future = ready.get(timeout=LOOK)
            except Empty:
                seen = _watched(client, seen)
                continue
            piece = _result(future)
            del flying[k]
            launch()
            yield k, piece
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.cancel(list(flying.values()), force=True)


def _threads(client: Any) -> int:
    """Of all workers together; none where the scheduler does not answer."""
    try:
        return sum(client.nthreads().values())
    except (OSError, RuntimeError):
        return 0


def _result(future: Any) -> Piece:
    try:
        piece: Piece = future.result(timeout=ANSWER)
    except Exception as error:
        raise SolveError(
            f"scheduler: a piece of the sweep was lost ({type(error).__name__}: {error}); what is "
            "done is kept: go on with chorda.sweep(output=...) or chorda sweep --resume"
        ) from error
    return piece


def _watched(client: Any, seen: float) -> float:
    """When there was last a worker."""
    now = time.monotonic()
    if client.status == "running" and _threads(client):
        return now
    if now - seen > ABSENT:
        raise SolveError(
            f"scheduler: without workers for {ABSENT:g} s; what is done is kept: start some and "
            "go on with chorda.sweep(output=...) or chorda sweep --resume"
        )
    return seen
