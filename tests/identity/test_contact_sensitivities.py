"""Derivatives of motions in which shapes touch: those of the law's relation, and of the numbers."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.sensitivities import one_by_one, sensitivities
from tests.helpers.evaluate import slope
from tests.helpers.touching_robots import ball, touching

LAW = {"stiffness": 2e4, "dissipation": 2.0}
STEP, STEPS = 1e-3, 60
CASES = (
    pytest.param("frictionless", "rk4", marks=pytest.mark.slow),
    ("smooth", "implicit-euler"),
    ("bristle", "newmark"),
    pytest.param("bristle", "rosenbrock", marks=pytest.mark.slow),
)
SMALL = {"post": 1e-6, "bar3": 1e-6, "leans": 1e-5}  # relative steps of differences


@pytest.mark.parametrize(
    ("exponent", "stiffness", "rel"),
    [(1.0, 1e4, 3e-4), (2.0, 1e6, 1e-7)],  # a force with a corner: first order in the step
)
def test_a_rebound_depends_on_the_dissipation_as_the_law_says_and_not_on_the_stiffness(
    exponent, stiffness, rel
):
    speed, c = 2.0, 0.8
    law = {"stiffness": stiffness, "exponent": exponent, "dissipation": c}
    system = chorda.assemble(ball(0.01, gravity=0.0, **law))
    steps = 2000
    found = sensitivities(
        system,
        one_by_one(system, ["touch.dissipation", "touch.stiffness"]),
        step=2e-5,
        signal=np.zeros((steps + 1, 0)),
        q=np.zeros(1),
        v=np.array([-speed]),
        p=system.parameter_values,
        steps=steps,
        scheme="rk4",
    )
    rebound = found.state[-1, 1]
    assert rebound > 0.5  # it has left the floor

    def relation(c, v1):  # c (v0 + v1) = log((1 + c v0) / (1 - c v1))
        return c * (speed + v1) - np.log((1 + c * speed) / (1 - c * v1))

    assert relation(c, rebound) == pytest.approx(0, abs=1e-6)
    expected = -slope(lambda s: relation(c + s, rebound)) / slope(
        lambda s: relation(c, rebound + s)
    )
    assert found.by[-1, 1, 0] == pytest.approx(expected, rel=rel)
    assert abs(found.by[-1, 1, 1]) * stiffness < rel * rebound


@pytest.mark.parametrize(("kind", "scheme"), CASES)
def test_derivatives_by_law_and_shapes_are_those_of_simulate(kind, scheme):
    system, rest = touching(kind, **LAW)
    p, q, v = system.parameter_values, rest.q.copy(), np.zeros(system.nv)
    q[2] += 0.15  # the top bar is away from its post, and falls back
    names = [x for x in system.parameter_names if x.split(".")[0] in SMALL]
    rubs = {"leans.friction.coefficient"} if kind != "frictionless" else set()
    assert {"leans.stiffness", "post.center.x", "bar3.radius"} | rubs <= set(names)
    found = sensitivities(
        system,
        one_by_one(system, names),
        step=STEP,
        signal=np.tile(rest.u, (STEPS + 1, 1)),
        q=q,
        v=v,
        p=p,
        steps=STEPS,
        scheme=scheme,
    )

    def simulated(values):
        return chorda.simulate(
            system,
            duration=STEP * STEPS,
            step=STEP,
            scheme=scheme,
            inputs=rest.u,
            initial=np.concatenate([q, v]),
            parameters=dict(zip(system.parameter_names, values, strict=True)),
            strict=True,
        )

    run = simulated(p)
    touched = run.outputs["normal_force"].max(axis=1) > 0
    assert touched.any()
    assert np.abs(found.by[~touched][:5]).max() == 0  # what did not touch yet depends on nothing
    for j, name in enumerate(names):
        e = np.array(system.parameter_names) == name
        size = p[e][0] * SMALL[name.split(".")[0]]

        def moved(s, e=e, size=size):
            run = simulated(p + s * size * e)
            return np.hstack([run.position, run.velocity])

        numeric = slope(moved, 1.0)
        assert np.abs(numeric).max() > 0, name
        error = np.max(np.abs(found.by[..., j] * size - numeric)) / np.max(np.abs(numeric))
        assert error < 1e-5, (name, error)
