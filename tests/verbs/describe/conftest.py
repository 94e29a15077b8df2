import pytest

import chorda


@pytest.fixture(scope="session")
def neck():
    return chorda.neck(3)
