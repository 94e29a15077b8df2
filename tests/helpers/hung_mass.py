"""A mass of 2 kg on a tendon of 1 m that no actuator winds."""

import chorda
from tests.helpers.evaluate import forces
from tests.helpers.robots import hung_slider

WEIGHT = 2.0 * 9.81  # [N]


def tied(law):
    return chorda.assemble(hung_slider(None, law))


def pulled(system, stretch, rate=0.0):
    """Upward force on the mass beside its weight [N]."""
    _, F = forces(system, [-stretch], [-rate])
    return F[0] + WEIGHT


def tension(law, stretch, rate=0.0):
    return pulled(tied(law), stretch, rate)
