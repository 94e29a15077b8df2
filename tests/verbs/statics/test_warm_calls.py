"""What a warm equilibrium is made of, and that its estimate is that of a cold one."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.compile.paths import CompiledPath, InterpretedPath
from chorda.statics.branch import solved_from, state_of
from chorda.statics.follow import problem_from
from chorda.statics.prescribe import read
from chorda.statics.problem import Problem
from chorda.statics.rod_accuracy import space_accuracy
from chorda.statics.targets import single

BULGE = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
HOLD = {"motor1": 2.59, "motor2": 0.55}
NEAR = {"motor1": 2.65, "motor2": 0.6}


@pytest.fixture(scope="module")
def known():
    system = chorda.assemble(chorda.load("rfrfr"))
    return chorda.equilibrium(system, hold=HOLD, initial=BULGE, strict=True)


def near(known, compiled):
    request = read(known.system, known.parameters, hold=NEAR)
    problem, values = problem_from(known, request)
    problem = replace(problem, compiled=compiled)
    return problem, state_of(problem, known), single(problem.prescription, values)


def test_a_warm_equilibrium_has_one_matrix_beside_newtons_at_its_solution(known, monkeypatch):
    calls = []
    for kind in (CompiledPath, InterpretedPath):

        def evaluate(self, job, x, target, original=kind.evaluate):
            calls.append(x.copy())
            return original(self, job, x, target)

        monkeypatch.setattr(kind, "evaluate", evaluate)
    found = chorda.equilibrium(known.system, hold=NEAR, initial=known, strict=True)
    at_solution = [x for x in calls if np.array_equal(x[: len(found.q)], found.q)]
    assert len(at_solution) == 1
    assert len(calls) <= 2  # without a compiler Newton's own passes here too


@pytest.mark.parametrize("compiled", [True, False])
def test_the_tangent_is_newtons_whole_first_step(known, compiled):
    problem, x, target = near(known, compiled)
    tangent = np.zeros(problem.nx)
    found, _ = solved_from(problem, x, target, 25, tangent)
    r, A = problem.evaluate(x, target)
    assert found is not None
    assert tangent == pytest.approx(problem.moved(x, -np.linalg.solve(A, r)), abs=1e-10)
    assert problem.distances(tangent, found) > 1e-6  # it is not the solution


def test_compiled_and_interpreted_estimates_are_one(known):
    problem, x, target = near(known, True)
    x, _ = solved_from(problem, x, target, 25)
    estimates = [space_accuracy(replace(problem, compiled=c), x, target) for c in (True, False)]
    a, b = estimates
    assert a.worst > 1e-9
    assert a.error == pytest.approx(b.error, rel=1e-6)
    assert a.integration == pytest.approx(b.integration, rel=1e-4)
    assert a.reliable
    assert b.reliable


def test_an_estimate_follows_parameters_that_change(known):
    problem, x, target = near(known, True)
    first = space_accuracy(problem, x, target)
    rows = [k for k, n in enumerate(known.system.parameter_names) if n.endswith("young_modulus")]
    p = problem.p.copy()
    p[rows] *= 2
    stiff = Problem(problem.system, problem.prescription, problem.u, p)
    there, _ = solved_from(stiff, x, target, 25)
    other, again = space_accuracy(stiff, there, target), space_accuracy(problem, x, target)
    assert again.error == pytest.approx(first.error, rel=1e-9)
    assert other.error != pytest.approx(first.error, rel=1e-6)
