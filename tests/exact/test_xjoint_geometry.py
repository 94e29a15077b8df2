"""The X-joint's bars against the definition of an anti-parallelogram."""

import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import frames

L, B = 0.1, 0.05
ALPHAS = np.linspace(-2.8, 2.8, 29)


@pytest.fixture(scope="module")
def poses():
    return frames(chorda.neck(1))


def at(pose, x):
    R, p = pose
    return p + R @ np.array([x, 0, 0])


@pytest.mark.parametrize("alpha", ALPHAS)
def test_diagonals_end_where_the_bars_end(poses, alpha):
    now = poses([alpha])
    left, right, top = (now[f"x1.{name}"] for name in ("left_diagonal", "right_diagonal", "top"))
    assert np.allclose(at(left, -L / 2), [-B / 2, 0, 0], atol=1e-15)
    assert np.allclose(at(right, -L / 2), [B / 2, 0, 0], atol=1e-15)
    assert np.allclose(at(left, L / 2), at(top, B / 2), atol=1e-15)
    assert np.allclose(at(right, L / 2), at(top, -B / 2), atol=1e-15)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_all_frames_are_rotations_and_the_top_bar_is_turned_by_alpha(poses, alpha):
    now = poses([alpha])
    for R, _ in now.values():
        assert np.allclose(R @ R.T, np.eye(3), atol=1e-14)
        assert np.linalg.det(R) == pytest.approx(1)
    R, _ = now["x1.top"]
    assert R[:2, 0] == pytest.approx([np.cos(alpha), np.sin(alpha)])


@pytest.mark.parametrize("alpha", ALPHAS)
def test_distance_of_the_bars_and_length_of_the_sides(poses, alpha):
    now = poses([alpha])
    d = np.sqrt(L**2 - (B * np.cos(alpha / 2)) ** 2)
    assert now["x1.top"][1][:2] == pytest.approx(
        d * np.array([-np.sin(alpha / 2), np.cos(alpha / 2)]), abs=1e-16
    )
    for side, sign in ((-1, -1), (1, 1)):
        length = np.linalg.norm(at(now["x1.top"], side * B / 2) - [side * B / 2, 0, 0])
        assert length == pytest.approx(d + sign * B * np.sin(alpha / 2), abs=1e-15)


@pytest.mark.parametrize("alpha", ALPHAS[::4])
def test_tendons_and_bending_follow_the_signs_of_the_conventions(alpha):
    system = chorda.assemble(chorda.neck(1))
    q = np.array([alpha, 0, 0])
    zeros = [np.zeros(n) for n in (system.nv, system.nv, 0, system.nu)]
    outputs = dict(
        zip(
            [o.name for o in system.outputs],
            system.observe(q, *zeros, system.parameters()),
            strict=True,
        )
    )
    d = np.sqrt(L**2 - (B * np.cos(alpha / 2)) ** 2)
    right, left = outputs["length"].full().ravel()  # alpha > 0 bends to the left
    assert left == pytest.approx(d - B * np.sin(alpha / 2))
    assert right == pytest.approx(d + B * np.sin(alpha / 2))
