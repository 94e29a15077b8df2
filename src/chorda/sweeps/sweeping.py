"""sweep: a study over many points, piece by piece into a store."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from chorda.errors import ChordaError, InputError, SolveError
from chorda.numerics.processes import cores
from chorda.numerics.progress import Progress, interrupts
from chorda.sweeps import cluster, crew, store, worker
from chorda.sweeps.computing import FAULTS, Computer
from chorda.sweeps.extra import needs
from chorda.sweeps.points import Points, counted, points
from chorda.sweeps.result import Sweep, opened
from chorda.sweeps.study import Study, given
from chorda.sweeps.tasks.task import Failed
from chorda.sweeps.variations import Samples

MANY = 1_000_000  # points from which one has to say so
PIECES = 128  # into which a study is cut
LONGEST = 1000  # points in a piece
SHORT = 3.0  # [s] of work that is not worth other processes


def sweep(
    study: str | Path | Mapping[str, Any] | Study | None = None,
    output: str | Path | None = None,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    chunk: int | None = None,
    many: bool = False,
    progress: bool | None = None,
) -> Sweep:
    """Compute a study at all its points.

    study: a YAML file, a mapping or a Study; none: that of the store in `output`.
    output: a Zarr store (a folder) that is written piece by piece; if it is there and of the same
    study, the sweep goes on with what is missing. Without, results stay in memory.
    jobs: processes; none: all cores where the work is long. scheduler: the address of a Dask
    scheduler whose workers compute instead. chunk: points in a piece. many: more than a million
    points are meant. Ctrl-C ends a sweep with what is there.

    Results do not depend on jobs, scheduler, chunk, or how often a sweep was interrupted.

    >>> found = sweep({
    ...     "robot": "neck-1",
    ...     "vary": [{"name": "tensions", "kind": "list", "at": [10, 20, 40]}],
    ...     "compute": {"kind": "equilibrium", "keep": ["stable"]},
    ... })
    >>> found.data["stable"].values.tolist()
    [1.0, 1.0, 1.0]
    """
    needs("zarr")
    needs("threadpoolctl")
    _whole("jobs", jobs)
    _whole("chunk", chunk)
    if jobs is not None and scheduler is not None:
        raise InputError("jobs: the scheduler has workers of its own; give one of the two")
    path = None if output is None else store.folder("output", output)
    with ExitStack() as stack:
        kept = _kept(path, study)
        wanted = kept.study if kept is not None else given(study)
        if kept is not None:
            stack.enter_context(kept.alone())
            if not kept.left():
                return opened(kept)
        made = Computer(wanted)
        if kept is None:
            _labels(wanted, made)
            _refuse_many(wanted, made, many)
        places = points(wanted)
        found, seconds = _probe(made, places)
        worker.ready(wanted.whole(), made)
        client = None
        if scheduler is not None:
            client = stack.enter_context(cluster.connect(scheduler))
        if kept is None:
            size = chunk or min(LONGEST, max(1, len(places) // PIECES))
            kept = store.create(path, made, places, found, size)
            stack.enter_context(kept.alone())
        complete = _run(kept, places, seconds, jobs, client, progress)
    return opened(kept, interrupted=not complete)


def open_sweep(path: str | Path) -> Sweep:
    """The sweep in a store, complete or not."""
    return opened(store.existing(path))


def _run(
    kept: store.Store,
    places: Points,
    seconds: float,
    jobs: int | None,
    client: Any,
    progress: bool | None,
) -> bool:
    """Whether all that was left is done."""
    left = kept.left()
    sizes = {k: kept.span(k)[1] - kept.span(k)[0] for k in left}
    work = crew.Work(kept.study.whole(), kept.shapes)
    if jobs is None:
        jobs = cores() if seconds * sum(sizes.values()) > SHORT else 1
    jobs = min(jobs, len(left))

    def chunks() -> Iterator[crew.Chunk]:
        for k in left:
            yield k, places.rows(*kept.span(k))

    done, whole = kept.count - sum(sizes.values()), kept.count
    with Progress(whole, progress, kept.study.name) as bar, interrupts() as seen:

        def stop() -> bool:
            return bool(seen)

        if client is not None:
            pieces = cluster.on_cluster(client, work, chunks(), stop)
        elif jobs <= 1:
            pieces = crew.alone(work, chunks(), stop)
        else:
            pieces = crew.together(jobs, work, chunks(), stop)
        try:
            for k, piece in pieces:
                kept.write(k, piece)
                done += sizes[k]
                bar.update(done)
        finally:
            pieces.close()  # type: ignore[attr-defined]
    return done == whole


def _probe(made: Computer, places: Points) -> tuple[Any, float]:
    """A result, and how long it takes; kernels are compiled by then.

    Of the first of three points that has one, so that nothing is begun where none has.
    """
    n = len(places)
    errors: list[Exception] = []
    for at in dict.fromkeys((0, n // 2, n - 1)):
        row = places.rows(at, at + 1)[0]
        try:
            made.solve(row)
            begin = time.perf_counter()
            found = made.solve(row)  # again: the first time makes kernels and functions
            if isinstance(found, Failed):
                raise SolveError(found.status.message)
            for output in made.kept:
                output.read(found)
        except (ChordaError, *FAULTS) as error:
            errors.append(error)
        else:
            return found, time.perf_counter() - begin
    raise InputError(
        "compute: no result at the first, middle and last point, so nothing was begun. The first: "
        f"{errors[0]}"
    ) from errors[0]


def _refuse_many(wanted: Study, made: Computer, many: bool) -> None:
    n = counted(wanted)
    if n <= MANY or many:
        return
    few = wanted
    if wanted.samples is not None:
        samples = Samples(count=1, seed=wanted.samples.seed, way=wanted.samples.way)
        few = wanted.model_copy(update={"samples": samples})
    found, seconds = _probe(made, points(few))
    shapes = {x.name: [len(d.of(found)) for d in x.dimensions] for x in made.kept}
    size = store.size(n, shapes, len(wanted.vary))
    hours = seconds * n / cores() / 3600
    raise InputError(
        f"vary: {n:,} points, about {size / 1e9:.3g} GB and {hours:.3g} hours on the "
        f"{cores()} cores of this machine; if that is meant say many=True (--yes), else make "
        "the counts smaller"
    )


def _kept(path: Path | None, study: Any) -> store.Store | None:
    """The store that is there; a study that is given must be its own."""
    if path is None:
        if study is None:
            raise InputError("study: expected a study, or the store of one in output; got neither")
        return None
    if study is None:
        found = store.existing(path, writable=True)
        store.check_same(found, found.study)
        return found
    if not path.exists():
        return None
    wanted = given(study)
    found = store.existing(path, writable=True)
    store.check_same(found, wanted)
    return found


def _labels(study: Study, made: Computer) -> None:
    """Names of quantities must differ from those of results."""
    taken = {store.POINT, store.STATUS, store.MESSAGE}
    taken |= {x.name for x in made.kept} | {d.name for x in made.kept for d in x.dimensions}
    for k, item in enumerate(study.vary):
        if item.column in taken:
            raise InputError(
                f"vary.{k}.label: '{item.column}' is also a name of the results; give it another "
                "label"
            )


def _whole(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InputError(f"{name}: expected a whole number of at least 1, got {value!r:.60}")
