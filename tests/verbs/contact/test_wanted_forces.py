"""Tensions that keep the normal forces of contacts: found, and held by the robot at rest."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Contact, Plane, Prismatic, Robot, Sphere, Tendon, TensionActuator
from chorda.errors import InputError
from tests.helpers.touching_robots import changed, touching

GRASP = [f"grasp.phalanx{k}-bar" for k in (1, 2, 3)]


@pytest.mark.parametrize(
    "law", [{}, {"smoothing": 1e-4}, {"exponent": 1.5}], ids=["linear", "smoothed", "hertz"]
)
def test_a_ball_that_a_cable_pulls_against_a_wall_needs_the_force_and_its_spring(law):
    spring, wanted = 200.0, 7.0
    robot = Robot(
        name="pulled",
        gravity=(0, 0, 0),
        joints=[Prismatic(name="x", axis=(1, 0, 0), stiffness=spring, body=Body(mass=0.1))],
        actuators=[TensionActuator(name="winch")],
        tendons=[
            Tendon(
                name="cable",
                actuator="winch",
                path=[{"point": (1, 0, 0)}, {"frame": "x", "point": (0, 0, 0)}],
            )
        ],
        shapes=[
            Sphere(name="ball", frame="x", radius=0.02),
            Plane(name="wall", point=(0.07, 0, 0), normal=(-1, 0, 0)),
        ],
        contacts=[Contact(name="touch", first="wall", second="ball", stiffness=1e5, **law)],
    )
    system = chorda.assemble(robot)
    found = chorda.transmission(system, {"x": 0.05}, normal_forces={"touch": wanted})
    assert found.normal_forces["touch"] == pytest.approx(wanted, rel=1e-9)
    tension = found.distribute().tension["cable"]
    assert tension == pytest.approx(wanted + spring * found.q[0], rel=1e-9)
    assert found.q[0] > 0.05
    rest = chorda.equilibrium(system, tensions=[tension], initial=found.q)
    assert rest.normal_forces["touch"] == pytest.approx(wanted, rel=1e-8)


def test_the_neck_leans_with_a_wanted_force_and_stays_where_it_was_asked_to():
    system, near = touching("frictionless", stiffness=1e6)
    wanted = {"leans.bar3-post": 8.0}
    found = chorda.transmission(system, near, normal_forces=wanted)
    assert np.abs(found.q[:3] - near.q[:3]).max() < 2e-4
    held = found.distribute(low=5.0, high=500.0)
    assert held.status.ok, held.status
    assert min(held.tension.values()) > 5 - 1e-9
    rest = chorda.equilibrium(system, tensions=held.tension, initial=near)
    assert rest.status.ok, rest.status
    assert rest.normal_forces["leans.bar3-post"] == pytest.approx(8.0, rel=1e-6)
    np.testing.assert_allclose(rest.q[:3], found.q[:3], atol=1e-9)
    away = chorda.transmission(system, near).distribute(low=5.0, high=500.0)
    now = near.normal_forces["leans.bar3-post"]
    assert abs(now - 8.0) > 1  # other tensions without the wish
    assert max(abs(away.tension[name] - x) for name, x in held.tension.items()) > 0.1


def test_a_finger_presses_with_every_phalanx_as_it_was_asked_to():
    """With the torques of contacts at the joints computed from their points, in plain vectors."""
    robot = chorda.load("finger-grasp")
    law = robot.contacts[0].model_copy(update={"friction": None})
    system = chorda.assemble(changed(robot, contacts=[law]))
    near = {"joint1": 0.15, "joint2": 0.55, "joint3": 0.9}
    wanted = dict(zip(GRASP, (1.0, 2.0, 0.5), strict=True))
    found = chorda.transmission(system, near, normal_forces=wanted)
    assert dict(found.normal_forces) == pytest.approx(wanted, rel=1e-9)
    held = found.distribute(low=1.0)
    assert held.status.ok, held.status
    still = np.zeros(system.nv), np.zeros(system.nv), np.zeros(system.nc)
    values = system.observe(found.q, *still, np.zeros(system.nu), system.parameters())
    seen = {o.name: x.full().ravel() for o, x in zip(system.outputs, values, strict=True)}
    points, normals = (seen[x].reshape(-1, 3) for x in ("contact_point", "contact_normal"))
    pushes = -np.array(list(wanted.values()))[:, None] * normals  # on the finger, which is first
    angles = np.cumsum(found.q[:3])
    along = np.array([np.sin(angles), -np.cos(angles)]).T
    lengths, masses = np.array([0.045, 0.03, 0.025]), np.array([0.03, 0.02, 0.015])
    starts = np.vstack([[0, 0], np.cumsum(lengths[:, None] * along, axis=0)[:-1]])
    centres = starts + lengths[:, None] / 2 * along
    tau = np.array(list(held.torque.values()))
    for k in range(3):
        arms = points[k:, :2] - starts[k]
        moment = (arms[:, 0] * pushes[k:, 1] - arms[:, 1] * pushes[k:, 0]).sum()
        moment -= (masses[k:] * 9.81 * (centres[k:, 0] - starts[k, 0])).sum()
        assert tau[k] == pytest.approx(-moment, abs=1e-9)


def test_wishes_that_cannot_be_are_refused_by_name():
    system, near = touching("frictionless", stiffness=1e5)
    for wish, words in (
        ({"leans": 1.0}, "normal_forces: 'leans' is not there"),
        ({"leans.bar3-post": -1.0}, r"normal_forces\.leans\.bar3-post: expected one force of more"),
        ({"leans.bar3-post": 1e6}, "expected less than the 1e.05 N"),
        ({"leans.bar3-post": [1.0, 2.0]}, "expected one force"),
        (3.0, "normal_forces: expected"),
        ({"leans.bar3-post": 1.0, "leans.bar2-post": 1.0, "leans.bar1-post": 1.0}, "nearly touch"),
    ):
        with pytest.raises(InputError, match=words):
            chorda.transmission(system, near, normal_forces=wish)
    held = chorda.transmission(system, near, normal_forces={"leans.bar3-post": 900.0}).distribute()
    assert not held.status.ok or max(held.tension.values()) > 100


def test_the_command_line_gives_the_tensions_of_a_wanted_force(tmp_path):
    from typer.testing import CliRunner

    from chorda.cli.app import app
    from tests.helpers.touching_robots import leaning_neck

    path = chorda.describe.write(leaning_neck("frictionless", pairs=1), tmp_path / "neck.yaml")
    at = [f"--set={name}={x}" for name, x in (("x1", -0.427), ("x2", 0.0147), ("x3", -0.49))]
    ran = CliRunner().invoke(app, ["transmission", str(path), *at, "--press", "leans=4", "--low=5"])
    assert "Normal forces: leans 4 N" in " ".join(ran.stdout.split()), ran.output
