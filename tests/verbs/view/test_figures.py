"""plot_run: every run, also one that failed, gives an honest figure."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.view import plot_run


def panels(figure):
    return {ax.get_ylabel(): ax for ax in figure.axes if ax.get_ylabel()}


def curves(ax):
    return {x.get_label(): x.get_ydata() for x in ax.get_lines() if x.get_label()[0] != "_"}


def status(figure):
    return next(t for ax in figure.axes for t in ax.texts if t.get_gid() == "status")


def cut(run, rows, code, message):
    """The first rows of a run that ended so."""
    arrays = {k: getattr(run, k)[:rows] for k in ("time", "position", "velocity", "input")}
    return replace(run, **arrays, status=chorda.Status(code, message))


def test_panels_have_the_units_people_read(run):
    labels = list(panels(plot_run(run)))
    assert labels == ["angle [°]", "tension [N]", "elongation [mm]", "motor torque [mN m]"]


def test_curves_are_the_numbers_of_the_run(run):
    ax = panels(plot_run(run))
    np.testing.assert_allclose(curves(ax["angle [°]"])["x2"], np.degrees(run.position[:, 1]))
    stretch = 1e3 * run.outputs["elongation"][:, 3]
    np.testing.assert_allclose(curves(ax["elongation [mm]"])["left"], stretch)


def test_equal_inputs_are_one_curve_that_says_so(run):
    assert list(curves(panels(plot_run(run))["motor torque [mN m]"])) == ["all 4"]


def test_a_motor_has_the_colour_of_its_tendon(run):
    different = replace(run, input=run.input * np.arange(1, 5))
    ax = panels(plot_run(different))
    tint = {x.get_label(): x.get_color() for a in ax.values() for x in a.get_lines()}
    assert tint["motor-left"] == tint["left"]


def test_rigid_tendons_have_no_panel_of_elongations(run):
    system = chorda.assemble(chorda.load("neck-3"), tendons="rigid")
    rigid = chorda.simulate(system, duration=0.02, step=2e-3, inputs=-0.016)
    assert "elongation [mm]" not in panels(plot_run(rigid))


def test_slack_is_shaded_only_where_there_is_some(run, diverged):
    assert not panels(plot_run(run))["tension [N]"].patches
    ax = panels(plot_run(diverged))["tension [N]"]
    assert "slack" in [text.get_text() for text in ax.texts]


def test_a_completed_run_says_so_quietly_and_a_failed_one_loudly(run, diverged):
    good, bad = status(plot_run(run)), status(plot_run(diverged))
    assert good.get_text() == run.status.message
    assert bad.get_text().replace("\n", " ") == diverged.status.message
    assert good.get_color() != bad.get_color()


def test_the_time_a_run_did_not_reach_is_shaded(diverged):
    ax = panels(plot_run(diverged))["angle [°]"]
    assert ax.get_xlim()[1] > diverged.time[-1]
    assert ax.patches


@pytest.mark.parametrize("rows", [0, 1, 50])
def test_interrupted_runs_of_any_length_are_drawn(run, rows, tmp_path):
    short = cut(run, rows, chorda.Code.INTERRUPTED, "Interrupted.")
    assert status(plot_run(short, tmp_path / "run.png")).get_text() == "Interrupted."


def test_a_run_with_values_that_are_not_finite_is_drawn(run, tmp_path):
    position = run.position.copy()
    position[100:] = np.nan
    broken = replace(
        run, position=position, status=chorda.Status(chorda.Code.DIVERGED, "Diverged.")
    )
    figure = plot_run(broken, tmp_path / "run.png")
    assert all(np.all(np.isfinite(ax.get_ylim())) for ax in figure.axes)


def test_robots_without_tendons_and_with_sliders_are_drawn(cart, ball):
    slides = chorda.simulate(cart, duration=0.1, step=1e-2, initial={"slide": 0.1})
    assert list(panels(plot_run(slides))) == ["position [mm]", "angle [°]"]
    floats = chorda.simulate(ball, duration=0.1, step=1e-2)
    assert list(panels(plot_run(floats))) == ["orientation", "position [mm]"]


def test_run_plot_writes_the_file(run, tmp_path):
    run.plot(tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_what_is_zero_but_for_rounding_has_an_axis_of_a_sensible_size(run):
    for size in (0.0, 1e-15):
        zero = replace(run, input=size * (1 + run.input))
        torque = [ax for label, ax in panels(plot_run(zero)).items() if "torque" in label]
        low, high = torque[0].get_ylim()
        assert low <= -1
        assert high >= 1
