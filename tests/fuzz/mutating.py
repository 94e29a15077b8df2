"""Damage: bytes, tokens and trees of files that were good."""

import copy
import re
from typing import Any

import numpy as np
import yaml

Random = np.random.Generator
ODD_TEXTS = (
    *("", " ", "~", "null", "true", "no", "-", "[]", "{}", "[1, 2", "{a: 1", "'", '"', "#", ":"),
    *("nan", ".nan", ".inf", "-.inf", "inf", "1e400", "-1", "0", "1e308", "-1e308", "1e-320"),
    *("0x1F", "0o17", "1_000", "12:30:45", "2001-01-01", "!!python/object:os.system", "!!binary x"),
    *("&a [*a]", "*a", "<<: *a", "x" * 3000, "\u0000", "\u202e", "\ud7ff", "\ufffe", "٣", "1,5"),
    *("world", "tension", "origin", "a.b", "..", "../../etc/passwd", "%s%s%n", "{0}", "9" * 400),
)
ODD_NUMBERS = ("0", "-1", "1", "3", "-0.5", "0.01", "100", "1e-12", "1e12", "-0.0", "1e308", "7e-4")
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2.5, -2.5, 1e308, -1e308, 1e-300, float("nan"), float("inf")),
    *(10**30, 10**400, "", "world", "tension", "j0", "nonsense", "x" * 500, [], [[]], {}, [None]),
    *([0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 2], {"a": 1}, {"kind": "rod"}, {1: 2}, [1] * 300),
    *({"frame": "world"}, {"frame": "j0", "radius": 0.01, "side": "left"}, "origin", "left", "1"),
)


def bytes_of(rng: Random, data: bytes) -> bytes:
    """Some changes of bytes, mostly one."""
    out = bytearray(data)
    for _ in range(1 if rng.random() < 0.6 else rng.integers(2, 5)):
        at = int(rng.integers(0, max(1, len(out))))
        far = int(rng.integers(1, 40))
        kind = rng.integers(7)
        if not out:
            return bytes(rng.integers(0, 256, 20, dtype=np.uint8))
        if kind == 0:
            out[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            out[at] = int(rng.integers(32, 127))
        elif kind == 2:
            del out[at : at + far]
        elif kind == 3:
            out[at:at] = bytes(rng.integers(0, 256, far, dtype=np.uint8))
        elif kind == 4:
            out[at:at] = out[at : at + far * 5]
        elif kind == 5:
            del out[at:]
        else:
            out[at : at + far] = bytes(far)
    return bytes(out)


def tokens_of(rng: Random, text: str) -> str:
    """One to three words, numbers or signs exchanged for others."""
    parts = re.split(r"([\s,:\[\]{}]+)", text)
    words = [k for k in range(0, len(parts), 2) if parts[k]]
    for _ in range(rng.integers(1, 4)):
        at, other = (int(k) for k in rng.choice(words, 2))
        kind = rng.integers(5)
        if kind == 0:
            parts[at] = str(rng.choice(ODD_TEXTS))
        elif kind == 1:
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 2 and rng.random() < 0.3:
            parts[at] = ""
        elif kind == 3:
            parts[at] = parts[other]
        elif numbers := [k for k in words if re.fullmatch(r"-?[\d.e+-]+", parts[k])]:
            at = int(rng.choice(numbers))
            parts[at] = str(rng.choice(ODD_NUMBERS))
    return "".join(parts)


def tree_of(rng: Random, data: Any) -> Any:
    """One or two nodes of plain data exchanged, removed, repeated or renamed."""
    data = copy.deepcopy(data)
    for _ in range(rng.integers(1, 3)):
        places = list(_places(data))
        if not places:
            break
        parent, key = places[int(rng.integers(len(places)))]
        kind = rng.integers(6)
        if kind <= 1:
            parent[key] = copy.deepcopy(ODD_VALUES[int(rng.integers(len(ODD_VALUES)))])
        elif kind == 2:
            del parent[key]
        elif kind == 3:
            other, at = places[int(rng.integers(len(places)))]
            parent[key] = copy.deepcopy(other[at]) if _there(other, at) else None
        elif kind == 4 and isinstance(parent, list):
            parent.insert(int(rng.integers(len(parent) + 1)), copy.deepcopy(parent[key]))
        elif kind == 4:
            parent[str(rng.choice(ODD_TEXTS))] = parent.pop(key)
        elif isinstance(parent[key], int | float) and not isinstance(parent[key], bool):
            parent[key] = float(parent[key] * rng.choice([-1.0, 0.0, 1e-6, 1e3, 1e9]))
        else:
            for _ in range(40):
                parent[key] = [parent[key]]
    return data


def _there(parent: Any, key: Any) -> bool:
    return key in parent if isinstance(parent, dict) else key < len(parent)


def _places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(items):
        yield data, key
        if isinstance(value, dict | list):
            yield from _places(value)


def mutated_yaml(rng: Random, text: str) -> tuple[str, bytes]:
    """A level of damage, and the damaged file."""
    dice = rng.random()
    if dice < 0.25:
        return "bytes", bytes_of(rng, text.encode())
    if dice < 0.55:
        return "tokens", tokens_of(rng, text).encode("utf-8", "surrogatepass")
    data = tree_of(rng, yaml.safe_load(text))
    return "trees", yaml.safe_dump(data, sort_keys=False).encode("utf-8", "surrogatepass")
