"""Maps, paths and transmissions keep to cables whose turns about pulleys are counted."""

import numpy as np
import pytest

import chorda
from chorda.describe import KelvinVoigt
from chorda.errors import InputError, LogError
from chorda.identification import Channel, Log
from tests.exact.test_turns import gantry

LAW = KelvinVoigt(stiffness=40.0, pretension=1.0)


@pytest.fixture(scope="module")
def system():
    return gantry(LAW)


@pytest.mark.parametrize("way", ["flooding", "grid"])
def test_cells_that_no_equilibrium_may_have_are_marked(system, way):
    """Straight behind the pulley the cable has turned by half a turn."""
    first = chorda.equilibrium(system, hold={"x": 0.0, "y": 0.4})
    over = {"x": (-1.0, 0.2, 4), "y": (-0.4, 0.4, 5)}
    found = chorda.workspace(first, over, way=way, progress=False, jobs=1)
    told = found.why == "winding-limit"
    assert told.any()
    assert found.counts["winding-limit"] == np.sum(told)
    assert "winding-limit" in found.status.message
    for cell in np.ndindex(found.shape):
        held = {name: x[i] for name, x, i in zip(found.names, found.values, cell, strict=True)}
        alone = chorda.equilibrium(system, hold=held)
        assert alone.status.ok == bool(found.reached[cell])
        assert told[cell] or alone.status.code != "winding-limit"
    assert not np.any(found.usable & told)


def test_flooding_does_not_step_over_the_edge(system):
    """A strip behind the pulley: what lies below is not reached from above."""
    first = chorda.equilibrium(system, hold={"x": -1.0, "y": 0.3})
    strip = {"x": (-1.1, -0.9, 3), "y": (-0.3, 0.3, 4)}
    found = chorda.workspace(first, strip, progress=False, jobs=1)
    assert np.all(found.reached[:, 2:])
    assert np.all(found.why[:, 1] == "winding-limit")
    assert not np.any(found.reached[:, :2])


def test_a_saved_map_keeps_the_mark(system, tmp_path):
    first = chorda.equilibrium(system, hold={"x": -1.0, "y": 0.3})
    strip = {"x": (-1.1, -0.9, 3), "y": (-0.3, 0.3, 4)}
    found = chorda.workspace(first, strip, progress=False, jobs=1, save=tmp_path / "map.nc")
    again = chorda.open_workspace(tmp_path / "map.nc")
    assert np.array_equal(again.why, found.why)


@pytest.mark.parametrize("points", [1, 2, 7])
def test_a_path_does_not_step_over_the_edge(system, points):
    """Both ends are allowed, seen from the reference configuration; the way between is not."""
    first = chorda.equilibrium(system, hold={"x": -1.0, "y": 0.1})
    path = chorda.follow(first, hold={"y": -0.1}, points=points)
    assert path.status.code == "winding-limit"
    assert path.q[-1, 1] > 0


def test_a_transmission_beyond_is_refused(system):
    with pytest.raises(InputError, match=r"q: Tendon 'cable' has turned by half a turn"):
        chorda.transmission(gantry(), {"x": -0.6, "y": 0.01})
    assert chorda.transmission(gantry(), {"x": -0.6, "y": 0.3}).B.shape == (1, 2)


def test_points_of_a_sweep_are_marked(system):
    study = {
        "robot": system.robot.model_dump(mode="json"),
        "vary": [{"name": "hold.y", "kind": "list", "at": [0.4, 0.0, -0.4]}],
        "compute": {"kind": "equilibrium", "hold": {"x": -1.0, "y": 0.0}},
    }
    found = chorda.sweep(study, progress=False)
    assert found.data.status.values.tolist() == ["converged", "winding-limit", "converged"]


@pytest.mark.parametrize(("end", "refused"), [(0.1, False), (-0.2, True)])
def test_a_log_of_a_motion_beyond_is_refused(end, refused):
    """Around the pulley, and down behind it, below its axis or not."""
    system = gantry()
    time = np.linspace(0, 2, 401)
    angle = np.linspace(0, np.pi - np.arcsin(end / 0.6), len(time))
    moved = {"x": 0.6 * np.cos(angle) - 0.3, "y": 0.6 * np.sin(angle), "pull.tension": 1 + 0 * time}
    units = {"x": "m", "y": "m", "pull.tension": "N"}
    log = Log({k: Channel(k, units[k], time, x, "encoder") for k, x in moved.items()}, "made")
    if refused:
        with pytest.raises(
            LogError, match=r"made: Tendon 'cable' has turned by half a turn .* t ="
        ):
            chorda.identify(log, system, ["*.mass"])
    else:
        assert chorda.identify(log, system, ["*.mass"]).estimates
