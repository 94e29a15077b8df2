"""Friction of tendons by the public program's choices: at one section, in an arc, in the ramp."""

import math

import numpy as np
import pytest

from chorda.continuous import Simple, Sliding, rod_dynamics
from chorda.continuous.lifted_rod import LiftedRod
from chorda.continuous.rod_at_rest import rod_settled
from chorda.continuous.rod_constants import rod_constants
from chorda.continuous.rod_equations import HISTORY, STRAIN, rod_equations
from chorda.continuous.rod_grid import pieces
from chorda.continuous.tendon_rod import tendon_rod
from chorda.continuous.time_steps import advance, bdf_alpha, resting
from chorda.describe import TensionActuator
from chorda.errors import InputError
from chorda.numerics.runge_kutta_steps import tableau
from chorda.papers.till.published import program
from tests.helpers.cosserat_robots import OFFSET, arc, ramp, till

PROGRAM = {
    "simple": Simple(moment="opposite", counted_from="actuator"),
    "sliding": Sliding(printed=True, counted_from="actuator"),
}
ALPHA = {"simple": 0.0, "sliding": -0.4}  # of its steps

# one section: rotation, strains, velocities, length [m] and tension [N] of the tendon
STATE = np.concatenate(
    [np.eye(3).ravel(), (0.4, -1.1, 0.7, 1e-3, 2e-3, -1e-3), np.zeros(6), (-0.3, 3.0)]
)
C0, SPEED, BETA, R = 20.0, 0.03, 4.0, np.array([0, 0, -OFFSET])


def slope_of_strains(friction):
    """At the section, with the tendon sliding at SPEED."""
    equations = rod_equations(tendon_rod(till(), friction, moving=True))
    history = np.zeros(equations.history)
    history[HISTORY:] = SPEED - C0 * STATE[21]
    found = equations.value([0.2, 1.0], STATE, history, [C0, 1.0], equations.parameters)
    return found.full().ravel()[STRAIN]


def wrench_of_friction(friction):
    """Moment and force on the rod per length, from the slopes of its strains."""
    u, e = STATE[9:12], STATE[12:15] + np.array([1, 0, 0])
    P = np.cross(u, R) + e
    t, T = P / np.linalg.norm(P), STATE[-1]
    lever = np.hstack([np.cross(np.eye(3), R).T, np.eye(3)])  # of u x r + e, by u and by e
    tendon = T * lever.T @ (np.eye(3) - np.outer(t, t)) @ lever / np.linalg.norm(P)
    damping = np.repeat([5e-4, 0.0], 3)
    K = np.diag(rod_constants(till().joints[0]).stiffness + C0 * damping) + tendon
    size = BETA * T * np.linalg.norm(np.cross(u, t)) * SPEED
    return -K @ (slope_of_strains(friction) - slope_of_strains(None)), size * t


@pytest.mark.parametrize(("moment", "sign"), [("consistent", 1), ("opposite", -1)])
def test_simple_friction_is_one_force_at_the_tendon_or_has_the_opposite_moment(moment, sign):
    wrench, force = wrench_of_friction(Simple(BETA, moment=moment))
    assert wrench[3:] == pytest.approx(force, rel=1e-6)
    assert wrench[:3] == pytest.approx(sign * np.cross(R, force), rel=1e-6, abs=1e-9)


def test_only_the_consistent_moment_works_on_nothing_but_the_tendons_point():
    """The rod turns about that point, which rests: a force there has no power."""
    turning = np.array([0.3, -2.0, 0.5])
    power = {}
    for moment in ("consistent", "opposite"):
        wrench, _ = wrench_of_friction(Simple(BETA, moment=moment))
        power[moment] = turning @ wrench[:3] - np.cross(turning, R) @ wrench[3:]
    assert abs(power["consistent"]) < 1e-6 * abs(power["opposite"])


@pytest.mark.parametrize("law", [Simple, Sliding])
@pytest.mark.parametrize("counted_from", ["attachment", "actuator"])
def test_the_speed_of_sliding_counts_from_either_end(law, counted_from):
    """A tendon that stretches evenly in a rigid arc, wound in at 50 mm/s."""
    rate, h = 0.05, 0.01
    law = law(1e-6, counted_from=counted_from)
    problem = tendon_rod(arc(2.0), law, moving=True)
    rod = LiftedRod(problem, pieces(problem, 11, 11), tableau("gauss4"))
    start, _ = rod_settled(rod, np.zeros(1), 1e-9)
    now, formula = resting(rod, start, np.zeros(1)), bdf_alpha(h, -0.2)
    for k in range(1, 21):
        now, out = advance(rod, now, k * h, formula, np.array([-rate * k * h]), 1e-9)
        assert out.converged
    nz = rod.equations.history
    speed = now.rates[-rod.nodes * nz :].reshape(rod.nodes, nz)[:, HISTORY]
    along = rod.grid.s / rod.grid.s[-1]
    expected = {"attachment": rate * (1 - along), "actuator": -rate * along}[counted_from]
    assert speed == pytest.approx(expected, abs=1e-3 * rate)


@pytest.mark.parametrize(("counted_from", "sign"), [("attachment", -1), ("actuator", 1)])
def test_counted_from_the_actuator_the_capstan_is_the_wrong_way_round(counted_from, sign):
    """Tension rises towards the tip of a tendon that is wound in, by exp(nu a)."""
    run = rod_dynamics(
        arc(2.0),
        lambda t: -0.05 * t,
        duration=0.2,
        step=0.01,
        integrator="gauss6",
        nodes=41,
        friction=Sliding(nu=0.2, speed=1e-5, counted_from=counted_from),
    )
    assert run.status.ok
    ratio = run.end_tension[-1, 0] / run.tension[-1, 0]
    assert ratio == pytest.approx(math.exp(sign * 0.2 * 2.0), rel=2e-3)


# tip x, z [m], tension at both ends [N], before there were choices
RECORDED = {
    Simple(): (0.029198964040831887, 0.6922103897701, 5.47443841, 5.47443841),
    Sliding(): (-0.006657499170175066, 0.6922113910762567, 6.01826364, 5.75749226),
    Sliding(printed=True): (-0.0071326050640739755, 0.6922058925361196, 6.02077666, 5.76930783),
}


@pytest.mark.parametrize("friction", RECORDED)
def test_what_is_not_chosen_is_as_it_was(friction):
    how = {"duration": 1.0, "step": 0.05, "nodes": 21, "alpha": -0.4}
    run = rod_dynamics(till(compliance=1.6e-3), lambda t: ramp(t + 3.6), friction=friction, **how)
    found = (*run.tip[-1, [0, 2]], run.tension[-1, 0], run.end_tension[-1, 0])
    assert found == pytest.approx(RECORDED[friction], rel=1e-8)


def from_program(name, friction, alpha):
    """Largest distances over the ramp: of the tip [m], of the tension [N]."""
    quoted = program(name)
    how = {"duration": 24.95, "step": 0.05, "integrator": "euler", "nodes": 200}
    run = rod_dynamics(till(compliance=1.6e-3), ramp, friction=friction, alpha=alpha, **how)
    assert run.status.ok
    tip = np.linalg.norm(run.tip - quoted.tip, axis=1).max()
    return tip, np.abs(run.tension[:, 0] - quoted.tension).max()


@pytest.mark.parametrize("name", PROGRAM)
def test_with_its_choices_the_programs_motion_is_met(name):
    tip, tension = from_program(name, PROGRAM[name], ALPHA[name])
    assert tip < 5e-5
    assert tension < 1e-3


@pytest.mark.parametrize(
    ("name", "friction", "distance"),
    [
        ("simple", Simple(), 0.2581),
        ("simple", Simple(moment="opposite"), 0.2726),
        ("simple", Simple(counted_from="actuator"), 0.0429),
        ("sliding", Sliding(), 0.0189),
        ("sliding", Sliding(printed=True), 0.0187),
        ("sliding", Sliding(counted_from="actuator"), 0.0012),
    ],
)
def test_without_one_of_them_the_tip_is_elsewhere(name, friction, distance):
    tip, _ = from_program(name, friction, ALPHA[name])
    assert tip == pytest.approx(distance, abs=1e-4)


def test_steps_that_adapt_count_from_the_actuator_too():
    how = {"duration": 0.6, "nodes": 11, "friction": PROGRAM["sliding"]}
    robot = till(compliance=1.6e-3)
    adapted, short = (
        rod_dynamics(robot, lambda t: -0.008 * math.sin(5 * t) ** 2, **steps, **how)
        for steps in ({"step": 0.05, "adaptive": 1e-6}, {"step": 1e-3})
    )
    assert adapted.status.ok
    assert short.status.ok
    assert adapted.tip[-1] == pytest.approx(short.tip[-1], abs=1e-4)


@pytest.mark.parametrize(
    ("law", "field", "value", "expected"),
    [
        (Simple, "moment", "program", "'consistent' or 'opposite', got 'program'"),
        (Simple, "counted_from", "tip", "'attachment' or 'actuator', got 'tip'"),
        (Sliding, "counted_from", True, "'attachment' or 'actuator', got True"),
        (Sliding, "printed", "yes", "True or False, got 'yes'"),
        (Sliding, "speed", 0, "a positive number, got 0"),
    ],
)
def test_choices_that_do_not_exist_are_refused_by_name(law, field, value, expected):
    with pytest.raises(InputError) as refusal:
        law(**{field: value})
    assert str(refusal.value) == f"friction.{field}: expected {expected}"


def test_a_prescribed_tension_pays_out_no_length_to_count():
    robot = till(actuators=(TensionActuator(name="winch"),))
    how = {"duration": 0.1, "step": 0.05}
    with pytest.raises(InputError, match=r"friction\.counted_from: 'actuator' needs .* a winch"):
        rod_dynamics(robot, 1.0, **how, friction=Simple(counted_from="actuator"))
    assert rod_dynamics(robot, 1.0, **how, friction=Simple()).status.ok
