"""The neck of one joint against its equation of motion, derived by hand.

With s, c = sin, cos of alpha/2, D = d^2 = L^2 - b^2 c^2 and e = b s / (2 d):
the diagonals turn about their feet at 1/2 + e and 1/2 - e, so
    M = m_d L^2/3 (1/2 + 2 e^2) + m_b (d'^2 + d^2/4 + b^2/12),    d' = b^2 s c / (2 d);
their two centres lie at heights that sum to d c, so V_gravity = g (m_d + m_b) d c.
"""

import numpy as np
import pytest

import chorda
from tests.helpers.evaluate import energies, forces

L, B, M_D, M_B, F_V, G = 0.1, 0.05, 0.064, 0.032, 0.001, 9.81
K_SPRING, FREE = 200.0, 0.046  # of neck-1
ROTOR, PAY, DRY, SLOPE = 1e-4, 0.02 / 25, 0.008, 0.5
K_TENDON, D_TENDON = 1e5, 100.0
STATES = [
    (alpha, rate) for alpha in (-2.2, -0.9, -0.1, 0.0, 0.4, 1.3, 2.6) for rate in (-3.0, 0.0, 5.0)
]


class Hand:
    """Everything about the joint at alpha, in closed form."""

    def __init__(self, alpha):
        s, c = np.sin(alpha / 2), np.cos(alpha / 2)
        D = L**2 - B**2 * c**2
        d = np.sqrt(D)
        d_prime = B**2 * s * c / (2 * d)
        e2 = B**2 * s**2 / (4 * D)
        self.M = M_D * L**2 / 3 * (0.5 + 2 * e2) + M_B * (d_prime**2 + D / 4 + B**2 / 12)
        self.M_prime = M_D * L**2 * B**2 / 6 * s * c * (D - B**2 * s**2) / D**2 + M_B * (
            B**4 / 4 * (s * c * (c**2 - s**2) / D - B**2 * s**3 * c**3 / D**2) + B**2 * s * c / 4
        )
        self.gravity = G * (M_D + M_B) * (d * s / 2 - d_prime * c)  # - dV/dalpha
        self.lengths = {"left": d - B * s, "right": d + B * s}
        self.slopes = {"left": d_prime - B * c / 2, "right": d_prime + B * c / 2}
        self.bends = {  # second derivatives of the lengths
            side: d_second(s, c, D) + sign * B * s / 4
            for side, sign in (("left", 1), ("right", -1))
        }
        self.spring = -K_SPRING * sum(
            (self.lengths[k] - FREE) * self.slopes[k] for k in ("left", "right")
        )
        self.friction = F_V * (1 + 4 * e2)  # f_v (2 phi'^2 + 2 psi'^2)
        self.height = d * c


def d_second(s, c, D):
    return B**2 / 4 * (c**2 - s**2) / np.sqrt(D) - (B**2 * s * c) ** 2 / (4 * D**1.5)


def bar_ends(alpha):
    """Ends of the three bars as complex-step safe functions: (foot, head, mass)."""
    s, c = np.sin(alpha / 2), np.cos(alpha / 2)
    middle = np.sqrt(L**2 - B**2 * c**2) * np.array([-s, c])
    half = B / 2 * np.array([np.cos(alpha), np.sin(alpha)])
    left, right = np.array([-B / 2, 0]), np.array([B / 2, 0])
    return [
        (left, middle + half, M_D),
        (right, middle - half, M_D),
        (middle - half, middle + half, M_B),
    ]


@pytest.mark.parametrize("alpha", [-2.2, -0.9, 0.0, 0.4, 1.3])
def test_closed_form_is_the_kinetic_energy_of_three_uniform_bars(alpha):
    step = 1e-30
    total = 0.0
    for foot, head, mass in bar_ends(alpha + 1j * step):
        a, b = np.imag(foot) / step, np.imag(head) / step
        total += mass * (a @ a + a @ b + b @ b) / 3  # 2 T of a uniform bar with end velocities
    assert pytest.approx(total, rel=1e-13) == Hand(alpha).M


@pytest.mark.parametrize(("alpha", "rate"), STATES)
def test_joint_without_tendons_moves_as_derived_by_hand(alpha, rate):
    robot = chorda.neck(1).model_copy(update={"tendons": (), "actuators": ()})
    system = chorda.assemble(robot)
    M, F = forces(system, [alpha], [rate])
    hand = Hand(alpha)
    assert M[0, 0] == pytest.approx(hand.M, rel=1e-12)
    expected = hand.gravity + hand.spring - hand.friction * rate - hand.M_prime / 2 * rate**2
    assert F[0] == pytest.approx(expected, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("alpha", [-1.1, 0.0, 0.8])
def test_each_force_alone_has_its_closed_form(alpha):
    robot = chorda.neck(1).model_copy(update={"tendons": (), "actuators": ()})
    system, hand = chorda.assemble(robot), Hand(alpha)
    none = {"gravity.y": 0.0, "spring*.stiffness": 0.0, "x1.friction": 0.0}

    def alone(name, rate=0.0):
        kept = {key: value for key, value in none.items() if key != name}
        return forces(system, [alpha], [rate], changes=kept)[1][0]

    assert alone("gravity.y") == pytest.approx(hand.gravity, rel=1e-12, abs=1e-16)
    assert alone("spring*.stiffness") == pytest.approx(hand.spring, rel=1e-12, abs=1e-14)
    coriolis = alone("nothing", 4.0)
    assert coriolis == pytest.approx(-hand.M_prime * 8, rel=1e-11, abs=1e-16)
    assert alone("x1.friction", 4.0) - coriolis == pytest.approx(-4 * hand.friction, rel=1e-11)


@pytest.mark.parametrize(("alpha", "rate"), STATES)
def test_elastic_tendons_and_motors_act_as_derived_by_hand(alpha, rate):
    system, hand = chorda.assemble(chorda.neck(1)), Hand(alpha)
    angles, speeds, u = np.array([3.0, -2.0]), np.array([4.0, -7.0]), np.array([-0.01, 0.02])
    M, F = forces(system, [alpha, *angles], [rate, *speeds], u)
    start = Hand(0.0).lengths["left"]
    on_joint = hand.gravity + hand.spring - hand.friction * rate - hand.M_prime / 2 * rate**2
    for i, side in enumerate(("right", "left")):
        stretch = hand.lengths[side] - start - PAY * angles[i]
        tension = K_TENDON * stretch + D_TENDON * (hand.slopes[side] * rate - PAY * speeds[i])
        on_joint -= hand.slopes[side] * tension
        dry = 2 / np.pi * DRY * np.arctan(SLOPE * speeds[i])
        assert F[1 + i] == pytest.approx(u[i] + PAY * tension - dry, rel=1e-10)
    assert F[0] == pytest.approx(on_joint, rel=1e-10)
    assert np.allclose(M, np.diag([hand.M, ROTOR, ROTOR]), rtol=1e-12, atol=0)


@pytest.mark.parametrize(("alpha", "rate"), STATES)
def test_rigid_tendons_reflect_motors_to_the_joint_as_derived_by_hand(alpha, rate):
    system, hand = chorda.assemble(chorda.neck(1), tendons="rigid"), Hand(alpha)
    u = np.array([-0.01, 0.02])
    M, F = forces(system, [alpha], [rate], u)
    inertia = hand.M
    force = hand.gravity + hand.spring - hand.friction * rate - hand.M_prime / 2 * rate**2
    for torque, side in zip(u, ("right", "left"), strict=True):
        J, J_prime = hand.slopes[side] / PAY, hand.bends[side] / PAY
        inertia += ROTOR * J**2
        dry = 2 / np.pi * DRY * np.arctan(SLOPE * J * rate)
        force += J * (torque - dry) - ROTOR * J * J_prime * rate**2
    assert M[0, 0] == pytest.approx(inertia, rel=1e-12)
    assert F[0] == pytest.approx(force, rel=1e-10, abs=1e-13)


def test_energies_of_the_joint_have_their_closed_form():
    robot = chorda.neck(1).model_copy(update={"tendons": (), "actuators": ()})
    system = chorda.assemble(robot)
    for alpha, rate in STATES:
        hand = Hand(alpha)
        T, V = energies(system, [alpha], [rate], [])
        stored = sum(K_SPRING / 2 * (x - FREE) ** 2 for x in hand.lengths.values())
        assert pytest.approx(hand.M * rate**2 / 2) == T
        assert pytest.approx(G * (M_D + M_B) * hand.height + stored) == V
