import pytest

import chorda


@pytest.fixture(scope="session")
def neck():
    return chorda.assemble(chorda.load("neck-2"))
