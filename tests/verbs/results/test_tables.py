"""CSV and .mat files hold the same numbers under names with units."""

import csv
import json
import re

import numpy as np
from scipy.io import loadmat

from chorda.results import Table
from chorda.results.storage import table


def test_csv_has_a_unit_in_every_column_name(any_run, tmp_path):
    with any_run.to_csv(tmp_path / "run.csv").open(newline="") as file:
        header = next(csv.reader(file))
    assert header[0] == "time [s]"
    assert len(set(header)) == len(header)
    assert all(re.fullmatch(r".+ \[[^\]]+\]", name) for name in header)


def test_csv_names_coordinates_inputs_and_outputs(run, tmp_path):
    with run.to_csv(tmp_path / "run.csv").open(newline="") as file:
        header = next(csv.reader(file))
    for name in (
        "x1 [rad]",
        "x1.rate [rad/s]",
        "motor-left [rad]",
        "input motor-left [N m]",
        "tension left [N]",
        "elongation right1 [m]",
    ):
        assert name in header


def test_csv_reads_back_exactly(any_run, tmp_path):
    path = any_run.to_csv(tmp_path / "run.csv")
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    assert np.array_equal(rows, table(any_run)[1])
    nq = any_run.system.nq
    assert np.array_equal(rows[:, 0], any_run.time)
    assert np.array_equal(rows[:, 1 : 1 + nq], any_run.position)


def test_mat_reads_back_exactly(any_run, tmp_path):
    content = loadmat(any_run.to_mat(tmp_path / "run.mat"))
    assert np.array_equal(content["time"][:, 0], any_run.time)
    for name in ("position", "velocity"):
        assert np.array_equal(content[name], getattr(any_run, name))
    for name, values in any_run.outputs.items():
        assert np.array_equal(content[name], values)
    assert np.array_equal(content["parameters"].ravel(), any_run.parameters)


def test_mat_names_the_columns(run, tmp_path):
    content = loadmat(run.to_mat(tmp_path / "run.mat"))

    def words(name):
        return tuple(str(cell[0]) for cell in content[name].ravel())

    assert words("coordinate_names") == run.system.coordinate_names
    assert words("velocity_names") == tuple(name for name, _ in run.system.velocities)
    assert words("input_names") == ("motor-right1", "motor-right2", "motor-left")
    assert words("tension_names") == ("right1", "right2", "left")
    assert words("parameter_names") == run.system.parameter_names
    assert str(content["status"][0]) == run.status.message
    assert json.loads(str(content["provenance"][0])) == run.provenance


def test_a_table_prints_in_columns():
    made = Table("Title", ("a", "long head"), (("1", "x"), ("22", "y")), "Note.")
    assert str(made).splitlines() == [
        "Title",
        "",
        "a   long head",
        "-------------",
        "1   x",
        "22  y",
        "",
        "Note.",
    ]
