"""CasADi's C text made fit for strict compilers: one file's own, without what nothing uses."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

COMMENT = re.compile(r"/\*.*?\*/", re.S)
NAME = re.compile(r"(\w+)\s*[(\[=]")
HELPER = re.compile(r"\bcasadi_\w+")
ENTRY = re.compile(r"CASADI_SYMBOL_EXPORT int (\w+)\([^)]*\)\s*\{\s*return (casadi_f\d+)\(")
NOINLINE = "__attribute__((noinline))"
HEAD = """\
typedef double casadi_real;
typedef long long casadi_int;
#define CASADI_CAST(x, y) ((x) y)
#ifdef __GNUC__ /* compile time grows faster than a function's length */
#define CHORDA_PIECE __attribute__((noinline))
#else
#define CHORDA_PIECE
#endif
"""


@dataclass(frozen=True)
class Definition:
    """A function or a table at the top of the file."""

    name: str
    text: str

    @property
    def uses(self) -> set[str]:
        return set(HELPER.findall(COMMENT.sub("", self.text))) - {self.name}


def clean(code: str, entries: Iterable[str]) -> str:
    """The definitions that the entries (names of CasADi functions) need, all of them static."""
    known = {d.name: d for d in definitions(code)}
    target = dict(ENTRY.findall(code))
    kept, open_ends = set(), [target[name] for name in entries]
    while open_ends:
        name = open_ends.pop()
        if name not in kept and name in known:
            kept.add(name)
            open_ends += known[name].uses
    parts = [_strict(d.text) for d in known.values() if d.name in kept]
    calls = [f"#define {name} {target[name]}\n" for name in entries]
    return HEAD + "".join(f"\n{part}\n" for part in parts) + "\n" + "".join(calls)


def definitions(code: str) -> list[Definition]:
    """What the file defines, in its order, without what it exports."""
    found, lines, depth, comment = list[Definition](), list[str](), 0, False
    for line in code.split("\n"):
        if not lines:
            comment = comment or line.startswith("/*")
            outside = comment or not line or line[0] in "#} \t/" or line.startswith("extern")
            comment = comment and "*/" not in line
            if outside:
                continue
        lines.append(line)
        bare = COMMENT.sub("", line)
        depth += bare.count("{") - bare.count("}")
        if depth == 0 and bare.rstrip().endswith(("}", ";")):
            text = "\n".join(lines).replace(f"{NOINLINE} ", "CHORDA_PIECE ")
            if not text.startswith("CASADI_SYMBOL_EXPORT") and (match := NAME.search(text)):
                found.append(Definition(match[1], text))
            lines = []
    return found


def _strict(text: str) -> str:
    """A static definition that uses all its arguments."""
    if not text.startswith("static"):
        text = f"static {text}"
    head, brace, body = text.partition("{")
    if "(" not in head or "=" in head:
        return text
    signature = head[head.index("(") + 1 : head.rindex(")")]
    names = [part.split()[-1].lstrip("*") for part in signature.split(",")]
    bare = COMMENT.sub("", body)
    idle = [name for name in names if name != "void" and not re.search(rf"\b{name}\b", bare)]
    unused = "".join(f" (void){name};" for name in idle)
    return f"{head}{brace}\n {unused}{body}" if unused else text
