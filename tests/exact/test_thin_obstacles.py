"""Nothing goes through a thin obstacle unseen: neither at rest, nor along paths, nor in motion."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Box, Capsule, Contact, Prismatic, Revolute, Robot, Sphere
from tests.exact.test_rod_contact import L, over_a_peg
from tests.helpers.touching_robots import PRESSED, gaps_at, leaning_neck

AT = 0.25
PLATE = Box(name="thin", size=(0.001, 0.2, 0.2))
PEG = Capsule(name="thin", start=(0, 0, -0.1), end=(0, 0, 0.1), radius=0.002)
SPEED, STEP = 50.0, 0.012 / 13  # 46 mm a step, and no step ends near the obstacle


def ball(thin, stiffness=1e8, aside=0.001):
    """A ball of 5 mm that is 0.31 m left of a thin obstacle, free in the plane."""
    return Robot(
        name="thrown",
        gravity=(0, 0, 0),
        joints=[
            Prismatic(name="x", axis=(1, 0, 0), body=Body(mass=0.01)),
            Prismatic(name="y", parent="x", axis=(0, 1, 0), body=Body(mass=0.01)),
        ],
        shapes=[Sphere(name="ball", frame="y", center=(-0.31, aside, 0), radius=0.005), thin],
        contacts=[Contact(name="hit", first="thin", second="ball", stiffness=stiffness)],
    )


def thrown(robot, step, scheme="rk4", duration=0.012):
    start = {"x.rate": SPEED}
    system = chorda.assemble(robot)
    return chorda.simulate(system, duration=duration, step=step, scheme=scheme, initial=start)


@pytest.mark.parametrize(("force", "stiffness"), [(0.1, 1e6), (0.1, 1e4), (1.0, 1e6), (0.01, 1e8)])
def test_a_strip_that_is_pressed_hard_over_a_thin_peg_stays_above_it(force, stiffness):
    robot = over_a_peg(force, AT, 0.005, stiffness=stiffness, breaks=(AT,))
    rest = chorda.equilibrium(chorda.assemble(robot))
    assert rest.status.ok
    assert "side" not in rest.status.sentence
    carried = force * (3 * L - AT) / (2 * AT)
    assert sum(rest.normal_forces.values()) == pytest.approx(carried, rel=5e-3)
    assert rest.iterations <= 15


def test_equilibria_that_follow_each_other_in_large_steps_stay_on_their_side():
    system = chorda.assemble(over_a_peg(0.1, AT, 0.005, breaks=(AT,)))
    lifted = chorda.equilibrium(system, parameters={"pull.force.y": 0.05}, strict=True)
    assert gaps_at(system, lifted.q).max() > 5e-3
    ends = [
        chorda.follow(lifted, hold={"pull.force.y": np.linspace(0.05, -0.3, n)}) for n in (2, 5, 40)
    ]
    for path in ends:
        assert path.status.ok, path.status
        assert gaps_at(system, path.q[-1]).min() < 0
        assert path.q[-1] == pytest.approx(ends[-1].q[-1], abs=1e-8)


def test_members_of_a_batch_that_leapt_say_so():
    system = chorda.assemble(over_a_peg(0.1, AT, 0.005, breaks=(AT,)))
    lifted = chorda.equilibrium(system, parameters={"pull.force.y": 0.05}, strict=True)
    many = chorda.equilibrium_batch(lifted, parameters={"pull.force.y": np.array([0.04, -0.3])})
    assert many.code.tolist() == ["converged", "other-branch"]
    assert "on other sides of each other" in many.status(1).message
    path = chorda.follow(lifted, hold={"pull.force.y": np.linspace(0.05, -0.3, 40)})
    again = chorda.equilibrium_batch(path, hold={"pull.force.y": np.array([0.04, -0.3])})
    assert again.code.tolist() == ["converged", "converged"]
    assert gaps_at(system, again.q[1]).min() < 0


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "rk4"])
@pytest.mark.parametrize("thin", [PLATE, PEG], ids=["plate", "peg"])
def test_a_fast_ball_that_steps_over_a_thin_obstacle_is_seen(thin, scheme):
    run = thrown(ball(thin, aside=0.0 if thin is PLATE else 0.001), STEP, scheme)
    assert run.status.code == "passed-through"
    assert "'ball' went through 'thin' (contact 'hit') at step 7 " in run.status.message
    assert "take a smaller step" in run.status.message
    assert len(run.time) == 7  # what is kept ends before
    assert run.position[-1, 0] < 0.31


def test_the_step_that_is_advised_does_not_go_through():
    first = thrown(ball(PLATE), 1e-3)
    step = float(first.status.message.rsplit("such as ", 1)[1].split()[0])
    run = thrown(ball(PLATE), step / 10)  # of that order the contact itself is not resolved
    assert 0 < step < 1e-4
    assert run.status.ok, run.status
    assert run.velocity[-1, 0] == pytest.approx(-SPEED, rel=1e-2)


def test_what_is_not_resolved_bounces_or_is_seen_but_never_goes_through_with_status_ok():
    for step in np.geomspace(2e-6, 2e-3, 13):
        for thin in (PLATE, PEG):
            run = thrown(ball(thin, 1e6), step, "implicit-euler")
            beyond = run.position[-1, 0] > 0.312 and abs(run.position[-1, 1]) < 0.005
            assert not (run.status.ok and beyond), (step, thin.kind, run.position[-1])


@pytest.mark.parametrize("thin", [PLATE, PEG], ids=["plate", "peg"])
def test_a_soft_contact_that_gives_way_in_short_steps_asks_for_stiffness(thin):
    run = thrown(ball(thin, 1e5), 1e-5)
    assert run.status.code == "passed-through"
    assert "raise its stiffness" in run.status.message


def test_a_ball_that_flies_past_an_obstacle_is_not_seen_to_pass_through():
    run = thrown(ball(PEG, aside=0.0071), 1e-3)
    assert run.status.ok, run.status
    assert run.position[-1, 0] > 0.5


def test_shapes_that_turn_together_keep_their_sides():
    """A ball on a spring that an arm presses on its own plate: more than half a turn a step."""
    arm = Revolute(name="arm", axis=(0, 0, 1), body=Body(mass=1.0, inertia=(0, 0, 1, 0, 0, 0)))
    body = Body(mass=0.01, center=(0.1, 0, 0))
    slide = Prismatic(name="slide", parent="arm", axis=(1, 0, 0), body=body)
    shapes = [
        Sphere(name="ball", frame="slide", center=(0.1, 0, 0), radius=0.01),
        Box(name="plate", frame="arm", center=(0.1125, 0, 0), size=(0.005, 0.1, 0.1)),
    ]
    contact = Contact(name="lies", first="plate", second="ball", stiffness=1e6)
    robot = Robot(
        name="carousel", gravity=(0, 0, 0), joints=[arm, slide], shapes=shapes, contacts=[contact]
    )
    system = chorda.assemble(robot)
    run = chorda.simulate(system, duration=0.1, step=1e-2, initial={"arm.rate": 400.0})
    assert run.status.ok, run.status
    assert gaps_at(system, run.position[-1]).max() < 0


@pytest.mark.parametrize("stiffness", [1e4, 1e5, 1e6, 1e7])
def test_however_stiff_a_post_is_a_neck_leans_on_it_after_a_few_steps(stiffness):
    system = chorda.assemble(leaning_neck(stiffness=stiffness))
    rest = chorda.equilibrium(system, tensions=PRESSED)
    assert rest.status.ok
    assert rest.normal_forces["leans.bar3-post"] == pytest.approx(4.2975, rel=1e-3)
    assert rest.iterations <= 40
