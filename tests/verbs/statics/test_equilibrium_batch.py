"""Many equilibria at once: the same as one by one, and none that is wrong comes out."""

import signal
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import chorda
from chorda.errors import ChordaError, InputError
from chorda.numerics.progress import Progress
from chorda.results.spectra import KINDS
from tests.verbs.statics.test_tendons_pull import between_two_cables

RANDOM = np.random.default_rng(3)
MEMBERS = 12
MOTORS = {
    "motor1": 2.59 + RANDOM.uniform(-0.4, 0.4, MEMBERS),
    "motor2": 0.55 + RANDOM.uniform(-0.4, 0.4, MEMBERS),
}


def moduli(system):
    value = system.parameter_values[system.parameter_names.index("leg1.young_modulus")]
    return {"leg1.young_modulus": value * RANDOM.uniform(0.7, 1.4, MEMBERS)}


@pytest.fixture(scope="module")
def varied(planar):
    """Members that differ in their motors' angles and in a parameter."""
    parameters = moduli(planar.system)
    return chorda.equilibrium_batch(planar, hold=MOTORS, parameters=parameters), parameters


def member(given, i):
    return {name: values[i] for name, values in given.items()}


def assert_same(one, batch, i):
    assert one.status.ok
    assert np.allclose(batch.q[i], one.q, rtol=0, atol=1e-12)
    assert np.allclose(batch.unknowns[i], one.unknowns, rtol=1e-12, atol=1e-12)
    assert np.allclose(batch.multipliers[i], one.multipliers, rtol=1e-11, atol=1e-12)
    assert np.allclose(batch.tension[i], one.tension, rtol=1e-12, atol=1e-12)
    assert np.allclose(batch.stability["locked"].eigenvalues[i], one.eigenvalues, rtol=1e-9)
    assert batch.stability["locked"].words[i] == one.stability
    assert batch.iterations[i] == one.iterations


def test_a_member_is_the_equilibrium_that_is_found_by_itself(planar, varied):
    batch, parameters = varied
    assert batch.ok.all()
    for i in range(MEMBERS):
        one = chorda.equilibrium(
            planar.system,
            hold=member(MOTORS, i),
            parameters=member(parameters, i),
            initial=planar,
        )
        assert_same(one, batch, i)
        assert np.array_equal(batch.parameters[i], one.parameters)
        assert batch.at(i).stability == one.stability
        assert batch.at(i).status.code == one.status.code


def test_poses_with_rotations_are_reached_as_one_by_one(spatial):
    p, R = spatial.frame("platform")
    a = np.linspace(0, 0.4, 4)
    turn = np.array([[[np.cos(x), -np.sin(x), 0], [np.sin(x), np.cos(x), 0], [0, 0, 1]] for x in a])
    motors = [f"motor{k}" for k in range(1, 7)]
    poses = {"x": p[0] + 0.1 * a, "y": p[1] - 0.05 * a, "z": p[2] + 0 * a, "rotation": turn @ R}
    batch = chorda.equilibrium_batch(spatial, poses={"platform": poses}, actuated=motors)
    assert batch.ok.all()
    for i in range(len(a)):
        pose = {"platform": member(poses, i)}
        one = chorda.equilibrium(spatial.system, poses=pose, actuated=motors, initial=spatial)
        assert_same(one, batch, i)


def test_members_far_away_stay_on_the_branch_of_the_start(planar, monkeypatch):
    """Without the checks on steps, the last of these members ends on another branch."""
    far = {
        "motor1": np.array([0.748, -1.278, -1.388, -1.311]),
        "motor2": np.array([4.053, -3.411, 2.282, -2.908]),
    }
    batch = chorda.equilibrium_batch(planar, hold=far)
    verb = import_module("chorda.statics.equilibrium_batch")
    loose = replace(verb.STEPS, longest=1e9, bend=1e9, corner=1e9)
    monkeypatch.setattr(verb, "STEPS", loose)
    jumped = chorda.equilibrium_batch(planar, hold=far)
    for i in range(4):
        path = chorda.follow(planar, hold=member(far, i), points=400, strict=True)
        assert np.allclose(batch.q[i], path.q[-1], rtol=0, atol=1e-9)
    assert np.max(np.abs(jumped.q[3] - batch.q[3])) > 1


def test_both_kinds_of_stability_are_those_of_a_path(centred, lowered):
    heights = lowered.targets[:, lowered.prescription.labels.index("leg1.tip.y")]
    batch = chorda.equilibrium_batch(lowered, poses={"leg1.tip": {"x": 0.0, "y": heights}})
    assert batch.ok.all()
    for kind in KINDS:
        assert batch.stability[kind].words == lowered.stability[kind].words
        assert np.array_equal(batch.stability[kind].negative, lowered.stability[kind].negative)
    assert 0 < np.sum(batch.stable) < len(batch)


def test_a_member_depends_on_its_values_alone(planar, varied):
    batch, parameters = varied
    order = RANDOM.permutation(MEMBERS)
    shuffled = chorda.equilibrium_batch(
        planar,
        hold={name: x[order] for name, x in MOTORS.items()},
        parameters={name: x[order] for name, x in parameters.items()},
        jobs=1,
    )
    for name in ("q", "unknowns", "multipliers", "residual", "iterations"):
        assert np.array_equal(getattr(shuffled, name), getattr(batch, name)[order])
    for kind in KINDS:
        mine, theirs = shuffled.stability[kind], batch.stability[kind]
        assert np.array_equal(mine.eigenvalues, theirs.eigenvalues[order])


def test_without_a_compiler_the_batch_is_the_same(planar, varied, monkeypatch):
    batch, parameters = varied
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    slow = chorda.equilibrium_batch(planar, hold=MOTORS, parameters=parameters)
    assert slow.q == pytest.approx(batch.q, abs=1e-11)
    assert slow.unknowns == pytest.approx(batch.unknowns, abs=1e-11)
    assert np.array_equal(slow.iterations, batch.iterations)
    assert slow.stability["locked"].words == batch.stability["locked"].words


def test_members_without_an_equilibrium_are_named_and_have_no_numbers(centred):
    heights = np.array([0.85, 1.2, 0.9, 2.0])  # legs are 1 m long
    batch = chorda.equilibrium_batch(centred, poses={"leg1.tip": {"x": 0.0, "y": heights}})
    assert batch.code.tolist() == ["converged", "stopped", "converged", "stopped"]
    assert batch.failed.tolist() == [1, 3]
    assert np.isnan(batch.q[[1, 3]]).all()
    assert np.isnan(batch.residual[[1, 3]]).all()
    assert not batch.stable[[1, 3]].any()
    for kind in KINDS:
        assert [batch.stability[kind].words[i] for i in (1, 3)] == ["unknown", "unknown"]
    assert np.all(batch.reached[[1, 3]] < 1)
    assert np.array_equal(batch.reached[[0, 2]], [1, 1])
    assert batch.status(1).code == "stopped"
    assert "of the way from its start" in batch.status(1).message
    assert "2 converged, 2 stopped" in repr(batch)
    with pytest.raises(ChordaError, match="Member 1"):
        chorda.equilibrium_batch(centred, poses={"leg1.tip": {"x": 0.0, "y": heights}}, strict=True)


def test_a_member_beyond_a_limit_or_a_range_is_named(planar):
    hold = {"motor1": np.array([2.6, 2.9])}
    batch = chorda.equilibrium_batch(planar, hold=hold, limits={"motor1": (0, 2.8)})
    assert batch.code.tolist() == ["converged", "limit"]
    assert np.isnan(batch.q[1]).all()
    assert "motor1 = 2.9 is beyond its limits" in batch.status(1).message
    robot = planar.system.robot
    joints = tuple(
        x.model_copy(update={"range": (0.0, 2.8)}) if x.name == "motor1" else x
        for x in robot.joints
    )
    system = chorda.assemble(robot.model_copy(update={"joints": joints}))
    start = chorda.equilibrium(system, hold=planar.prescription.request(planar.target)["hold"],
                               initial=planar.q)  # fmt: skip
    ranged = chorda.equilibrium_batch(start, hold=hold)
    assert ranged.code.tolist() == ["converged", "out-of-range"]
    assert ranged.status(1).code == "out-of-range"


def test_a_member_in_which_a_rigid_tendon_would_push_is_slack():
    system = chorda.assemble(between_two_cables())
    start = chorda.equilibrium(system, inputs={"upper-winch": 0.0, "lower-winch": 0.5}, strict=True)
    batch = chorda.equilibrium_batch(start, inputs={"upper-winch": np.array([0.0, -0.05, 0.5])})
    assert batch.code.tolist() == ["converged", "converged", "slack"]
    assert batch.status(2).code == "slack"
    assert np.isnan(batch.tension[2]).all()


def test_tensions_and_drum_radii_vary_together():
    system = chorda.assemble(chorda.load("neck-2"))
    start = chorda.equilibrium(system, tensions=20.0, strict=True)
    drum = next(x for x in system.parameter_names if x.endswith("drum_radius"))
    value = system.parameter_values[system.parameter_names.index(drum)]
    tendons = [t.name for t in system.robot.tendons]
    pull = {name: 20.0 + RANDOM.uniform(-2, 2, 3) for name in tendons}
    parameters = {drum: value * np.array([0.9, 1.0, 1.2])}
    batch = chorda.equilibrium_batch(start, tensions=pull, parameters=parameters)
    assert batch.ok.all()
    for i in range(3):
        one = chorda.equilibrium(
            system, tensions=member(pull, i), parameters=member(parameters, i), initial=start
        )
        assert_same(one, batch, i)


def test_a_batch_and_a_path_are_starts(planar, varied):
    batch, parameters = varied
    again = chorda.equilibrium_batch(batch, hold=MOTORS, parameters=parameters)
    assert again.ok.all()
    assert np.allclose(again.q, batch.q, rtol=0, atol=1e-9)
    assert again.iterations.max() <= batch.iterations.min()
    with pytest.raises(InputError, match=r"'leg1.young_modulus' too, which differs among"):
        chorda.equilibrium_batch(batch, hold=MOTORS)
    alone = chorda.equilibrium_batch(planar, hold=MOTORS)
    assert np.allclose(again.targets, batch.targets)
    path = chorda.follow(planar, hold={"motor1": 3.4}, points=8, strict=True)
    there = chorda.equilibrium_batch(path, hold={"motor1": np.array([2.6, 3.4])})
    near = chorda.equilibrium_batch(planar, hold={"motor1": np.array([2.6, 3.4])})
    assert np.allclose(there.q, near.q, rtol=0, atol=1e-8)
    assert there.iterations[1] < near.iterations[1]
    assert alone.parameters.shape == (1, len(planar.parameters))


def test_one_set_of_values_is_one_member(planar):
    batch = chorda.equilibrium_batch(planar, hold={"motor1": 2.6})
    assert len(batch) == 1
    assert batch.ok.all()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hold": {"motor1": [1.0, 2.0], "motor2": [1.0, 2.0, 3.0]}}, "as many values"),
        ({"hold": {"engine": [1.0]}}, "'engine' is not there"),
        (
            {"hold": {"motor1": [2.0, 2.1]}, "parameters": {"leg1.length": [1.0, 1.1, 1.2]}},
            "expected 3 members as in parameters, got 2",
        ),
        (
            {"parameters": {"leg1.length": [1.0, 1.1], "leg2.length": [1.0]}},
            "parameters.leg2.length: expected a number for each of 2 members, got 1",
        ),
        ({"parameters": {"leg1.length": []}}, "expected a number for each"),
        ({"parameters": {"leg1.young_modulus": [1e9, -1e9]}}, "must not be negative"),
        ({"parameters": {"leg1.young_modulus": [1e9, np.nan]}}, "must be a finite number"),
        ({"parameters": [1.0]}, "expected a mapping"),
        ({"limits": {"engine": 1.0}}, "'engine' is not there"),
        ({"jobs": 0}, "jobs"),
        ({"strict": "yes"}, "strict"),
    ],
)
def test_wrong_input_is_refused_by_name(planar, given, says):
    with pytest.raises(InputError, match=says):
        chorda.equilibrium_batch(planar, **given)


@pytest.mark.parametrize("values", [[], [[20.0], [30.0]], np.eye(3)])
@pytest.mark.parametrize("verb", [chorda.equilibrium_batch, chorda.follow])
def test_tensions_that_are_no_series_are_refused_by_name(verb, values):
    start = chorda.equilibrium(chorda.assemble(chorda.neck(1)), tensions=20.0)
    with pytest.raises(InputError, match=r"tensions\.left: expected a number or a series of them"):
        verb(start, tensions={"left": values})


def test_a_start_that_is_no_equilibrium_is_refused(planar):
    with pytest.raises(InputError, match="start: expected what"):
        chorda.equilibrium_batch(planar.system)
    batch = chorda.equilibrium_batch(planar, hold={"motor1": 2.9}, limits={"motor1": (0, 2.8)})
    with pytest.raises(InputError, match="a batch without any"):
        chorda.equilibrium_batch(batch, hold={"motor1": 2.6})


def test_ctrl_c_keeps_what_was_solved(planar, varied, monkeypatch):
    """Members are solved in parts, and Ctrl-C comes after the first of them."""
    monkeypatch.setattr(import_module("chorda.statics.equilibrium_batch"), "AT_ONCE", 0)
    n, update, sent = 3 * 256, Progress.update, []

    def interrupted(self, done):
        update(self, done)
        if done >= 256 and not sent:
            sent.append(signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(Progress, "update", interrupted)
    batch = chorda.equilibrium_batch(planar, hold={"motor1": np.full(n, 2.7)}, jobs=1)
    assert len(batch) == n
    assert sent
    assert batch.ok[:256].all()
    assert set(batch.code[512:].tolist()) == {"interrupted"}
    assert np.isnan(batch.q[512:]).all()
    assert not batch.stable[512:].any()
    assert "run it again" in batch.status(n - 1).message
