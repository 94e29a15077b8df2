"""Parameters that made a motion are found in what sensors saw of it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import chorda
from chorda.control import Fourier
from chorda.describe import (
    Body,
    DryFriction,
    Fixed,
    KelvinVoigt,
    Motor,
    Stiffening,
    TensionActuator,
)
from chorda.errors import InputError, LogError
from chorda.identification import Log, Preparation, Sensors, experiment, identify, write_log
from chorda.identification.virtual.experiment import closed_loop
from chorda.identification.virtual.sensors import measured
from tests.helpers.recordings import finger
from tests.helpers.robots import hung_slider
from tests.helpers.windings import wound_log

PAY = 0.02 / 25
CORDS = ("right1", "right2", "right3", "left")
AS_PAPER = [  # model 1 of Fasquelle2021: viscous friction is neglected
    "motor-*.dry_torque",
    *[f"{cable}.stiffness" for cable in CORDS],
    *[f"{cable}.damping" for cable in CORDS],
]
DRY, VISCOUS = (12.91, 16.72, 18.11, 16.09), (4.68e-2, 4.63e-2, 4.64e-2, 0.72e-2)
TABLE_1 = {f"motor-{c}.dry_torque": x * PAY for c, x in zip(CORDS, DRY, strict=True)}
TABLE_1 |= {f"motor-{c}.friction": x * PAY for c, x in zip(CORDS, VISCOUS, strict=True)}


def robot(name):
    return finger() if name == "finger" else chorda.load(name)


def errors(found):
    """Relative, or to the scale of a parameter whose truth is zero."""
    scale = {"N s/m": 1.0, "N m s/rad": 1e-3}
    return {f.name: abs(f.value - f.truth) / (abs(f.truth) or scale[f.unit]) for f in found}


def within(f):
    return f.low <= f.truth <= f.high


# Without noise ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "tension"),
    [
        ("neck-3", 0.5, 25.0),
        pytest.param("neck-4", 0.4, 25.0, marks=pytest.mark.slow),
        ("fasquelle-3-pulleys", 0.5, 25.0),
        ("finger", 0.4, 5.0),
    ],
)
def test_exact_signals_give_back_every_parameter_to_a_millionth(name, size, tension):
    system = chorda.assemble(robot(name))
    log = wound_log(system, size, tension, 8.0, PAY, step=2e-5)
    found = identify(log, system, prepare=Preparation(cutoff=20.0), method="least squares")
    worst = errors(found.estimates)
    assert max(worst.values()) < 1e-6, worst
    assert {f.verdict for f in found.estimates if f.truth} == {"well identified"}
    assert found.offsets == {}
    assert found.notes == ()
    assert found.method == "least squares"


def test_masses_and_springs_are_found_as_well_as_frictions():
    system = chorda.assemble(chorda.load("neck-3"))
    log = wound_log(system, 0.5, 25.0, 8.0, PAY, step=1e-4)
    wanted = ["motor-*.dry_torque", "x*.friction", "spring1-*.stiffness", "x3.bar_mass"]
    found = identify(log, system, wanted, prepare=Preparation(cutoff=20.0), method="least squares")
    assert max(errors(found.estimates).values()) < 1e-4


def test_tied_parameters_are_one_number():
    system = chorda.assemble(chorda.load("neck-3"))
    log = wound_log(system, 0.5, 25.0, 8.0, PAY, step=1e-4)
    found = identify(
        log,
        system,
        tied=["*.dry_torque", "right*.stiffness", "*.damping"],
        prepare=Preparation(cutoff=20.0),
        method="least squares",
    )
    names = [f.name for f in found.estimates]
    assert names == ["*.dry_torque", "right*.stiffness", "left.stiffness", "*.damping"]
    assert max(errors(found.estimates).values()) < 1e-4
    assert found.parameters["right2.stiffness"] == found["right*.stiffness"].value


# With the sensors of the paper --------------------------------------------------------------


@pytest.fixture(scope="module")
def fasquelle():
    return chorda.assemble(chorda.load("fasquelle-3-pulleys"))


@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_the_papers_sensors_find_friction_and_stiffness_and_doubt_damping(fasquelle, seed):
    log = experiment(fasquelle, duration=60.0, seed=seed, progress=False)
    found = identify(log, fasquelle, AS_PAPER)
    assert found.method == "instruments"
    assert found.offsets["camera"] == pytest.approx(0.04, abs=1e-3)
    for f in found.estimates:
        if f.name.endswith("dry_torque"):
            assert f.verdict == "well identified"
            assert f.value == pytest.approx(f.truth, rel=0.03)
        elif f.name.endswith("stiffness"):
            assert f.verdict == "well identified"
            assert f.value == pytest.approx(f.truth, rel=0.05)
        else:
            assert f.verdict == "poorly identified" or abs(f.value - f.truth) < 3 * f.deviation


@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_viscous_friction_of_the_papers_table_1_is_poorly_identified(fasquelle, seed):
    log = experiment(fasquelle, duration=60.0, seed=seed, parameters=TABLE_1, progress=False)
    found = identify(log, fasquelle, tensions="eliminated")
    assert len(found.estimates) == 8
    for f in found.estimates:
        if f.name.endswith("dry_torque"):
            assert f.verdict == "well identified"
            assert f.value == pytest.approx(f.truth, rel=0.1)
        else:
            assert f.truth > 0
            assert f.verdict == "poorly identified"
            assert "more than 10 %" in f.why


@pytest.mark.parametrize("name", [pytest.param("neck-4", marks=pytest.mark.slow), "finger"])
def test_another_robot_needs_nothing_else(name):
    system = chorda.assemble(robot(name))
    log = experiment(system, duration=30.0, seed=1, progress=False)
    found = identify(log, system)
    assert found.method == "instruments"
    assert found.offsets["camera"] == pytest.approx(0.04, abs=2e-3)
    for f in found.estimates:
        if f.name.endswith("stiffness"):
            assert f.verdict == "well identified"
            assert f.value == pytest.approx(f.truth, rel=0.1)
        elif f.name.endswith("damping"):
            assert f.verdict == "poorly identified"
        assert abs(f.value - f.truth) < 5 * f.deviation


def test_rigid_tendons_leave_the_frictions_to_find():
    system = chorda.assemble(chorda.neck(3), "rigid")
    log = experiment(system, duration=20.0, seed=2, progress=False)
    found = identify(log, system)
    assert [f.name for f in found.estimates] == [f"motor-{c}.dry_torque" for c in CORDS]
    for f in found.estimates:
        assert f.verdict == "well identified"
        assert abs(f.value - f.truth) < 4 * f.deviation


def test_prescribed_tensions_leave_springs_and_joint_frictions_to_find():
    base = chorda.neck(2)
    actuators = tuple(TensionActuator(name=f"pull-{t.name}") for t in base.tendons)
    tendons = tuple(t.model_copy(update={"actuator": f"pull-{t.name}"}) for t in base.tendons)
    system = chorda.assemble(base.model_copy(update={"actuators": actuators, "tendons": tendons}))
    log = experiment(system, duration=15.0, seed=1, progress=False)
    with pytest.raises(InputError, match="no motor friction and no elastic tendon; name what"):
        identify(log, system)
    found = identify(
        log, system, tied=["spring1-*.stiffness", "spring2-*.stiffness"], parameters=[]
    )
    assert found.offsets["camera"] == pytest.approx(0.04, abs=5e-3)
    for f in found.estimates:
        assert f.verdict == "well identified"
        assert f.value == pytest.approx(f.truth, rel=0.1)


# Uncertainty --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def swing():
    """A neck of one joint in motion for 20 s, to be seen by many sensors."""
    system = chorda.assemble(chorda.neck(1))
    motion = Fourier.random(1, 0.5, 0.1, harmonics=5, seed=0)
    run = closed_loop(system, motion, duration=20.0, tension=20.0, progress=False)
    return run


def seen(run, sensors, seed):
    truth = dict(zip(run.system.parameter_names, run.parameters.tolist(), strict=True))
    return Log(measured(run, sensors, seed), "virtual experiment", truth)


def coverage(run, seeds):
    """How often the truth is in the interval, for each parameter."""
    hits = [
        [within(f) for f in identify(seen(run, Sensors(), seed), run.system).estimates]
        for seed in range(seeds)
    ]
    return np.array(hits)


def test_intervals_hold_the_truth_as_often_as_they_say(swing):
    """Parameters of one log are not independent: the bounds allow for two that are, of six."""
    hits = coverage(swing, 12)
    low = binom.ppf(0.005, 24, 0.95) / 24
    assert low <= hits.mean() <= 1
    assert np.all(hits.mean(axis=0) >= binom.ppf(0.001, 12, 0.95) / 12)


@pytest.mark.slow
def test_intervals_hold_the_truth_in_200_logs_as_often_as_they_say(swing):
    hits = coverage(swing, 200)
    low, high = binom.ppf([0.0025, 0.9975], 200, 0.95) / 200
    assert np.all(hits.mean(axis=0) >= low)
    assert np.all(hits.mean(axis=0) <= max(high, 0.99))


def test_camera_noise_biases_least_squares_for_damping_but_not_the_instruments(fasquelle):
    motion = Fourier.random(3, 0.5, 0.1, harmonics=5, seed=0)
    run = closed_loop(fasquelle, motion, duration=20.0, tension=20.0, progress=False)
    by_squares, by_instruments, notes = [], [], []
    wide = Preparation(cutoff=4.0)  # lets more noise of the camera through than the data ask for
    for seed in range(6):
        log = seen(run, Sensors(camera_noise=0.01), seed)
        found = identify(log, fasquelle, AS_PAPER, prepare=wide)
        assert found.method == "instruments"
        own = found["right1.damping"], found["left.damping"]
        by_squares.append([f.least_squares / f.truth for f in own])
        by_instruments.append([f.value / f.truth for f in own])
        notes += found.notes
    squares, better = np.array(by_squares), np.array(by_instruments)
    error = better.std(axis=0, ddof=1) / np.sqrt(len(better))
    assert np.all(squares.mean(axis=0) < 0.85)
    assert np.all(np.abs(better.mean(axis=0) - 1) < 3 * error)
    assert np.all(np.abs(better.mean(axis=0) - 1) < 1 - squares.mean(axis=0))
    told = [note for note in notes if "Noise in the regressor biases least squares" in note]
    assert told
    assert any("damping by -" in note for note in told)


# Verdicts and what goes wrong ---------------------------------------------------------------


def test_parameters_that_act_only_together_are_told_as_a_combination():
    """A slider and the tool that is fixed to it."""
    motor = Motor(
        name="m",
        inertia=1e-4,
        drum_radius=0.02,
        gear_ratio=5.0,
        dry_friction=DryFriction(torque=0.01, slope=0.5),
    )
    hung = hung_slider(motor, KelvinVoigt(stiffness=2e4, damping=50.0))
    tool = Fixed(name="tool", parent="s", body=Body(mass=0.5))
    system = chorda.assemble(hung.model_copy(update={"joints": (*hung.joints, tool)}))
    weight = 2.5 * 9.81
    run = chorda.simulate(
        system,
        duration=6.0,
        step=2e-4,
        scheme="rosenbrock",
        inputs=lambda t: [-weight * 0.004 + 0.04 * np.sin(5 * t)],
        initial={"tension": weight},
        strict=True,
        progress=False,
    )
    found = identify(
        seen(run, Sensors.ideal(1000), 0),
        system,
        ["*.mass", "m.dry_torque", "cable.stiffness"],
        method="least squares",
    )
    one, other = found["s.mass"], found["tool.mass"]
    assert one.value == pytest.approx(2.5, rel=1e-3)
    assert one.verdict == other.verdict == "not identifiable"
    assert one.why == "the value is that of the combination s.mass + tool.mass"
    assert other.why == "only in combination: s.mass + tool.mass"
    assert np.isnan(other.value)
    assert found.parameters["s.mass"] == 2.0  # as described
    assert found["m.dry_torque"].value == pytest.approx(0.01, rel=5e-3)
    assert found["cable.stiffness"].verdict == "well identified"
    assert "s.mass + tool.mass" not in found["cable.stiffness"].why


def test_what_the_motion_does_not_show_keeps_its_described_value(swing):
    found = identify(
        seen(swing, Sensors.ideal(500), 0),
        swing.system,
        ["motor-*.dry_torque", "left.stiffness"],
        tensions="eliminated",
        method="least squares",
    )
    assert found["left.stiffness"].verdict == "not identifiable"
    assert found["left.stiffness"].why == "it has no effect on this motion"
    assert np.isnan(found["left.stiffness"].value)
    assert found.parameters["left.stiffness"] == 1e5


def test_columns_in_any_order_give_the_same(swing, tmp_path):
    log = seen(swing, Sensors.ideal(500), 0)
    path = write_log(log, tmp_path / "log.csv")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    cells = [line.split(",") for line in lines]
    other = tmp_path / "turned.csv"
    other.write_text("\n".join(",".join(reversed(row)) for row in cells) + "\n")
    quick = {"method": "least squares", "prepare": Preparation(cutoff=5.0)}
    one, two = (identify(p, swing.system, **quick) for p in (path, other))
    assert [f.value for f in one.estimates] == [f.value for f in two.estimates]


def test_samples_with_slack_tendons_are_left_out_and_counted():
    base = chorda.neck(1)
    law = KelvinVoigt(stiffness=1e4, damping=50.0, one_sided=True)
    tendons = tuple(t.model_copy(update={"law": law}) for t in base.tendons)
    system = chorda.assemble(base.model_copy(update={"tendons": tendons}))
    run = chorda.simulate(
        system,
        duration=12.0,
        step=2.5e-4,
        scheme="rosenbrock",
        inputs=lambda t: [-0.01 - 0.012 * np.sin(2 * t), -0.01 + 0.012 * np.sin(2 * t)],
        initial={"tension": 12.5},
        strict=True,
        progress=False,
    )
    assert 0.2 < np.mean(np.any(run.outputs["tension"] <= 0, axis=1)) < 0.8
    found = identify(seen(run, Sensors.ideal(500), 0), system, method="least squares")
    assert any("samples with a slack tendon left out" in note for note in found.notes)
    assert max(errors(found.estimates).values()) < 1e-3
    noisy = identify(seen(run, Sensors(), 0), system)
    assert any("samples with a slack tendon left out" in note for note in noisy.notes)
    for f in noisy.estimates:
        assert abs(f.value - f.truth) < 4 * f.deviation


def test_a_wrong_law_is_noticed_or_told(swing):
    system = chorda.assemble(
        swing.system.robot.model_copy(
            update={
                "tendons": tuple(
                    t.model_copy(update={"law": Stiffening(stiffness=1e5, stiffening=1e7)})
                    for t in swing.system.robot.tendons
                )
            }
        )
    )
    found = identify(seen(swing, Sensors(), 0), system)
    assert found["left.stiffening"].verdict == "poorly identified"
    assert found["left.stiffening"].truth is None


@pytest.mark.parametrize(
    ("how", "error", "says"),
    [
        ({"method": "guess"}, InputError, "method: expected 'auto', 'least squares'"),
        ({"tensions": "guess"}, InputError, "tensions: expected 'modelled' or 'eliminated'"),
        (
            {"parameters": ["motor-left.dry_slope"]},
            InputError,
            "not linear in motor-left.dry_slope",
        ),
        ({"prepare": Preparation(cutoff=300.0)}, InputError, "cutoff: expected less than half"),
        ({"prepare": Preparation(cutoff=0.06)}, LogError, "nothing is left of the log"),
    ],
)
def test_what_cannot_be_done_is_said(swing, how, error, says):
    with pytest.raises(error, match=says):
        identify(seen(swing, Sensors(), 0), swing.system, **how)


def test_a_log_of_another_robot_is_refused(swing):
    with pytest.raises(LogError, match="'x2' is not in the log; this model needs x1, x2"):
        identify(seen(swing, Sensors(), 0), chorda.assemble(chorda.neck(2)))


@pytest.mark.parametrize(
    "wrong", [{"stencil": 3}, {"cutoff": -1.0}, {"rate": np.nan}, {"interpolation": "sinc"}]
)
def test_preparation_is_checked(wrong):
    with pytest.raises(InputError, match=f"{next(iter(wrong))}: expected"):
        Preparation(**wrong)


def test_a_wrong_sign_of_the_torques_is_not_reported_as_a_fact():
    system = chorda.assemble(chorda.load("fasquelle-3"))
    log = experiment(system, duration=15.0)
    turned = {
        name: replace(c, value=-c.value) if name.endswith(".torque") else c
        for name, c in log.channels.items()
    }
    found = identify(replace(log, channels=turned), system)
    negative = [x for x in found.estimates if x.high < 0]
    assert negative
    assert all(x.verdict == "poorly identified" for x in negative)
    assert all("it came out negative, which it cannot be" in x.why for x in negative)


def test_a_log_of_another_robot_is_told():
    log = experiment(chorda.assemble(chorda.neck(1)), duration=10.0)
    other = chorda.neck(1).model_copy(update={"name": "my-neck"})
    told = "The log says that it is one of neck-1, not of my-neck."
    assert told in identify(log, other).notes
    assert told not in identify(log, chorda.neck(1)).notes


def test_a_clock_that_the_motion_does_not_tell_is_left_alone():
    system = chorda.assemble(chorda.neck(1), "rigid")
    log = experiment(system, duration=10.0, sensors=Sensors(current_noise=0.1))
    found = identify(log, system)
    assert found.offsets == {"camera": 0.0}
    assert any("The clock of camera cannot be compared" in note for note in found.notes)


def test_the_misfit_is_small_for_the_right_model_and_large_for_a_wrong_one():
    system = chorda.assemble(chorda.load("fasquelle-3-pulleys"))
    log = experiment(system, duration=20.0, sensors=Sensors(current_ripple=0.0))
    right, wrong = identify(log, system), identify(log, chorda.load("fasquelle-3"))
    assert right.misfit < 0.15
    assert wrong.misfit > 1.5 * right.misfit
