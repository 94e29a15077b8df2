"""Meshes from files: read, drawn where they are, written back, refused in the user's words."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Body, Contact, MeshFile, Placement, Revolute, Robot, Sphere, dump, write
from chorda.errors import DescriptionError, InputError
from chorda.surface_files import read_below
from chorda.view import export_shape
from chorda.view.configurations import of_run
from chorda.view.drawing import make_drawing
from chorda.view.obstacles import faces, outlines
from chorda.view.scene import make_scene
from chorda.view.shape_meshes import parts
from chorda.view.shape_outlines import farthest, outline_of
from tests.helpers.mesh_files import angle_obj, binary_stl, text_stl, volume

SCALE, TURN, AT = 0.05, 0.4, (0.02, 0.1, -0.03)
CUBES = {
    "binary.stl": binary_stl(),
    "solid.stl": binary_stl(b"solid but binary"),
    "text.STL": text_stl(),
}


def arm(**fields):
    """A body that turns about z, one metre beside the origin, with a mesh on it."""
    fields = {"file": "meshes/part.obj", "scale": SCALE, "position": AT, "axis": (1, 0, 0)} | fields
    body = Body(mass=1.0, center=(0, -0.1, 0), inertia=(1e-2, 1e-2, 1e-2, 0, 0, 0))
    joint = Revolute(name="arm", placement=Placement(position=(1, 0, 0)), body=body)
    shapes = [MeshFile(name="cover", frame="arm", angle=TURN, **fields)]
    return Robot(name="arm", joints=[joint], shapes=shapes)


@pytest.fixture
def saved(tmp_path):
    """Writes a robot and its mesh into a folder of their own; returns the robot's file."""

    def save(data=None, **fields):
        (tmp_path / "meshes").mkdir(exist_ok=True)
        (tmp_path / "meshes" / "part.obj").write_bytes(angle_obj() if data is None else data)
        return write(arm(**fields), tmp_path / "arm.yaml")

    return save


def surface_at(robot, angle):
    system = chorda.assemble(robot)
    drawing = make_drawing(system, np.array([[angle]]), system.parameter_values)
    found = [x.mesh for x in parts(drawing, np.zeros(0)) if x.mesh.name == "cover"]
    return drawing, found[0]


@pytest.mark.parametrize("name", CUBES)
def test_a_cube_is_read_from_both_kinds_of_stl(tmp_path, name):
    (tmp_path / name).write_bytes(CUBES[name])
    surface = read_below(tmp_path, name, "file")
    assert surface.corners.shape == (8, 3)
    assert surface.triangles.shape == (12, 3)
    assert volume(surface.corners, surface.triangles) == pytest.approx(1.0)


@pytest.mark.parametrize("relative", [False, True])
def test_faces_of_an_obj_become_triangles_also_with_numbers_from_the_end(tmp_path, relative):
    (tmp_path / "angle.obj").write_bytes(angle_obj(relative))
    surface = read_below(tmp_path, "angle.obj", "file")
    assert volume(surface.corners, surface.triangles) == pytest.approx(3.0)
    assert len(surface.triangles) == 20


@pytest.mark.parametrize(("convex", "expected"), [(True, 3.5), (False, 3.0)])
def test_a_mesh_is_its_hull_unless_it_is_asked_for_as_it_is(saved, convex, expected):
    _, mesh = surface_at(chorda.load(saved(convex=convex)), 0.7)
    assert volume(mesh.corners, mesh.triangles) == pytest.approx(expected * SCALE**3)
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    way = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.triangles[:, 0]])
    assert np.all(way > 0)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)


def test_a_mesh_is_where_its_frame_and_its_pose_say(saved):
    drawing, mesh = surface_at(chorda.load(saved(convex=False)), 0.7)
    ring = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    own = np.array([(x, y, z) for z in (0, 1) for x, y in ring]) * SCALE
    on_arm = Rotation.from_rotvec([TURN, 0, 0]).apply(own) + AT
    expected = Rotation.from_rotvec([0, 0, 0.7]).apply(on_arm) + np.array([1, 0, 0])
    gap = np.linalg.norm(mesh.corners[:, None] - expected, axis=2)
    assert gap.min(axis=1).max() < 1e-12
    assert gap.min(axis=0).max() < 1e-12
    (solid,) = drawing.solids
    ways = np.vstack([np.eye(3), -np.eye(3)])
    reach = np.einsum("ij,ij->i", farthest(solid, ways)[0], ways)
    assert reach == pytest.approx((expected @ ways.T).max(axis=0))
    gap = np.linalg.norm(outline_of(solid, drawing.axes)[:, None] - expected, axis=2)
    assert gap.min(axis=1).max() < 1e-12


def test_flat_pictures_draw_the_edges_of_what_is_not_convex(saved):
    drawing, _ = surface_at(chorda.load(saved(convex=False, axis=(0, 0, 1))), 0.0)
    ends = np.concatenate(faces(drawing, drawing.moving, 0))
    corner = Rotation.from_rotvec([0, 0, TURN]).apply([SCALE, SCALE, 0]) + np.add(AT, (1, 0, 0))
    assert drawing.planar
    assert np.linalg.norm(ends - corner[:2], axis=1).min() < 1e-12
    (outline,) = outlines(drawing, drawing.moving, 0)
    assert np.linalg.norm(outline - corner[:2], axis=1).min() > 0.1 * SCALE


def test_pictures_and_pages_have_the_mesh(saved, tmp_path):
    run = chorda.simulate(chorda.assemble(chorda.load(saved())), duration=0.02, step=1e-2)
    text = export_shape(run, tmp_path / "arm.obj").read_text()
    assert "\no cover\n" in text
    scene = make_scene(of_run(run))
    assert [x.mesh.name for x in scene.bodies if x.kind == "shape"] == ["cover"]
    assert run.to_html(tmp_path / "arm.html").read_text().startswith("<!doctype html>")
    first = run.animate(tmp_path / "arm.gif").read_bytes()
    assert first.startswith(b"GIF8")


def test_a_mesh_changes_no_motion_and_adds_no_parameter(saved):
    robot = chorda.load(saved())
    bare = robot.model_copy(update={"shapes": ()})
    systems = [chorda.assemble(x) for x in (robot, bare)]
    assert systems[0].parameter_names == systems[1].parameter_names
    runs = [chorda.simulate(x, duration=0.02, step=1e-2, initial={"arm": 0.5}) for x in systems]
    assert np.array_equal(runs[0].position, runs[1].position)


def test_a_robot_with_a_mesh_is_written_and_read_back(saved, tmp_path):
    robot = chorda.load(saved(convex=False))
    assert robot == arm(convex=False)
    assert hash(robot.shapes[0]) == hash(arm(convex=False).shapes[0])
    assert str(tmp_path) not in dump(robot)
    assert robot.model_copy(update={"title": "new"}).shapes[0].folder == tmp_path
    changed = robot.shapes[0].model_copy(update={"scale": 2.0})
    assert changed.folder == tmp_path
    assert changed != robot.shapes[0]


def test_a_run_finds_its_mesh_beside_it_and_is_drawn_without_it_elsewhere(saved, tmp_path):
    run = chorda.simulate(chorda.assemble(chorda.load(saved())), duration=0.02, step=1e-2)
    again = chorda.open(run.save(tmp_path / "run.nc"))
    assert "\no cover\n" in export_shape(again, tmp_path / "arm.obj").read_text()
    (tmp_path / "other").mkdir()
    moved = chorda.open((tmp_path / "run.nc").rename(tmp_path / "other" / "run.nc"))
    with pytest.warns(UserWarning, match=r"cover\.file: .*part\.obj does not exist.*put the file"):
        text = export_shape(moved, tmp_path / "bare.obj").read_text()
    assert "o cover" not in text
    assert "\nv " in text


def test_a_mesh_touches_nothing(tmp_path):
    robot = arm()
    ball = Sphere(name="ball", center=(3, 0, 0), radius=0.1)
    for names, why in ((("cover", "ball"), "'cover' is a mesh"), (("arm", "ball"), "no shapes")):
        contact = Contact(name="touch", first=names[0], second=names[1], stiffness=1e4)
        with pytest.raises(DescriptionError, match=why) as caught:
            robot.model_copy(update={"shapes": (*robot.shapes, ball), "contacts": (contact,)})
        assert "contacts.0.first" in str(caught.value)
    assert "capsules or spheres" in str(_refused(robot, ball))


def test_a_joint_in_a_contact_stands_for_its_shapes_without_meshes():
    robot = arm()
    ball = Sphere(name="ball", center=(3, 0, 0), radius=0.1)
    tip = Sphere(name="tip", frame="arm", center=(0, -0.1, 0), radius=0.02)
    contact = Contact(name="touch", first="arm", second="ball", stiffness=1e4)
    shapes = (*robot.shapes, ball, tip)
    system = chorda.assemble(robot.model_copy(update={"shapes": shapes, "contacts": (contact,)}))
    assert [(x.first, x.second) for x in system.touches] == [("tip", "ball")]


def _refused(robot, ball):
    contact = Contact(name="touch", first="ball", second="cover", stiffness=1e4)
    with pytest.raises(DescriptionError) as caught:
        robot.model_copy(update={"shapes": (*robot.shapes, ball), "contacts": (contact,)})
    return caught.value


OUTSIDE = ["/etc/a.stl", "../a.stl", "x/../../a.stl", "C:/a.stl", "x\\a.stl", "./a.stl", "x//a.stl"]


@pytest.mark.parametrize("file", OUTSIDE)
def test_a_mesh_lies_below_the_folder_of_its_robot(file):
    with pytest.raises(DescriptionError, match=r"below the folder of .*copy the mesh there"):
        MeshFile(name="cover", file=file)


def test_a_file_of_another_kind_is_refused_by_its_name():
    with pytest.raises(DescriptionError, match=r"ends in \.stl or \.obj, got 'a\.step'; convert"):
        MeshFile(name="cover", file="a.step")


def test_a_link_out_of_the_folder_is_not_followed(saved, tmp_path):
    path = saved()
    own, inner = tmp_path / "meshes" / "part.obj", tmp_path / "robot"
    inner.mkdir()
    (inner / "meshes").mkdir()
    (inner / "meshes" / "part.obj").symlink_to(own)
    with pytest.raises(DescriptionError, match=r"shapes\.0\.file: .*a link out of it"):
        chorda.load(path.rename(inner / "arm.yaml"))


BAD = {
    "missing": (None, "no such file"),
    "empty": (b"", "got an empty one"),
    "not an OBJ": (b"\x89PNG\r\n\x1a\n", "without any"),
    "no numbers": (b"v 0 0 0\nv 1 0 x\nv 0 1 0\nf 1 2 3\n", "numbers as coordinates"),
    "infinite": (b"v 0 0 0\nv 1 0 inf\nv 0 1 0\nf 1 2 3\n", "coordinates below"),
    "cut off": (b"v 0 0 0\nv 1 0\n", "cut off or damaged"),
    "no such corner": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "3 corners, got corner 4"),
    "a line": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "three corners or more"),
    "no area": (b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "an area"),
}


@pytest.mark.parametrize("case", BAD)
def test_files_without_a_surface_are_refused_when_the_robot_is_loaded(saved, tmp_path, case):
    data, why = BAD[case]
    path = saved(data)
    if data is None:
        (tmp_path / "meshes" / "part.obj").unlink()
    with pytest.raises(DescriptionError, match=why) as caught:
        chorda.load(path)
    text = str(caught.value)
    assert "shapes.0.file" in text
    assert "expected" in text
    assert "part.obj" in text


STL = {
    "shorter": (binary_stl()[:-7], "cut off, or no STL"),
    "other": (b"GIF89a", "got something else"),
    "text": (text_stl()[:-60], "cut off or damaged"),
    "many": (bytes(80) + (2_000_000).to_bytes(4, "little"), "cut off, or no STL"),
}


@pytest.mark.parametrize("case", STL)
def test_damaged_stl_files_are_refused(tmp_path, case):
    (tmp_path / "a.stl").write_bytes(STL[case][0])
    with pytest.raises(InputError, match=STL[case][1]):
        read_below(tmp_path, "a.stl", "shapes.0.file")


@pytest.mark.parametrize(("limit", "value"), [("MOST_BYTES", 100), ("MOST_TRIANGLES", 11)])
@pytest.mark.parametrize("data", [binary_stl(), text_stl()])
def test_files_beyond_the_limits_are_refused(tmp_path, monkeypatch, limit, value, data):
    monkeypatch.setattr(f"chorda.surface_files.{limit}", value)
    (tmp_path / "a.stl").write_bytes(data)
    with pytest.raises(InputError, match=r"expected at most .* simplify the mesh"):
        read_below(tmp_path, "a.stl", "shapes.0.file")


def test_a_pipe_or_a_folder_is_no_mesh(tmp_path):
    (tmp_path / "a.stl").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        read_below(tmp_path, "a.stl", "shapes.0.file")


def test_a_flat_mesh_is_drawn_as_it_is(saved):
    _, mesh = surface_at(chorda.load(saved(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")), 0.0)
    assert len(mesh.triangles) == 1
