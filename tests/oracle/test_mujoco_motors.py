"""Motors with limits and windings in MuJoCo."""

import numpy as np
import pytest

import chorda
from chorda.describe import KelvinVoigt, Motor
from chorda.errors import InputError
from tests.helpers.motor_robots import WINDING, spun
from tests.helpers.refusals import refused
from tests.helpers.robots import hung_slider

mujoco = pytest.importorskip("mujoco")


def exported(system, tmp_path, **options):
    path = chorda.export(system, tmp_path / "m.xml", to="mjcf", step=1e-4, **options).files[0]
    return mujoco.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize(
    ("parts", "asked"),
    [
        ({"max_torque": 0.02}, 0.05),
        ({"max_current": 0.4, "torque_constant": 0.05}, -0.05),
        ({"winding": WINDING}, 5.0),
        ({"winding": {**WINDING, "max_voltage": 3.0}, "max_current": 1.0}, 9.0),
        ({"winding": {**WINDING, "back_emf_constant": 0.08}, "max_torque": 0.03}, -4.0),
    ],
)
def test_a_motor_turns_as_here(parts, asked, tmp_path):
    system = spun(**parts)
    model = exported(system, tmp_path)
    data = mujoco.MjData(model)
    data.ctrl[:] = asked
    for _ in range(2000):
        mujoco.mj_step(model, data)
    run = chorda.simulate(
        system, duration=0.2, step=1e-4, scheme="bdf2", inputs={"m": asked}, strict=True
    )
    np.testing.assert_allclose(data.qvel[0], run.velocity[-1, 0], rtol=2e-3)
    np.testing.assert_allclose(data.qpos[0], run.position[-1, 0], rtol=2e-3)


@pytest.mark.parametrize("asked", [-7.0, -12.0, 5.0])
def test_a_motor_on_tendons_has_its_limits_too(asked, tmp_path):
    motor = Motor(name="m", inertia=1e-3, drum_radius=0.02, winding=WINDING, max_current=5.0)
    law = KelvinVoigt(stiffness=800.0, damping=20.0)
    system = chorda.assemble(hung_slider(motor, law))
    model = exported(system, tmp_path)
    np.testing.assert_allclose(model.actuator_forcerange, [[-0.25, 0.25]])
    data = mujoco.MjData(model)
    data.ctrl[:] = asked
    for _ in range(1000):
        mujoco.mj_step(model, data)
    run = chorda.simulate(
        system, duration=0.1, step=1e-4, scheme="bdf2", inputs={"m": asked}, strict=True
    )
    found = chorda.exporting.mjcf.configuration(system, run.position[-1])
    for name in ("s", "m"):
        assert data.joint(name).qpos[0] == pytest.approx(found[name][0], rel=2e-3)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (
            {"max_torque": 0.1, "max_speed": 10.0},
            "actuators.m.max_speed: MuJoCo's actuators have no torque that falls with the speed",
        ),
        (
            {"backlash": {"gap": 0.01, "stiffness": 10.0}},
            "actuators.m.backlash: MuJoCo's gears have no play; leave it out",
        ),
    ],
)
def test_what_mujoco_cannot_express_is_refused(parts, words, tmp_path):
    message = refused(InputError, chorda.export, spun(**parts), tmp_path / "m.xml", to="mjcf")
    assert words in message
