"""Pictures of workspaces say what they show."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_map_names_its_axes_and_classes(small, tmp_path):
    figure = small.plot(tmp_path / "map.png")
    ax = figure.axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("leg1.tip.x [m]", "leg1.tip.y [m]")
    assert ax.get_aspect() == 1
    words = legend(figure)
    for part in ("not reached", "stable, motors locked", "stable, beyond limits", "start"):
        assert any(word.startswith(part) for word in words), part
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_the_shares_in_the_legend_are_those_of_the_cells(small):
    share = 100 * np.mean(~small.reached)
    assert f"not reached ({share:.0f} %)" in legend(small.plot())


def test_limits_are_named_with_their_values(small):
    words = legend(small.plot(colour="limits"))
    assert any("beyond stress 1200 MPa" in word for word in words)


@pytest.mark.parametrize("colour", ["stability", "limits", "stress"])
def test_nothing_of_a_map_is_cut_or_covered(small, colour):
    figure = small.plot(colour=colour)
    figure.draw_without_rendering()
    parts = [part.get_tightbbox() for part in (*figure.axes, *figure.legends)]
    x0, y0, x1, y1 = np.array([part.extents for part in parts]).T
    assert min(x0.min(), y0.min()) >= 0
    assert x1.max() <= figure.bbox.x1
    assert y1.max() <= figure.bbox.y1
    assert x1[0] <= x0[1]  # the key is beside the map


@pytest.mark.parametrize(
    ("colour", "label"),
    [
        ("margin.locked", "smallest over largest eigenvalue, motors locked"),
        ("singularity", "inverse condition number of the problem"),
        ("stress", "stress [MPa]"),
        ("motor1", "motor1 [°]"),
    ],
)
def test_a_quantity_has_a_scale_with_its_unit(small, colour, label):
    assert small.plot(colour=colour).axes[-1].get_ylabel() == label


def test_quantities_are_named_once(start):
    line = chorda.workspace(start, {"motor1": (2.5, 2.6, 2)}, jobs=1)
    assert "motor1" in line.quantities
    assert len(set(line.quantities)) == len(line.quantities)


def test_an_unknown_colour_is_refused(small):
    with pytest.raises(InputError, match="colour: expected one of stability, limits"):
        small.plot(colour="beauty")


def test_one_axis_is_a_band_and_three_are_slices_and_blocks(start, small, tmp_path):
    line = chorda.workspace(start, {"motor1": (2.4, 2.8, 5)}, jobs=1)
    assert line.plot().axes[0].get_xlabel() == "motor1 [°]"
    system = chorda.assemble(chorda.load("3-rfr"))
    motors = ["motor1", "motor2", "motor3"]
    rest = chorda.equilibrium(system, hold=dict.fromkeys(motors, 0.0), strict=True)
    over = {
        "platform.x": (-0.008, 0.008, 3),
        "platform.y": (-0.008, 0.008, 3),
        "platform": [0, 0.1],
    }
    found = chorda.workspace(rest, over, jobs=1)
    slices = found.plot()
    assert [ax.get_title("left") for ax in slices.axes[:2]] == [
        "platform = 0 °",
        "platform = 5.73 °",
    ]
    assert all(ax.get_aspect() == 1 for ax in slices.axes)
    cloud = found.plot_cloud(tmp_path / "cloud.png")
    assert cloud.axes[0].get_zlabel() == "platform [°]"
    with pytest.raises(InputError, match="expected a workspace over 3 axes"):
        small.plot_cloud()


def test_coordinates_that_are_lengths_are_drawn_to_one_scale():
    system = chorda.assemble(chorda.load("3-rfr"))
    motors = ["motor1", "motor2", "motor3"]
    rest = chorda.equilibrium(system, hold=dict.fromkeys(motors, 0.0), strict=True)
    plane = {"platform_x": (-0.004, 0.004, 2), "platform_y": (-0.008, 0.008, 2)}
    found = chorda.workspace(rest, plane | {"platform": [0.0, 0.1]}, jobs=1)
    assert all(ax.get_aspect() == 1 for ax in found.plot().axes)
