"""A sweep that is killed at any moment ends with the same store as one that is not."""

import pytest

import chorda
from tests.helpers.small_studies import contents, finished, killed_at_random, motions, written


def compared(study, folder, chunks, kills, at_start, seed, jobs):
    path = written(study, folder)
    done = killed_at_random(path, folder / "killed.zarr", kills, chunks, seed, at_start)
    chorda.sweep(output=folder / "killed.zarr", jobs=jobs)
    chorda.sweep(path, folder / "whole.zarr", jobs=jobs)
    assert len(finished(folder / "whole.zarr")) == chunks
    assert done == sorted(done)
    assert 0 < done[-1] < chunks  # the last kill came in the middle
    assert contents(folder / "killed.zarr") == contents(folder / "whole.zarr")
    return done


def test_sixty_points_killed_once(tmp_path):
    study = motions(3, 4, 5, duration=0.2, step=1e-4)
    compared(study, tmp_path, chunks=60, kills=1, at_start=0, seed=1, jobs=1)


@pytest.mark.slow
def test_two_thousand_points_killed_ten_times(tmp_path):
    study = motions(10, 10, 20, duration=0.2, step=1e-4)
    chunks = -(-2000 // (2000 // 128))
    done = compared(study, tmp_path, chunks, kills=10, at_start=3, seed=2, jobs=2)
    print("chunks done at each kill:", done, "of", chunks)
    assert chorda.open_sweep(tmp_path / "killed.zarr").counts == {"completed": 2000}
