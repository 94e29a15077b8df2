"""Continuation: over a parameter that is too stiff for one step, and to where it ends."""

import numpy as np
import pytest

from chorda.numerics.continuation import continued, settled
from chorda.numerics.newton import newton

RATE = 20.0


def grown(p, x):
    """exp(x) = exp(RATE p), with few Newton steps; None where they do not get there."""
    end = np.exp(RATE * p)
    with np.errstate(over="ignore"):
        found = newton(
            lambda x: (np.exp(x) - end, np.diag(np.exp(x))),
            x,
            tolerance=1e-12 * end,
            iterations=6,
        )
    return found.x if found.converged else None


def test_a_parameter_too_stiff_for_one_step_is_reached_in_many():
    assert grown(1.0, np.zeros(1)) is None
    found = continued(grown, np.zeros(1))
    assert found.complete
    assert found.failed > 0
    assert found.state == pytest.approx(RATE)


def test_a_guess_ahead_saves_steps():
    def ahead(before, last, ratio):
        return last + ratio * (last - before)

    plain = continued(grown, np.zeros(1))
    faster = continued(grown, np.zeros(1), predict=ahead)
    assert faster.state == pytest.approx(plain.state)
    assert faster.steps + faster.failed < plain.steps + plain.failed


def test_the_end_of_a_branch_is_found_within_the_shortest_step():
    """x^2 = 1 - 2 p has no solution beyond p = 1/2."""

    def reach(p, x):
        found = newton(lambda x: (x**2 - 1 + 2 * p, np.diag(2 * x)), x, tolerance=1e-12)
        return found.x if found.converged else None

    found = continued(reach, np.ones(1), shortest=1e-5)
    assert not found.complete
    assert found.parameter == pytest.approx(0.5, abs=3e-5)
    assert found.state == pytest.approx(np.sqrt(1 - 2 * found.parameter), abs=1e-6)


def test_steps_grow_and_shrink_as_asked():
    asked = []

    def reach(p, x):
        asked.append(p)
        return None if len(asked) == 2 else x

    continued(reach, 0, first=0.1, growth=2.0, shrink=0.25)
    assert np.diff([0, asked[0]]) == pytest.approx([0.1])
    assert asked[1] == pytest.approx(0.1 + 0.2)
    assert asked[2] == pytest.approx(0.1 + 0.05)
    assert asked[3] == pytest.approx(0.15 + 0.1)
    assert asked[-1] == 1.0


def power(load, x, iterations):
    """exp(x) = exp(RATE load), as Newton's outcome."""
    end = np.exp(RATE * load)
    with np.errstate(over="ignore"):
        return newton(
            lambda x: (np.exp(x) - end, np.diag(np.exp(x))),
            x,
            tolerance=1e-12 * end,
            iterations=iterations,
        )


def test_what_is_near_is_solved_at_once():
    near = np.array([RATE - 0.1])
    found, parameter = settled(power, near, at_once=10, in_step=6)
    assert (found.converged, parameter) == (True, 1.0)
    assert found.iterations == power(1.0, near, 10).iterations


def test_what_is_far_is_solved_in_steps_and_all_iterations_count():
    found, parameter = settled(power, np.zeros(1), at_once=10, in_step=6)
    assert (found.converged, parameter) == (True, 1.0)
    assert found.x == pytest.approx(RATE)
    assert found.iterations > 10 + 6


def test_what_has_no_solution_reports_how_far_there_were_some():
    """x^2 = 1 - 2 p has none beyond p = 1/2."""

    def solve(p, x, iterations):
        return newton(
            lambda x: (x**2 - 1 + 2 * p, np.diag(2 * x)), x, tolerance=1e-12, iterations=iterations
        )

    found, parameter = settled(solve, np.ones(1), at_once=20, in_step=10)
    assert not found.converged
    assert parameter == pytest.approx(0.5, abs=3e-4)
    assert found.residual == pytest.approx(1.0, abs=1e-3)  # of the whole, at the last state
