"""rho_inf of generalized-alpha: second order for all of its values, and the damping it names."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.sweeps.tasks import simulate as task
from tests.helpers.robots import slider

ALPHA = "generalized-alpha"


@pytest.fixture(scope="module")
def oscillator():
    """10 rad/s without damping."""
    return chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))


def swing(system, steps, duration, rho):
    return chorda.simulate(
        system,
        duration=duration,
        step=duration / steps,
        scheme=ALPHA,
        rho_inf=rho,
        initial=[0.1],
        tolerance=1e-13,
    )


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_the_order_is_two_for_every_rho(oscillator, rho):
    errors = [
        abs(swing(oscillator, n, 1.0, rho).position[-1, 0] - 0.1 * np.cos(10.0)) for n in (400, 800)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("rho", [0.3, 0.8, 1.0])
def test_what_is_far_too_fast_for_the_step_decays_by_rho_in_a_step(oscillator, rho):
    """h w = 1000: the amplitude of late steps shrinks by rho, up to a factor linear in time."""
    run = swing(oscillator, 60, 60 * 100.0, rho)
    x = np.abs(run.position[:, 0])
    if rho == 1.0:
        assert x[-10:].max() == pytest.approx(x[1:11].max(), rel=0.05)
    else:
        assert (x[-1] / x[30]) ** (1 / 30) == pytest.approx(rho, rel=0.1)


def test_with_rho_one_energy_is_kept_and_with_less_it_decays(oscillator):
    left = {}
    for rho in (1.0, 0.8, 0.0):
        T, V = swing(oscillator, 1000, 10.0, rho).energy
        left[rho] = (T + V)[-1] / (T + V)[0]
    assert left[1.0] == pytest.approx(1, abs=1e-3)
    assert left[0.0] < left[0.8] < left[1.0]


def test_the_default_is_a_rho_of_0_8(oscillator):
    usual = chorda.simulate(oscillator, duration=0.1, step=0.01, scheme=ALPHA, initial=[0.1])
    same = chorda.simulate(
        oscillator, duration=0.1, step=0.01, scheme=ALPHA, rho_inf=0.8, initial=[0.1]
    )
    assert np.array_equal(usual.position, same.position)
    assert same.provenance["rho_inf"] == 0.8


def test_rollouts_and_their_gradients_have_the_same_rho(oscillator):
    one = swing(oscillator, 10, 0.1, 0.2)
    options = {"duration": 0.1, "step": 0.01, "scheme": ALPHA, "rho_inf": 0.2, "initial": [0.1]}
    for gradients in ((), ("start",)):
        many = chorda.rollout(oscillator, gradients=gradients, **options)
        assert many.position[0, -1] == pytest.approx(one.position[-1], abs=1e-9)


@pytest.mark.parametrize(
    ("scheme", "rho", "message"),
    [
        (ALPHA, 1.1, "rho_inf: expected a finite number of at least 0 and of at most 1, got 1.1"),
        (ALPHA, "a", "rho_inf: expected a finite number of at least 0"),
        ("newmark", 0.5, "rho_inf: has no effect with scheme 'newmark'; take scheme"),
        ("cvodes", 0.5, "rho_inf: has no effect with scheme 'cvodes'"),
        (None, 0.5, "rho_inf: has no effect with scheme 'implicit-euler'"),
    ],
)
def test_a_rho_that_has_no_meaning_is_refused(oscillator, scheme, rho, message):
    with pytest.raises(InputError, match=message):
        chorda.simulate(oscillator, duration=0.1, step=0.01, scheme=scheme, rho_inf=rho)


def test_exports_have_it(oscillator, tmp_path):
    made = chorda.export(oscillator, tmp_path / "c", to="c", scheme=ALPHA, rho_inf=0.25)
    assert "rho 0.25" in made.model.scheme.title
    with pytest.raises(InputError, match="rho_inf: has no effect to mjcf"):
        chorda.export(oscillator, tmp_path / "a.xml", to="mjcf", rho_inf=0.25)


def test_studies_take_it(oscillator):
    record = task.Simulate(duration=0.1, step=0.01, scheme=ALPHA, rho_inf=0.2, initial={"s": 0.1})
    run = task.solve(oscillator, dict(record), {})
    assert np.allclose(run.position, swing(oscillator, 10, 0.1, 0.2).position, atol=1e-9)
    with pytest.raises(ValueError, match="rho_inf"):
        task.Simulate(duration=0.1, step=0.01, scheme=ALPHA, rho_inf=2.0)
