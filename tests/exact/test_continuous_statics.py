"""Equilibria of the continuous rod: closed forms, published numbers, balance of the whole."""

import math

import numpy as np
import pytest

from chorda.continuous import rod_statics
from chorda.continuous.tendon_rod import offsets, tendon_rod
from chorda.describe import Circle, KelvinVoigt, Material, Rigid, Stiffening, TensionActuator
from chorda.errors import InputError
from tests.helpers.cosserat_robots import PULLS, beam, everything, till

EI = 2e11 * math.pi * 2e-3**4 / 4


def test_the_converged_tip_of_tills_robot():
    for kind, nodes in (("rk4", 61), ("gauss4", 81), ("gauss6", 15)):
        found = rod_statics(till(), 0.0, integrator=kind, nodes=nodes)
        assert found.status.ok
        assert found.tip == pytest.approx([-0.1478147, 0, 0.6957325], abs=1e-6 / 3)
        assert found.tension == pytest.approx([2.507781], abs=1e-5)


def test_euler_with_200_nodes_is_the_published_program():
    found = rod_statics(till(), 0.0, integrator="euler", nodes=200)
    assert found.tip[0] == pytest.approx(-0.149335, abs=1e-5)
    assert found.tension == pytest.approx([2.544596], abs=1e-5)


@pytest.mark.parametrize("turn", [0.5, 3.0, 6.0])
def test_an_end_moment_bends_the_rod_to_a_circle(turn):
    found = rod_statics(beam(moment=(0, 0, EI * turn)), nodes=41)
    assert found.status.ok
    circle = [math.sin(turn) / turn, (1 - math.cos(turn)) / turn, 0]
    assert found.tip == pytest.approx(circle, abs=2e-6 * turn**4)
    assert np.allclose(found.strain[:, 2], turn, rtol=1e-7)


def test_a_straight_rod_stretches_and_twists_as_textbooks_say():
    A, J, E, G = math.pi * 2e-3**2, math.pi * 2e-3**4 / 2, 2e11, 2e11 / 2.6
    found = rod_statics(beam(force=(100.0, 0, 0), moment=(0.5, 0, 0)))
    assert found.strain[:, 3] == pytest.approx(100 / (E * A), rel=1e-9)
    assert found.strain[:, 0] == pytest.approx(0.5 / (G * J), rel=1e-9)


@pytest.mark.parametrize(("pull", "degrees"), [(-0.05, 187), (-0.074, 277), (-0.09, 337)])
def test_pulls_from_cold_to_more_than_three_quarters_of_a_turn(pull, degrees):
    found = rod_statics(till(), pull)
    assert found.status.ok
    assert found.residual < 1e-9
    tangent = found.rotation[:, :, 0]
    turned = np.unwrap(np.arctan2(tangent[:, 0], tangent[:, 2]))
    assert math.degrees(turned[-1] - turned[0]) == pytest.approx(degrees, abs=1)
    # about the tendon's shortening over its offset
    assert turned[-1] - turned[0] == pytest.approx(-pull / 0.01506, rel=0.03)


def test_a_tendon_that_is_paid_out_goes_slack_and_weighs_nothing():
    found = rod_statics(till(), 0.05)
    free = rod_statics(till(tendons=(), actuators=()))
    assert found.status.ok
    assert found.tension == pytest.approx([0.0], abs=0)
    assert found.slack[0] > 0.01
    assert found.tip == pytest.approx(free.tip, abs=1e-9)
    assert found.path[0] + found.slack[0] == pytest.approx(0.7144 + 0.05, abs=1e-9)


def test_tension_and_displacement_describe_the_same_equilibrium():
    by_length = rod_statics(till(), -0.02)
    tendon = till().tendons[0]
    pulled = till(actuators=(TensionActuator(name="winch"),), tendons=(tendon,))
    by_tension = rod_statics(pulled, {"winch": float(by_length.tension[0])})
    assert by_tension.tip == pytest.approx(by_length.tip, abs=1e-8)
    assert by_tension.path == pytest.approx(by_length.path, abs=1e-8)


def test_the_cut_at_the_base_carries_everything_beyond():
    """Rod and tendons together: no discretisation of the balance is involved."""
    robot = everything()
    found = rod_statics(robot, PULLS, integrator="gauss6", nodes=81)
    assert found.status.ok
    rod, p, R = robot.joints[0], found.position, found.rotation
    g, names = np.array(robot.gravity), [t.name for t in robot.tendons]
    force, moment = R[0] @ found.force[0], R[0] @ found.moment[0]
    for cable, name in zip(tendon_rod(robot).cables, names, strict=True):
        r, r1, _ = (x[0] for x in offsets(rod.length, cable.sheath, np.zeros(1)))
        along = found.strain[0, 3:] + [1, 0, 0] + np.cross(found.strain[0, :3], r) + r1
        pull = PULLS[f"pull-{name}"] * R[0] @ along / np.linalg.norm(along)
        force, moment = force + pull, moment + np.cross(R[0] @ r, pull)
    share = found.s / rod.length
    line = rod.density * math.pi * 1.2e-3**2 * (1 - 0.3 * share) ** 2
    arm = p - p[0]
    weights = (line[:, None] * g, line[:, None] * np.cross(arm, g))
    f = [np.trapezoid(x, found.s, axis=0) for x in weights]
    low = int(np.searchsorted(found.s, 0.13))
    here = [(low, 0.01 * g, 0 * g), (-1, 0.005 * g, 0 * g), (-1, np.array([0.1, 0, 0.2]), 0 * g)]
    here.append((low, R[low] @ [0.05, 0.1, 0], R[low] @ [0.01, 0, 0.02]))
    for k, F, M in here:
        f = [f[0] + F, f[1] + M + np.cross(arm[k], F)]
    f[1] += np.cross(R[-1] @ [0, 0.01, 0], [0.1, 0, 0.2])
    assert force == pytest.approx(f[0], abs=2e-5)
    assert moment == pytest.approx(f[1], abs=2e-5)


def test_strains_jump_where_a_tendon_ends():
    found = rod_statics(everything(), PULLS)
    at = np.flatnonzero(np.diff(found.s) == 0)
    assert found.s[at] == pytest.approx([0.13, 0.25])
    k = at[1]
    assert np.allclose(found.rotation[k], found.rotation[k + 1])
    jump = found.moment[k] - found.moment[k + 1]
    assert jump[1:] == pytest.approx(-2.5 * np.array([-0.009, -0.005]), rel=0.02)


def test_nothing_is_called_converged_that_is_not():
    far = rod_statics(till(), -0.75)  # more than the tendon has
    assert not far.status.ok
    assert far.residual > 1e-9
    assert "residual" in far.status.message
    assert "nodes" in far.status.message


def test_without_a_compiler_the_answer_is_the_same(monkeypatch):
    fast = rod_statics(till(), -0.01)
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    assert rod_statics(till(), -0.01).tip == pytest.approx(fast.tip, abs=1e-9)


def test_what_the_continuous_problem_cannot_express_is_refused_by_name():
    robot = till()
    with pytest.raises(InputError, match="integrator: expected one of euler"):
        rod_statics(robot, integrator="heun")
    with pytest.raises(InputError, match="inputs"):
        rod_statics(robot, {"wench": 1.0})
    with pytest.raises(InputError, match="nodes"):
        rod_statics(robot, nodes=1)
    law = robot.tendons[0].law.model_copy(update={"smoothing": 0.1})
    rounded = robot.tendons[0].model_copy(update={"law": law})
    with pytest.raises(InputError, match="smoothing"):
        rod_statics(till(tendons=(rounded,)))


def test_a_tapered_beam_sags_as_integrated_by_hand():
    force, L, taper = 1e-3, 1.0, 0.5
    robot = beam(force=(0, -force, 0), taper=taper, section=Circle(radius=2e-3))
    s = np.linspace(0, L, 20001)
    stiffness = EI * (1 + (taper - 1) * s) ** 4
    sag = np.trapezoid(force * (L - s) ** 2 / stiffness, s)
    found = rod_statics(robot)
    assert found.tip[1] == pytest.approx(-sag, rel=2e-4)


def test_the_elastica_under_a_weight_as_by_elliptic_integrals():
    """P L^2 / E I = 10: the tip sinks by 0.8106 L and comes nearer by 0.5550 L."""
    found = rod_statics(beam(force=(0, -10 * EI, 0)), nodes=81)
    assert found.status.ok
    assert found.tip == pytest.approx([1 - 0.55500, -0.81061, 0], abs=2e-4)


LAWS = {
    "rigid": (Rigid(), lambda x, _: None),
    "kelvin-voigt": (
        KelvinVoigt(stiffness=900, damping=3, pretension=1, one_sided=True),
        lambda x, _: 1 + 900 * x,
    ),
    "stiffening": (
        Stiffening(stiffness=400, stiffening=1e5, one_sided=True),
        lambda x, _: 400 * x + 1e5 * x * abs(x),
    ),
    "total": (Material(young_modulus=1e9, section=1e-6), lambda x, _: 1e3 * x / (0.7144 + 0.0518)),
    "unwound": (
        Material(young_modulus=1e9, section=1e-6, over="unwound"),
        lambda x, length: 1e3 * x / length,
    ),
    "free": (
        Material(young_modulus=1e9, section=1e-6, over="free"),
        lambda x, _: 1e3 * x / (0.7144 + 0.0518 - 0.02),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_tension_and_elongation_obey_the_tendons_law(name):
    law, tension = LAWS[name]
    tendon = till().tendons[0].model_copy(update={"law": law})
    found = rod_statics(till(tendons=(tendon,)), -0.02)
    assert found.status.ok
    length = 0.0518 + found.path[0]
    elongation = length - (0.7144 + 0.0518 - 0.02)
    expected = tension(elongation, length)
    if expected is None:
        assert elongation == pytest.approx(0, abs=1e-12)
    else:
        assert found.tension[0] == pytest.approx(expected, rel=1e-6)
