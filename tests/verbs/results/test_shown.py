"""Objects show what they are in a line, in tables of notebooks, and in names that complete."""

import subprocess
import sys
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import pytest

import chorda
from chorda.dynamics.schemes import REFERENCE, SCHEMES, SchemeName
from chorda.errors import InputError
from tests.helpers.logs import two_rates


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.neck(2))


@pytest.fixture(scope="module")
def swing(system):
    return chorda.simulate(system, duration=0.1, step=1e-2, initial={"x1": 0.3})


@pytest.fixture(scope="module")
def rest(system):
    return chorda.equilibrium(system, tensions=5.0)


def cells(shown):
    """Rows of the table that a notebook shows."""
    root = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
    return [[x.text or "" for x in row] for row in root.iter("tr")]


def test_robots_and_logs_are_short(system):
    assert repr(system.robot) == "<Robot neck-2: 2 joints, 3 tendons, 3 actuators>"
    assert len(repr(two_rates())) < 200


def test_a_robots_table_has_its_joints_and_tendons(system):
    assert ["x2", "x", "x1.top"] in cells(system.robot)
    assert ["left", "tendon", "motor-left"] in cells(system.robot)


def test_a_systems_table_has_coordinates_and_inputs(system):
    assert ["x1", "rad", "joint"] in cells(system)
    assert ["motor-left", "N m", "input: motor"] in cells(system)


def test_tables_of_results_have_their_numbers(swing, rest):
    x1 = next(row for row in cells(swing) if row[0] == "x1")
    values = swing.position[:, 0]
    ends = values[0], values[-1], values.min(), values.max()
    assert [float(x) for x in x1[2:]] == pytest.approx(ends, rel=1e-3)
    left = next(row for row in cells(rest) if row[0] == "tension left")
    assert float(left[2]) == pytest.approx(5.0)


def test_a_table_is_no_way_into_the_page(system):
    hostile = system.robot.model_copy(update={"title": "<script>alert(1)</script>"})
    assert "<script>" not in hostile._repr_html_()


def test_long_tables_say_how_much_more_there_is():
    assert "more rows" in chorda.assemble(chorda.neck(12))._repr_html_()


def test_a_table_of_a_run_computes_nothing_that_takes_long(system):
    fresh = chorda.simulate(system, duration=0.1, step=1e-2)
    fresh._repr_html_()
    assert not {"outputs", "data", "energy", "events"} & set(vars(fresh))


def test_names_complete_and_each_is_there(swing):
    names = swing._ipython_key_completions_()
    assert {"tension", "x1", "x1.rate", "motor-left", "kinetic_energy"} <= set(names)
    assert all(swing[name].shape[0] == len(swing.time) for name in names)
    np.testing.assert_array_equal(swing["x2"], swing.position[:, 1])
    np.testing.assert_array_equal(swing["tension"], swing.outputs["tension"])
    with pytest.raises(InputError, match="run: 'tensions' is not there; did you mean tension"):
        swing["tensions"]


def test_an_equilibrium_has_its_coordinates_and_tensions_by_name(rest):
    names = rest._ipython_key_completions_()
    assert {"x1", "motor-left", "left"} <= set(names)
    assert rest["x2"] == rest.position["x2"]
    assert rest["left"] == pytest.approx(5.0)
    with pytest.raises(InputError, match="equilibrium: 'lef' is not there; did you mean left"):
        rest["lef"]


@pytest.mark.parametrize("name", ["robot", "system", "swing", "rest", "path", "members"])
def test_attributes_complete_with_tab(name, system, swing, rest, tmp_path, monkeypatch):
    """By jedi, which IPython asks: it gives up on an object where one annotation is not to it."""
    jedi = pytest.importorskip("jedi")
    monkeypatch.setattr("jedi.settings.cache_directory", str(tmp_path))  # processes tear the other
    path = chorda.follow(rest, tensions=6.0, points=2)
    members = chorda.rollout(system, duration=0.01, step=1e-2)
    known = {"robot": system.robot, "system": system, "swing": swing, "rest": rest}
    known |= {"path": path, "members": members}
    found = {x.name for x in jedi.Interpreter(f"{name}.", [known]).complete()}
    assert found >= {x for x in dir(known[name]) if not x.startswith("_")}


def test_modules_are_there_after_the_import_of_chorda():
    code = "import chorda; chorda.view.embedded, chorda.continuous.follow, chorda.control.Sine"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_of_schemes_are_known_to_editors():
    assert set(get_args(SchemeName)) == {*SCHEMES, REFERENCE}


def test_names_of_schemes_complete_with_tab(tmp_path, monkeypatch):
    jedi = pytest.importorskip("jedi")
    monkeypatch.setattr("jedi.settings.cache_directory", str(tmp_path))
    found = {x.name for x in jedi.Interpreter("chorda.schemes.", [{"chorda": chorda}]).complete()}
    known = {x.replace("-", "_"): x for x in (*SCHEMES, REFERENCE)}
    assert found >= set(known)
    assert {x: getattr(chorda.schemes, x) for x in known} == known


def test_dir_shows_what_is_public():
    assert dir(chorda) == sorted(chorda.__all__)
    assert all(hasattr(chorda, name) for name in dir(chorda))


def test_a_dataframe_is_the_table_of_a_run(swing, tmp_path):
    frame = swing.to_dataframe()
    np.testing.assert_array_equal(frame.index, swing.time)
    np.testing.assert_array_equal(frame["x1 [rad]"], swing.position[:, 0])
    header = swing.to_csv(tmp_path / "run.csv").read_text().splitlines()[0]
    assert header.split(",") == [frame.index.name, *frame.columns]
