"""How much a sensor's clock is ahead is found in the motion, and given offsets are kept."""

from dataclasses import replace

import pytest

import chorda
from chorda.control import Fourier
from chorda.identification import Log, Preparation, Sensors, identify
from chorda.identification.clocks import first_guess
from chorda.identification.preparing import Prepared
from chorda.identification.virtual.experiment import closed_loop
from chorda.identification.virtual.sensors import measured


@pytest.fixture(scope="module")
def run():
    system = chorda.assemble(chorda.neck(2))
    motion = Fourier.random(2, 0.5, 0.1, harmonics=5, seed=2)
    return closed_loop(system, motion, duration=20.0, tension=20.0, progress=False)


def log(run, latency=0.04, seed=0, **sensors):
    """A camera whose stamps are late by a latency; a negative one is early."""
    made = measured(run, Sensors(camera_latency=max(latency, 0.0), **sensors), seed)
    if latency < 0:
        made = {
            k: replace(c, time=c.time + latency) if c.sensor == "camera" else c
            for k, c in made.items()
        }
    truth = dict(zip(run.system.parameter_names, run.parameters.tolist(), strict=True))
    return Log(made, "virtual experiment", truth)


@pytest.mark.parametrize("latency", [0.0, 0.004, 0.04, 0.15, -0.03])
def test_the_offset_is_found_to_a_millisecond_in_noise(run, latency):
    found = identify(log(run, latency), run.system, method="least squares")
    assert found.offsets["camera"] == pytest.approx(latency, abs=1e-3)
    assert found.offset_deviations["camera"] < 1e-3
    assert abs(found.offsets["camera"] - latency) < 4 * found.offset_deviations["camera"]


@pytest.mark.parametrize("latency", [0.04, -0.1])
def test_the_first_guess_is_near(run, latency):
    prepared = Prepared(run.system, log(run, latency), Preparation())
    assert first_guess(prepared, "camera") == pytest.approx(latency, abs=0.01)


def test_without_noise_the_offset_is_found_to_a_tenth_of_a_millisecond(run):
    clean = {"camera_noise": 0.0, "camera_dropped": 0.0, "current_noise": 0.0}
    clean |= {"current_ripple": 0.0, "encoder_counts": 0, "camera_rate": 100.0}
    found = identify(log(run, 0.037, **clean), run.system, method="least squares")
    assert found.offsets["camera"] == pytest.approx(0.037, abs=1e-4)


def test_sensors_that_share_a_clock_have_no_offset(run):
    found = identify(log(run, 0.0, camera_rate=0.0), run.system, method="least squares")
    assert found.offsets == {}
    assert found.offset_deviations == {}


@pytest.mark.parametrize("given", [0.04, 0.02])
def test_given_offsets_are_respected(run, given):
    how = Preparation(offsets={"camera": given})
    found = identify(log(run), run.system, prepare=how, method="least squares")
    assert found.offsets == {"camera": given}
    assert found.offset_deviations == {}
    stiffness = found["right1.stiffness"]
    off = abs(stiffness.value / stiffness.truth - 1)
    assert off < 0.1 if given == 0.04 else off > 0.1


def test_shifting_every_clock_alike_changes_nothing(run):
    one = log(run)
    two = replace(one, channels={k: replace(c, time=c.time + 5.0) for k, c in one.channels.items()})
    first, second = (identify(x, run.system, method="least squares") for x in (one, two))
    assert first.offsets["camera"] == pytest.approx(second.offsets["camera"], abs=1e-6)
    for a, b in zip(first.estimates, second.estimates, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-3 * a.deviation)


def test_a_joint_that_no_motor_follows_has_nothing_to_compare(run):
    rigid = chorda.assemble(chorda.neck(2), "rigid")
    prepared = Prepared(rigid, log(run), Preparation())
    assert first_guess(prepared, "camera") == 0.0
