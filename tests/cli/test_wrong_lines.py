"""Wrong command lines that once ended in tracebacks, or never: one sentence, and exit code 2."""

import os
from pathlib import Path

import pytest

LONG = "x" * 300
LOG = ("experiment", "neck-1", "--duration", "0.1", "--output", "log.csv")
INPUTS = ("simulate", "neck-1", "--inputs", "u.csv", "--step", "1e-3")
OVER = ("workspace", "rfrfr", "--hold", "motor1=2.59", "--hold", "motor2=0.55", "--over")
LINES = {
    "more steps than memory": ((*INPUTS, "--duration", "1e10"), "step: 0.001 s makes 1e+13 steps"),
    "an endless range": (("bench", "--joints", "1..99999999999"), "--joints: expected numbers"),
    "a digit that is no number": ((*OVER, "motor1=0:1:\u00b2"), "--over motor1: expected LOW"),
    "more digits than Python reads": ((*OVER, f"motor1=0:1:{'9' * 5000}"), "--over motor1: expec"),
    "a line break": (
        ("sweep", "s.yaml", "--plot", "a\nb", "--picture", "out.png"),
        "--plot: expected X,Y or X,Y,COLOUR, got 'a\\nb'",
    ),
    "a log without a name": (("identify", "", "--robot", "neck-1"), "LOG: expected a file"),
    "a log's name that is too long": (("identify", f"{LONG}.csv", "--robot", "neck-1"), "LOG:"),
    "a store's name that is too long": (("sweep", "s.yaml", "--output", LONG), "--output:"),
    "a store to resume": (("sweep", "--resume", LONG), "--resume: expected the path of a file"),
    "an export's name": (("export", "neck-1", "--to", "c", "--output", LONG), "path (--output):"),
    "a negative seed": ((*LOG, "--seed", "-1"), "seed: expected a whole number of at least 0"),
    "too many samples": ((*LOG, "--encoder-rate", "1e308"), "sensors.encoder_rate: expected"),
    "too few samples": ((*LOG, "--encoder-rate", "1e-320"), "sensors.encoder_rate: expected"),
    "too many frames": ((*LOG, "--camera-rate", "1e308"), "sensors.camera_rate: expected"),
    "frames after the end": ((*LOG, "--camera-latency", "1"), "sensors.camera_latency: expected"),
}


@pytest.mark.parametrize("name", LINES)
def test_it_is_refused_in_a_sentence(chorda, name):
    line, says = LINES[name]
    Path("u.csv").write_text("time,motor-left\n0,-0.01\n1,-0.02\n")
    answer = chorda(*line)
    assert answer.code == 2
    assert f"Error: {says}" in " ".join(answer.err.split()).replace("\\\\n", "\\n")


@pytest.mark.parametrize("what", ["pipe", "folder"])
@pytest.mark.parametrize(
    ("line", "ending"),
    [
        (("simulate", "neck-1", "--duration", "0.01", "--output"), ".nc"),
        (("simulate", "neck-1", "--duration", "0.01", "--plot"), ".png"),
        (("simulate", "neck-1", "--duration", "0.01", "--animate"), ".gif"),
        (("simulate", "neck-1", "--duration", "0.01", "--export"), ".glb"),
        (("export", "neck-1", "--to", "mjcf", "--output"), ".xml"),
        (("experiment", "neck-1", "--duration", "0.1", "--output"), ".csv"),
    ],
)
def test_pipes_and_folders_stay_what_they_are(chorda, line, ending, what):
    target = Path(f"out{ending}")
    os.mkfifo(target) if what == "pipe" else target.mkdir()
    answer = chorda(*line, str(target))
    assert answer.code == 2
    assert f"this is a {what}" in " ".join(answer.err.split())
    assert target.is_fifo() if what == "pipe" else target.is_dir()
