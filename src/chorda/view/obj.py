"""Meshes as Wavefront OBJ: text, an object for each, in metres and the world's axes."""

from collections.abc import Sequence

from chorda.view.meshes import Mesh


def obj(meshes: Sequence[Mesh]) -> str:
    lines, first = ["# Chorda; metres"], 1  # corners count from 1 over the whole file
    for mesh in meshes:
        lines.append(f"o {mesh.name}")
        lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.corners]
        lines += [f"vn {x:.6g} {y:.6g} {z:.6g}" for x, y, z in mesh.normals]
        faces = mesh.triangles.astype(int) + first
        lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in faces]
        first += len(mesh.corners)
    return "\n".join([*lines, ""])
