"""Long source as several translation units, which compilers on several cores take at once."""

import re
from collections.abc import Sequence

from chorda.compile.source import PIECE_HEAD
from chorda.numerics import processes

LEAST_PIECES = 40  # in a unit: below, starting a compiler costs more than it saves
MAX_UNITS = 8
_PIECE = re.compile(
    re.escape(PIECE_HEAD) + r" int (casadi_f\d+_part\d+)(\([^)]*\)) \{\n(.*?)\n  return 0;\n\}\n",
    re.S,
)
_FIRST = re.compile(r"^(?:static|" + re.escape(PIECE_HEAD) + r")[^\n]* casadi_f\d+", re.M)
_ELSEWHERE = re.compile(r"\bcasadi_[fsc]\d+\b")  # functions, patterns and constants of the kernel

_HELPER = re.compile(r"^((?:casadi_real|casadi_int|void|int) casadi_\w+\()", re.M)
_OWN = "#define CASADI_SYMBOL_EXPORT static\n"
_SHARED = '__attribute__((visibility("hidden")))'


def units(code: str, cores: int | None = None) -> list[str]:
    """The source whose pieces of arithmetic are functions of others; then these others.

    One unit where the pieces are few. cores: of this process, unless given.
    """
    pieces = [x for x in _PIECE.finditer(code) if not _ELSEWHERE.search(x[3])]
    count = min(cores or processes.cores(), MAX_UNITS, len(pieces) // LEAST_PIECES)
    first = _FIRST.search(code)
    if count < 2 or first is None:
        return [code]
    before = _OWN + _HELPER.sub(r"static \1", code[: first.start()])
    made = [_unit(before, pieces[k::count]) for k in range(count)]
    declared = _PIECE.sub(_declared, code)
    return [declared, *made]


def _declared(piece: "re.Match[str]") -> str:
    name, signature, body = piece.groups()
    return piece[0] if _ELSEWHERE.search(body) else f"{_SHARED} int {name}{signature};\n"


def _unit(before: str, pieces: Sequence["re.Match[str]"]) -> str:
    functions = (
        f"{_SHARED} int {name}{signature} {{\n{body}\n  return 0;\n}}\n"
        for name, signature, body in (x.groups() for x in pieces)
    )
    return before + "".join(functions)
