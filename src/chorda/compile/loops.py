"""Straight-line C with loops: what repeats is a small function, called with other operands.

Code of a robot of many joints is longer than the caches of instructions, and reading it takes
longer than computing. Stretches of statements that are alike (repeats.py) become one function,
whose operands are entries of the work vector behind a few pointers: values that one stretch
leaves for others lie side by side, so that a pointer to it serves all of them.
"""

from dataclasses import dataclass, field

import numpy as np

from chorda.compile.repeats import stretches
from chorda.compile.statements import NO_OPERAND, Statements, Whole, parsed

BY_LINE = 20  # numbers of a table


@dataclass(frozen=True, eq=False)
class _Layout:
    """Stretches by kind, and where their values lie in the work vector.

    kinds: of all stretches in order, counted as they come. By kind: rows, the statements of its
    stretches (occurrences, statements); inner, which operands are values of the same stretch in
    each occurrence; kept, the statements whose values others need. place: of each value in the
    work vector, behind the arguments; -1: not there.
    """

    kinds: list[int]
    rows: dict[int, Whole]
    inner: dict[int, "np.typing.NDArray[np.bool_]"]
    kept: dict[int, Whole]
    place: Whole
    room: int

    def address(self, values: Whole) -> Whole:
        return np.where(values >= 0, self.place[np.maximum(values, 0)], -1 - values)


@dataclass
class _Pointers:
    """Of a function: entries whose distance is the same in each of its calls share a pointer."""

    tables: list[Whole] = field(default_factory=list)  # by pointer: where it points, by call
    known: dict[bytes, int] = field(default_factory=dict)

    def entries(self, at: Whole) -> list[str]:
        """C for entries of w: at, where each is in each call (entries, calls)."""
        if at.shape[1] == 1:
            return [f"w[{k}]" for k in at[:, 0].tolist()]
        ways = np.ascontiguousarray(at - at[:, :1])
        out = []
        for row, way in zip(at, ways, strict=True):
            number = self.known.setdefault(way.tobytes(), len(self.tables))
            if number == len(self.tables):
                self.tables.append(row)
            out.append(f"p{number}[{row[0] - self.tables[number][0]}]")
        return out


def looped(name: str, signature: str, body: str, head: str) -> tuple[str, int] | None:
    """The function with its repetitions as functions, and the work vector's length; None where it
    is more than arithmetic. head: what these functions' declarations begin with."""
    x = parsed(body)
    if x is None or not len(x.kind):
        return None
    layout = _layout(x)
    functions, tables = [], {}
    for kind, rows in layout.rows.items():
        text, tables[kind] = _function(x, layout, kind, len(rows) > 1)
        functions.append(f"{head} int {name}_part{kind}(casadi_real* w, const int* t) {{\n{text}")
    (called, calls), (put, given), (got, results) = (
        _calls(name, layout, tables),
        _given(name, x),
        _results(name, x, layout),
    )
    main = "\n".join(["  casadi_int i;", *given, *calls, *results, "  return 0;"])
    whole = f"static int {name}({signature}) {{\n{main}\n}}"
    return "\n".join([put, got, called, *functions, whole]), layout.room


def _layout(x: Statements) -> _Layout:
    found, ends = stretches(x)
    number = {kind: k for k, kind in enumerate(dict.fromkeys(found))}
    kinds = [number[kind] for kind in found]
    first, of_kind = ends[:-1], np.array(kinds)
    rows, inner = dict[int, Whole](), {}
    needed = np.zeros(len(x.kind) + 1, bool)  # the last for what is no value
    needed[[v for *_, v in x.results if isinstance(v, int) and v >= 0]] = True
    for kind in range(len(number)):
        at = np.flatnonzero(of_kind == kind)
        steps = np.arange(ends[at[0] + 1] - first[at[0]])
        rows[kind] = first[at][:, None] + steps
        operands = x.operands[rows[kind]]
        back = rows[kind][:, :, None] - operands
        same = (back == back[0]).all(axis=0)
        inner[kind] = same & (back[0] <= steps[:, None]) & (operands[0] >= 0)
        needed[np.maximum(operands[:, ~inner[kind]], -1)] = True
    kept = {kind: np.flatnonzero(needed[at].any(axis=0)) for kind, at in rows.items()}
    place, room = np.full(len(x.kind), -1), len(x.arguments)
    for begin, kind in zip(first, kinds, strict=True):
        place[begin + kept[kind]] = room + np.arange(len(kept[kind]))
        room += len(kept[kind])
    return _Layout(kinds, rows, inner, kept, place, room)


def _function(x: Statements, layout: _Layout, kind: int, many: bool) -> tuple[str, Whole]:
    """The body of the function of a kind, and where its pointers point: (calls, pointers)."""
    at, inner, kept = layout.rows[kind], layout.inner[kind], layout.kept[kind]
    pointers, operands = _Pointers(), x.operands[at]
    outer = ~inner & (operands[0] != NO_OPERAND)
    others = iter(pointers.entries(layout.address(operands[:, outer]).T))
    stored = dict(zip(kept.tolist(), pointers.entries(layout.place[at[:, kept]].T), strict=True))
    own = (operands[0] - at[0, 0]).tolist()
    lines = []
    for k, what in enumerate(x.kind[at[0]].tolist()):
        text, *rest = x.texts[what].split("@")
        for side, more in enumerate(rest):
            text += (f"a{own[k][side]}" if inner[k, side] else next(others)) + more
        lines.append(f"  a{k}={text};")
        if k in stored:
            lines.append(f"  {stored[k]}=a{k};")
    table = np.array(pointers.tables, np.int64).T if many else np.zeros((1, 0), np.int64)
    names = [f"  casadi_real *p{k}=w+t[{k}];" for k in range(table.shape[1])]
    values = f"  casadi_real {', '.join(f'a{k}' for k in range(at.shape[1]))};"
    return "\n".join([*names, values, *lines, "  return 0;", "}\n"]), table


def _calls(name: str, layout: _Layout, tables: dict[int, Whole]) -> tuple[str, list[str]]:
    """The table of all pointers, and calls of all stretches in order, those alike in loops."""
    calls, numbers, taken = list[str](), list[int](), dict.fromkeys(tables, 0)
    k = 0
    while k < len(layout.kinds):
        kind, times = layout.kinds[k], 1
        while k + times < len(layout.kinds) and layout.kinds[k + times] == kind:
            times += 1
        rows = tables[kind][taken[kind] : taken[kind] + times]
        wide, at = rows.shape[1], f"{name}_calls+{len(numbers)}"
        loop = f"for (i=0; i<{times}; ++i) " if times > 1 else ""
        calls.append(f"  {loop}{name}_part{kind}(w, {at}{f'+{wide}*i' if times > 1 else ''});")
        numbers += rows.ravel().tolist()
        taken[kind] += times
        k += times
    return _table(f"{name}_calls", numbers), calls


def _given(name: str, x: Statements) -> tuple[str, list[str]]:
    """A table and loops that bring arguments to the beginning of w."""
    lines, which = list[str](), [i for i, _ in x.arguments]
    for k in sorted({*which}):
        first, end = which.index(k), which.index(k) + which.count(k)
        entry = f"arg[{k}] ? arg[{k}][{name}_in[i]] : 0"
        lines.append(f"  for (i={first}; i<{end}; ++i) w[i]={entry};")
    return _table(f"{name}_in", [j for _, j in x.arguments]), lines


def _results(name: str, x: Statements, layout: _Layout) -> tuple[str, list[str]]:
    """A table and loops that bring results out of w."""
    numbers, lines = list[int](), list[str]()
    for k in sorted({i for i, *_ in x.results}):
        first = len(numbers) // 2
        for i, j, value in x.results:
            if i == k and isinstance(value, str):
                lines.append(f"  if (res[{k}]) res[{k}][{j}]={value};")
            elif i == k:
                numbers += [j, int(layout.address(np.array(value)))]
        loop = f"for (i={first}; i<{len(numbers) // 2}; ++i)"
        pair = f"{name}_out[2*i]", f"{name}_out[2*i+1]"
        lines.append(f"  if (res[{k}]) {loop} res[{k}][{pair[0]}]=w[{pair[1]}];")
    return _table(f"{name}_out", numbers), lines


def _table(name: str, numbers: list[int]) -> str:
    texts = [str(x) for x in numbers or [0]]
    rows = (",".join(texts[k : k + BY_LINE]) for k in range(0, len(texts), BY_LINE))
    return f"static const int {name}[{len(texts)}] = {{\n" + ",\n".join(rows) + "\n};"
