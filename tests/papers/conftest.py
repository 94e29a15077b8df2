"""Reproductions, made once in a process and shared by the tests of a paper and of all papers."""

import pytest

from chorda.papers import PAPERS


@pytest.fixture(scope="session")
def reproduced(tmp_path_factory):
    """By key: a quick reproduction."""
    made = {}

    def of(key):
        if key not in made:
            folder = tmp_path_factory.mktemp(key)
            made[key] = PAPERS[key](folder, quick=True, progress=False)
        return made[key]

    return of
