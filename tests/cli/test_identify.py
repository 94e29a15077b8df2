"""chorda identify: the verb's numbers, the page beside the log, what is wrong with options."""

from pathlib import Path

import pytest

import chorda as library
from chorda.identification import experiment, identify, write_log


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    system = library.assemble(library.neck(1))
    return write_log(experiment(system, duration=10.0), tmp_path_factory.mktemp("log") / "log.csv")


@pytest.fixture
def log(made: Path, chorda) -> str:
    Path("log.csv").write_bytes(made.read_bytes())
    return "log.csv"


def test_the_table_and_the_page_are_made(chorda, log: str) -> None:
    answer = chorda("identify", log, "--robot", "neck-1")
    assert answer.code == 0
    for text in ("motor-left.dry_torque", "well identified", "right1.damping", "ms late", "truth"):
        assert text in answer.out
    assert "Wrote log.html" in answer.err
    assert "<title>Identification of neck-1" in Path("log.html").read_text(encoding="utf-8")
    assert chorda("identify", log, "--robot", "neck-1").code == 0  # its own page may be replaced


def test_the_reasons_of_doubtful_parameters_are_printed(chorda, log: str) -> None:
    answer = chorda("identify", log, "--robot", "neck-1", "--no-report")
    assert "Not well identified" in answer.out
    assert "more than 10 %" in answer.out
    assert not Path("log.html").exists()


def test_json_is_the_verbs_record(chorda, log: str) -> None:
    options = ("--parameters", "motor-*.dry_torque", "--tensions", "eliminated")
    answer = chorda("identify", log, "--robot", "neck-1", *options, "--no-report", "--json")
    system = library.assemble(library.neck(1))
    found = identify(log, system, ["motor-*.dry_torque"], tensions="eliminated")
    assert [p["name"] for p in answer.json["parameters"]] == [x.name for x in found.estimates]
    values = [p["value"] for p in answer.json["parameters"]]
    assert values == pytest.approx([x.value for x in found.estimates])
    assert answer.json["clock_offsets_s"] == pytest.approx(dict(found.offsets))
    assert answer.json["files"] == []


def test_tied_parameters_are_one_unknown(chorda, log: str) -> None:
    options = ("--parameters", "*t*.stiffness", "--tie", "motor-*.dry_torque", "--no-report")
    answer = chorda("identify", log, "--robot", "neck-1", *options, "--json")
    names = [p["name"] for p in answer.json["parameters"]]
    assert [name for name in names if "dry_torque" in name] == ["motor-*.dry_torque"]


def test_options_of_preparation_and_method_reach_the_verb(chorda, log: str) -> None:
    options = ("--cutoff", "3", "--rate", "25", "--method", "least-squares", "--no-report")
    answer = chorda("identify", log, "--robot", "neck-1", *options, "--json").json
    assert answer["method"] == "least squares"
    assert answer["cutoff_hz"] == 3
    assert answer["rate_hz"] == pytest.approx(25)
    published = chorda("identify", log, "--robot", "neck-1", "--as-published", "--no-report")
    assert "31.2 Hz" in " ".join(published.out.split())


def test_refined_parameters_are_among_the_found(chorda, log: str) -> None:
    options = ("--parameters", "motor-*.dry_torque", "--refine", "x1.bar_mass", "--no-report")
    answer = chorda("identify", log, "--robot", "neck-1", *options, "--json").json
    assert answer["method"] == "refined"
    assert "x1.bar_mass" in [p["name"] for p in answer["parameters"]]


def test_robots_are_compared_on_held_out_data(chorda, log: str) -> None:
    soft = library.describe.dump(library.neck(1)).replace("stiffness: 200", "stiffness: 120")
    Path("soft.yaml").write_text(soft)
    options = ("--compare", "soft.yaml", "--no-report")
    answer = chorda("identify", log, "--robot", "neck-1", *options)
    assert answer.code == 0
    assert "Models compared" in answer.out
    scores = chorda("identify", log, "--robot", "neck-1", *options, "--json").json["comparison"]
    assert [s["model"] for s in scores] == ["neck-1", "soft.yaml"]
    assert scores[0]["misfit_held_out"] < scores[1]["misfit_held_out"]


def test_columns_of_other_names_are_found_by_a_file(chorda, log: str) -> None:
    Path("odd.csv").write_text(Path(log).read_text().replace("x1 [", "theta [", 1))
    Path("columns.yaml").write_text("x1: theta\n")
    options = ("--robot", "neck-1", "--no-report")
    assert chorda("identify", "odd.csv", *options).code == 2
    assert chorda("identify", "odd.csv", *options, "--columns", "columns.yaml").code == 0


def test_a_page_that_is_not_ours_is_kept(chorda, log: str) -> None:
    Path("log.html").write_text("my notes")
    answer = chorda("identify", log, "--robot", "neck-1")
    assert answer.code == 2
    assert "log.html exists and is no page of chorda identify" in " ".join(answer.err.split())
    assert Path("log.html").read_text() == "my notes"
    assert chorda("identify", log, "--robot", "neck-1", "--report", "other.html").code == 0
    assert Path("other.html").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.csv", "--robot", "neck-1"], "none.csv"),
        (["log.csv", "--robot", "neck-3"], "column 'x2' is missing"),
        (["log.csv", "--robot", "nick-1"], "neither in the catalogue nor"),
        (
            ["log.csv", "--robot", "neck-1", "--parameters", "motor-left.dry_torqe"],
            "did you mean motor-left.dry_torque",
        ),
        (["log.csv", "--robot", "neck-1", "--parameters", "x1.bar_length"], "refine"),
        (
            ["log.csv", "--robot", "neck-1", "--cutoff", "-1"],
            "cutoff: expected a finite number of Hz",
        ),
        (["log.csv", "--robot", "neck-1", "--as-published", "--rate", "9"], "drop --rate"),
        (["log.csv", "--robot", "neck-1", "--report", "page.pdf"], "ending in .html"),
        (["log.csv", "--robot", "neck-1", "--report", "p.html", "--no-report"], "one of both"),
        (["log.csv", "--robot", "neck-1", "--compare", "neck-1"], "given twice"),
        (["log.csv", "--robot", "neck-1", "--columns", "none.yaml"], "none.yaml: cannot be read"),
    ],
)
def test_a_wrong_input_is_one_sentence_and_exit_code_2(
    chorda, log: str, arguments: list[str], says: str
) -> None:
    answer = chorda("identify", *arguments)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())
    assert answer.out == ""
    assert not Path("log.html").exists()
