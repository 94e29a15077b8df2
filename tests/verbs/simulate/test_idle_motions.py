"""Motions of joints that nobody gives: they stay where they begin."""

import numpy as np
import pytest

import chorda
from chorda.cli import robot_commands
from chorda.describe import Body, JointEffort, JointMotion, Prismatic, Revolute, Robot
from chorda.identification import Measured, refine


@pytest.fixture(scope="module")
def lifted():
    """A slide that is led, and starts at 0.3 m, with a wheel on it that a torque turns."""
    body = Body(mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    return chorda.assemble(
        Robot(
            name="lifted",
            joints=[
                Prismatic(name="lift", axis=(0, 1, 0), body=body),
                Revolute(name="wheel", parent="lift", body=body),
            ],
            actuators=[
                JointMotion(name="jack", joint="lift"),
                JointEffort(name="turn", joint="wheel"),
            ],
            start={"lift": 0.3},
        )
    )


def moved(system, **more):
    run = chorda.simulate(system, duration=0.05, step=1e-3, scheme="bdf2", **more)
    assert run.status.ok, run.status
    return run.data["position"].sel(coordinate="lift").values


@pytest.mark.parametrize("inputs", [None, {"turn": 0.1}])
def test_a_joint_stays_where_the_robot_starts(lifted, inputs):
    np.testing.assert_allclose(moved(lifted, inputs=inputs), 0.3, atol=1e-12)


def test_a_joint_stays_where_the_motion_begins(lifted):
    np.testing.assert_allclose(moved(lifted, initial={"lift": 0.5}), 0.5, atol=1e-12)
    run = chorda.simulate(lifted, duration=0.01, step=1e-3, inputs={"jack": 0.4})
    np.testing.assert_allclose(moved(lifted, initial=run), 0.4, atol=1e-12)


def test_what_is_given_counts(lifted):
    np.testing.assert_allclose(moved(lifted, inputs={"jack": 0.2}), 0.2, atol=1e-12)
    np.testing.assert_allclose(moved(lifted, inputs=[0.0, 0.0]), 0.0, atol=1e-12)


def test_at_rest_and_in_batches_it_stays_where_the_robot_starts(lifted):
    rest = chorda.equilibrium(lifted, inputs={"turn": 0.0}, hold={"wheel": 0.0})
    assert rest.position["lift"] == pytest.approx(0.3, abs=1e-12)
    many = {"turn": np.array([0.0, 0.1, 0.2])}
    for inputs in (many, None):
        batch = chorda.rollout(
            lifted,
            duration=0.02,
            step=1e-3,
            scheme="bdf2",
            initial={"wheel": np.zeros(3)},
            inputs=inputs,
            progress=False,
        )
        np.testing.assert_allclose(batch.position[..., 0], 0.3, atol=1e-12)


def test_a_wire_that_nobody_feeds_rests():
    system = chorda.assemble(chorda.load("wire-tube"))
    run = chorda.simulate(system, duration=0.02, step=2e-3)
    assert run.status.ok
    assert run.data["position"].sel(coordinate="wire.length").values == pytest.approx(0.04)


def test_what_is_exported_starts_where_it_is_asked_to(lifted, tmp_path):
    model = chorda.export(lifted, tmp_path / "c", to="c", initial={"lift": 0.5}).model
    assert (model.q[0], model.u[0]) == (0.5, 0.5)


def test_a_picture_shows_the_robot_where_it_starts(lifted):
    q, remark = robot_commands._closed(lifted)
    assert (q[0], remark) == (0.3, "")


def test_a_motion_that_is_fitted_stays_where_it_begins(lifted):
    run = chorda.simulate(lifted, duration=0.02, step=1e-3, inputs={"turn": 0.1}, scheme="newmark")
    found = refine(
        lifted,
        ["wheel.inertia.zz"],
        time=run.time,
        inputs={"turn": 0.1},
        measured=[Measured("wheel", run.time, run.position[:, 1], 1e-4)],
        initial={"lift": 0.5},
        free_initial=False,
        max_evaluations=1,
    )
    np.testing.assert_allclose(found.position[:, 0], 0.5, atol=1e-9)
