"""Functions that are called instead of written out: the same values, derivatives and zeros."""

from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest

from chorda.mechanics.called import called
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.subexpressions import operations


@dataclass(frozen=True, eq=False)
class Ball:
    """Some expressions, something that is not there, a number."""

    centre: Expr
    radius: Expr
    nothing: Expr | None
    power: int


@dataclass(frozen=True, eq=False)
class Found:
    size: Expr
    both: tuple[Expr, tuple[Expr, Expr]]
    fixed: Expr


def measured(x):
    gap = ca.norm_2(x.centre) - x.radius**x.power
    turned = ca.sparsify(ca.vertcat(x.centre[1], SX(1, 1), x.centre[0] * gap))
    return Found(gap, (turned, (SX(1, 1), ca.sin(x.centre) * x.radius)), SX(2.0))


@pytest.fixture
def balls():
    q, r = SX.sym("q", 8), SX.sym("r")
    planar = [ca.sparsify(ca.vertcat(q[2 * k], q[2 * k + 1], SX(1, 1))) for k in range(4)]
    return q, r, [Ball(x, r, None, 2) for x in planar]


def column(found):
    turned, (empty, waves) = found.both
    return ca.vertcat(found.size, turned, empty, waves, found.fixed)


def test_calls_have_the_values_and_derivatives_of_what_they_stand_for(balls):
    q, r, cases = balls
    results = called("measured", cases, measured), [measured(x) for x in cases]
    columns = [ca.vertcat(*[column(x) for x in found]) for found in results]
    functions = [
        ca.Function("f", [q, r], [ca.densify(x), ca.densify(ca.jacobian(x, q))]) for x in columns
    ]
    at = np.linspace(0.3, 1.1, 8), 0.7
    for mine, written in zip(*[f(*at) for f in functions], strict=True):
        np.testing.assert_allclose(mine.full(), written.full(), rtol=1e-14, atol=1e-15)


def test_zeros_stay_structural_and_each_case_depends_on_its_own_symbols(balls):
    q, _, cases = balls
    found = called("measured", cases, measured)
    assert found[1].both[0].sparsity().find() == [0, 2]
    assert found[1].both[1][0].nnz() == 0
    by_q = ca.jacobian(found[1].size, q)
    assert by_q.sparsity().get_col() == [2, 3]


def test_a_result_is_a_function_of_what_it_needs_alone(balls):
    q, _, cases = balls
    waves = called("part", cases, lambda x: (x.centre[0], x.radius * x.centre[1]))
    ca.Function("f", [q], [waves[2][0]])  # free symbols would raise
    with pytest.raises(RuntimeError, match="free"):
        ca.Function("f", [q], [waves[2][1]])


def test_one_case_is_written_out():
    x = SX.sym("x")
    ((found,),) = called("alone", [x], lambda y: (y**2,))
    assert ca.Function("f", [x], [found]).find_functions() == []


def test_operations_count_what_is_called_each_time(balls):
    q, r, cases = balls
    sizes = [x.size for x in called("measured", cases, measured)]
    f = ca.Function("f", [q, r], [ca.vertcat(*sizes)])
    (inner,) = f.find_functions()
    assert operations(f) == f.n_instructions() + 4 * inner.n_instructions()
