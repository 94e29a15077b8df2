"""What tendons can hold: closed forms, linear programmes over random wirings, pulleys in series."""

import numpy as np
import pytest
from scipy.optimize import linprog

import chorda
from chorda.bench import chain
from chorda.describe import (
    Body,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
)
from chorda.errors import InputError
from chorda.tendons.feasibility import Wiring, least_tensions, obstacle
from chorda.tendons.tendon_lines import free_pulleys

R, L = 0.01, 0.1
ROD = Body(mass=0.2, center=(0, -L / 2, 0), inertia=(0, 0, 2e-4, 0, 0, 0))
WHEEL = Body(mass=0.01, inertia=(0, 0, 1e-6, 0, 0, 0))
LAW = KelvinVoigt(stiffness=1e4, one_sided=True)


def finger(*wiring):
    """Hanging links; a tendon for each row of signs (0: it ends before), arms of R."""
    joints = tuple(
        Revolute(
            name=f"j{i + 1}",
            parent=f"j{i}" if i else "world",
            placement=Placement(position=(0, -L, 0)) if i else Placement(),
            body=ROD,
        )
        for i in range(len(wiring[0]))
    )
    return Robot(
        name="finger",
        joints=joints,
        actuators=tuple(TensionActuator(name=f"d{k + 1}") for k in range(len(wiring))),
        tendons=tuple(
            Tendon(name=f"t{k + 1}", path=_path(row), law=LAW, actuator=f"d{k + 1}")
            for k, row in enumerate(wiring)
        ),
    )


def _path(row):
    signs = [s for s in row if s]
    on = (
        Pulley(frame=f"j{i + 1}", radius=R, side=_side(s), leave=False, wound=_turn(signs, i))
        for i, s in enumerate(signs)
    )
    return (Point(point=(signs[0] * R, L, 0)), *on)


def _side(sign):
    return "left" if sign < 0 else "right"


def _turn(signs, i):
    """On a pulley between its neighbours the wrap angle is about zero; on the last a quarter."""
    return np.pi / 2 if i == len(signs) - 1 else 0.0


def found(*wiring, **options):
    return chorda.transmission(chorda.assemble(finger(*wiring)), **options)


def test_antagonistic_pair_holds_any_torque_with_the_difference_of_its_tensions():
    pair = found([1], [-1])
    assert pytest.approx(np.array([[R], [-R]]), abs=1e-12) == pair.B
    assert pair.arrangement.startswith("antagonistic pair")
    assert pair.wrench_closure
    for torque in (0.3, -0.2):
        held = pair.distribute({"j1": torque}, low=2.0)
        expected = (2 + max(torque, 0) / R, 2 + max(-torque, 0) / R)
        assert list(held.tension.values()) == pytest.approx(expected)


def test_finger_with_one_tendon_more_than_joints_holds_any_torque():
    three = found([1, 1], [1, -1], [-1, 0])
    assert three.rank == 2
    assert three.arrangement == "N+1"
    assert pytest.approx(R * np.array([[1, 1], [1, -1], [-1, 0]]), abs=1e-12) == three.B
    null = three.null_space[:, 0] / three.null_space[0, 0]
    assert null == pytest.approx([1, 1, 2])
    assert three.balanced == pytest.approx({"t1": 1, "t2": 1, "t3": 2})
    assert three.wrench_closure
    assert three.summary.startswith("Every torque can be held")
    held = three.distribute({"j1": 0.05, "j2": -0.1}, low=1.0)
    t = np.array(list(held.tension.values()))
    assert three.B.T @ t == pytest.approx([0.05, -0.1])
    # smallest sum: on the line t0 + s (1, 1, 2) one tendon is at the bound
    assert np.min(t) == pytest.approx(1.0)


def test_four_tendons_for_two_joints_are_a_2n_arrangement():
    four = found([1, 0], [-1, 0], [1, 1], [-1, -1])
    assert four.arrangement == "2N"
    assert four.null_space.shape == (4, 2)
    assert four.wrench_closure


def test_a_joint_that_no_tendon_pulls_back_is_named():
    one_way = found([1, -1], [-1, -1], [-1, 0])
    assert one_way.rank == 2
    assert not one_way.wrench_closure
    assert "joint j2 cannot be held: no tendon pulls it in the positive direction" in (
        one_way.summary
    )
    refused = one_way.distribute({"j2": 0.1})
    assert refused.status.code == "infeasible"
    assert "no tendon pulls it in the positive direction" in refused.status.message
    assert np.all(np.isnan(list(refused.tension.values())))


def test_a_joint_without_a_tendon_is_named():
    lame = found([1, 0], [-1, 0])
    assert lame.rank == 1
    assert "joint j2 cannot be held: no tendon acts on it" in lame.summary


def test_a_torque_beyond_the_bounds_is_told_with_both_numbers():
    refused = found([1], [-1]).distribute({"j1": 1.0}, low=5.0, high=50.0)
    assert refused.status.message == (
        "Joint j1 cannot be held: 1 N m are needed, and the tendons give at most 0.45 N m in the "
        "positive direction."
    )


def test_joints_that_only_fail_together_are_named_together():
    """Each joint is pulled both ways, their sum only one way."""
    both = found([1, 0], [-1, -1], [-1, 1], [1, -1])
    wired = Wiring(("a", "b"), np.array([[1.0, -2, 1], [-2.0, 1, 1]])[:, :2], *nothing(2))
    reason = obstacle(wired, np.array([1.0, 1.0]), np.zeros(2), np.full(2, np.inf))
    assert reason is not None
    assert reason.sentence({"a": "N m", "b": "N m"}).startswith(
        "joints a and b cannot be held together: no tendon pulls along"
    )
    assert both.wrench_closure


def nothing(n):
    """No free pulleys and no closures."""
    return np.zeros((0, n)), np.zeros((2, 0))


@pytest.mark.parametrize("seed", range(40))
def test_random_wirings_agree_with_a_programme_of_their_own(seed):
    """Feasible exactly where scipy's own formulation is; else the motion proves that it is not."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    m = int(rng.integers(1, 2 * n + 2))
    A = 0.01 * rng.integers(-2, 3, (n, m)).astype(float)
    tau = 0.01 * rng.normal(size=n) * 10
    low = np.full(m, rng.choice([0.0, 1.0]))
    high = np.full(m, rng.choice([np.inf, 20.0]))
    names = tuple(f"j{i}" for i in range(n))
    wired = Wiring(names, A, np.zeros((0, m)), np.zeros((n, 0)))
    t = least_tensions(wired, tau, low, high)
    reason = obstacle(wired, tau, low, high)
    limits = list(zip(low, [None if np.isinf(x) else x for x in high], strict=True))
    peer = linprog(np.ones(m), A_eq=100 * A, b_eq=100 * tau, bounds=limits)
    assert (t is not None) == (peer.status == 0) == (reason is None)
    if t is not None:
        assert A @ t == pytest.approx(tau, abs=1e-9)
        assert np.sum(t) == pytest.approx(peer.fun)
        assert np.all(t >= low - 1e-9)
        assert np.all(t <= high + 1e-9)
    else:
        y = np.array([reason.direction.get(name, 0.0) for name in names])
        share = np.round(A.T @ y, 12)
        assert not np.any(np.isinf(high[share > 0]))
        most = np.sum(np.where(share > 0, np.where(np.isinf(high), 0, high), low) * share)
        assert y @ tau > most
        assert reason.possible == pytest.approx(most, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_any_torque_can_be_held_exactly_where_every_direction_can(seed):
    rng = np.random.default_rng(100 + seed)
    rows = [[1, 0]] + [list(rng.choice([-1, 1], 2)) for _ in range(int(rng.integers(1, 4)))]
    made = found(*rows)
    directions = [np.array([np.cos(a), np.sin(a)]) for a in np.linspace(0, 2 * np.pi, 33)]
    assert made.wrench_closure == all(made.distribute(0.1 * d).status.ok for d in directions)


def in_series(radius=0.02):
    """The antagonistic pair of one joint, once straight, once over a free pulley of `radius`."""
    arm = Revolute(name="arm", placement=Placement(position=(0, -L, 0)), body=ROD)

    def wheel(name, at):
        return Revolute(name=name, placement=Placement(position=(at, 0, 0)), body=WHEEL)

    def drum(frame, r, side):
        return Pulley(frame=frame, radius=r, side=side)

    start = Point(point=(radius, L, 0)), Point(point=(-radius, L, 0))
    return Robot(
        name="series",
        joints=(wheel("w1", 0.0), wheel("w2", 0.0), arm),
        actuators=(TensionActuator(name="d1"), TensionActuator(name="d2")),
        tendons=(
            Tendon(name="a1", path=(start[0], drum("w1", radius, "right")), law=LAW, actuator="d1"),
            Tendon(name="a2", path=(drum("w1", R, "right"), drum("arm", R, "right")), law=LAW),
            Tendon(name="b1", path=(start[1], drum("w2", radius, "left")), law=LAW, actuator="d2"),
            Tendon(name="b2", path=(drum("w2", R, "left"), drum("arm", R, "left")), law=LAW),
        ),
    )


def test_segments_over_free_pulleys_are_one_tendon_with_a_gear():
    robot = in_series(radius=0.02)
    assert free_pulleys(robot) == ("w1", "w2")
    series = chorda.transmission(chorda.assemble(robot))
    assert series.joints == ("arm",)
    assert series.pulleys == ("w1", "w2")
    assert series.lines == ("a1", "b1")
    gear = 0.02 / R  # tension of the second segment for each newton in the first
    assert np.abs(series.ties[[1, 3], [0, 1]]) == pytest.approx([gear, gear])
    assert np.abs(series.B) == pytest.approx(np.full((2, 1), 0.02))
    assert series.arrangement.startswith("antagonistic pair")
    assert series.wrench_closure
    equal = chorda.transmission(chorda.assemble(in_series(radius=R)))
    straight = found([1], [-1])
    assert np.sort(equal.B, axis=0) == pytest.approx(np.sort(straight.B, axis=0), abs=1e-12)
    held = equal.distribute({"arm": 0.1}, low=1.0).tension
    same = straight.distribute({"j1": 0.1}, low=1.0).tension
    assert sorted(held.values()) == pytest.approx(sorted([*same.values()] * 2))


def test_pulleys_that_are_kept_as_joints_are_joints():
    kept = chorda.transmission(chorda.assemble(in_series()), free=())
    assert kept.joints == ("w1", "w2", "arm")
    assert kept.lines == ("a1", "a2", "b1", "b2")
    assert kept.passive == ("a2", "b2")  # the pulleys are held, and nothing is handed on
    assert kept.arrangement == "fewer than N"


def test_a_hanging_finger_is_held_by_nothing_and_a_raised_one_by_its_weight():
    made = chorda.assemble(finger([1], [-1]))
    assert list(chorda.transmission(made).distribute().tension.values()) == pytest.approx([0, 0])
    angle = 0.7
    held = chorda.transmission(made, {"j1": angle}).distribute()
    weight = 0.2 * 9.81 * L / 2 * np.sin(angle)
    assert held.torque["j1"] == pytest.approx(weight)
    assert sorted(held.tension.values()) == pytest.approx([0, weight / R])


def test_configurations_beyond_the_tendons_strength_are_found_on_a_grid_and_along_a_run():
    made = chorda.assemble(finger([1], [-1]))
    angles = np.linspace(-1.5, 1.5, 13)
    high = 5.0
    beyond = np.abs(0.2 * 9.81 * L / 2 * np.sin(angles)) > high * R
    lost = chorda.infeasible(made, {"j1": angles}, high=high)
    assert [x.row for x in lost] == list(np.flatnonzero(beyond))
    assert "joint j1 cannot be held" in lost[0].reason.lower()
    run = chorda.simulate(made, duration=0.05, step=5e-3, initial={"j1": 1.4})
    assert [x.row for x in chorda.infeasible(made, run, high=high)] == list(range(len(run.time)))


def test_the_chain_of_the_benchmark_has_its_arms():
    seven = chorda.transmission(chorda.assemble(chain.robot()), {"j2": 0.4, "j5": -0.3})
    assert pytest.approx(chain.arms(), abs=1e-12) == seven.B
    assert seven.arrangement == "N+1"
    assert seven.wrench_closure


@pytest.mark.parametrize(
    ("name", "joints", "lines", "arrangement"),
    [("recursive-1", 2, 3, "N+1"), ("finger-2n", 2, 4, "2N"), ("belt-arm", 2, 5, "N, endless")],
)
def test_robots_of_the_catalogue_are_named_by_their_arrangement(name, joints, lines, arrangement):
    made = chorda.transmission(chorda.assemble(chorda.load(name)))
    assert (len(made.joints), len(made.lines)) == (joints, lines)
    assert made.arrangement == arrangement
    assert made.wrench_closure


def test_series_tensions_balance_every_free_pulley():
    system = chorda.assemble(chorda.load("recursive-1"))
    made = chorda.transmission(system, {"link1": 0.4, "link2": 0.4})
    t = np.array(list(made.distribute({"link1": 0.1, "link2": -0.2}, low=1.0).tension.values()))
    assert made.wiring.idle @ t == pytest.approx(np.zeros(2), abs=1e-9)
    assert made.wiring.A @ t == pytest.approx([0.1, -0.2], abs=1e-9)


def test_what_is_wrong_is_said():
    pair = found([1], [-1])
    with pytest.raises(InputError, match="'j9' is not there"):
        pair.distribute({"j9": 1.0})
    with pytest.raises(InputError, match="not above high"):
        pair.distribute({"j1": 1.0}, low=5.0, high=1.0)
    with pytest.raises(InputError, match="'w' is not there"):
        found([1], [-1], free=["w"])
    with pytest.raises(InputError, match="has no tendons"):
        chorda.transmission(
            chorda.assemble(Robot(name="arm", joints=(Revolute(name="j", body=ROD),)))
        )


def test_numbers_that_make_no_sense_are_refused_with_their_field():
    pair, system = found([1], [-1]), chorda.assemble(finger([1], [-1]))
    with pytest.raises(InputError, match=r"torque\.j1: expected one finite number, got nan"):
        pair.distribute({"j1": np.nan})
    with pytest.raises(InputError, match="torque: expected finite numbers"):
        pair.distribute([np.inf])
    for low in (-5.0, np.nan):
        with pytest.raises(InputError, match="low: expected tensions of 0 N or more, got"):
            pair.distribute({"j1": 0.1}, low=low)
    with pytest.raises(InputError, match=r"free: expected a list of joints, got 'j1'"):
        found([1], [-1], free="j1")
    with pytest.raises(InputError, match=r"^q: 'x' is not there"):
        chorda.transmission(system, {"x": 1.0})
    with pytest.raises(InputError, match="configurations: expected finite numbers"):
        chorda.infeasible(system, {"j1": np.nan})


def test_one_configuration_is_a_grid_too():
    system = chorda.assemble(finger([1], [-1]))
    assert chorda.infeasible(system, {"j1": 0.5}) == ()
    assert [x.row for x in chorda.infeasible(system, {"j1": 1.5}, high=1.0)] == [0]


def test_the_table_says_what_follows_the_tendon_named_first():
    table = chorda.transmission(chorda.assemble(in_series(radius=0.02))).table()
    assert "for one newton in the first tendon of a row, which the others follow" in table.title
    assert [row[0] for row in table.rows] == ["a1 + 2 a2", "b1 + 2 b2"]
    assert found([1], [-1]).table().title.endswith("for one newton in each tendon")
    belts = chorda.transmission(chorda.assemble(chorda.load("belt-arm"))).table()
    assert "A row of zeros is tension that makes no torque" in belts.note


def test_slides_and_joints_that_fail_together_have_units():
    slide = Robot(
        name="slide",
        joints=(Prismatic(name="s", axis=(0, 1, 0), body=Body(mass=2.0)),),
        actuators=(TensionActuator(name="d"),),
        tendons=(
            Tendon(
                name="t", path=(Point(point=(0, 1, 0)), Point(frame="s")), law=LAW, actuator="d"
            ),
        ),
    )
    assert chorda.transmission(chorda.assemble(slide)).table().header == ("tendon", "s [N/N]")
    wired = Wiring(("a", "b"), np.array([[1.0, -2], [-2.0, 1]]), *nothing(2))
    reason = obstacle(wired, np.array([-3.0, -3.0]), np.zeros(2), np.full(2, 2.0))
    assert "4.5 N m are needed, and the tendons give at most 3 N m" in reason.sentence(
        {"a": "N m", "b": "N m"}
    )
    assert "3 J per radian and metre" in reason.sentence({"a": "N m", "b": "N"})


def test_counts_of_lines_are_words():
    assert found([1, 0]).arrangement == "fewer than N"
    assert "1 line for N = 2 degrees of freedom (fewer than N)" in found([1, 0]).summary
