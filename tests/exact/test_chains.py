"""Chains in Denavit-Hartenberg form, and tendons between pulleys that turn, in closed form."""

from itertools import product

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Load,
    Motor,
    Placement,
    Point,
    Pulley,
    Revolute,
    Rigid,
    Robot,
    Tendon,
    XJoint,
    belt,
    chain,
    line,
)
from chorda.errors import InputError
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import plant
from tests.helpers.evaluate import lengths, outputs

EXACT = 1e-12
LAW = KelvinVoigt(stiffness=1e4, damping=10.0, pretension=20.0)
BODY = Body(mass=0.5, center=(0.1, 0, 0), inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))
SIDES = list(product(("left", "right"), repeat=2))


def disc(inertia):
    return Body(mass=0.1, inertia=(inertia / 2, inertia / 2, inertia, 0, 0, 0))


def link_matrix(a, alpha, d, theta):
    """Eq. 1 of Recursive."""
    c, s, ca_, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [c, -ca_ * s, sa * s, a * c],
            [s, ca_ * c, -sa * c, a * s],
            [0, sa, ca_, d],
            [0, 0, 0, 1],
        ]
    )


def random_table(rng, joints):
    """Rows of a spatial chain of both kinds, some entries zero or right angles."""
    rows = []
    for _ in range(joints):
        a, d = rng.uniform(-0.5, 0.5, 2) * (rng.random(2) > 0.3)
        alpha, theta = rng.choice(
            [0.0, np.pi / 2, -np.pi / 2, np.pi, *rng.uniform(-3, 3, 4)], size=2
        )
        kind = str(rng.choice(["revolute", "prismatic"]))
        rows.append({"kind": kind, "a": a, "alpha": alpha, "d": d, "theta": theta})
    return rows


def length_changes(system, q):
    return lengths(system, q) - lengths(system, system.rest)


@pytest.mark.parametrize("seed", range(20))
def test_tips_are_where_the_product_of_link_matrices_puts_them(seed):
    rng = np.random.default_rng(seed)
    rows = random_table(rng, int(rng.integers(1, 7)))
    robot = Robot(name="x", joints=chain(rows))
    par = Parameters()
    tree = plant(robot, par)
    q = rng.uniform(-2, 2, len(rows))
    symbols = [ca.vertcat(*[j.q for j in tree.joints]), ca.vertcat(ca.SX(0, 1), *par.symbols)]
    T = np.eye(4)
    for i, (row, value) in enumerate(zip(rows, q, strict=True)):
        turns = row["kind"] == "revolute"
        T = T @ link_matrix(
            row["a"],
            row["alpha"],
            row["d"] + (0 if turns else value),
            row["theta"] + (value if turns else 0),
        )
        pose = tree.pose(tree.index[f"joint{i + 1}.tip"])
        look = ca.Function("look", symbols, [ca.densify(pose.R), ca.densify(pose.p)])
        R, p = look(q, par.values)
        assert np.abs(R.full() - T[:3, :3]).max() < EXACT
        assert np.abs(p.full().ravel() - T[:3, 3]).max() < EXACT


def test_lengths_of_links_are_parameters_and_zeros_are_structure():
    system = chorda.assemble(
        Robot(name="x", joints=chain([(0.3, np.pi / 2, 0, 0), (0, 0, -0.2, 0)], [BODY, BODY]))
    )
    names = [n for n in system.parameter_names if ".link." in n]
    assert names == ["joint1.link.a", "joint2.link.d"]
    assert system.parameters({"joint2.link.d": -0.1})[system.parameter_names.index(names[1])] < 0


def test_planar_chains_stay_planar():
    rows = [(0.3, 0, 0, 0.4), (0.2, 0, 0, 0)]
    tree = plant(Robot(name="x", joints=chain(rows)), Parameters())
    assert tree.pose(tree.index["joint2.tip"]).R.nnz() == 5
    assert tree.pose(tree.index["joint2.tip"]).p.nnz() == 2


def spatial(sides, seed, law=LAW, carrier="joint2"):
    """A random twisted chain; an idler on the second link pulls the third joint."""
    rng = np.random.default_rng(seed)
    rows = [(a, t, d, 0.3) for a, t, d in rng.uniform(-1, 1, (3, 3))]
    x, y = 0.2 * np.array([np.cos(seed), np.sin(seed)])
    idler = Revolute(
        name="idler",
        parent="joint2.tip",
        placement=Placement(position=(x, y, 0), angle=0.7),
        body=disc(1e-4),
    )
    r = rng.uniform(0.01, 0.05, 2)
    pulleys = [
        Pulley(frame=f, radius=x, side=s)
        for f, x, s in zip(("idler", "joint3"), r, sides, strict=True)
    ]
    (tendon,) = line("t", pulleys, law, carriers=[carrier])
    joints = (*chain(rows, [BODY] * 3), idler)
    return chorda.assemble(Robot(name="x", joints=joints, tendons=(tendon,))), r


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sides", SIDES)
def test_a_segment_changes_by_radius_times_turn_at_both_ends(sides, seed):
    system, (r_i, r_j) = spatial(sides, seed)
    first = 1 if sides[0] == "right" else -1  # turning to the left pulls
    last = 1 if sides[1] == "left" else -1
    for q in np.random.default_rng(seed).uniform(-30, 30, (5, 4)):  # many turns
        wanted = first * r_i * q[3] + last * r_j * q[2]
        assert length_changes(system, q)[0] == pytest.approx(wanted, abs=EXACT)


@pytest.mark.parametrize("sides", SIDES)
def test_the_geometry_without_a_carrier_gives_the_same_within_half_a_turn(sides):
    system, _ = spatial(sides, 3)
    tendon = system.robot.tendons[0].model_copy(update={"carrier": None})
    plain = chorda.assemble(system.robot.model_copy(update={"tendons": (tendon,)}))
    for q in np.random.default_rng(0).uniform(-3, 3, (5, 4)):
        for name in ("length", "wrap_angle"):
            assert outputs(plain, q)[name] == pytest.approx(outputs(system, q)[name], abs=EXACT)


@pytest.mark.parametrize("sides", SIDES)
def test_coaxial_turns_subtract(sides):
    """theta_31 = theta_30 - theta_10 [Recursive, eq. 9], on a base that stands askew."""
    askew = Placement(position=(0.1, 0.2, -0.3), axis=(0.6, 0, 0.8), angle=1.1)
    joints = (
        *chain([(0.3, 0, 0, 0.2), (0.2, 0.4, 0.1, 0)], [BODY] * 2, placement=askew),
        Revolute(name="link3", placement=askew, body=disc(1e-4)),
    )
    r = {"link3": 0.03, "joint2": 0.02}
    pulleys = [
        Pulley(frame=f, radius=x, side=s) for (f, x), s in zip(r.items(), sides, strict=True)
    ]
    tendons = line("t", pulleys, LAW, carriers=["joint1"])
    system = chorda.assemble(Robot(name="x", joints=joints, tendons=tendons))
    first = 1 if sides[0] == "right" else -1
    last = 1 if sides[1] == "left" else -1
    for q1, q2, q3 in np.random.default_rng(1).uniform(-9, 9, (5, 3)):
        wanted = first * r["link3"] * (q3 - q1) + last * r["joint2"] * q2
        assert length_changes(system, np.array([q1, q2, q3]))[0] == pytest.approx(wanted, abs=EXACT)


def test_a_tendon_that_skips_its_carrier_is_refused():
    with pytest.raises(
        InputError,
        match=r"x: tendon 't-1' skips its carrier 'joint1' on its way from element 0 \(pulley of "
        r"radius .* at idler origin\) to element 1 \(pulley .* at joint3 origin\): element 0 is "
        r"not fixed in it, its centre moves there by .* m while the robot moves; put its centre "
        "on the axis of the joint that carries it, lead the tendon over an intermediate pulley",
    ):
        spatial(("left", "left"), 0, carrier="joint1")


def on_an_arm(second, carrier="world"):
    arm, wheel = Revolute(name="arm", body=BODY), Revolute(name="wheel", body=disc(1e-4))
    first = Pulley(point=(-0.3, 0, 0), radius=0.02, side="left")
    tendon = Tendon(name="t", path=(first, second), law=LAW, carrier=carrier)
    return chorda.assemble(Robot(name="x", joints=(arm, wheel), tendons=(tendon,)))


def test_a_pulley_beside_its_joints_axis_is_refused():
    with pytest.raises(InputError, match=r"skips its carrier 'world'.*element 1 .*centre moves"):
        on_an_arm(Pulley(frame="wheel", point=(0.01, 0, 0), radius=0.02, side="left"))


def test_a_pulley_that_tilts_on_its_joint_is_refused():
    with pytest.raises(
        InputError, match=r"skips its carrier 'world'.*its axis tilts there by .* deg"
    ):
        on_an_arm(Pulley(frame="wheel", radius=0.02, side="left", normal=(0, 1, 0)))


def test_points_are_carried_too():
    with pytest.raises(InputError, match=r"skips its carrier 'world'.*point at arm"):
        on_an_arm(Point(frame="arm", point=(0.2, 0, 0)))
    assert on_an_arm(Point(point=(0.2, 0.1, 0))).nq == 2


def test_a_drum_on_an_x_joint_counts_its_turn():
    neck = XJoint(name="n", diagonal_length=0.1, bar_length=0.05, diagonal_mass=0.1, bar_mass=0.1)
    wheel = Revolute(
        name="w", parent="n.top", placement=Placement(position=(0, 0.2, 0)), body=disc(1e-4)
    )
    pulleys = [Pulley(frame=f, radius=0.01, side="left") for f in ("n.top", "w")]
    system = chorda.assemble(
        Robot(name="x", joints=(neck, wheel), tendons=line("t", pulleys, LAW, carriers=["n.top"]))
    )
    change = length_changes(system, np.array([0.3, 8.0]))[0]
    assert change == pytest.approx(0.08, abs=EXACT)


def two_wheels(stiffness, crossed=False, law=None):
    wheels = [
        Revolute(name="a", body=disc(2e-3)),
        Revolute(name="b", placement=Placement(position=(0.3, 0, 0)), body=disc(1e-3)),
    ]
    law = law or KelvinVoigt(
        stiffness=stiffness, damping=2e-2 * stiffness, pretension=200.0, one_sided=True
    )
    tendons = belt(
        "belt",
        Pulley(frame="a", radius=0.02, side="left"),
        Pulley(frame="b", radius=0.05, side="right" if crossed else "left"),
        law,
        carrier="world",
    )
    turn = Load(name="turn", at=Point(frame="a"), moment=(0, 0, 0.1))
    return Robot(name="x", joints=wheels, tendons=tendons, loads=(turn,))


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_a_belt_follows_with_the_ratio_of_radii_and_the_stretch_that_it_needs(stiffness, crossed):
    robot = two_wheels(stiffness, crossed)
    run = chorda.simulate(chorda.assemble(robot), duration=1.0, step=1e-3, strict=True)
    r_a, r_b, J_a, J_b = 0.02, 0.05, 2e-3, 1e-3
    a, b = run.position[-1] * (1, -1 if crossed else 1)
    rate = 0.1 / (J_a + J_b * (r_a / r_b) ** 2)
    stretch = J_b * rate * r_a / r_b / r_b / (2 * stiffness)  # both sides carry the torque
    assert a > 2 * np.pi
    assert r_a * a - r_b * b == pytest.approx(stretch, rel=1e-3)
    assert a == pytest.approx(rate / 2, rel=5e-3)
    tension = run.outputs["tension"][-1]
    assert tension.sum() == pytest.approx(400.0)
    assert abs(tension[0] - tension[1]) == pytest.approx(J_b * rate * r_a / r_b / r_b, rel=1e-3)


def actuated(law):
    wheel = Revolute(name="b", body=disc(1e-3), stiffness=5.0)
    return Robot(
        name="x",
        joints=(wheel,),
        actuators=(Motor(name="m", inertia=1e-4, drum_radius=0.02, friction=1e-2),),
        tendons=belt(
            "belt",
            Pulley(point=(-0.3, 0, 0), radius=0.02, side="left"),
            Pulley(frame="b", radius=0.05, side="left"),
            law,
            carrier="world",
            actuator="m",
        ),
    )


def test_a_motor_turns_a_belt_both_ways():
    system = chorda.assemble(actuated(KelvinVoigt(stiffness=1e6, pretension=200.0)))
    for angle in (3.0, -3.0):
        found = chorda.equilibrium(system, angles=angle, strict=True)
        wanted = angle * 0.02 * 0.05 / (0.05**2 + 5.0 / 2e6)
        assert found.q[0] == pytest.approx(wanted, rel=1e-9)
        assert wanted == pytest.approx(0.4 * angle, rel=2e-3)
        assert found.u[0] == pytest.approx(5.0 * found.q[0] * 0.4, rel=1e-6)


@pytest.mark.parametrize("robot", [actuated(LAW), two_wheels(1e4)])
def test_an_endless_tendon_that_does_not_stretch_is_refused(robot):
    words = "x: tendons 'belt-[12]' and 'belt-[12]' make an endless tendon .*give it a stiffness"
    with pytest.raises(InputError, match=words):
        chorda.assemble(robot, tendons="rigid")
    rigid = [t.model_copy(update={"law": Rigid()}) for t in robot.tendons]
    with pytest.raises(InputError, match=words):
        chorda.assemble(robot.model_copy(update={"tendons": tuple(rigid)}))


def test_one_rigid_segment_between_turning_pulleys_is_a_closure():
    robot = two_wheels(1e4)
    one = robot.tendons[0].model_copy(update={"law": Rigid(one_sided=False)})
    system = chorda.assemble(robot.model_copy(update={"tendons": (one,)}))
    run = chorda.simulate(system, duration=0.2, step=1e-3, strict=True)
    assert run.position[-1, 1] == pytest.approx(0.4 * run.position[-1, 0], rel=1e-6)


@pytest.mark.parametrize("body", [None, Body(mass=0.1)])
def test_an_intermediate_pulley_needs_inertia(body):
    robot = two_wheels(1e4)
    idle = robot.joints[1].model_copy(update={"body": body})
    with pytest.raises(InputError, match=r"no mass moves with b.rate; give the joint, .*a body"):
        chorda.assemble(robot.model_copy(update={"joints": (robot.joints[0], idle)}))


def test_example_1_stretches_as_its_table_of_tendon_forces_says():
    """Table 2 of Recursive, theta_31 = theta_30 - theta_10 and theta_41 likewise."""
    system = chorda.assemble(chorda.load("recursive-1"))
    r1, r2, r3, r4, r5 = 0.04, 0.03, 0.03, 0.03, 0.02
    for q in np.random.default_rng(0).uniform(-5, 5, (5, 7)):
        th10, th21, th30, th40, th50, th60, th70 = q
        wanted = {
            "tendon5-1": -r1 * th10 + r5 * th50,
            "tendon6-1": r3 * th30 + r5 * th60,
            "tendon6-2": -(r2 * th21 + r3 * (th30 - th10)),
            "tendon7-1": r4 * th40 + r5 * th70,
            "tendon7-2": r2 * th21 - r4 * (th40 - th10),
        }
        assert [t.name for t in system.robot.tendons] == list(wanted)
        assert outputs(system, q)["elongation"] == pytest.approx([*wanted.values()], abs=EXACT)


def test_example_2_moves_as_its_equation_of_motion_says():
    """Eq. 31 of Recursive with actuators at given angles and rates."""
    system = chorda.assemble(chorda.load("recursive-2"))
    I3, r3, r, K, C, t0 = 2.0 * 0.4**2 / 3, 0.05, 0.02, 2000.0, 10.0, 0.5
    rng = np.random.default_rng(0)
    for th3, w3, th1, th2, w1, w2 in rng.uniform(-0.02, 0.02, (20, 6)) * (1, 10, 1, 1, 20, 20):
        pull = [
            max(0, t0 + K * (r3 * th3 - r * th1) + C * (r3 * w3 - r * w1)),
            max(0, t0 - K * (r3 * th3 - r * th2) - C * (r3 * w3 - r * w2)),
        ]
        q, v, u = np.array([th3]), np.array([w3]), r * np.array([th1, th2, w1, w2])
        a = np.array([r3 * (pull[1] - pull[0]) / I3])
        residual = system.residual(q, v, a, u, system.parameter_values).full()
        assert np.abs(residual).max() < EXACT


def test_the_moment_arms_of_the_finger_are_its_radii():
    system = chorda.assemble(chorda.load("finger-3"))
    signs = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, 0], [-1, -1, 0]]).T
    Z = ca.Function("Z", [system.q, system.p], [ca.densify(system.tendons.Z)])
    for q in np.random.default_rng(0).uniform(-0.3, 0.3, (5, 7)):
        arms = Z(q, system.parameter_values).full()[:3]
        assert arms == pytest.approx(0.006 * signs, abs=EXACT)


@pytest.mark.parametrize(
    "name", ["recursive-1", "recursive-2", "finger-3", "finger-2n", "belt-arm"]
)
def test_every_chain_of_the_catalogue_settles_and_stays(name):
    system = chorda.assemble(chorda.load(name))
    motors = any(c.kind == "motor" for c in system.coordinates)
    given = {"angles": 0.0} if motors else {"inputs": 0.0}
    found = chorda.equilibrium(system, **given, strict=True)
    assert found.stable
    assert np.abs(found.q).max() < 1e-9  # the pretensions are in balance
    run = chorda.simulate(
        system, duration=1.0, step=1e-3, initial=found, inputs=found.u, strict=True
    )
    assert np.abs(run.position - found.q).max() < 1e-9
    pushed = {system.coordinate_names[0]: 0.1}
    free = chorda.simulate(system, duration=1.0, step=1e-3, initial=pushed, strict=True)
    assert np.abs(free.position[:, 0]).max() < 0.5
    assert free.outputs["tension"].min() >= 0
