"""Chains of many joints and a hand against MuJoCo: accelerations in motion."""

import pytest

from chorda.bench import eyelets, hand

pytest.importorskip("mujoco")


@pytest.mark.parametrize("joints", [6, 30])
def test_a_chain_with_cables_through_eyelets_accelerates_as_in_mujoco(joints):
    assert eyelets.likeness(joints, seed=joints) < 1e-10


def test_a_hand_accelerates_as_in_mujoco():
    assert hand.likeness() < 1e-10
