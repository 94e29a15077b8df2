"""Derivatives of a simulated motion are the derivatives of the numbers that simulate returns."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.sensitivities import Directions, one_by_one, sensitivities
from chorda.errors import InputError
from tests.helpers.evaluate import slope
from tests.helpers.recordings import recorded

NAMES = ("right1.stiffness", "left.damping", "motor-left.dry_slope", "spring1-left.free_length")
SCHEMES = ("implicit-euler", "rk4", "newmark", "bdf2", "generalized-alpha", "rosenbrock")
STEP = 5e-4


@pytest.fixture(scope="module")
def case():
    system = chorda.assemble(chorda.neck(1))
    closed, run = recorded(system, 0.3, duration=0.3, step=STEP, tension=10.0)
    return system, closed.input, run.position[0], run.velocity[0]


def simulated(case, scheme, p, q, v):
    system, inputs, _, _ = case
    run = chorda.simulate(
        system,
        duration=STEP * (len(inputs) - 1),
        step=STEP,
        scheme=scheme,
        inputs=inputs,
        initial=np.concatenate([q, v]),
        parameters=dict(zip(system.parameter_names, p, strict=True)),
        strict=True,
    )
    return np.hstack([run.position, run.velocity])


def differentiated(case, directions, scheme, p=None):
    system, inputs, q, v = case
    p = system.parameter_values if p is None else p
    return sensitivities(
        system,
        directions,
        step=STEP,
        signal=inputs,
        q=q,
        v=v,
        p=p,
        steps=len(inputs) - 1,
        scheme=scheme,
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_derivatives_are_those_of_simulate_for_every_fixed_step_scheme(case, scheme):
    system, _, q, v = case
    p = system.parameter_values
    found = differentiated(case, one_by_one(system, NAMES, start=True), scheme)
    plain = simulated(case, scheme, p, q, v)
    assert np.max(np.abs(found.state - plain)) < 1e-12 * np.max(np.abs(plain))
    for j, name in enumerate(NAMES):
        e = np.array(system.parameter_names) == name
        size = p[e][0]
        numeric = slope(lambda s, e=e, size=size: simulated(case, scheme, p + s * size * e, q, v))
        assert np.max(np.abs(found.by[..., j] * size - numeric)) < 1e-6 * np.max(np.abs(numeric))
    for j in range(system.nq + system.nv):
        e = np.eye(system.nq + system.nv)[j]
        dq, dv = e[: system.nq], e[system.nq :]
        numeric = slope(
            lambda s, dq=dq, dv=dv: simulated(case, scheme, p, q + s * dq, v + s * dv), 1e-4
        )
        exact = found.by[..., len(NAMES) + j]
        assert np.max(np.abs(exact - numeric)) < 1e-6 * np.max(np.abs(numeric))


@pytest.mark.parametrize("scheme", ["implicit-euler", "newmark", "rk4"])
def test_directions_one_by_one_are_columns_of_the_whole(case, scheme, monkeypatch):
    """Few are followed each on its own; of many the matrix of a step multiplies all."""
    own = one_by_one(case[0], NAMES[:2])
    found = []
    for few in (0.0, 1e9):
        monkeypatch.setattr("chorda.dynamics.sensitivities.FEW_DIRECTIONS", few)
        found.append(differentiated(case, own, scheme).by)
    scale = np.abs(found[0]).max(axis=(0, 1))
    assert np.abs((found[1] - found[0]) / scale).max() < 1e-9
    assert not np.array_equal(*found)  # two ways


def test_a_direction_moves_its_parameters_by_their_weights(case):
    system, _, _, _ = case
    rows = tuple(system.parameter_names.index(f"{t}.stiffness") for t in ("right1", "left"))
    both = differentiated(case, Directions((rows,), ((1.0, 0.5),)), "implicit-euler")
    each = differentiated(
        case, Directions(tuple((i,) for i in rows), ((1.0,), (1.0,))), "implicit-euler"
    )
    together = each.by[..., 0] + 0.5 * each.by[..., 1]
    np.testing.assert_allclose(both.by[..., 0], together, rtol=1e-9, atol=1e-18)


def test_interpreted_and_compiled_derivatives_agree(case, monkeypatch):
    directions = one_by_one(case[0], NAMES[:2], start=True)
    compiled = differentiated(case, directions, "newmark")
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted = differentiated(case, directions, "newmark")
    scale = np.max(np.abs(compiled.by), axis=(0, 1))
    assert np.max(np.abs(compiled.by - interpreted.by) / scale) < 1e-10


def test_schemes_that_choose_their_steps_are_refused(case):
    for scheme in ("rk45", "cvodes"):
        with pytest.raises(InputError, match="chooses its own steps"):
            differentiated(case, one_by_one(case[0], NAMES), scheme)


def test_a_motion_that_leaves_its_ranges_ends_early_with_a_sentence(case):
    system, inputs, q, v = case
    found = differentiated(
        (system, 1e4 * np.ones_like(inputs), q, v), one_by_one(system, NAMES), "newmark"
    )
    assert found.status.code == "diverged"
    assert "left its ranges" in found.status.message
    assert len(found.time) == len(found.state) == len(found.by) < len(inputs)
    assert np.all(np.isfinite(found.by))
