"""Whatever `equilibrium` accepts, the other verbs accept; what they return is the same record."""

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
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
    Winch,
)
from chorda.errors import InputError
from chorda.results.spectra import Word

TENSIONS = {"right1": 30.0, "right2": 20.0, "right3": 20.0, "left": 25.0}
MORE = {"right1": 34.0, "right2": 22.0, "right3": 21.0, "left": 28.0}


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


@pytest.fixture(scope="module")
def pulled(neck):
    return chorda.equilibrium(neck, tensions=TENSIONS, strict=True)


def finger(actuator, **tie):
    """A hinge between two tendons: one with an actuator, one that is tied."""
    law = KelvinVoigt(stiffness=2e3, damping=1.0)
    sides = {"pull": (0.03, "a"), "tie": (-0.03, None)}
    return Robot(
        name="finger",
        gravity=(0, 0, 0),
        joints=(
            Revolute(
                name="j",
                placement=Placement(position=(0, 0.1, 0)),
                body=Body(mass=0.2, center=(0, 0.05, 0), inertia=(0, 0, 1e-3, 0, 0, 0)),
                stiffness=0.2,
                range=tie.pop("range", None),
            ),
        ),
        actuators=(actuator,),
        tendons=tuple(
            Tendon(
                name=name,
                path=(Point(point=(x, 0, 0)), Point(frame="j", point=(x, 0.05, 0))),
                law=law.model_copy(update=tie if by is None else {}),
                actuator=by,
            )
            for name, (x, by) in sides.items()
        ),
    )


MOTOR = Motor(name="a", drum_radius=0.01, gear_ratio=5.0, inertia=1e-5)
ACTUATORS = (MOTOR, Winch(name="a"), TensionActuator(name="a"))


def same(a, b):
    """Two equilibria of one problem are one."""
    assert a.q == pytest.approx(b.q, abs=1e-8)
    assert a.tension == pytest.approx(b.tension, abs=1e-6)
    assert a.u == pytest.approx(b.u, abs=1e-7)
    assert a.stability == b.stability
    assert a.eigenvalues == pytest.approx(b.eigenvalues, rel=1e-6)


@pytest.mark.parametrize("actuator", ACTUATORS, ids=lambda x: x.kind)
def test_a_path_of_tensions_ends_where_these_tensions_are_in_equilibrium(actuator):
    system = chorda.assemble(finger(actuator))
    first = chorda.equilibrium(system, tensions=2.0, strict=True)
    path = chorda.follow(first, tensions={"pull": 6.0}, points=4, strict=True)
    same(path.at(-1), chorda.equilibrium(system, tensions={"pull": 6.0}, strict=True))
    assert path.tension[:, 0] == pytest.approx([2, 3, 4, 5, 6])
    # the inputs that are reported hold it: with them alone it is in equilibrium there
    again = chorda.equilibrium(system, inputs=path.at(-1).u, initial=path.at(-1), strict=True)
    assert again.q == pytest.approx(path.q[-1], abs=1e-7)
    assert again.tension == pytest.approx(path.tension[-1], abs=1e-4)


@pytest.mark.parametrize("actuator", ACTUATORS, ids=lambda x: x.kind)
def test_a_tension_of_one_tendon_leaves_a_tied_one_its_law(actuator):
    system = chorda.assemble(finger(actuator))
    rest = chorda.equilibrium(system, tensions={"pull": 5.0}, strict=True)
    by_number = chorda.equilibrium(system, tensions=5.0, strict=True)
    same(rest, by_number)
    still = [np.zeros(k) for k in (system.nv, system.nv, system.nc)]
    lengths = [
        system.observe(q, *still, u, rest.parameters)[0].full().ravel()
        for q, u in ((rest.q, rest.u), (system.rest, np.zeros(system.nu)))
    ]
    stretched = lengths[0][1] - lengths[1][1]
    assert rest.tension[1] == pytest.approx(2e3 * stretched, rel=1e-9)
    assert rest.tension[1] > 0.5
    assert abs(rest.position["j"]) < 0.5


def test_a_tendon_without_an_actuator_has_no_given_tension():
    system = chorda.assemble(finger(MOTOR))
    with pytest.raises(InputError, match=r"tensions\.tie: no actuator pulls it"):
        chorda.equilibrium(system, tensions={"pull": 1.0, "tie": 1.0})


def test_a_path_of_motor_angles_ends_where_these_angles_are_in_equilibrium(neck):
    motors = [c.name for c in neck.coordinates if c.kind == "motor"]
    first = chorda.equilibrium(neck, angles=-0.3, strict=True)
    wanted = dict(zip(motors, (-0.5, -0.4, -0.3, -0.45), strict=True))
    path = chorda.follow(first, angles=wanted, points=5, strict=True)
    same(path.at(-1), chorda.equilibrium(neck, angles=wanted, strict=True))
    assert path.at(-1).efforts == pytest.approx(
        dict(zip(motors, path.at(-1).u.tolist(), strict=True))
    )


def test_a_path_of_torques_and_one_of_inputs_are_one(neck, pulled):
    start = chorda.equilibrium(neck, torques=pulled.u, initial=pulled, strict=True)
    torques = dict(zip(neck.given, 1.1 * pulled.u, strict=True))
    paths = [
        chorda.follow(start, points=3, strict=True, **{w: torques}) for w in ("torques", "inputs")
    ]
    assert paths[0].q == pytest.approx(paths[1].q, abs=1e-12)
    assert paths[0].at(-1).tension == pytest.approx(1.1 * pulled.tension, rel=1e-6)


def test_stability_and_kinematostatics_take_given_tensions(neck, pulled):
    found = chorda.stability(pulled)
    assert found["locked"].eigenvalues == pytest.approx(pulled.eigenvalues, rel=1e-9)
    assert "constant right1.tension" in found["locked"].sentence
    near = chorda.kinematostatics(pulled, "x3.top")
    # compliance at constant tensions, by differences of a small push at the head
    push = 1e-4
    moved = []
    for sign in (-1, 1):
        load = chorda.describe.Load(
            name="push", at=Point(frame="x3.top"), force=(sign * push, 0, 0)
        )
        robot = neck.robot.model_copy(update={"loads": (*neck.robot.loads, load)})
        rest = chorda.equilibrium(chorda.assemble(robot), tensions=TENSIONS, strict=True)
        moved.append(rest.frame("x3.top")[0])
    slope = (moved[1] - moved[0]) / (2 * push)
    assert near.compliance["x", "force_x"] == pytest.approx(slope[0], rel=1e-5)


def test_a_workspace_over_tensions_has_the_equilibria_of_these_tensions(neck, pulled):
    found = chorda.workspace(pulled, {"left.tension": (20, 30, 3), "right1.tension": (26, 34, 3)})
    assert found.reached.all()
    cell = found.at(2, 0)
    wanted = chorda.equilibrium(neck, tensions=TENSIONS | {"left": 30.0, "right1": 26.0})
    same(cell, wanted)
    assert found.unit("left.tension") == "N"


def test_a_sweep_over_tensions_has_the_equilibria_of_these_tensions(neck, tmp_path):
    pytest.importorskip("zarr")
    study = {
        "robot": "neck-3",
        "compute": {"kind": "stability", "tensions": TENSIONS},
        "vary": [{"name": "tensions.left", "kind": "list", "at": [25.0, 28.0]}],
    }
    found = chorda.sweep(study, tmp_path / "s.zarr", jobs=1, progress=False)
    wanted = chorda.equilibrium(neck, tensions=TENSIONS | {"left": 28.0})
    assert found.data["position"].values[-1] == pytest.approx(wanted.q, abs=1e-9)


def every_equilibrium(neck, pulled):
    path = chorda.follow(pulled, tensions=MORE, points=3, strict=True)
    cell = chorda.workspace(pulled, {"left.tension": (24, 26, 3)}).at(1)
    several = chorda.equilibria(neck, tensions=TENSIONS, starts=3)
    return [pulled, path.at(0), path.at(-1), path.at(1), cell, *several]


def test_every_equilibrium_has_its_tensions_residual_iterations_and_inputs(neck, pulled):
    found = every_equilibrium(neck, pulled)
    for x in found:
        assert x.tension.shape == (4,)
        assert x.tension.min() > 15
        assert 0 < x.residual < 1e-8
        assert x.iterations >= 1
        assert set(x.efforts) == set(neck.given)
        assert x.u == pytest.approx([x.efforts[name] for name in neck.given])
        assert x.multipliers.shape == (neck.nc,)
        assert x.stability in (Word.STABLE, Word.UNSTABLE)
    # they are what the robot has: at rest nothing accelerates
    for x in found:
        F = neck.equations(x.q, np.zeros(neck.nv), x.u, x.parameters)[1]
        assert np.abs(F.full()).max() < 1e-6


def test_multipliers_of_a_path_carry_the_platform(tmp_path):
    system = chorda.assemble(chorda.load("rfrfr"))
    first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, strict=True)
    last = chorda.follow(first, hold={"motor1": 2.8}, points=2, strict=True).at(-1)
    cold = chorda.equilibrium(system, hold={"motor1": 2.8, "motor2": 0.55}, initial=first.q)
    assert last.multipliers == pytest.approx(cold.multipliers, rel=1e-6)
    assert np.abs(last.multipliers).max() > 1e-2


def test_a_warm_equilibrium_is_the_next_point_of_a_path(neck, pulled):
    warm = chorda.equilibrium(neck, tensions=MORE, initial=pulled, strict=True)
    same(warm, chorda.follow(pulled, tensions=MORE, points=1, strict=True).at(-1))
    same(warm, chorda.equilibrium(neck, tensions=MORE, strict=True))


RANGE = (-0.05, 0.05)


def test_an_equilibrium_beyond_a_range_is_no_success():
    free, bound = (chorda.assemble(finger(MOTOR, range=r)) for r in (None, RANGE))
    inside = chorda.equilibrium(bound, tensions=1.0)
    assert inside.status.ok
    beyond = chorda.equilibrium(free, tensions=20.0, strict=True)
    assert abs(beyond.position["j"]) > RANGE[1]
    found = chorda.equilibrium(bound, tensions=20.0)
    assert found.status.code == "out-of-range"
    assert not found.stable
    assert "j = " in found.status.message
    assert "beyond its range -0.05 to 0.05" in found.status.message
    assert "give the joint a `stop`" in found.status.message
    assert found.q[0] == pytest.approx(beyond.q[0], abs=1e-8)  # where it would be
    warm = chorda.equilibrium(bound, tensions=20.0, initial=inside)
    assert warm.status.code == "out-of-range"


def test_a_path_ends_at_a_range_and_says_so():
    system = chorda.assemble(finger(MOTOR, range=RANGE))
    start = chorda.equilibrium(system, tensions=1.0, strict=True)
    path = chorda.follow(start, tensions=20.0, points=7)
    assert path.status.code == "out-of-range"
    assert "j = " in path.status.message
    assert "stability" not in path.status.message
    assert 0 < path.parameter[-1] < 1
    assert abs(path.q[-1, 0]) == pytest.approx(RANGE[1], abs=1e-8)
    assert np.all(np.abs(path.q[:, 0]) <= RANGE[1] + 1e-8)


def test_maps_and_sweeps_mark_what_is_beyond_a_range(tmp_path):
    robot = finger(MOTOR, range=RANGE)
    system = chorda.assemble(robot)
    start = chorda.equilibrium(system, tensions=1.0, strict=True)
    grid = chorda.workspace(start, {"pull.tension": (1, 20, 5)})
    j = grid.quantity("j")
    assert np.array_equal(grid.violations["j"], np.abs(j) > RANGE[1])
    assert 0 < grid.violations["j"].sum() < 5
    assert not np.any(grid.usable & grid.violations["j"])
    pytest.importorskip("zarr")
    study = {
        "robot": robot.model_dump(mode="json", exclude_none=True),
        "compute": {"kind": "equilibrium"},
        "vary": [{"name": "tensions", "kind": "list", "at": [1.0, 20.0]}],
    }
    found = chorda.sweep(study, tmp_path / "s.zarr", jobs=1, progress=False)
    assert found.data["status"].values.tolist() == ["converged", "out-of-range"]


def test_a_path_ends_at_a_limit_and_says_so(neck, pulled):
    torque = abs(pulled.efforts["motor-left"])
    path = chorda.follow(
        pulled, tensions=TENSIONS | {"left": 50.0}, limits={"motor-left.effort": 1.2 * torque}
    )
    assert path.status.code == "limit"
    assert "motor-left.effort" in path.status.message
    assert path.tension[-1, 3] == pytest.approx(1.2 * pulled.tension[3], rel=1e-6)


def balanced():
    """A weight above its hinge: two tendons hold it up, one alone does not."""
    law = KelvinVoigt(stiffness=2000.0, pretension=5.0, one_sided=True)
    body = Body(mass=1.0, center=(0, 0.2, 0), inertia=(0, 0, 0.01, 0, 0, 0))
    load = Load(name="off", at=Point(frame="j"), moment=(0, 0, 0.02))
    return Robot(
        name="balanced",
        gravity=(0, -9.81, 0),
        joints=(Revolute(name="j", placement=Placement(position=(0, 0.1, 0)), body=body),),
        loads=(load,),
        actuators=(Winch(name="a"), Winch(name="b")),
        tendons=tuple(
            Tendon(
                name=f"side-{name}",
                path=(Point(point=(x, 0, 0)), Point(frame="j", point=(x, 0.05, 0))),
                law=law,
                actuator=name,
            )
            for name, x in (("a", 0.03), ("b", -0.03))
        ),
    )


def test_a_path_that_ends_because_tendons_go_slack_says_so():
    system = chorda.assemble(balanced())
    start = chorda.equilibrium(system, inputs=0.0, strict=True)
    assert start.stable
    path = chorda.follow(start, inputs=0.01, points=20)
    assert path.status.code == "slack"
    assert "Slack there: side-" in path.status.message
    assert "stability" not in path.status.message
    assert path.tension[-1].min() == pytest.approx(0.0, abs=1e-3)
    assert path.tension[0].min() > 3


def test_an_equilibrium_names_its_slack_tendons():
    found = chorda.equilibrium(chorda.assemble(balanced()), inputs=0.01)
    assert found.tension == pytest.approx([0.0, 0.0])
    assert found.status.message.endswith("Slack: side-a, side-b.")


def test_tendons_that_are_slack_on_a_whole_path_are_named():
    system = chorda.assemble(chorda.load("recursive-2"))
    start = chorda.equilibrium(system, inputs=0.0, strict=True)
    path = chorda.follow(start, inputs={"actuator1": 0.01, "actuator2": -0.01}, points=10)
    assert path.status.ok
    assert path.tension[-1] == pytest.approx(0.0)
    assert "Slack in some of them: tendon1-1 (from 10% of the path), tendon2-1" in str(path.status)
    assert path.at(-1).stability == "neutral"


@pytest.mark.parametrize("name", ["rfrfr", "neck-3"])
def test_one_rule_decides_in_every_verb(name):
    system = chorda.assemble(chorda.load(name))
    given = {"hold": {"motor1": 2.0, "motor2": 1.0}} if name == "rfrfr" else {"tensions": 20.0}
    for x in chorda.equilibria(system, starts=20, **given):
        assert x.stability in ("stable", "neutral", "unstable")
        judged = chorda.stability(x)["locked"]
        assert judged.stability == x.stability
        path = chorda.follow(x, points=1)
        assert path.stability["locked"].words[0] == x.stability == path.at(0).stability
