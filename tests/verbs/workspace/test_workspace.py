"""Workspaces: what a survey finds is what solving cell by cell finds, however it is done."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.results.cells import REACHED
from chorda.statics.problem import Problem
from chorda.statics.workspace.reaching import Walker
from tests.helpers.small_maps import LIMITS, OVER, equal

MOTORS = ["motor1", "motor2"]
SAME = 1e-7  # Newton's method leaves 1e-9 of the scales, and its last matrix less than that


@pytest.mark.parametrize("index", [(7, 12), (3, 9), (11, 6), (7, 8), (9, 3)])
def test_a_cell_is_where_a_path_to_it_ends(start, small, index):
    x, y = (values[i] for values, i in zip(small.values, index, strict=True))
    around = {"leg1.tip": {"x": [0.0, 0.4 * np.sign(x), x], "y": [0.7, 0.4, y]}}
    bend = np.linspace(0, 2, 81)
    way = {axis: np.interp(bend, [0, 1, 2], v) for axis, v in around["leg1.tip"].items()}
    path = chorda.follow(start, poses={"leg1.tip": way}, actuated=MOTORS, strict=True)
    found = small.at(*index)
    assert found.q == pytest.approx(path.q[-1], abs=SAME)
    assert list(found.efforts.values()) == pytest.approx(path.unknowns[-1], abs=SAME)
    for kind, spectra in path.stability.items():
        assert small.negative(kind)[index] == spectra.negative[-1]
        assert small.quantity(f"margin.{kind}")[index] == pytest.approx(spectra.margin[-1])


def test_a_reached_cell_is_where_it_should_be_and_at_rest(small):
    for index in np.argwhere(small.reached)[::7]:
        found = small.at(*index)
        at = [values[i] for values, i in zip(small.values, index, strict=True)]
        assert found.frame("leg1.tip")[0][:2] == pytest.approx(at, abs=1e-8)
        assert found.frame("leg2.tip")[0][:2] == pytest.approx(at, abs=1e-8)
    assert 90 < small.reached.sum() < 225


def test_a_few_cells_of_many_are_not_written_as_none(small):
    code = np.full_like(small.cells.code, REACHED + 1)
    code[0] = REACHED
    few = replace(small, cells=replace(small.cells, code=code))
    assert "<1% reached" in repr(few)
    assert "<td>reached</td><td>1</td><td>&lt;1%</td>" in few._repr_html_()


def test_two_processes_find_the_same_bits(start, small):
    both = chorda.workspace(start, OVER, limits=LIMITS, jobs=2)
    assert all(equal(small, both).values()), equal(small, both)


def test_a_survey_from_another_cell_of_the_branch_finds_the_same_configurations(small):
    other = chorda.workspace(small.at(4, 6), OVER, jobs=1)
    both = small.reached & other.reached
    assert both.sum() >= 0.95 * small.reached.sum()  # steps to the rim depend on where from
    rows, nq = both.ravel(), small.system.nq
    off = small.cells.state[rows, :nq] - other.cells.state[rows, :nq]
    motors = [small.system.coordinate_names.index(name) for name in MOTORS]
    turns = np.round(off[:, motors] / (2 * np.pi))  # ways around a motor's axis differ by turns
    off[:, motors] -= 2 * np.pi * turns
    assert np.abs(off).max() < SAME


def test_no_cell_lies_across_a_singularity(small):
    problem = Problem(small.system, small.prescription, small.u, small.parameters)
    walker = Walker(problem, small.columns, small.base)
    points = np.stack(np.meshgrid(*small.values, indexing="ij"), -1).reshape(-1, 2)
    rows = np.flatnonzero(small.cells.code == REACHED)
    assert len({walker.spot(small.cells.state[i], points[i]).sign for i in rows}) == 1


def test_neighbours_come_from_neighbours(small):
    cells = small.cells
    rows = np.flatnonzero((cells.code == REACHED) & (cells.parent >= 0))
    here, there = (np.array(np.unravel_index(x, small.shape)) for x in (rows, cells.parent[rows]))
    assert np.all(np.abs(here - there).sum(axis=0) == 1)
    assert np.all(cells.front[rows] == cells.front[cells.parent[rows]] + 1)


def test_a_grid_goes_on_where_a_branch_ends(small):
    """On the line of symmetry the branch meets another one below the motors; a way around it leads
    to the cells further down."""
    over = {"leg1.tip.y": (-0.8, 0.8, 33)}
    above, below = small.at(7, 12), small.at(7, 2)
    flooded = chorda.workspace(above, over, jobs=1)
    tried = chorda.workspace([above, below], over, jobs=1, way="grid")
    assert flooded.why[flooded.near({"leg1.tip.y": -0.25})] == "branch-end"
    assert tried.reached[flooded.reached].all()
    assert tried.reached.sum() >= flooded.reached.sum() + 8
    assert "not-tried" not in tried.why


def test_three_axes_with_three_motors():
    """The platform of 3-rfr: place and angle."""
    system = chorda.assemble(chorda.load("3-rfr"))
    motors = ["motor1", "motor2", "motor3"]
    rest = chorda.equilibrium(system, hold=dict.fromkeys(motors, 0.0), strict=True)
    over = {
        "platform_x": (-0.008, 0.008, 3),
        "platform_y": (-0.008, 0.008, 3),
        "platform": [-0.05, 0.0, 0.1],
    }
    found = chorda.workspace(rest, over, jobs=1)
    assert found.shape == (3, 3, 3)
    assert found.reached.all()
    assert found.at(0, 2, 1).position["platform_y"] == pytest.approx(0.008)
    assert found.at(0, 2, 2).position["platform"] == pytest.approx(0.1)
    assert found.at(1, 1, 1).position["motor1"] == pytest.approx(0.0, abs=1e-8)
    assert found.extent(found.reached) == pytest.approx(0.016 * 0.016 * 0.15)


def test_a_start_far_from_the_region_says_so(start):
    far = chorda.workspace(start, {"leg1.tip.x": (0.0, 0.1, 2), "leg1.tip.y": (2, 3, 2)}, jobs=1)
    assert far.status.code == "stopped"
    assert "leg1.tip.y = 2" in far.status.message
    assert not far.reached.any()


@pytest.mark.parametrize(
    ("over", "more", "says"),
    [
        ({}, {}, "expected a mapping of 1 to 3"),
        ({"leg1.top.x": (0, 1, 3)}, {}, "did you mean leg1.tip.x"),
        ({"leg1.tip.x": (0, 1, 3)}, {}, "is not prescribed at the start.*name what is actuated"),
        ({"motor1": (0, 1, 2.5)}, {}, "whole count"),
        ({"motor1": [2.0, 1.0]}, {}, "values that increase"),
        ({"motor1": [1e308]}, {}, "in metres, radians"),
        ({"motor1": (0.0, 1e308, 3)}, {}, "in metres, radians"),
        ({"motor1": "wide"}, {}, "expected numbers"),
        ({"motor1": [np.nan]}, {}, "finite"),
        ({"motor1": (2, 3, 2)}, {"way": "tide"}, "way: expected 'flooding' or 'grid'"),
        ({"motor1": (2, 3, 2)}, {"jobs": 0}, "jobs: expected a whole number"),
        ({"motor1": (2, 3, 2)}, {"limits": {"motor9": 1}}, "limits: 'motor9' is not there"),
        ({"motor1": (2, 3, 2)}, {"limits": {"motor1": (2, 1)}}, "limits.motor1: expected"),
        ({"motor1": (2, 3, 2)}, {"save": "no/where.nc"}, "save: the folder no does not exist"),
    ],
)
def test_what_cannot_be_is_refused_in_words(start, over, more, says):
    with pytest.raises(InputError, match=says):
        chorda.workspace(start, over, **more)


def test_several_starts_are_for_the_grid(start):
    with pytest.raises(InputError, match="way='grid' takes several"):
        chorda.workspace([start, start], {"motor1": (2.4, 2.8, 3)})
    both = chorda.workspace([start, start], {"motor1": (2.4, 2.8, 3)}, way="grid", jobs=1)
    assert both.reached.all()


def test_a_cell_that_was_not_reached_has_no_configuration(small):
    with pytest.raises(InputError, match="not reached"):
        small.at(0, 0)
    with pytest.raises(IndexError):
        small.at(99, 0)


def test_a_motor_that_is_held_has_the_unit_of_its_angle():
    system = chorda.assemble(chorda.load("neck-1"))
    pulled = chorda.equilibrium(system, tensions=20.0)
    angles = {name: pulled.position[name] for name in ("motor-right1", "motor-left")}
    held = chorda.equilibrium(system, angles=angles, initial=pulled)
    at = angles["motor-left"]
    found = chorda.workspace(held, {"motor-left": (at, at + 0.01, 2)}, jobs=1)
    assert found.units == ("rad",)
    assert [found.unit(name) for name in ("motor-right1", "motor-left.effort")] == ["rad", "N m"]
