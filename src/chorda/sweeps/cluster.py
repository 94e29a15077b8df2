"""The workers of a Dask scheduler; Dask gives the work of a lost worker to another one.

Dask sends code as pickles: whoever reaches the scheduler can run code on its workers, and the
scheduler on its clients. With tls:// both sides show certificates, those of Dask's configuration.
"""

import logging
import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from itertools import islice
from queue import Empty, Queue
from typing import Any
from uuid import uuid4

from chorda.errors import InputError, SolveError
from chorda.numerics.workers import POLL_INTERVAL, Stop
from chorda.results.provenance import versions
from chorda.sweeps.computing import Piece, Rows, Work
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.store import KEPT

ANSWER_TIME = 10.0  # [s] in which a scheduler answers
ABSENCE_TIME = 60.0  # [s] without any worker
CHUNKS_AHEAD = 2  # that each thread of the workers has been given
RETRIES = 3  # of a chunk that fails on a worker
WITHOUT_PORT = ("inproc://", "ucx://")  # Dask's own addresses, of another form

CERTIFICATES = (
    "name certificates in Dask's configuration (distributed.comm.tls: ca-file, client.cert and "
    "client.key), or in variables such as DASK_DISTRIBUTED__COMM__TLS__CA_FILE"
)


def connect(address: str) -> Any:
    """A client of the scheduler; an InputError says why there is none."""
    distributed = needs("distributed")
    _check(distributed, address)
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)  # the errors below say the same
    try:
        client = _quiet(distributed.Client)(address, timeout=ANSWER_TIME, set_as_default=False)
    except (ValueError, RuntimeError, TypeError) as error:
        remedy = f"; {CERTIFICATES}" if str(address).startswith("tls") else ""
        raise InputError(f"scheduler: cannot connect to {address} ({error}){remedy}") from None
    except OSError as error:
        raise InputError(
            f"scheduler: nobody answers at {address} within {ANSWER_TIME:g} s ({error}); start "
            "one with 'dask scheduler', and workers with 'dask worker ADDRESS --nthreads 1'"
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
    """Dask's client, but one that never connected has nothing to close and logs nothing."""

    class Quiet(client):  # type: ignore[misc]
        def __del__(self) -> None:
            if self.status != "connecting":
                super().__del__()

    return Quiet


def _check(distributed: Any, address: Any) -> None:
    """Refuse what is no address before a connection is tried."""
    try:
        if not str(address).startswith(WITHOUT_PORT):
            distributed.comm.get_address_host_port(address)
    except (TypeError, ValueError):
        raise InputError(
            f"scheduler: expected an address like tcp://10.0.0.1:8786, got {address!r:.60}"
        ) from None


def _ready(client: Any, address: str) -> None:
    """Refuse a scheduler without workers, or whose workers have another Chorda."""
    try:
        client.wait_for_workers(1, timeout=ANSWER_TIME)
    except TimeoutError:
        raise InputError(
            f"scheduler: {address} has no workers; start some with "
            f"'dask worker {address} --nthreads 1'"
        ) from None
    try:
        found = client.run(versions)
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


def pieces(
    client: Any, work: Work, chunks: Iterable[int], rows: Rows, stop: Stop
) -> Generator[tuple[int, Piece], None, None]:
    """Pairs (chunk, piece) as they get done; the scheduler always has a few chunks ahead."""
    ready: Queue[tuple[int, Any]] = Queue()
    waiting, run = iter(chunks), uuid4().hex[:8]
    submitted: dict[int, Any] = {}
    seen = time.monotonic()

    def submit() -> None:
        room = CHUNKS_AHEAD * max(1, _threads(client)) - len(submitted)
        for k in islice(waiting, max(room, 0)):
            key = f"chorda-{run}-{k}"
            submitted[k] = client.submit(work, rows(k), key=key, retries=RETRIES)
            await_done(k)

    def await_done(k: int) -> None:
        submitted[k].add_done_callback(lambda future: ready.put((k, future)))

    try:
        submit()
        while submitted and not stop():
            try:
                k, future = ready.get(timeout=POLL_INTERVAL)
            except Empty:
                seen = _last_seen(client, seen)
                continue
            piece = _result(future)
            if piece is None:
                seen = _last_seen(client, seen)  # pieces of lost workers may come again and again
                await_done(k)
                continue
            del submitted[k]
            submit()
            yield k, piece
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.cancel(list(submitted.values()), force=True)


def _threads(client: Any) -> int:
    """Threads of all workers together; none where the scheduler does not answer."""
    try:
        return sum(client.nthreads().values())
    except (OSError, RuntimeError):
        return 0


def _result(future: Any) -> Piece | None:
    """The piece; None where its worker was lost with it, and it is computed again."""
    try:
        piece: Piece = future.result(timeout=ANSWER_TIME)
    except Exception as error:
        if isinstance(error, TimeoutError) and not future.done():
            return None
        raise SolveError(
            f"scheduler: a piece of the sweep was lost ({type(error).__name__}: {error}); {KEPT}"
        ) from error
    return piece


def _last_seen(client: Any, before: float) -> float:
    """When there was last a worker."""
    now = time.monotonic()
    if client.status == "running" and _threads(client):
        return now
    if now - before > ABSENCE_TIME:
        raise SolveError(f"scheduler: without workers for {ABSENCE_TIME:g} s; {KEPT}")
    return before
