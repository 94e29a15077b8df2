"""animate: a motion as a GIF or a video, tendons coloured by tension."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from chorda.checks import matching, number
from chorda.errors import InputError, StorageError
from chorda.files import write_whole
from chorda.mechanics import Array
from chorda.mechanics.posing import frame_poses
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.progress import Progress
from chorda.results import Run
from chorda.safe_text import in_figure
from chorda.view.artists import RobotArtists, trail_lines
from chorda.view.contact_arrows import ContactArrows, Pushes, contact_pushes
from chorda.view.drawing import Drawing, make_drawing
from chorda.view.encoders import Clip, Picture, find_ffmpeg, write_gif, write_mp4
from chorda.view.run_quantities import frame_names
from chorda.view.style import ROLES, TENSION, checked_suffix, color_bar, styled
from chorda.view.surroundings import draw_surroundings, make_surroundings, picture_bounds
from chorda.view.tension_look import one_sided, tension_samples

SUFFIXES = (".gif", ".mp4")
DPI = 100
HEAD_HEIGHT = 34  # [pixels] the time, above
FOOT_HEIGHT, LEGEND_HEIGHT, EMPTY_HEIGHT = 52, 26, 8  # [pixels] tensions, only a legend, nothing
ROW_HEIGHT = 21  # [pixels] of a legend
LEGEND_WIDTH = 125  # [pixels] beside the tensions
GIF_FPS = 50  # browsers slow down what is faster
GIF_FRAMES = 3000
SHORTEST, LONGEST = 1.0, 60.0  # [s] that a motion takes at the usual speed
NAMED_TRAILS = 3  # that the legend has room for
TRAIL_REFINEMENT = 5  # configurations for each picture, so that the path of the tip is smooth


@interruptible()
def animate(
    run: Run,
    path: str | Path,
    *,
    fps: float = 25,
    speed: float | None = None,
    width: int = 600,
    trail: bool | str | Sequence[str] = True,
    progress: bool | None = None,
) -> Path:
    """Write a motion as a .gif, or as an .mp4 where there is ffmpeg.

    Tendons are coloured by tension, slack ones are dashed. Where shapes touch, an arrow is the
    force on the second of them.

    Parameters
    ----------
    run : Run
        The motion.
    path : str or Path
        File to write (.gif or .mp4).
    fps : float
        Pictures a second; at most 50 in a GIF.
    speed : float, optional
        1 is real time, 0.5 half as fast. By default real time, where that takes from a second to
        a minute; shorter motions are slowed down and longer ones sped up. The picture says so.
    width : int
        Of the picture [pixels], 100 to 4000.
    trail : bool, str or sequence of str
        Draw the path of the robot's tip, or of the frames that are named: "x3.top", ``"*.tip"``.
    progress : bool, optional
        True shows a progress bar, False none, None one on slow terminals.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        An option has no meaning, or the run has no configuration to show.
    StorageError
        The file cannot be written, or there is no ffmpeg for a video.

    See Also
    --------
    chorda.Run.to_html : a page that can be turned and played.

    Examples
    --------
    >>> import chorda, tempfile
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> run = chorda.simulate(neck, duration=0.1, step=2e-3, initial={"x1": 0.3})
    >>> animate(run, f"{tempfile.mkdtemp()}/neck.gif", fps=5, width=200, progress=False).name
    'neck.gif'
    """
    path = checked_suffix(path, SUFFIXES)
    _check(fps=fps, width=width)
    if speed is None:
        speed = usual_speed(run)
    number("speed", speed, above=0)
    gif = path.suffix.lower() == ".gif"
    if gif and fps > GIF_FPS:
        raise InputError(f"fps: a GIF shows at most {GIF_FPS} pictures a second, got {fps:g}")
    count = len(frame_times(run, fps=fps, speed=speed))
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
    frames = sample(run, fps=fps, speed=speed, trail=trail)

    def write(part: Path) -> None:
        with Progress(count, progress, f"animating {run.system.robot.name}") as bar, styled():
            canvas = Canvas(run, frames, width, speed)
            clip = Clip(count, canvas.picture, fps, bar.update)
            if ffmpeg is None:
                write_gif(part, clip, exact_colors())
            else:
                write_mp4(part, clip, ffmpeg)

    return write_whole(path, write)


def exact_colors() -> Picture:
    """Colours by role and of tensions, and half-way to white for the edges of lines (k, 3)."""
    shades = TENSION(np.linspace(0, 1, 48))[:, :3]
    roles = [to_rgb(color) for color in ("white", *astuple(ROLES))]
    return np.asarray(255 * np.vstack([roles, shades, 0.5 + 0.5 * shades[::2]]) + 0.5, np.uint8)


def _check(**values: float) -> None:
    for name, value in values.items():
        number(name, value, above=0)
    if not 100 <= values["width"] <= 4000:
        raise InputError(f"width: expected 100 to 4000 pixels, got {values['width']:g}")


def usual_speed(run: Run) -> float:
    """Real time, or the speed nearest to it of 1, 2, 5 times a power of ten at which the motion
    takes from SHORTEST to LONGEST."""
    time = run.time[_finite(run)]
    length = float(time[-1] - time[0]) if len(time) else 0.0
    if length == 0:
        return 1.0
    speeds = [10.0**power * k for power in range(-15, 15) for k in (1, 2, 5)]
    fitting = [x for x in speeds if length / x * (1 + 1e-9) >= SHORTEST and length / x <= LONGEST]
    return min(fitting, key=lambda x: abs(math.log(x)))


@dataclass(frozen=True, eq=False)
class Frames:
    """What each picture shows: times (n) [s], tensions (n, tendons) [N].

    The drawing has TRAIL_REFINEMENT configurations from each picture to the next.
    """

    time: Array
    drawing: Drawing
    tension: Array | None
    pushes: Pushes | None  # where shapes touch
    trails: Mapping[str, Array]  # paths on the page at the configurations, by what they are of


def frame_times(run: Run, *, fps: float, speed: float) -> Array:
    """Times of the pictures [s], from the first finite configuration to the last."""
    time = run.time[_finite(run)]
    if not len(time):
        raise InputError(f"run: there is no configuration to show; its status: {run.status}")
    count = math.floor((time[-1] - time[0]) * fps / speed + 1e-6) + 1
    return np.asarray(time[0] + np.arange(count) * speed / fps)


def _finite(run: Run) -> npt.NDArray[np.bool_]:
    return np.asarray(np.isfinite(run.position).all(axis=1))


def sample(
    run: Run, *, fps: float, speed: float, trail: bool | str | Sequence[str] = True
) -> Frames:
    """The motion at the times of the pictures, interpolated between its own times."""
    finite = _finite(run)
    time, at = run.time[finite], frame_times(run, fps=fps, speed=speed)
    count = TRAIL_REFINEMENT * (len(at) - 1) + 1
    fine = time[0] + np.arange(count) * speed / fps / TRAIL_REFINEMENT
    q = configurations(run, fine)
    tension = None
    if run.system.robot.tendons:
        tension = _interpolated(at, time, run.outputs["tension"][finite])
    drawing = make_drawing(run.system, q, run.parameters)
    return Frames(at, drawing, tension, _sampled_pushes(run, at), _trails(run, drawing, q, trail))


def _trails(
    run: Run, drawing: Drawing, q: Array, trail: bool | str | Sequence[str]
) -> dict[str, Array]:
    """Paths on the page of the tip, or of the frames that are named."""
    if isinstance(trail, bool):
        return {} if not trail or drawing.tip is None else {"the tip": drawing.tip}
    known = frame_names(run.system)
    names = [known[k] for k in matching("trail", trail, known)]
    _, p = frame_poses(run.system, names, q, run.parameters)
    return dict(zip(names, drawing.project(p).transpose(1, 0, 2), strict=True))


def configurations(run: Run, at: Array) -> Array:
    """Coordinates (k, nq) at times (k), interpolated between those of the run."""
    finite = _finite(run)
    q = _interpolated(at, run.time[finite], run.position[finite])
    for start in run.system.quaternions:
        q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1, keepdims=True)
    return q


def _sampled_pushes(run: Run, at: Array) -> Pushes | None:
    """Forces where shapes touch, at the times of the pictures."""
    finite = _finite(run)
    found = contact_pushes(run.system, run.position[finite], run.velocity[finite], run.parameters)
    if found is None:
        return None
    flat = (x.reshape(len(x), -1) for x in (found.points, found.forces))
    values = (_interpolated(at, run.time[finite], x) for x in flat)
    return Pushes(*(x.reshape(len(at), -1, 3) for x in values))


def _interpolated(at: Array, time: Array, values: Array) -> Array:
    return np.column_stack([np.interp(at, time, column) for column in values.T])


class Canvas:
    """Keeps what stands still and redraws only what moves."""

    def __init__(self, run: Run, frames: Frames, width: int, speed: float) -> None:
        self.frames = frames
        drawing, tension = frames.drawing, frames.tension
        around = make_surroundings(drawing)
        low, high = picture_bounds(drawing, around)
        ratio = float(np.clip((high - low)[1] / (high - low)[0], 0.5, 1.15))
        only_pull = one_sided(run.system)
        legend = [] if tension is None else tension_samples(tension, only_pull)
        if len(frames.trails) <= NAMED_TRAILS:
            legend += trail_lines(frames.trails).values()
        foot = FOOT_HEIGHT if tension is not None else LEGEND_HEIGHT if legend else EMPTY_HEIGHT
        foot = max(foot, len(legend) * ROW_HEIGHT + EMPTY_HEIGHT)
        w, h = 2 * (width // 2), 2 * round((width * ratio + HEAD_HEIGHT + foot) / 2)
        self.figure = Figure(figsize=(w / DPI, h / DPI), dpi=DPI)
        self.size = (w, h)
        canvas: Any = FigureCanvasAgg(self.figure)  # matplotlib gives it no types
        ax = self.figure.add_axes((0.0, foot / h, 1.0, 1 - (HEAD_HEIGHT + foot) / h))
        over = draw_surroundings(ax, drawing, around)
        self.robot = RobotArtists(ax, drawing, tension=tension, trails=frames.trails)
        self.arrows = frames.pushes and ContactArrows(ax, drawing, frames.pushes)
        self._write_head(run, speed)
        if tension is not None:
            self._draw_tensions(tension)
        if legend:
            beside = {"loc": "center right", "bbox_to_anchor": (0.99, foot / 2 / h)}  # the tensions
            alone = {"loc": "center left", "bbox_to_anchor": (0.02, foot / 2 / h)}
            where: dict[str, Any] = alone if tension is None else beside
            self.figure.legend(handles=legend, labelcolor=ROLES.quiet, **where)
        self.moving = [*self.robot.artists, *over, *([self.arrows.artist] if self.arrows else [])]
        self.moving = [*sorted(self.moving, key=lambda x: x.get_zorder()), self.clock]
        for artist in self.moving:
            artist.set_animated(True)
        canvas.draw()
        self.canvas, self.still = canvas, canvas.copy_from_bbox(self.figure.bbox)

    def _write_head(self, run: Run, speed: float) -> None:
        """The time on the left, the robot's name on the right, in between how a run failed."""
        w, h = self.size
        look: dict[str, Any] = {"y": 1 - 10 / h, "va": "top", "fontsize": 9.5}
        name = in_figure(run.system.robot.name)
        self.figure.text(x=1 - 12 / w, s=name, ha="right", color=ROLES.quiet, **look)
        self.clock = self.figure.text(x=12 / w, s="", fontweight="bold", **look)
        self.note = "" if math.isclose(speed, 1) else f"   (speed {speed:g})"
        time = self.frames.time
        step = float(time[1] - time[0]) if len(time) > 1 else 1.0
        self.digits = max(2, math.ceil(-math.log10(step)))  # so that every picture has its own time
        if not run.status.ok:
            text = f"{run.status.code} at t = {run.time[-1]:.3g} s"
            self.figure.text(x=0.5, s=text, ha="center", color=ROLES.alarm, **look)

    def _draw_tensions(self, tension: Array) -> None:
        """The colours of the tensions, below the picture."""
        norm, (w, h) = self.robot.norm, self.size
        over = bool(np.nanmax(tension, initial=0.0) > (norm.vmax or np.inf) * 1.001)
        end = float(np.clip(0.98 - LEGEND_WIDTH / w, 0.5, 0.72))
        cax = self.figure.add_axes((0.30, 34 / h, end - 0.30, 8 / h))
        extend = "max" if over else "neither"
        color_bar(self.figure, norm, TENSION, cax=cax, orientation="horizontal", extend=extend)
        cax.tick_params(length=2, labelsize=8, pad=2)
        look: dict[str, Any] = {"va": "center", "fontsize": 8.5, "color": ROLES.quiet}
        self.figure.text(0.28, 38 / h, "tension [N]", ha="right", **look)

    def picture(self, k: int) -> Picture:
        """The k-th picture."""
        frames = self.frames
        tension = None if frames.tension is None else frames.tension[k]
        self.robot.show(TRAIL_REFINEMENT * k, tension)
        if self.arrows:
            self.arrows.show(k)
        self.clock.set_text(f"t = {frames.time[k]:.{self.digits}f} s{self.note}")
        self.canvas.restore_region(self.still)
        for artist in self.moving:
            self.figure.draw_artist(artist)
        return np.array(self.canvas.buffer_rgba())[..., :3]
