"""Surfaces in files: STL, binary and text, and Wavefront OBJ, as corners and triangles."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.files import check_file
from chorda.numerics import Array

Triangles = npt.NDArray[np.int64]
ENDINGS = (".stl", ".obj")
MOST_BYTES = 50_000_000
MOST_TRIANGLES = 1_000_000
FLAT = 1e-12  # of areas over the largest: none
LARGEST = 1e9  # of coordinates, in units of the file
HEADER, RECORD = 84, 50  # bytes of a binary STL: title and count, and each triangle
SMALLER = "simplify the mesh, for example in MeshLab or Blender"
SAVE_AGAIN = "save the mesh again as a binary STL"


@dataclass(frozen=True, eq=False)
class Surface:
    """Corners (n, 3) in units of the file, each once, and triangles (k, 3) of their numbers."""

    corners: Array
    triangles: Triangles


def read_below(folder: Path, file: str, where: str) -> Surface:
    """A file in a folder or below; where: the field that names it, for errors.

    A link that leads out of the folder is refused: a description from a stranger reads nothing
    else on this disk.
    """
    path = folder / file
    check_file(path, f"an STL or an OBJ file; put it there, or correct {where}", InputError)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(
            f"{where}: expected a file in the folder {folder}, got a link out of it ('{file}'); "
            "copy the file there"
        )
    try:
        with path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"{where}: {path} cannot be read: {error.strerror}; expected an STL or an OBJ file; "
            "check your permissions"
        ) from None
    where = f"{where}: {path}"
    if not data:
        raise InputError(f"{where}: expected an STL or an OBJ file, got an empty one; {SAVE_AGAIN}")
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{where}: expected at most {MOST_BYTES // 1_000_000} MB, got more; {SMALLER}"
        )
    points, triangles = (_obj if file.lower().endswith(".obj") else _stl)(data, where)
    return _checked(points, triangles, where)


def _stl(data: bytes, where: str) -> tuple[Array, Triangles]:
    """Binary where its length fits its count: some of these begin with 'solid' as well."""
    count = int.from_bytes(data[80:HEADER], "little") if len(data) >= HEADER else -1
    if len(data) == HEADER + RECORD * count:
        _check_count(count, where)
        rows = np.frombuffer(data, np.uint8, offset=HEADER).reshape(count, RECORD)
        points = rows[:, 12:48].copy().view("<f4").reshape(-1, 3).astype(float)
    elif data.lstrip()[:5].lower() == b"solid":
        words = data.split()
        at = np.flatnonzero(np.array(words, dtype="S8") == b"vertex")
        _check_count(len(at) // 3, where)
        if len(at) % 3 or (len(at) and at[-1] + 3 >= len(words)):
            raise _cut_off("a text STL", where)
        points = _floats([words[k + i] for k in at.tolist() for i in (1, 2, 3)], "STL", where)
    elif count >= 0 and HEADER + RECORD * count > len(data):
        raise InputError(
            f"{where}: expected a binary STL of {HEADER + RECORD * count} bytes, as its count of "
            f"triangles says, or a text STL that begins with 'solid', got {len(data)} bytes: it is "
            f"cut off, or no STL; {SAVE_AGAIN}"
        )
    else:
        raise InputError(f"{where}: expected an STL file, got something else; {SAVE_AGAIN}")
    return points, np.arange(len(points), dtype=np.int64).reshape(-1, 3)


def _obj(data: bytes, where: str) -> tuple[Array, Triangles]:
    """Corners and faces; normals, textures, colours and lines are left out."""
    corners, faces = list[bytes](), list[tuple[int, int, int]]()
    for line in data.splitlines():
        word, *rest = line.split() or [b""]
        if word == b"v":
            if len(rest) < 3:
                raise _cut_off("an OBJ", where)
            corners += rest[:3]
        elif word == b"f":
            known = len(corners) // 3
            try:
                each = [int(x.split(b"/")[0]) for x in rest]
            except ValueError:
                raise _cut_off("an OBJ", where) from None
            each = [k - 1 if k > 0 else known + k for k in each]
            if len(each) < 3 or min(each) < 0 or max(each) >= 1 << 40:
                raise _cut_off("an OBJ", where)
            faces += [(each[0], a, b) for a, b in pairwise(each[1:])]
            _check_count(len(faces), where)
    points = _floats(corners, "OBJ", where)
    triangles = np.array(faces, dtype=np.int64).reshape(-1, 3)
    if triangles.size and triangles.max() >= len(points):
        raise InputError(
            f"{where}: expected faces of the file's {len(points)} corners, got corner "
            f"{triangles.max() + 1}; {SAVE_AGAIN}"
        )
    return points, triangles


def _check_count(count: int, where: str) -> None:
    if count > MOST_TRIANGLES:
        raise InputError(
            f"{where}: expected at most {MOST_TRIANGLES} triangles, got more; {SMALLER}"
        )


def _floats(words: list[bytes], kind: str, where: str) -> Array:
    try:
        return np.array([float(x) for x in words]).reshape(-1, 3)
    except ValueError:
        raise InputError(
            f"{where}: expected an {kind} file with numbers as coordinates, got something else; "
            f"{SAVE_AGAIN}"
        ) from None


def _cut_off(kind: str, where: str) -> InputError:
    return InputError(
        f"{where}: expected {kind} with three numbers for each corner and three corners or more "
        f"for each face, got fewer: it is cut off or damaged; {SAVE_AGAIN}"
    )


def _checked(points: Array, triangles: Triangles, where: str) -> Surface:
    """Each corner once, without triangles that have no area."""
    if not np.all(np.abs(points) < LARGEST):
        raise InputError(
            f"{where}: expected coordinates below {LARGEST:g}, got larger ones, infinite ones or "
            f"NaN; {SAVE_AGAIN}"
        )
    used, at = np.unique(points[triangles].reshape(-1, 3), axis=0, return_inverse=True)
    joined = at.reshape(-1, 3)
    if not len(joined):
        raise InputError(
            f"{where}: expected triangles, got an STL or OBJ file without any; {SAVE_AGAIN}"
        )
    a, b, c = (used[joined[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    if not area.max() > 0:
        raise InputError(
            f"{where}: expected triangles with an area, got lines or points; {SAVE_AGAIN}"
        )
    return Surface(used, joined[area > FLAT * area.max()].astype(np.int64))
