"""Contacts in motion: schemes keep their order between events, energy is lost as the law says, and
the restitution comes as the step shrinks."""

import numpy as np
import pytest

import chorda
from chorda.describe import ContactFriction
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.touching_robots import GRAVITY, MASS, ball, block

SPEED, RESTITUTION = 2.0, 0.6
WITHOUT_OWN_STEPS = [name for name, x in SCHEMES.items() if not x.adaptive]


@pytest.fixture(scope="module")
def pressed():
    """A block slides, and swings up and down, without ever leaving its slope."""
    friction = ContactFriction(coefficient=0.4, slip_speed=0.2)
    system = chorda.assemble(block(0.2, friction, stiffness=1e3, dissipation=20.0))
    start = np.array([0.0, -6e-3, 1.0, 0.02])
    made = Problem(system, start, 0.1, np.zeros(0), np.zeros(0))
    return made, made.reference()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_keeps_its_order_while_shapes_press_and_slide(pressed, scheme):
    case, exact = pressed
    assert observed_order(case, exact, scheme) > SCHEMES[scheme].order - 0.15


def test_energy_is_lost_in_impacts_and_friction_as_the_law_says():
    friction = ContactFriction(coefficient=0.3, slip_speed=1e-2)
    k, c = 1e4, 0.8
    system = chorda.assemble(block(0.1, friction, stiffness=k, dissipation=c))
    start = {"y": 0.02, "x.rate": 1.0}
    run = chorda.simulate(system, duration=0.4, step=1e-5, scheme="rk4", initial=start)
    assert [x.kind for x in run.events].count("touches") > 1
    depth = np.maximum(-run.outputs["gap"][:, 0], 0)
    N, rate = run.outputs["normal_force"][:, 0], run.velocity[:, 1]
    law = k * depth * np.maximum(1 - c * rate, 0)
    np.testing.assert_allclose(N, law, atol=1e-9 * N.max())
    sliding = run.velocity[:, 0]
    rubbed = 0.3 * N * sliding**2 / np.sqrt(sliding**2 + 1e-4)
    lost = (k * depth - N) * rate + rubbed
    integral = np.sum((lost[1:] + lost[:-1]) / 2) * 1e-5
    energy = np.sum(run.energy, axis=0)
    assert integral > 0.2 * (energy[0] - energy.min())
    assert np.all(lost > -1e-9)
    assert energy[0] - energy[-1] == pytest.approx(integral, rel=1e-4)


@pytest.mark.parametrize("scheme", ["rk4", "generalized-alpha", "newmark"])
def test_without_dissipation_and_friction_impacts_keep_the_energy(scheme):
    system = chorda.assemble(ball(0.05, stiffness=1e5, exponent=1.5))
    left = []
    for step in (4e-5, 2e-5):
        run = chorda.simulate(system, duration=0.5, step=step, scheme=scheme)
        assert [x.kind for x in run.events].count("touches") == 2
        energy = np.sum(run.energy, axis=0)
        left.append(abs(energy[-1] - energy[0]) / (MASS * GRAVITY * 0.05))
    assert left[1] < 1e-4
    assert left[1] < max(left[0] / 2, 1e-7)


@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("scheme", WITHOUT_OWN_STEPS)
def test_the_restitution_converges_with_the_step_to_that_of_the_law(scheme, exponent):
    law = {"stiffness": 1e4, "exponent": exponent, "restitution": RESTITUTION}
    system = chorda.assemble(ball(1e-3, 0.0, impact_speed=SPEED, **law))
    errors = []
    for step in (4e-5, 2e-5, 1e-5):
        run = chorda.simulate(
            system, duration=0.15, step=step, scheme=scheme, initial={"y.rate": -SPEED}
        )
        assert [x.kind for x in run.events] == ["touches", "leaves"]
        errors.append(abs(run.velocity[-1, 0] / SPEED - RESTITUTION))
    first_order = SCHEMES[scheme].order == 1
    assert errors[2] < (5e-3 if first_order else 2e-5)
    assert errors[2] < (0.6 if first_order else 0.5) * errors[0]
    if first_order:
        assert errors[1] / errors[2] > 1.8
