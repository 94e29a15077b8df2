"""The look: safe for colour-blind eyes, and without side effects."""

import subprocess
import sys
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from chorda.errors import InputError, StorageError
from chorda.view import colors, new_figure, plot_run, save_figure
from chorda.view.style import CYCLE, TENSION

# What eyes without red or green cones see, in linear RGB [Machado, Oliveira, Fernandes 2009]
BLIND = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "usual": np.eye(3).tolist(),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(rgb, eyes):
    """CIE Lab of an sRGB colour as some eyes see it."""
    rgb = np.array(rgb)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(BLIND[eyes]) @ linear, 0, 1)
    f = np.cbrt(np.maximum(TO_XYZ @ seen / (TO_XYZ @ np.ones(3)), 1e-6))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", BLIND)
def test_colours_of_curves_are_told_apart_by_all_eyes(eyes):
    seen = [lab(to_rgb(color), eyes) for color in CYCLE]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 14


@pytest.mark.parametrize("eyes", BLIND)
def test_more_tension_is_always_lighter(eyes):
    lightness = [lab(TENSION(x)[:3], eyes)[0] for x in np.linspace(0, 1, 32)]
    assert np.all(np.diff(lightness) > 0)


def test_no_two_of_many_curves_share_a_colour():
    assert len(set(colors(13))) == 13


def test_figures_leave_the_settings_of_matplotlib_alone(run, tmp_path):
    before = dict(mpl.rcParams)
    plot_run(run, tmp_path / "run.png")
    assert dict(mpl.rcParams) == before


def test_chorda_imports_no_matplotlib_and_the_view_no_pyplot():
    code = (
        "import sys, chorda; assert 'matplotlib' not in sys.modules; "
        "import chorda.view; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_a_figure_shows_itself_in_notebooks():
    assert new_figure(2, 1)._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".PNG"])
def test_figures_are_saved_in_the_kind_their_name_says(tmp_path, suffix):
    path = save_figure(new_figure(2, 1), tmp_path / f"figure{suffix}")
    start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix.lower()]
    assert path.read_bytes().startswith(start)


def test_an_unknown_kind_of_figure_is_refused_with_the_kinds_there_are(tmp_path):
    with pytest.raises(InputError, match=r"\.png or \.svg or \.pdf, got '\.jpg'.*write 'f\.png'"):
        save_figure(new_figure(2, 1), tmp_path / "f.jpg")
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StorageError, match="nowhere does not exist"):
        save_figure(new_figure(2, 1), tmp_path / "nowhere" / "f.png")
