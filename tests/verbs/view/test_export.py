"""export_shape: what is written is the robot, in files that keep their formats' rules."""

import math
from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Modes, Revolute, Robot
from chorda.errors import InputError, StorageError
from chorda.view import export_shape
from chorda.view.mesh_files import _to_y, obj
from chorda.view.meshes import disk, tube
from tests.helpers.gltf import read_glb, values

GREY = (0.5, 0.5, 0.5, 1.0)


@pytest.fixture(scope="module")
def helical():
    """The catalogue's rod with few functions: surfaces are drawn alike."""
    robot = chorda.load("helical")
    modes = Modes(twist=1, bend_y=2, bend_z=2, stretch=0, intervals=8)
    joints = (robot.joints[0].model_copy(update={"modes": modes}),)
    return chorda.assemble(robot.model_copy(update={"joints": joints}))


@pytest.fixture(scope="module")
def bent(helical):
    return chorda.equilibrium(helical, inputs=[3.0, 0.5, 0.0])


def volume(corners, triangles):
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_a_straight_tube_is_closed_and_its_normals_point_outward():
    way = np.column_stack([np.linspace(0, 1, 5), np.zeros(5), np.zeros(5)])
    mesh = tube("t", way, 0.1, GREY)
    polygon = 8 * 0.1**2 * math.sin(2 * math.pi / 16)  # area of 16 sides
    assert volume(mesh.corners, mesh.triangles) == pytest.approx(polygon)
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    assert np.all(np.einsum("ij,ij->i", faces, mesh.normals[mesh.triangles[:, 0]]) > 0)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1)


def test_a_tube_along_a_helix_keeps_its_radius_and_does_not_turn_over():
    a = np.linspace(0, 4 * math.pi, 200)
    way = np.column_stack([np.cos(a), np.sin(a), 0.2 * a])
    mesh = tube("t", way, 0.05, GREY)
    rings = mesh.corners[: 200 * 16].reshape(200, 16, 3)
    np.testing.assert_allclose(np.linalg.norm(rings - way[:, None], axis=2), 0.05)
    steps = np.linalg.norm(np.diff(rings, axis=0), axis=2)
    assert steps.max() < 1.2 * np.linalg.norm(np.diff(way, axis=0), axis=1).max()


def test_a_disk_has_its_volume_and_thickness():
    a = 2 * math.pi * np.arange(24) / 24
    rim = np.column_stack([np.full(24, 0.5), 0.2 * np.cos(a), 0.2 * np.sin(a)])
    mesh = disk("d", rim, 0.03, GREY)
    assert np.ptp(mesh.corners[:, 0]) == pytest.approx(0.03)
    assert volume(mesh.corners, mesh.triangles) == pytest.approx(
        12 * 0.2**2 * math.sin(2 * math.pi / 24) * 0.03
    )


def test_a_glb_keeps_the_rules_of_gltf(bent, tmp_path):
    tree, binary = read_glb(export_shape(bent, tmp_path / "rod.glb").read_bytes())
    assert tree["asset"]["version"] == "2.0"
    assert len(binary) - tree["buffers"][0]["byteLength"] in range(4)
    for mesh in tree["meshes"]:
        (part,) = mesh["primitives"]
        at = values(tree, binary, part["attributes"]["POSITION"])
        normals = values(tree, binary, part["attributes"]["NORMAL"])
        corners = values(tree, binary, part["indices"])
        accessor = tree["accessors"][part["attributes"]["POSITION"]]
        assert accessor["min"] == at.min(axis=0).tolist()
        assert accessor["max"] == at.max(axis=0).tolist()
        assert len(at) == len(normals)
        assert len(corners) % 3 == 0
        assert corners.max() == len(at) - 1
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
        assert 0 <= part["material"] < len(tree["materials"])
    for material in tree["materials"]:
        factor = material["pbrMetallicRoughness"]["baseColorFactor"]
        assert len(factor) == 4
        assert all(0 <= x <= 1 for x in factor)
    assert sorted(tree["nodes"][0]["children"]) == list(range(1, len(tree["nodes"])))
    assert {n["mesh"] for n in tree["nodes"][1:]} == set(range(len(tree["meshes"])))


def test_a_glb_holds_rods_disks_and_tendons_by_name(bent, tmp_path):
    tree, _ = read_glb(export_shape(bent, tmp_path / "rod.glb").read_bytes())
    names = [node["name"] for node in tree["nodes"][1:]]
    disks = [f"rod.disk{k}" for k in range(1, 9)]
    assert names == ["rod", *disks, "helix", "left", "right"]


@pytest.mark.parametrize("up", [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, -1, 0), (0.6, 0.0, -0.8)])
def test_the_sky_is_along_y_in_gltf(up):
    x, y, z, w = _to_y(np.array(up, float))
    q = np.array([x, y, z])
    v = np.array(up, float)
    turned = v + 2 * np.cross(q, np.cross(q, v) + w * v)
    np.testing.assert_allclose(turned, [0, 1, 0], atol=1e-12)


def test_an_obj_has_the_same_triangles_as_the_meshes():
    way = np.array([[0.0, 0, 0], [0.5, 0.1, 0], [1, 0, 0]])
    meshes = [tube("a", way, 0.1, GREY), tube("b", way + 1, 0.1, GREY)]
    lines = [line.split() for line in obj(meshes).splitlines()]
    v = np.array([[float(x) for x in row[1:]] for row in lines if row[0] == "v"])
    vn = [row for row in lines if row[0] == "vn"]
    f = np.array([[int(x.split("//")[0]) for x in row[1:]] for row in lines if row[0] == "f"])
    assert [row[1] for row in lines if row[0] == "o"] == ["a", "b"]
    assert len(v) == len(vn)
    assert (f.min(), f.max()) == (1, len(v))
    together = sum(volume(m.corners, m.triangles) for m in meshes)
    assert volume(v, f - 1) == pytest.approx(together)


def test_the_table_has_every_place_at_every_time(tmp_path):
    system = chorda.assemble(chorda.load("till"))
    q = np.vstack([system.rest, 0.5 * np.ones(system.nq)])
    zero = np.zeros((2, system.nv))
    done = chorda.Status(chorda.Code.COMPLETED, "Done.")
    run = chorda.Run(
        system, np.array([0.0, 0.1]), q, zero, zero[:, :2], system.parameter_values, done
    )
    rows = export_shape(run, tmp_path / "till.csv").read_text().splitlines()
    assert rows[0] == "time [s],item,index,x [m],y [m],z [m]"
    cells = [row.split(",") for row in rows[1:]]
    items = list(dict.fromkeys(x[1] for x in cells))
    assert items == ["rod", *(f"rod.disk{k}" for k in range(1, 8)), "tendon"]
    line = next(x for x in system.picture.lines if x.kind == "rod")
    for time, configuration in zip(("0", "0.1"), q, strict=True):
        found = [[float(v) for v in x[3:]] for x in cells if x[:2] == [time, "rod"]]
        drawn = system.drawing(configuration, system.parameter_values).full().T[list(line.points)]
        np.testing.assert_allclose(found, drawn, atol=1e-9)
    disk7 = [[float(v) for v in x[3:]] for x in cells if x[:2] == ["0", "rod.disk7"]]
    np.testing.assert_allclose(disk7[0], [0, 0, 0.7144], atol=1e-9)  # its centre
    np.testing.assert_allclose(np.linalg.norm(np.array(disk7[1:]) - disk7[0], axis=1), 0.017)


def test_a_chosen_time_is_the_nearest_recorded_one(tmp_path):
    system = chorda.assemble(chorda.neck(1))
    run = chorda.simulate(system, duration=0.1, step=1e-2, initial={"x1": 0.5})
    chosen = export_shape(run, tmp_path / "a.glb", time=0.051).read_bytes()
    alone = {k: getattr(run, k)[5:6] for k in ("time", "position", "velocity", "input")}
    assert export_shape(replace(run, **alone), tmp_path / "b.glb").read_bytes() == chosen
    assert export_shape(run, tmp_path / "c.glb").read_bytes() != chosen


@pytest.mark.parametrize(
    ("name", "time", "says"),
    [
        ("shape.stl", None, "path: expected a name that ends in .glb or .obj or .csv, got '.stl'"),
        ("shape.csv", 0.0, "time: a .csv has all times"),
        ("shape.glb", 3.0, "time: expected 0 to 0 s, got 3.0"),
    ],
)
def test_what_cannot_be_exported_is_said(bent, tmp_path, name, time, says):
    with pytest.raises(InputError, match=says):
        export_shape(bent, tmp_path / name, time=time)
    assert list(tmp_path.iterdir()) == []


def test_a_shape_is_written_whole_or_not_at_all(bent, tmp_path, monkeypatch):
    (tmp_path / "shape.glb").write_text("old")
    monkeypatch.setattr("chorda.view.shape_export.glb", _full_disk)
    with pytest.raises(StorageError, match="the old file is unchanged"):
        export_shape(bent, tmp_path / "shape.glb")
    assert (tmp_path / "shape.glb").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def _full_disk(*_):
    raise OSError(28, "No space left on device")


def test_a_body_without_extent_is_a_small_solid(tmp_path):
    body = Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2, 0, 0, 0))
    ball = chorda.assemble(Robot(name="ball", joints=(Revolute(name="b", body=body),)))
    run = chorda.simulate(ball, duration=1e-2, step=1e-2)
    tree, _ = read_glb(export_shape(run, tmp_path / "ball.glb").read_bytes())
    assert [node["name"] for node in tree["nodes"][1:]] == ["b"]
