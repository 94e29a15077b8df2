"""Every scheme converges with the order it claims, on smooth motions of a neck."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.kernels import functions, stepper
from chorda.dynamics.schemes import SCHEMES, rosenbrock
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.robots import slider

SOFT = {
    "right*.stiffness": 1000.0,
    "left.stiffness": 1000.0,
    "*.damping": 0.3,
    "*.dry_slope": 0.05,
}
PULL = np.array([-0.02, 0.01, -0.03])
STRONG_PULL = 10 * PULL  # which moves the motors' inertia too


def elastic():
    """Tendons soft enough for explicit schemes; dry friction (a smooth arctan) included."""
    start = np.array([0.4, -0.3, 1.0, -2.0, 3.0, 3.0, -5.0, 20.0, -30.0, 10.0])
    system = chorda.assemble(chorda.neck(2))
    return Problem(system, start, 0.1, PULL, PULL, SOFT, {1: 2560, 2: 640, 4: 320, 5: 320})


def rigid(end=STRONG_PULL, fifth=40):
    """fifth: steps of schemes of order 5, whose errors are near to rounding."""
    system = chorda.assemble(chorda.neck(2), tendons="rigid")
    start = np.array([0.4, -0.3, 2.0, -5.0])
    return Problem(system, start, 0.15, STRONG_PULL, end, {"*.dry_torque": 0.0}, {5: fifth})


def ramp():
    """Inputs that change along the motion."""
    return rigid(-2 * STRONG_PULL[::-1], 60)


PROBLEMS = {"elastic": elastic, "rigid": rigid, "ramp": ramp}


@pytest.fixture(scope="module", params=PROBLEMS)
def problem(request):
    made = PROBLEMS[request.param]()
    return made, made.reference()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_has_its_order(problem, scheme):
    case, exact = problem
    assert observed_order(case, exact, scheme) == pytest.approx(SCHEMES[scheme].order, abs=0.15)


def test_newmark_is_generalized_alpha_without_its_damping():
    """Average acceleration by hand on a linear oscillator: amplification of exactly modulus 1."""
    system = chorda.assemble(slider(joint={"stiffness": 200.0}, gravity=(0, 0, 0)))
    h, w2 = 0.02, 100.0
    run = chorda.simulate(
        system, duration=20 * h, step=h, scheme="newmark", initial=[0.1], tolerance=1e-14
    )
    x, v, a = 0.1, 0.0, -w2 * 0.1
    for k in range(20):
        a1 = -w2 * (x + h * v + h**2 / 4 * a) / (1 + h**2 / 4 * w2)
        x, v, a = x + h * v + h**2 / 4 * (a + a1), v + h / 2 * (a + a1), a1
        assert run.position[k + 1, 0] == pytest.approx(x, rel=1e-11)
    T, V = run.energy
    assert np.allclose(T + V, (T + V)[0], rtol=1e-11)


def test_error_of_the_adaptive_scheme_follows_its_tolerance():
    case = elastic()
    exact = case.reference()
    errors = []
    for tolerance in (1e-6, 1e-8, 1e-10):
        run = chorda.simulate(
            case.system,
            duration=case.duration,
            step=case.duration / 2,
            scheme="rk45",
            initial=case.start,
            inputs=case.u0,
            parameters=case.changes,
            tolerance=tolerance,
        )
        end = np.concatenate([run.position[-1], run.velocity[-1]])
        errors.append(np.max(np.abs(end - exact) / (1 + np.abs(exact))))
    assert np.diff(np.log10(errors)) == pytest.approx(-2, abs=0.3)


def test_error_estimate_of_the_adaptive_scheme_has_order_five():
    """Order 5 minus order 4: the estimate of one step shrinks like h^5."""
    case = elastic()
    after = functions(stepper(case.system, SCHEMES["rk45"]))["after"]
    p = case.system.parameters(case.changes)
    sizes = [
        np.linalg.norm(after(case.start, h, case.u0, case.u0, p)[1].full()) for h in (2e-4, 1e-4)
    ]
    assert np.log2(sizes[0] / sizes[1]) == pytest.approx(5, abs=0.15)


def test_coefficients_of_the_rosenbrock_method_satisfy_the_order_conditions():
    """[Hairer1996, section IV.7] conditions up to order 4, and where inputs are taken in time."""
    low = [np.pad(row, (0, 4 - len(row))) for row in rosenbrock.C]
    gamma = np.linalg.inv(np.eye(4) / rosenbrock.GAMMA - np.array(low))
    alpha = np.array([np.pad(row, (0, 4 - len(row))) for row in rosenbrock.A]) @ gamma
    b, beta = np.array(rosenbrock.B) @ gamma, alpha + gamma
    c, d = alpha.sum(1), beta.sum(1)
    conditions = {
        1: b.sum(),
        1 / 2: b @ d,
        1 / 3: b @ c**2,
        1 / 6: b @ beta @ d,
        1 / 4: b @ c**3,
        1 / 8: (b * c) @ alpha @ d,
        1 / 12: b @ beta @ c**2,
        1 / 24: b @ beta @ beta @ d,
    }
    assert list(conditions.values()) == pytest.approx(list(conditions), abs=1e-14)
    assert c == pytest.approx(rosenbrock.TIMES, abs=1e-14)
    assert gamma.sum(1) == pytest.approx(rosenbrock.D, abs=1e-14)
