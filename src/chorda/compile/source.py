"""C source of a kernel: CasADi's code, long functions cut into pieces, and the time loop."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import casadi as ca

from chorda.compile.loops import looped

PIECE = 250  # statements: compile time of one C function grows faster than its length
UNCUT = 2000  # statements up to which a function stays whole
PIECE_HEAD = "static __attribute__((noinline))"
LONG = 8000  # operations in a kernel from which it is cut into pieces

_DECLARATION = re.compile(r"^\s*(?:const )?casadi_(?:real|int)\b", re.M)


def operations(functions: Mapping[str, Any]) -> int:
    """Operations in all functions, those they call included."""
    return sum(int(f.n_instructions()) for f in _with_called(functions.values()))


def has_long_functions(functions: Mapping[str, Any]) -> bool:
    """Whether one of them, or of those they call, is long by itself: many loops are not."""
    return any(f.n_instructions() > LONG for f in _with_called(functions.values()))


def _with_called(functions: Iterable[Any]) -> Iterator[Any]:
    """Solvers are left out: their work depends on the numbers."""
    for f in functions:
        if isinstance(f, ca.Function) and (f.is_a("MXFunction") or f.is_a("SXFunction")):
            yield f
            yield from _with_called(f.find_function(name) for name in f.get_function())


def generate(
    functions: Mapping[str, Any],
    settings: Mapping[str, int | str],
    drivers: Sequence[str],
    long: bool | None = None,
) -> str:
    """Source of the functions, each called chorda_..., with the drivers that call them.

    long: whether functions are cut into pieces; None: where there are many operations.
    """
    if long is None:
        long = operations(functions) > LONG
    generator = ca.CodeGenerator("kernel.c", {"avoid_stack": long, "with_header": False})
    for function in functions.values():
        generator.add(function)
    with tempfile.TemporaryDirectory() as folder:
        generator.generate(str(Path(folder)) + "/")
        code = (Path(folder) / "kernel.c").read_text()
    own = 0
    if long:
        code, own = _cut(code)
    room = max(6, *(max(f.sz_arg(), f.sz_res()) for f in functions.values()))
    settings = {**settings, "NARG": room, **_work(functions, own)}
    if "after" in functions:
        settings["NP"] = functions["after"].numel_in(4)
    defines = "".join(f"#define {key} {value}\n" for key, value in settings.items())
    root = files("chorda.compile")
    loops = [root.joinpath(name).read_text(encoding="utf-8") for name in drivers]
    return "\n".join([code, defines, *loops])


def _work(functions: Mapping[str, Any], own: int) -> dict[str, int]:
    """own: what functions with loops take beside what CasADi has counted."""
    sizes = [(f.sz_w(), f.sz_iw()) for f in functions.values()]
    return {"SZW": max(w for w, _ in sizes) + own, "SZIW": max(iw for _, iw in sizes)}


def work(text: str) -> dict[str, int]:
    """Lengths of the work vectors of a source, w and iw."""
    found = dict(re.findall(r"^#define (SZI?W) (\d+)$", text, re.M))
    return {"w": int(found["SZW"]), "iw": int(found["SZIW"])}


def _own_room(match: re.Match[str]) -> str:
    """A function that calls no other, with its part of w in variables of its own: registers."""
    name, signature, body = match.groups()
    used = [int(k) for k in re.findall(r"\bw\[(\d+)\]", body)]
    if not used or re.search(r"\bw\b(?!\[\d+\])", body):
        return match[0]
    body = re.sub(r"\bw\[(\d+)\]", r"w\1", body)
    room = f"  casadi_real {', '.join(f'w{k}' for k in sorted(set(used)))};\n"
    return f"static int {name}({signature}) {{\n{room}{body}\n  return 0;\n}}"


def _cut(code: str) -> tuple[str, int]:
    """Cut function bodies into pieces that share the work vector w; and the room that those with
    loops take there.

    With avoid_stack every statement is a line that reads and writes w, arg, res and iw only, so
    that a body can be cut between any two. Arithmetic is cut where it repeats (loops.py), in
    functions that no other calls: a caller keeps its values right behind what CasADi has counted
    for those that it calls, and loops take more.
    """
    rooms = [0]
    called = set(re.findall(r"if \((casadi_f\d+)\(", code))  # whose callers' values lie behind w

    def pieces(match: re.Match[str]) -> str:
        name, signature, body = match.groups()
        lines = body.split("\n")
        if len(lines) < max(UNCUT, 2 * PIECE) or _DECLARATION.search(body):
            return _own_room(match)
        made = None if name in called else looped(name, signature, body, PIECE_HEAD)
        if made is not None:
            rooms.append(made[1])
            return made[0]
        out, calls = [], []
        for k in range(0, len(lines), PIECE):
            part = f"{name}_part{k // PIECE}"
            chunk = "\n".join(lines[k : k + PIECE])
            head = f"{PIECE_HEAD} int {part}({signature})"
            out.append(f"{head} {{\n{chunk}\n  return 0;\n}}\n")
            calls.append(f"  if ({part}(arg, res, iw, w, mem)) return 1;")
        whole = "\n".join(calls)
        return f"{''.join(out)}static int {name}({signature}) {{\n{whole}\n  return 0;\n}}"

    code = re.sub(
        r"static int (casadi_f\d+)\(([^)]*)\) \{\n(.*?)\n  return 0;\n\}", pieces, code, flags=re.S
    )
    own = max(rooms)
    return re.sub(r"(?<=\*sz_w = )\d+", lambda n: str(int(n[0]) + own), code), own
