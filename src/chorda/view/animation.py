"""animate: a motion as a GIF or a video, tendons coloured by tension."""

import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from chorda.errors import InputError, StorageError
from chorda.files import write_whole
from chorda.mechanics import Array
from chorda.numerics.progress import Progress
from chorda.results import Run
from chorda.view.actors import Actors
from chorda.view.configuration import slack_sample, tension_scale, trail_sample, widths_in
from chorda.view.encoders import Picture, find_ffmpeg, write_gif, write_mp4
from chorda.view.scenery import build_scenery, draw_scenery, extent
from chorda.view.stage import Stage, build_stage
from chorda.view.style import ROLES, TENSION, checked_suffix, styled

SUFFIXES = (".gif", ".mp4")
DPI = 100
HEAD, FOOT, LEGEND = 34, 52, 26  # [pixels] the time above; tensions, or only the trail, below
GIF_FPS = 50  # browsers slow down what is faster
GIF_FRAMES = 3000
FINER = 5  # configurations for each picture, so that the way of the tip is smooth


def animate(
    run: Run,
    path: str | Path,
    *,
    fps: float = 25,
    speed: float = 1.0,
    width: int = 600,
    trail: bool = True,
    progress: bool | None = None,
) -> Path:
    """Write a motion as a .gif, or as an .mp4 where there is ffmpeg.

    fps: pictures a second. speed: 1 is real time, 0.5 half as fast. width: pixels. trail: draw the
    way of the robot's tip. progress: True shows a bar, False none, None on slow terminals. Tendons
    are coloured by tension, slack ones dashed.
    """
    path = checked_suffix(path, SUFFIXES)
    _check(fps=fps, speed=speed, width=width)
    gif = path.suffix.lower() == ".gif"
    if gif and fps > GIF_FPS:
        raise InputError(f"fps: a GIF shows at most {GIF_FPS} pictures a second, got {fps:g}")
    count = len(moments(run, fps=fps, speed=speed))
    if gif and count > GIF_FRAMES:
        raise InputError(
            f"path: {count} pictures are too many for a GIF (at most {GIF_FRAMES}); "
            f"raise speed to {math.ceil(speed * count / GIF_FRAMES)} or write an .mp4"
        )
    ffmpeg = None if gif else find_ffmpeg()
    if not gif and ffmpeg is None:
        raise StorageError(
            f"{path}: a video needs ffmpeg, which is not here; "
            "pip install 'chorda[video]', or write a .gif"
        )

    film = shoot(run, fps=fps, speed=speed)

    def write(part: Path) -> None:
        with Progress(count, progress, f"animating {run.system.robot.name}") as bar, styled():
            screen = Screen(run, film, width, speed, trail)
            if ffmpeg is None:
                write_gif(part, count, screen.picture, fps, colors=exact_colors(), done=bar.update)
            else:
                write_mp4(part, ffmpeg, screen.size, _each(screen, count, bar), fps)

    return write_whole(path, write)


def exact_colors() -> Picture:
    """Colours by role and of tensions, and half-way to white for the edges of lines (k, 3)."""
    shades = TENSION(np.linspace(0, 1, 48))[:, :3]
    roles = [to_rgb(color) for color in ("white", *astuple(ROLES))]
    return np.asarray(255 * np.vstack([roles, shades, 0.5 + 0.5 * shades[::2]]) + 0.5, np.uint8)


def _each(screen: "Screen", count: int, bar: Progress) -> Iterator[Picture]:
    for k in range(count):
        yield screen.picture(k)
        bar.update(k + 1)


def _check(**values: float) -> None:
    for name, value in values.items():
        if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
            raise InputError(f"{name}: expected a positive number, got {value!r}")
    if not 100 <= values["width"] <= 4000:
        raise InputError(f"width: expected 100 to 4000 pixels, got {values['width']:g}")


@dataclass(frozen=True, eq=False)
class Film:
    """What each picture shows: times (n) [s], tensions (n, tendons) [N].

    The stage has FINER configurations from each picture to the next.
    """

    time: Array
    stage: Stage
    tension: Array | None


def moments(run: Run, *, fps: float, speed: float) -> Array:
    """Times of the pictures [s], from the first good configuration to the last."""
    time = run.time[_good(run)]
    if not len(time):
        raise InputError(
            f"run: there is no configuration to show; its status says why: {run.status}"
        )
    count = math.floor((time[-1] - time[0]) * fps / speed + 1e-6) + 1
    return np.asarray(time[0] + np.arange(count) * speed / fps)


def _good(run: Run) -> npt.NDArray[np.bool_]:
    return np.asarray(np.isfinite(run.position).all(axis=1))


def shoot(run: Run, *, fps: float, speed: float) -> Film:
    """The motion at the times of the pictures, in between its own times."""
    good = _good(run)
    time, at = run.time[good], moments(run, fps=fps, speed=speed)
    fine = time[0] + np.arange(FINER * (len(at) - 1) + 1) * speed / fps / FINER
    q = _between(fine, time, run.position[good])
    for start in run.system.quaternions:
        q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1, keepdims=True)
    tension = None
    if run.system.robot.tendons:
        tension = _between(at, time, run.outputs["tension"][good])
    return Film(at, build_stage(run.system, q, run.parameters), tension)


def _between(at: Array, time: Array, values: Array) -> Array:
    return np.column_stack([np.interp(at, time, column) for column in values.T])


class Screen:
    """A canvas that keeps what stands still and redraws only what moves."""

    def __init__(self, run: Run, film: Film, width: int, speed: float, trail: bool) -> None:
        self.film = film
        stage = film.stage
        scenery = build_scenery(stage)
        low, high = extent(stage, scenery)
        shape = float(np.clip((high - low)[1] / (high - low)[0], 0.5, 1.15))
        legend = [trail_sample()] if trail and stage.tip is not None else []
        if film.tension is not None and not np.all(film.tension > 0):
            legend.insert(0, slack_sample())
        foot = FOOT if film.tension is not None else LEGEND if legend else 8
        w, h = 2 * (width // 2), 2 * round((width * shape + HEAD + foot) / 2)
        figure = Figure(figsize=(w / DPI, h / DPI), dpi=DPI)
        self.size = (w, h)
        canvas: Any = FigureCanvasAgg(figure)  # matplotlib gives it no types
        self.canvas = canvas
        ax = figure.add_axes((0.0, foot / h, 1.0, 1 - (HEAD + foot) / h))
        draw_scenery(ax, stage, scenery)
        norm = None if film.tension is None else tension_scale(film.tension)
        self.actors = Actors(ax, stage, widths_in(ax, stage), norm, trail=trail)
        top = 1 - 10 / h
        look: dict[str, Any] = {"va": "top", "fontsize": 9.5}
        figure.text(1 - 12 / w, top, run.system.robot.name, ha="right", color=ROLES.quiet, **look)
        self.clock = figure.text(12 / w, top, "", fontweight="bold", **look)
        self.note = "" if math.isclose(speed, 1) else f"   (speed {speed:g})"
        step = float(film.time[1] - film.time[0]) if len(film.time) > 1 else 1.0
        self.digits = max(2, math.ceil(-math.log10(step)))  # so that every picture has its own time
        if not run.status.ok:
            text = f"{run.status.code} at t = {run.time[-1]:.3g} s"
            figure.text(0.5, top, text, ha="center", color=ROLES.alarm, **look)
        if film.tension is not None:
            _draw_key(figure, film.tension, h)
        if legend:
            at = (0.76, 38 / h) if film.tension is not None else (0.02, foot / 2 / h)
            figure.legend(
                handles=legend, loc="center left", bbox_to_anchor=at, labelcolor=ROLES.quiet
            )
        self.figure = figure
        self.moving = [*self.actors.artists, self.clock]
        for artist in self.moving:
            artist.set_animated(True)
        canvas.draw()
        self.still = canvas.copy_from_bbox(figure.bbox)

    def picture(self, k: int) -> Picture:
        """The k-th picture."""
        film = self.film
        self.actors.show(FINER * k, None if film.tension is None else film.tension[k])
        self.clock.set_text(f"t = {film.time[k]:.{self.digits}f} s{self.note}")
        self.canvas.restore_region(self.still)
        for artist in self.moving:
            self.figure.draw_artist(artist)
        return np.array(self.canvas.buffer_rgba())[..., :3]


def _draw_key(figure: Figure, tension: Array, h: int) -> None:
    """The colours of the tensions, below the picture, whose height is h pixels."""
    norm = tension_scale(tension)
    over = bool(np.nanmax(tension, initial=0.0) > norm.vmax * 1.001) if norm.vmax else False
    cax = figure.add_axes((0.30, 34 / h, 0.42, 8 / h))
    key = figure.colorbar(
        ScalarMappable(norm, TENSION),
        cax=cax,
        orientation="horizontal",
        extend="max" if over else "neither",
    )
    key.outline.set_visible(False)
    cax.tick_params(length=2, labelsize=8, pad=2)
    look: dict[str, Any] = {"va": "center", "fontsize": 8.5, "color": ROLES.quiet}
    figure.text(0.28, 38 / h, "tension [N]", ha="right", **look)
