"""Stiffness and friction of contacts from logs, or why a log does not give them."""

import numpy as np
import pytest

import chorda
from chorda.describe import Capsule, Contact, ContactFriction, Sphere
from chorda.errors import InputError
from chorda.identification import Measured, refine
from tests.helpers.touching_robots import ball, block, changed

STIFFNESS = 2e3
LEANS = "leans.stiffness"


def neck(stiffness=STIFFNESS, away=0.05, friction=None):
    """A neck of one joint with a soft post beside it."""
    bar = Capsule(name="bar", frame="x1.top", start="left", end="right", radius=0.01)
    post = Sphere(name="post", center=(away, 0.05, 0), radius=0.02)
    contact = Contact(
        name="leans", first="post", second="bar", stiffness=stiffness, friction=friction
    )
    return changed(chorda.neck(1), shapes=[bar, post], contacts=[contact])


@pytest.fixture(scope="module")
def log():
    return chorda.experiment(chorda.assemble(neck()), duration=20.0, seed=2)


def test_a_log_gives_the_stiffness_with_an_interval_that_holds_it(log):
    """From a description with half of it, beside the motors' friction and the tendons' laws."""
    found = chorda.identify(log, neck(STIFFNESS / 2), [LEANS, "*.dry_torque", "right1.stiffness"])
    stiffness = found[LEANS]
    assert stiffness.verdict == "well identified"
    assert stiffness.described == STIFFNESS / 2
    assert stiffness.low < STIFFNESS < stiffness.high
    assert stiffness.high - stiffness.low < 0.3 * STIFFNESS


def test_a_log_without_a_touch_does_not_give_the_stiffness():
    away = neck(away=0.08)
    log = chorda.experiment(chorda.assemble(away), duration=5.0, seed=2)
    found = chorda.identify(log, away, [LEANS, "*.dry_torque"])
    assert found[LEANS].verdict == "not identifiable"
    assert np.isnan(found[LEANS].value)


def test_what_the_equations_are_not_linear_in_is_refused(log):
    smooth = neck(friction=ContactFriction(coefficient=0.5))
    for names in (["post.radius"], ["leans.friction.slip_speed"], [LEANS, "leans.friction*"]):
        with pytest.raises(InputError, match=r"not linear in .*refine"):
            chorda.identify(log, smooth, names)
    bristles = neck(friction=ContactFriction(kind="bristle", coefficient=0.5, deflection=1e-3))
    with pytest.raises(InputError, match="take friction of contacts of kind smooth"):
        chorda.identify(log, bristles, [LEANS])


def test_stiffness_and_dissipation_are_refined_by_simulation_error():
    truth = {"touch.stiffness": 2e4, "touch.dissipation": 0.4}
    how = {"duration": 0.6, "step": 5e-4, "scheme": "rk4"}
    law = {"stiffness": 2e4, "exponent": 1.5, "dissipation": 0.4}
    run = chorda.simulate(chorda.assemble(ball(0.05, **law)), **how)
    assert [x.kind for x in run.events].count("touches") > 1
    seen = [Measured("y", run.time, run.position[:, 0], 1e-5)]
    system = chorda.assemble(ball(0.05, **law | {"stiffness": 1.8e4, "dissipation": 0.5}))
    found = refine(
        system, list(truth), time=run.time, inputs=run.input, measured=seen, scheme="rk4"
    )
    assert found.status.ok, found.status
    assert dict(found.values) == pytest.approx(truth, rel=2e-2)


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
def test_the_coefficient_of_a_block_that_slides_is_refined_by_simulation_error(kind):
    def sliding(coefficient):
        more = {"deflection": 1e-4} if kind == "bristle" else {"slip_speed": 1e-2}
        friction = ContactFriction(kind=kind, coefficient=coefficient, **more)
        return chorda.assemble(block(0.5, friction))

    start = {"y": -4.3e-5, "x.rate": 0.5}
    how = {"duration": 0.4, "step": 1e-3, "scheme": "newmark"}  # as refine takes
    run = chorda.simulate(sliding(0.3), initial=start, **how)
    seen = [Measured("x", run.time, run.position[:, 0], 1e-5)]
    name = "touch.friction.coefficient"
    found = refine(
        sliding(0.4),
        [name],
        time=run.time,
        inputs=run.input,
        measured=seen,
        initial=start,
        free_initial=False,
    )
    assert found.status.ok, found.status
    assert found.values[name] == pytest.approx(0.3, rel=1e-3)
