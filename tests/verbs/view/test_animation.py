"""animate: real time, whole files, and errors with a remedy."""

import stat
from dataclasses import replace
from inspect import signature
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import chorda
from chorda.errors import InputError, StorageError
from chorda.view import animate, animation
from chorda.view.animation import TRAIL_REFINEMENT, Canvas, sample, usual_speed
from chorda.view.encoders import durations, find_ffmpeg
from chorda.view.surroundings import make_surroundings, picture_bounds


def frames_and_milliseconds(path):
    with Image.open(path) as gif:
        total = 0
        for k in range(gif.n_frames):
            gif.seek(k)
            total += gif.info["duration"]
        return gif.n_frames, total


@pytest.mark.parametrize(
    ("fps", "speed", "frames"), [(25, 1.0, 11), (30, 1.0, 13), (20, 0.5, 17), (10, 4.0, 2)]
)
def test_a_gif_plays_at_the_speed_asked_for(run, tmp_path, fps, speed, frames):
    path = animate(run, tmp_path / "neck.gif", fps=fps, speed=speed, width=200)
    count, milliseconds = frames_and_milliseconds(path)
    assert count == frames
    assert milliseconds == pytest.approx(1000 * frames / fps, abs=10)


@pytest.mark.parametrize(
    ("length", "speed"),
    [(2e-3, 2e-3), (0.1, 0.1), (0.4, 0.2), (1.0, 1.0), (60.0, 1.0), (61.0, 2.0)],
)
def test_short_motions_are_slowed_down_and_long_ones_sped_up(run, length, speed):
    scaled = replace(run, time=run.time * length / run.time[-1])
    assert usual_speed(scaled) == pytest.approx(speed)


def test_a_short_motion_is_no_clip_of_two_pictures(neck, tmp_path):
    short = chorda.simulate(neck, duration=0.05, step=1e-3, initial={"x1": 0.3})
    count, milliseconds = frames_and_milliseconds(short.animate(tmp_path / "a.gif", width=150))
    assert count == 26
    assert milliseconds == 1040


def test_rounding_to_hundredths_never_adds_up():
    assert sum(durations(3001, 30)) == pytest.approx(1000 * 3001 / 30, abs=10)


def test_a_gif_is_as_wide_as_asked_and_repeats(run, tmp_path):
    with Image.open(run.animate(tmp_path / "neck.gif", width=320, fps=5)) as gif:
        assert gif.width == 320
        assert gif.info["loop"] == 0


def test_pictures_move_and_what_stands_still_does_not(run, tmp_path):
    with Image.open(animate(run, tmp_path / "neck.gif", width=300)) as gif:
        first = np.array(gif.convert("RGB"), int)
        gif.seek(gif.n_frames - 1)
        last = np.array(gif.convert("RGB"), int)
    changed = np.abs(first - last).max(axis=2) > 0
    assert changed.any()
    assert not changed[-45:].any()  # the colour bar


def test_configurations_are_interpolated_and_the_trail_is_finer(run):
    frames = sample(run, fps=25, speed=1.0)
    assert len(frames.drawing.points) == TRAIL_REFINEMENT * (len(frames.time) - 1) + 1
    # 40 ms is a multiple of the step, so picture 3 shows a computed configuration
    exact = run.system.drawing(run.position[60], run.parameters).full().T
    np.testing.assert_allclose(frames.drawing.points[3 * TRAIL_REFINEMENT], exact, atol=1e-12)
    np.testing.assert_allclose(frames.tension[3], run.outputs["tension"][60], atol=1e-9)


def test_a_neck_of_six_seconds_stays_below_two_and_a_half_megabytes(neck, tmp_path):
    swing = chorda.simulate(
        neck,
        duration=6.3,
        step=2e-3,
        initial={"tension": 5.0},
        control=chorda.control.JointControl(chorda.control.Sine.from_rest([0.6, 0.5, 0.4])),
    )
    assert animate(swing, tmp_path / "neck.gif").stat().st_size < 2.5e6


def test_a_spatial_robot_fills_its_picture():
    system = chorda.assemble(chorda.load("finger-3"))
    swings = chorda.simulate(system, duration=0.2, step=1e-3, initial={"joint2": 1.2})
    drawing = sample(swings, fps=25, speed=1.0).drawing
    low, high = picture_bounds(drawing, make_surroundings(drawing))
    assert np.all(drawing.size > 0.7 * (high - low))
    assert drawing.size > 0.9 * np.min(high - low)


@pytest.mark.parametrize("trail", [True, False])
def test_the_trail_is_in_the_legend(run, cart, trail):
    for moves in (run, chorda.simulate(cart, duration=0.1, step=1e-2)):
        canvas = Canvas(moves, sample(moves, fps=25, speed=1.0, trail=trail), 300, 1.0)
        words = [x.get_text() for key in canvas.figure.legends for x in key.get_texts()]
        assert ("path of the tip" in words) == trail


def test_a_long_legend_stays_below_the_picture(neck):
    pushed = chorda.simulate(neck, duration=0.2, step=1e-3, initial={"x1": 0.4, "tension": 20.0})
    assert np.any(pushed.outputs["tension"] < 0)
    frames = sample(pushed, fps=25, speed=1.0, trail=["x1.top", "x2.top", "x3.top"])
    canvas = Canvas(pushed, frames, 500, 1.0)
    (legend,) = canvas.figure.legends
    assert len(legend.get_texts()) == 4
    top = legend.get_window_extent(canvas.canvas.get_renderer()).y1
    assert top <= canvas.figure.axes[0].get_window_extent().y0


def test_every_frame_can_leave_a_trail(run):
    frames = sample(run, fps=25, speed=1.0, trail=["x1.top", "x3.*diagonal"])
    assert list(frames.trails) == ["x1.top", "x3.left_diagonal", "x3.right_diagonal"]
    assert len(Canvas(run, frames, 300, 1.0).robot.trails) == 3
    at, exact = frames.trails["x1.top"], run.frame("x1.top")[0]
    np.testing.assert_allclose(at[::TRAIL_REFINEMENT], exact[::20, :2], atol=1e-12)
    assert len(sample(run, fps=25, speed=1.0, trail="*").trails) > 10
    with pytest.raises(InputError, match=r"trail: 'x9.top' is not there"):
        sample(run, fps=25, speed=1.0, trail="x9.top")


def test_options_of_animate_are_named_in_its_signature(run):
    named = signature(run.animate).parameters
    own = {name: x for name, x in signature(animate).parameters.items() if name != "run"}
    assert named == own
    assert all(f"{name} :" in run.animate.__doc__ for name in own if name != "path")


def test_spatial_robots_and_robots_without_tendons_are_animated(arm, cart, ball, tmp_path):
    for system in (arm, cart, ball):
        moves = chorda.simulate(system, duration=0.1, step=1e-2)
        path = moves.animate(tmp_path / f"{system.robot.name}.gif", width=150, speed=1)
        assert frames_and_milliseconds(path) == (3, 120)


def test_diverged_and_interrupted_runs_are_animated(run, diverged, tmp_path):
    assert animate(diverged, tmp_path / "a.gif", speed=0.05, width=150).is_file()
    one = {k: getattr(run, k)[:1] for k in ("time", "position", "velocity", "input")}
    stopped = replace(run, **one, status=chorda.Status(chorda.Code.INTERRUPTED, "Interrupted."))
    assert frames_and_milliseconds(animate(stopped, tmp_path / "b.gif", width=150))[0] == 1


def test_a_run_without_any_configuration_is_refused(run, tmp_path):
    none = replace(run, position=np.full_like(run.position, np.nan))
    with pytest.raises(InputError, match="no configuration to show"):
        animate(none, tmp_path / "a.gif")


@pytest.mark.parametrize("name", ["neck.avi", "neck"])
def test_an_unknown_kind_is_refused_with_the_kinds_there_are(run, tmp_path, name):
    with pytest.raises(InputError, match=r"\.gif or \.mp4.*write 'neck\.gif'"):
        animate(run, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "fps: expected a positive number, got 0"),
        ({"fps": 60}, "a GIF shows at most 50"),
        ({"speed": float("nan")}, "speed: expected a positive number"),
        ({"speed": 1e-4}, "too many for a GIF.*raise speed"),
        ({"width": 20}, "width: expected 100 to 4000 pixels"),
    ],
)
def test_impossible_options_are_named(run, tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        animate(run, tmp_path / "neck.gif", **options)


def test_a_folder_that_cannot_be_written_is_said_before_any_drawing(run, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.touch", refuse)
    monkeypatch.setattr(animation, "Canvas", None)
    with pytest.raises(StorageError, match="cannot be written: Permission denied"):
        animate(run, tmp_path / "neck.gif")


def test_a_full_disk_leaves_the_old_file(run, tmp_path, monkeypatch):
    path = tmp_path / "neck.gif"
    path.write_bytes(b"old")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(animation, "write_gif", fail)
    with pytest.raises(StorageError, match="No space left on device"):
        animate(run, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_video_without_ffmpeg_says_what_to_install(run, tmp_path, monkeypatch):
    monkeypatch.setattr(animation, "find_ffmpeg", lambda: None)
    with pytest.raises(StorageError, match=r"pip install 'chorda\[video\]', or write a \.gif"):
        animate(run, tmp_path / "neck.mp4")


def program(tmp_path, text):
    """A stand-in for ffmpeg."""
    path = tmp_path / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_ffmpeg_gets_every_picture_once(run, tmp_path, monkeypatch):
    fake = program(tmp_path, 'echo "$@" > words; for last in "$@"; do :; done; cat > "$last"')
    monkeypatch.setattr(animation, "find_ffmpeg", lambda: fake)
    monkeypatch.chdir(tmp_path)
    path = animate(run, tmp_path / "neck.mp4", width=200, speed=1)
    words = (tmp_path / "words").read_text().split()
    width, height = map(int, words[words.index("-s") + 1].split("x"))
    assert width == 200
    pictures = np.fromfile(path, np.uint8).reshape(11, height, width, 3)
    assert all(np.any(a != b) for a, b in pairwise(pictures))


def test_what_ffmpeg_complains_about_is_passed_on(run, tmp_path, monkeypatch):
    fake = program(tmp_path, "echo 'Unknown encoder libx264' >&2; exit 1")
    monkeypatch.setattr(animation, "find_ffmpeg", lambda: fake)
    with pytest.raises(StorageError, match="Unknown encoder libx264"):
        animate(run, tmp_path / "neck.mp4", width=200)
    assert not (tmp_path / "neck.mp4").exists()


@pytest.mark.skipif(find_ffmpeg() is None, reason="there is no ffmpeg")
def test_a_video_is_written_where_there_is_ffmpeg(run, tmp_path):
    path = animate(run, tmp_path / "neck.mp4", width=201)
    assert path.read_bytes()[4:8] == b"ftyp"
