"""Newton's method with a matrix kept from step to step finds what the exact one finds."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.compile import find
from chorda.describe import Body, DryFriction, Free, KelvinVoigt, Robot, chain
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES
from chorda.dynamics.sensitivities import one_by_one, sensitivities
from chorda.mechanics import System, records
from tests.helpers.robots import bars_from_alpha, hung_slider, slider, x_joint_of_bars

ITERATING = [name for name, scheme in SCHEMES.items() if scheme.iterates]
PULLS = {"duration": 0.1, "inputs": [-0.05, -0.06, -0.05, -0.1]}
MOTIONS = {
    "neck-3": PULLS | {"initial": {"x1": 0.1, "tension": 5.0}},
    "finger-3": PULLS | {"initial": {"tension": 2.0}},
    "x-joint-of-bars": {"duration": 0.1, "initial": np.concatenate(bars_from_alpha(0.8, -2.0))},
    "recursive-2": {
        "duration": 0.5,
        "inputs": {"actuator1": lambda t: 0.02 * np.sin(20 * t), "actuator2": 0.0},
    },
}


@pytest.fixture(scope="module")
def systems():
    robots = {name: chorda.load(name) for name in MOTIONS if name != "x-joint-of-bars"}
    robots["x-joint-of-bars"] = x_joint_of_bars(0.5)
    return {name: chorda.assemble(robot) for name, robot in robots.items()}


@pytest.fixture
def way(monkeypatch):
    """Choose how Newton's method goes."""

    def choose(reuses):
        monkeypatch.setattr(System, "reuses_matrix", reuses)

    return choose


@pytest.fixture(params=["compiled", "interpreted"])
def run(request, way, monkeypatch):
    """Simulate with or without a kept matrix, compiled or not."""
    if request.param == "interpreted":
        monkeypatch.setenv("CHORDA_COMPILER", "none")
    elif find() is None:
        pytest.skip("no C compiler")

    def simulate(system, reuses, **options):
        way(reuses)
        return chorda.simulate(system, **({"step": 1e-3, "scheme": "bdf2"} | options))

    return simulate


@pytest.mark.parametrize("scheme", ITERATING)
@pytest.mark.parametrize("name", MOTIONS)
def test_both_ways_give_the_same_motion(name, scheme, systems, run):
    exact, kept = (
        run(systems[name], reuses, scheme=scheme, strict=True, **MOTIONS[name])
        for reuses in (False, True)
    )
    if name == "recursive-2":
        assert exact.events
    assert np.allclose(kept.position, exact.position, rtol=0, atol=1e-9)
    largest = np.abs(exact.velocity).max()
    assert np.allclose(kept.velocity, exact.velocity, rtol=0, atol=1e-9 * (1 + largest))
    assert exact.counts["matrices"] == exact.counts["iterations"]
    assert kept.counts["matrices"] < exact.counts["matrices"]


def test_a_calm_motion_needs_few_matrices(systems, run):
    kept = run(systems["neck-3"], True, **MOTIONS["neck-3"], strict=True)
    assert kept.counts["matrices"] < kept.counts["steps"] / 5
    assert kept.counts["iterations"] < 8 * kept.counts["steps"]


@pytest.mark.skipif(find() is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", MOTIONS)
def test_compiled_and_interpreted_make_the_same_matrices(name, systems, way, monkeypatch):
    way(True)
    options = {"step": 1e-3, "scheme": "generalized-alpha", **MOTIONS[name]}
    compiled = chorda.simulate(systems[name], **options)
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted = chorda.simulate(systems[name], **options)
    for count in ("steps", "iterations", "matrices"):
        assert compiled.counts[count] == interpreted.counts[count]


def test_a_motion_does_not_depend_on_those_before_it(systems, run):
    first = run(systems["neck-3"], True, **MOTIONS["neck-3"])
    run(systems["neck-3"], True, **MOTIONS["neck-3"], parameters={"*.bar_mass": 0.1})
    again = run(systems["neck-3"], True, **MOTIONS["neck-3"])
    assert np.array_equal(first.position, again.position)


def test_a_controller_in_python_keeps_the_matrix_between_its_steps(systems, run):
    """Each of its steps is a call of the kernel of its own."""
    options = MOTIONS["neck-3"] | {"inputs": None}
    held = run(
        systems["neck-3"], True, control=lambda t, q, v: MOTIONS["neck-3"]["inputs"], **options
    )
    given = run(systems["neck-3"], True, **MOTIONS["neck-3"])
    assert held.counts["matrices"] == given.counts["matrices"]
    assert np.array_equal(held.position, given.position)


def test_dry_friction_that_jumps_is_held_over_the_step(run):
    neck = chorda.neck(1)
    friction = DryFriction(torque=0.002, kind="sign")
    actuators = tuple(d.model_copy(update={"dry_friction": friction}) for d in neck.actuators)
    system = chorda.assemble(neck.model_copy(update={"actuators": actuators}))
    options = {"duration": 0.1, "initial": {"x1": 0.3, "tension": 5.0}, "strict": True}
    exact, kept = (run(system, reuses, **options) for reuses in (False, True))
    assert np.allclose(kept.position, exact.position, rtol=0, atol=1e-9)


def test_newton_that_does_not_converge_is_explained(systems, run):
    failed = run(
        systems["neck-3"], True, step=1e-2, duration=0.1, initial={"x1": 0.5}, tolerance=1e-30
    )
    assert failed.status.code == "not-converged"
    assert "Newton's method did not converge at step" in failed.status.message


def test_a_singular_matrix_is_a_failure_with_a_sentence(run):
    """No equation has the acceleration of a slider without mass, were it let through."""
    system = chorda.assemble(slider())
    table = system.parameter_table
    lenient = replace(table, positive=(False,) * len(table.names))
    system = replace(system, parameter_table=lenient)
    failed = run(system, True, duration=0.01, parameters={"s.mass": 0.0})
    assert failed.status.code == "not-converged"
    assert len(failed.time) == 1


def test_nan_in_the_equations_does_not_pass(systems, run, monkeypatch):
    monkeypatch.setattr(records, "check_together", lambda *_: None)  # bars that cannot close
    failed = run(systems["neck-3"], True, duration=0.01, parameters={"x1.bar_length": 0.2})
    assert not failed.status.ok
    assert len(failed.time) == 1
    assert np.all(np.isfinite(failed.position))


def test_a_full_iteration_is_the_last_resort(run):
    """The guess is slack, the end of the step taut: no one matrix serves from there to here."""
    law = KelvinVoigt(stiffness=1e6, damping=100.0, one_sided=True)
    system = chorda.assemble(hung_slider(None, law))
    options = {"duration": 1e-2, "step": 1e-2, "scheme": "implicit-euler-converged"}
    exact, kept = (
        run(system, reuses, **options, initial={"s": 5e-4}, strict=True) for reuses in (False, True)
    )
    full = exact.counts["iterations"]
    assert kept.counts["matrices"] == 1 + full  # a fresh one at the guess, then one an iteration
    assert kept.counts["iterations"] == 2 + full
    assert np.allclose(kept.position, exact.position, rtol=0, atol=1e-9)


def test_robots_with_many_joints_keep_their_matrix_unless_the_tree_gives_corrections():
    body = Body(mass=0.1, center=(-0.05, 0, 0), inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0))

    def links(count, *more):
        joints = chain([(0.1, 0, 0, 0)] * count, [body] * count)
        return chorda.assemble(Robot(name="r", joints=(*joints, *more)))

    floating = Free(name="float", body=body)
    assert not links(18, floating).reuses_matrix  # 24 velocities
    assert links(19, floating).reuses_matrix
    assert not links(25).reuses_matrix


def test_sensitivities_are_those_of_the_exact_way(systems, way):
    neck = systems["neck-3"]
    at = {"step": 1e-3, "signal": np.array([PULLS["inputs"]]), "steps": 5}
    at |= {"q": neck.rest, "v": np.zeros(neck.nv), "p": neck.parameters()}
    directions = one_by_one(neck, [neck.parameter_names[0]])
    found = []
    for reuses in (False, True):
        way(reuses)
        found.append(sensitivities(chorda.assemble(neck.robot), directions, **at))
    assert np.array_equal(found[0].by, found[1].by)


@pytest.mark.skipif(find() is None, reason="there is no C compiler")
def test_the_two_ways_are_two_kernels(way, monkeypatch):
    asked = []
    monkeypatch.setattr("chorda.compile.cache.obtain", lambda name, *_: asked.append(name))
    for reuses in (False, True):
        way(reuses)
        assert SchemeLoop(chorda.assemble(chorda.neck(1)), SCHEMES["bdf2"]).kernel is None
    assert len(set(asked)) == 2
