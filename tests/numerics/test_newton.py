"""Newton's method: its order, its damping, matrices that are singular or kept, and its failures."""

import numpy as np
import pytest

from chorda.numerics.newton import newton, solver_of


def circle_and_line(x):
    """A circle of radius 2 and the line y = x."""
    a, b = x
    return np.array([a * a + b * b - 4, b - a]), np.array([[2 * a, 2 * b], [-1.0, 1.0]])


def arctan(x):
    """Undamped steps from beyond 1.39 run away."""
    return np.arctan(x), np.diag(1 / (1 + x**2))


def test_errors_are_squared_in_each_iteration():
    """On the line the circle is x^2 = 2, with errors e^2 / (2 x) after e."""
    root, errors = np.sqrt(2.0), []
    for count in range(1, 5):
        found = newton(circle_and_line, np.array([3.0, 1.0]), tolerance=0, iterations=count)
        errors.append(np.max(np.abs(found.x - root)))
    before, after = np.array(errors[:-1]), np.array(errors[1:])
    assert after / before**2 == pytest.approx(1 / (2 * root), rel=0.2)
    assert errors[-1] < 1e-7


def test_a_solution_is_reported_with_what_it_took():
    found = newton(circle_and_line, np.array([3.0, 1.0]), tolerance=1e-12)
    assert (found.converged, found.reason) == (True, "converged")
    assert found.residual <= 1e-12
    assert found.correction < 1e-5
    assert found.value == pytest.approx([0, 0], abs=1e-12)
    assert found.iterations <= 6


def test_damping_finds_what_whole_steps_run_away_from():
    start = np.array([3.0])
    whole = newton(arctan, start, tolerance=1e-12, trials=0, divergence=1e6)
    assert (whole.converged, whole.reason) == (False, "too far")
    assert newton(arctan, start, tolerance=1e-12).converged


@pytest.mark.parametrize("longest", [0.5, 0.25])
def test_steps_are_as_many_as_the_longest_one_asks_for(longest):
    """To a root at a distance of 3 with steps that would go there at once."""
    found = newton(
        lambda x: (x - 3, np.eye(1)), np.zeros(1), tolerance=1e-12, longest=longest, trials=0
    )
    assert found.iterations == 3 / longest


def test_a_step_that_is_not_good_is_halved():
    """From 3 the whole step goes to -9.49 and leaves more; the half one to -3.25, and so on."""
    tried = []

    def noted(x):
        tried.append(float(x[0]))
        return arctan(x)

    newton(noted, np.array([3.0]), tolerance=1e-12, iterations=1)
    steps = np.array(tried[1:]) - 3
    assert steps[1:] / steps[:-1] == pytest.approx(0.5)
    assert abs(np.arctan(tried[-1])) < abs(np.arctan(3.0)) < abs(np.arctan(tried[-2]))


def test_a_singular_system_that_has_solutions_takes_the_shortest_step():
    A = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    b = np.array([2.0, 2.0, 4.0])
    found = newton(lambda x: (A @ x - b, A), np.zeros(3), tolerance=1e-12)
    assert found.converged
    assert found.x == pytest.approx([1, 1, 2])
    assert found.iterations == 1


def test_fewer_equations_than_unknowns_take_the_shortest_step():
    found = newton(
        lambda x: (np.array([x @ x - 1]), 2 * x[None]), np.array([0.3, 0.4]), tolerance=1e-13
    )
    assert found.x == pytest.approx([0.6, 0.8])  # the nearest point of the circle


def test_a_solver_that_cannot_solve_is_reported():
    found = newton(
        lambda x: (x - 1, lambda r: np.linalg.solve(np.zeros((1, 1)), r)),
        np.zeros(1),
        tolerance=1e-9,
    )
    assert (found.converged, found.reason) == (False, "singular")


@pytest.mark.parametrize(
    ("evaluate", "reason"),
    [
        (lambda x: (x**2 + 1, np.diag(2 * x)), "no descent"),
        (lambda x: (np.log(x - 5), np.eye(1)), "not finite"),
        (lambda x: (1 / x, np.diag(-1 / x**2)), "iterations"),
    ],
)
def test_a_failure_is_reported_and_the_last_state_is_kept(evaluate, reason):
    with np.errstate(all="ignore"):
        found = newton(evaluate, np.array([0.7]), tolerance=1e-12, iterations=10)
    assert (found.converged, found.reason) == (False, reason)
    assert np.isfinite(found.x).all()


def test_both_tolerances_must_be_met():
    """A double root: the residual is small long before the state is near."""
    double = {"x": np.array([1.0]), "tolerance": 1e-4, "trials": 0, "iterations": 60}
    near = newton(lambda x: (x**2, np.diag(2 * x)), **double)
    nearer = newton(lambda x: (x**2, np.diag(2 * x)), **double, correction_tolerance=1e-9)
    assert near.correction > 1e-3
    assert nearer.correction <= 1e-9


def test_the_correction_alone_may_decide():
    seen = []

    def noted(x):
        seen.append(x)
        return circle_and_line(x)

    found = newton(
        noted, np.array([3.0, 1.0]), tolerance=np.inf, correction_tolerance=1e-6, trials=0
    )
    assert found.converged
    assert len(seen) == found.iterations
    assert found.x == pytest.approx(np.sqrt([2, 2]), abs=1e-12)


def test_a_residual_of_rounding_is_accepted_where_no_step_leaves_less():
    def rough(x):
        return np.round(x - 1 / 3, 9) + 2e-10, np.eye(1)

    strict = newton(rough, np.zeros(1), tolerance=1e-12)
    assert strict.reason == "no descent"
    assert newton(rough, np.zeros(1), tolerance=1e-12, rounding=1e-8).converged


def test_a_matrix_is_kept_while_it_converges_and_made_anew_where_it_does_not():
    made = []

    def evaluate(x):
        made.append(x)
        return arctan(x)

    def alone(x):
        return np.arctan(x)

    near = newton(evaluate, np.array([0.2]), tolerance=1e-13, residual=alone)
    assert near.converged
    assert near.matrices == len(made) < near.iterations
    again = newton(
        evaluate, np.array([0.1]), tolerance=1e-13, residual=alone, kept=near.solver, least=1
    )
    assert (again.converged, again.matrices) == (True, 0)
    wrong = newton(
        evaluate, np.array([2.0]), tolerance=1e-13, residual=alone, kept=lambda r: 10 * r
    )
    assert wrong.converged
    assert wrong.matrices > 0


def test_the_correction_tells_progress_whatever_the_equations_are_scaled_by():
    """x in metres, y answers to the square of x in tiny units: the way leads over more residual."""

    def curved(z):
        x, y = z
        return np.array([x - 1, 1e6 * (y - x * x)]), np.array([[1.0, 0], [-2e6 * x, 1e6]])

    start = {"x": np.zeros(2), "tolerance": 1e-9, "trials": 4}
    assert not newton(curved, **start).converged
    assert newton(curved, **start, by_correction=True).converged


def test_states_move_as_they_are_told_to():
    """Angles on a circle: a correction turns a unit vector."""

    def moved(v, d):
        c, s = np.cos(d[0]), np.sin(d[0])
        return np.array([[c, -s], [s, c]]) @ v

    def off(v):  # sine and cosine of the angle from the direction (0, 1)
        return np.array([v[0]]), np.array([[-v[1]]])

    found = newton(off, np.array([0.6, 0.8]), moved=moved, tolerance=1e-14)
    assert found.x == pytest.approx([0, 1], abs=1e-13)


def test_solver_of_a_regular_matrix_solves():
    A = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert A @ solver_of(A)(np.array([1.0, 2.0])) == pytest.approx([-1, -2])
