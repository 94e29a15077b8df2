"""A function at many columns: compiled on all cores, it gives what the virtual machine gives."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.compile import columns
from chorda.compile.columns import at_columns
from chorda.mechanics.tensioning import tensioner, winder
from chorda.numerics.pacing import by_columns

MEMBERS = 37


@pytest.fixture
def always_compiled(monkeypatch):
    monkeypatch.setattr(columns, "WORTH_COMPILING", 0)


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-2"))


def drawn(rows):
    return np.random.default_rng(rows).uniform(-0.1, 0.1, (rows, MEMBERS))


def columns_of(system):
    q = system.rest[:, None] + drawn(system.nq)
    return q, system.parameters()[:, None]


def test_vectors_are_those_of_the_virtual_machine(neck, always_compiled):
    q, p = columns_of(neck)
    pulls = 10 + 10 * drawn(len(neck.robot.tendons))
    pulls[0, ::2] = np.nan  # not asked for
    for function, arguments in ((winder(neck), (pulls, q, p)), (tensioner(neck), (q, p))):
        mine = at_columns(neck, function, *arguments)[0]
        assert np.allclose(mine, by_columns(function, *arguments)[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["rfrfr", "neck-2"])
def test_matrices_stand_side_by_side_as_casadi_puts_them(name, always_compiled):
    system = chorda.assemble(chorda.load(name))
    q, p = columns_of(system)
    p = np.repeat(p, MEMBERS, 1)
    v, u = drawn(system.nv), drawn(system.nu)
    for mine, theirs in zip(
        at_columns(system, system.equations, q, v, u, p),
        by_columns(system.equations, q, v, u, p),
        strict=True,
    ):
        assert mine.shape == theirs.shape
        assert np.allclose(mine, theirs, rtol=1e-10, atol=1e-10)


def test_results_with_structural_zeros_have_all_entries(neck, always_compiled):
    x = ca.SX.sym("x", 2)
    sparse = ca.SX(3, 2)
    sparse[1, 0], sparse[2, 1] = x[0], x[0] * x[1]
    function = ca.Function("sparse", [x], [sparse])
    given = drawn(2)
    assert np.array_equal(at_columns(neck, function, given)[0], by_columns(function, given)[0])


def test_few_columns_are_not_compiled(neck, monkeypatch):
    monkeypatch.setattr(columns, "_built", None)  # calling it would fail
    q, p = columns_of(neck)
    found = at_columns(neck, tensioner(neck), q, p)[0]
    assert np.array_equal(found, by_columns(tensioner(neck), q, p)[0])


def test_a_piece_of_many_is_compiled_as_all_of_them(neck, monkeypatch):
    made = []
    build = columns._built
    monkeypatch.setattr(columns, "_built", lambda f: made.append(f) or build(f))
    q, _ = columns_of(neck)
    x = ca.SX.sym("x", len(q))
    function = ca.Function("sum", [x], [ca.sum1(x)])
    at_columns(neck, function, q, whole=10**9)
    assert len(made) == 1


def test_progress_is_reported(neck, always_compiled):
    seen = []
    q, p = columns_of(neck)
    at_columns(neck, tensioner(neck), q, p, watch=seen.append)
    assert seen[-1] == MEMBERS
