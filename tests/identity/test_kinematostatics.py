"""The linear model at rest against differences of equilibria, and its own identities."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.catalogue.parallel import rfrfr
from chorda.errors import InputError
from chorda.statics.kinematostatics import TWIST, WRENCH
from tests.helpers.evaluate import slope
from tests.helpers.robots import parallelogram

FRAMES = {"planar": "leg1.tip", "spatial": "platform"}
STEP = 2e-3  # [rad, N m, N] of central differences
CLOSE = 1e-6  # of the largest entry; measured: below 4e-8
WRENCHES = [f"push.{name.replace('_', '.')}" for name in WRENCH]


@pytest.fixture(scope="module", params=["planar", "spatial"])
def rest(request):
    return request.getfixturevalue(request.param), FRAMES[request.param]


@pytest.fixture(scope="module")
def near(rest):
    return chorda.kinematostatics(*rest)


def resolved(found, hold=None, efforts=None, load=None):
    """The equilibrium near one with other motor angles, or efforts, or a load."""
    held = {**dict(zip(found.prescription.held, found.target, strict=True)), **(hold or {})}
    given = {"efforts": efforts} if efforts else {"hold": held}
    return chorda.equilibrium(found.system, **given, initial=found.q, parameters=load, strict=True)


def twist(found, frame, R0):
    """Of a frame from R0: the vector of its turn, and its place."""
    place, R = found.frame(frame)
    return np.concatenate([Rotation.from_matrix(R @ R0.T).as_rotvec(), place])


def effort(found, motors):
    return np.array([found.efforts[name] for name in motors])


def agree(found, wanted):
    assert found == pytest.approx(wanted, abs=CLOSE * np.max(np.abs(wanted)))


def test_the_frame_and_the_efforts_follow_a_motor_as_equilibria_do(rest, near):
    found, frame = rest
    R0 = found.frame(frame)[1]
    for name in near.motors[:2]:
        angle = found.position[name]

        def moved(d, name=name, angle=angle):
            there = resolved(found, hold={name: angle + d})
            return np.concatenate([twist(there, frame, R0), effort(there, near.motors)])

        change = slope(moved, STEP)
        k = near.motors.index(name)
        agree(near.jacobian.values[:, k], change[:6])
        agree(near.motor_stiffness.values[:, k], change[6:])


def test_the_frame_and_the_efforts_follow_a_wrench_as_equilibria_do(rest, near):
    found, frame = rest
    R0 = found.frame(frame)[1]
    for k in (2, 3, 4):  # turning about z, and pulled along x and y

        def pushed(d, k=k):
            there = resolved(found, load={WRENCHES[k]: d})
            return np.concatenate([twist(there, frame, R0), effort(there, near.motors)])

        change = slope(pushed, STEP)
        agree(near.compliance.values[:, k], change[:6])
        agree(near.transmission.values[:, k], change[6:])


def test_at_constant_efforts_the_frame_yields_as_equilibria_do(rest, near):
    found, frame = rest
    R0 = found.frame(frame)[1]

    def pushed(d):
        there = resolved(found, efforts=dict(found.efforts), load={"push.force.x": d})
        return twist(there, frame, R0)

    agree(near.free_compliance.values[:, 3], slope(pushed, STEP))


def test_compliance_and_motor_stiffness_are_symmetric(near):
    for matrix in (near.compliance, near.free_compliance, near.motor_stiffness):
        values = matrix.values
        assert values == pytest.approx(values.T, abs=1e-9 * np.max(np.abs(values)))


def test_efforts_carry_a_wrench_as_the_frame_follows_motors(near):
    size = np.max(np.abs(near.jacobian.values))
    assert near.transmission.values == pytest.approx(-near.jacobian.values.T, abs=1e-9 * size)


def test_efforts_are_the_slope_of_the_energy_over_the_motors(rest, near):
    found, _ = rest
    still = np.zeros(found.system.nv)
    for name in near.motors[:2]:

        def energy(d, name=name):
            there = resolved(found, hold={name: found.position[name] + d})
            return float(found.system.energies(there.q, still, there.u, there.parameters)[1])

        assert slope(energy, STEP) == pytest.approx(found.efforts[name], rel=CLOSE)


def test_the_printed_equations_have_the_same_solution(rest, near):
    rows = [k for k, name in enumerate(TWIST) if name not in near.still]
    e = near.equations
    solved = -np.linalg.solve(e.forward, np.hstack([e.by_motors, e.by_wrench]))[: len(rows)]
    scale = rest[0].system.scales[[rest[0].system.coordinate_names.index(x) for x in near.motors]]
    wanted = np.hstack([near.jacobian.values * scale, near.compliance.values[:, rows]])[rows]
    assert solved == pytest.approx(wanted, abs=1e-9 * np.max(np.abs(wanted)))
    assert e.inverse.shape == e.forward.shape
    assert np.linalg.matrix_rank(e.inverse) == len(e.inverse)


def test_stiffness_is_the_inverse_over_what_moves(near):
    rows = [k for k, name in enumerate(TWIST) if name not in near.still]
    part = np.ix_(rows, rows)
    for C, K in ((near.compliance, near.stiffness), (near.free_compliance, near.free_stiffness)):
        assert K.values[part] @ C.values[part] == pytest.approx(np.eye(len(rows)), abs=1e-8)
        assert np.count_nonzero(K.values) <= len(rows) ** 2


def test_the_inverse_brings_the_frame_where_it_shall_be(near):
    rows = [TWIST.index(name) for name in near.counted]
    assert near.exact()
    assert near.jacobian.values[rows] @ near.inverse().values == pytest.approx(
        np.eye(len(rows)), abs=1e-9
    )


def test_an_inverse_with_too_few_motors_is_not_exact(planar):
    near = chorda.kinematostatics(planar, "leg1.tip")
    assert not near.exact(["turn_z", "x", "y"])
    assert near.inverse(["turn_z", "x", "y"]).shape == (2, 3)


def test_a_planar_robot_names_what_cannot_move(planar):
    near = chorda.kinematostatics(planar, "leg1.tip")
    assert near.still == ("turn_x", "turn_y", "z")
    assert near.counted == ("x", "y")
    assert near.jacobian.column_units == ("rad", "rad")
    assert near.motor_stiffness.row_units == ("N m", "N m")


def test_without_motors_both_compliances_are_one():
    rest = chorda.equilibrium(chorda.assemble(chorda.load("till")), strict=True)
    near = chorda.kinematostatics(rest, "rod.tip")
    size = np.max(np.abs(near.compliance.values))
    assert near.motors == ()
    assert near.free_compliance.values == pytest.approx(near.compliance.values, abs=1e-9 * size)


def distance(found, name, frame="leg1.tip"):
    near = chorda.kinematostatics(found, frame)
    return next(x for x in near.singularities if x.name.startswith(name)).distance


def test_type_2_is_reached_where_stability_is_lost(lowered):
    lost = [x for x in lowered.changes if x.kind == "locked"]
    assert len(lost) == 2
    assert distance(lowered.at(0), "type 2") > 0.1
    for crossing in lost:
        near = chorda.kinematostatics(crossing.at, "leg1.tip")
        assert distance(crossing.at, "type 2") < 1e-9
        assert distance(crossing.at, "type 1") > 1e-4
        assert near.loose
        assert np.isnan(near.jacobian.values).all()
        assert "SINGULAR" in str(near.table())


def test_type_1_is_reached_at_the_edge_of_the_workspace(centred):
    path = chorda.follow(centred, poses={"leg1.tip": {"x": 0.0, "y": 1.2}})
    assert path.status.code == "stopped"
    # both legs are straight at the edge: 1 m, from feet 0.2 m off the middle
    left = np.sqrt(1 - 0.2**2) - path.frame("leg1.tip")[0][:, 1]
    far = [distance(path.at(i), "type 1") for i in (0, -1)]
    assert left[-1] < 0.01 * left[0]
    assert far[-1] / far[0] < 2 * np.sqrt(left[-1] / left[0])  # as at a fold, with the root
    assert distance(path.at(-1), "type 2") > 0.1


def straight(off):
    """Both legs unbent, the motors that far from the edge of the workspace, outwards."""
    leg = np.arccos(0.2)  # 1 m long, 0.2 m off the middle
    held = {"motor1": leg + off, "motor2": np.pi - leg - off}
    return chorda.equilibrium(chorda.assemble(rfrfr()), hold=held, strict=True)


def test_type_1_distance_goes_to_zero_and_is_zero_at_the_edge():
    ends = {off: distance(straight(off), "type 1") for off in (1e-2, 1e-4, 0.0)}
    assert ends[1e-4] == pytest.approx(1e-2 * ends[1e-2], rel=1e-2)  # it is linear there
    assert ends[0.0] < 1e-14  # measured: 2e-18


def test_at_the_edge_a_frame_stands_still_to_first_order_only():
    near = chorda.kinematostatics(straight(0.0), "leg1.tip")
    assert near.still == ("turn_x", "turn_y", "z")
    assert near.counted == ("x", "y")
    assert "turn_x, turn_y, z of the frame cannot move" in near.table().note
    assert not near.exact()
    assert not near.inverse().values.any()
    # where x and y do not yield, what is left is the stiffness of a turn
    stiff = near.stiffness.values
    assert stiff[2, 2] == pytest.approx(1 / near.compliance.values[2, 2])
    assert np.max(np.abs(stiff)) == stiff[2, 2]


def test_what_a_loop_keeps_parallel_is_still():
    near = chorda.kinematostatics(
        chorda.equilibrium(chorda.assemble(parallelogram()), hold={"crank": 0.3}, strict=True),
        "coupler",
    )
    assert near.still == ("turn_x", "turn_y", "turn_z", "z")


def test_tables_tell_everything_in_words(near, rest):
    text = str(near)
    assert rest[1] in text
    assert all(name in text for name in near.motors)
    assert all(x.name in text for x in near.singularities)
    assert "Kinematostatics" in repr(near)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"frame": "tip"}, "frame"),
        ({"frame": None}, "frame: 'None' is not there; known: .*leg1.tip"),
        ({"motors": ["engine"]}, "'engine' is not there"),
        ({"motors": "motor1"}, r"write \['motor1'\]"),
        ({"rows": ["w"]}, "'w' is not there"),
        ({"rows": "x"}, r"write \['x'\]"),
    ],
)
def test_what_is_not_known_is_refused(planar, change, says):
    with pytest.raises(InputError, match=says):
        chorda.kinematostatics(planar, **{"frame": "leg1.tip", **change})
