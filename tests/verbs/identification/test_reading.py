"""Logs read from every format, in any unit, with any names, are the signals that were written."""

import numpy as np
import pytest
from scipy.io import savemat

import chorda
from chorda.describe import KelvinVoigt, TensionActuator
from chorda.errors import LogError
from chorda.identification import read_log, write_log
from tests.helpers.logs import PAY, columns, neck, two_rates, write_csv
from tests.helpers.robots import hung_slider

FORMATS = (".csv", ".tsv", ".parquet", ".mat", ".nc")


def assert_same(log, data=None):
    for name, value in (data or columns()).items():
        if name != "time":
            assert log.channels[name].value == pytest.approx(value, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_written_log_reads_back_exactly(tmp_path, ending):
    log = two_rates()
    back = read_log(write_log(log, tmp_path / f"log{ending}"), neck())
    assert list(back.channels) == list(log.channels)
    for name, channel in log.channels.items():
        found = back.channels[name]
        assert np.array_equal(found.time, channel.time)
        assert np.array_equal(found.value, channel.value)
        assert (found.unit, found.sensor) == (channel.unit, channel.sensor)
    assert back.truth == log.truth
    assert back.about == log.about
    assert back.source.endswith(ending)


def test_a_csv_header_carries_units_and_comments_the_truth(tmp_path):
    text = write_log(two_rates(), tmp_path / "log.csv").read_text().splitlines()
    assert text[0] == '# truth: {"x1.friction": 0.30000000000000004}'
    assert text[3].startswith("time [s],x1 [rad],motor-right1 [rad]")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_separator_and_comments_are_read(tmp_path, separator):
    path = write_csv(tmp_path / "log.csv", columns(), ("# recorded on a Monday",), separator)
    assert_same(read_log(path, neck()))


def test_decimal_commas_are_read(tmp_path):
    path = write_csv(tmp_path / "log.csv", columns(), separator=";")
    path.write_text(
        path.read_text().replace("time;", "TIME;").replace(".", ",").replace(",torque", ".torque")
    )
    assert_same(read_log(path, neck(), {"time": "TIME"}))


def test_the_header_that_numpy_writes_as_a_comment_is_read(tmp_path):
    data, path = columns(), tmp_path / "log.csv"
    np.savetxt(path, np.column_stack(list(data.values())), delimiter=",", header=",".join(data))
    assert read_log(path, neck()).channels["x1"].value == pytest.approx(data["x1"])


@pytest.mark.parametrize(
    ("name", "unit", "size"),
    [
        ("x1", "deg", np.pi / 180),
        ("x1", "degrees", np.pi / 180),
        ("motor-left", "turn", 2 * np.pi),
        ("motor-left", "rev", 2 * np.pi),
        ("motor-left.torque", "mN m", 1e-3),
        ("motor-left.torque", "mNm", 1e-3),
        ("motor-left.torque", "N.m", 1.0),
        ("time", "ms", 1e-3),
        ("time", "us", 1e-6),
    ],
)
@pytest.mark.parametrize("brackets", ["[]", "()", None])
def test_units_are_converted(tmp_path, name, unit, size, brackets):
    data = columns()
    data[name] = data[name] / size
    given = {name: {"unit": unit}} if brackets is None else None
    if brackets:
        data = {
            f"{k} {brackets[0]}{unit}{brackets[1]}" if k == name else k: x for k, x in data.items()
        }
    log = read_log(write_csv(tmp_path / "log.csv", data), neck(), given)
    assert_same(log)
    assert log.channels["x1"].time == pytest.approx(columns()["time"])


@pytest.mark.parametrize(("unit", "size"), [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)])
def test_a_slide_may_be_in_millimetres(tmp_path, unit, size):
    system = chorda.assemble(hung_slider(TensionActuator(name="pull"), KelvinVoigt(stiffness=1e4)))
    t = columns()["time"]
    slide, pull = 0.02 * np.sin(2 * t), 20 + np.cos(3 * t)
    data = {"time": t, f"s [{unit}]": slide / size, "pull.tension [kN]": pull / 1e3}
    log = read_log(write_csv(tmp_path / "log.csv", data), system)
    assert_same(log, {"s": slide, "pull.tension": pull})


def test_columns_are_mapped_scaled_and_shifted(tmp_path):
    data = columns()
    data["t"] = data.pop("time")
    data["bend"] = data.pop("x1") * 2 - 1
    data["current [A]"] = data.pop("motor-left.torque") / 0.05
    given = {
        "time": "t",
        "x1": {"column": "bend", "scale": 0.5, "offset": 0.5},
        "motor-left.torque": {"column": "current", "scale": 0.05, "sensor": "actuator"},
    }
    path = write_csv(tmp_path / "log.csv", data)
    log = read_log(path, neck(), given)
    assert_same(log)
    assert log.channels["motor-left.torque"].sensor == "actuator"
    (tmp_path / "columns.yaml").write_text(
        "time: t\nx1: {column: bend, scale: 0.5, offset: 0.5}\n"
        "motor-left.torque: {column: current, scale: 0.05}\n"
    )
    assert_same(read_log(path, neck(), tmp_path / "columns.yaml"))


@pytest.mark.parametrize("named", [True, False])
def test_a_force_at_the_tendon_becomes_the_torque_that_pulls_as_much(tmp_path, named):
    """Positive angles pay out, so that a pull of f newtons takes the torque -B f."""
    data = columns()
    force = -data.pop("motor-left.torque") / PAY
    data["pull [kN]" if named else "motor-left.force"] = force / (1000 if named else 1)
    given = {"motor-left.force": "pull"} if named else None
    log = read_log(write_csv(tmp_path / "log.csv", data), neck(), given)
    assert_same(log)
    assert force.min() > 0


def test_a_motor_that_holds_a_force_holds_the_tension_of_that_force():
    """The sign and size of the conversion against the mechanics."""
    system = neck()
    held = chorda.equilibrium(system, tensions=20.0)
    assert held.u == pytest.approx([-PAY * 20.0] * 2)


def test_blank_cells_are_times_at_which_a_sensor_did_not_measure(tmp_path):
    data = columns()
    seen = np.arange(len(data["time"])) % 8 == 0
    data["x1"] = np.where(seen, data["x1"], np.nan)
    log = read_log(write_csv(tmp_path / "log.csv", data), neck())
    assert np.array_equal(log.channels["x1"].time, data["time"][seen])
    assert len(log.channels["motor-left"].time) == len(data["time"])
    assert (log.channels["x1"].sensor, log.channels["motor-left"].sensor) == ("camera", "encoder")


def test_rows_of_several_sensors_may_stand_one_after_the_other(tmp_path):
    log = two_rates()
    slow, fast = log.channels["x1"].time, log.channels["motor-left"].time
    none = np.full(len(slow), np.nan)
    data = {"time": np.concatenate([fast, slow])}
    for name, c in log.channels.items():
        blank = (np.full(len(fast), np.nan), c.value) if name == "x1" else (c.value, none)
        data[name] = np.concatenate(blank)
    back = read_log(write_csv(tmp_path / "log.csv", data), neck())
    assert np.array_equal(back.channels["x1"].time, slow)
    assert np.array_equal(back.channels["motor-left"].value, log.channels["motor-left"].value)


def test_joints_measured_with_the_actuators_share_their_sensor(tmp_path):
    data = columns()
    data["motor-left"][7] = np.nan
    log = read_log(write_csv(tmp_path / "log.csv", data), neck())
    assert {c.sensor for c in log.channels.values()} == {"encoder"}


def test_a_matlab_file_may_hold_matrices_structs_and_two_clocks(tmp_path):
    log, data = two_rates(), columns()
    content = {
        "t": data["time"] * 1000,
        "theta": np.column_stack([data["motor-right1"], data["motor-left"]]),
        "actuator": {"right": data["motor-right1.torque"], "left": data["motor-left.torque"]},
        "t_video": log.channels["x1"].time * 1000,
        "x1": log.channels["x1"].value,
    }
    savemat(tmp_path / "log.mat", content)
    given = {
        "time": {"column": "t", "unit": "ms"},
        "x1": {"time": "t_video"},
        "motor-right1": "theta(:,1)",
        "motor-left": "theta(:,2)",
        "motor-right1.torque": "actuator.right",
        "motor-left.torque": "actuator.left",
    }
    back = read_log(tmp_path / "log.mat", neck(), given)
    assert back.channels["x1"].time == pytest.approx(log.channels["x1"].time)
    assert back.channels["x1"].sensor == "camera"
    del data["x1"]
    assert_same(back, data)


def test_a_matlab_file_of_version_7_3_is_read(tmp_path):
    import h5py

    path = tmp_path / "log.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, x in columns().items():
            file[name.replace("-", "_").replace(".", "_")] = x[None, :]
    with path.open("r+b") as file:
        head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
        file.write(head)
    assert_same(read_log(path, neck()))


@pytest.mark.parametrize("ending", [".nc", ".csv"])
def test_a_saved_run_is_a_log_with_its_parameters_as_the_truth(tmp_path, ending):
    run = chorda.simulate(
        neck(),
        duration=0.5,
        step=2e-3,
        initial={"x1": 0.2, "tension": 10.0},
        inputs=lambda t: [-0.01 - 0.001 * t, -0.01],
    )
    path = tmp_path / f"run{ending}"
    (run.save if ending == ".nc" else run.to_csv)(path)
    with pytest.raises(LogError, match=r"motor-left.*expected a signal that changes"):
        read_log(path, neck())
    run = chorda.simulate(
        neck(),
        duration=0.5,
        step=2e-3,
        initial={"x1": 0.2, "tension": 10.0},
        inputs=lambda t: [-0.01 - 0.001 * t, -0.01 + 0.001 * t],
    )
    (run.save if ending == ".nc" else run.to_csv)(path)
    log = read_log(path, neck())
    assert log.channels["x1"].value == pytest.approx(run.position[:, 0])
    assert log.channels["motor-left.torque"].value == pytest.approx(run.input[:, 1])
    if ending == ".nc":
        assert log.truth["motor-left.inertia"] == 1e-4


def test_a_parquet_file_of_a_data_frame_is_read(tmp_path):
    pandas = pytest.importorskip("pandas")
    data = columns()
    data["x1 [deg]"] = np.degrees(data.pop("x1"))
    data["comment"] = ["ok"] * len(data["time"])
    pandas.DataFrame(data).to_parquet(tmp_path / "log.parquet")
    assert_same(read_log(tmp_path / "log.parquet", neck()))


def test_short_gaps_are_remembered(tmp_path):
    data = columns(np.arange(5001) / 250)
    data["x1"][1000:1200] = np.nan
    log = read_log(write_csv(tmp_path / "log.csv", data), neck())
    [(name, start, end)] = log.about["gaps"]
    assert (name, start, end) == ("x1", pytest.approx(3.996), pytest.approx(4.8))
