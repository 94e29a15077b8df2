"""Meshes as files: Wavefront OBJ, and binary glTF 2.0 (.glb) with colours."""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.view.meshes import Color, Mesh
from chorda.view.moving_parts import Poses

FLOAT, UINT, USHORT = 5126, 5125, 5123  # component types
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


@dataclass(frozen=True, eq=False)
class Motion:
    """Times (n) [s] from zero, and the poses of each mesh at these."""

    times: Array
    poses: Sequence[Poses]


class _Buffer:
    """The binary part of a .glb, with its views and accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(
        self, values: npt.NDArray[Any], kind: int, shape: str, target: int = 0, **more: Any
    ) -> int:
        """Add values as an accessor and return its index."""
        data = values.tobytes()  # components of 4 bytes: every view starts at a multiple of 4
        span = {"byteOffset": len(self.data), "byteLength": len(data)}
        self.views.append({"buffer": 0, **span, **({"target": target} if target else {})})
        self.data.extend(data)
        view = {"bufferView": len(self.views) - 1, "componentType": kind}
        self.accessors.append({**view, "count": len(values), "type": shape, **more})
        return len(self.accessors) - 1

    def add_mesh(self, mesh: Mesh) -> dict[str, Any]:
        """Add a mesh and return its primitive, without a material."""
        corners = mesh.corners.astype("<f4")
        box: dict[str, Any] = {
            "min": corners.min(axis=0).tolist(),
            "max": corners.max(axis=0).tolist(),
        }
        attributes = {
            "POSITION": self.add(corners, FLOAT, "VEC3", ARRAY_BUFFER, **box),
            "NORMAL": self.add(mesh.normals.astype("<f4"), FLOAT, "VEC3", ARRAY_BUFFER),
        }
        indices = self.add(
            mesh.triangles.astype("<u4").ravel(), UINT, "SCALAR", ELEMENT_ARRAY_BUFFER
        )
        return {"attributes": attributes, "indices": indices}


class _Scene:
    """Nodes below the root, and what moves them."""

    def __init__(self, buffer: _Buffer) -> None:
        self.buffer = buffer
        self.nodes: list[dict[str, Any]] = []
        self.skins: list[dict[str, Any]] = []
        self.channels: list[tuple[int, str, int]] = []  # node, what changes, its values

    def put(self, node: dict[str, Any]) -> int:
        """Add a node; returns its number, as the root is the first."""
        self.nodes.append(node)
        return len(self.nodes)

    def place(self, name: str, poses: Poses) -> list[int]:
        """A node for each of the poses, at the first time."""
        rows = []
        for k, moves in enumerate(poses.moves):
            node = self.put({"name": name, "translation": poses.origins[0, k].tolist()})
            for what, values, shape, changes in (
                ("translation", poses.origins, "VEC3", moves[0]),
                ("rotation", poses.turns, "VEC4", moves[1]),
            ):
                if changes:
                    added = self.buffer.add(values[:, k].astype("<f4"), FLOAT, shape)
                    self.channels.append((node, what, added))
            rows.append(node)
        return rows

    def move(self, k: int, mesh: Mesh, poses: Poses, primitive: dict[str, Any]) -> None:
        """The k-th mesh: rigid on one node, or its rings on many."""
        if poses.ring_of is None:
            (node,) = self.place(mesh.name, poses)
            self.nodes[node - 1]["mesh"] = k
            return
        joints = np.zeros((len(mesh.corners), 4), "<u2")
        joints[:, 0] = poses.ring_of
        weights = np.tile(np.array([1, 0, 0, 0], "<f4"), (len(joints), 1))
        primitive["attributes"] |= {
            "JOINTS_0": self.buffer.add(joints, USHORT, "VEC4", ARRAY_BUFFER),
            "WEIGHTS_0": self.buffer.add(weights, FLOAT, "VEC4", ARRAY_BUFFER),
        }
        back = np.tile(np.eye(4, dtype="<f4"), (poses.origins.shape[1], 1, 1))
        back[:, 3, :3] = -poses.origins[0]  # by columns
        skin = {
            "inverseBindMatrices": self.buffer.add(back.reshape(-1, 16), FLOAT, "MAT4"),
            "joints": self.place(f"{mesh.name} ring", poses),
        }
        self.skins.append(skin)
        self.put({"name": mesh.name, "mesh": k, "skin": len(self.skins) - 1})

    def animation(self, times: Array) -> dict[str, Any]:
        """What moves the nodes."""
        clock = times.astype("<f4")
        span: dict[str, Any] = {"min": [float(clock[0])], "max": [float(clock[-1])]}
        at = self.buffer.add(clock, FLOAT, "SCALAR", **span)
        return {
            "name": "motion",
            "samplers": [{"input": at, "output": x} for _, _, x in self.channels],
            "channels": [
                {"sampler": i, "target": {"node": node, "path": what}}
                for i, (node, what, _) in enumerate(self.channels)
            ],
        }


def glb(meshes: Sequence[Mesh], up: Array, motion: Motion | None = None) -> bytes:
    """The file's bytes: a node, a mesh and a material for each mesh.

    up: unit vector (3) that points to the sky; in glTF that is +y. motion: plays as an animation;
    rods and tendons bend as skins on a node for each ring.
    """
    buffer = _Buffer()
    scene = _Scene(buffer)
    primitives = []
    for k, mesh in enumerate(meshes):
        poses = None if motion is None else motion.poses[k]
        if poses is not None and poses.ring_of is None:
            mesh = replace(mesh, corners=mesh.corners - poses.origins[0, 0])
        primitives.append({**buffer.add_mesh(mesh), "material": k})
        if poses is None:
            scene.put({"name": mesh.name, "mesh": k})
        else:
            scene.move(k, mesh, poses, primitives[-1])
    moving = [] if motion is None or not scene.channels else [scene.animation(motion.times)]
    root = {
        "name": "robot",
        "rotation": _to_y(up),
        "children": list(range(1, len(scene.nodes) + 1)),
    }
    tree = {
        "asset": {"version": "2.0", "generator": "Chorda"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [root, *scene.nodes],
        "meshes": [
            {"name": m.name, "primitives": [x]} for m, x in zip(meshes, primitives, strict=True)
        ],
        "materials": [_material(m.name, m.color) for m in meshes],
        **({"skins": scene.skins} if scene.skins else {}),
        **({"animations": moving} if moving else {}),
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
