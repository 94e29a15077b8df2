"""Meshes as files: Wavefront OBJ, and binary glTF 2.0 (.glb) with colours."""

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.view.meshes import Color, Mesh

FLOAT, UINT = 5126, 5125  # component types
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963  # targets: corners, indices


def obj(meshes: Sequence[Mesh]) -> str:
    """The file's text: an object for each mesh, in metres and the world's axes."""
    lines, first = ["# Chorda; metres"], 1  # corners count from 1 over the whole file
    for mesh in meshes:
        lines.append(f"o {mesh.name}")
        lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.corners]
        lines += [f"vn {x:.6g} {y:.6g} {z:.6g}" for x, y, z in mesh.normals]
        faces = mesh.triangles.astype(int) + first
        lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in faces]
        first += len(mesh.corners)
    return "\n".join([*lines, ""])


class _Buffer:
    """The binary part of a .glb, with its views and accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: npt.NDArray[Any], kind: int, shape: str, **more: Any) -> int:
        """Add values as an accessor and return its index."""
        data = values.tobytes()  # components of 4 bytes: every view starts at a multiple of 4
        target = ELEMENT_ARRAY_BUFFER if shape == "SCALAR" else ARRAY_BUFFER
        span = {"byteOffset": len(self.data), "byteLength": len(data)}
        self.views.append({"buffer": 0, **span, "target": target})
        self.data.extend(data)
        view = {"bufferView": len(self.views) - 1, "componentType": kind}
        self.accessors.append({**view, "count": len(values), "type": shape, **more})
        return len(self.accessors) - 1

    def add_mesh(self, mesh: Mesh) -> dict[str, Any]:
        """Add a mesh and return its primitive, without a material."""
        corners = mesh.corners.astype("<f4")
        box = {"min": corners.min(axis=0).tolist(), "max": corners.max(axis=0).tolist()}
        attributes = {
            "POSITION": self.add(corners, FLOAT, "VEC3", **box),
            "NORMAL": self.add(mesh.normals.astype("<f4"), FLOAT, "VEC3"),
        }
        indices = self.add(mesh.triangles.astype("<u4").ravel(), UINT, "SCALAR")
        return {"attributes": attributes, "indices": indices}


def glb(meshes: Sequence[Mesh], up: Array) -> bytes:
    """The file's bytes: a node, a mesh and a material for each mesh.

    up: unit vector (3) that points to the sky; in glTF that is +y.
    """
    buffer = _Buffer()
    primitives = [{**buffer.add_mesh(mesh), "material": k} for k, mesh in enumerate(meshes)]
    root = {
        "name": "robot",
        "rotation": _to_y(up),
        "children": list(range(1, len(meshes) + 1)),
    }
    tree = {
        "asset": {"version": "2.0", "generator": "Chorda"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [root, *({"name": m.name, "mesh": k} for k, m in enumerate(meshes))],
        "meshes": [
            {"name": m.name, "primitives": [x]} for m, x in zip(meshes, primitives, strict=True)
        ],
        "materials": [_material(m.name, m.color) for m in meshes],
        "buffers": [{"byteLength": len(buffer.data)}],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
    }
    text = json.dumps(tree, separators=(",", ":")).encode()
    chunks = _chunk(b"JSON", text, b" ") + _chunk(b"BIN\0", bytes(buffer.data), b"\0")
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _chunk(kind: bytes, data: bytes, fill: bytes) -> bytes:
    data += fill * (-len(data) % 4)
    return struct.pack("<I4s", len(data), kind) + data


def _material(name: str, color: Color) -> dict[str, Any]:
    # glTF's factors are linear, colours on the page are sRGB
    rgb = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in color[:3]]
    look = {"baseColorFactor": [*rgb, color[3]], "metallicFactor": 0.1, "roughnessFactor": 0.6}
    clear = {"alphaMode": "BLEND", "doubleSided": True} if color[3] < 1 else {}
    return {"name": name, "pbrMetallicRoughness": look, **clear}


def _to_y(up: Array) -> list[float]:
    """The shortest rotation that takes `up` to +y, as a unit quaternion (x, y, z, w)."""
    y = np.array([0.0, 1.0, 0.0])
    q = np.array([*np.cross(up, y), 1 + up @ y])
    if np.linalg.norm(q) < 1e-9:  # half a turn
        return [1.0, 0.0, 0.0, 0.0]
    return [float(x) for x in q / np.linalg.norm(q)]
