"""One neck against a post, in every verb of statics: they find the same configurations."""

import numpy as np
import pytest

import chorda
from tests.helpers.touching_robots import PRESSED, leaning_neck

AWAY = [30, 20, 20, 25]  # tensions with which it does not touch [N]
BETWEEN = [45, 20, 20, 15]
TOUCH = "leans.bar3-post"


def by_tendon(tensions):
    return dict(zip(("right1", "right2", "right3", "left"), np.transpose(tensions), strict=True))


@pytest.fixture(scope="module", params=["frictionless", "smooth", "bristle"])
def path(request):
    """From where it is free to where it leans on its post."""
    system = chorda.assemble(leaning_neck(request.param))
    first = chorda.equilibrium(system, tensions=AWAY, strict=True)
    assert min(first.gaps.values()) > 1e-3
    return chorda.follow(first, tensions=PRESSED, points=20, strict=True)


def test_configurations_of_a_path_are_those_of_single_equilibria(path):
    assert path.stable.all()
    assert "bar3 and post touch from" in path.status.message
    pressing = path.normal_forces[TOUCH]
    touching = path.gaps[TOUCH] < 0
    assert 5 < touching.sum() < 20
    assert (pressing[touching] > 0).all()
    assert (pressing[~touching] == 0).all()
    for i in (0, 10, 20):
        alone = chorda.equilibrium(path.system, tensions=path.tension[i], strict=True)
        np.testing.assert_allclose(path.q[i], alone.q, atol=1e-7)
        assert path.at(i).normal_forces == pytest.approx(alone.normal_forces, abs=1e-6)
        found = path.stability["locked"].eigenvalues[i]
        np.testing.assert_allclose(found, alone.spectrum(), rtol=1e-5)


def test_a_path_goes_back_as_it_came(path):
    back = chorda.follow(path.at(-1), tensions=AWAY, points=20, strict=True)
    np.testing.assert_allclose(back.q[::-1], path.q, atol=1e-6)
    assert "touch from" not in back.status.message  # it touched from the start


def test_the_tensions_of_a_path_are_found_again_from_its_joints(path):
    i = 15
    near = path.at(i - 1)
    assert near.normal_forces[TOUCH] > 0
    names = ("x1", "x2", "x3")
    held = dict(zip(names, path.q[i, :3], strict=True))
    held["motor-left"] = path.q[i, path.system.coordinate_names.index("motor-left")]
    motors = ("motor-right1", "motor-right2", "motor-right3")
    found = chorda.equilibrium(
        path.system, hold=held, actuated=[*motors, "motor-left"], initial=near
    )
    assert found.status.ok, found.status
    np.testing.assert_allclose(found.tension, path.tension[i], rtol=1e-5)
    assert found.normal_forces == pytest.approx(path.at(i).normal_forces, abs=1e-6)


def test_a_batch_finds_the_configurations_of_a_path(path):
    rows = [3, 9, 14, 20]
    batch = chorda.equilibrium_batch(path, tensions=by_tendon(path.tension[rows]))
    assert batch.ok.all(), [str(batch.status(i)) for i in batch.failed]
    np.testing.assert_allclose(batch.q, path.q[rows], atol=1e-7)
    for name, forces in batch.normal_forces.items():
        np.testing.assert_allclose(forces, path.normal_forces[name][rows], atol=1e-6)


def test_members_without_an_equilibrium_press_with_no_number(path):
    batch = chorda.equilibrium_batch(
        path, tensions=by_tendon([PRESSED, PRESSED]), limits={"x3": (-0.2, 0.2)}
    )
    assert not batch.ok.any()
    assert np.isnan(batch.normal_forces[TOUCH]).all()
    assert np.isnan(batch.gaps[TOUCH]).all()


def test_a_path_says_what_became_of_friction(path):
    kind = path.system.robot.contacts[0].friction
    said = "Friction of" in path.status.message, "Bristles of" in path.status.message
    assert said == (bool(kind) and kind.kind == "smooth", bool(kind) and kind.kind == "bristle")
