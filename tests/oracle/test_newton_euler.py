"""Recursive Newton-Euler against the System, Pinocchio, momentum and calculation by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import (
    Body,
    Damper,
    DryFriction,
    Fixed,
    KelvinVoigt,
    Load,
    Material,
    Motor,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Robot,
    SlidingFriction,
    Spring,
    Stiffening,
    Tendon,
    TensionActuator,
    Winch,
    chain,
)
from chorda.errors import InputError
from chorda.tendons import accelerations, newton_euler, reactions
from tests.helpers import pulley_robots
from tests.helpers.chains import GRAVITY
from tests.helpers.evaluate import acceleration, frames
from tests.helpers.peers import pinocchio_model
from tests.helpers.robots import everything, unit, x_joint_of_bars

SAMPLES = 6


class Make:
    """A random robot, part by part."""

    def __init__(self, seed, count):
        self.rng = np.random.default_rng(1000 * count + seed)
        self.joints, self.tendons, self.actuators = [], [], []
        for i in range(count):
            self.joint(i)

    def unit(self):
        n = self.rng.normal(size=3)
        return tuple((n / np.linalg.norm(n)).tolist())

    def some(self, size, count=3):
        return tuple(self.rng.uniform(-size, size, count).tolist())

    def body(self):
        R = Rotation.from_rotvec(self.rng.normal(size=3)).as_matrix()
        A = R @ np.diag(self.rng.uniform(0.5, 1, 3) * 0.02) @ R.T
        six = [A[k] for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        return Body(mass=self.rng.uniform(0.3, 2), center=self.some(0.2), inertia=six)

    def joint(self, i):
        rng = self.rng
        placement = Placement(
            position=self.some(0.4), axis=self.unit(), angle=float(rng.uniform(-2, 2))
        )
        parent = self.joints[-1].name if i else "world"
        kind = Prismatic if rng.random() < 0.3 else Revolute
        parts = {"friction": rng.uniform(0, 0.5), "stiffness": rng.uniform(0, 3), "rest": 0.1}
        self.joints.append(
            kind(
                name=f"j{i}",
                parent=parent,
                placement=placement,
                axis=self.unit(),
                body=self.body(),
                **(parts if rng.random() < 0.5 else {}),
            )
        )

    def law(self):
        rng, pre = self.rng, {"pretension": 4.0}
        laws = (
            KelvinVoigt(stiffness=rng.uniform(100, 500), damping=3.0, **pre, one_sided=False),
            Stiffening(stiffness=100.0, stiffening=2e3, damping=1.0, one_sided=True),
            KelvinVoigt(stiffness=200.0, damping=2.0, one_sided=True, smoothing=1.0),
            Material(
                young_modulus=1e9,
                damping_modulus=1e7,
                section=1e-7,
                over="unwound",
                one_sided=False,
            ),
            Material(young_modulus=1e9, section=1e-7, length=0.9, **pre, one_sided=False),
        )
        return laws[rng.integers(len(laws))]

    def tendon(self, path):
        i, rng = len(self.tendons), self.rng
        friction = DryFriction(torque=0.1, slope=3.0, kind=str(rng.choice(["arctan", "tanh"])))
        kinds = (
            None,
            Motor(name=f"m{i}", inertia=2e-3, drum_radius=0.03, gear_ratio=2, friction=0.02),
            Motor(name=f"m{i}", inertia=1e-3, drum_radius=0.02, dry_friction=friction),
            TensionActuator(name=f"m{i}"),
            Winch(name=f"m{i}"),
        )
        actuator = kinds[rng.integers(len(kinds))]
        if actuator is not None:
            self.actuators.append(actuator)
        self.tendons.append(
            Tendon(
                name=f"t{i}",
                path=path,
                lead=0.2,
                law=self.law(),
                actuator=actuator.name if actuator else None,
                winding=int(rng.choice([-1, 1])),
            )
        )

    def over_points(self):
        frames = ["world", *[j.name for j in self.joints]]
        return [
            Point(frame=str(frame), point=self.some(0.3))
            for frame in self.rng.permutation(frames)[: self.rng.integers(2, 5)]
        ]

    def across(self, joint):
        """Around pulleys on both sides of a revolute joint, their normals along its axis."""
        rng, n = self.rng, np.array(joint.axis)
        x = np.cross(n, [0.6, 0, 0.8])
        x /= np.linalg.norm(x)
        y = np.cross(n, x)
        placed = joint.placement
        R = Rotation.from_rotvec(placed.angle * np.array(placed.axis)).as_matrix()

        def element(below, along, aside, kind):
            at, normal = along * x + aside * y, rng.choice([-1, 1]) * n
            if below:
                at, normal = np.array(placed.position) + R @ at, R @ normal
            frame = joint.parent if below else joint.name
            if kind == "point":
                return Point(frame=frame, point=tuple(at))
            return Pulley(
                frame=frame,
                point=tuple(at),
                radius=rng.uniform(0.01, 0.05),
                side=str(rng.choice(["left", "right"])),
                normal=unit(*normal),
                leave=kind == "idler" and bool(rng.random() < 0.5),
            )

        end = ("point", "drum")
        return [
            element(True, -0.6, rng.uniform(-0.1, 0.1), str(rng.choice(end))),
            element(True, -0.3, rng.uniform(-0.1, 0.1), "idler"),
            element(False, 0.25, rng.uniform(-0.1, 0.1), str(rng.choice(("point", "idler")))),
            element(False, 0.6, rng.uniform(-0.1, 0.1), str(rng.choice(end))),
        ]

    def turning_pulleys(self, carrier):
        """Two intermediate links on a carrier, a cable from its frame over the first to the
        next."""
        n, x = np.array(self.unit()), np.array(self.unit())
        x = np.cross(n, x)
        x /= np.linalg.norm(x)
        k, where = len(self.joints), np.array(self.some(0.2))
        names = [f"idler{k}", f"idler{k + 1}"]
        for name, along in zip(names, (0.0, 0.3), strict=True):
            place = Placement(position=tuple(where + along * x), axis=self.unit(), angle=0.7)
            back = Rotation.from_rotvec(-0.7 * np.array(place.axis)).as_matrix()
            axis = unit(*back @ n)
            body = Body(mass=0.2, inertia=(2e-3, 3e-3, 4e-3, 0, 0, 0), center=self.some(0.01))
            self.joints.append(
                Revolute(name=name, parent=carrier, placement=place, axis=axis, body=body)
            )

        def rim(joint):
            side = str(self.rng.choice(["left", "right"]))
            return Pulley(frame=joint.name, radius=0.05, side=side, normal=joint.axis)

        first, second = self.joints[-2:]
        start = Point(frame=carrier, point=tuple(where - 0.4 * x))
        self.tendon([start, rim(first)])
        self.tendon([rim(first), rim(second)])

    def robot(self):
        frames = [j.name for j in self.joints]
        last, first = frames[-1], frames[0]
        joints = (
            *self.joints,
            Fixed(
                name="tool",
                parent=last,
                placement=Placement(position=self.some(0.1), axis=self.unit(), angle=1.1),
                body=self.body(),
            ),
        )
        start, end = Point(point=self.some(0.9)), Point(frame="tool", point=self.some(0.1))
        middle = Point(frame=first, point=self.some(0.2))
        spring = Spring(
            name="spring", start=start, end=end, stiffness=60.0, free_length=0.3, damping=2.0
        )
        push = {"force": self.some(2), "moment": self.some(0.3)}
        return Robot(
            name="random",
            gravity=GRAVITY,
            joints=joints,
            springs=(spring,),
            dampers=(Damper(name="damper", start=middle, end=end, damping=4.0),),
            loads=(
                Load(name="push", at=end, **push),
                Load(name="jet", at=middle, follows=True, **push),
            ),
            tendons=tuple(self.tendons),
            actuators=tuple(self.actuators),
        )


def random_chain(seed, count, tendons=True):
    make = Make(seed, count)
    if tendons:
        make.tendon(make.over_points())
        make.tendon(make.over_points())
        for joint in [j for j in make.joints if j.kind == "revolute"][:2]:
            make.tendon(make.across(joint))
        make.turning_pulleys(make.joints[-1].name)
    return make.robot()


def states(system, seed, size=0.4):
    rng = np.random.default_rng(seed)
    q = system.rest + size * rng.uniform(-1, 1, (SAMPLES, system.nq))
    v, a = rng.normal(size=(2, SAMPLES, system.nv))
    return SimpleNamespace(q=q, v=v, a=a, u=rng.normal(size=(SAMPLES, system.nu)))


def tensions(system, s, p=None):
    """Of every tendon, from the System."""
    p = system.parameters() if p is None else p
    if not system.robot.tendons:
        return np.zeros((SAMPLES, 0))
    which = [o.name for o in system.outputs].index("tension")
    rows = [
        system.observe(q, v, a, np.zeros(system.nc), u, p)[which].full().ravel()
        for q, v, a, u in zip(s.q, s.v, s.a, s.u, strict=True)
    ]
    return np.array(rows)


def assert_close(found, expected, relative):
    expected = np.asarray(expected)
    assert np.abs(found - expected).max() <= relative * np.abs(expected).max()


def assert_same_accelerations(system, seed, size=0.4):
    s = states(system, seed, size)
    expected = [acceleration(system, q, v, u) for q, v, u in zip(s.q, s.v, s.u, strict=True)]
    assert_close(accelerations(system, s.q, s.v, s.u), expected, 1e-10)
    assert_close(accelerations(system, s.q[0], s.v[0], s.u[0]), expected[0], 1e-10)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("seed", range(3))
def test_random_chains_with_tendons_accelerate_as_the_system(seed, count):
    assert_same_accelerations(chorda.assemble(random_chain(seed, count)), seed)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_cables_that_wander_over_pulleys_and_leave_them_accelerate_as_the_system(seed, planar):
    robot = pulley_robots.random_robot(seed, joints=1 + seed % 4, planar=planar)
    assert_same_accelerations(chorda.assemble(robot), seed, size=0.8)


def rubbing(robot, kind):
    """Every joint that moves has bearings that rub by what they carry."""
    bent = {"deflection": 0.3, "damping": 0.1} if kind == "bristle" else {"slope": 3.0}

    def law(joint):
        if joint.kind == "fixed":
            return joint
        own = {"kind": kind, "coefficient": 0.3, **bent}
        turns = joint.kind == "revolute"
        made = (
            DryFriction(torque=0.1, pin_radius=0.05, **own)
            if turns
            else SlidingFriction(force=0.1, **own)
        )
        return joint.model_copy(update={"dry_friction": made})

    return robot.model_copy(update={"joints": tuple(law(x) for x in robot.joints)})


@pytest.mark.parametrize("kind", ["arctan", "bristle"])
@pytest.mark.parametrize("seed", range(6))
def test_bearings_rub_by_the_reactions_at_rest(seed, kind):
    """By weight, loads, springs and the spans of cables, over pulleys that turn or are left."""
    chain = random_chain(seed, 1 + seed)
    pulleys = pulley_robots.random_robot(seed, joints=1 + seed % 4, planar=bool(seed % 2))
    for robot in (chain, pulleys):
        assert_same_accelerations(chorda.assemble(rubbing(robot, kind)), seed, size=0.6)


@pytest.mark.parametrize("carrier", ["world", None])
def test_drums_that_keep_their_places_may_turn_as_often_as_they_like(carrier):
    body = Body(mass=0.3, inertia=(1e-3,) * 3 + (0,) * 3)
    joints = (
        Revolute(name="one", body=body),
        Revolute(name="two", placement=Placement(position=(0.4, 0, 0)), body=body),
    )
    law = KelvinVoigt(stiffness=50.0, damping=1.0, pretension=5.0, one_sided=False)
    path = [
        Pulley(frame="one", radius=0.05, side="right"),
        Pulley(frame="two", radius=0.03, side="left"),
    ]
    cable = Tendon(name="cable", path=path, law=law, carrier=carrier)
    system = chorda.assemble(Robot(name="turning", joints=joints, tendons=(cable,)))
    assert_same_accelerations(system, 0, size=60.0)


@pytest.mark.parametrize("seed", range(3))
def test_effort_is_the_residual_of_the_system_also_with_other_parameters(seed):
    system = chorda.assemble(random_chain(seed, 4))
    s, p = states(system, seed), system.parameters() * 1.03
    found = newton_euler(system, s.q, s.v, s.a, tensions(system, s, p), p).effort
    joints = found.shape[1]
    expected = [
        system.residual(q, v, a, u, p).full().ravel()[:joints]
        for q, v, a, u in zip(s.q, s.v, s.a, s.u, strict=True)
    ]
    assert_close(found, expected, 1e-10)


def test_a_robot_without_its_system_gives_the_same():
    robot = random_chain(1, 3)
    system = chorda.assemble(robot)
    s = states(system, 0)
    ours, theirs = (newton_euler(x, s.q, s.v, s.a, 2.0) for x in (robot, system))
    assert np.array_equal(ours.force, theirs.force)
    assert np.array_equal(ours.pull, theirs.pull)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("seed", range(3))
def test_forces_and_joint_wrenches_are_those_of_pinocchio(seed, count):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    robot = random_chain(seed, count, tendons=False)
    joints = [
        j if j.kind == "fixed" else j.model_copy(update={"friction": None, "stiffness": None})
        for j in robot.joints
    ]
    empty = {"joints": tuple(joints), "springs": (), "dampers": (), "loads": ()}
    robot = robot.model_copy(update=empty)
    model, data = pinocchio_model(pin, robot)
    q, v, a = np.random.default_rng(seed).normal(size=(3, count))
    found = newton_euler(robot, q, v, a)
    assert_close(found.effort, pin.rnea(model, data, q, v, a), 1e-9)
    wrenches = np.hstack([found.force, found.moment])[:count]
    assert_close(wrenches, [f.vector for f in list(data.f)[1:]], 1e-9)
    still = np.zeros(count)
    columns = [newton_euler(robot, q, still, e).effort for e in np.eye(count)]
    M = np.array(columns).T - newton_euler(robot, q, still, still).effort[:, None]
    upper = np.triu(pin.crba(model, data, q))
    assert_close(M, upper + np.triu(upper, 1).T, 1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_base_force_is_the_rate_of_momentum_less_weight_and_what_else_acts(seed):
    robot = random_chain(seed, 4)
    system = chorda.assemble(robot)
    s = states(system, seed)
    q, v, a = s.q[0], s.v[0], s.a[0]
    t = np.random.default_rng(seed).uniform(1, 20, len(robot.tendons))
    found = newton_euler(robot, q, v, a, t)
    pose = frames(robot)
    bodies = [j for j in robot.joints if j.body is not None]
    mass = sum(j.body.mass for j in bodies)

    def moment_of_mass(time):
        now = pose(q + v * time + a * time**2 / 2)
        return sum(j.body.mass * (now[j.name][1] + now[j.name][0] @ j.body.center) for j in bodies)

    h = 2e-3  # central differences of sixth order
    weights = {0: -49 / 18, 1: 3 / 2, 2: -3 / 20, 3: 1 / 90}
    rate = weights[0] * moment_of_mass(0) + sum(
        w * (moment_of_mass(k * h) + moment_of_mass(-k * h)) for k, w in weights.items() if k
    )
    rate = rate / h**2
    elements = [x for t in robot.tendons for x in t.path]
    on_world = sum(f for f, x in zip(found.pull, elements, strict=True) if x.frame == "world")
    now = pose(q)

    def at(point):
        R, p = now[point.frame]
        return p + R @ np.array(point.point)

    spring, push, jet = robot.springs[0], *robot.loads
    d, step = at(spring.end) - at(spring.start), 1e-5
    ahead, behind = (
        np.linalg.norm(x[spring.end.frame][1] + x[spring.end.frame][0] @ spring.end.point
                       - np.array(spring.start.point))
        for x in (pose(q + v * step), pose(q - v * step))
    )  # fmt: skip
    length = np.linalg.norm(d)
    pull = spring.stiffness * (length - spring.free_length)
    pull += spring.damping * (ahead - behind) / (2 * step)
    outside = -pull * d / length + push.force + now[jet.at.frame][0] @ jet.force
    base = sum(
        f for f, j in zip(found.in_world()[0], robot.joints, strict=True) if j.parent == "world"
    )
    expected = rate - mass * np.array(GRAVITY) - outside + on_world
    assert np.allclose(base, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def opened(robot, name):
    """The robot with six locked freedoms after a joint: their efforts are its reaction."""
    joint = robot.named(name)
    tiny = (-1e-13, 1e-13)  # cables around pulleys stay in their planes
    own = joint.model_copy(update={"name": "own"} | ({"body": None} if joint.body else {}))
    parts = [own]
    for kind, letter in ((Prismatic, "p"), (Revolute, "r")):
        for axis, way in zip("xyz", np.eye(3), strict=True):
            parts.append(
                kind(name=letter + axis, parent=parts[-1].name, axis=tuple(way), range=tiny)
            )
    parts[-1] = parts[-1].model_copy(update={"name": name, "body": joint.body})
    joints = [x for j in robot.joints for x in (parts if j.name == name else [j])]
    return robot.model_copy(update={"joints": tuple(joints)})


@pytest.mark.parametrize("count", [1, 3, 5])
def test_all_six_components_are_the_forces_of_the_system_on_locked_freedoms(count):
    robot = random_chain(count, count)
    system = chorda.assemble(robot)
    s = states(system, count)
    found = newton_euler(system, s.q, s.v, s.a, tensions(system, s))
    for row, joint in enumerate(robot.joints):
        wide = chorda.assemble(opened(robot, joint.name))
        names = wide.coordinate_names
        start = names.index("px")
        locked = range(start, start + 6)
        here = np.setdiff1d(range(wide.nq), locked)
        q, v, a = np.zeros((3, SAMPLES, wide.nq))
        q[:, here], v[:, here], a[:, here] = s.q, s.v, s.a
        p = wide.parameters()
        got = [
            wide.residual(*x, p).full().ravel()[start : start + 6]
            for x in zip(q, v, a, s.u, strict=True)
        ]
        ours = np.concatenate([found.force[:, row], found.moment[:, row]], 1)
        assert_close(ours, got, 1e-10)


def test_links_in_denavit_hartenberg_form_accelerate_as_the_system():
    rows = [(0.3, 0.5, 0.1, 0.2), {"kind": "prismatic", "a": 0.2, "alpha": -1.0, "theta": 0.4}]
    make = Make(0, 0)
    joints = chain([*rows, (0.2, 0.3, 0.0, -0.3)], [make.body() for _ in range(3)])
    end = Point(frame="joint3.tip", point=(0.02, 0.03, 0.01))
    path = [Point(point=(0.1, 0.5, 0.3)), Point(frame="joint1.tip", point=(0.1, 0, 0)), end]
    cable = Tendon(
        name="cable", path=path, law=KelvinVoigt(stiffness=300.0, pretension=9.0, one_sided=False)
    )
    robot = Robot(name="dh", gravity=GRAVITY, joints=joints, tendons=(cable,))
    system = chorda.assemble(robot)
    assert_same_accelerations(system, 0)
    assert newton_euler(robot, *np.zeros((3, 3))).joints == ("joint1", "joint2", "joint3")


def test_the_cable_pulls_nothing_as_a_whole():
    robot = random_chain(2, 5)
    count = sum(j.kind != "fixed" for j in robot.joints)
    q, v, a = np.random.default_rng(0).uniform(-0.4, 0.4, (3, count))
    pull = newton_euler(robot, q, v, a, 7.0).pull
    assert np.allclose(pull.sum(0), 0, atol=1e-12)


def test_hanging_chain_of_two_links_by_hand():
    g, upper, lower = 9.81, 2.0, 3.0
    joints = (
        Revolute(name="a", body=Body(mass=upper, center=(0, -0.2, 0))),
        Revolute(
            name="b",
            parent="a",
            placement=Placement(position=(0, -0.4, 0)),
            body=Body(mass=lower, center=(0, -0.3, 0)),
        ),
    )
    robot = Robot(name="hanging", joints=joints)
    still = newton_euler(robot, [0, 0], [0, 0], [0, 0])
    assert np.allclose(still.force, [[0, (upper + lower) * g, 0], [0, lower * g, 0]])
    assert np.allclose(still.moment, 0)
    out = newton_euler(robot, [np.pi / 2, -np.pi / 2], [0, 0], [0, 0])  # upper link along +x
    world = out.in_world()
    assert np.allclose(world[0], [[0, (upper + lower) * g, 0], [0, lower * g, 0]])
    assert np.allclose(world[1], [[0, 0, upper * g * 0.2 + lower * g * 0.4], [0, 0, 0]])
    spin = newton_euler(robot, [0, 0], [2.0, 0], [0, 0])  # centripetal, straight chain
    assert np.isclose(spin.force[1, 1], lower * (g + 4 * 0.7))
    assert np.isclose(spin.force[0, 1], lower * (g + 4 * 0.7) + upper * (g + 4 * 0.2))


def half_turn(turns):
    """A cable half around a pulley on the slide's end; it turns on a pivot, or is fixed."""
    slide = Prismatic(name="slide", axis=(0, 1, 0), body=Body(mass=1.0))
    body = Body(mass=0.1, inertia=(1e-4,) * 3 + (0,) * 3)
    pivot = Revolute(name="pivot", parent="slide", body=body)
    frame, ends = (
        "pivot" if turns else "slide",
        (Point(point=(0.1, 1, 0)), Point(point=(-0.1, 1, 0))),
    )
    rim = Pulley(frame=frame, radius=0.1, side="right", leave=False)
    law = KelvinVoigt(stiffness=100.0, one_sided=False)
    if turns:
        other = rim.model_copy(update={"side": "right"})
        tendons = (
            Tendon(name="left", path=(ends[1], rim.model_copy(update={"side": "left"})), law=law),
            Tendon(name="right", path=(ends[0], other), law=law),
        )
    else:
        tendons = (Tendon(name="cable", path=(ends[0], rim, ends[1]), law=law),)
    return Robot(name="half-turn", gravity=(0, 0, 0), joints=(slide, pivot), tendons=tendons)


@pytest.mark.parametrize("turns", [False, True])
def test_half_turn_around_an_idle_pulley_loads_its_pivot_with_twice_the_tension(turns):
    found = newton_euler(half_turn(turns), [0, 0], [0, 0], [0, 0], 5.0)
    pull = found.pull.reshape(-1, 3)
    on_pulley = pull[1] + pull[3] if turns else pull[1]
    assert np.allclose(on_pulley, [0, 10, 0])
    assert np.allclose(found.force[found.joints.index("slide")], [0, -10, 0])
    if turns:  # equal tensions on both sides of a turning pulley: its pivot carries them alone
        assert np.allclose(found.force[found.joints.index("pivot")], [0, -10, 0])
    assert np.allclose(found.effort, [-10, 0])


def test_reactions_of_a_run_have_names_units_and_nothing_left_over():
    system = chorda.assemble(random_chain(0, 3))
    run = chorda.simulate(system, duration=0.02, step=1e-3)
    data = reactions(run)
    assert data.force.dims == ("time", "joint", "axis")
    assert data.force.units == "N"
    assert data.moment.units == "N m"
    assert data.sizes["segment"] == sum(len(t.path) - 1 for t in system.robot.tendons)
    assert np.array_equal(data.tension.sel(segment="t0.0-1"), run.data.tension.sel(tendon="t0"))
    assert np.abs(data.effort).max() < 1e-9 * max(np.abs(data.force).max(), 1)
    assert chorda.reactions is reactions


def test_reactions_with_rigid_tendons_leave_nothing_over():
    robot = pulley_robots.random_robot(3, joints=2)
    motor = Motor(name="m", inertia=2e-3, drum_radius=0.03)
    cable = robot.tendons[0].model_copy(update={"actuator": "m"})
    robot = robot.model_copy(update={"actuators": (motor,), "tendons": (cable,)})
    run = chorda.simulate(chorda.assemble(robot, tendons="rigid"), duration=0.02, step=1e-3)
    data = reactions(run)
    assert np.abs(data.effort).max() < 1e-9 * np.abs(data.force).max()


def test_what_the_recursion_cannot_do_is_refused_by_name():
    with pytest.raises(InputError, match=r"'hull' \(free\), 'x' \(x\)"):
        newton_euler(everything(), [0], [0], [0])
    with pytest.raises(InputError, match="'loop'"):
        newton_euler(x_joint_of_bars(), [0] * 3, [0] * 3, [0] * 3)
    robot = pulley_robots.random_robot(3, joints=2)
    with pytest.raises(InputError, match="'cable' is rigid"):
        accelerations(chorda.assemble(robot, tendons="rigid"), [0, 0], [0, 0], [])
    with pytest.raises(InputError, match="q: expected 2 numbers"):
        newton_euler(robot, [0], [0, 0], [0, 0])
    with pytest.raises(InputError, match="tensions: expected 1 numbers"):
        newton_euler(robot, [0, 0], [0, 0], [0, 0], [1, 2])
