"""Property tests are the same every time; tests of one paper share a process, and what it made, and
so do those of the benchmark."""

import re

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

SHARING = re.compile(
    r"tests/(?:papers/.*(?P<paper>briot2022|fasquelle2021|recursive|testard2023|till)"
    r"|verbs/bench/(?P<bench>test_bench))"
)


@pytest.hookimpl(optionalhook=True)  # where pytest-xdist is not there, nobody asks
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            found = SHARING.match(nodeid)
            return found["paper"] or found["bench"] if found else nodeid

    return Sharing(config, log)
