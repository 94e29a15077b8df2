"""chorda.reactions takes what verbs return, and says so where it gets something else."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.load("finger-2n"))


def test_an_equilibrium_is_a_configuration_at_rest(system):
    rest = chorda.equilibrium(system, tensions=5.0)
    found = chorda.reactions(rest)
    assert found.sizes["time"] == 1
    np.testing.assert_allclose(found["tension"], 5.0)
    np.testing.assert_allclose(found["effort"], 0.0, atol=1e-12)
    # the palm carries the weight of both links; the cables pull on links and palm alike
    weight = 9.81 * sum(j.body.mass for j in system.robot.joints if j.body is not None)
    np.testing.assert_allclose(found["world_force"].sel(joint="palm")[0], [0, weight, 0], atol=1e-9)


def test_an_equilibrium_has_the_reactions_of_a_run_that_stays_there(system):
    rest = chorda.equilibrium(system, tensions=[4.2, 4.0, 4.1, 4.0])
    stays = chorda.simulate(system, duration=1e-3, step=1e-3, initial=rest, inputs=rest.u)
    configuration, run = chorda.reactions(rest), chorda.reactions(stays).isel(time=[0])
    for name in ("force", "moment", "pull", "tension"):
        np.testing.assert_allclose(configuration[name], run[name], atol=1e-6)


def test_a_system_and_a_path_are_refused_with_a_remedy(system):
    for given in (system, "run.nc", None):
        with pytest.raises(InputError, match=r"run: expected a Run or an Equilibrium, got .*open"):
            chorda.reactions(given)
