"""Linear algebra of verbs runs on one thread, and the user's threads are put back."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import chorda
from chorda.numerics.one_thread import one_thread
from chorda.results.late import Late


def threads():
    return {x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        yield
        assert threads() == {2}


def test_within_it_there_is_one():
    with one_thread():
        with one_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}


def test_an_error_puts_the_others_back():
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert threads() == {2}


def test_late_values_are_computed_on_one():
    assert Late(threads)() == {1}


def test_verbs_work_on_one(monkeypatch):
    seen = []

    def watched(*args, **options):
        seen.append(threads())
        return eigenvalues(*args, **options)

    eigenvalues = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", watched)
    rest = chorda.equilibrium(chorda.assemble(chorda.load("neck-3")), tensions=20.0)
    chorda.stability(rest)
    assert rest.stable
    assert seen
    assert all(x == {1} for x in seen)
