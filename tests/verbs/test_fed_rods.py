"""Rods that are fed, in files and in every verb; what they cannot have is refused by name."""

import numpy as np
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

import chorda
from chorda.cli import app
from chorda.continuous import rod_statics, shooting
from chorda.describe import JointEffort, JointMotion, JointMotor, dump, parse
from chorda.dynamics.sensitivities import one_by_one, sensitivities
from chorda.errors import InputError
from tests.helpers.fed_robots import RANGE, fed_rfrfr, rod, single

DOWN = {"gravity": (0, -9.81, 0), "bend_damping": 1e-3}
EFFORT = JointEffort(name="push", joint="leg.length")


def actuated(actuator, **fields):
    robot = single(**DOWN, **fields)
    return chorda.assemble(robot.model_copy(update={"actuators": (actuator,)}))


def test_a_file_with_a_fed_rod_is_read_and_written():
    robot = fed_rfrfr(friction=0.1)
    assert parse(dump(robot)) == robot
    assert dump(robot).count("fed:") == 2


def test_the_length_starts_as_described_and_is_no_parameter():
    system = chorda.assemble(single(length=0.7))
    assert system.coordinates[-1].name == "leg.length"
    assert system.rest[-1] == 0.7
    assert (system.coordinates[-1].low, system.coordinates[-1].high) == tuple(RANGE)
    assert "leg.length" not in system.parameter_names
    assert "leg.fed.longest" in system.parameter_names


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"length": 2.0}, "length: 2 m is not within fed.range, 0.2 to 1.5 m"),
        ({"taper": 0.5}, "got taper"),
        ({"drag": [0, 1, 1]}, "got drag"),
        ({"disks": [{"name": "d", "at": 0.1, "radius": 0.01}]}, "got disks"),
        ({"rest": {"bend_z": [1.0, 2.0]}}, "got rest.bend_z that varies"),
        ({"modes": {"basis": "bspline"}}, "got modes.basis: bspline"),
        ({"modes": {"breaks": [0.2]}}, "got modes.breaks"),
        ({"modes": {"auto": True}}, "got modes.auto"),
    ],
)
def test_what_would_move_along_with_the_material_is_refused(fields, message):
    with pytest.raises(ValidationError) as refused:
        single(**fields)
    assert message in str(refused.value)


@pytest.mark.parametrize("ends", [[0.0, 1.0], [0.5, 0.5], [-1.0, 1.0]])
def test_a_range_of_lengths_runs_upwards_from_above_zero(ends):
    with pytest.raises(ValidationError, match="range"):
        single(feeder={"range": ends})


def test_a_sheath_in_a_fed_rod_is_refused():
    tendon = {"name": "t", "sheaths": [{"rod": "leg", "y": 0.01}], "actuator": "pull"}
    pull = {"name": "pull", "kind": "tension"}
    with pytest.raises(ValidationError, match="'leg' is fed, and a sheath would move along"):
        chorda.describe.Robot.model_validate(
            {"name": "x", "joints": [rod()], "tendons": [tendon], "actuators": [pull]}
        )


def test_an_actuator_on_a_length_that_is_not_fed_is_refused():
    with pytest.raises(ValidationError, match="or the length of a rod that is fed"):
        single(fed=False, actuators=[EFFORT.model_dump()])


def test_a_force_at_the_feeder_is_an_input_in_newtons():
    system = actuated(EFFORT)
    assert system.inputs[0].unit == "N"
    rest = chorda.equilibrium(system, hold={"leg.length": 0.6}, strict=True)
    given = {"push": rest.efforts["leg.length"]}
    run = chorda.simulate(
        system,
        duration=0.2,
        step=1e-3,
        initial=dict(rest.position),
        inputs=given,
        strict=True,
    )
    np.testing.assert_allclose(run.position, np.tile(rest.q, (len(run.time), 1)), atol=1e-8)


def test_a_motor_at_the_feeder_turns_with_the_length_and_adds_its_inertia():
    motor = JointMotor(name="m", joint="leg.length", inertia=1e-5, gear_ratio=100.0)
    system, bare = actuated(motor), actuated(EFFORT)
    more = system.M_at(system.rest) - bare.M_at(bare.rest)
    assert more[-1, -1] == pytest.approx(1e-5 * 100.0**2)
    run = chorda.simulate(system, duration=0.1, step=1e-3, inputs={"m": 0.01}, strict=True)
    np.testing.assert_allclose(run.data["motor_angle"].values[:, 0], 100 * run.position[:, -1])


def test_a_prescribed_length_takes_at_rest_what_holding_it_takes():
    system = actuated(JointMotion(name="lead", joint="leg.length"))
    rest = chorda.equilibrium(system, inputs={"lead": 0.6}, strict=True)
    held = chorda.equilibrium(chorda.assemble(single(**DOWN)), hold={"leg.length": 0.6})
    assert rest.reactions["lead.motion"] == pytest.approx(held.efforts["leg.length"], rel=1e-9)


def test_a_motion_keeps_a_length_that_was_held():
    system = chorda.assemble(single(**DOWN))
    rest = chorda.equilibrium(system, hold={"leg.length": 0.6}, strict=True)
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=rest, strict=True)
    assert run.system.given == ("hold-leg-length",)
    np.testing.assert_allclose(run.data["effort"].values[-1], rest.efforts["leg.length"])
    gone = chorda.simulate(system, duration=0.1, step=1e-3, initial=rest, free=["leg.length"])
    assert abs(gone.position[-1, -1] - 0.6) > 1e-3


def test_friction_at_the_feeder_resists_the_rate_of_the_length():
    system = chorda.assemble(single(feeder={"friction": 0.4}))
    v = np.array([0.0, 0.0, 0.0, 0.5])
    with_it, without = (
        system.equations(system.rest, v, [], system.parameters(change))[1].full()[-1, 0]
        for change in ({}, {"leg.fed.friction": 0.0})
    )
    assert with_it - without == pytest.approx(-0.4 * 0.5)


def test_a_length_that_leaves_its_range_ends_the_motion():
    system = chorda.assemble(single(gravity=(9.81, 0, 0)))
    run = chorda.simulate(system, duration=3.0, step=1e-3)
    assert not run.status.ok
    assert "leg.length" in run.status.message
    assert run.time[-1] < 1.0


@pytest.mark.parametrize(
    "scheme",
    [
        "implicit-euler",
        "rk4",
        pytest.param("rosenbrock", marks=pytest.mark.slow),
        pytest.param("cvodes", marks=pytest.mark.slow),
    ],
)
def test_every_kind_of_scheme_moves_it_alike(scheme):
    system = chorda.assemble(single(**DOWN))
    options = {"duration": 0.02, "initial": {"leg.length.rate": 0.2}, "strict": True}
    step = 1e-5 if scheme in ("rk4", "implicit-euler") else 1e-4
    one = chorda.simulate(system, step=step, scheme=scheme, **options)
    other = chorda.simulate(system, step=1e-4, scheme="generalized-alpha", **options)
    np.testing.assert_allclose(one.position[-1], other.position[-1], atol=1e-4)


def test_batches_and_equilibria_at_once_take_it():
    system = chorda.assemble(single(**DOWN))
    rest = chorda.equilibrium(system, hold={"leg.length": 0.6}, strict=True)
    lengths = np.linspace(0.5, 0.7, 3)
    many = chorda.equilibrium_batch(rest, hold={"leg.length": lengths})
    np.testing.assert_allclose(many.q[:, -1], lengths)
    start = np.stack([system.rest, system.rest + np.array([0, 0, 0, 0.1])])
    rolled = chorda.rollout(system, duration=0.02, step=1e-3, initial=start)
    alone = chorda.simulate(system, duration=0.02, step=1e-3, initial=start[1])
    np.testing.assert_allclose(rolled.position[1, -1], alone.position[-1], atol=1e-9)


def test_the_linearised_motion_counts_the_length():
    system = actuated(EFFORT)
    rest = chorda.equilibrium(system, hold={"leg.length": 0.6}, strict=True)
    linear = chorda.linearize(system, rest.q, u=np.array([rest.efforts["leg.length"]]))
    v = np.zeros(system.nv)
    p = system.parameters()

    def force(d):
        return system.equations(rest.q + d, v, [rest.efforts["leg.length"]], p)[1].full()[:, 0]

    h = 1e-6 * np.eye(system.nq)[-1]
    np.testing.assert_allclose(linear.K[:, -1], (force(h) - force(-h)) / 2e-6, atol=1e-5)


def test_the_accuracy_of_an_equilibrium_is_known():
    system = chorda.assemble(single(**DOWN))
    rest = chorda.equilibrium(system, hold={"leg.length": 0.6}, strict=True)
    assert rest.accuracy.frames == ("leg.tip",)
    assert rest.accuracy.error[0] < 1e-6


def test_the_continuous_model_refuses_it():
    for verb in (shooting, rod_statics):
        with pytest.raises(InputError, match="fed: expected none, as lengths do not change"):
            verb(single(**DOWN))


def test_show_tells_between_which_lengths_it_is_fed(tmp_path):
    file = tmp_path / "fed.yaml"
    file.write_text(dump(single()))
    out = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["show", str(file)]).stdout
    assert "0.5 m, fed from 0.2 to 1.5 m" in out


@pytest.mark.slow
def test_sensitivities_of_its_motion_are_derivatives():
    system = chorda.assemble(single(**DOWN))
    names, steps, h = ["leg.density", "leg.young_modulus"], 20, 1e-3
    p, signal = system.parameters(), np.zeros((1, 0))
    given = {"step": h, "signal": signal, "steps": steps, "scheme": "bdf2"}
    v = np.array([0.0, 0.0, 0.0, 0.4])
    found = sensitivities(system, one_by_one(system, names), q=system.rest, v=v, p=p, **given).by[
        -1
    ][: system.nq]

    def end(name, factor):
        value = p[system.parameter_names.index(name)] * factor
        run = chorda.simulate(
            system,
            duration=steps * h,
            step=h,
            initial=np.concatenate([system.rest, v]),
            parameters={name: value},
            scheme="bdf2",
            tolerance=1e-13,
        )
        return run.position[-1]

    for k, name in enumerate(names):
        value = p[system.parameter_names.index(name)]
        slope = (end(name, 1 + 1e-4) - end(name, 1 - 1e-4)) / (2e-4 * value)
        np.testing.assert_allclose(found[:, k], slope, rtol=1e-4, atol=1e-6 * np.abs(slope).max())
