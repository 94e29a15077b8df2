"""Coefficients of friction along tendons from motions, with their intervals."""

import pytest

import chorda
from chorda.describe import Capstan
from chorda.errors import InputError
from tests.verbs.identification.test_refinement import Case

NAMES = ["left.friction_coefficient", "left.stiffness", "right1.stiffness"]


TRUTH = 0.4


def rubbing_neck(coefficient=TRUTH):
    robot = chorda.neck(2)
    rubs = {"friction": Capstan(coefficient=coefficient, speed=0.01)}
    tendons = tuple(x.model_copy(update=rubs) if x.name == "left" else x for x in robot.tendons)
    return robot.model_copy(update={"tendons": tendons})


@pytest.fixture(scope="module")
def case():
    made = Case(rubbing_neck(), 10.0)
    made.names = NAMES
    return made


def test_exact_data_give_back_the_coefficient(case):
    found = case.refine()
    assert found.status.code == "converged"
    assert case.worst(found) < 1e-6


@pytest.fixture(scope="module")
def log():
    return chorda.experiment(chorda.assemble(rubbing_neck()), duration=30.0, seed=2)


def test_a_log_gives_the_coefficient_with_an_interval_that_holds_it(log):
    """From a description that is far off; beside the motors' friction and the tendons' laws."""
    robot = rubbing_neck(0.05)
    names = ["left.friction_coefficient", "*.dry_torque", "*.stiffness"]
    found = chorda.identify(log, robot, names)["left.friction_coefficient"]
    assert found.described == pytest.approx(0.05)
    assert found.low < TRUTH < found.high
    assert found.low > 0.05
    assert found.value == pytest.approx(TRUTH, abs=0.1)


def test_what_is_curved_and_no_friction_is_refused(log):
    with pytest.raises(InputError, match=r"not linear in left.friction_speed.*refine"):
        chorda.identify(log, rubbing_neck(), ["left.friction_speed"])


def test_the_usual_parameters_are_found_beside_known_friction(log):
    found = chorda.identify(log, rubbing_neck())
    assert found["left.stiffness"].low < 1e5 < found["left.stiffness"].high
