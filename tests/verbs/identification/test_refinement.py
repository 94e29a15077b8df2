"""Parameters refined by simulation error are those that made the motion."""

import os
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.identification.refining.fit_problem import Measured
from chorda.identification.refining.refinement import refine
from tests.helpers.recordings import finger, recorded, seen

SIGMA = {"joint": 1e-3, "motor": 1e-3}
KINDS = ("stiffness", "damping", "dry_torque", "dry_slope")


class Case:
    def __init__(self, robot, tension):
        self.system = chorda.assemble(robot)
        closed, self.run = recorded(self.system, 0.3, duration=1.0, tension=tension)
        self.inputs = closed.input
        owners = [x.name for x in (*robot.tendons, *robot.actuators)]
        self.names = [
            n
            for n in self.system.parameter_names
            if n.rsplit(".", 1)[0] in owners and n.rsplit(".", 1)[1] in KINDS
        ]
        self.truth = dict(
            zip(self.system.parameter_names, self.system.parameter_values, strict=True)
        )
        self.first = np.concatenate([self.run.position[0], self.run.velocity[0]])

    def off(self, by=0.2):
        return {n: self.truth[n] * (1 + by * (-1) ** i) for i, n in enumerate(self.names)}

    def refine(self, names=None, measured=None, **options):
        given = {
            "time": self.run.time,
            "inputs": self.inputs,
            "measured": measured or seen(self.system, self.run, SIGMA),
            "start": self.off(),
            "initial": self.first,
        }
        return refine(self.system, names or self.names, **given | options)

    def worst(self, found):
        return max(abs(found.values[n] / self.truth[n] - 1) for n in found.values)


@pytest.fixture(scope="module")
def neck():
    return Case(chorda.neck(2), 10.0)


@pytest.fixture(scope="module", params=["neck", "finger"])
def case(request):
    if request.param == "neck":
        return request.getfixturevalue("neck")
    return Case(finger(), 3.0)


def test_exact_data_give_back_the_parameters_from_a_start_20_percent_off(case):
    found = case.refine()
    assert found.status.code == "converged"
    assert set(found.values) == set(case.names)
    assert case.worst(found) < 1e-6
    assert found.cost < 1e-12 * found.cost_before
    assert np.max(np.abs(found.position - case.run.position)) < 1e-8


def test_with_noise_estimates_lie_within_four_deviations(case):
    measured = seen(case.system, case.run, SIGMA, np.random.default_rng(3))
    found = case.refine(measured=measured)
    assert found.status.ok
    for name in case.names:
        assert abs(found.values[name] - case.truth[name]) < 4 * found.deviation[name]
        assert abs(found.values[name] - case.truth[name]) < 4 * found.white_deviation[name]
        assert 0.5 < found.deviation[name] / found.white_deviation[name] < 2  # noise is white
    for kind, sigma in SIGMA.items():
        rms = [found.rms[c.name] for c in case.system.coordinates if c.kind == kind]
        np.testing.assert_allclose(rms, sigma, rtol=0.1)


def test_noise_that_hangs_together_widens_the_robust_deviations(neck):
    rng, measured = np.random.default_rng(5), []
    for m in seen(neck.system, neck.run, SIGMA):
        noise = rng.normal(size=len(m.time))
        for k in range(1, len(noise)):
            noise[k] = 0.95 * noise[k - 1] + np.sqrt(1 - 0.95**2) * noise[k]
        measured.append(replace(m, value=m.value + m.sigma * noise))
    found = neck.refine(measured=measured)
    wider = [found.deviation[n] / found.white_deviation[n] for n in neck.names]
    assert np.median(wider) > 1.5
    assert all(abs(found.values[n] - neck.truth[n]) < 4 * found.deviation[n] for n in neck.names)


def test_an_unknown_start_is_recovered(neck):
    n = neck.system.nq
    guess = neck.first.copy()
    guess[:n] += [0.03, -0.02, 0.4, -0.3, 0.5]
    found = neck.refine(initial=guess)
    assert neck.worst(found) < 1e-6
    np.testing.assert_allclose(found.start, neck.first, atol=1e-6)
    held = neck.refine(initial=guess, free_initial=False)
    assert neck.worst(held) > 1e-3


def test_tied_parameters_move_as_one_and_keep_their_ratio(neck):
    start = {"right1.stiffness": 8e4, "right2.stiffness": 8e4, "left.stiffness": 8e4}
    found = neck.refine(
        ["*.dry_torque"], start=start, tied=[["right?.stiffness", "left.stiffness"]]
    )
    assert found.names[0] == "right1.stiffness"
    assert neck.worst(found) < 1e-6
    assert len({found.values[n] for n in start}) == 1
    ratio = neck.refine(
        ["right1.stiffness"],
        start={"right1.stiffness": 5e4, "left.stiffness": 1e5},
        tied=[["right1.stiffness", "left.stiffness"]],
    )
    assert ratio.values["left.stiffness"] == pytest.approx(2 * ratio.values["right1.stiffness"])


def test_a_clock_offset_of_a_sensor_is_found(neck):
    late = [
        replace(m, time=m.time + 0.007) if m.sensor == "joint" else m
        for m in seen(neck.system, neck.run, SIGMA)
    ]
    found = neck.refine(["*.dry_torque"], measured=late, start=None, clocks=["joint"])
    assert found.offsets["joint"] == pytest.approx(0.007, abs=1e-6)
    assert neck.worst(found) < 1e-4  # times between steps: cubic in between


def test_sensors_slower_than_the_steps_and_out_of_step_are_used(neck):
    m = seen(neck.system, neck.run, SIGMA)
    slow = [replace(x, time=x.time[3:-3:7], value=x.value[3:-3:7]) for x in m]
    assert neck.worst(neck.refine(measured=slow)) < 1e-3


def test_a_runaway_start_is_fitted_from_a_growing_record(neck):
    start = {n: neck.truth[n] * 0.3 for n in neck.names if n.endswith("dry_torque")}
    found = neck.refine(list(start), start=start)
    assert neck.worst(found) < 1e-6


def test_bounds_hold_and_nothing_negative_comes_out(neck):
    found = neck.refine(bounds={"right1.stiffness": (1.1e5, 1.3e5)})
    assert 1.1e5 <= found.values["right1.stiffness"] <= 1.1001e5
    assert min(found.values.values()) >= 0


def test_a_parameter_without_effect_has_an_infinite_deviation(neck):
    found = neck.refine(
        ["right1.stiffness", "gravity.y"], start={"gravity.y": 0.0}, max_evaluations=1
    )
    assert found.status.code == "incomplete"
    assert "raise `max_evaluations`" in found.status.message
    robot = finger()
    idle = refine(
        chorda.assemble(robot),
        ["flexor.stiffness", "knuckle.friction"],
        time=np.linspace(0, 0.02, 11),
        inputs=0.0,
        measured=[Measured("middle", np.linspace(0, 0.02, 11), np.zeros(11), 1e-3)],
        free_initial=False,
        max_evaluations=3,
    )
    assert np.isinf(idle.deviation["knuckle.friction"])
    assert not np.any(np.isnan(idle.covariance))


def test_ctrl_c_keeps_the_best_so_far(neck, monkeypatch):
    from chorda.identification.refining import fitting

    plain, count = fitting.misfit, []

    def interrupted(*arguments):
        count.append(1)
        if len(count) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(*arguments)

    assert threading.current_thread() is threading.main_thread()
    monkeypatch.setattr(fitting, "misfit", interrupted)
    found = neck.refine()
    assert found.status.code == "interrupted"
    assert found.cost < found.cost_before
    assert np.all(np.isfinite(list(found.values.values())))


def test_refusals_name_field_and_remedy(neck):
    t = neck.run.time
    with pytest.raises(InputError, match=r"time: expected equal steps.*resample"):
        neck.refine(time=t**1.1)
    with pytest.raises(InputError, match="measured: 'elbow' is not there"):
        neck.refine(measured=[Measured("elbow", t, t, 1.0)])
    with pytest.raises(InputError, match="sigma of x1 must be positive"):
        neck.refine(measured=[Measured("x1", t, t, 0.0)])
    with pytest.raises(InputError, match=r"parameters: 'right1.stiffnes' is not there"):
        neck.refine(["right1.stiffnes"])
    with pytest.raises(InputError, match="in two groups"):
        neck.refine(tied=[["left.*"], ["left.damping"]])
    with pytest.raises(InputError, match=r"bounds: left.damping starts at"):
        neck.refine(bounds={"left.damping": (1e6, 2e6)})
    with pytest.raises(InputError, match="leaves the measured one at once"):
        neck.refine(initial=[0.9, -0.9, 9.0, -9.0, 9.0])
