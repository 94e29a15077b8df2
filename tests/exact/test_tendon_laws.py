"""Tendons that stiffen and tendons of a material: tension, energy and the way back."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import make_interp_spline

import chorda
from chorda.compile import find
from chorda.describe import DryFriction, KelvinVoigt, Material, Motor, Rigid, Stiffening
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.evaluate import energies, energy_gap, forces
from tests.helpers.hung_mass import pulled, tension, tied
from tests.helpers.robots import hung_slider

MASS, G = 2.0, 9.81
K, S, D = 800.0, 3e4, 30.0
E, C, AREA = 2e9, 4e6, 5e-7  # E AREA = 1000 N
PAY = 0.05 / 4
MOTOR = {"name": "m", "inertia": 3e-3, "drum_radius": 0.05, "gear_ratio": 4.0}
LAWS = {
    "kelvin-voigt": KelvinVoigt(stiffness=K, damping=D, one_sided=False),
    "stiffening": Stiffening(stiffness=K, stiffening=S, damping=D, one_sided=False),
    "total": Material(young_modulus=E, damping_modulus=C, section=AREA, one_sided=False),
    "unwound": Material(
        young_modulus=E, damping_modulus=C, section=AREA, over="unwound", one_sided=False
    ),
}
CONSERVATIVE = ["kelvin-voigt", "stiffening", "total"]


def varied(name, pretension=None, one_sided=False):
    return LAWS[name].model_copy(update={"pretension": pretension, "one_sided": one_sided})


def stored(system, stretch):
    """Energy of the tied tendon."""
    return energies(system, [-stretch], [0.0], [])[1] + MASS * G * stretch


@pytest.mark.parametrize(("x", "rate"), [(0.01, 0.0), (0.03, -0.2), (-0.02, 0.3), (0.0, -0.1)])
def test_a_stiffening_tendon_has_a_quadratic_term_of_the_elongations_sign(x, rate):
    law = Stiffening(stiffness=K, stiffening=S, damping=D, pretension=5.0, one_sided=False)
    assert tension(law, x, rate) == pytest.approx(5 + K * x + S * x * abs(x) + D * rate)


def test_without_stiffening_it_is_kelvin_voigt():
    one = Stiffening(stiffness=K, stiffening=0.0, damping=D, one_sided=False)
    two = LAWS["kelvin-voigt"]
    for x, rate in ((0.02, 0.1), (-0.01, 0.3)):
        assert tension(one, x, rate) == tension(two, x, rate)


@pytest.mark.parametrize(("x", "rate"), [(0.01, 0.0), (0.03, -0.2), (-0.02, 0.3)])
def test_a_material_has_its_stress_times_its_section(x, rate):
    force = AREA * (E * x + C * rate)
    assert tension(varied("total", 5.0), x, rate) == pytest.approx(5 + force)
    assert tension(varied("unwound", 5.0), x, rate) == pytest.approx(5 + force / (1 + x))


def test_the_whole_length_may_be_given_and_has_the_lead_in_it():
    given = LAWS["total"].model_copy(update={"length": 2.5})
    assert tension(given, 0.01) == pytest.approx(AREA * E * 0.01 / 2.5)
    for over, length in (("total", 1.5), ("unwound", 1.51)):
        robot = hung_slider(None, LAWS["total"].model_copy(update={"over": over}))
        cable = robot.tendons[0].model_copy(update={"lead": 0.5})
        system = chorda.assemble(robot.model_copy(update={"tendons": (cable,)}))
        assert forces(system, [-0.01])[1][0] + MASS * G == pytest.approx(AREA * E * 0.01 / length)


def test_over_the_unwound_length_a_cable_is_softer_where_it_is_longer():
    """Paid out and followed by the mass, the elongation is the same and the length is not."""
    stretch = 0.01
    for name, lengths in (("total", (1.0, 1.0)), ("unwound", (1.01, 1.41))):
        system = chorda.assemble(hung_slider(Motor(**MOTOR), LAWS[name]))
        for paid, length in zip((0.0, 0.4), lengths, strict=True):
            F = forces(system, [-stretch - paid, paid / PAY], np.zeros(2), [0.0])[1]
            assert F[0] + MASS * G == pytest.approx(AREA * E * stretch / length)


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("pretension", [None, 6.0, -4.0])
@pytest.mark.parametrize("name", CONSERVATIVE)
def test_energy_is_the_work_from_slack_on(name, pretension, one_sided):
    law = varied(name, pretension, one_sided)
    system, t0 = tied(law), pretension or 0.0
    slack = system.stretched(0.0, [0.0], system.parameters()).full().item()
    assert tension(law, slack) == pytest.approx(0, abs=1e-11)
    assert t0 * slack <= 0
    for x in (0.03, 0.002, -0.001, -0.02):
        work = quad(lambda s: pulled(system, s), slack, x, points=sorted({0.0, slack}))[0]
        if one_sided and x < slack:
            assert work == 0
        assert stored(system, x) == pytest.approx(work, rel=1e-7, abs=1e-12)


def test_energy_over_the_unwound_length_lacks_a_term_of_the_strains_order():
    system = tied(LAWS["unwound"])
    for x in (1e-2, 1e-3):
        work = quad(lambda s: pulled(system, s), 0, x)[0]
        assert stored(system, x) == pytest.approx(work, rel=x)
        assert stored(system, x) != pytest.approx(work, rel=0.1 * x)


@pytest.mark.parametrize("pretension", [None, 6.0])
@pytest.mark.parametrize("name", LAWS)
def test_the_elongation_under_a_pull_inverts_the_law(name, pretension):
    """The motor pays out what makes it, as the length in the configuration is given there."""
    system = chorda.assemble(hung_slider(Motor(**MOTOR), varied(name, pretension)))
    for s in (0.0, -0.3):
        for pull in (-5.0, 0.0, 3.0, 40.0, 200.0):
            x = system.stretched(pull, [s, 0.0], system.parameters()).full().item()
            F = forces(system, [s, (-s - x) / PAY], np.zeros(2), [0.0])[1]
            assert F[0] + MASS * G == pytest.approx(pull, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("name", LAWS)
def test_two_sided_tendons_push_and_one_sided_ones_do_not(name):
    assert tension(varied(name), -0.01) < -7
    assert tension(varied(name, one_sided=True), -0.01) == 0
    assert tension(varied(name, one_sided=True), 0.001, rate=-2.0) == 0
    taut = tension(varied(name), 0.02, rate=0.1)
    assert tension(varied(name, one_sided=True), 0.02, rate=0.1) == pytest.approx(taut)


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("pretension", [None, 6.0])
@pytest.mark.parametrize("name", LAWS)
def test_a_start_with_a_tension_has_that_tension(name, pretension, one_sided):
    system = chorda.assemble(hung_slider(Motor(**MOTOR), varied(name, pretension, one_sided)))
    for s, pull in ((0.0, 25.0), (-0.2, 80.0), (0.1, 3.0)):
        start = {"s": s, "tension": pull}
        run = chorda.simulate(system, duration=1e-4, step=1e-4, initial=start)
        assert run.outputs["tension"][0, 0] == pytest.approx(pull, rel=1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_an_equilibrium_holds_the_weight(name):
    found = chorda.equilibrium(tied(LAWS[name]))
    assert found.tension[0] == pytest.approx(MASS * G)
    x = MASS * G / (AREA * E)
    exact = {
        "kelvin-voigt": MASS * G / K,
        "stiffening": (-K + np.sqrt(K**2 + 4 * S * MASS * G)) / (2 * S),
        "total": x,
        "unwound": x / (1 - x),  # x = strain (1 + x)
    }
    assert -found.q[0] == pytest.approx(exact[name], rel=1e-9)


# Motions ------------------------------------------------------------------------------------


def neck(laws, frictions=None):
    """A neck of three joints with these laws for its tendons in turn."""
    base = chorda.neck(3)
    tendons = [
        t.model_copy(update={"law": laws[i % len(laws)]}) for i, t in enumerate(base.tendons)
    ]
    actuators = [
        d.model_copy(update={"dry_friction": frictions[i % len(frictions)]}) if frictions else d
        for i, d in enumerate(base.actuators)
    ]
    return base.model_copy(update={"tendons": tuple(tendons), "actuators": tuple(actuators)})


@pytest.mark.parametrize(
    ("law", "static", "damping"),
    [
        (
            Stiffening(stiffness=2e4, stiffening=2e7, damping=60.0),
            lambda x: 2e4 * x + 2e7 * x * np.abs(x),
            60.0,
        ),
        (
            Material(young_modulus=3e9, damping_modulus=8e6, section=1e-6, length=0.2),
            lambda x: 3e3 / 0.2 * x,
            40.0,
        ),
    ],
    ids=["stiffening", "material"],
)
def test_work_of_the_motors_goes_into_energy_and_losses(law, static, damping):
    """Losses in the tendons from their own rates of elongation, by a spline of fifth order."""
    none = {"x*.friction": 0.0, "motor-*.dry_torque": 0.0}
    torques = [-0.016, -0.012, -0.016, -0.02]
    run = chorda.simulate(
        chorda.assemble(neck([law])),
        duration=0.2,
        step=2.5e-5,
        scheme="rk4",
        inputs=torques,
        initial={"x1": 0.3, "x2": -0.2, "x3": 0.1, "tension": 20.0},
        parameters=none,
        strict=True,
    )
    x, t = run.outputs["elongation"], run.time
    rate = make_interp_spline(t, x, k=5)(t, nu=1)
    pull = run.outputs["tension"]
    assert np.allclose(pull[20:-20], (static(x) + damping * rate)[20:-20], rtol=0, atol=1e-4)
    gap, lost = energy_gap(run, torques, (damping * rate**2).sum(axis=1))
    assert np.ptp(x) > 5e-4
    assert abs(gap) < 1e-6 * lost


@pytest.mark.parametrize("name", CONSERVATIVE)
@pytest.mark.parametrize("one_sided", [False, True])
def test_without_damping_a_mass_on_the_tendon_keeps_its_energy(name, one_sided):
    """Two-sided it swings through the slack length, one-sided it flies for a while."""
    law = varied(name, one_sided=one_sided)
    run = chorda.simulate(
        tied(law),
        duration=2.0,
        step=1e-4,
        scheme="rk4",
        initial={"s": -0.1 if name == "kelvin-voigt" else -0.08},
        parameters={"cable.damping*": 0.0},
        strict=True,
    )
    T, V = run.energy
    assert np.any(run.position > 0)
    assert np.ptp(T) > 0.5
    # where a tendon gets slack the force has a corner, which a step passes in second order
    assert np.ptp(T + V) < (1e-5 if one_sided else 1e-7) * np.ptp(T)


def test_a_stiffening_spring_swings_faster_the_wider_it_swings():
    """Without gravity: quarter period = integral of dx / sqrt(2 (V(A) - V(x)) / m)."""
    system = tied(Stiffening(stiffness=K, stiffening=S, one_sided=False))
    for A in (0.01, 0.1):

        def V(x):
            return K * x**2 / 2 + S * x**3 / 3

        def slowness(angle, A=A, V=V):
            x = A * np.sin(angle)
            return A * np.cos(angle) / np.sqrt(2 * (V(A) - V(x)) / MASS)

        quarter = quad(slowness, 0, np.pi / 2 - 1e-9)[0]
        run = chorda.simulate(
            system,
            duration=4 * quarter,
            step=quarter / 500,
            scheme="rk4",
            initial={"s": -A},
            parameters={"gravity.y": 0.0},
            strict=True,
        )
        assert run.position[500, 0] == pytest.approx(0, abs=1e-7)
        assert run.position[1000, 0] == pytest.approx(A, abs=1e-8)
        assert run.position[-1, 0] == pytest.approx(-A, abs=1e-7)


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("sign", np.sign),
        ("arctan", lambda w: 2 / np.pi * np.arctan(0.7 * w)),
        ("tanh", lambda w: np.tanh(0.7 * w)),
    ],
)
def test_dry_friction_is_its_torque_times_a_step_of_the_rate(kind, step):
    dry = DryFriction(kind=kind, torque=0.05, slope=0.7)
    free = chorda.assemble(hung_slider(Motor(**MOTOR, dry_friction=dry), LAWS["kelvin-voigt"]))
    led = chorda.assemble(hung_slider(Motor(**MOTOR, dry_friction=dry), Rigid()))
    for w in (-40.0, -1.3, -0.01, 0.0, 0.2, 5.0):
        F = forces(free, [0.0, 0.0], [-PAY * w, w], [0.0])[1]
        assert F[1] == pytest.approx(-0.05 * step(w), rel=1e-12, abs=1e-15)
        F = forces(led, [0.0], [-PAY * w], [0.0])[1]
        assert F[0] == pytest.approx(-MASS * G + 0.05 * step(w) / PAY, rel=1e-12)


@pytest.mark.skipif(find() is None, reason="there is no C compiler")
@pytest.mark.parametrize("scheme", ["rk4", "rosenbrock", "implicit-euler", "newmark"])
def test_compiled_motion_equals_the_interpreted_one_with_every_law(scheme, monkeypatch):
    laws = [
        KelvinVoigt(stiffness=2e4, damping=60.0, one_sided=True),
        Stiffening(stiffness=2e4, stiffening=2e7, damping=60.0, pretension=2.0, one_sided=True),
        Material(young_modulus=3e9, damping_modulus=8e6, section=1e-6, one_sided=True),
        Material(young_modulus=3e9, damping_modulus=8e6, section=1e-6, over="unwound"),
    ]
    frictions = [DryFriction(kind=k, torque=0.008, slope=0.5) for k in ("sign", "arctan", "tanh")]

    def motion():
        system = chorda.assemble(neck(laws, frictions))  # a new one: kernels stay with it
        run = chorda.simulate(
            system,
            duration=0.02,
            step=1e-4,
            scheme=scheme,
            inputs=[-0.016, 0.03, 0.03, -0.02],
            initial={"x1": 0.3, "tension": 2.0},
            strict=True,
        )
        compiled = SchemeLoop(system, SCHEMES[scheme]).kernel.compiled
        return compiled, np.hstack([run.position, run.velocity]), run.outputs["tension"]

    compiled, fast, pulls = motion()
    monkeypatch.setenv("CHORDA_COMPILER", "none")
    interpreted, slow, _ = motion()
    assert compiled
    assert not interpreted
    assert np.any(pulls == 0)  # some tendon gets slack on the way
    assert np.max(np.abs(fast - slow) / np.abs(slow).max(axis=0)) < 1e-10
