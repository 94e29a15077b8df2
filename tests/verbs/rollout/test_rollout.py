"""Many motions at once: each is the motion of one robot alone."""

import sys
from contextlib import nullcontext

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import chorda
from chorda.compile.kernel import Compiled
from chorda.control import JointControl, Sine
from chorda.errors import InputError
from tests.helpers.waiting import until

STEP = 2e-3
MANY = {"duration": 0.1, "step": STEP}
ANGLES = np.linspace(-0.3, 0.3, 7)


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


def alone(system, **changes):
    return chorda.simulate(system, **{**MANY, **changes})


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "rk4", "rk45"])
def test_each_member_is_a_simulation(neck, scheme):
    step = 2e-4 if scheme == "rk4" else STEP
    how = {"scheme": scheme, "step": step}
    found = chorda.rollout(neck, **{**MANY, **how}, initial={"x1": ANGLES, "x2": 0.1}, every=10)
    assert found.code.tolist() == [0] * 7
    for m, angle in enumerate(ANGLES):
        run = alone(neck, **how, initial={"x1": angle, "x2": 0.1})
        assert np.array_equal(found.position[m], run.position[10::10])
        assert np.array_equal(found.velocity[m], run.velocity[10::10])
    assert found.time == pytest.approx(run.time[10::10])


def test_one_motion_is_written_in_the_singular(neck):
    one, two = (chorda.rollout(neck, **MANY, initial={"x1": ANGLES[:n]}) for n in (1, 2))
    assert str(one).startswith("1 motion of neck-3")
    assert str(two).startswith("2 motions of neck-3")


def test_parameters_and_inputs_vary_by_member(neck):
    stiffness, torque = np.array([9e3, 1.1e4]), np.array([-0.01, -0.02])
    names = [x for x in neck.parameter_names if x.endswith("left.stiffness")]
    found = chorda.rollout(
        neck, **MANY, parameters={names[0]: stiffness}, inputs={"motor-left": torque}
    )
    for m in range(2):
        run = alone(
            neck,
            parameters={names[0]: stiffness[m]},
            inputs={"motor-left": torque[m]},
        )
        assert np.array_equal(found.position[m, -1], run.position[-1])
        assert found.output("tension")[m, -1] == pytest.approx(
            run.data["tension"].values[-1], rel=1e-12
        )


@pytest.mark.parametrize("scheme", ["implicit-euler", "rk4"])
def test_inputs_may_be_series_shared_or_by_member(neck, scheme):
    times = np.linspace(0, 1, 51)
    series = -0.02 * np.stack([times, times**2])
    how = {"duration": 0.01, "step": 2e-4, "scheme": scheme}
    found = chorda.rollout(neck, **how, inputs={"motor-left": series})
    shared = chorda.rollout(neck, **how, inputs={"motor-left": series[:1]})
    assert len(found) == 2
    assert len(shared) == 1
    assert np.array_equal(found.position[0], shared.position[0])
    run = alone(neck, **how, inputs={"motor-left": series[1]})
    assert np.array_equal(found.position[1, -1], run.position[-1])


def test_a_controller_runs_inside_the_loop(neck):
    law = JointControl(Sine.from_rest([0.3, 0.2, 0.1]))
    start = {"x1": ANGLES / 10, "tension": 5.0}
    found = chorda.rollout(neck, **MANY, control=law, initial=start)
    run = alone(neck, control=law, initial={"x1": ANGLES[2] / 10, "tension": 5.0})
    assert found.position[2, -1] == pytest.approx(run.position[-1], abs=1e-12)


def test_results_do_not_depend_on_the_cores(neck):
    both = [chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, jobs=jobs) for jobs in (1, 2)]
    assert np.array_equal(both[0].position, both[1].position)


def test_a_member_that_diverges_leaves_the_others_unharmed(neck):
    how = {"duration": 0.01, "step": 1e-4, "scheme": "rk4", "every": 1}
    found = chorda.rollout(neck, **how, initial={"x1.rate": [0.0, 1e6, 0.0]})
    assert found.failed.tolist() == [1]
    assert found.done[1] < 100
    assert np.isnan(found.position[1, -1]).all()
    assert np.array_equal(found.position[0], found.position[2])
    assert "1 diverged" in str(found)


def test_rods_and_closures_run_too():
    robot = chorda.assemble(chorda.load("3-rfr"))
    found = chorda.rollout(robot, duration=0.02, step=1e-3, initial={"platform.rate": [0.0, 1.0]})
    run = chorda.simulate(robot, duration=0.02, step=1e-3, initial={"platform.rate": 1.0})
    assert found.position[1, -1] == pytest.approx(run.position[-1], abs=1e-12)


def test_gradients_are_those_of_the_numbers(neck):
    name = "x1.bar_mass"
    value = neck.parameters()[neck.parameter_names.index(name)]

    def end(changes):
        return alone(
            neck, scheme="newmark", initial={"x1": 0.2 + changes[0]}, parameters={name: changes[1]}
        ).position[-1]

    found = chorda.rollout(
        neck, **MANY, scheme="newmark", initial={"x1": [0.2, 0.1]}, gradients=[name, "start"]
    )
    columns = [found.unknowns.index(x) for x in ("x1", name)]
    wanted = approx_fprime(np.array([0.0, value]), end, 1e-6)
    got = found.by[0, -1][: neck.nq][:, columns]
    assert got == pytest.approx(wanted, abs=2e-5 * np.abs(wanted).max())


def test_one_value_is_shared_with_tensions_too(neck):
    start = {"x1": [0.2], "tension": 10.0}
    found = chorda.rollout(neck, **MANY, initial=start, parameters={"left.stiffness": [1e4, 2e4]})
    run = alone(neck, initial={"x1": 0.2, "tension": 10.0}, parameters={"left.stiffness": 2e4})
    assert found.position[1, -1] == pytest.approx(run.position[-1], abs=1e-12)


def test_gradients_by_parameters_that_move_the_start_are_refused(neck):
    start = {"x1": [0.2], "tension": 10.0}
    with pytest.raises(InputError, match="by parameters the start is held fixed, but 'tension'"):
        chorda.rollout(neck, **MANY, initial=start, gradients=["left.stiffness"])
    found = chorda.rollout(neck, **MANY, initial=start, gradients="start", scheme="newmark")
    assert found.by.shape == (1, 1, 14, 14)


def test_wrong_batches_are_told(neck):
    with pytest.raises(InputError, match="every: expected at most the 50 steps there are, got 99"):
        chorda.rollout(neck, **MANY, every=99)
    with pytest.raises(InputError, match=r"every: 10000000 members of .* GB, more than 8 GB"):
        chorda.rollout(
            neck, duration=10.0, step=1e-4, every=1000, initial={"x1": np.zeros(10_000_000)}
        )
    with pytest.raises(InputError, match="parameters: expected a mapping such as"):
        chorda.rollout(neck, **MANY, parameters=[1])
    with pytest.raises(InputError, match=r"parameters: expected names, such as .*, got 1"):
        chorda.rollout(neck, **MANY, parameters={1: 2})
    with pytest.raises(InputError, match=r"initial.x1: expected numbers"):
        chorda.rollout(neck, **MANY, initial={"x1": [[1, 2], [3]]})
    with pytest.raises(InputError, match=r"initial.x2: expected 7 members as in initial.x1, got 3"):
        chorda.rollout(neck, **MANY, initial={"x1": ANGLES, "x2": np.zeros(3)})
    with pytest.raises(InputError, match="'x9' is not there"):
        chorda.rollout(neck, **MANY, initial={"x9": ANGLES})
    with pytest.raises(InputError, match="device: expected 'cpu' or 'gpu', got 'tpu'"):
        chorda.rollout(neck, **MANY, device="tpu")
    with pytest.raises(InputError, match="jobs: expected a whole number of at least 1, got 0"):
        chorda.rollout(neck, **MANY, jobs=0)
    with pytest.raises(InputError, match="precision: single is for device='gpu'"):
        chorda.rollout(neck, **MANY, precision="single")
    with pytest.raises(InputError, match="a Python function cannot run inside the loop"):
        chorda.rollout(neck, **MANY, control=lambda t, q, v: [0, 0, 0, 0])
    with pytest.raises(InputError, match="gradients: 'mass' is not there"):
        chorda.rollout(neck, **MANY, gradients=["mass"])


def test_without_cupy_it_says_what_to_install(neck, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)  # importing it fails
    with pytest.raises(InputError, match=r"needs CuPy, which is not installed; pip install"):
        chorda.rollout(neck, **MANY, device="gpu")


def test_on_a_gpu_members_are_those_of_the_cpu(neck):
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("no GPU")
    both = [chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device=x) for x in ("cpu", "gpu")]
    assert both[1].code.tolist() == [0] * 7
    assert both[1].position == pytest.approx(both[0].position, abs=1e-9)


def test_tensions_of_each_member_are_wound_as_simulate_winds_them(neck):
    tensions = np.array([5.0, 10.0, 20.0])
    start = {"x1": 0.1, "tension": tensions}
    found = chorda.rollout(neck, **MANY, initial=start)
    for m, tension in enumerate(tensions):
        run = alone(neck, initial={"x1": 0.1, "tension": tension})
        assert np.array_equal(found.position[m, -1], run.position[-1])


def test_a_member_whose_tendons_cannot_be_wound_is_refused(neck):
    start = {"x1": 0.1, "tension": np.array([5.0, np.nan, 20.0])}
    with pytest.raises(InputError, match="tension must be a finite number"):
        chorda.rollout(neck, **MANY, initial=start)


def test_ctrl_c_keeps_the_members_that_were_run(neck, monkeypatch):
    def seen():
        return nullcontext([2])  # as if it came during the first piece

    many = Compiled.many

    def waiting(self, batch, first, last):
        if first:
            until(lambda: batch.stop[0])
        many(self, batch, first, last)

    monkeypatch.setattr(Compiled, "many", waiting)
    monkeypatch.setattr("chorda.dynamics.rollouts.rollout.interrupts", seen)
    found = chorda.rollout(neck, **MANY, initial={"x1": ANGLES / 10}, jobs=1)
    assert found.code[0] == 0
    assert set(found.code[1:].tolist()) == {5}
    assert np.isnan(found.position[1:]).all()
    assert f"{len(ANGLES) - 1} interrupted" in str(found)
