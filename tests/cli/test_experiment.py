"""chorda experiment: the log of the verb in a file, and what is wrong with options."""

from pathlib import Path

import numpy as np
import pytest

import chorda as library
from chorda.identification import experiment


def test_the_file_holds_the_verbs_log(chorda) -> None:
    changes = ("--parameter", "motor-left.inertia=2e-5", "--camera-noise", "0.01", "--seed", "3")
    answer = chorda("experiment", "neck-3", "--duration", "1", *changes, "-o", "log.csv", "--json")
    assert answer.code == 0
    system = library.assemble(library.load("neck-3"))
    log = library.read_log("log.csv", system)
    made = experiment(
        system,
        duration=1.0,
        seed=3,
        parameters={"motor-left.inertia": 2e-5},
        sensors=library.identification.Sensors(camera_noise=0.01),
    )
    for name, channel in made.channels.items():
        assert np.array_equal(log.channels[name].value, channel.value)
    assert log.truth["motor-left.inertia"] == 2e-5
    assert answer.json["truth"] == log.truth
    assert answer.json["files"] == ["log.csv"]
    x1 = next(row for row in answer.json["channels"] if row["signal"] == "x1")
    assert (x1["sensor"], x1["samples"]) == ("camera", len(made.channels["x1"].time))


def test_a_motion_from_a_file_is_followed(chorda) -> None:
    t = np.linspace(0, 2, 21)
    rows = "\n".join(f"{a},{0.1 * np.sin(np.pi * a / 4) ** 4}" for a in t)
    Path("motion.csv").write_text(f"time,x1\n{rows}\n")
    options = ("--motion", "motion.csv", "--ideal", "--duration", "2", "--output", "log.nc")
    answer = chorda("experiment", "neck-1", *options)
    assert answer.code == 0
    assert "motor-left.torque" in answer.out
    log = library.read_log("log.nc", library.assemble(library.neck(1)))
    assert log.channels["x1"].value[-1] == pytest.approx(0.1, abs=0.02)
    assert log.channels["x1"].sensor == "encoder"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("-o", "log.xlsx"), "expected a file ending in"),
        (("-o", "log.csv", "--ideal", "--camera-noise", "0.1"), "--camera-noise has no meaning"),
        (("-o", "log.csv", "--camera-noise", "-1"), "sensors.camera_noise: expected"),
        (("-o", "log.csv", "--motion", "none.csv"), "none.csv: cannot be read"),
        (("-o", "log.csv", "--parameter", "mass=3"), "'mass' is not there"),
    ],
)
def test_bad_options_are_explained(chorda, options: tuple[str, ...], says: str) -> None:
    answer = chorda("experiment", "neck-1", "--duration", "0.1", *options)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())
    assert not Path("log.csv").exists()


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--camera-rate", "1e9"), "sensors.camera_rate: expected"),
        (("--encoder-rate", "1e308"), "sensors.encoder_rate: expected"),
        (("--ideal", "--encoder-rate", "1e12"), "sensors.encoder_rate: expected"),
        (("--camera-rate", "1e6", "--duration", "1e5"), "sensors.camera_rate: 1e+11 samples"),
        (("--duration", "1e14"), "sensors.encoder_rate: 5e+16 samples"),
        (("--encoder-rate", "1e-3"), "sensors.encoder_rate: expected at least two samples"),
        (("--duration", "0.02"), "sensors.camera_latency: expected less than the duration"),
    ],
)
def test_rates_and_durations_are_refused_before_any_work(chorda, monkeypatch, options, field):
    def refuse(*_, **__):
        raise AssertionError("work was begun")

    monkeypatch.setattr("chorda.identification.virtual.experiment.closed_loop", refuse)
    answer = chorda("experiment", "neck-1", *options, "-o", "log.csv")
    assert answer.code == 2
    assert field in " ".join(answer.err.split())
    assert not Path("log.csv").exists()
