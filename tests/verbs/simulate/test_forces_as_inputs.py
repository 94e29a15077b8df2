"""Forces on frames as inputs: files, arrays, controllers, starts at rest, exports, gym, tables."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.cli.robot_tables import robot_tables
from chorda.describe import JointEffort, dump, parse
from chorda.errors import InputError
from chorda.gym import Reach, RobotEnv
from chorda.view.run_quantities import overview
from tests.helpers.pushed_robots import at_bob, pendulum, pushed_arm

ROBOT = pushed_arm(JointEffort(name="t", joint="one"))
COMMON = {"duration": 0.05, "step": 1e-3, "scheme": "bdf2"}
FORCES = ("push.fx", "push.fz", "push.my", "thrust", "twist")


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(ROBOT)


def test_a_robot_with_them_is_written_and_read_again():
    assert parse(dump(ROBOT)) == ROBOT


def test_they_come_after_what_must_be_commanded(system):
    assert system.commanded == ("t",)
    assert system.given == ("t", *FORCES)
    assert [i.unit for i in system.inputs] == ["N m", "N", "N", "N m", "N", "N m"]


def test_rows_without_them_are_rows_with_zeros(system):
    short = chorda.simulate(system, inputs=[0.3], **COMMON)
    long = chorda.simulate(system, inputs=[0.3, 0, 0, 0, 0, 0], **COMMON)
    named = chorda.simulate(system, inputs={"t": 0.3}, **COMMON)
    np.testing.assert_array_equal(short.position, long.position)
    np.testing.assert_array_equal(short.position, named.position)
    with pytest.raises(InputError, match=r"expected 1 inputs \(t\), or 6 with push.fx, .*got"):
        chorda.simulate(system, inputs=[0.3, 1.0], **COMMON)


@pytest.mark.parametrize("kind", ["python", "casadi"])
def test_a_controller_is_disturbed_by_forces_that_are_given_beside_it(system, kind):
    q, v = ca.SX.sym("q", 3), ca.SX.sym("v", 3)
    law = ca.Function("law", [ca.SX.sym("t"), q, v], [-2 * q[0] - 0.1 * v[0]])
    control = law if kind == "casadi" else lambda t, q, v: [-2 * q[0] - 0.1 * v[0]]
    time = np.arange(51) * 1e-3
    inputs = {"push.fx": 3 * np.sin(20 * time), "thrust": 1.0}
    run = chorda.simulate(system, control=control, inputs=inputs, **COMMON)
    np.testing.assert_allclose(run.input[:-1, 1], inputs["push.fx"][:-1], atol=1e-12)
    np.testing.assert_allclose(run.input[:-1, 4], 1.0)
    wanted = -2 * run.position[:-1, 0] - 0.1 * run.velocity[:-1, 0]
    np.testing.assert_allclose(run.input[:-1, 0], wanted, atol=1e-12)
    alone = chorda.simulate(system, control=control, **COMMON)
    assert np.abs(run.position - alone.position).max() > 1e-3


def test_other_inputs_beside_a_controller_are_refused_by_name(system):
    with pytest.raises(InputError, match=r"either inputs or control.*beside control.*push\.fx"):
        chorda.simulate(system, control=lambda t, q, v: [0.0], inputs={"t": 1.0}, **COMMON)


def test_a_motor_controller_needs_no_reference_for_them():
    neck = chorda.load("neck-1")
    push = {"kind": "wrench", "name": "push", "at": {"frame": "x1.top"}, "components": ["fx"]}
    robot = parse(dump(neck)).model_copy(update={"actuators": (*neck.actuators, push)})
    pd = chorda.control.MotorPD(chorda.control.PointToPoint((0, 0), (0.1, -0.1), 0.05), 0.1, 0.01)
    options = {"duration": 0.05, "step": 1e-3, "control": pd, "strict": True}
    still = chorda.simulate(chorda.assemble(robot), **options)
    plain = chorda.simulate(chorda.assemble(neck), **options)
    np.testing.assert_allclose(still.position, plain.position, atol=1e-12)
    pushed = chorda.simulate(chorda.assemble(robot), inputs={"push.fx": 2.0}, **options)
    assert np.abs(pushed.position - plain.position).max() > 1e-3


@pytest.mark.parametrize("controlled", [False, True])
def test_a_motion_from_an_equilibrium_keeps_them(controlled):
    system = chorda.assemble(pendulum(at_bob(components=("fx",)), friction=0.1))
    rest = chorda.equilibrium(system, inputs={"push.fx": 9.0}, strict=True)
    control = (lambda t, q, v: []) if controlled else None
    kept = chorda.simulate(system, initial=rest, control=control, duration=0.2, step=1e-3)
    np.testing.assert_allclose(kept.position, rest.position["swing"], atol=1e-7)
    let_go = chorda.simulate(
        system, initial=rest, control=control, inputs={"push.fx": 0.0}, duration=0.2, step=1e-3
    )
    assert np.ptp(let_go.position) > 1e-2


def test_joints_that_are_held_stay_so_beside_them(system):
    rest = chorda.equilibrium(
        system, hold={"two": 0.3, "three": 0.05}, inputs={"push.fx": 2.0}, initial={"one": -1.3}
    )
    run = chorda.simulate(system, initial=rest, inputs=[0.0, 2.0, 0, 0, 0, 0], **COMMON)
    np.testing.assert_allclose(run.position[:, 1], 0.3, atol=1e-7)


def test_they_are_no_actions_unless_they_are_named(system):
    task = Reach(target={"two": (-0.4, 0.4)})
    assert RobotEnv(system, task, {"t": (-1, 1)}, step=1e-3).action_space.shape == (1,)
    limits = {"t": (-1, 1)} | dict.fromkeys(FORCES, (-2, 2))
    assert RobotEnv(system, task, limits, step=1e-3).action_space.shape == (6,)


def test_c_code_has_them(tmp_path, system):
    made = chorda.export(system, tmp_path / "arm", to="c", scheme="bdf2")
    header = next(x for x in made.files if x.suffix == ".h").read_text()
    assert "push.fx" in header


def test_tables_show_them(system):
    table = next(x for x in robot_tables(system) if x.title == "Forces on frames")
    assert ("thrust", "three (0.1, -0.05, 0.2)", "thrust [N]", "of the body") in table.rows


def test_plots_have_a_panel_for_forces_and_one_for_moments(system):
    run = chorda.simulate(system, inputs={"push.fx": 1.0}, **COMMON)
    panels = {(x.unit, x.labels) for x in overview(run)}
    assert ("N", ("push.fx", "push.fz", "thrust")) in panels
    assert ("N m", ("push.my", "twist")) in panels


def test_step_limits_do_not_depend_on_forces_that_are_not_given():
    plain = chorda.step_limits(chorda.assemble(pendulum(friction=0.1)))
    pushed = chorda.step_limits(chorda.assemble(pendulum(at_bob(components=("fx",)), friction=0.1)))
    for name, limit in plain.limits.items():
        assert pushed.limits[name].step == pytest.approx(limit.step, rel=1e-9)
    system = chorda.assemble(pendulum(at_bob(components=("fy",)), friction=0.1))
    stiff = chorda.step_limits(system, inputs=[-300.0]).limits["rk4"].step  # it hangs heavier
    assert stiff < 0.5 * plain.limits["rk4"].step
