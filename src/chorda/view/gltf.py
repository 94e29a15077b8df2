"""Meshes as binary glTF 2.0 (.glb): one file with a node, a mesh and a material for each."""

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.view.meshes import Color, Mesh

FLOAT, UINT = 5126, 5125  # component types
CORNERS, INDICES = 34962, 34963  # targets: ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER


def glb(meshes: Sequence[Mesh], up: Array) -> bytes:
    """The file's bytes. up: unit vector (3) that points to the sky; in glTF that is +y."""
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    binary = bytearray()

    def put(values: npt.NDArray[Any], kind: int, shape: str, target: int, **more: Any) -> int:
        data = values.tobytes()  # components of 4 bytes: every view starts at a multiple of 4
        views.append(
            {
                "buffer": 0,
                "byteOffset": len(binary),
                "byteLength": len(data),
                "target": target,
            }
        )
        binary.extend(data)
        count = len(values)
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": kind,
                "count": count,
                "type": shape,
                **more,
            }
        )
        return len(accessors) - 1

    primitives = []
    for k, mesh in enumerate(meshes):
        at = mesh.corners.astype("<f4")
        box = {"min": at.min(axis=0).tolist(), "max": at.max(axis=0).tolist()}
        primitives.append(
            {
                "attributes": {
                    "POSITION": put(at, FLOAT, "VEC3", CORNERS, **box),
                    "NORMAL": put(mesh.normals.astype("<f4"), FLOAT, "VEC3", CORNERS),
                },
                "indices": put(mesh.triangles.astype("<u4").ravel(), UINT, "SCALAR", INDICES),
                "material": k,
            }
        )
    count = len(meshes)
    root = {"name": "robot", "rotation": _to_y(up), "children": list(range(1, count + 1))}
    tree = {
        "asset": {"version": "2.0", "generator": "Chorda"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [root, *({"name": m.name, "mesh": k} for k, m in enumerate(meshes))],
        "meshes": [
            {"name": m.name, "primitives": [x]} for m, x in zip(meshes, primitives, strict=True)
        ],
        "materials": [_material(m.name, m.color) for m in meshes],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(tree, separators=(",", ":")).encode()
    chunks = _chunk(b"JSON", text, b" ") + _chunk(b"BIN\0", bytes(binary), b"\0")
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
    """The shortest turn that takes `up` to +y, as a unit quaternion (x, y, z, w)."""
    y = np.array([0.0, 1.0, 0.0])
    q = np.array([*np.cross(up, y), 1 + up @ y])
    if np.linalg.norm(q) < 1e-9:  # half a turn
        return [1.0, 0.0, 0.0, 0.0]
    return [float(x) for x in q / np.linalg.norm(q)]
