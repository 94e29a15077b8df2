"""Actuators on joints in files, in batches, under control and in exports."""

import numpy as np

import chorda
from chorda.describe import JointEffort, JointMotion, JointMotor, dump, parse
from tests.helpers.actuated_robots import arm

ROBOT = arm(
    JointMotor(name="m", joint="one", inertia=1e-5, gear_ratio=20.0),
    JointEffort(name="t", joint="two"),
    JointMotion(name="lead", joint="three"),
)


def test_a_robot_with_them_is_written_and_read_again():
    assert parse(dump(ROBOT)) == ROBOT


def test_a_rollout_moves_as_simulate_does():
    system = chorda.assemble(ROBOT)
    inputs = {"m": 0.02, "t": 0.1, "lead": 0.0}
    options = {"duration": 0.1, "step": 1e-3, "scheme": "bdf2"}
    run = chorda.simulate(system, inputs=inputs, **options)
    many = chorda.rollout(system, inputs=inputs | {"t": np.array([0.1, 0.2])}, **options)
    np.testing.assert_allclose(many.position[0, -1], run.position[-1], atol=1e-12)
    assert abs(many.position[1, -1, 1] - run.position[-1, 1]) > 1e-3


def test_a_controller_in_python_gives_torques():
    system = chorda.assemble(arm(JointEffort(name="t", joint="one")))

    def hold(t, q, v):
        return [-5.0 * q[0] - 0.5 * v[0]]

    run = chorda.simulate(system, duration=0.05, step=1e-3, control=hold)
    assert run.status.ok
    np.testing.assert_allclose(run.input[1, 0], hold(0, run.position[1], run.velocity[1]), atol=0.2)


def test_c_code_has_them(tmp_path):
    made = chorda.export(chorda.assemble(ROBOT), tmp_path / "arm", to="c", scheme="bdf2")
    header = next(x for x in made.files if x.suffix == ".h").read_text()
    assert "lead.acceleration" in header
