"""Steps with stiff contacts: the predicted limit of explicit schemes is the one observed, and
implicit Euler takes far longer ones."""

import numpy as np
import pytest

import chorda
from tests.helpers.touching_robots import gaps_at, touching

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
