"""From CasADi functions and C files to a library: from the cache, or compiled now."""

import ctypes
import functools
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from chorda.compile import cache, compiler, source
from chorda.compile.compiler_process import all_ended, limit
from chorda.compile.units import units
from chorda.errors import CompileError
from chorda.mechanics import System

Compiled = TypeVar("Compiled")
Interpreted = TypeVar("Interpreted")
Functions = Mapping[str, Any]
WRITERS = ("source.py", "statements.py", "repeats.py", "loops.py", "units.py", "library.py")


class Library:
    """A compiled kernel, with work vectors for each thread that runs it."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path, self.operations = path, int(manifest["operations"])
        self._loaded = ctypes.CDLL(str(path))
        self._sizes = int(manifest["w"]) + 1, int(manifest["iw"]) + 1
        self._own = threading.local()

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """One of its functions, with the types of its result and arguments."""
        found = getattr(self._loaded, name)
        found.restype, found.argtypes = result, arguments
        return found

    def work(self) -> tuple[int, int]:
        """Addresses of this thread's work vectors, iw and w."""
        if not hasattr(self._own, "work"):
            self._own.work = np.zeros(self._sizes[1], np.int64), np.zeros(self._sizes[0])
        iw, w = self._own.work
        return iw.ctypes.data, w.ctypes.data


def obtain(
    recipe: bytes,
    defines: Mapping[str, int],
    drivers: Sequence[str],
    make: Callable[[], Functions],
    load: Callable[[Library], Compiled],
    interpret: Callable[[Functions], Interpreted],
) -> Compiled | Interpreted:
    """The functions that `make` gives, compiled together with the C files that call them.

    recipe: what the functions follow from, so that a library that is in the cache need not make
    them. Without a compiler, or where it takes too long, `interpret` gets the functions themselves.
    """
    found = compiler.find()
    compiler.announce(found)
    if found is None:
        return interpret(make())
    name = cache.key(
        written(recipe, defines, drivers, WRITERS),
        found.identity,
        " ".join((*found.command, *compiler.FAST, *compiler.PLAIN, *compiler.FLAGS)),
        " ".join(compiler.ARITHMETIC),
        compiler.processor(),
    )

    made = functools.cache(make)

    def compiled(folder: Path) -> dict[str, Any]:
        """Writes the library there; what its manifest shall hold."""
        if found in compiler.given_up:
            raise subprocess.TimeoutExpired(found.command, limit())
        functions = made()
        text = source.generate(functions, defines, drivers)
        long = source.has_long_functions(functions)
        _write(found, units(text), compiler.PLAIN if long else compiler.FAST, folder)
        return {"operations": source.operations(functions), **source.work(text)}

    try:
        return cache.obtain(name, compiled, lambda path, manifest: load(Library(path, manifest)))
    except subprocess.TimeoutExpired:
        compiler.give_up(found)
        return interpret(made())


def written(
    recipe: bytes,
    defines: Mapping[str, int],
    drivers: Sequence[str],
    writers: Sequence[str],
) -> str:
    """The key of a source: of what its functions follow from, and of what makes it of them."""
    texts = [files("chorda.compile").joinpath(x).read_bytes() for x in (*drivers, *writers)]
    return cache.key(recipe, repr(defines), repr(drivers), ca.__version__, *texts)


def _write(found: compiler.Compiler, code: Sequence[str], level: Sequence[str], at: Path) -> None:
    """The library of these translation units in a folder; the first has the loops."""
    library, files = at / cache.LIBRARY, [at / f"kernel{k or ''}.c" for k in range(len(code))]
    for file, text in zip(files, code, strict=True):
        file.write_text(text)
    objects = [file.with_suffix(".o") for file in files]
    start, last = [*found.command, *compiler.FLAGS], ["-shared", "-o", str(library), "-lm"]
    if len(files) == 1:
        commands = [[[*start, *level, str(files[0]), *last]]]
    else:
        levels = [level, *[compiler.ARITHMETIC] * (len(files) - 1)]
        each = zip(levels, files, objects, strict=True)
        first = [[*start, *own, "-c", str(file), "-o", str(made)] for own, file, made in each]
        commands = [first, [[*start, *map(str, objects), *last]]]
    for together in commands:
        for run in all_ended(together, limit(), at):
            if run.returncode != 0:
                raise _failed(found, run.stderr.strip()[:500])
    for file in objects:
        file.unlink(missing_ok=True)
    if not library.is_file():
        raise _failed(found, "it wrote no library")


def _failed(found: compiler.Compiler, reason: str) -> CompileError:
    return CompileError(
        f"{found.command[0]} could not compile a kernel: {reason or 'it gave no reason'}; "
        "set CHORDA_COMPILER=none to do without a compiler"
    )


def recipe_of(system: System, *about: str | bytes, package: str) -> bytes:
    """What a kernel follows from: the system's equations, whatever the values of parameters; what
    it is about; and the Python code that makes its functions, that of mechanics and of a package.
    """
    d = system.dynamics
    whole = ca.Function(
        "system",
        [system.q, system.v, system.a, system.u, system.p],
        [d.M, d.F, d.dry, d.jumping, d.residual, system.constraints.psi, d.N, d.source, d.decay],
    )
    code = [code_of(name) for name in ("chorda.mechanics", package)]
    return cache.key(whole.serialize(), repr(system.compliance), *about, *code).encode()


@functools.cache
def code_of(package: str) -> str:
    """A digest of all Python code of a package, that of packages inside it as well."""
    return cache.key(*_code(files(package)))


def _code(folder: Traversable) -> Iterator[str | bytes]:
    for x in sorted(folder.iterdir(), key=lambda x: x.name):
        if x.is_dir() and x.name != "__pycache__":
            yield x.name
            yield from _code(x)
        elif x.name.endswith(".py"):
            yield x.name
            yield x.read_bytes()
