"""chorda sweep."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import chorda
from chorda.cli import app
from chorda.errors import InputError
from tests.helpers.small_studies import contents, motions, written


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(motions(), tmp_path)

    def command(*words):
        return CliRunner().invoke(app, ["sweep", *words], prog_name="chorda")

    return command


def test_the_command_makes_the_verbs_store_beside_and_prints_its_summary(run, tmp_path):
    answer = run("study.yaml", "--jobs", "1", "--json")
    assert answer.exit_code == 0
    found = chorda.sweep(motions(), tmp_path / "verb.zarr", jobs=1)
    assert contents(tmp_path / "study.zarr") == contents(tmp_path / "verb.zarr")
    printed = json.loads(answer.stdout)
    assert printed["counts"] == {"completed": 60}
    largest = printed["outputs"]["largest_tension:left"]["largest"]
    assert largest == float(found.data["largest_tension"].sel(tendon="left").max())


def test_a_store_is_gone_on_with_and_drawn(run, tmp_path):
    assert run("study.yaml", "--chunk", "10", "--jobs", "1").exit_code == 0
    (tmp_path / "study.zarr/status/c/2").unlink()
    assert chorda.open_sweep("study.zarr").counts == {"completed": 50, "": 10}
    words = ("--plot", "left.damping,largest_tension:left,stiffness", "--picture", "dots.png")
    answer = run("--resume", "study.zarr", *words)
    assert answer.exit_code == 0
    assert answer.stdout.count("60 of 60 points have a result.") == 1
    assert (tmp_path / "dots.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give a study's file, or --resume"),
        (("study.yaml", "--resume", "a.zarr"), "--resume with the store of one, not both"),
        (("--resume", "none.zarr"), "none.zarr: there is no such folder"),
        (("none.yaml",), "none.yaml: cannot be read: no such file; expected a study's YAML file"),
        (("study.yaml", "--jobs", "0"), "jobs: expected a whole number of at least 1, got 0"),
        (("study.yaml", "--jobs", "2", "--scheduler", "tcp://x:1"), "give one of the two"),
        (("study.yaml", "--plot", "a,b"), "--plot: it names what --picture draws"),
    ],
)
def test_wrong_words_are_refused_in_a_sentence(run, tmp_path, words, sentence):
    answer = run(*words)
    assert answer.exit_code == 2
    assert sentence in " ".join(answer.stderr.split())
    assert not (tmp_path / "study.zarr").exists()


def test_a_figure_has_a_dot_for_each_point(tmp_path):
    found = chorda.sweep(motions(), jobs=1)
    figure = found.plot("initial.x1", "final_position:x1", "left.damping")
    dots = figure.axes[0].collections[0].get_offsets()
    expected = found.data["final_position"].sel(coordinate="x1")
    assert np.array_equal(dots[:, 1], expected)
    assert figure.axes[0].get_ylabel() == "final_position:x1 [rad]"
    with pytest.raises(InputError, match="did you mean final_position"):
        found.plot("initial.x1", "final_positions:x1")
    with pytest.raises(InputError, match=r"a point, over tendon; .* is one of right1, left$"):
        found.plot("initial.x1", "largest_tension")
    with pytest.raises(InputError, match=r"initial.x1 is one number a point; leave out ':left'"):
        found.plot("initial.x1:left", "largest_tension:left")
    with pytest.raises(InputError, match=r"path: expected a name that ends in \.png .*'\.xyz'"):
        found.plot("initial.x1", "left.damping", path=tmp_path / "p.xyz")
    assert list(tmp_path.iterdir()) == []
