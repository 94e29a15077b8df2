"""Reads .glb files as their standard says, and poses them at a time."""

import json
import struct

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

SIZES = {5126: 4, 5125: 4, 5123: 2}
KINDS = {5126: "<f4", 5125: "<u4", 5123: "<u2"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read_glb(data):
    """The JSON and the binary chunk; every rule of the container is asserted."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    chunks, at = {}, 12
    while at < length:
        size, kind = struct.unpack_from("<I4s", data, at)
        assert size % 4 == 0
        chunks[kind] = data[at + 8 : at + 8 + size]
        at += 8 + size
    assert at == length
    assert list(chunks) == [b"JSON", b"BIN\0"]
    return json.loads(chunks[b"JSON"]), chunks[b"BIN\0"]


def values(tree, binary, index):
    """Of an accessor; rows where it has several numbers each."""
    accessor = tree["accessors"][index]
    view = tree["bufferViews"][accessor["bufferView"]]
    width, size = WIDTHS[accessor["type"]], SIZES[accessor["componentType"]]
    assert view["byteOffset"] % 4 == 0
    assert view["byteOffset"] + view["byteLength"] <= tree["buffers"][0]["byteLength"]
    assert view["byteLength"] == accessor["count"] * width * size
    kind = KINDS[accessor["componentType"]]
    found = np.frombuffer(binary, kind, accessor["count"] * width, view["byteOffset"])
    return found.reshape(-1, width) if width > 1 else found


def posed(tree, binary, time):
    """By name of each mesh: corners (n, 3) in the frame of the root at a time [s], triangles."""
    nodes = [
        [np.array(x.get("translation", [0, 0, 0]), float), np.array([0, 0, 0, 1.0])]
        for x in tree["nodes"]
    ]
    for animation in tree.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            at = values(tree, binary, sampler["input"]).astype(float)
            rows = values(tree, binary, sampler["output"]).astype(float)
            now = np.clip(time, at[0], at[-1])
            if channel["target"]["path"] == "translation":
                nodes[channel["target"]["node"]][0] = np.array(
                    [np.interp(now, at, x) for x in rows.T]
                )
            else:
                turn = Slerp(at, Rotation.from_quat(rows))(now)
                nodes[channel["target"]["node"]][1] = turn.as_quat()
    out = {}
    for node, (origin, turn) in zip(tree["nodes"], nodes, strict=True):
        if "mesh" not in node:
            continue
        (part,) = tree["meshes"][node["mesh"]]["primitives"]
        corners = values(tree, binary, part["attributes"]["POSITION"]).astype(float)
        if "skin" in node:
            skin = tree["skins"][node["skin"]]
            back = values(tree, binary, skin["inverseBindMatrices"]).reshape(-1, 4, 4)
            ring = values(tree, binary, part["attributes"]["JOINTS_0"])
            weight = values(tree, binary, part["attributes"]["WEIGHTS_0"])
            assert np.all(weight == [1, 0, 0, 0])
            local = corners + back[ring[:, 0], 3, :3]
            R = Rotation.from_quat([nodes[k][1] for k in skin["joints"]])[ring[:, 0]]
            moved = R.apply(local) + np.array([nodes[k][0] for k in skin["joints"]])[ring[:, 0]]
        else:
            moved = Rotation.from_quat(turn).apply(corners) + origin
        triangles = values(tree, binary, part["indices"]).reshape(-1, 3)
        out[node["name"]] = moved, triangles
    return out
