"""Points: combinations of grids and lists, times samples that depend on their seed alone."""

import numpy as np
import pytest
from scipy import stats

from chorda.sweeps.points import counted, points
from chorda.sweeps.study import from_mapping
from chorda.sweeps.variations import Grid, Random, Samples
from tests.helpers.small_studies import motions


def test_points_are_all_combinations_and_the_last_axis_runs_fastest():
    study = from_mapping(motions(3, 4, 5))
    made = points(study)
    assert made.axes == (("stiffness", 3), ("initial.x1", 4), ("sample", 5))
    assert counted(study) == len(made) == 60
    rows = made.rows(0, 60).reshape(3, 4, 5, 3)
    assert np.allclose(rows[:, 0, 0, 0], [1e4, 10**4.5, 1e5])
    assert np.allclose(rows[0, :, 0, 1], np.linspace(-0.2, 0.3, 4))
    assert (rows[:, :, :, 2] == rows[0, 0, :, 2]).all()
    assert len(set(rows[0, 0, :, 2])) == 5


def test_any_piece_of_the_points_is_the_same_piece_of_all():
    made = points(from_mapping(motions()))
    assert np.array_equal(made.rows(17, 31), made.rows(0, 60)[17:31])


def test_samples_depend_on_their_seed_and_name_alone():
    a = motions(samples=50)
    b = motions(samples=50)
    b["vary"].insert(0, {"name": "right1.damping", "kind": "random", "low": 1.0, "high": 2.0})
    first, second = points(from_mapping(a)), points(from_mapping(b))
    assert np.array_equal(first.columns[-1][1], second.columns[-1][1])
    a["samples"]["seed"] = 4
    assert not np.array_equal(points(from_mapping(a)).columns[-1][1], first.columns[-1][1])


def test_a_latin_hypercube_has_one_sample_in_each_share():
    samples = Samples(count=40, seed=1)
    both = np.array([samples.levels("a"), samples.levels("b")])
    for levels in both:
        assert sorted(np.floor(40 * levels)) == list(range(40))
    assert abs(np.corrcoef(both)[0, 1]) < 0.5  # 3 deviations of 1 / sqrt(40)


@pytest.mark.parametrize("way", ["random", "latin-hypercube"])
@pytest.mark.parametrize(
    ("given", "law"),
    [
        ({"low": 2.0, "high": 5.0}, stats.uniform(2.0, 3.0)),
        ({"distribution": "normal", "mean": 1.0, "deviation": 0.5}, stats.norm(1.0, 0.5)),
        ({"distribution": "log-uniform", "low": 1e-3, "high": 10.0}, stats.loguniform(1e-3, 10.0)),
    ],
)
def test_samples_have_their_distribution(way, given, law):
    levels = Samples(count=2000, seed=5, way=way).levels("x")
    values = Random(name="x", **given).quantiles(levels)
    assert stats.kstest(values, law.cdf).pvalue > 0.01


def test_a_logarithmic_grid_has_equal_ratios_and_its_ends():
    values = Grid(name="x", low=1e-2, high=1e2, count=5, spacing="log").values()
    assert values == pytest.approx([1e-2, 1e-1, 1.0, 1e1, 1e2], rel=1e-14)
