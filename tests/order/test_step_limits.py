"""The predicted largest stable step is the one observed, on necks of one to four joints."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Revolute, Robot
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.robots import slider

STEPS = 8_000
PERTURBATION = 1e-7  # rad: small enough for the linear theory
DAMPINGS = [30.0, 100.0, 300.0]
JOINTS = [1, pytest.param(2, marks=pytest.mark.slow), 3, pytest.param(4, marks=pytest.mark.slow)]
EXPLICIT = [n for n, s in SCHEMES.items() if not s.implicit and not s.adaptive]


class Neck:
    """A neck at an equilibrium under tension, and a motion started next to it."""

    def __init__(self, joints, damping):
        self.system = chorda.assemble(chorda.neck(joints))
        self.changes = {"right*.damping": damping, "left.damping": damping}
        self.rest = chorda.equilibrium(
            self.system, tensions=20.0, parameters=self.changes, strict=True
        )
        self.start = self.rest.q.copy()
        self.start[:joints] += PERTURBATION * np.cos(np.arange(joints))

    def predicted(self):
        found = chorda.step_limits(self.system, initial=self.rest, parameters=self.changes)
        return {name: limit.step for name, limit in found.limits.items()}

    def grows(self, scheme, step, steps=STEPS):
        run = chorda.simulate(
            self.system,
            duration=steps * step,
            step=step,
            scheme=scheme,
            initial=self.start,
            inputs=self.rest.u,
            parameters=self.changes,
            every=steps,
        )
        return (
            not run.status.ok or np.abs(run.position[-1] - self.rest.q).max() > 100 * PERTURBATION
        )

    def observed(self, scheme, around):
        """The step from which the perturbation grows, by bisection."""
        low, high = 0.8 * around, 1.25 * around
        assert not self.grows(scheme, low)
        assert self.grows(scheme, high)
        while high / low > 1.005:
            middle = np.sqrt(low * high)
            low, high = (low, middle) if self.grows(scheme, middle) else (middle, high)
        return high


@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("joints", JOINTS)
def test_explicit_schemes_become_unstable_within_5_percent_of_the_predicted_step(joints, damping):
    neck = Neck(joints, damping)
    predicted = neck.predicted()
    for scheme in EXPLICIT:
        assert not neck.grows(scheme, 0.95 * predicted[scheme]), scheme
        assert neck.grows(scheme, 1.05 * predicted[scheme]), scheme


@pytest.mark.slow
@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("joints", [1, 2, 3, 4])
def test_bisected_limits_are_the_predicted_ones(joints, damping):
    neck = Neck(joints, damping)
    predicted = neck.predicted()
    for scheme in EXPLICIT:
        limit = predicted[scheme]
        assert neck.observed(scheme, limit) == pytest.approx(limit, rel=0.05), scheme


@pytest.mark.parametrize(
    ("joints", "implicit"),
    [
        (1, [name for name, scheme in SCHEMES.items() if scheme.implicit]),
        pytest.param(2, ["implicit-euler"], marks=pytest.mark.slow),
        (3, ["implicit-euler", "implicit-euler-converged", "newmark"]),
        pytest.param(4, ["implicit-euler"], marks=pytest.mark.slow),
    ],
)
def test_implicit_schemes_are_stable_where_every_explicit_one_is_not(joints, implicit):
    neck = Neck(joints, 300.0)
    predicted = neck.predicted()
    step = 2 * max(predicted[name] for name in EXPLICIT)
    for name in implicit:
        assert predicted[name] > step
        assert not neck.grows(name, step, steps=2000), name
    for name in EXPLICIT:
        assert neck.grows(name, step, steps=2000), name


def test_holding_dry_friction_over_the_step_limits_linearised_implicit_euler():
    """Of slope 2/pi Gamma c, it acts almost on the rotor alone: stable up to pi I / (Gamma c)."""
    neck = Neck(1, 100.0)
    limit = np.pi * 1e-4 / (0.008 * 0.5)
    predicted = neck.predicted()
    assert predicted["implicit-euler"] == pytest.approx(limit, rel=0.01)
    assert neck.observed("implicit-euler", predicted["implicit-euler"]) == pytest.approx(
        predicted["implicit-euler"], rel=0.01
    )
    assert np.isinf(predicted["implicit-euler-converged"])


def test_limits_of_a_damped_oscillator_are_those_of_the_textbooks():
    """Eigenvalue -c/m alone: 2 m/c for Euler and Heun, 2.785 m/c for RK4; i w: 2 sqrt 2 / w."""
    damped = chorda.assemble(slider(joint={"friction": 40.0}))  # 20 1/s
    found = chorda.step_limits(damped).limits
    assert found["explicit-euler"].step == pytest.approx(0.1, rel=1e-4)
    assert found["heun"].step == pytest.approx(0.1, rel=1e-4)
    assert found["rk4"].step == pytest.approx(2.785293563405282 / 20, rel=1e-4)
    swinging = chorda.assemble(slider(joint={"stiffness": 200.0}))  # 10 rad/s
    found = chorda.step_limits(swinging).limits
    assert found["explicit-euler"].step == 0
    assert found["symplectic-euler"].step == pytest.approx(0.2, rel=1e-4)
    assert found["rk4"].step == pytest.approx(np.sqrt(8) / 10, rel=1e-4)


def test_beside_what_grows_by_itself_limits_are_those_of_the_others():
    """An inverted pendulum beside a wheel on a stiff spring with a strong damper."""
    upright = Body(mass=1.0, center=(0, 0.1, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    wheel = Body(mass=1.0, inertia=(0, 0, 1e-3, 0, 0, 0))
    joints = (
        Revolute(name="pendulum", body=upright),
        Revolute(name="wheel", body=wheel, stiffness=100.0, friction=2.0),
    )
    system = chorda.assemble(Robot(name="both", gravity=(0, -9.81, 0), joints=joints))
    found = chorda.step_limits(system).limits
    fastest = 1e3 + np.sqrt(1e6 - 1e5)  # J x^2 - 2 x + 100 = 0
    euler = found["explicit-euler"]
    assert euler.step == pytest.approx(2 / fastest, rel=1e-4)
    assert euler.mode.eigenvalue == pytest.approx(-fastest)
    assert euler.mode.shares[0][0] == "wheel"
    assert found["bdf2"].step == np.inf
