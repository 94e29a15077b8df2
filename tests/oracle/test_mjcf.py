"""The MuJoCo model has the lengths, moment arms and accelerations of the library."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Circle,
    KelvinVoigt,
    Material,
    Motor,
    Point,
    Pulley,
    Revolute,
    Robot,
    Rod,
    Stiffening,
    Tendon,
    TensionActuator,
)
from chorda.errors import InputError
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import configuration, document
from chorda.results.observe import accelerations
from tests.helpers.evaluate import lengths
from tests.helpers.export_robots import everything, four_bar, held_plate

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
EXACT = 1e-9  # of lengths [m] and arms; rounding over runs of some metres is 1e-15


class Peer:
    """A system and the model made of it."""

    def __init__(self, system):
        self.system = system
        self.model = mujoco.MjModel.from_xml_string(document(discrete_model(system, None, 1e-3)))
        self.data = mujoco.MjData(self.model)

    def put(self, q, v=None):
        for name, value in configuration(self.system, q).items():
            start = self.model.joint(name).qposadr[0]
            self.data.qpos[start : start + len(value)] = value
        self.data.qvel[:] = 0
        for name, value in self.rates(q, v).items() if v is not None else ():
            start = self.model.joint(name).dofadr[0]
            self.data.qvel[start : start + len(value)] = value
        mujoco.mj_forward(self.model, self.data)
        return self

    def rates(self, q, v):
        """Rates (or accelerations from rest) of MuJoCo's joints, where q moves at the rate v."""
        system, h = self.system, 1e-6
        known = dict(zip([name for name, _ in system.velocities], v, strict=True))
        move = h * np.array(system.kinematics(q)) @ v
        ahead, behind = (configuration(system, q + sign * move) for sign in (1, -1))
        out = {name: (ahead[name] - behind[name]) / (2 * h) for name in ahead}
        for joint in system.robot.joints:
            if joint.kind == "free":  # a ball's rates are in the body's axes
                at = system.coordinate_names.index(f"{joint.name}.ew")
                R = np.zeros(9)
                mujoco.mju_quat2Mat(R, q[at : at + 4])
                spin = [known[f"{joint.name}.w{k}"] for k in "xyz"]
                out[joint.name] = R.reshape(3, 3).T @ spin
        return out

    def tendons(self, field):
        names = [t.name for t in self.system.robot.tendons]
        return np.array([getattr(self.data.tendon(name), field)[0] for name in names])

    def accelerations(self, q, a):
        """(theirs, ours) of all joints, ours being a."""
        ours = self.rates(q, a)
        theirs = {}
        for name, value in ours.items():
            start = self.model.joint(name).dofadr[0]
            theirs[name] = self.data.qacc[start : start + len(value)].copy()
        return np.concatenate(list(theirs.values())), np.concatenate(list(ours.values()))


def configurations(system, count=5):
    """Random ones, motors and joints alike; loops may be open."""
    random = np.random.default_rng(4)
    low = [max(c.low, -0.5) for c in system.coordinates]
    high = [min(c.high, 0.5) for c in system.coordinates]
    for _ in range(count):
        q = random.uniform(low, high)
        for start in system.quaternions:
            q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
        yield q


def paid(system, q):
    """Length that motors pay out [m]."""
    at = dict(zip(system.coordinate_names, q, strict=True))
    value = dict(zip(system.parameter_names, system.parameter_values, strict=True))
    out = np.zeros(len(system.robot.tendons))
    for i, t in enumerate(system.robot.tendons):
        if t.actuator in at:
            B = value[f"{t.actuator}.drum_radius"] / value[f"{t.actuator}.gear_ratio"]
            out[i] = t.winding * B * at[t.actuator]
    return out


NAMES = ("neck-3", "fasquelle-3", "recursive-1", "recursive-2", "finger-3", "finger-2n", "belt-arm")


@pytest.mark.parametrize("robot", [*map(chorda.load, NAMES), everything()], ids=lambda r: r.name)
def test_lengths_and_moment_arms_are_the_librarys(robot):
    system = chorda.assemble(robot)
    peer = Peer(system)
    rest = peer.put(system.rest).tendons("length") - lengths(system, system.rest)
    arms = system.function("arms", "q p", system.tendons.Z)
    for q in configurations(system):
        theirs = peer.put(q).tendons("length") - rest
        assert np.allclose(theirs, lengths(system, q) - paid(system, q), rtol=0, atol=EXACT)
        Z = arms(q, system.parameter_values).full()
        for k, v in enumerate(np.eye(system.nv)):  # Z = -dl/dq leaves out what motors pay out
            shrinking = -peer.put(q, v).tendons("velocity")
            expected = Z[k] + paid(system, np.array(system.kinematics(q)) @ v)
            assert np.allclose(shrinking, expected, rtol=0, atol=EXACT), system.velocities[k]


@pytest.mark.parametrize("seed", range(4))
def test_accelerations_are_the_librarys_where_there_are_no_loops(seed):
    system = chorda.assemble(everything())
    peer, random = Peer(system), np.random.default_rng(seed)
    q = next(configurations(system, 1)) if seed == 0 else list(configurations(system, seed + 1))[-1]
    v, u = random.uniform(-0.5, 0.5, system.nv), np.array([0.01, 3.0, 0.01, 0.0])
    for item, value in zip(system.inputs[:3], u, strict=False):
        peer.data.actuator(item.name).ctrl[0] = value
    peer.put(q, v)
    a = accelerations(system, q[None], v[None], u[None], system.parameter_values[:, None])[0][0]
    known = dict(zip([name for name, _ in system.velocities], a, strict=True))
    motor = 0.02 / 2.0
    plain = {
        "arm": "arm.rate",
        "slide": "slide.rate",
        **{f"plate.{k}": f"plate.v{k}" for k in "xyz"},
    }
    for theirs, ours in plain.items():
        found = peer.data.qacc[peer.model.joint(theirs).dofadr[0]]
        assert found == pytest.approx(known[ours], rel=1e-6), theirs
    found = peer.data.qacc[peer.model.joint("motor").dofadr[0]]
    assert found == pytest.approx(motor * known["motor.rate"], rel=1e-6)
    spin = peer.rates(q, a)["plate"]
    start = peer.model.joint("plate").dofadr[0]
    assert np.allclose(peer.data.qacc[start : start + 3], spin, rtol=1e-6)


def test_a_chain_with_belts_accelerates_as_the_librarys():
    system = chorda.assemble(chorda.load("recursive-1"))
    peer = Peer(system)
    q, v, u = 0.1 * np.sin(np.arange(system.nq)), np.zeros(system.nv), np.zeros(system.nu)
    a = accelerations(system, q[None], v[None], u[None], system.parameter_values[:, None])[0][0]
    theirs, ours = peer.put(q).accelerations(q, a)
    assert np.allclose(theirs, ours, rtol=1e-6, atol=1e-6 * np.max(np.abs(ours)))


LOOPS = [
    (chorda.load("neck-3"), {"x1": 0.3}),
    (four_bar(), {"crank": 0.3}),
    *((held_plate(kind), {"arm": 0.3}) for kind in ("spherical", "revolute", "fixed")),
]


@pytest.mark.parametrize(("robot", "initial"), LOOPS, ids=lambda x: getattr(x, "name", ""))
def test_loops_accelerate_as_the_librarys_from_rest(robot, initial):
    system = chorda.assemble(robot)
    motion = discrete_model(system, None, 1e-3, initial=initial)
    peer, q = Peer(system), motion.q
    v, u = np.zeros(system.nv), np.zeros(system.nu)
    a = accelerations(system, q[None], v[None], u[None], motion.p[:, None])[0][0]
    theirs, ours = peer.put(q).accelerations(q, a)
    # MuJoCo's constraints give way by 1 - 0.9999 of what they hold, its measure of the turning
    # inertia being a guess: measured 1.6e-4 of the largest, 1.9e-3 where a weld is all that holds
    share = 4e-3 if robot.name == "held-fixed" else 4e-4
    assert np.allclose(theirs, ours, rtol=0, atol=share * np.max(np.abs(ours)))


def test_the_key_frame_is_the_start_with_its_loops_shut():
    system = chorda.assemble(chorda.load("neck-3"), "rigid")
    motion = discrete_model(system, None, 1e-3, initial={"x1": 0.3, "x2": -0.2})
    model = mujoco.MjModel.from_xml_string(document(motion))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    assert data.ne == 3 * 3 + 4  # three loops and four rigid tendons
    assert np.max(np.abs(data.efc_pos[: data.ne])) < 1e-12
    top = data.body("x1.top").xmat.reshape(3, 3)
    assert np.arctan2(top[1, 0], top[0, 0]) == pytest.approx(0.3)


FINGER = Revolute(name="j", body=Body(mass=0.1, center=(0.1, 0, 0), inertia=(0, 0, 1e-4, 0, 0, 0)))
STRAIGHT = (Point(point=(-0.1, 0.05, 0)), Point(frame="j", point=(0.1, 0.05, 0)))


def pulled(path=STRAIGHT, law=None, **more):
    given = {} if law is None else {"law": law}
    actuator = Motor(name="m", inertia=1e-4, drum_radius=0.01)
    tendon = Tendon(name="cable", path=path, actuator="m", **given)
    return Robot(name="r", joints=(FINGER,), actuators=(actuator,), tendons=(tendon,), **more)


def over(**fields):
    return (
        STRAIGHT[0],
        Pulley(point=(0.01, 0.0, 0), radius=0.02, side="right", **fields),
        STRAIGHT[1],
    )


ROD = Rod(name="stem", length=0.2, section=Circle(radius=1e-3), young_modulus=1e9, density=1e3)
REFUSED = [
    (Robot(name="r", joints=(ROD,)), "joints.stem: .*rods.*export to c or casadi"),
    (
        pulled((STRAIGHT[0], Pulley(frame="j", point=(0.1, 0, 0), radius=0.01, side="right"))),
        r"tendons.cable.path.1: .*drum.*end the path at a point",
    ),
    (pulled(over(leave=False)), r"tendons.cable.path.1.leave: .*'leave: true'"),
    (
        pulled(
            (
                STRAIGHT[0],
                Pulley(point=(-0.05, 0, 0), radius=0.01, side="right"),
                Pulley(frame="j", point=(0.05, 0, 0), radius=0.01, side="right"),
                STRAIGHT[1],
            )
        ),
        r"tendons.cable.path.1: .*pulley to pulley; put a point",
    ),
    (pulled(law=Stiffening(stiffness=1e3, stiffening=1e5)), "tendons.cable.law: .*kelvin-voigt"),
    (
        pulled(law=Material(young_modulus=1e9, section=1e-6, over="unwound")),
        "tendons.cable.law.over: .*over: total",
    ),
    (
        pulled(law=KelvinVoigt(stiffness=1e3, one_sided=True, smoothing=0.1)),
        "tendons.cable.law.smoothing: .*leave it out",
    ),
]


@pytest.mark.parametrize(("robot", "words"), REFUSED)
def test_what_mujoco_cannot_express_is_refused_by_name(robot, words, tmp_path):
    system = chorda.assemble(robot)
    with pytest.raises(InputError, match=words):
        chorda.export(system, tmp_path / "r.xml", to="mjcf")
    assert not (tmp_path / "r.xml").exists()


def test_a_rigid_tendon_on_a_winch_is_refused():
    system = chorda.assemble(chorda.load("recursive-2"), "rigid")
    with pytest.raises(InputError, match=r"tendons.tendon1-1: .*give it a stiffness"):
        document(discrete_model(system, None, 1e-3))


def test_a_pulley_that_the_cable_leaves_far_away_is_not_taken_for_a_constant_arm():
    around = Pulley(radius=0.02, side="right")  # the cable leaves it at 1.7 rad
    path = (Point(point=(-0.1, -0.05, 0)), around, Point(frame="j", point=(0.05, -0.05, 0)))
    peer = Peer(chorda.assemble(pulled(path)))
    system = peer.system
    rest = peer.put(system.rest).tendons("length") - lengths(system, system.rest)
    touching = []
    for angle in (-0.8, -0.5, 0.5, 1.0, 1.5, 1.8):  # MuJoCo's cable jumps at -0.95
        theirs = peer.put(np.array([angle])).tendons("length") - rest
        found = configuration(system, np.array([angle]))["m"]
        touching.append(peer.data.ten_wrapnum[0] == 7)
        assert theirs + found == pytest.approx(lengths(system, [angle]), abs=EXACT)
    assert set(touching) == {True, False}


def test_a_tension_actuator_pulls():
    robot = pulled()
    robot = robot.model_copy(update={"actuators": (TensionActuator(name="m"),)})
    peer = Peer(chorda.assemble(robot))
    peer.data.actuator("m").ctrl[0] = 2.0
    peer.put(np.array([0.1]))
    system = peer.system
    Z = system.function("arms", "q p", system.tendons.Z)([0.1], system.parameter_values)
    assert peer.data.qfrc_actuator[0] == pytest.approx(2.0 * float(Z[0]))


def test_the_file_says_what_mujoco_does_otherwise():
    text = document(discrete_model(chorda.assemble(chorda.load("neck-1")), None, 1e-3))
    said = " ".join(text[: text.index("-->")].split())
    assert "at full strength at any speed; Chorda's rises with the speed by dry_slope" in said
    assert "its rate (.rate in Chorda) is ignored" in said
