"""Options and arguments that would have no effect in a call are refused by name."""

import pytest

import chorda as library
from chorda.control import JointControl, Sine
from chorda.errors import InputError

NECK = ("simulate", "neck-1", "--duration", "0.01", "--step", "1e-3")
LEGS = ("rfrfr", "--hold", "motor1=2.59", "--hold", "motor2=0.55")
MAP = ("workspace", *LEGS, "--over", "motor1=2.5:2.6:2")
LOG = ("experiment", "neck-1", "--duration", "0.1", "--output", "out.csv")
LINES = [  # a line, the option that has no effect, and what would make it effective
    ((*NECK, "--minimum-tension", "5"), "--minimum-tension", "--control"),
    ((*NECK, "--maximum-tension", "50"), "--maximum-tension", "--control"),
    ((*NECK, "--reference", "sine:0.1"), "--reference", "--control"),
    ((*NECK, "--settle", "--set", "x1.rate=1"), "initial.x1.rate", "simulate from there"),
    (("show", "neck-1", "--schema"), "ROBOT", "leave --schema out"),
    (("show", "--schema", "--yaml"), "--yaml", "leave --schema out"),
    (("show", "--schema", "--picture", "out.png"), "--picture", "leave --schema out"),
    (("show", "neck-1", "--yaml", "--json"), "--json", "leave --yaml out"),
    (("show", "neck-1", "--yaml", "--picture", "out.png"), "--picture", "leave --yaml out"),
    ((*MAP, "--colour", "limits"), "--colour", "without --picture"),
    ((*MAP, "--color", "limits"), "--colour", "without --picture"),
    ((*MAP, "--kind", "locked"), "--kind", "without --picture"),
    (
        (*MAP, "--picture", "out.png", "--colour", "limits", "--kind", "locked"),
        "--kind",
        "--colour stability",
    ),
    (("stability", *LEGS, "--kind", "locked"), "--kind", "without --plot"),
    (("equilibrium", "neck-1", "--set", "x1.rate=1"), "initial.x1.rate", "at rest"),
    (("transmission", "neck-1", "--set", "x1.rate=1"), "--set.x1.rate", "at rest"),
    ((*LOG, "--camera-rate", "0", "--camera-latency", "0.1"), "--camera-latency", "--camera-rate"),
    ((*LOG, "--camera-rate", "0", "--camera-dropped", "0.1"), "--camera-dropped", "--camera-rate"),
    ((*LOG, "--ideal", "--motion", "in.csv", "--seed", "3"), "--seed", "--motion and --ideal"),
    (("sweep", "--resume", "store", "--chunk", "3"), "--chunk", "--resume"),
    (("sweep", "--resume", "store", "--yes"), "--yes", "--resume"),
]


@pytest.mark.parametrize(("line", "option", "remedy"), LINES)
def test_an_option_without_effect_is_refused_by_name(chorda, line, option, remedy):
    answer = chorda(*line)
    said = " ".join(answer.err.split())
    assert answer.code == 2
    assert said.startswith(f"Error: {option}: has no effect")
    assert remedy in said
    assert "leave it out" in said


REFUSED_BEFORE = [  # options of which one call takes one, or whose partner is missing
    ((*NECK, "--control", "pd"), "--control: needs --reference"),
    ((*NECK, "--control", "pd", "--reference", "sine:0.1", "--settle"), "--settle:"),
    ((*NECK, "--input", "motor-left=1", "--inputs", "u.csv"), "--input and --inputs"),
    ((*LOG, "--ideal", "--camera-noise", "1"), "--camera-noise has no meaning"),
    ((*LOG, "--motion", "in.csv", "--amplitude", "1"), "--amplitude:"),
    (("identify", "l.csv", "--robot", "neck-1", "--report", "a.html", "--no-report"), "--report"),
    (
        ("identify", "l.csv", "--robot", "neck-1", "--as-published", "--rate", "9"),
        "--as-published: its rate",
    ),
    (("sweep", "s.yaml", "--plot", "a,b"), "--plot:"),
    (("sweep", "--resume", "store", "--output", "other"), "--output:"),
    (("sweep", "s.yaml", "--jobs", "2", "--scheduler", "tcp://10.0.0.1:1"), "jobs:"),
    (("export", "neck-1", "--to", "mjcf", "--output", "a.xml", "--scheme", "rk4"), "scheme:"),
    (("equilibrium", "neck-1", "--actuated", "x1"), "actuated:"),
]


@pytest.mark.parametrize(("line", "says"), REFUSED_BEFORE)
def test_options_that_exclude_or_need_each_other_are_refused(chorda, line, says):
    answer = chorda(*line)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())


@pytest.fixture(scope="module")
def neck():
    return library.assemble(library.load("neck-1"))


def bent():
    legs = library.assemble(library.load("rfrfr"))
    return library.equilibrium(legs, hold={"motor1": 2.59, "motor2": 0.55})


MOTION = {"duration": 0.01, "step": 1e-3}
CALLS = {
    "tolerance of a fixed step": (
        lambda s: library.simulate(s, **MOTION, scheme="rk4", tolerance=1e-6),
        "tolerance: has no effect with scheme 'rk4'",
    ),
    "tolerance of a batch": (
        lambda s: library.rollout(s, **MOTION, scheme="heun", tolerance=1e-6),
        "tolerance: has no effect with scheme 'heun'",
    ),
    "threads of a GPU": (
        lambda s: library.rollout(s, **MOTION, device="gpu", jobs=2),
        "jobs: has no effect with device='gpu'",
    ),
    "gains of feed-forward": (
        lambda s: JointControl(Sine.from_rest((0.1,)), frequency=5.0, kind="feed-forward"),
        "frequency: has no effect with kind='feed-forward'",
    ),
    "inputs beside a controller": (
        lambda s: library.step_limits(
            s, inputs=[0.0, 0.0], control=JointControl(Sine.from_rest((0.1,)))
        ),
        "inputs: has no effect with control",
    ),
    "rates at rest": (
        lambda s: library.step_limits(s, initial={"x1.rate": 1.0}),
        "initial.x1.rate: has no effect at rest",
    ),
    "a spread of one start": (
        lambda s: library.equilibria(s, tensions=5.0, starts=1, spread=2.0),
        "spread: has no effect with starts=1",
    ),
    "a seed of one start": (
        lambda s: library.equilibria(s, tensions=5.0, starts=1, seed=2),
        "seed: has no effect with starts=1",
    ),
    "points of a series": (
        lambda s: library.follow(bent(), hold={"motor1": [2.6, 2.61]}, points=3),
        "points: has no effect with a series",
    ),
    "the kind of a picture of limits": (
        lambda s: library.workspace(bent(), {"motor1": [2.59]}, jobs=1).plot(
            colour="limits", kind="locked"
        ),
        "kind: has no effect with colour 'limits'",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_argument_without_effect_is_refused_by_name(neck, name):
    call, says = CALLS[name]
    with pytest.raises(InputError) as found:
        call(neck)
    assert str(found.value).startswith(says)
    assert "leave it out" in str(found.value)


STUDY = {"robot": "neck-1", "vary": [{"name": "tensions", "kind": "list", "at": [5, 9]}]}
REST = {"kind": "equilibrium", "frames": ["x1.top"]}
MOVING = {"kind": "simulate", "duration": 0.01, "step": 1e-3}


@pytest.mark.parametrize(
    ("compute", "says"),
    [
        (REST, "compute.frames: has no effect unless frame_position is kept"),
        (REST | {"keep": ["position"]}, "compute.frames: has no effect unless frame_position"),
        (MOVING | {"frames": ["x1.top"]}, "compute.frames: has no effect unless final_frame_pos"),
        (MOVING | {"every": 2}, "compute.every: has no effect unless a series over time is kept"),
    ],
)
def test_what_a_study_asks_for_and_does_not_keep_is_refused(compute, says):
    with pytest.raises(InputError) as found:
        library.sweep(STUDY | {"compute": compute}, progress=False)
    assert str(found.value).startswith(says)


def test_what_a_study_keeps_is_there():
    kept = REST | {"keep": ["frame_position"]}
    found = library.sweep(STUDY | {"compute": kept}, progress=False)
    assert found.status.ok
