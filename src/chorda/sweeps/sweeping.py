"""sweep: a study over many points, piece by piece into a store."""

import math
from collections.abc import Mapping
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from chorda.checks import refuse_idle, whole_number
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.processes import cores
from chorda.numerics.progress import Progress
from chorda.sweeps import cluster, local, store
from chorda.sweeps.computing import Computer, Work, computer
from chorda.sweeps.examining import examined
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.points import SAMPLE, Points, counted, points
from chorda.sweeps.probing import probe
from chorda.sweeps.repairing import sound
from chorda.sweeps.result import Sweep, opened
from chorda.sweeps.store_layout import MESSAGE, POINT, STATUS
from chorda.sweeps.study import Study, from_mapping, given
from chorda.sweeps.variations import Samples

MANY_POINTS = 1_000_000  # beyond this, `many` has to be given
PIECES = 128  # into which a study is cut
MAX_CHUNK = 1000  # points in a piece


@interruptible()
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

    Ctrl-C ends a sweep with the points that are done. Results do not depend on `jobs`,
    `scheduler`, `chunk`, or how often a sweep was interrupted.

    Parameters
    ----------
    study : path, mapping or Study, optional
        A YAML file, the same as plain data, or a Study. Without one, the study of the store in
        `output` goes on.
    output : path, optional
        A Zarr store (a folder) that is written piece by piece. If it is there and of the same
        study, the sweep goes on with what is missing. Without one, results stay in memory.
    jobs : int, optional
        How many processes compute. By default all cores do where the work is long.
    scheduler : str, optional
        Address of a Dask scheduler whose workers compute instead, such as tcp://10.0.0.1:8786.
        Over tcp nobody is authenticated: use a network that you trust, or tls:// with
        certificates in Dask's configuration (distributed.comm.tls).
    chunk : int, optional
        Points in a piece of work.
    many : bool
        Allow more than a million points.
    progress : bool, optional
        Show a progress bar; by default on a terminal, after a second.

    Returns
    -------
    Sweep
        The results over the dimension `point`, how each point ended, tables and figures.

    Raises
    ------
    InputError
        If a name, a value or an address is wrong, if there are more than a million points without
        `many`, or if neither the first, the middle nor the last point has a result.
    StorageError
        If the store cannot be read or written.

    See Also
    --------
    open_sweep : results of an earlier one.

    Examples
    --------
    >>> found = sweep({
    ...     "robot": "neck-1",
    ...     "vary": [{"name": "tensions", "kind": "list", "at": [10, 20, 40]}],
    ...     "compute": {"kind": "equilibrium", "keep": ["stable"]},
    ... })
    >>> found.data["stable"].values.tolist()
    [1.0, 1.0, 1.0]
    """
    needs("zarr")
    for name, value in {"jobs": jobs, "chunk": chunk}.items():
        if value is not None:
            whole_number(name, value)
    if jobs is not None and scheduler is not None:
        raise InputError("jobs: the scheduler has workers of its own; give one of the two")
    if study is None:
        others = {"chunk": chunk, "many": many}
        refuse_idle(others, "without a study: the store is laid out already", "begin a new one")
    path = None if output is None else store.folder("output", output)
    with ExitStack() as stack:
        kept = _existing(path, study)
        wanted = given(study) if kept is None else kept.study
        if kept is not None:
            stack.enter_context(kept.locked())
            if not kept.unfinished():
                return opened(kept)
        made = computer(wanted.text())
        if kept is None:
            _check_labels(made)
            _refuse_many(made, many)
        where = points(wanted)
        found, seconds = probe(made, where)
        compute = partial(local.pieces, jobs, seconds)
        if scheduler is not None:
            compute = partial(cluster.pieces, stack.enter_context(cluster.connect(scheduler)))
        if kept is None:
            size = chunk or min(MAX_CHUNK, max(1, len(where) // PIECES))
            kept = store.create(path, made, where, found, size)
            stack.enter_context(kept.locked())
        complete = _run(kept, where, compute, progress)
    return opened(kept, interrupted=not complete)


def open_sweep(path: str | Path) -> Sweep:
    """Open the sweep in a store, complete or not.

    Parameters
    ----------
    path : path
        The folder that `sweep` or `chorda sweep` wrote.

    Returns
    -------
    Sweep
        The points that are computed so far; its status says whether any are missing.

    Raises
    ------
    StorageError
        If there is no store of a sweep, or it is damaged beyond repair. Coordinates, labels and
        metadata that are missing or damaged are made again from the study, with a warning; points
        whose results are count as not computed.

    See Also
    --------
    sweep : computes one.

    Examples
    --------
    >>> import tempfile
    >>> study = {
    ...     "robot": "neck-1",
    ...     "vary": [{"name": "tensions", "kind": "list", "at": [10, 20]}],
    ...     "compute": {"kind": "equilibrium", "keep": ["stable"]},
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = sweep(study, f"{folder}/study.zarr")
    ...     open_sweep(f"{folder}/study.zarr").status.message
    '2 of 2 points have a result.'
    """
    needs("zarr")
    return opened(store.existing(sound(path).path))


def _run(kept: store.Store, where: Points, compute: Any, progress: bool | None) -> bool:
    """Compute what is missing. Returns whether all of it is done."""
    sizes = {k: kept.span(k)[1] - kept.span(k)[0] for k in kept.unfinished()}
    work = Work(kept.study.text(), kept.shapes)

    def rows(k: int) -> Array:
        return where.rows(*kept.span(k))

    done = kept.count - sum(sizes.values())
    with (
        Progress(kept.count, progress, kept.study.name) as bar,
        interrupts() as seen,
        closing(compute(work, sizes, rows, lambda: bool(seen))) as pieces,
    ):
        for k, piece in pieces:
            kept.write(k, piece)
            done += sizes[k]
            bar.update(done)
    return done == kept.count


def _refuse_many(made: Computer, many: bool) -> None:
    study, n = made.study, counted(made.study)
    if n <= MANY_POINTS or many:
        return
    if study.samples is not None:
        one = Samples(count=1, seed=study.samples.seed, way=study.samples.way)
        study = study.model_copy(update={"samples": one})
    found, seconds = probe(made, points(study))
    shapes = [[len(d.of(found)) for d in x.dimensions] for x in made.kept]
    numbers = len(study.vary) + 3 + sum(math.prod(shape) for shape in shapes)  # of a point
    hours = seconds * n / cores() / 3600
    raise InputError(
        f"vary: {n:,} points, about {8e-9 * n * numbers:.3g} GB and {hours:.3g} hours on the "
        f"{cores()} cores of this machine; if that is meant say many=True (--yes), else make "
        "the counts smaller"
    )


def _existing(path: Path | None, study: Any) -> store.Store | None:
    """The store that is there; a study that is given must be its own."""
    if path is None and study is None:
        raise InputError("study: expected a study, or the store of one in output; got neither")
    if path is None or (study is not None and not path.exists()):
        return None
    there = examined(path)
    held = from_mapping(there.about["study"], str(path))
    store.check_same(there.path, held, held if study is None else given(study), there.about)
    return store.existing(sound(path).path, writable=True)


def _check_labels(made: Computer) -> None:
    """Names of quantities must differ from those of results."""
    taken = {POINT, STATUS, MESSAGE, SAMPLE}
    taken |= {x.name for x in made.kept} | {d.name for x in made.kept for d in x.dimensions}
    for k, item in enumerate(made.study.vary):
        if item.column in taken:
            raise InputError(
                f"vary.{k}.label: '{item.column}' is also a name of the results; give it another "
                "label"
            )
