"""A search for configurations that tendons cannot hold."""

import sys

import chorda
from chorda.numerics.progress import Progress


def test_a_long_search_shows_how_far_it_is(monkeypatch):
    shown = []

    class Noted(Progress):
        def update(self, done):
            shown.append((self._total, done))

    monkeypatch.setattr(sys.modules["chorda.tendons.infeasible"], "Progress", Noted)
    chorda.infeasible(chorda.assemble(chorda.neck(1)), {"x1": [-0.5, 0.0, 0.5]}, progress=True)
    assert shown == [(3, 1), (3, 2), (3, 3)]
