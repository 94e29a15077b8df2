"""follow: branches of equilibria along paths, over folds, and where stability changes."""

import matplotlib.image
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.errors import InputError

HEAVY = 2.0 * 9.81 * 0.5  # [N m] that holds the pendulum level
MOTORS = ("motor1", "motor2")


@pytest.fixture(scope="module")
def swung(pendulum):
    """A pendulum under a moment that grows to one and a half times what holds it level."""
    hanging = chorda.equilibrium(pendulum, efforts={"swing": 0.0}, strict=True)
    return chorda.follow(hanging, efforts={"swing": 1.5 * HEAVY}, folds=True)


def test_a_fold_is_where_the_closed_form_has_it(swung):
    assert [(x.kind, x.fold) for x in swung.changes] == [
        ("constant efforts", True),
        ("locked", True),
    ]
    for crossing in swung.changes:
        assert crossing.parameter == pytest.approx(1 / 1.5, abs=1e-9)
        assert crossing.at.position["swing"] == pytest.approx(np.pi / 2, abs=1e-7)


def test_over_a_fold_the_branch_goes_on_to_the_other_configuration_of_the_same_load(swung):
    assert "turns back to the beginning of the path over 1 fold" in swung.status.message
    assert swung.at(-1).position["swing"] == pytest.approx(np.pi, abs=1e-9)
    angle, moment = swung.q[:, 0], swung.efforts["swing"]
    assert moment == pytest.approx(HEAVY * np.sin(angle), abs=1e-7 * HEAVY)
    assert list(swung.stable) == list(angle < np.pi / 2)


def test_without_folds_a_path_stops_there(pendulum):
    hanging = chorda.equilibrium(pendulum, efforts={"swing": 0.0}, strict=True)
    path = chorda.follow(hanging, efforts={"swing": 1.5 * HEAVY}, points=30)
    assert path.status.code == "stopped"
    assert path.parameter[-1] == pytest.approx(1 / 1.5, abs=1 / 30)
    assert path.parameter[-1] <= 1 / 1.5
    assert "folds=True" in path.status.message


def test_a_fold_of_a_parallel_robot_is_where_no_more_effort_is_needed(planar):
    """motor1 pulls harder and harder, motor2 is held."""
    found = []
    for points in (19, 30):
        path = chorda.follow(planar, efforts={"motor1": 2.0}, points=points, folds=True)
        (fold,) = [x for x in path.changes if x.kind == "locked" and x.fold]
        near = chorda.kinematostatics(fold.at, "leg1.tip", motors=MOTORS)
        assert near.motor_stiffness["motor1", "motor1"] == pytest.approx(0, abs=1e-8)
        assert path.parameter.max() <= fold.parameter + 1e-9
        assert path.stable[0]
        assert not path.stable[-1]
        found.append(fold.parameter)
    assert found[0] == pytest.approx(found[1], abs=1e-8)


def test_crossings_do_not_depend_on_the_points(centred, lowered):
    other = chorda.follow(centred, poses={"leg1.tip": {"x": 0.0, "y": -0.2}}, points=37)
    found, wanted = ([(x.kind, x.fold) for x in p.changes] for p in (other, lowered))
    assert found == wanted
    assert [x.parameter for x in other.changes] == pytest.approx(
        [x.parameter for x in lowered.changes], abs=1e-8
    )


def test_the_smallest_eigenvalue_is_zero_at_a_crossing(lowered):
    for crossing in lowered.changes:
        values = chorda.stability(crossing.at)[crossing.kind].eigenvalues
        assert np.min(np.abs(values)) < 1e-9 * np.max(np.abs(values))


def test_a_series_ends_where_its_last_value_is(planar):
    to = {"motor1": 3.1, "motor2": 0.9}
    there = chorda.follow(planar, hold=to, points=10)
    series = {k: np.linspace(planar.position[k], x, 11) for k, x in to.items()}
    along = chorda.follow(planar, hold=series)
    assert len(along) == len(there) == 11
    assert along.q == pytest.approx(there.q, abs=1e-9)
    assert along.efforts["motor1"] == pytest.approx(there.efforts["motor1"], abs=1e-9)


def test_the_inverse_of_a_path_gives_its_motors_back(planar):
    there = chorda.follow(planar, hold={"motor1": 3.1, "motor2": 0.9}, points=10)
    x, y, _ = there.frame("leg1.tip")[0].T
    back = chorda.follow(planar, poses={"leg1.tip": {"x": x, "y": y}}, actuated=MOTORS)
    assert back.q == pytest.approx(there.q, abs=1e-8)


@pytest.fixture(scope="module")
def aimed(spatial):
    """The platform moved and turned in five steps, and where it shall be."""
    place, R = spatial.frame("platform")
    turned = Rotation.from_rotvec([0.05, -0.08, 0.1]).as_matrix() @ R
    there = place + np.array([0.02, 0, -0.03])
    wanted = {**dict(zip("xyz", there, strict=True)), "rotation": turned}
    motors = [f"motor{k}" for k in range(1, 7)]
    path = chorda.follow(
        spatial, poses={"platform": wanted}, actuated=motors, points=5, strict=True
    )
    return path, there, turned


def test_orientations_are_reached(aimed):
    path, there, turned = aimed
    places, R = path.frame("platform")
    assert places[-1] == pytest.approx(there, abs=1e-9)
    assert R[-1] == pytest.approx(turned, abs=1e-9)
    angles = Rotation.from_matrix(R @ R[0].T).magnitude()
    assert np.diff(angles) == pytest.approx(angles[-1] / 5, abs=1e-9)


def test_a_quaternion_says_the_same_as_its_matrix(spatial):
    R = Rotation.from_rotvec([0.0, 0.0, 0.05]).as_matrix() @ spatial.frame("platform")[1]
    x, y, z, w = Rotation.from_matrix(R).as_quat()
    motors = [f"motor{k}" for k in range(1, 7)]
    at = dict(zip("xyz", spatial.frame("platform")[0], strict=True))
    ends = [
        chorda.follow(spatial, poses={"platform": at | {"rotation": t}}, actuated=motors, points=2)
        for t in (R, (w, x, y, z))
    ]
    assert ends[0].q[-1] == pytest.approx(ends[1].q[-1], abs=1e-12)


def test_a_place_out_of_reach_stops_at_the_nearest_configuration(centred):
    path = chorda.follow(centred, poses={"leg1.tip": {"x": 0.0, "y": 1.2}})
    edge = np.sqrt(1 - 0.2**2)  # both legs straight, 1 m long
    assert path.status.code == "stopped"
    assert 0 < edge - path.frame("leg1.tip")[0][-1, 1] < 1e-3
    assert "singularity" in path.status.message


def test_strict_raises_where_a_path_stops(centred):
    with pytest.raises(chorda.errors.ChordaError, match="followed to"):
        chorda.follow(centred, poses={"leg1.tip": {"x": 0.0, "y": 1.2}}, strict=True)


def test_without_a_compiler_the_path_is_the_same(planar, monkeypatch):
    to = {"motor1": 3.1, "motor2": 0.9}
    compiled = chorda.follow(planar, hold=to, points=6)
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted = chorda.follow(planar, hold=to, points=6)
    assert interpreted.q == pytest.approx(compiled.q, abs=1e-11)
    assert interpreted.unknowns == pytest.approx(compiled.unknowns, abs=1e-11)


def test_what_is_not_named_stays_as_it_was(planar):
    path = chorda.follow(planar, hold={"motor1": 2.7}, points=2)
    assert path.at(-1).position["motor2"] == pytest.approx(planar.position["motor2"], abs=1e-12)
    assert path.at(-1).position["motor1"] == pytest.approx(2.7, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hold": {"engine": 1.0}}, "'engine' is not there"),
        ({"poses": {"hand": {"x": 0.0}}}, "'hand' is not there"),
        ({"poses": {"leg1.tip": {"w": 0.0}}}, "'w' is no axis"),
        ({"poses": {"leg1.tip": 1.0}}, "expected a mapping"),
        ({"efforts": {"engine": 1.0}}, "'engine' is not there"),
        ({"poses": {"leg1.tip": {"x": 0.0, "y": 0.7}}, "actuated": ["motor1"]}, "name more"),
        ({"hold": {"motor1": 1.0}, "actuated": MOTORS}, "leave some out"),
        ({"hold": {"motor1": 1.0}, "efforts": {"motor1": 1.0}}, "is held"),
        ({"hold": {"motor1": float("nan")}}, "expected a finite number"),
        ({"hold": {"motor1": [2.6, 2.7], "motor2": [0.5]}}, "as many values as the others"),
        ({"hold": {"motor1": 2.7}, "points": 0}, "points: expected a whole number from 1"),
        ({"poses": {"leg1.tip": {"rotation": np.ones((3, 3))}}}, "expected a rotation matrix"),
    ],
)
def test_what_cannot_be_followed_is_refused(planar, given, says):
    with pytest.raises(InputError, match=says):
        chorda.follow(planar, **given)


def test_a_place_that_is_no_mapping_is_refused_where_one_was_placed(centred):
    with pytest.raises(InputError, match=r"poses\.leg1\.tip: expected a mapping"):
        chorda.follow(centred, poses={"leg1.tip": 1.0})


def test_a_start_that_was_not_found_is_refused(planar):
    lost = chorda.equilibrium(
        planar.system, poses={"leg1.tip": {"x": 0.0, "y": 5.0}}, actuated=MOTORS, initial=planar.q
    )
    assert not lost.status.ok
    with pytest.raises(chorda.errors.ChordaError):
        chorda.follow(lost, hold={"motor1": 2.7})


def test_a_path_is_drawn_with_unstable_configurations_dashed(lowered, tmp_path):
    figure = lowered.plot(tmp_path / "path.png", count=5)
    dashed = [x for x in figure.axes[0].collections if any(d[1] for d in x.get_linestyle())]
    assert len(dashed) == 1  # the last one
    assert {t.get_text() for t in figure.legends[0].get_texts()} == {"path of the tip", "unstable"}
    assert figure.axes[0].get_xlabel() == "x [m]"
    assert matplotlib.image.imread(tmp_path / "path.png")[..., :3].min() < 0.5


def test_a_path_in_space_is_drawn(aimed):
    figure = aimed[0].plot(count=3)
    assert len(figure.axes) == 2  # the picture, and its colours
    assert figure.axes[1].get_yticklabels()[0].get_text() == "first"


def test_a_picture_of_no_configurations_is_refused(planar):
    with pytest.raises(InputError, match="count: expected at least 1"):
        chorda.follow(planar, hold={"motor1": 2.6}, points=2).plot(count=0)
