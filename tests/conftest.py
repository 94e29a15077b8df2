"""Property tests are the same every time; tests of one paper share a process, and what it made."""

import re

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

OF_A_PAPER = re.compile(r"tests/papers/.*(briot2022|fasquelle2021|recursive|testard2023|till)")


@pytest.hookimpl(optionalhook=True)  # where pytest-xdist is not there, nobody asks
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Papers(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            paper = OF_A_PAPER.match(nodeid)
            return paper[1] if paper else nodeid

    return Papers(config, log)
