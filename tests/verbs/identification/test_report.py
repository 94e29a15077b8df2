"""The page of an identification: complete, self-contained, with the numbers of the record."""

import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.identification import experiment, identify
from chorda.identification.reconstruction import reconstruct
from chorda.identification.reporting.estimate_figures import correlations
from chorda.identification.reporting.html_report import is_report, write_report
from chorda.identification.reporting.panels import broken, window
from chorda.identification.reporting.residual_figures import autocorrelation
from chorda.identification.reporting.wording import clocks, corrected, counted, headline, losses

HEADINGS = (
    "Parameters",
    "Uncertainty",
    "Actuators' effect on the joints",
    "Tensions",
    "Residuals",
    "Signals",
)


class Page(HTMLParser):
    """Cells of tables, texts and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.headings, self.places, self.words = [], [], [], []
        self.images, self.inside = 0, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.images += tag == "img"
        self.places += [value for name, value in attrs if name in ("src", "href")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        text = data.replace("\u2212", "-").replace("\u00a0", " ")
        self.words.append(text)
        if self.inside in ("td", "th"):
            self.rows[-1][-1] += text
        if self.inside == "h2":
            self.headings.append(text)

    def row(self, name, length):
        """Cells of the row that begins with a name, in the table of that many columns."""
        return next(r for r in self.rows if r and r[0] == name and len(r) == length)


@cache
def neck(tendons="elastic"):
    return chorda.assemble(chorda.neck(1), tendons)


@cache
def log(tendons="elastic"):
    return experiment(neck(tendons), duration=10.0)


@cache
def found():
    return identify(log(), neck())


def twin():
    """A neck with a second spring where one is: only the sum of both shows."""
    robot = chorda.neck(1)
    spring = robot.springs[0].model_copy(update={"name": "twin"})
    return chorda.assemble(robot.model_copy(update={"springs": (*robot.springs, spring)}))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    assert found().report(path) == path
    assert is_report(path)
    return path.read_text(encoding="utf-8")


def test_the_page_has_every_section_and_figure(text):
    page = Page(text)
    assert tuple(page.headings) == HEADINGS
    # intervals, correlations; actuators; tensions, errors; residuals over time and otherwise;
    # signals
    assert page.images == 2 + 1 + 2 + 2 + 1


def test_the_page_refers_to_nothing_outside(text):
    assert all(place.startswith(("data:image/png", "#")) for place in Page(text).places)
    assert not re.search(r"(?:src|href)=\"(?!data:|#)", text)
    assert "http://" not in text
    assert "https://" not in text


def test_numbers_of_the_page_are_those_of_the_identification(text):
    page = Page(text)
    for item in found().estimates:
        name, value, unit, truth, error, relative, low, high, verdict = page.row(item.name, 9)
        assert float(truth) == pytest.approx(item.truth, rel=1e-3)
        assert float(error) == pytest.approx(100 * (item.value / item.truth - 1), rel=0.06)
        assert (name, unit, verdict) == (item.name, item.unit, item.verdict)
        assert float(value) == pytest.approx(item.value, rel=1e-3)
        assert float(relative) == pytest.approx(100 * item.relative, rel=1e-2)
        assert (float(low), float(high)) == pytest.approx((item.low, item.high), rel=1e-3)


def test_the_page_tells_the_described_value_and_the_deviation_of_eq_66(text):
    for item in found().estimates:
        _, described, least, unit, plain = Page(text).row(item.name, 5)
        assert float(described) == pytest.approx(item.described, rel=1e-3)
        assert float(plain) == pytest.approx(100 * item.white_deviation / abs(item.value), rel=1e-2)
        assert unit == item.unit
        if least:
            assert float(least) == pytest.approx(item.least_squares, rel=1e-3)


def test_the_headline_says_what_was_found_and_from_what(text):
    said = headline(found())
    assert said in "".join(Page(text).words)
    assert f"{len(found().samples)} samples of 3 equations" in said
    assert f"filtered at {found().prepared.cutoff:.3g} Hz" in said
    offset, s = found().offsets["camera"], found().offset_deviations["camera"]
    assert f"{1e3 * offset:.3g} ms late (standard deviation {1e3 * s:.2g} ms)" in clocks(found())
    assert losses(found()) == "The log has no outliers and no gaps."


def test_every_reason_of_doubt_is_on_the_page(text):
    page = Page(text)
    doubtful = [x for x in found().estimates if x.verdict != "well identified"]
    assert doubtful
    for item in doubtful:
        assert page.row(item.name, 3) == [item.name, item.verdict, item.why]


def test_tensions_are_skipped_with_a_sentence_where_they_are_known_once(tmp_path):
    rigid = identify(log("rigid"), neck("rigid"), ["x1.bar_mass"])
    page = Page(rigid.report(tmp_path / "page.html").read_text(encoding="utf-8"))
    assert tuple(page.headings) == HEADINGS
    assert "no elastic tendon has a motor of its own" in "".join(page.words)
    assert reconstruct(rigid).tensions is None
    assert len(rigid.plot().axes) == 1


def test_what_cannot_be_told_apart_has_a_reason_and_no_error(tmp_path):
    system = twin()
    names = ["spring1-left.stiffness", "twin.stiffness", "motor-*.dry_torque"]
    pair = identify(experiment(system, duration=10.0), system, names)
    assert counted(pair) == "Of 4 parameters 2 are well identified and 2 are not identifiable"
    page = Page(pair.report(tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "only in combination" in page.row("twin.stiffness", 3)[2]
    assert page.row("twin.stiffness", 9)[1] == ""
    assert page.row("spring1-left.stiffness", 9)[4] == ""
    assert "twin.stiffness the described value" in corrected(pair)
    assert "twin.stiffness" not in correlations(pair)[0]


def test_what_has_no_effect_is_named(tmp_path):
    names = ["motor-*.dry_torque", "left.stiffness"]
    blind = identify(log(), neck(), names, tensions="eliminated")
    page = Page(write_report(blind, tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.row("left.stiffness", 3)[2] == "it has no effect on this motion"


def test_a_refined_identification_has_a_page_with_its_own_numbers(tmp_path):
    short = experiment(neck(), duration=4.0)
    better = identify(short, neck(), ["motor-*.dry_torque"], refine=["x1.bar_mass"])
    page = Page(better.report(tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "by simulation error" in headline(better)
    mass = better["x1.bar_mass"]
    assert float(page.row("x1.bar_mass", 9)[1]) == pytest.approx(mass.value, rel=1e-3)
    names = correlations(better)[0]
    assert "x1.bar_mass" in names
    assert not any(name.startswith("start.") for name in names)


def test_correlations_are_those_of_the_covariance():
    names, R = correlations(found())
    assert names[-1] == "clock.camera"
    assert np.diag(R) == pytest.approx(1)
    assert np.max(np.abs(R)) <= 1 + 1e-12


def test_the_plot_is_a_figure_that_can_be_written(tmp_path):
    figure = found().plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert [ax.get_title(loc="left").partition(":")[0] for ax in figure.axes] == [
        "x1",
        *(2 * ["right1", "left"]),
    ]


def test_the_measured_actuators_are_the_identified_models_but_for_the_residual():
    actuators = reconstruct(found()).actuators
    error = np.std(actuators.measured - actuators.modelled["whole model"])
    assert error < 0.2 * np.std(actuators.measured)
    assert error < 0.4 * np.std(actuators.measured - actuators.modelled["without friction"])


def test_autocorrelation_knows_white_noise_a_wave_and_gaps():
    x = np.random.default_rng(0).normal(size=4000)
    r = autocorrelation(x, 50)
    assert r[0] == 1
    assert np.mean(np.abs(r[1:]) < 1.96 / np.sqrt(4000)) > 0.85
    wave = np.sin(2 * np.pi * np.arange(2000) / 20)
    wave[300:420] = np.nan
    assert autocorrelation(wave, 20)[[10, 20]] == pytest.approx([-1, 1], abs=0.02)


def test_a_long_record_is_shown_in_part_and_gaps_are_not_bridged():
    t = np.arange(0, 60, 0.1)
    assert np.ptp(t[window(t)]) == pytest.approx(12, abs=0.2)
    assert np.all(window(t[:100]))
    at, values = broken(np.array([0.0, 1, 2, 8, 9]), np.arange(5.0))
    assert np.isnan(values).tolist() == [False, False, False, True, False, False]
    assert len(at) == 6


def test_another_page_is_not_taken_for_a_report(tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<title>My notes</title>")
    assert not is_report(other)
    with pytest.raises(InputError, match=r"ends in \.html"):
        found().report(tmp_path / "page.txt")
