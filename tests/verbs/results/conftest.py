import pytest

import chorda


@pytest.fixture(scope="session")
def run():
    system = chorda.assemble(chorda.neck(2))
    return chorda.simulate(
        system,
        duration=0.05,
        step=1e-3,
        initial={"x1": 0.2, "tension": 10.0},
        inputs={"motor-left": lambda t: -0.01 - t},
        parameters={"x1.bar_mass": 0.04},
    )


@pytest.fixture(scope="session")
def passive_run():
    """A pendulum: no tendons, no inputs."""
    body = chorda.describe.Body(mass=1.0, center=(0, -1.0, 0))
    hinge = chorda.describe.Revolute(name="j", body=body)
    system = chorda.assemble(chorda.describe.Robot(name="pendulum", joints=(hinge,)))
    return chorda.simulate(system, duration=0.05, step=1e-3, initial={"j": 0.3})


@pytest.fixture(params=["run", "passive_run"])
def any_run(request):
    return request.getfixturevalue(request.param)
