"""Members end where the same motion alone does, also between the times that are kept: where loops
come apart, and where rigid tendons would push."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import JointEffort, JointMotion, KelvinVoigt, Motor, Rigid
from chorda.errors import InputError
from chorda.gym import Reach, RobotVectorEnv
from chorda.results.status import OF_EXIT
from tests.helpers.actuated_robots import arm
from tests.helpers.robots import hung_slider, parallelogram, slider
from tests.helpers.touching_robots import ball

FAST = {"duration": 2.0, "step": 0.05}
SPEEDS = {"crank": np.array([0.3, 1.2]), "crank.rate": np.array([5.0, 60.0])}
PULLS = {"duration": 0.2, "step": 1e-3, "scheme": "rk4"}


@pytest.fixture(scope="module")
def loop():
    return chorda.assemble(parallelogram())


@pytest.fixture(scope="module")
def hung():
    return chorda.assemble(
        hung_slider(Motor(name="m", inertia=1e-3, drum_radius=0.05), Rigid(one_sided=True))
    )


def codes(found):
    return [str(OF_EXIT[code]) for code in found.code.tolist()]


@pytest.mark.parametrize(("every", "steps"), [(1, 40), (40, 40), (71, 71)])
def test_a_member_whose_loops_come_apart_ends_there(loop, every, steps):
    how = FAST | {"duration": steps * FAST["step"]}
    found = chorda.rollout(loop, **how, initial=SPEEDS, every=every)
    for m in range(2):
        own = {name: x[m] for name, x in SPEEDS.items()}
        run = chorda.simulate(loop, **how, initial=own)
        assert codes(found)[m] == run.status.code
        assert found.done[m] == run.counts["steps"]
    assert codes(found) == ["completed", "diverged"]
    assert np.isnan(found.position[1, -1]).all()


@pytest.mark.parametrize("every", [1, 200])
def test_a_member_whose_tendon_would_push_between_kept_times_ends_there(hung, every):
    time = np.linspace(0, 0.2, 201)
    pulls = (
        -1 + np.array([[0.0], [3.0]]) * np.sin(10 * np.pi * time) ** 2
    )  # and then it pulls again
    found = chorda.rollout(hung, **PULLS, inputs={"m": pulls}, every=every)
    run = chorda.simulate(hung, **PULLS, inputs={"m": pulls[1]})
    assert codes(found) == ["completed", "slack"]
    assert found.done[1] == run.counts["steps"] == 21


def test_an_episode_ends_where_a_loop_comes_apart(loop):
    task = Reach(target={"crank": (0.0, 0.1)})
    push = JointEffort(name="push", joint="crank")
    robot = loop.robot.model_copy(update={"actuators": (push,)})
    env = RobotVectorEnv(2, robot, task, limits=(0.0, 400.0), step=0.05, frame_skip=20)
    env.reset(seed=0, options={"start": {"crank": 0.3}})
    *_, terminated, _, info = env.step(np.array([[-1.0], [1.0]]))
    assert terminated.tolist() == [False, True]
    assert info["status"].tolist() == ["completed", "diverged"]


@pytest.mark.parametrize("verb", [chorda.simulate, chorda.rollout])
def test_a_joint_that_a_controller_leads_fast_has_not_come_apart(verb):
    system = chorda.assemble(arm(JointMotion(name="m", joint="one")))
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
    found = verb(system, duration=0.02, step=2e-3, control=ca.Function("law", [t, q, v], [20 * t]))
    assert found.position[..., -1, 0] == pytest.approx(20 * 0.018)


def test_a_controlled_member_that_starts_with_shapes_that_overlap_is_remarked_on():
    system = chorda.assemble(ball(height=0.05, stiffness=1e5, dissipation=1.0))
    law = ca.Function("law", [ca.SX.sym("t"), ca.SX.sym("q"), ca.SX.sym("v")], [ca.SX(0, 1)])
    how = {"duration": 0.01, "step": 1e-3, "control": law, "initial": {"y": -0.06}}
    assert "overlap by 10 mm" in chorda.simulate(system, **how).status.message
    assert "overlap by 10 mm" in chorda.rollout(system, **how).remark


def test_outputs_of_members_are_those_of_runs_until_they_end():
    law, falls = KelvinVoigt(stiffness=10.0), {"joint": {"range": (-0.5, 0.5)}}
    system = chorda.assemble(hung_slider(None, law, **falls))
    how, masses = {"duration": 0.4, "step": 1e-2, "every": 20}, [1.0, 2.0]
    rates = [2.0, -0.5]
    varied = {"initial": {"s.rate": rates}, "parameters": {"s.mass": masses}}
    found = chorda.rollout(system, **how, **varied).output("tension")
    for m in range(2):
        own = {"initial": {"s.rate": rates[m]}, "parameters": {"s.mass": masses[m]}}
        wanted = chorda.simulate(system, **how, **own).outputs["tension"][1:]
        assert found[m, : len(wanted)] == pytest.approx(wanted)
    assert np.isnan(found[:, :, 0]).tolist() == [[False, False], [False, True]]  # not 0, as slack


def test_the_status_of_a_member_is_the_sentence_of_its_motion_alone(loop):
    found = chorda.rollout(loop, **FAST, initial=SPEEDS)
    for m in range(2):
        own = {name: x[m] for name, x in SPEEDS.items()}
        alone = chorda.simulate(loop, **FAST, initial=own).status
        assert found.status(m).code == alone.code
        assert alone.message.startswith(found.status(m).message)
    then = chorda.rollout(loop, **FAST, initial=found)
    assert then.status(-1) == found.status(1)
    with pytest.raises(InputError, match="the rollout has 2 members; got 2"):
        found.status(2)


def test_a_member_that_leaves_its_range_says_so():
    system = chorda.assemble(slider(joint={"range": (-0.5, 0.5)}))
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q"), ca.SX.sym("v")
    how = {"duration": 0.5, "step": 1e-2}
    for more in ({}, {"control": ca.Function("law", [t, q, v], [ca.SX(0, 1)])}):
        found = chorda.rollout(system, **how, initial={"s": [0.0, -0.4]}, **more)
        alone = chorda.simulate(system, **how, initial={"s": -0.4}, **more).status
        assert found.status(1) == alone
        assert alone.code == "out-of-range"
