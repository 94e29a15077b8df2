"""plot_run: every run, also one that failed, gives an honest figure."""

import warnings
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    JointMotion,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Tendon,
)
from chorda.errors import InputError
from chorda.view import new_figure, plot_run
from chorda.view.run_quantities import quantity_names


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
    labels = list(panels(plot_run(run).figure))
    assert labels == ["angle [°]", "tension [N]", "elongation [mm]", "motor torque [mN m]"]


def test_curves_are_the_numbers_of_the_run(run):
    ax = panels(plot_run(run).figure)
    np.testing.assert_allclose(curves(ax["angle [°]"])["x2"], np.degrees(run.position[:, 1]))
    stretch = 1e3 * run.outputs["elongation"][:, 3]
    np.testing.assert_allclose(curves(ax["elongation [mm]"])["left"], stretch)


def test_equal_inputs_are_one_curve_that_says_so(run):
    assert list(curves(panels(plot_run(run).figure)["motor torque [mN m]"])) == ["all 4"]


def test_a_motor_has_the_colour_of_its_tendon(run):
    different = replace(run, input=run.input * np.arange(1, 5))
    ax = panels(plot_run(different).figure)
    tint = {x.get_label(): x.get_color() for a in ax.values() for x in a.get_lines()}
    assert tint["motor-left"] == tint["left"]


def test_rigid_tendons_have_no_panel_of_elongations(run):
    system = chorda.assemble(chorda.load("neck-3"), tendons="rigid")
    rigid = chorda.simulate(system, duration=0.02, step=2e-3, inputs=-0.016)
    assert "elongation [mm]" not in panels(plot_run(rigid).figure)


def below_zero(run):
    """What the shade below zero is called."""
    words = {text.get_text() for text in plot_run(run, what="tension")["tension"].texts}
    return words & {"slack", "pushing", "slack, pushing"}


@pytest.mark.parametrize(
    ("one_sided", "word"), [((1, 1), "slack"), ((0, 0), "pushing"), ((1, 0), "slack, pushing")]
)
def test_tendons_that_may_push_are_not_called_slack(one_sided, word):
    neck = chorda.neck(1)
    tendons = tuple(
        t.model_copy(update={"law": t.law.model_copy(update={"one_sided": bool(x)})})
        for t, x in zip(neck.tendons, one_sided, strict=True)
    )
    system = chorda.assemble(neck.model_copy(update={"tendons": tendons}))
    pulled = chorda.simulate(system, duration=0.02, step=1e-3, initial={"tension": 5.0})
    pulled.outputs["tension"] = np.full((len(pulled.time), 2), 3.0)
    assert not below_zero(pulled)
    pulled.outputs["tension"] -= 5.0
    assert below_zero(pulled) == {word}


def test_a_completed_run_says_so_quietly_and_a_failed_one_loudly(run, diverged):
    good, bad = status(plot_run(run).figure), status(plot_run(diverged).figure)
    assert good.get_text() == run.status.message
    assert bad.get_text().replace("\n", " ") == diverged.status.message
    assert good.get_color() != bad.get_color()


def test_the_time_a_run_did_not_reach_is_shaded(diverged):
    ax = panels(plot_run(diverged).figure)["angle [°]"]
    assert ax.get_xlim()[1] > diverged.time[-1]
    assert ax.patches


@pytest.mark.parametrize("rows", [0, 1, 50])
def test_interrupted_runs_of_any_length_are_drawn(run, rows, tmp_path):
    short = cut(run, rows, chorda.Code.INTERRUPTED, "Interrupted.")
    assert status(plot_run(short, tmp_path / "run.png").figure).get_text() == "Interrupted."


def test_a_run_with_values_that_are_not_finite_is_drawn(run, tmp_path):
    position = run.position.copy()
    position[100:] = np.nan
    broken = replace(
        run, position=position, status=chorda.Status(chorda.Code.DIVERGED, "Diverged.")
    )
    figure = plot_run(broken, tmp_path / "run.png").figure
    assert all(np.all(np.isfinite(ax.get_ylim())) for ax in figure.axes)


def test_robots_without_tendons_and_with_sliders_are_drawn(cart, ball):
    slides = chorda.simulate(cart, duration=0.1, step=1e-2, initial={"slide": 0.1})
    assert list(panels(plot_run(slides).figure)) == ["position [mm]", "angle [°]"]
    floats = chorda.simulate(ball, duration=0.1, step=1e-2)
    assert list(panels(plot_run(floats).figure)) == ["orientation", "position [mm]"]


def test_run_plot_writes_the_file(run, tmp_path):
    run.plot(tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_what_is_zero_but_for_rounding_has_an_axis_of_a_sensible_size(run):
    for size in (0.0, 1e-15):
        zero = replace(run, input=size * (1 + run.input))
        torque = [ax for label, ax in panels(plot_run(zero).figure).items() if "torque" in label]
        low, high = torque[0].get_ylim()
        assert low <= -1
        assert high >= 1


@pytest.fixture(scope="module")
def crowded():
    """A run of an arm of 15 joints with 75 tendons, five to each joint."""
    body = Body(mass=0.05, center=(0.025, 0, 0), inertia=(1e-5, 1e-5, 1e-5, 0, 0, 0))
    joints, tendons = [], []
    for k in range(15):
        place = Placement(position=(0.05 if k else 0.0, 0, 0))
        parent = {"parent": f"j{k}"} if k else {}
        fields = {"axis": (0, 0, 1), "placement": place, "body": body, "stiffness": 3.0}
        joints.append(Revolute(name=f"j{k + 1}", **parent, **fields))
        for n in range(5):
            off = (0.01 + 0.002 * n) * (-1) ** n
            path = [Point(point=(-0.02, off, 0))]
            path += [Point(frame=f"j{i + 1}", point=(0.025, off, 0)) for i in range(k + 1)]
            law = KelvinVoigt(stiffness=500.0, pretension=0.5, one_sided=True)
            tendons.append(Tendon(name=f"t{k + 1}{'abcde'[n]}", path=tuple(path), law=law))
    arm = Robot(name="arm", joints=tuple(joints), tendons=tuple(tendons))
    return chorda.simulate(chorda.assemble(arm), duration=0.02, step=2e-3, initial={"j1": 0.3})


def test_75_tendons_are_small_panels_of_a_few_on_one_scale(crowded):
    plotted = plot_run(crowded, what="tension")
    assert plotted.names == tuple(f"tension: t{k}" for k in range(1, 16))
    assert {len(curves(ax)) for ax in plotted} == {5}
    assert len({ax.get_ylim() for ax in plotted}) == 1
    found = curves(plotted["tension: t15"])
    np.testing.assert_allclose(found["t15e"], crowded.outputs["tension"][:, 74])


def test_all_curves_are_in_one_panel_on_request(crowded):
    (ax,) = plot_run(crowded, what="tension", together=True)
    assert len(curves(ax)) == 75


def test_a_selection_follows_a_colon(run):
    plotted = run.plot(what=["tension:right*", "velocity:x1.rate", "frame:x3.top"])
    assert plotted.names == ("tension", "velocity", "frame")
    assert list(curves(plotted["tension"])) == ["right1", "right2", "right3"]
    rate = curves(plotted["velocity"])["x1.rate"]
    np.testing.assert_allclose(rate, np.degrees(run.velocity[:, 0]))
    top = curves(plotted["frame"])["x3.top x"]
    np.testing.assert_allclose(top, 1e3 * run.frame("x3.top")[0][:, 0])


def test_every_quantity_can_be_drawn(run, diverged):
    names = [name for name in quantity_names(run.system) if name != "frame"]
    for shown in (run, diverged):
        assert set(names) <= {name.split(":")[0] for name in shown.plot(what=names).names}


def test_axes_that_are_there_are_drawn_into(run):
    figure, (left, right) = plt.subplots(1, 2)
    plotted = run.plot(what=["tension", "energy"], ax=[left, right])
    assert (plotted["tension"], plotted["energy"]) == (left, right)
    assert plotted.figure is figure
    assert right.get_ylabel() == "energy [J]"
    plt.close(figure)


@pytest.mark.parametrize(
    ("what", "axes", "says"),
    [
        ("tensions", None, "what: 'tensions' is not there; did you mean tension"),
        ("tension:lft", None, "what.tension: 'lft' is not there; did you mean left"),
        ("frame", None, "what: say which frames"),
        ([], None, "what: expected names of quantities, got none"),
        ("tension", 3, "ax: expected axes of matplotlib, got 3"),
        (["tension", "energy"], new_figure().add_subplot(), "ax: expected 2 axes, one for each"),
    ],
)
def test_what_cannot_be_drawn_is_said(run, what, axes, says):
    with pytest.raises(InputError, match=says):
        run.plot(what=what, ax=axes)


@pytest.mark.parametrize(("factor", "label"), [(1.0, "time [s]"), (0.1, "time [ms]")])
def test_time_has_a_unit_that_suits_the_motion(run, factor, label):
    plotted = replace(run, time=factor * run.time).plot(what="tension")
    assert plotted["tension"].get_xlabel() == label
    assert plotted["tension"].get_xlim()[1] == pytest.approx(0.4 if factor == 1 else 40)


def test_no_warning_of_matplotlib_reaches_the_user(run, tmp_path):
    odd = run.system.robot.model_copy(update={"name": "颈 " * 30})
    shown = replace(run, system=chorda.assemble(odd))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown.plot(tmp_path / "run.png")
        cut(shown, 1, chorda.Code.INTERRUPTED, "Interrupted.").plot(tmp_path / "one.png")
        shown.animate(tmp_path / "run.gif", width=100, fps=2)


def test_a_label_that_is_longer_than_its_panel_is_high_takes_two_lines():
    slide, body = Prismatic(name="slide"), Body(mass=1.0, center=(0.1, 0, 0))
    pendulum = Revolute(name="swing", parent="slide", body=body)
    moved = JointMotion(name="lift", joint="slide")
    system = chorda.assemble(Robot(name="lift", joints=[slide, pendulum], actuators=[moved]))
    run = chorda.simulate(system, duration=2e-3, step=1e-3, progress=False)
    assert {"motion, given [mm]", "acceleration, given\n[m/s²]"} < set(panels(run.plot().figure))
