"""Steps with stiff contacts: the predicted limit of explicit schemes is the one observed, and
implicit Euler takes far longer ones."""

import numpy as np
import pytest

import chorda
from tests.helpers.touching_robots import GRAVITY, KINDS, MASS, ball, block, gaps_at, touching

PERTURBATION = 1e-7  # [rad] at the post less than a hundredth of how deep the neck presses
GROWN = 1e-3  # [rad/s] of the joints, which begin with less than a third of it
STIFFNESS = 1e6
SCHEMES = ("explicit-euler", "symplectic-euler", "heun", "rk4")
STEPS = {"explicit-euler": 160_000}


class Leaning:
    """A neck that leans on its post, and a motion started next to it."""

    def __init__(self, kind, **law):
        self.system, self.rest = touching(kind, stiffness=STIFFNESS, **law)
        self.start = self.rest.q.copy()
        self.start[:3] += PERTURBATION * np.cos(np.arange(3))

    def limits(self):
        found = chorda.step_limits(self.system, initial=self.rest, schemes=list(SCHEMES))
        return {name: x.step for name, x in found.limits.items()}

    def grows(self, scheme, step):
        steps = STEPS.get(scheme, 8_000)
        run = chorda.simulate(
            self.system,
            duration=steps * step,
            step=step,
            scheme=scheme,
            initial=self.start,
            inputs=self.rest.u,
            every=steps,
        )
        return not run.status.ok or np.abs(run.velocity[-1, :3]).max() > GROWN


LAWS = {"frictionless": {}, "damped": {"dissipation": 50.0}, "smooth": {"dissipation": 5.0}}


@pytest.mark.parametrize("kind", LAWS)
def test_explicit_schemes_at_a_resting_contact_get_unstable_within_5_percent_of_the_limit(kind):
    neck = Leaning("smooth" if kind == "smooth" else "frictionless", **LAWS[kind])
    assert gaps_at(neck.system, neck.rest.q).min() < 0
    for scheme, limit in neck.limits().items():
        assert not neck.grows(scheme, 0.95 * limit), scheme
        assert neck.grows(scheme, 1.05 * limit), scheme


@pytest.mark.parametrize("kind", ["frictionless", "smooth", "bristle"])
def test_implicit_euler_leans_on_a_stiff_post_in_steps_of_2_ms(kind):
    system, rest = touching(kind, stiffness=STIFFNESS, dissipation=5.0)
    how = {"inputs": rest.u, "initial": {"tension": 20.0}, "scheme": "implicit-euler"}
    coarse, fine = (chorda.simulate(system, duration=4.0, step=h, **how) for h in (2e-3, 1e-4))
    explicit = chorda.step_limits(system, initial=rest, schemes=list(SCHEMES)).limits
    assert max(x.step for x in explicit.values()) < 2e-3
    assert coarse.status.ok, coarse.status
    N, gap = (coarse.outputs[x][:, 0] for x in ("normal_force", "gap"))
    other = fine.outputs["gap"][:, 0]
    assert N[-1] > 3
    assert N[-1] == pytest.approx(-STIFFNESS * gap[-1], rel=1e-3)  # as deep as the law says
    assert N[-1] == pytest.approx(fine.outputs["normal_force"][-1, 0], rel=0.05)
    rebounds = [x[np.flatnonzero(x < 0)[0] :].max() for x in (gap, other)]
    assert rebounds[0] < 1.2 * rebounds[1]  # the impact gives it no energy
    assert np.abs(coarse.velocity[-1, :3]).max() < 0.05


FALLING = {
    "linear": lambda: ball(0.3, stiffness=1e5, dissipation=0.5),
    "Hertz": lambda: ball(0.3, stiffness=1e7, exponent=1.5, restitution=0.6),
    **{kind: lambda kind=kind: block(friction=KINDS[kind]) for kind in ("smooth", "bristle")},
}


@pytest.mark.parametrize("kind", FALLING)
def test_limits_of_a_body_in_the_air_say_what_they_are_where_it_presses_with_its_weight(kind):
    system = chorda.assemble(FALLING[kind]())
    contact = system.robot.contacts[0]
    depth = (MASS * GRAVITY / contact.stiffness) ** (1 / contact.exponent)
    above = {"y": 0.3 if kind in KINDS else 0.0}
    air = chorda.step_limits(system, initial=above)
    ground = chorda.step_limits(system, initial={"y": above["y"] - 0.3 - depth})
    assert air.open_contacts == ("touch",)
    assert ground.open_contacts == ()
    assert ground.pressing == {}
    for scheme, found in ground.limits.items():
        assert air.pressing[scheme].step == pytest.approx(found.step, rel=1e-3), scheme
    assert "do not touch at this configuration: touch" in air.status.message
    assert "touch" not in ground.status.message
    assert air.step < 0.9 * air.pressing[air.scheme].step


def test_limits_of_a_neck_beside_its_post_are_suggested_for_when_it_leans_there():
    system, rest = touching(stiffness=STIFFNESS)
    leaning = chorda.step_limits(system, initial=rest)
    assert leaning.open_contacts == ("leans.bar2-post", "leans.bar1-post")
    apart = chorda.step_limits(system, initial={"tension": 20.0}, schemes=["rk4"])
    assert len(apart.open_contacts) == 3
    assert apart.pressing["rk4"].step == pytest.approx(leaning.limits["rk4"].step, rel=0.5)
    assert apart.step < apart.pressing["rk4"].step < apart.limits["rk4"].step / 2


def test_limits_on_the_line_of_a_bore_say_which_contacts_they_know_nothing_of():
    system = chorda.assemble(chorda.load("wire-tube"))
    found = chorda.step_limits(system, schemes=["bdf2"])
    assert found.open_contacts
    assert "They know nothing of" in found.suggestion
