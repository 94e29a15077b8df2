"""A virtual experiment: a motion that obeys the dynamics, and sensors that err as they say."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import chorda
from chorda.control import JointControl, MotorPD, PointToPoint, Sine
from chorda.errors import InputError, SolveError
from chorda.identification import Sensors, experiment, signals
from chorda.identification.virtual.experiment import default_motion
from tests.helpers.recordings import finger

IDEAL = Sensors.ideal()
STRONG = {"*t.stiffness": 1e4, "right*.stiffness": 1e4}  # N/m, as in the prototype


@cache
def neck(joints=3):
    return chorda.assemble(chorda.neck(joints))


@cache
def log(seed=0, duration=12.0, **changes):
    return experiment(neck(), duration=duration, seed=seed, sensors=replace(Sensors(), **changes))


@cache
def exact(duration=12.0):
    return experiment(neck(), duration=duration, sensors=IDEAL)


def at(channel, time):
    """The channel's exact signal at other times."""
    return make_interp_spline(channel.time, channel.value, 5)(time)


def test_a_log_covers_the_signals_and_remembers_the_truth():
    assert list(log().channels) == [wanted.name for wanted in signals(neck())]
    assert log().truth == dict(zip(neck().parameter_names, neck().parameter_values, strict=True))
    assert log().about["sensors"]["encoder_rate"] == 500.0
    assert log().about["seed"] == 0


def test_changed_parameters_are_the_truth():
    made = experiment(neck(), duration=0.2, parameters={"motor-left.inertia": 2e-4})
    assert made.truth["motor-left.inertia"] == 2e-4
    assert made.truth["motor-right1.inertia"] == 1e-4


def test_encoders_and_camera_have_their_rates_and_clocks():
    left, x1 = log().channels["motor-left"], log().channels["x1"]
    assert (left.sensor, x1.sensor) == ("encoder", "camera")
    assert log().channels["motor-left.torque"].sensor == "encoder"
    assert left.time == pytest.approx(np.arange(6001) / 500)
    frames = (x1.time - 0.04) * 30
    assert frames == pytest.approx(np.round(frames), abs=1e-9)
    assert x1.time[-1] <= 12.0


def test_encoders_round_to_counts():
    left, true = log().channels["motor-left"], exact().channels["motor-left"]
    counts = left.value / (2 * np.pi / 2000)
    assert counts == pytest.approx(np.round(counts), abs=1e-6)
    error = left.value - true.value
    step = 2 * np.pi / 2000
    assert np.max(np.abs(error)) <= step / 2 * (1 + 1e-9)
    assert np.std(error) == pytest.approx(step / np.sqrt(12), rel=0.1)


def test_noise_has_its_standard_deviation():
    noisy = log(camera_noise=0.002, current_noise=2e-4, current_ripple=0.0)
    sees = noisy.channels["x1"]
    error = sees.value - at(exact().channels["x1"], sees.time - 0.04)
    n = len(error)
    assert np.std(error) == pytest.approx(0.002, rel=4 / np.sqrt(2 * n))
    assert abs(np.mean(error)) < 4 * 0.002 / np.sqrt(n)
    felt, true = noisy.channels["motor-left.torque"], exact().channels["motor-left.torque"]
    error = felt.value - true.value
    expected = np.hypot(2e-4, 5e-5 / np.sqrt(12))
    assert np.std(error) == pytest.approx(expected, rel=4 / np.sqrt(2 * len(error)))
    steps = felt.value / 5e-5
    assert steps == pytest.approx(np.round(steps), abs=1e-6)


def test_ripple_has_its_deviation_and_its_time():
    rippled = log(current_noise=0.0, current_resolution=0.0, current_ripple=1e-3, ripple_time=0.02)
    name = "motor-left.torque"
    error = rippled.channels[name].value - exact().channels[name].value
    independent = len(error) / (2 * 0.02 * 500)
    assert np.std(error) == pytest.approx(1e-3, rel=4 / np.sqrt(2 * independent))
    later = np.corrcoef(error[:-10], error[10:])[0, 1]  # 10 samples of 2 ms: one ripple time
    assert later == pytest.approx(np.exp(-1), abs=4 / np.sqrt(independent))


def test_a_frame_shows_the_configuration_before_its_stamp():
    sees = log(camera_noise=0.0, camera_latency=0.1).channels["x2"]
    true = exact().channels["x2"]
    assert sees.value == pytest.approx(at(true, sees.time - 0.1), abs=1e-6)
    assert np.max(np.abs(sees.value - at(true, sees.time))) > 0.05


def test_frames_are_lost_for_all_joints_together():
    seen = [log(camera_dropped=0.2).channels[name].time for name in ("x1", "x2", "x3")]
    whole = log(camera_dropped=0.0).channels["x1"].time
    assert len(whole) == 359
    lost = 1 - len(seen[0]) / len(whole)
    assert lost == pytest.approx(0.2, abs=4 * np.sqrt(0.2 * 0.8 / 359))
    assert np.array_equal(seen[0], seen[1])
    assert np.array_equal(seen[0], seen[2])
    assert np.all(np.isin(seen[0], whole))


def test_the_same_seed_makes_the_same_log_and_others_differ():
    again = experiment(neck(), duration=12.0, seed=0)
    other = log(seed=1)
    for name, channel in log().channels.items():
        assert np.array_equal(channel.value, again.channels[name].value)
        n = min(len(channel.value), len(other.channels[name].value))
        assert not np.array_equal(channel.value[:n], other.channels[name].value[:n])


def test_changing_one_sensor_leaves_the_errors_of_the_others():
    quiet = log(camera_noise=0.0, camera_dropped=0.0)
    torque = log().channels["motor-left.torque"].value
    assert np.array_equal(quiet.channels["motor-left.torque"].value, torque)


def test_ideal_sensors_reproduce_the_run():
    control = JointControl(Sine.from_rest([0.3, 0.2, 0.1]), frequency=6.0, minimum_tension=20.0)
    how = {"initial": {"tension": 25.0}, "scheme": "rosenbrock", "step": 1e-3, "duration": 1.0}
    made = experiment(neck(), control=control, sensors=IDEAL, **how)
    run = chorda.simulate(neck(), control=control, **how)
    for k, name in enumerate(neck().coordinate_names):
        assert made.channels[name].value == pytest.approx(run.position[::2, k], abs=1e-12)
    held = (run.input[1:-1] + run.input[:-2]) / 2  # the mean of what acted before and after
    assert made.channels["motor-left.torque"].value[1:-1] == pytest.approx(held[1::2, 3])
    assert {c.sensor for c in made.channels.values()} == {"encoder"}


def residual(made, system):
    """Of the equations of motion, by differentiating splines through the log."""
    q = np.column_stack([made.channels[name].value for name in system.coordinate_names])
    u = np.column_stack([made.channels[f"{i.name}.torque"].value for i in system.inputs])
    time = made.channels[system.coordinate_names[0]].time
    spline = make_interp_spline(time, q, 5)
    inner = slice(50, -50)
    p = system.parameters(dict(made.truth))
    p = np.repeat(p[:, None], len(time), 1)
    r = system.residual(q.T, spline(time, 1).T, spline(time, 2).T, u.T, p).full().T[inner]
    return np.sqrt(np.mean(r**2, axis=0)), np.sqrt(np.mean(u[inner] ** 2))


@pytest.mark.parametrize("robot", ["neck", "strong", "finger"])
def test_logged_torques_balance_the_logged_motion(robot):
    """Joints to 1e-4 of a typical moment, motors to 1e-4 of their torques."""
    system = chorda.assemble(finger()) if robot == "finger" else neck()
    made = experiment(
        system,
        duration=4.0,
        sensors=Sensors.ideal(1000),
        step=2.5e-4,
        parameters=STRONG if robot == "strong" else None,
    )
    found, torque = residual(made, system)
    n = system.nq - system.nu
    assert np.all(found[n:] < 1e-4 * torque)
    assert np.all(found[:n] < 1e-4)


@pytest.mark.parametrize("joints", [3, 4])
def test_halving_the_step_shrinks_the_error_and_moves_joints_less_than_noise(joints):
    """The controller's period is the step: its delay of half a step moves the motion a little."""
    system = neck(joints)
    coarse, fine = (
        experiment(system, duration=4.0, sensors=Sensors.ideal(1 / h), step=h) for h in (1e-3, 5e-4)
    )
    errors = [residual(made, system)[0][joints:] for made in (coarse, fine)]
    assert np.all(errors[0] > 2.5 * errors[1])  # second order, less what splines add
    for name in system.coordinate_names[:joints]:
        change = np.abs(coarse.channels[name].value - fine.channels[name].value[::2])
        assert np.max(change) < 0.002


@pytest.mark.parametrize("robot", ["neck-4", "finger", "fasquelle-3", "fasquelle-3-pulleys"])
def test_default_motion_and_control_move_every_robot(robot):
    system = chorda.assemble(finger() if robot == "finger" else chorda.load(robot))
    made = experiment(system, duration=20.0, sensors=Sensors(current_noise=0, current_ripple=0))
    wanted = default_motion(system)
    for k, c in enumerate(c for c in system.coordinates if c.kind == "joint"):
        sees = made.channels[c.name]
        assert np.ptp(sees.value) > 0.5
        follows = sees.value - wanted(sees.time - 0.04)[0][:, k]
        assert np.std(follows) < 0.4 * np.std(sees.value)
    for item in system.inputs:
        torque = made.channels[f"{item.name}.torque"].value
        assert np.max(torque) < 3e-3  # it pulls, but for what friction takes
        assert np.min(torque) > -0.3


def test_rigid_tendons_have_no_encoders_but_inputs():
    system = chorda.assemble(chorda.neck(3), "rigid")
    made = experiment(system, duration=1.0)
    assert list(made.channels)[:4] == ["x1", "x2", "x3", "motor-right1.torque"]


def test_a_motion_that_starts_elsewhere_is_started_there():
    made = experiment(
        neck(), PointToPoint([0.2, 0.1, 0.0], [0.0, 0.2, 0.1], 1.0), duration=1.0, sensors=IDEAL
    )
    assert made.channels["x1"].value[0] == 0.2
    assert made.channels["x1"].value[-1] == pytest.approx(0.0, abs=0.05)


def test_a_run_that_fails_gives_its_sentence():
    control = MotorPD(Sine([1.0] * 4), 1.0, 0.0)
    with pytest.raises(SolveError, match="t = "):
        experiment(neck(), control=control, duration=2.0, step=2e-3, scheme="explicit-euler")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"seed": -1}, "seed: expected a whole number"),
        ({"seed": 0.5}, "seed: expected a whole number"),
        ({"duration": -1.0}, "duration: expected a positive"),
        (
            {"control": MotorPD(Sine([0.0] * 4), 1.0, 0.0), "reference": Sine([0.1] * 3)},
            "give one of both",
        ),
        ({"reference": Sine([0.1])}, "reference: expected 3 coordinates"),
    ],
)
def test_arguments_are_checked(how, says):
    with pytest.raises(InputError, match=says):
        experiment(neck(), **how)


@pytest.mark.parametrize(
    "wrong",
    [
        {"camera_noise": -1.0},
        {"encoder_rate": 0.0},
        {"camera_rate": np.nan},
        {"camera_dropped": 1.0},
    ],
)
def test_sensors_are_checked(wrong):
    with pytest.raises(InputError, match=f"sensors.{next(iter(wrong))}: expected"):
        Sensors(**wrong)


def test_a_robot_is_no_system():
    with pytest.raises(InputError, match=r"what chorda\.assemble"):
        experiment(chorda.neck(1))


def test_amplitude_and_tension_can_be_chosen():
    system = neck()
    small = default_motion(system, amplitude=0.1)
    assert np.max(np.abs(small(np.linspace(5, 15, 500))[0])) == pytest.approx(0.1, rel=0.01)
    made = experiment(system, small, duration=5.0, tension=8.0, sensors=IDEAL)
    torque = made.channels["motor-left.torque"].value
    assert np.max(torque) < 0
    assert np.mean(torque) > -0.02  # 20 N would take more than that, with friction
    with pytest.raises(InputError, match="amplitude: expected a positive number, got -1"):
        default_motion(system, amplitude=-1.0)


def test_a_start_that_no_tensions_hold_is_told():
    robot = chorda.neck(1)
    one = robot.model_copy(update={"tendons": robot.tendons[:1], "actuators": robot.actuators[:1]})
    with pytest.raises(InputError, match="control: "):
        experiment(chorda.assemble(one), duration=1.0)
