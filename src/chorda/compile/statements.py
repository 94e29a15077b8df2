"""CasADi's straight-line C as arrays: which operation each statement is, and on which values."""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
NO_OPERAND = -(2**40)  # no second operand
_STATEMENT = re.compile(r"  w\[(\d+)\]=(.*);")
_RESULT = re.compile(r"  if \(res\[(\d+)\]!=0\) res\[\1\]\[(\d+)\]=(.*);")
_ARGUMENT = re.compile(r"arg\[(\d+)\]\? arg\[\1\]\[(\d+)\] : 0")
_VALUE = re.compile(r"\bw\[(\d+)\]")
_OTHER = re.compile(r"\b(?:arg|res|iw|mem|w)\b|\bcasadi_[fsc]\d+\b")  # than plain arithmetic


@dataclass(frozen=True, eq=False)
class Statements:
    """Statement i gives value i by the text texts[kind[i]], in which each @ is an operand.

    operands (statements, 2): values of earlier statements; argument -1 - v for v < 0; NO_OPERAND.
    arguments: (which, entry) of all that are read, in order. results: (which, entry, value), the
    value in C where it is a constant.
    """

    texts: list[str]
    kind: Whole
    operands: Whole
    arguments: list[tuple[int, int]]
    results: list[tuple[int, int, int | str]]


def parsed(body: str) -> Statements | None:
    """The statements of a function's body; None where it is more than arithmetic, line by line.

    Constants become part of the text of the statements that use them, and what is computed twice
    is one statement.
    """
    held: dict[str, int | str] = {}  # by place in w: a value, an argument, or a constant
    texts: dict[str, int] = {}
    arguments: dict[tuple[int, int], int] = {}
    known: dict[tuple[int, int, int], int] = {}  # by kind and operands: the value
    kind, operands, results = list[int](), list[tuple[int, int]](), []
    for line in body.split("\n"):
        if found := _STATEMENT.fullmatch(line):
            place, expression = found.groups()
            if given := _ARGUMENT.fullmatch(expression):
                entry = int(given[1]), int(given[2])
                held[place] = arguments.setdefault(entry, -1 - len(arguments))
                continue
            text, used = _with_constants(expression, held)
            if not used and not _OTHER.search(text):
                held[place] = f"({text})"
                continue
            if not 1 <= len(used) <= 2 or (text not in texts and _OTHER.search(text)):
                return None
            what = texts.setdefault(text, len(texts))
            made = what, used[0], used[1] if len(used) == 2 else NO_OPERAND
            value = held[place] = known.setdefault(made, len(kind))
            if value == len(kind):
                kind.append(what)
                operands.append(made[1:])
        elif found := _RESULT.fullmatch(line):
            text, used = _with_constants(found[3], held)
            if text != "@" and (used or _OTHER.search(text)):
                return None
            results.append((int(found[1]), int(found[2]), used[0] if used else text))
        else:
            return None
    return _in_order(Statements(list(texts), *_arrays(kind, operands), list(arguments), results))


def _with_constants(expression: str, held: dict[str, int | str]) -> tuple[str, list[int]]:
    """The expression with @ for each value, and these values."""
    parts = _VALUE.split(expression)
    text, used = parts[0], list[int]()
    for place, more in zip(parts[1::2], parts[2::2], strict=True):
        x = held[place]
        if isinstance(x, str):
            text += x + more
        else:
            text += "@" + more
            used.append(x)
    return text, used


def _arrays(kind: list[int], operands: list[tuple[int, int]]) -> tuple[Whole, Whole]:
    return np.array(kind, np.int64), np.array(operands, np.int64).reshape(-1, 2)


def _in_order(x: Statements) -> Statements:
    """With arguments sorted, so that those of one joint lie beside each other as in the next."""
    order = sorted(range(len(x.arguments)), key=lambda k: x.arguments[k])
    rank = np.empty(len(order) + 1, np.int64)
    rank[order] = np.arange(len(order))
    given = (x.operands < 0) & (x.operands != NO_OPERAND)
    operands = np.where(given, -1 - rank[np.where(given, -1 - x.operands, 0)], x.operands)
    results = [
        (i, j, -1 - int(rank[-1 - v]) if isinstance(v, int) and v < 0 else v)
        for i, j, v in x.results
    ]
    return Statements(x.texts, x.kind, operands, [x.arguments[k] for k in order], results)
