"""Damaged files: robots, studies, runs, maps, stores and logs. Each is refused with a sentence, or
what is opened is what was written."""

import shutil
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import chorda
from chorda.describe import dump
from chorda.files import MARK
from chorda.identification import read_log, write_log
from chorda.sweeps.study import read_study
from tests.fuzz import children
from tests.fuzz.drawn import FAMILIES, draw
from tests.fuzz.mutating import Random, bytes_of, mutated_yaml, tokens_of
from tests.fuzz.record import Outcome
from tests.helpers.logs import columns, neck, two_rates, write_csv
from tests.helpers.small_studies import equilibria, written

DEFAULT_COUNT = 1500
CATALOGUE = ("neck-3", "recursive-1", "rfrfr", "belt-arm", "till", "finger-2n")
KINDS = {"robot": 0.74, "study": 0.06, "run": 0.05, "map": 0.04, "store": 0.05, "log": 0.06}


class Originals:
    """Good files, made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "good").mkdir()
        good = folder / "good"
        robots = [chorda.load(name) for name in CATALOGUE]
        rng = np.random.default_rng(11)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            robots += [draw(rng, name) for name in FAMILIES for _ in range(3)]
        self.robots = [dump(x) for x in robots]
        self.study = written(equilibria(), good).read_text()
        run = chorda.simulate(neck(), duration=0.01, step=1e-3, progress=False)
        self.run = run.save(good / "run.nc")
        self.time, self.position = run.time, run.position
        legs = chorda.assemble(chorda.load("rfrfr"))
        held = {"motor1": 2.59, "motor2": 0.55}
        bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
        bent = chorda.equilibrium(legs, hold=held, initial=bulge)
        over = {"motor1": (2.5, 2.6, 2)}
        survey = chorda.workspace(bent, over, jobs=1, save=good / "map.nc", progress=False)
        self.map, self.reached = good / "map.nc", survey.cells.arrays()
        self.store = good / "store.zarr"
        self.swept = chorda.sweep(equilibria(), self.store, jobs=1, chunk=1).data.load()
        write_csv(good / "log.csv", columns(np.arange(60) / 50))
        write_log(two_rates(), good / "log.nc")
        self.logs = (good / "log.csv", good / "log.nc")


def cases(
    folder: Path, count: int | None = None, seed: int = 0
) -> Iterator[tuple[int, Callable[[], Outcome]]]:
    """Damaged files by number."""
    made = Originals(folder)
    for i in range(DEFAULT_COUNT if count is None else count):
        yield i, partial(tried, made, seed, i)


def tried(made: Originals, seed: int, number: int) -> Outcome:
    rng = np.random.default_rng([seed, number])
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    where = made.folder / "damaged"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    level, attempt = DAMAGED[kind](rng, made, where)
    word, detail = children.outcome(attempt)
    return Outcome(f"{kind}, {level}", word, detail)


Attempt = tuple[str, Callable[[], str]]


def _robot(rng: Random, made: Originals, where: Path) -> Attempt:
    level, data = mutated_yaml(rng, made.robots[int(rng.integers(len(made.robots)))])
    path = where / "robot.yaml"
    path.write_bytes(data)

    def attempt() -> str:
        system = chorda.assemble(chorda.load(path))
        still = np.zeros(system.nv), np.zeros(system.nu)
        system.equations(system.start, *still, system.parameters())
        return "accepted"

    return level, attempt


def _study(rng: Random, made: Originals, where: Path) -> Attempt:
    level, data = mutated_yaml(rng, made.study)
    path = where / "study.yaml"
    path.write_bytes(data)

    def attempt() -> str:
        read_study(path)
        return "accepted"

    return level, attempt


def _damaged(rng: Random, good: Path, where: Path) -> tuple[str, Path]:
    """A binary file with wrong bytes; at times as one from before there were checksums."""
    data, path = good.read_bytes(), where / good.name
    if rng.random() < 0.5:
        content, mark, _ = data.rpartition(MARK)
        path.write_bytes(bytes_of(rng, content if mark else data))
        return "no checksum", path
    path.write_bytes(bytes_of(rng, data))
    return "bytes", path


def _run(rng: Random, made: Originals, where: Path) -> Attempt:
    level, path = _damaged(rng, made.run, where)

    def attempt() -> str:
        run = chorda.open(path)
        same = np.array_equal(run.time, made.time) and np.array_equal(run.position, made.position)
        return "accepted" if same or level == "no checksum" else "wrong"

    return level, attempt


def _map(rng: Random, made: Originals, where: Path) -> Attempt:
    level, path = _damaged(rng, made.map, where)

    def attempt() -> str:
        found = chorda.open_workspace(path).cells.arrays()
        same = all(
            np.array_equal(x, found[n], x.dtype.kind == "f") for n, x in made.reached.items()
        )
        return "accepted" if same or level == "no checksum" else "wrong"

    return level, attempt


def _store(rng: Random, made: Originals, where: Path) -> Attempt:
    path = where / "store.zarr"
    shutil.copytree(made.store, path)
    every = sorted(x for x in path.rglob("*") if x.is_file())
    for _ in range(rng.integers(1, 3)):
        chosen = every[int(rng.integers(len(every)))]
        if rng.random() < 0.3:
            chosen.unlink(missing_ok=True)
        elif chosen.exists():
            chosen.write_bytes(bytes_of(rng, chosen.read_bytes()))
    again = rng.random() < 0.5

    def attempt() -> str:
        found = chorda.sweep(output=path, jobs=1) if again else chorda.open_sweep(path)
        for name, good in made.swept.data_vars.items():
            if good.dtype.kind != "f" or name not in found.data:
                continue
            ours = np.asarray(found.data[name].values, float)
            same = (ours == good.values) | np.isnan(ours) | np.isnan(good.values)
            if ours.shape != good.shape or not np.all(same):
                return "wrong"
        if again and not found.status.ok:
            return "lost"
        return "accepted"

    return "gone on with" if again else "opened", attempt


def _log(rng: Random, made: Originals, where: Path) -> Attempt:
    good = made.logs[int(rng.integers(2))]
    path = where / good.name
    if good.suffix == ".csv" and rng.random() < 0.6:
        level, data = "tokens", tokens_of(rng, good.read_text()).encode("utf-8", "surrogatepass")
    else:
        level, data = "bytes", bytes_of(rng, good.read_bytes())
    path.write_bytes(data)

    def attempt() -> str:
        read_log(path, neck())
        return "accepted"

    return f"{good.suffix[1:]} {level}", attempt


DAMAGED = dict(zip(KINDS, (_robot, _study, _run, _map, _store, _log), strict=True))
