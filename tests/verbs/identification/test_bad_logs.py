"""Every bad log is refused with a sentence: file, column, what was expected, what to do."""

import builtins

import numpy as np
import pytest

from chorda.errors import LogError
from chorda.identification import read_log, write_log
from tests.helpers.logs import columns, neck, two_rates, write_csv


def refused(path, given=None):
    with pytest.raises(LogError) as caught:
        read_log(path, neck(), given)
    text = str(caught.value)
    assert path.name in text or given
    return text


def spoiled(tmp_path, given=None, **changes):
    """The sentence for a log with some columns replaced; a None removes one."""
    data = columns()
    for name, value in changes.items():
        name = name.replace("__", ".").replace("_", "-")
        if value is None:
            del data[name]
        else:
            data[name] = value(data[name].copy())
    return refused(write_csv(tmp_path / "log.csv", data), given)


def put(index, value):
    def change(x):
        x[index] = value
        return x

    return change


def test_a_missing_column_names_those_that_are_there_and_near(tmp_path):
    data = columns()
    data["Motor left angle"] = data.pop("motor-left")
    text = refused(write_csv(tmp_path / "log.csv", data))
    assert "column 'motor-left' is missing; did you mean Motor left angle" in text
    assert "Found: time, x1" in text
    assert "say in columns which of them holds motor-left" in text


def test_a_missing_time_is_named(tmp_path):
    assert "column 'time' is missing" in spoiled(tmp_path, time=None)


def test_a_mapped_column_that_is_missing_is_named(tmp_path):
    text = spoiled(tmp_path, {"x1": "bending"}, x1=lambda x: x)
    assert "column 'bending' is missing" in text


def test_a_signal_that_does_not_exist_cannot_be_mapped(tmp_path):
    text = spoiled(tmp_path, {"motor-lft": "x1"})
    assert "'motor-lft' is no signal of neck-1; did you mean motor-left" in text


def test_a_mapping_with_an_unknown_field_is_explained(tmp_path):
    text = spoiled(tmp_path, {"x1": {"units": "deg"}})
    assert "columns: x1: units: unknown field; did you mean 'unit'?" in text


def test_torque_and_force_together_are_ambiguous(tmp_path):
    both = {"motor-left.torque": "motor-left.torque", "motor-left.force": "x1"}
    assert "keep one" in spoiled(tmp_path, both)


def test_a_unit_of_something_else_is_refused(tmp_path):
    text = spoiled(tmp_path, {"x1": {"unit": "kg"}})
    assert "column 'x1': expected a unit among rad, mrad, deg, turn, got 'kg'" in text


def test_joint_angles_in_degrees_are_noticed(tmp_path):
    text = spoiled(tmp_path, x1=np.degrees)
    assert "column 'x1': expected values near the range -3.142 to 3.142" in text
    assert "is it in degrees? Give the unit" in text


def test_motor_angles_in_degrees_are_noticed(tmp_path):
    text = spoiled(tmp_path, motor_left=np.degrees)
    assert "column 'motor-left': expected an angle that pays out at most 3 times" in text
    assert "degrees, or in counts" in text


@pytest.mark.parametrize("size", [1e3, -1 / 8e-4])
def test_torques_in_other_units_are_noticed(tmp_path, size):
    text = spoiled(tmp_path, motor_left__torque=lambda x: x * size)
    assert "column 'motor-left.torque': expected a torque that pulls with at most 10000 N" in text
    assert "is it in mN m, or a force (motor-left.force)? Give the unit" in text


@pytest.mark.parametrize(("size", "unit"), [(1e3, "ms"), (1e6, "us")])
def test_times_in_other_units_are_noticed(tmp_path, size, unit):
    text = spoiled(tmp_path, time=lambda t: t * size)
    assert "expected samples 1e-05 to 0.2 s apart" in text
    assert f"is it in {unit}? Give the unit, time [{unit}]" in text


@pytest.mark.parametrize(("size", "unit"), [(1e3, "ms"), (1e6, "us")])
@pytest.mark.parametrize("where", ["header", "columns"])
def test_a_unit_of_time_that_is_stated_must_fit_the_times(tmp_path, size, unit, where):
    data = columns()
    data["time [s]" if where == "header" else "time"] = size * data.pop("time")
    given = {"time": {"unit": "s"}} if where == "columns" else None
    text = refused(write_csv(tmp_path / "log.csv", data), given)
    assert f"expected samples at most 0.2 s apart, got {0.004 * size:.4g} s" in text
    assert f"are they in {unit}? Correct the unit" in text


def test_times_that_are_too_close_are_noticed(tmp_path):
    assert "is its unit right?" in spoiled(tmp_path, time=lambda t: t * 1e-6)


def test_a_clock_that_jumps_back_names_the_line(tmp_path):
    def jump(t):
        t[500:] -= 1.0
        return t

    text = spoiled(tmp_path, time=jump)
    assert "line 502: expected increasing times, got 1 s, which comes after 1.996 s" in text


def test_a_time_that_is_there_twice_names_the_line(tmp_path):
    text = spoiled(tmp_path, time=put(10, 9 / 250))
    assert "line 12: expected increasing times, got 0.036 s, which is there twice" in text


@pytest.mark.parametrize("kept", [0, 15])
def test_too_few_samples_are_counted(tmp_path, kept):
    text = spoiled(tmp_path, x1=put(slice(kept, None), np.nan))
    assert f"column 'x1': expected at least 16 samples, got {kept}" in text


def test_a_stuck_sensor_is_noticed(tmp_path):
    text = spoiled(tmp_path, x1=lambda x: 0 * x + 0.25)
    assert "column 'x1': expected a signal that changes, got 0.25 in all 1001 samples" in text


def test_long_gaps_are_refused(tmp_path):
    text = spoiled(tmp_path, motor_left=put(slice(200, 400), np.nan))
    assert "column 'motor-left': expected at most 10% of the time without samples, got 20%" in text
    assert "from 0.796 to 1.6 s" in text


def test_sensors_that_measured_at_different_times_are_refused(tmp_path):
    data = columns()
    data["t2"], data["y"] = data["time"] + 3.0, data.pop("x1")
    path = write_csv(tmp_path / "log.csv", data)
    text = refused(path, {"x1": {"column": "y", "time": "t2"}})
    assert "got camera from 3 to 7 s and encoder from 0 to 4 s" in text


def test_text_in_a_column_names_the_line(tmp_path):
    def change(x):
        return [*x[:3], "oops", *x[4:]]

    data = columns()
    data["x1"] = change(data["x1"])
    text = refused(write_csv(tmp_path / "log.csv", data, ("# one", "# two")))
    assert "line 7, column 'x1': expected a number or a blank, got 'oops'" in text


@pytest.mark.parametrize("ending", [".csv", ".mat", ".nc", ".parquet"])
def test_an_empty_file_is_said_to_be_empty(tmp_path, ending):
    path = tmp_path / f"log{ending}"
    path.touch()
    assert "got an empty file" in refused(path)


def test_a_file_of_comments_is_empty(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("# nothing\n\n")
    assert "got an empty file" in refused(path)


def test_a_header_without_rows_has_too_few_samples(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(",".join(columns()) + "\n")
    assert "expected at least 16 samples, got 0" in refused(path)


def test_a_table_without_a_header_is_refused(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("0,1,2\n1,2,3\n")
    assert "line 1: expected a header" in refused(path)


def test_a_row_of_another_width_is_named(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,x1\n0,1\n1,2,3\n")
    assert "line 3: expected 2 cells as in the header, got 3" in refused(path)


def test_a_column_twice_is_refused(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,x1 [rad],x1 [deg]\n0,1,2\n")
    assert "column 'x1' appears twice" in refused(path)


@pytest.mark.parametrize("ending", [".csv", ".mat", ".nc", ".parquet"])
def test_binary_garbage_is_refused(tmp_path, ending):
    path = tmp_path / f"log{ending}"
    path.write_bytes(np.random.default_rng(1).bytes(4000))
    text = refused(path)
    assert "got binary data" in text or "something else or a damaged file" in text


@pytest.mark.parametrize("ending", [".mat", ".nc", ".parquet"])
def test_a_file_cut_short_is_refused(tmp_path, ending):
    path = write_log(two_rates(), tmp_path / f"log{ending}")
    path.write_bytes(path.read_bytes()[:3000])
    refused(path)


def test_infinity_names_the_line(tmp_path):
    text = spoiled(tmp_path, x1=put(4, np.inf))
    assert "column 'x1', line 6: expected finite numbers, got infinity" in text


def test_a_value_without_a_time_names_the_line(tmp_path):
    text = spoiled(tmp_path, time=put(4, np.nan))
    assert "line 6: expected a time in 'time', got none" in text


def test_columns_of_another_length_need_their_own_times(tmp_path):
    from scipy.io import savemat

    data = columns()
    data["x1"] = data["x1"][::8]
    path = tmp_path / "log.mat"
    savemat(path, {k.replace("-", "_").replace(".", "_"): x for k, x in data.items()})
    text = refused(path)
    assert "expected a value for each of the 1001 times in 'time', got 126" in text


@pytest.mark.parametrize(
    ("name", "says"),
    [("absent.csv", "no such file"), ("log.xlsx", "got '.xlsx'"), ("folder.csv", "a folder")],
)
def test_a_file_that_cannot_be_a_log_is_refused(tmp_path, name, says):
    (tmp_path / "folder.csv").mkdir()
    assert says in refused(tmp_path / name)
    if name == "log.xlsx":
        with pytest.raises(LogError, match=r"got '\.xlsx'"):
            write_log(two_rates(), tmp_path / name)


def test_a_file_that_may_not_be_read_is_refused(tmp_path, monkeypatch):
    path = write_csv(tmp_path / "log.csv", columns())

    def forbidden(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", forbidden)
    assert "cannot be read: Permission denied" in refused(path)


def test_a_path_that_is_no_path_is_refused():
    with pytest.raises(LogError, match="expected the name of a log's file"):
        read_log(3, neck())


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **more):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **more)

    path = write_log(two_rates(), tmp_path / "log.parquet")
    monkeypatch.setattr(builtins, "__import__", without)
    assert "pip install 'chorda[parquet]'" in refused(path)


def test_a_broken_note_names_its_line(tmp_path):
    path = write_csv(tmp_path / "log.csv", columns(), ("# truth: {oops",))
    assert "line 1: '# truth:' expected JSON" in refused(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [("- x1\n", "expected signals with their columns"), ("x1: [1\n", "not plain YAML")],
)
def test_a_bad_file_of_columns_is_explained(tmp_path, text, says):
    path = tmp_path / "columns.yaml"
    path.write_text(text)
    log = write_csv(tmp_path / "log.csv", columns())
    assert says in refused(log, path)
    assert "cannot be read" in refused(log, tmp_path / "absent.yaml")


def test_one_column_for_two_signals_is_refused(tmp_path):
    given = {"motor-left": "a", "motor-right1": "a"}
    text = refused(write_csv(tmp_path / "log.csv", columns()), given)
    assert "column 'a' is given for motor-left and motor-right1; each needs its own" in text
