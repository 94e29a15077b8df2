"""The Kelvin-Voigt law: pretension, damping, and a one-sided tendon that goes slack."""

import numpy as np
import pytest

import chorda
from chorda.describe import KelvinVoigt
from tests.helpers.hung_mass import tension
from tests.helpers.robots import hung_slider

MASS, G, K = 2.0, 9.81, 800.0


@pytest.mark.parametrize(("stretch", "rate"), [(0.01, 0.0), (-0.02, 0.3), (0.0, -0.1)])
def test_tension_is_pretension_and_stiffness_and_damping(stretch, rate):
    law = KelvinVoigt(stiffness=K, damping=30.0, pretension=5.0, one_sided=False)
    assert tension(law, stretch, rate) == pytest.approx(5 + K * stretch + 30 * rate)


def test_two_sided_tendon_pushes_and_a_one_sided_one_does_not():
    for one_sided, expected in ((False, -8.0), (True, 0.0)):
        law = KelvinVoigt(stiffness=K, one_sided=one_sided)
        assert tension(law, -0.01) == pytest.approx(expected, abs=1e-12)


def test_damping_cannot_make_a_one_sided_tendon_push():
    law = KelvinVoigt(stiffness=K, damping=30.0, one_sided=True)
    assert tension(law, 0.001, rate=-1.0) == 0
    assert tension(law, 0.001, rate=+1.0) == pytest.approx(0.8 + 30)


def test_pretension_holds_the_weight_at_the_reference_configuration():
    law = KelvinVoigt(stiffness=K, pretension=MASS * G)
    found = chorda.equilibrium(chorda.assemble(hung_slider(None, law)))
    assert found.q[0] == pytest.approx(0, abs=1e-12)
    law = KelvinVoigt(stiffness=K, pretension=3.0)
    found = chorda.equilibrium(chorda.assemble(hung_slider(None, law)))
    assert found.q[0] == pytest.approx(-(MASS * G - 3.0) / K)


def test_mass_thrown_up_flies_free_until_the_one_sided_tendon_is_taut_again():
    """Up and down in free flight, then half a swing on the spring, then up again at the speed
    it came: all three in closed form. The tendon gets taut at the end of a step."""
    v0, steps = 2.0, 400
    flight = 2 * v0 / G
    law = KelvinVoigt(stiffness=K, one_sided=True)
    run = chorda.simulate(
        chorda.assemble(hung_slider(None, law)),
        duration=2 * flight,
        step=flight / steps,
        scheme="rk4",
        initial={"s.rate": v0},
    )
    t, s, pull = run.time, run.position[:, 0], run.outputs["tension"][:, 0]
    flying = t <= flight
    assert np.allclose(s[flying], v0 * t[flying] - G * t[flying] ** 2 / 2, rtol=0, atol=1e-12)
    assert np.all(pull[1:steps] == 0)
    w = np.sqrt(K / MASS)
    middle, phase = -G / w**2, np.arctan2(v0 / w, G / w**2)  # s - middle = A cos(w t + phase)
    amplitude = np.hypot(G / w**2, v0 / w)
    swing = (2 * np.pi - 2 * phase) / w
    swinging = (t > flight) & (t < flight + swing)
    exact = middle + amplitude * np.cos(w * (t[swinging] - flight) + phase)
    assert swinging.sum() > 100
    assert np.allclose(s[swinging], exact, rtol=0, atol=1e-8)
    assert np.allclose(pull[swinging], -K * exact, rtol=0, atol=1e-5)
    assert run.velocity[np.argmax(t > flight + swing), 0] == pytest.approx(v0, rel=0.02)
    assert np.all(pull >= 0)
    T, V = run.energy
    until_release = t < flight + swing
    assert np.allclose((T + V)[until_release], (T + V)[0], rtol=0, atol=1e-6)
