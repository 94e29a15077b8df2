import pytest

import chorda


@pytest.fixture(scope="session")
def neck():
    """One X-joint, two elastic tendons, two motors."""
    return chorda.assemble(chorda.neck(1))


@pytest.fixture(scope="session")
def rigid_neck():
    return chorda.assemble(chorda.neck(1), tendons="rigid")
